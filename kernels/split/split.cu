/* SPDX-License-Identifier: MIT
 *
 * split on the GPU: the chain of split_chain.c with its four passes here, each one kernel over the pixels of all planes, a grid-stride loop in blocks
 * of 256 without a barrier. Bytes a pixel:
 * - split_widen_kernel reads the value and writes 8.
 * - split_level_kernel reads 9 and writes 8.
 * - split_lower_kernel reads 4, and those of neighbors mostly from L1 and L2, and writes 4.
 * - split_mark_kernel reads 8 and writes one.
 */
#include "kernels/split/split.h"
#include "kernels/common/common.cuh"
#include "kernels/split/split_imagej.h"

enum { THREADS = 256 };

template <typename T>
__global__ static void
__launch_bounds__ (THREADS) split_widen_kernel (view<const T> from, double *wide)
{
  int64_t count = from.planes * from.rows * from.columns;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS) {
    int64_t line = i / from.columns, x = i - line * from.columns, z = line / from.rows, y = line - z * from.rows;
    wide[i] = (double) from.row (z, y)[x];
  }
}

__global__ static void
__launch_bounds__ (THREADS)
  split_level_kernel (view<const uint8_t> mask, const double *smooth, float *level, float *peaks, float h)
{
  int64_t count = mask.planes * mask.rows * mask.columns;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS) {
    int64_t line = i / mask.columns, x = i - line * mask.columns, z = line / mask.rows, y = line - z * mask.rows;
    float f = split_level (smooth[i], mask.row (z, y)[x]);
    level[i] = f;
    peaks[i] = f - h;
  }
}

/* Beyond the image a pixel is its own neighbor. */
__global__ static void
__launch_bounds__ (THREADS) split_lower_kernel (view<const float> peaks, float *lower)
{
  int64_t count = peaks.planes * peaks.rows * peaks.columns;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS) {
    int64_t line = i / peaks.columns, x = i - line * peaks.columns, y = line % peaks.rows;
    const float *at = peaks.data + i; /* without gaps */
    lower[i] = split_lowered (*at, y > 0 ? at[-peaks.columns] : *at, y < peaks.rows - 1 ? at[peaks.columns] : *at,
                              x > 0 ? at[-1] : *at, x < peaks.columns - 1 ? at[1] : *at);
  }
}

__global__ static void
__launch_bounds__ (THREADS) split_mark_kernel (int64_t count, const float *peaks, const float *lower, uint8_t *tops)
{
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS)
    tops[i] = peaks[i] > lower[i] ? 255 : 0;
}

/* ---- Host ---- */

static int64_t
split_pixels (const split_arrays *s)
{
  const fv_array *level = &s->level.array;
  return array_planes (level) * array_rows (level) * array_columns (level);
}

static unsigned
split_blocks (const split_arrays *s)
{
  int64_t blocks = blocks_for (split_pixels (s), THREADS), most = 16 * (int64_t) multiprocessors ();
  return (unsigned) (blocks < most ? blocks : most);
}

template <typename T>
static T *
pixels_of_split (const scratch_image *a)
{
  return (T *) a->array.tensor.data;
}

static fv_status
widen_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  with_type (s->from->grid->type, [&] (auto zero) {
    typedef decltype (zero) T;
    split_widen_kernel<T><<<split_blocks (s), THREADS, 0, cuda_stream (call)>>> (view_of<const T> (s->from),
                                                                                 pixels_of_split<double> (&s->wide));
  });
  return cuda_status (cudaGetLastError (), "Splitting", error);
}

static fv_status
level_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  split_level_kernel<<<split_blocks (s), THREADS, 0, cuda_stream (call)>>> (
    view_of<const uint8_t> (call->inputs[SPLIT_MASK]), pixels_of_split<double> (&s->smooth),
    pixels_of_split<float> (&s->level), pixels_of_split<float> (&s->peaks),
    (float) ((const split_args *) call->args)->h);
  return cuda_status (cudaGetLastError (), "Splitting", error);
}

static fv_status
lower_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  split_lower_kernel<<<split_blocks (s), THREADS, 0, cuda_stream (call)>>> (view_of<const float> (&s->peaks.array),
                                                                            pixels_of_split<float> (&s->lower));
  return cuda_status (cudaGetLastError (), "Splitting", error);
}

static fv_status
mark_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  split_mark_kernel<<<split_blocks (s), THREADS, 0, cuda_stream (call)>>> (
    split_pixels (s), pixels_of_split<float> (&s->peaks), pixels_of_split<float> (&s->lower),
    pixels_of_split<uint8_t> (&s->tops));
  return cuda_status (cudaGetLastError (), "Splitting", error);
}

extern "C" fv_status
split_cuda (const fv_call *call, fv_error *error)
{
  const split_passes passes = {FV_CUDA,         widen_cuda,         level_cuda,        lower_cuda,     mark_cuda,
                               split_near_cuda, split_heights_cuda, split_stairs_cuda, split_grow_cuda};
  return split_run (call, &passes, error);
}
