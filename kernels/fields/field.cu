/* SPDX-License-Identifier: MIT
 *
 * Random smooth fields on the GPU: a thread makes nodes, 4 or 8 bytes written for each; then the spline of zoom. Nothing waits.
 */
#include "kernels/common/items.cuh"
#include "kernels/fields/field.h"

template <typename T>
static fv_status
field_of (const fv_call *call, const field_rule *f, const fv_array *out, fv_error *error)
{
  spline_rule spline = field_spline (f);
  int64_t nodes[3];
  field_array grid;
  T *values;
  field_nodes (f, out->tensor.shape, nodes);
  int64_t n = nodes[0] * nodes[1] * nodes[2];
  if (cuda_scratch (call, (size_t) n, &values, error))
    return error->code;
  items_launch (call, n, [values, f = *f] __device__ (int64_t i) { values[i] = (T) field_node (&f, i); });
  field_array_init (&grid, call, out->grid->type, nodes, values);
  if (cuda_status (cudaGetLastError (), "Making a field", error))
    return error->code;
  return spline_resample_cuda (call, &spline, &grid.array, out, f->volume, out->grid->type, error);
}

extern "C" fv_status
field_cuda (const fv_call *call, const field_rule *f, const fv_array *out, fv_error *error)
{
  return out->grid->type == FV_F32 ? field_of<float> (call, f, out, error) : field_of<double> (call, f, out, error);
}
