/* SPDX-License-Identifier: MIT */
#include "kernels/measure/placed_rows.h"

fv_status
placed_rows_new (const fv_call *call, const fv_grid *image, const fv_column *measured, uint32_t n, int64_t rows,
                 placed_rows *to, fv_error *error)
{
  const bool channels = image->channels > 1, slices = grid_depth (image) > 1;
  fv_column columns[2 + PLACED_MAX];
  uint32_t positions = 0;
  double *values;
  if (channels)
    columns[positions++] = (fv_column){"channel", "", "The channel, counted from 1.", FV_COLUMN_INTEGER};
  if (slices)
    columns[positions++] = (fv_column){"z", "", "The slice, counted from 1.", FV_COLUMN_INTEGER};
  memcpy (columns + positions, measured, n * sizeof *measured);
  fv_status status = call->host->table (call, columns, positions + n, sizeof *columns, rows, &values, error);
  if (!status)
    *to = (placed_rows){.channel = channels ? values : NULL,
                        .z = slices ? values + (positions - 1) * rows : NULL,
                        .measured = values + positions * rows,
                        .rows = rows,
                        .n = n};
  return status;
}

void
placed_rows_put (const placed_rows *to, int64_t row, int64_t channel, int64_t z, const double *measured)
{
  if (to->channel)
    to->channel[row] = (double) (channel + 1);
  if (to->z)
    to->z[row] = (double) (z + 1);
  for (uint32_t i = 0; i < to->n; i++)
    to->measured[i * to->rows + row] = measured[i];
}
