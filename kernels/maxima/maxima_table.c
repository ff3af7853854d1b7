/* SPDX-License-Identifier: MIT
 */
#include "kernels/maxima/maxima_table.h"

static bool
has_slices (const fv_call *call)
{
  return array_planes (call->inputs[0]) > 1;
}

fv_status
maxima_new_rows (const fv_call *call, int64_t n, double **values, fv_error *error)
{
  const fv_column columns[] = {
    {"z", "", "The slice that the maximum is in, counted from 1.", FV_COLUMN_INTEGER},
    {"label", "", "The number of the maximum in the label image.", FV_COLUMN_INTEGER},
    {"x", FV_PIXELS, "Column of the point; the first pixel's center is at 0.", FV_COLUMN_INTEGER},
    {"y", FV_PIXELS, "Row of the point.", FV_COLUMN_INTEGER},
    {"value", call->inputs[0]->grid->value_unit, "The image's value there.", FV_COLUMN_FLOAT},
  };
  const uint32_t without = has_slices (call) ? 0 : 1, all = sizeof columns / sizeof *columns;
  return call->host->table (call, columns + without, all - without, sizeof *columns, n, values, error);
}

void
maxima_put_row (const fv_call *call, double *values, int64_t n, int64_t row, int64_t at, double value, int64_t number)
{
  const int64_t rows = array_rows (call->inputs[0]), columns = array_columns (call->inputs[0]);
  const double cells[] = {(double) number, (double) (at % columns), (double) (at / columns % rows), value};
  if (has_slices (call)) {
    values[row] = (double) (at / columns / rows + 1);
    values += n;
  }
  for (int j = 0; j < 4; j++)
    values[j * n + row] = cells[j];
}
