/* SPDX-License-Identifier: MIT
 *
 * shading on the GPU: the field by field_cuda(), then one kernel, 256 threads a block: a pixel and a value of the field read, a pixel
 * written. Nothing waits.
 */
#include "kernels/common/items.cuh"
#include "kernels/common/row.cuh"
#include "kernels/fields/shading.h"

template <typename T, typename F> struct shade {
  view<const T> in;
  view<T> out;
  view<const F> field;
  bool divide;

  __device__ void operator() (int64_t i) const
  {
    const pixel_position p = position_of (in, i);
    const double v = (double) in.row (p.z, p.y)[p.x], f = (double) field.row (field.planes > 1 ? p.z : 0, p.y)[p.x];
    out.row (p.z, p.y)[p.x] = pixel_from<T> (divide ? v / f : v * f);
  }
};

template <typename F>
static fv_status
shade_with (const fv_call *call, fv_error *error)
{
  const shading_args *a = (const shading_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  field_rule f = shading_rule (a);
  int64_t pixels = array_planes (in) * array_rows (in) * array_columns (in), shape[3];
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
    items_launch (call, pixels,
                  shade<T, F>{view_of<const T> (in), view_of<T> (out), view_of<const F> (&field.array),
                              a->method == SHADING_DIVIDE});
  });
  return cuda_status (cudaGetLastError (), "Shading", error);
}

fv_status
shading_cuda (const fv_call *call, fv_error *error)
{
  bool wide = shading_field_type (call->inputs[0]->grid->type) == FV_F64;
  return wide ? shade_with<double> (call, error) : shade_with<float> (call, error);
}
