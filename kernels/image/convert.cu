/* SPDX-License-Identifier: MIT
 *
 * convert on the GPU: the kernel of rows.cuh; reads each pixel once and writes it once. Channels differ in their range.
 */
#include "kernels/common/rows.cuh"
#include "kernels/image/convert.h"

fv_status
convert_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const convert_args *args = (const convert_args *) call->args;
  const int64_t parts = convert_by_channel (args) ? in->grid->channels : 1, planes = array_planes (in) / parts;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  for (int64_t c = 0; c < parts; c++) {
    auto scale = [r = convert_range_of (args, in->grid->type, c)] __device__ (double v) {
      return r.scaled ? convert_value (v, &r) : v;
    };
    rows_over<to_any> (call, in, out, c * planes, planes, point_rows<decltype (scale)>{scale});
  }
  return cuda_status (cudaGetLastError (), "Converting", error);
}
