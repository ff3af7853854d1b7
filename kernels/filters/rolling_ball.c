/* SPDX-License-Identifier: MIT
 *
 * rolling_ball on the CPU: plane by plane, and each step of it row by row.
 */
#include "kernels/filters/rolling_ball.h"
#include "kernels/filters/paraboloid.h"

#include "kernels/common/imagej.h"
#include "kernels/common/row.h"

/* ---- The ball ---- */

/* ImageJ's: how much is shrunk, and hundredths of the radius that are cut off the rim. */
static void
imagej_sizes (double radius, int32_t *shrink, int *rim)
{
  *shrink = radius <= 10 ? 1 : radius <= 30 ? 2 : radius <= 100 ? 4 : 8;
  *rim = radius <= 30 ? 24 : radius <= 100 ? 32 : 40;
}

static double
small_radius (const rolling_ball_args *a, int32_t shrink)
{
  return a->method == ROLLING_BALL_EXACT || a->radius > shrink ? a->radius / shrink : 1;
}

rolling_ball_plan
rolling_ball_make (const rolling_ball_args *a, fv_type type, int64_t rows, int64_t columns)
{
  bool whole = a->method == ROLLING_BALL_IMAGEJ, single = whole && type != FV_I32 && type != FV_F64;
  rolling_ball_plan p = {a->light, whole && a->smooth, whole, single, 1, (int32_t) ceil (a->radius), 0, 0};
  if (whole) {
    int rim;
    imagej_sizes (a->radius, &p.shrink, &rim);
    double radius = small_radius (a, p.shrink);
    p.reach = (int32_t) floor (radius - (int) (rim * radius) / 100 + 0.5);
  }
  p.rows = (rows + p.shrink - 1) / p.shrink;
  p.columns = (columns + p.shrink - 1) / p.shrink;
  return p;
}

void
rolling_ball_heights (const rolling_ball_args *a, const rolling_ball_plan *p, double *heights)
{
  double r = small_radius (a, p->shrink), top = p->whole ? 0 : r;
  for (int64_t y = -p->reach; y <= p->reach; y++)
    for (int64_t x = -p->reach; x <= p->reach; x++) {
      double square = r * r - (double) (x * x + y * y);
      *heights++ = square >= 0 ? rolling_ball_rounded (p->single, sqrt (square)) - top : p->whole ? 0 : -INFINITY;
    }
}

/* ---- Declaration ---- */

static fv_status
rolling_ball_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) error;
  for (int i = 0; i < 2; i++) {
    if (in[0]->role != FV_RGB)
      out[i]->role = FV_IMAGE;
    out[i]->dense = false;
  }
  return FV_OK;
}

static int64_t
numbers_of_image (const rolling_ball_plan *p)
{
  return p->rows * rolling_ball_pitch (p);
}

static int64_t
numbers_under (const rolling_ball_plan *p)
{
  return (p->rows + 2 * (int64_t) p->reach) * rolling_ball_under_pitch (p);
}

static bool
is_paraboloid (const rolling_ball_args *a)
{
  return a->method == ROLLING_BALL_PARABOLOID;
}

static int64_t
rolling_ball_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  if (is_paraboloid (args))
    return paraboloid_scratch (in[0]);
  rolling_ball_plan p = rolling_ball_make (args, in[0]->type, in[0]->shape[1], in[0]->shape[2]);
  return (numbers_of_image (&p) + numbers_under (&p)) * (int64_t) sizeof (double);
}

/* For a pixel: each of the ball, once or twice, upon as many as shrinking leaves; or six hulls. */
static double
rolling_ball_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  if (is_paraboloid (args))
    return 250;
  rolling_ball_plan p = rolling_ball_make (args, in[0]->type, in[0]->shape[1], in[0]->shape[2]);
  double side = 2 * p.reach + 1;
  return 20 + (p.whole ? 4 : 2) * side * side / (p.shrink * p.shrink);
}

/* ---- The work ---- */

typedef struct rolling_ball_job {
  const fv_call *call;
  progress progress;
  rolling_ball_plan plan;
  const double *heights;
  double *image, *under;
  double *lines; /* of each thread: three of the image and what becomes of them */
} rolling_ball_job;

VECTORISED static void
lower (double *restrict to, const double *restrict from, double height, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = from[i] - height < to[i] ? from[i] - height : to[i];
}

