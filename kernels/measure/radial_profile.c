/* SPDX-License-Identifier: MIT
 *
 * radial_profile: two passes over each plane, and one before for its range where that matters, in strips that have sums of their own. Sums are exact.
 */
#include "kernels/measure/radial_profile.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/measure/placed_rows.h"

enum { CHUNK = 1024, STRIPS = 8, MOST_RINGS = 1 << 20 };

/* ---- Arguments ---- */

radial_rings
radial_rings_of (const radial_profile_args *args, const fv_grid *image)
{
  const double bottom = (double) image->shape[1] - 1, right = (double) image->shape[2] - 1;
  radial_rings r = {args->x, args->y, image->spacing[1] / image->spacing[2], args->width, 0};
  if (args->center == RADIAL_MIDDLE) {
    r.x = right / 2;
    r.y = bottom / 2;
  }
  const double far =
    sqrt (radial_square_sum (fmax (fabs (r.x), fabs (right - r.x)), fmax (fabs (r.y), fabs (bottom - r.y)) * r.higher));
  const double rings = args->radius > 0 ? ceil (args->radius / r.width) : floor (far / r.width) + 1;
  r.n = rings <= MOST_RINGS ? (int64_t) rings : MOST_RINGS + 1;
  return r;
}

static fv_status
radial_profile_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const radial_profile_args *a = args;
  (void) op, (void) out;
  if (radial_rings_of (a, in[RADIAL_IMAGE]).n > MOST_RINGS)
    return fail (error, FV_BAD_ARGUMENT, "width", "Rings of %g pixels are more than %d; make them wider.", a->width,
                 MOST_RINGS);
  return check_alike (in[RADIAL_MASK], "mask", in[RADIAL_IMAGE], "the image", ALIKE_OR_ONE, error);
}

static int64_t
radial_profile_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const radial_rings r = radial_rings_of (args, in[RADIAL_IMAGE]);
  (void) op;
  return r.n * (in[RADIAL_IMAGE]->shape[0] + STRIPS) * (int64_t) sizeof (radial_sum);
}

/* ---- A strip ---- */

VECTORISED static void
find_rings (const radial_rings *rings, int64_t y, int64_t x, int64_t n, int32_t *ring)
{
  const radial_rings r = *rings;
  for (int64_t i = 0; i < n; i++)
    ring[i] = radial_ring_at (&r, y, x + i);
}

typedef struct radial_work {
  masked_stack stack;
  radial_rings rings;
  int64_t rows, columns;
  radial_ring *all;  /* [planes][rings] */
  radial_sum *parts; /* [STRIPS][rings] */
  progress progress;
} radial_work;

static void
add_row (const radial_work *w, int64_t plane, int64_t y, const radial_scale *scale, bool squares, radial_sum *to)
{
  const radial_ring *found = w->all + plane * w->rings.n;
  double v[CHUNK];
  int32_t ring[CHUNK];
  for (int64_t x = 0; x < w->columns; x += CHUNK) {
    const int64_t n = w->columns - x < CHUNK ? w->columns - x : CHUNK;
    masked_read (&w->stack, plane, y, x, n, v);
    find_rings (&w->rings, y, x, n, ring);
    for (int64_t i = 0; i < n; i++) {
      if (isnan (v[i]) || ring[i] >= w->rings.n)
        continue;
      const radial_sum sum = radial_sum_of (scale, &found[ring[i]], squares, v[i]);
      radial_sum *r = &to[ring[i]];
      r->n += sum.n;
      r->high += sum.high;
      r->low += sum.low;
    }
  }
}

static void
join_strips (const radial_work *w, int64_t plane, const radial_scale *scale, bool squares)
{
  for (int64_t k = 0; k < w->rings.n; k++) {
    radial_sum sum = {0, 0, 0};
    for (int64_t s = 0; s < STRIPS; s++) {
      const radial_sum *part = &w->parts[s * w->rings.n + k];
      sum.n += part->n;
      sum.high += part->high;
      sum.low += part->low;
    }
    radial_take (&w->all[plane * w->rings.n + k], &sum, scale, squares);
  }
}

/* False when the work is to stop. */
static bool
go_over (radial_work *w, int64_t plane, const radial_scale *scale, bool squares)
{
  memset (w->parts, 0, (size_t) (STRIPS * w->rings.n) * sizeof *w->parts);
#pragma omp parallel for schedule(dynamic)
  for (int64_t s = 0; s < STRIPS; s++)
    for (int64_t y = w->rows * s / STRIPS; y < w->rows * (s + 1) / STRIPS && !progress_stopped (&w->progress); y++) {
      add_row (w, plane, y, scale, squares, w->parts + s * w->rings.n);
      progress_step (&w->progress, 1);
    }
  join_strips (w, plane, scale, squares);
  return !w->progress.stop;
}

VECTORISED static void
widen_range (const double *v, int64_t n, double range[2])
{
  double low = range[0], high = range[1];
#pragma omp simd reduction(min : low) reduction(max : high)
  for (int64_t i = 0; i < n; i++) {
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
  }
  range[0] = low;
  range[1] = high;
}

