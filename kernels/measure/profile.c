/* SPDX-License-Identifier: MIT
 *
 * profile: piece by piece of the samples of each plane.
 */
#include "kernels/measure/profile.h"

#include "kernels/common/grain.h"
#include "kernels/measure/placed_rows.h"

enum { PIECE = 256, MAX_SAMPLES = 1 << 20, FARTHEST = 1000000 };

/* ---- Parts ---- */

int
profile_parts (const profile_args *a, const fv_grid *image, profile_part *parts, int64_t *samples)
{
  const int n = a->points.rows - 1;
  double distance = 0;
  int64_t all = 1;
  for (int i = 0; i < n; i++) {
    const double *from = a->points.v + 2 * i, *to = from + 2;
    const double length = hypot ((to[0] - from[0]) * image->spacing[2], (to[1] - from[1]) * image->spacing[1]);
    profile_part *p = &parts[i];
    p->line = sampled_line_of (from[0], from[1], to[0], to[1], a->width);
    p->corner = all - 1;
    p->distance = distance;
    p->step = p->line.n > 1 ? length / (double) (p->line.n - 1) : 0;
    distance += length;
    all += p->line.n - 1;
  }
  *samples = all;
  return n;
}

static int64_t
samples_of (const profile_args *a)
{
  int64_t all = 1;
  for (int i = 0; i + 1 < a->points.rows; i++) {
    const double *from = a->points.v + 2 * i;
    all += line_samples (from[2] - from[0], from[3] - from[1]) - 1;
  }
  return all;
}

/* ---- Sizes and checks ---- */

static fv_status
check_points (const fv_matrix *m, fv_error *error)
{
  if (m->planes != 1 || m->columns != 2 || m->rows < 2)
    return fail (error, FV_BAD_ARGUMENT, "points",
                 "A line has two points or more, each a row of x and y, such as 10 20; 100 20.");
  for (int i = 0; i < 2 * m->rows; i++)
    if (!(fabs (m->v[i]) <= FARTHEST))
      return fail (error, FV_BAD_ARGUMENT, "points", "Coordinates range from -%d to %d.", FARTHEST, FARTHEST);
  return FV_OK;
}

static fv_status
profile_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const profile_args *a = args;
  (void) op, (void) in, (void) out;
  if (check_points (&a->points, error))
    return error->code;
  if (samples_of (a) > MAX_SAMPLES)
    return fail (error, FV_BAD_ARGUMENT, "points", "The line is longer than %d pixels: take a shorter one.",
                 MAX_SAMPLES);
  return FV_OK;
}

static int64_t
profile_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  return samples_of (args) * in[0]->shape[0] * (int64_t) sizeof (double)
         + PROFILE_PARTS * (int64_t) sizeof (profile_part);
}

static double
profile_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const profile_args *a = args;
  (void) op;
  return 10. * a->width * (double) samples_of (a) / ((double) in[0]->shape[1] * (double) in[0]->shape[2]);
}

/* ---- The work ---- */

typedef struct profile_work {
  const fv_array *image;
  const profile_part *parts;
  int n;
  int64_t samples;
  double *values; /* [planes][samples] */
} profile_work;

static void
sample_piece (const profile_work *w, int64_t plane, int64_t first)
{
  const stack_view pixels = stack_view_of (w->image, 0, 1);
  const int64_t end = first + PIECE < w->samples ? first + PIECE : w->samples;
  for (int64_t i = first; i < end; i++) {
    const profile_part *p = &w->parts[profile_part_at (w->parts, w->n, i)];
    w->values[plane * w->samples + i] =
      sampled_value (&pixels, array_rows (w->image), array_columns (w->image), &p->line, plane, i - p->corner);
  }
}

static fv_status
profile_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *image = call->inputs[0];
  const int64_t planes = array_planes (image), samples = samples_of (call->args),
                pieces = (samples + PIECE - 1) / PIECE;
  profile_work w = {.image = image};
  void *parts, *values;
  if (call->host->scratch (call, PROFILE_PARTS * sizeof (profile_part), &parts, error)
      || call->host->scratch (call, (size_t) (planes * samples) * sizeof (double), &values, error))
    return error->code;
  w.n = profile_parts (call->args, image->grid, parts, &w.samples);
  w.parts = parts;
  w.values = values;
  progress p = {call, .total = planes * pieces};
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < p.total; i++)
    if (!progress_stopped (&p)) {
      sample_piece (&w, i / pieces, i % pieces * PIECE);
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : profile_table (call, parts, w.n, values, error);
}

/* ---- The table ---- */

fv_status
profile_table (const fv_call *call, const profile_part *parts, int n, const double *values, fv_error *error)
{
  const fv_grid *grid = call->inputs[0]->grid;
  const int64_t samples = samples_of (call->args), rows = grid->shape[0] * samples, depth = grid_depth (grid);
  const fv_column measured[] = {
    {"distance", *grid->unit ? grid->unit : FV_PIXELS, "How far along the line from where it begins.", FV_COLUMN_FLOAT},
    {"value", grid->value_unit, "The value there, or the mean across.", FV_COLUMN_FLOAT},
  };
  enum { MEASURED = sizeof measured / sizeof *measured };
  placed_rows to;
  fv_status status = placed_rows_new (call, grid, measured, MEASURED, rows, &to, error);
  for (int64_t i = 0; i < rows && !status; i++) {
    const int64_t plane = i / samples, at = i % samples;
    const profile_part *p = &parts[profile_part_at (parts, n, at)];
    const double row[MEASURED] = {p->distance + (double) (at - p->corner) * p->step, values[i]};
    placed_rows_put (&to, i, plane / depth, plane % depth, row);
  }
  return status;
}

/* ---- The operation ---- */

const fv_op fv_op_profile = {
  FV_OP (profile_args),
  .key = "profile",
  .menu = "Analyze",
  .label = "Profile Along Line...",
  .search = "plot profile line scan intensity along line polyline cross section",
  .traits = FV_TAKES_LINE,
  .columns = (const fv_column_name[]){{"channel", "Ch"}, {0}},
  .help = "Lists the values along a line, straight or with corners, of each slice and frame.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){{"image", "Image", "The image; NaN spreads.", FV_ANY_TYPE | FV_WANTS_CALIBRATED, false}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (profile_args, points), .label = "Points", .def_text = "0 0; 100 100",
       .help = "The line's ends, and its corners between them: x and y of each, in pixels; the first pixel's center is "
               "at 0."},
      {FV_FIELD (profile_args, width), .label = "Width", .unit = FV_PIXELS, .def = 1, .min = 1, .max = 1000,
       .soft_min = 1, .soft_max = 50, .help = "How many pixels across the line are averaged."},
      {0}},
  .grain = grain_frame,
  .infer = profile_infer,
  .scratch = profile_scratch,
  .arithmetic = profile_arithmetic,
  .run = {[FV_CPU] = profile_cpu, [FV_CUDA] = FV_CUDA_FN (profile_cuda)},
};
