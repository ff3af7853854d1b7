/* SPDX-License-Identifier: MIT
 *
 * split on the GPU: the chain of split.c with its two passes here, each one kernel over the pixels of all planes, a grid-stride loop
 * without a barrier. lower_kernel reads a byte and a level and writes two levels; tops_kernel reads two and writes a byte.
 */
#include "kernels/label/split.h"
#include "kernels/common/common.cuh"

enum { THREADS = 256 };

template <typename T>
__global__ static void
__launch_bounds__ (THREADS) lower_kernel (view<const uint8_t> mask, T *level, T *below, double h)
{
  int64_t count = mask.planes * mask.rows * mask.columns;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS) {
    int64_t line = i / mask.columns, x = i - line * mask.columns, z = line / mask.rows, y = line - z * mask.rows;
    double v = split_level ((double) level[i], mask.row (z, y)[x]);
    level[i] = (T) v;
    below[i] = (T) split_below (v, h, sizeof (T) == 8);
  }
}

template <typename T>
__global__ static void
__launch_bounds__ (THREADS) tops_kernel (int64_t count, const T *level, const T *below, uint8_t *tops, double h)
{
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS)
    tops[i] = (double) level[i] - (double) below[i] >= h ? 255 : 0;
}

static int64_t
pixels_of (const split_arrays *s)
{
  return array_planes (&s->level) * array_rows (&s->level) * array_columns (&s->level);
}

static unsigned
blocks_of (const split_arrays *s)
{
  int64_t blocks = blocks_for (pixels_of (s), THREADS), most = 16 * (int64_t) multiprocessors ();
  return (unsigned) (blocks < most ? blocks : most);
}

extern "C" fv_status
split_lower_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  double h = ((const split_args *) call->args)->h;
  view<const uint8_t> mask = view_of<const uint8_t> (call->inputs[SPLIT_MASK]);
  void *level = s->level.tensor.data, *below = s->below.tensor.data;
  if (s->level.grid->type == FV_F64)
    lower_kernel<<<blocks_of (s), THREADS, 0, cuda_stream (call)>>> (mask, (double *) level, (double *) below, h);
  else
    lower_kernel<<<blocks_of (s), THREADS, 0, cuda_stream (call)>>> (mask, (float *) level, (float *) below, h);
  return cuda_status (cudaGetLastError (), "Splitting", error);
}

extern "C" fv_status
split_tops_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  double h = ((const split_args *) call->args)->h;
  const void *level = s->level.tensor.data, *below = s->below.tensor.data;
  uint8_t *tops = (uint8_t *) s->tops.tensor.data;
  if (s->level.grid->type == FV_F64)
    tops_kernel<<<blocks_of (s), THREADS, 0, cuda_stream (call)>>> (pixels_of (s), (const double *) level,
                                                                    (const double *) below, tops, h);
  else
    tops_kernel<<<blocks_of (s), THREADS, 0, cuda_stream (call)>>> (pixels_of (s), (const float *) level,
                                                                    (const float *) below, tops, h);
  return cuda_status (cudaGetLastError (), "Splitting", error);
}

extern "C" fv_status
split_cuda (const fv_call *call, fv_error *error)
{
  return split_run (call, FV_CUDA, split_lower_cuda, split_tops_cuda, error);
}
