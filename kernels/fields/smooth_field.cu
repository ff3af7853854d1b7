/* SPDX-License-Identifier: MIT
 *
 * smooth_field on the GPU: the first plane by field_cuda(), which the others are copies of. Nothing waits.
 */
#include "kernels/common/common.cuh"
#include "kernels/fields/smooth_field.h"

fv_status
smooth_field_cuda (const fv_call *call, fv_error *error)
{
  const smooth_field_args *a = (const smooth_field_args *) call->args;
  const fv_array *out = call->outputs[0];
  field_rule f = smooth_field_rule (a);
  int64_t shape[3] = {a->volume ? array_planes (out) : 1, array_rows (out), array_columns (out)};
  size_t pitch = (size_t) out->tensor.strides[1] * sizeof (float);
  fv_array first = *out;
  first.tensor.shape = shape;
  if (field_cuda (call, &f, &first, error))
    return error->code;
  for (int64_t plane = shape[0]; plane < array_planes (out); plane++)
    cudaMemcpy2DAsync (array_row (out, plane, 0), pitch, array_row (out, 0, 0), pitch,
                       (size_t) shape[2] * sizeof (float), (size_t) shape[1], cudaMemcpyDeviceToDevice,
                       cuda_stream (call));
  return cuda_status (cudaGetLastError (), "Making a field", error);
}