VECTORISED static void
raise_to (double *restrict to, const double *restrict from, double height, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = from[i] + height > to[i] ? from[i] + height : to[i];
}

VECTORISED static void
add_three (double *restrict to, const double *restrict a, const double *restrict b, const double *restrict c, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = a[i] + b[i] + c[i];
}

VECTORISED static void
negate (double *v, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    v[i] = -v[i];
}

/* The means of three neighbors, in place. */
static void
smooth_line (double *v, int64_t n)
{
  double before = v[0];
  for (int64_t x = 0; x < n; x++) {
    const double own = v[x];
    v[x] = rolling_ball_third (before, own, v[x < n - 1 ? x + 1 : x]);
    before = own;
  }
}

/* The first of three rows, and those above and below. */
static void
smooth_rows (double *rows, int64_t n)
{
  for (int i = 0; i < 3; i++)
    smooth_line (rows + i * n, n);
  for (int64_t x = 0; x < n; x++)
    rows[x] = rolling_ball_third (rows[n + x], rows[x], rows[2 * n + x]);
}

/* Row y of the image, smoothed and negated if that is wanted, into lines. */
static void
load_row (const rolling_ball_job *j, int64_t z, int64_t y, double *lines)
{
  const fv_array *in = j->call->inputs[0];
  int64_t n = array_columns (in), last = array_rows (in) - 1;
  double *sum = lines + 3 * n;
  row_to_f64 (lines, array_row (in, z, y), in->grid->type, n);
  if (j->plan.smooth) {
    row_to_f64 (lines + n, array_row (in, z, y ? y - 1 : 0), in->grid->type, n);
    row_to_f64 (lines + 2 * n, array_row (in, z, y < last ? y + 1 : last), in->grid->type, n);
    if (j->plan.single)
      smooth_rows (lines, n);
    else
      add_three (sum, lines + n, lines, lines + 2 * n, n);
    for (int64_t x = 0; x < n && !j->plan.single; x++)
      lines[x] = (sum[x ? x - 1 : 0] + sum[x] + sum[x < n - 1 ? x + 1 : n - 1]) / 9;
  }
  if (j->plan.light)
    negate (lines, n);
}

/* Row y of the shrunk image, with nothing that counts on both sides. */
static void
shrink_row (const rolling_ball_job *j, int64_t z, int64_t y, double *lines)
{
  const rolling_ball_plan *p = &j->plan;
  const fv_array *in = j->call->inputs[0];
  int64_t n = array_columns (in), pitch = rolling_ball_pitch (p), end = (y + 1) * p->shrink;
  double *to = j->image + y * pitch;
  for (int64_t x = 0; x < pitch; x++)
    to[x] = INFINITY;
  to += 2 * p->reach;
  for (int64_t row = y * p->shrink; row < end && row < array_rows (in); row++) {
    load_row (j, z, row, lines);
    for (int64_t x = 0, at = 0; x < n; at++)
      for (int32_t k = 0; k < p->shrink && x < n; k++, x++)
        to[at] = lines[x] < to[at] ? lines[x] : to[at];
  }
}

static void
round_line (double *v, int64_t n, bool single)
{
  for (int64_t x = 0; x < n && single; x++)
    v[x] = rolling_ball_rounded (single, v[x]);
}

/* Where the center of the ball lies when it touches from below, in row y of `under`. */
static void
touch_row (const rolling_ball_job *j, int64_t y)
{
  const rolling_ball_plan *p = &j->plan;
  int64_t n = rolling_ball_under_pitch (p), side = 2 * p->reach + 1;
  double *to = j->under + y * n;
  for (int64_t x = 0; x < n; x++)
    to[x] = INFINITY;
  for (int64_t k = 0; k < side; k++) {
    int64_t row = y + k - 2 * p->reach;
    for (int64_t i = 0; i < side && row >= 0 && row < p->rows; i++)
      if (j->heights[k * side + i] > -INFINITY)
        lower (to, j->image + row * rolling_ball_pitch (p) + i, j->heights[k * side + i], n);
  }
  round_line (to, n, p->single);
}

