/* SPDX-License-Identifier: MIT
 *
 * Random smooth fields on the GPU: a thread makes nodes, 4 or 8 bytes written for each; then the spline of zoom. Nothing waits.
 */
#include "kernels/common/common.cuh"
#include "kernels/fields/field.h"

template <typename T> __global__ static void __launch_bounds__ (256) make_nodes (field_rule f, T *nodes, int64_t n)
{
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < n; i += (int64_t) gridDim.x * 256)
    nodes[i] = (T) field_node (&f, i);
}

template <typename T>
static fv_status
field_of (const fv_call *call, const field_rule *f, const fv_array *out, fv_error *error)
{
  spline_rule spline = field_spline (f);
  int64_t nodes[3], most = 32 * (int64_t) multiprocessors ();
  field_array grid;
  T *values;
  field_nodes (f, out->tensor.shape, nodes);
  int64_t n = nodes[0] * nodes[1] * nodes[2];
  if (cuda_scratch (call, (size_t) n, &values, error))
    return error->code;
  make_nodes<<<(unsigned) min (blocks_for (n, 256), most), 256, 0, cuda_stream (call)>>> (*f, values, n);
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