/* Of the pixels of the plane that count, or of their type. */
static radial_scale
find_scale (radial_work *w, int64_t plane)
{
  const fv_type type = w->stack.pixels.type;
  double range[STRIPS][2], low = INFINITY, high = -INFINITY;
  if (!radial_needs_range (type))
    return radial_scale_of (type, 0, type == FV_U8 ? UINT8_MAX : UINT16_MAX);
#pragma omp parallel for schedule(dynamic)
  for (int64_t s = 0; s < STRIPS; s++) {
    double v[CHUNK];
    range[s][0] = INFINITY;
    range[s][1] = -INFINITY;
    for (int64_t y = w->rows * s / STRIPS; y < w->rows * (s + 1) / STRIPS && !progress_stopped (&w->progress); y++)
      for (int64_t x = 0; x < w->columns; x += CHUNK) {
        const int64_t n = w->columns - x < CHUNK ? w->columns - x : CHUNK;
        masked_read (&w->stack, plane, y, x, n, v);
        widen_range (v, n, range[s]);
      }
  }
  for (int64_t s = 0; s < STRIPS; s++) {
    low = fmin (low, range[s][0]);
    high = fmax (high, range[s][1]);
  }
  return radial_scale_of (type, low, high);
}

static fv_status
radial_profile_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *image = call->inputs[RADIAL_IMAGE];
  const int64_t planes = array_planes (image);
  radial_work w = {.stack = masked_stack_of (image, call->inputs[RADIAL_MASK]),
                   .rings = radial_rings_of (call->args, image->grid),
                   .rows = array_rows (image),
                   .columns = array_columns (image)};
  void *memory;
  fv_status status = call->host->scratch (
    call, (size_t) (w.rings.n * planes) * sizeof *w.all + (size_t) (w.rings.n * STRIPS) * sizeof *w.parts, &memory,
    error);
  if (status)
    return status;
  w.all = memory;
  w.parts = (radial_sum *) (w.all + planes * w.rings.n);
  w.progress = (progress){call, .total = 2 * planes * w.rows};
  for (int64_t plane = 0; plane < planes; plane++) {
    const radial_scale scale = find_scale (&w, plane);
    if (!go_over (&w, plane, &scale, false) || !go_over (&w, plane, &scale, true))
      return cancelled (error);
  }
  return radial_profile_table (call, w.all, error);
}

/* ---- The table ---- */

fv_status
radial_profile_table (const fv_call *call, const radial_ring *rings, fv_error *error)
{
  const fv_grid *grid = call->inputs[RADIAL_IMAGE]->grid;
  const radial_rings r = radial_rings_of (call->args, grid);
  const int64_t rows = grid->shape[0] * r.n, depth = grid_depth (grid);
  const fv_column measured[] = {
    {"radius", *grid->unit ? grid->unit : FV_PIXELS, "Distance from the center at which the ring begins.",
     FV_COLUMN_FLOAT},
    {"pixels", "", "How many pixels count in the ring.", FV_COLUMN_INTEGER},
    {"mean", grid->value_unit, "Mean of these.", FV_COLUMN_FLOAT},
    {"sd", grid->value_unit, "Standard deviation of these, with n below the sum of squares.", FV_COLUMN_FLOAT},
  };
  enum { MEASURED = sizeof measured / sizeof *measured };
  placed_rows to;
  fv_status status = placed_rows_new (call, grid, measured, MEASURED, rows, &to, error);
  for (int64_t i = 0; i < rows && !status; i++) {
    const int64_t plane = i / r.n;
    const double row[MEASURED] = {(double) (i % r.n) * r.width * grid->spacing[2], rings[i].n, rings[i].mean,
                                  sqrt (rings[i].squares / rings[i].n)};
    placed_rows_put (&to, i, plane / depth, plane % depth, row);
  }
  return status;
}

/* ---- The operation ---- */

static double
radial_profile_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args, (void) in;
  return 30;
}

static const fv_choice centers[] = {
  {"middle", "Middle", "The middle of the image."}, {"point", "Point", "The point below."}, {0}};

const fv_op fv_op_radial_profile = {
  FV_OP (radial_profile_args),
  .key = "radial_profile",
  .menu = "Analyze",
  .label = "Radial Profile...",
  .search = "rings distance center plot profile azimuthal average",
  .traits = FV_TAKES_POINT,
  .columns = (const fv_column_name[]){{"mean", "Mean"}, {"channel", "Ch"}, {0}},
  .help = "Measures the pixels by their distance from a point: mean and standard deviation in each ring.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs = (const fv_input[]){{"image", "Image", "The image; NaN and infinities are left out.",
                                FV_ANY_TYPE | FV_WANTS_CALIBRATED, false},
                               {"mask", "Mask", "The pixels that count; none: all.", FV_U8 | FV_WANTS_MASK, true},
                               {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (radial_profile_args, center), .label = "Center", .choices = centers, .help = "Where distances begin."},
      {FV_FIELD (radial_profile_args, x), .label = "X", .unit = FV_PIXELS, .min = -1e6, .max = 1e6, .soft_min = 0,
       .soft_max = 4096, .enabled = "center=point", .help = "Its column; the first pixel's center is at 0."},
      {FV_FIELD (radial_profile_args, y), .label = "Y", .unit = FV_PIXELS, .min = -1e6, .max = 1e6, .soft_min = 0,
       .soft_max = 4096, .enabled = "center=point", .help = "Its row."},
      {FV_FIELD (radial_profile_args, width), .label = "Ring width", .unit = FV_PIXELS, .def = 1, .min = 0.1,
       .max = 10000, .soft_min = 0.5, .soft_max = 20, .help = "Width of a ring."},
      {FV_FIELD (radial_profile_args, radius), .label = "Radius", .unit = FV_PIXELS, .max = 1e6, .soft_max = 4096,
       .help = "How far the rings go; 0 is to the farthest corner."},
      {0}},
  .grain = grain_frame,
  .infer = radial_profile_infer,
  .scratch = radial_profile_scratch,
  .arithmetic = radial_profile_arithmetic,
  .run = {[FV_CPU] = radial_profile_cpu, [FV_CUDA] = FV_CUDA_FN (radial_profile_cuda)},
};