/* The surface of all balls, in row y, in place of the image. */
static void
surface_row (const rolling_ball_job *j, int64_t y)
{
  const rolling_ball_plan *p = &j->plan;
  int64_t pitch = rolling_ball_under_pitch (p), side = 2 * p->reach + 1;
  double *to = j->image + y * rolling_ball_pitch (p);
  for (int64_t x = 0; x < p->columns; x++)
    to[x] = -INFINITY;
  for (int64_t k = 0; k < side; k++)
    for (int64_t i = 0; i < side; i++)
      raise_to (to, j->under + (y + k) * pitch + i, j->heights[k * side + i], p->columns);
  round_line (to, p->columns, p->single);
}

/* Row y of the background, in the size of the image. */
static void
enlarge_row (const rolling_ball_job *j, int64_t y, double *to)
{
  const rolling_ball_plan *p = &j->plan;
  int64_t pitch = p->whole ? rolling_ball_pitch (p) : rolling_ball_under_pitch (p),
          n = array_columns (j->call->inputs[0]);
  const double *from = p->whole ? j->image : j->under + p->reach * (pitch + 1);
  double down, across;
  int64_t row = rolling_ball_between (y, p->shrink, p->rows, &down);
  const double *above = from + row * pitch, *below = from + (row + 1 < p->rows ? row + 1 : row) * pitch;
  if (p->shrink == 1)
    memcpy (to, from + y * pitch, (size_t) n * sizeof *to);
  for (int64_t x = 0; x < n && p->shrink > 1; x++) {
    int64_t i = rolling_ball_between (x, p->shrink, p->columns, &across), k = i + 1 < p->columns ? i + 1 : i;
    if (p->single) {
      const float above_it = rolling_ball_mix (above[i], above[k], x, i, p->shrink, p->columns),
                  below_it = rolling_ball_mix (below[i], below[k], x, i, p->shrink, p->columns);
      to[x] = rolling_ball_mix (above_it, below_it, y, row, p->shrink, p->rows);
      continue;
    }
    double high = above[i] * (1 - across) + above[k] * across, low = below[i] * (1 - across) + below[k] * across;
    to[x] = high * (1 - down) + low * down;
  }
  if (p->light)
    negate (to, n);
}

VECTORISED static void
subtract (double *restrict image, const double *restrict background, double white, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    image[i] = image[i] - background[i] + white;
}

static void
write_row (const rolling_ball_job *j, int64_t z, int64_t y, double *lines)
{
  const fv_array *in = j->call->inputs[0], *const *out = j->call->outputs;
  fv_type type = in->grid->type;
  int64_t n = array_columns (in);
  enlarge_row (j, y, lines);
  row_to_f64 (lines + n, array_row (in, z, y), type, n);
  for (int64_t x = 0; x < n && j->plan.single; x++)
    lines[n + x] = rolling_ball_left (lines[n + x], lines[x], j->plan.light, type);
  if (!j->plan.single)
    subtract (lines + n, lines, rolling_ball_white (j->plan.light, type), n);
  row_from_f64 (array_row (out[0], z, y), type, lines + n, n);
  row_from_f64 (array_row (out[1], z, y), type, lines, n);
}

typedef enum rolling_ball_stage { STAGE_SHRINK, STAGE_TOUCH, STAGE_SURFACE, STAGE_WRITE, STAGES } rolling_ball_stage;

static int64_t
rows_of_stage (const rolling_ball_job *j, rolling_ball_stage stage)
{
  switch (stage) {
  case STAGE_SHRINK: return j->plan.rows;
  case STAGE_TOUCH: return j->plan.rows + 2 * (int64_t) j->plan.reach;
  case STAGE_SURFACE: return j->plan.whole ? j->plan.rows : 0;
  default: return array_rows (j->call->inputs[0]);
  }
}

static void
run_row (const rolling_ball_job *j, rolling_ball_stage stage, int64_t z, int64_t y)
{
  double *lines = j->lines + thread_index () * 4 * array_columns (j->call->inputs[0]);
  switch (stage) {
  case STAGE_SHRINK: shrink_row (j, z, y, lines); break;
  case STAGE_TOUCH: touch_row (j, y); break;
  case STAGE_SURFACE: surface_row (j, y); break;
  default: write_row (j, z, y, lines); break;
  }
}

static void
run_stage (rolling_ball_job *j, rolling_ball_stage stage, int64_t z)
{
  int64_t rows = rows_of_stage (j, stage);
  progress_step (&j->progress, 0); /* other threads may take all rows */
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t y = 0; y < rows; y++) {
    if (progress_stopped (&j->progress))
      continue;
    run_row (j, stage, z, y);
    progress_step (&j->progress, 1);
  }
}

