/* SPDX-License-Identifier: MIT
 *
 * z_profile: two passes over all planes, in bands of rows.
 */
#include "kernels/measure/z_profile.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/measure/placed_rows.h"

enum { CHUNK = 32 * LANES };

static fv_status
z_profile_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) out;
  return check_alike (in[Z_PROFILE_MASK], "mask", in[Z_PROFILE_IMAGE], "the image", ALIKE_OR_ONE, error);
}

/* ---- A chunk, which begins in lane 0; NaN does not count ---- */

VECTORISED static void
add_values (const double *restrict v, int64_t n, pixel_lanes *restrict to)
{
  double low = to->low[0], high = to->high[0];
  EACH_LANE (n, 0, i, l, {
    const bool counts = v[i] == v[i];
    to->v[0][l] += counts ? 1 : 0;
    to->v[1][l] += counts ? v[i] : 0;
  })
#pragma omp simd reduction(min : low) reduction(max : high)
  for (int64_t i = 0; i < n; i++) {
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
  }
  to->low[0] = low;
  to->high[0] = high;
}

VECTORISED static void
add_squares (const double *restrict v, int64_t n, double mean, double *restrict to)
{
  EACH_LANE (n, 0, i, l, {
    const double d = v[i] - mean;
    to[l] += d == d ? d * d : 0;
  })
}

/* ---- All planes ---- */

typedef struct profiling {
  masked_stack stack;
  int64_t planes, rows, columns, bands; /* bands of a plane */
  z_profile_values *values;             /* [planes] */
  pixel_sums *sums;                     /* [planes][bands] */
  progress progress;
} profiling;

static void
add_band (const profiling *w, int64_t plane, int64_t band, bool squares)
{
  pixel_lanes lanes;
  double v[CHUNK];
  pixel_lanes_clear (&lanes);
  for (int64_t y = w->rows * band / w->bands; y < w->rows * (band + 1) / w->bands; y++)
    for (int64_t x = 0; x < w->columns; x += CHUNK) {
      const int64_t n = w->columns - x < CHUNK ? w->columns - x : CHUNK;
      masked_read (&w->stack, plane, y, x, n, v);
      if (squares)
        add_squares (v, n, w->values[plane].mean, lanes.v[0]);
      else
        add_values (v, n, &lanes);
    }
  w->sums[plane * w->bands + band] = pixel_lanes_join (&lanes);
}

/* False when the work is to stop. */
static bool
go_over (profiling *w, bool squares)
{
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t i = 0; i < w->planes * w->bands; i++)
    if (!progress_stopped (&w->progress)) {
      add_band (w, i / w->bands, i % w->bands, squares);
      progress_step (&w->progress, 1);
    }
  for (int64_t plane = 0; plane < w->planes && !w->progress.stop; plane++) {
    const pixel_sums all = pixel_bands_join (w->sums + plane * w->bands, w->bands);
    if (squares)
      w->values[plane].squares = all.v[0];
    else
      z_profile_begin (&w->values[plane], &all);
  }
  return !w->progress.stop;
}

static fv_status
z_profile_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *image = call->inputs[Z_PROFILE_IMAGE];
  profiling w = {.stack = masked_stack_of (image, call->inputs[Z_PROFILE_MASK]),
                 .planes = array_planes (image),
                 .rows = array_rows (image),
                 .columns = array_columns (image)};
  w.bands = pixel_bands (w.planes, w.rows);
  const size_t values = (size_t) w.planes * sizeof *w.values;
  void *memory;
  fv_status status =
    call->host->scratch (call, values + (size_t) (w.planes * w.bands) * sizeof *w.sums, &memory, error);
  if (status)
    return status;
  w.values = memory;
  w.sums = (pixel_sums *) (w.values + w.planes);
  w.progress = (progress){call, .total = 2 * w.planes * w.bands};
  return go_over (&w, false) && go_over (&w, true) ? z_profile_table (call, w.values, error) : cancelled (error);
}

/* ---- The table ---- */

fv_status
z_profile_table (const fv_call *call, const z_profile_values *planes, fv_error *error)
{
  const fv_grid *grid = call->inputs[Z_PROFILE_IMAGE]->grid;
  const char *unit = grid->value_unit;
  const fv_column measured[] = {
    {"pixels", "", "How many pixels count.", FV_COLUMN_INTEGER},
    {"mean", unit, "Mean of the pixels.", FV_COLUMN_FLOAT},
    {"sd", unit, "Standard deviation of the pixels, with n below the sum of squares.", FV_COLUMN_FLOAT},
    {"minimum", unit, "Smallest value.", FV_COLUMN_FLOAT},
    {"maximum", unit, "Largest value.", FV_COLUMN_FLOAT},
    {"sum", unit, "Sum of the values.", FV_COLUMN_FLOAT},
  };
  enum { MEASURED = sizeof measured / sizeof *measured };
  const int64_t rows = grid->shape[0], depth = grid_depth (grid);
  placed_rows to;
  fv_status status = placed_rows_new (call, grid, measured, MEASURED, rows, &to, error);
  for (int64_t i = 0; i < rows && !status; i++) {
    const z_profile_values *p = &planes[i];
    const bool some = p->n > 0;
    const double row[MEASURED] = {p->n,  p->mean, sqrt (p->squares / p->n), some ? p->low : NAN, some ? p->high : NAN,
                                  p->sum};
    placed_rows_put (&to, i, i / depth, i % depth, row);
  }
  return status;
}

/* ---- The operation ---- */

static int64_t
z_profile_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const int64_t *shape = in[Z_PROFILE_IMAGE]->shape;
  (void) op, (void) args;
  return shape[0]
         * ((int64_t) sizeof (z_profile_values) + pixel_bands (shape[0], shape[1]) * (int64_t) sizeof (pixel_sums));
}

static double
z_profile_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args, (void) in;
  return 5;
}

const fv_op fv_op_z_profile = {
  FV_OP (char), /* there are no arguments */
  .key = "z_profile",
  .menu = "Analyze",
  .label = "Z-axis Profile",
  .search = "plot z-axis profile stack slices frames time trace bleaching mean intensity",
  .columns = (const fv_column_name[]){{"mean", "Mean"}, {"channel", "Ch"}, {0}},
  .help = "Measures each slice and frame: mean, standard deviation, smallest and largest value, of all or of a mask.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs = (const fv_input[]){{"image", "Image", "The image; NaN and infinities are left out.",
                                FV_ANY_TYPE | FV_WANTS_CALIBRATED, false},
                               {"mask", "Mask", "The pixels that count, in all slices or in each its own; none: all.",
                                FV_U8 | FV_WANTS_MASK, true},
                               {0}},
  .grain = grain_frame,
  .infer = z_profile_infer,
  .scratch = z_profile_scratch,
  .arithmetic = z_profile_arithmetic,
  .run = {[FV_CPU] = z_profile_cpu, [FV_CUDA] = FV_CUDA_FN (z_profile_cuda)},
};
