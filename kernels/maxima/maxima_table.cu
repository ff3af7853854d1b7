/* SPDX-License-Identifier: MIT
 *
 * Points in host memory become the table of maxima. One kernel of one thread that writes their count.
 */
#include "kernels/maxima/maxima_table.cuh"
#include "kernels/maxima/maxima_table.h"

__global__ static void
maxima_count_kernel (double *scalar, double count)
{
  *scalar = count;
}

fv_status
maxima_table_cuda (const fv_call *call, const maxima_row *rows, int64_t n, fv_error *error)
{
  int64_t count = 0, row = 0;
  double *values;
  for (int64_t i = 0; i < n; i++)
    count += rows[i].number > 0;
  maxima_count_kernel<<<1, 1, 0, cuda_stream (call)>>> (call->scalars, (double) count);
  fv_status status = cuda_status (cudaGetLastError (), "Counting maxima", error);
  if (!status)
    status = maxima_new_rows (call, count, &values, error);
  for (int64_t i = 0; i < n && !status; i++)
    if (rows[i].number > 0)
      maxima_put_row (call, values, count, row++, rows[i].at, rows[i].value, rows[i].number);
  return status;
}
