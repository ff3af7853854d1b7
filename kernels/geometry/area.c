/* SPDX-License-Identifier: MIT
 *
 * The rows that make one of the result are added up first, then the pixels of their sum.
 */
#include "kernels/geometry/area.h"
#include "kernels/common/row.h"

int64_t
area_scratch (const fv_grid *in)
{
  return threads_at_most () * 2 * in->shape[2] * (int64_t) sizeof (double);
}

VECTORISED static void
add_row (double *restrict sum, const double *restrict row, int64_t n, double weight)
{
  for (int64_t i = 0; i < n; i++)
    sum[i] += weight * row[i];
}

static void
sum_rows (const fv_array *in, int64_t plane, const area_span *down, double *sum, double *row)
{
  const int64_t n = array_columns (in);
  memset (sum, 0, (size_t) n * sizeof *sum);
  for (int64_t j = 0; j < down->count; j++) {
    row_to_f64 (row, array_row (in, plane, down->first + j), in->grid->type, n);
    add_row (sum, row, n, area_weight (down, j));
  }
}

/* In place: what is written was read before. */
static void
sum_columns (double *line, int64_t n, int64_t m)
{
  for (int64_t k = 0; k < m; k++) {
    const area_span across = area_span_of (n, m, k);
    double sum = 0;
    for (int64_t i = 0; i < across.count; i++)
      sum += area_weight (&across, i) * line[across.first + i];
    line[k] = sum;
  }
}

fv_status
area_cpu (const fv_call *call, const fv_array *in, const fv_array *out, fv_error *error)
{
  const int64_t planes = array_planes (out), rows = array_rows (out), columns = array_columns (in);
  progress p = {call, .total = planes * rows};
  double *memory;
  if (call->host->scratch (call, (size_t) area_scratch (in->grid), (void **) &memory, error))
    return error->code;
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t plane = 0; plane < planes; plane++)
    for (int64_t y = 0; y < rows; y++) {
      double *sum = memory + thread_index () * 2 * columns;
      const area_span down = area_span_of (array_rows (in), rows, y);
      if (progress_stopped (&p))
        continue;
      sum_rows (in, plane, &down, sum, sum + columns);
      if (array_columns (out) < columns)
        sum_columns (sum, columns, array_columns (out));
      row_from_f64 (array_row (out, plane, y), out->grid->type, sum, array_columns (out));
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}
