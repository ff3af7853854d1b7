/* SPDX-License-Identifier: MIT
 *
 * shading on the GPU: the field by field_cuda(), then one kernel, 256 threads a block: a pixel and a value of the field read, a pixel
 * written. Nothing waits.
 */
#include "kernels/common/common.cuh"
#include "kernels/common/row.cuh"
#include "kernels/fields/shading.h"

template <typename T, typename F>
__global__ static void __launch_bounds__ (256) shade (view<const T> in, view<T> out, view<const F> field, bool divide)
{
  int64_t pixels = in.rows * in.columns;
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < in.planes * pixels; i += (int64_t) gridDim.x * 256) {
    int64_t plane = i / pixels, y = i % pixels / in.columns, x = i % in.columns;
    double v = (double) in.row (plane, y)[x], f = (double) field.row (field.planes > 1 ? plane : 0, y)[x];
    out.row (plane, y)[x] = pixel_from<T> (divide ? v / f : v * f);
  }
}

template <typename F>
static fv_status
shade_with (const fv_call *call, fv_error *error)
{
  const shading_args *a = (const shading_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  field_rule f = shading_rule (a);
  int64_t pixels = array_planes (in) * array_rows (in) * array_columns (in), shape[3];
  unsigned blocks = (unsigned) min (blocks_for (pixels, 256), 32 * (int64_t) multiprocessors ());
  field_array field;
  F *memory;
  shading_shape (a, in->tensor.shape, shape);
  if (cuda_scratch (call, (size_t) (shape[0] * shape[1] * shape[2]), &memory, error))
    return error->code;
  field_array_init (&field, call, shading_field_type (in->grid->type), shape, memory);
  if (field_cuda (call, &f, &field.array, error))
    return error->code;
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    shade<T, F><<<blocks, 256, 0, cuda_stream (call)>>> (view_of<const T> (in), view_of<T> (out),
                                                         view_of<const F> (&field.array), a->method == SHADING_DIVIDE);
  });
  return cuda_status (cudaGetLastError (), "Shading", error);
}

fv_status
shading_cuda (const fv_call *call, fv_error *error)
{
  bool wide = shading_field_type (call->inputs[0]->grid->type) == FV_F64;
  return wide ? shade_with<double> (call, error) : shade_with<float> (call, error);
}