static fv_status
rolling_ball_cpu (const fv_call *call, fv_error *error)
{
  if (is_paraboloid (call->args))
    return paraboloid_cpu (call, error);
  const fv_array *in = call->inputs[0];
  rolling_ball_job j = {call,
                        .plan = rolling_ball_make (call->args, in->grid->type, array_rows (in), array_columns (in))};
  size_t side = (size_t) (2 * j.plan.reach + 1),
         bytes[] = {side * side, (size_t) numbers_of_image (&j.plan), (size_t) numbers_under (&j.plan),
                    (size_t) (4 * threads_at_most () * array_columns (in))};
  double *memory[4];
  for (int i = 0; i < 4; i++)
    if (call->host->scratch (call, bytes[i] * sizeof (double), (void **) &memory[i], error))
      return error->code;
  rolling_ball_heights (call->args, &j.plan, memory[0]);
  j.heights = memory[0];
  j.image = memory[1];
  j.under = memory[2];
  j.lines = memory[3];
  for (int stage = 0; stage < STAGES; stage++)
    j.progress.total += array_planes (in) * rows_of_stage (&j, (rolling_ball_stage) stage);
  j.progress.call = call;
  for (int64_t z = 0; z < array_planes (in); z++)
    for (int stage = 0; stage < STAGES; stage++)
      run_stage (&j, (rolling_ball_stage) stage, z);
  return j.progress.stop ? cancelled (error) : FV_OK;
}

const fv_op fv_op_rolling_ball = {
  FV_OP (rolling_ball_args),
  .key = "rolling_ball",
  .menu = "Process",
  .label = "Subtract Background...",
  .search = "subtract background sliding shading uneven illumination flat",
  .imagej =
    (const fv_imagej[]){{.command = "Subtract Background...",
                         .needs = "rolling=",
                         IMAGEJ_WORDS ({"rolling=", "radius="}, {"light", "light=yes"}, {"white", "light=yes"},
                                       {"sliding", "method=paraboloid"}, {"disable", "smooth=no"}, IMAGEJ_STACK),
                         .images = FV_IMAGEJ_GRAY,
                         .area = FV_IMAGEJ_AREA_IGNORED,
                         .slices = FV_IMAGEJ_SLICES_STACK,
                         .range = FV_IMAGEJ_RANGE_FOLLOWS},
                        {0}},
  .help = "Subtracts the background: the surface that a ball reaches as it rolls under the image (NaN does not count).",
  .cite = "S. R. Sternberg, Biomedical image processing, IEEE Computer 16 (1983) 22",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Subtracted"}, {"background", "Background"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (rolling_ball_args, radius), .label = "Radius", .unit = FV_PIXELS, .def = 50, .min = 1, .max = 500,
       .soft_min = 5, .soft_max = 200, .scale = FV_LOG,
       .help = "Radius of the ball, at least that of the largest object that is not background."},
      {FV_FIELD (rolling_ball_args, light), .label = "Light background",
       .help = "The objects are darker than the background."},
      {FV_FIELD (rolling_ball_args, method), .label = "Method", .advanced = true,
       .choices =
         (const fv_choice[]){
           {"imagej", "As ImageJ", "Shrinks the image, cuts the rim of the ball, and takes the surface of all balls."},
           {"exact", "Exact", "Takes the tops of whole balls, as scikit-image; slow with large radii."},
           {"paraboloid", "Sliding paraboloid",
            "Slides a parabola of that radius at its top under rows, columns and diagonals, as ImageJ's sliding "
            "paraboloid."},
           {0}},
       .help = "How the background is found."},
      {FV_FIELD (rolling_ball_args, smooth), .label = "Smoothing", .advanced = true, .def = 1,
       .enabled = "method=imagej|paraboloid",
       .help = "Takes the mean of 3 × 3 pixels before the background is looked for, as noise lowers it."},
      {0}},
  .infer = rolling_ball_infer,
  .scratch = rolling_ball_scratch,
  .arithmetic = rolling_ball_arithmetic,
  .values = FV_VALUES_UNIT,
  .run = {[FV_CPU] = rolling_ball_cpu, [FV_CUDA] = FV_CUDA_FN (rolling_ball_cuda)},
};
