/* SPDX-License-Identifier: MIT
 *
 * area_fraction: planes side by side; integers come out the same in any order.
 */
#include "kernels/measure/area_fraction.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/measure/placed_rows.h"

static fv_status
area_fraction_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) out;
  return check_alike (in[AREA_INSIDE], "inside", in[AREA_MASK], "the mask", ALIKE_OR_ONE, error);
}

/* ---- Counting ---- */

VECTORISED static int64_t
count_row (const uint8_t *mask, const uint8_t *inside, int64_t n, int64_t *all)
{
  int64_t taken = 0, count = 0;
  for (int64_t x = 0; x < n; x++) {
    const bool counts = !inside || inside[x];
    count += counts;
    taken += counts && mask[x];
  }
  *all += count;
  return taken;
}

static area_counts
count_plane (const masked_stack *stack, int64_t plane, int64_t rows, int64_t columns)
{
  int64_t taken = 0, all = 0;
  for (int64_t y = 0; y < rows; y++) {
    const uint8_t *mask = (const uint8_t *) stack->pixels.pixels + stack_offset (&stack->pixels, plane, y, 0);
    const uint8_t *inside = stack->mask.pixels;
    if (inside)
      inside += stack_offset (&stack->mask, masked_plane (stack, plane), y, 0);
    taken += count_row (mask, inside, columns, &all);
  }
  return (area_counts){(double) taken, (double) all};
}

static fv_status
area_fraction_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *mask = call->inputs[AREA_MASK];
  const masked_stack stack = masked_stack_of (mask, call->inputs[AREA_INSIDE]);
  const int64_t planes = array_planes (mask);
  progress progress = {call, .total = planes};
  void *memory;
  fv_status status = call->host->scratch (call, (size_t) planes * sizeof (area_counts), &memory, error);
  if (status)
    return status;
  area_counts *counts = memory;
#pragma omp parallel for schedule(dynamic)
  for (int64_t plane = 0; plane < planes; plane++)
    if (!progress_stopped (&progress)) {
      counts[plane] = count_plane (&stack, plane, array_rows (mask), array_columns (mask));
      progress_step (&progress, 1);
    }
  return progress.stop ? cancelled (error) : area_fraction_table (call, counts, call->scalars, error);
}

/* ---- The table ---- */

fv_status
area_fraction_table (const fv_call *call, const area_counts *planes, double *percent, fv_error *error)
{
  const fv_grid *grid = call->inputs[AREA_MASK]->grid;
  const int64_t rows = grid->shape[0], depth = grid_depth (grid);
  char unit[sizeof grid->unit + sizeof "²"];
  snprintf (unit, sizeof unit, "%s%s", grid->unit, *grid->unit ? "²" : "");
  const fv_column measured[] = {
    {"area", unit, "Area of the pixels that the mask takes.", FV_COLUMN_FLOAT},
    {"percent", "%", "How much of the pixels that count these are.", FV_COLUMN_FLOAT},
    {"taken", "", "How many pixels the mask takes.", FV_COLUMN_INTEGER},
    {"pixels", "", "How many pixels count.", FV_COLUMN_INTEGER},
  };
  enum { MEASURED = sizeof measured / sizeof *measured };
  area_counts sum = {0, 0};
  placed_rows to;
  fv_status status = placed_rows_new (call, grid, measured, MEASURED, rows, &to, error);
  for (int64_t i = 0; i < rows && !status; i++) {
    const area_counts *p = &planes[i];
    const double row[MEASURED] = {p->taken * grid->spacing[1] * grid->spacing[2], 100 * p->taken / p->all, p->taken,
                                  p->all};
    placed_rows_put (&to, i, i / depth, i % depth, row);
    sum.taken += p->taken;
    sum.all += p->all;
  }
  *percent = 100 * sum.taken / sum.all;
  return status;
}

/* ---- The operation ---- */

static double
area_fraction_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args, (void) in;
  return 2;
}

const fv_op fv_op_area_fraction = {
  FV_OP (char), /* there are no arguments */
  .key = "area_fraction",
  .menu = "Analyze",
  .label = "Area Fraction",
  .search = "percent percentage coverage covered share confluency confluence area",
  .columns = (const fv_column_name[]){{"area", "Area"}, {"channel", "Ch"}, {0}},
  .help = "Measures how much of each slice and frame a mask takes: its area, and that in percent of all, or of what is "
          "inside a second mask.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){{"mask", "Mask", "The mask, or labels.", FV_U8 | FV_WANTS_MASK, false},
                       {"inside", "Inside", "The pixels that count, in all slices or in each its own; none: all.",
                        FV_U8 | FV_WANTS_MASK, true},
                       {0}},
  .scalars =
    (const fv_scalar[]){{"percent", "Percent", "How much of all pixels that count the mask takes.", FV_COLUMN_FLOAT},
                        {0}},
  .grain = grain_frame,
  .infer = area_fraction_infer,
  .arithmetic = area_fraction_arithmetic,
  .run = {[FV_CPU] = area_fraction_cpu, [FV_CUDA] = FV_CUDA_FN (area_fraction_cuda)},
};
