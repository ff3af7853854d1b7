/* SPDX-License-Identifier: MIT
 *
 * h_maxima on the GPU: lower_kernel (reads a pixel, writes one, an atomic minimum and maximum for each block and group), the operation
 * reconstruct_grey, tops_kernel (reads two pixels, writes a byte). Both with 256 threads a block and a row for each block in turn.
 */
#include "kernels/morphology/h_maxima.h"
#include "kernels/common/blocks.cuh"

/* Doubles as integers of the same order, and back; every type of pixel is exact in a double. */
__device__ static long long
span_key (double v)
{
  long long bits = __double_as_longlong (v);
  return bits < 0 ? bits ^ 0x7fffffffffffffffll : bits;
}

__device__ static double
span_value (long long key)
{
  return __longlong_as_double (key < 0 ? key ^ 0x7fffffffffffffffll : key);
}

/* The least and the greatest value of each group, as keys. */
struct h_spans {
  long long *least, *most;
  int64_t lines_each; /* rows of a group */
};

__global__ static void __launch_bounds__ (256) empty_spans_kernel (h_spans s, int64_t groups)
{
  int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (i >= groups)
    return;
  s.least[i] = span_key (INFINITY);
  s.most[i] = span_key (-INFINITY);
}

template <typename T>
__device__ static T
lowered (T v, double h)
{
  if constexpr (sizeof (T) == 1)
    return h_maxima_lower_u8 (v, h);
  else if constexpr (sizeof (T) == 2)
    return h_maxima_lower_u16 (v, h);
  else if constexpr (sizeof (T) == 8)
    return h_maxima_lower_f64 (v, h);
  else if constexpr (T (0.5) == 0)
    return h_maxima_lower_i32 (v, h);
  else
    return h_maxima_lower_f32 (v, h);
}

template <typename T>
__device__ static bool
is_top (T v, T below, double h)
{
  if constexpr (sizeof (T) == 1)
    return h_maxima_is_top_u8 (v, below, h);
  else if constexpr (sizeof (T) == 2)
    return h_maxima_is_top_u16 (v, below, h);
  else if constexpr (sizeof (T) == 8)
    return h_maxima_is_top_f64 (v, below, h);
  else if constexpr (T (0.5) == 0)
    return h_maxima_is_top_i32 (v, below, h);
  else
    return h_maxima_is_top_f32 (v, below, h);
}

/* Two joins of the block a row, of two barriers each. */
template <typename T>
__global__ static void __launch_bounds__ (256) lower_kernel (view<const T> in, view<T> below, h_spans s, double h)
{
  __shared__ long long shared[32];
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const T *from = in.row (plane, y);
    T *to = below.row (plane, y);
    double least = INFINITY, most = -INFINITY;
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x) {
      double v = (double) from[x];
      least = v < least ? v : least;
      most = v > most ? v : most;
      to[x] = lowered (from[x], h);
    }
    long long low = join_block (span_key (least), shared, [] (long long a, long long b) { return a < b ? a : b; });
    long long high = join_block (span_key (most), shared, [] (long long a, long long b) { return a > b ? a : b; });
    if (threadIdx.x == 0) {
      atomicMin (s.least + line / s.lines_each, low);
      atomicMax (s.most + line / s.lines_each, high);
    }
  }
}

template <typename T>
__global__ static void __launch_bounds__ (256)
  tops_kernel (view<const T> in, view<const T> below, view<uint8_t> out, h_spans s, fv_type type, double h)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows, group = line / s.lines_each;
    bool flat = h_maxima_is_flat (type, span_value (s.least[group]), span_value (s.most[group]), h);
    const T *from = in.row (plane, y), *under = below.row (plane, y);
    uint8_t *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x)
      to[x] = !flat && is_top (from[x], under[x], h) ? 255 : 0;
  }
}

fv_status
h_maxima_cuda (const fv_call *call, fv_error *error)
{
  const h_maxima_args *args = (const h_maxima_args *) call->args;
  const fv_array *in = call->inputs[0];
  int64_t groups = h_maxima_groups (call), lines = array_planes (in) * array_rows (in);
  int64_t most = 32 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  cudaStream_t stream = cuda_stream (call);
  scratch_image below;
  void *memory;
  fv_status status = h_maxima_room (call, &below, &memory, error);
  if (status)
    return status;
  h_spans spans = {(long long *) memory, (long long *) memory + groups, lines / groups};
  empty_spans_kernel<<<(unsigned) blocks_for (groups, 256), 256, 0, stream>>> (spans, groups);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    lower_kernel<T><<<blocks, 256, 0, stream>>> (view_of<const T> (in), view_of<T> (&below.array), spans, args->h);
  });
  status = cuda_status (cudaGetLastError (), "Lowering the image", error);
  if (!status)
    status = h_maxima_reconstruct (call, FV_CUDA, &below, error);
  if (status)
    return status;
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    tops_kernel<T><<<blocks, 256, 0, stream>>> (view_of<const T> (in), view_of<const T> (&below.array),
                                                view_of<uint8_t> (call->outputs[0]), spans, in->grid->type, args->h);
  });
  return cuda_status (cudaGetLastError (), "Finding peaks", error);
}
