/* SPDX-License-Identifier: MIT
 *
 * z_profile: two passes over all planes, in pieces of rows.
 */
#include "kernels/measure/z_profile.h"

#include "kernels/measure/placed_rows.h"

enum { CHUNK = 1024, PIECE = 1 << 16 };

static fv_status
z_profile_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) out;
  return mask_check (in[Z_PROFILE_MASK], in[Z_PROFILE_IMAGE], error);
}

static fv_grain
z_profile_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_FRAME;
}

/* ---- A chunk; NaN does not count ---- */

VECTORISED static void
add_values (const double *v, int64_t n, pixel_sums *to)
{
  double count = 0, sum = 0, low = INFINITY, high = -INFINITY;
#pragma omp simd reduction(+ : count, sum) reduction(min : low) reduction(max : high)
  for (int64_t i = 0; i < n; i++) {
    const bool counts = v[i] == v[i];
    count += counts ? 1 : 0;
    sum += counts ? v[i] : 0;
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
  }
  *to = pixel_sums_join (*to, (pixel_sums){{count, sum}, {low, INFINITY}, {high, -INFINITY}});
}

VECTORISED static double
squares_about (const double *v, int64_t n, double mean)
{
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; i++) {
    const double d = v[i] - mean;
    sum += d == d ? d * d : 0;
  }
  return sum;
}

/* ---- All planes ---- */

typedef struct profiling {
  masked_stack stack;
  int64_t planes, rows, columns, pieces; /* pieces of a plane */
  z_profile_values *values;              /* [planes] */
  pixel_sums *parts;                     /* [planes][pieces] */
  progress progress;
} profiling;

static void
add_piece (const profiling *w, int64_t plane, int64_t piece, bool squares)
{
  pixel_sums *to = &w->parts[plane * w->pieces + piece];
  double v[CHUNK];
  *to = pixel_sums_none ();
  for (int64_t y = w->rows * piece / w->pieces; y < w->rows * (piece + 1) / w->pieces; y++)
    for (int64_t x = 0; x < w->columns; x += CHUNK) {
      const int64_t n = w->columns - x < CHUNK ? w->columns - x : CHUNK;
      masked_read (&w->stack, plane, y, x, n, v);
      if (squares)
        to->v[0] += squares_about (v, n, w->values[plane].mean);
      else
        add_values (v, n, to);
    }
}

/* False when the work is to stop. */
static bool
go_over (profiling *w, bool squares)
{
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < w->planes * w->pieces; i++)
    if (!progress_stopped (&w->progress)) {
      add_piece (w, i / w->pieces, i % w->pieces, squares);
      progress_step (&w->progress, 1);
    }
  for (int64_t plane = 0; plane < w->planes && !w->progress.stop; plane++) {
    pixel_sums all = pixel_sums_none ();
    for (int64_t i = 0; i < w->pieces; i++)
      all = pixel_sums_join (all, w->parts[plane * w->pieces + i]);
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
  const int64_t wanted = w.rows * w.columns / PIECE + 1;
  w.pieces = wanted < w.rows ? wanted : w.rows;
  const size_t values = (size_t) w.planes * sizeof *w.values;
  void *memory;
  fv_status status =
    call->host->scratch (call, values + (size_t) (w.planes * w.pieces) * sizeof *w.parts, &memory, error);
  if (status)
    return status;
  w.values = memory;
  w.parts = (pixel_sums *) (w.values + w.planes);
  w.progress = (progress){call, .total = 2 * w.planes * w.pieces};
  return go_over (&w, false) && go_over (&w, true) ? z_profile_table (call, w.values, error) : cancelled (error);
}

/* ---- The table ---- */

fv_status
z_profile_table (const fv_call *call, const z_profile_values *planes, fv_error *error)
{
  static const fv_column measured[] = {
    {"pixels", "", "How many pixels count.", FV_COLUMN_INTEGER},
    {"mean", "", "Mean of the pixels.", FV_COLUMN_FLOAT},
    {"sd", "", "Standard deviation of the pixels, with n below the sum of squares.", FV_COLUMN_FLOAT},
    {"minimum", "", "Smallest value.", FV_COLUMN_FLOAT},
    {"maximum", "", "Largest value.", FV_COLUMN_FLOAT},
    {"sum", "", "Sum of the values.", FV_COLUMN_FLOAT},
  };
  enum { MEASURED = sizeof measured / sizeof *measured };
  const fv_grid *grid = call->inputs[Z_PROFILE_IMAGE]->grid;
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
  .help = "Measures each slice and frame: mean, standard deviation, smallest and largest value, of all or of a mask.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs = (const fv_input[]){{"image", "Image", "The image; NaN and infinities are left out.", FV_ANY_TYPE, false},
                               {"mask", "Mask", "The pixels that count, in all slices or in each its own; none: all.",
                                FV_U8 | FV_WANTS_MASK, true},
                               {0}},
  .grain = z_profile_grain,
  .infer = z_profile_infer,
  .arithmetic = z_profile_arithmetic,
  .run = {[FV_CPU] = z_profile_cpu, [FV_CUDA] = FV_CUDA_FN (z_profile_cuda)},
};
