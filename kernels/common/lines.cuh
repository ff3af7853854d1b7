/* SPDX-License-Identifier: MIT
 *
 * What kernels that go over all pixels share: a launch that overlaps the end of the kernel before, and lines of pixels in
 * pieces for warps. A problem is what is dealt with on its own: a plane or a volume.
 */
#ifndef KERNELS_COMMON_LINES_CUH
#define KERNELS_COMMON_LINES_CUH

#include "kernels/common/common.cuh"

#include <type_traits>

/* ---- Launching one kernel while the one before it ends ---- */

/* The blocks of a kernel that is launched next by launch_after() may be made ready. */
__device__ __forceinline__ void
let_next_start (void)
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/* At the start of a kernel launched by launch_after(): nothing that others have written may be read, nothing be written, before. */
__device__ __forceinline__ void
wait_for_kernel_before (void)
{
  let_next_start ();
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Launches a kernel that calls wait_for_kernel_before(): from compute capability 9.0 on its blocks are made ready while the
 * kernel before it in the stream is still running. */
template <typename... P>
static inline cudaError_t
launch_after (void (*kernel) (P...), unsigned blocks, unsigned threads, size_t shared, cudaStream_t stream,
              typename std::common_type<P>::type... args)
{
  int device = 0, major = 0;
  cudaGetDevice (&device);
  cudaDeviceGetAttribute (&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3 (blocks);
  config.blockDim = dim3 (threads);
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = major >= 9 ? 1 : 0;
  return cudaLaunchKernelEx (&config, kernel, args...);
}

/* ---- Going over the pixels of a problem ---- */

/* Lines of pixels: rows, or what remains when rows (and planes) that follow each other in memory are joined. */
template <typename T> struct lines {
  const T *data;
  int64_t problem_stride, plane_stride, row_stride; /* in pixels */
  int64_t rows, count;                              /* lines of a plane, of a problem */
  int64_t columns;
  bool aligned; /* lines start at multiples of 16 bytes */
};

/* first: a plane; together: planes of a problem. join: lines that follow each other in memory become one. */
template <typename T>
static inline lines<T>
lines_of (const fv_array *a, int64_t first, int64_t problems, int64_t together, bool join = true)
{
  view<T> v = view_of<T> (a);
  lines<T> l = {v.row (first, 0), v.plane_stride * together, v.plane_stride, v.row_stride, v.rows, 0, v.columns, false};
  if (join && (l.rows == 1 || l.row_stride == l.columns)) {
    l.columns *= l.rows;
    l.rows = 1;
  }
  if (join && l.rows == 1 && l.plane_stride == l.columns) {
    l.columns *= together;
    together = 1;
  }
  l.count = l.rows * together;
  const int64_t each = 16 / (int64_t) sizeof (T);
  l.aligned = (uintptr_t) l.data % 16 == 0 && (l.rows == 1 || l.row_stride % each == 0)
              && (together == 1 || l.plane_stride % each == 0) && (problems == 1 || l.problem_stride % each == 0);
  return l;
}

/* A warp takes a piece of a line at a time: DEEP vectors of 16 bytes for each lane. */
template <typename T, int DEEP> constexpr int piece_pixels = 32 * DEEP *(16 / (int) sizeof (T));

template <typename T, int DEEP>
static inline int64_t
pieces_of (const lines<T> &l)
{
  return l.count * blocks_for (l.columns, piece_pixels<T, DEEP>);
}

template <typename T>
__device__ __forceinline__ const T *
line_at (const lines<T> &l, int64_t problem, int64_t line)
{
  const T *at = l.data + problem * l.problem_stride;
  if (l.count == 1)
    return at;
  if (l.count == l.rows)
    return at + line * l.row_stride;
  int64_t plane = (line | l.rows) >> 31 ? line / l.rows : (int64_t) ((uint32_t) line / (uint32_t) l.rows);
  return at + plane * l.plane_stride + (line - plane * l.rows) * l.row_stride;
}

/* A lane's part of a piece: vectors, or, at the end of a line or where lines are not aligned, every 32nd pixel of n from `at` on. */
template <typename T, int DEEP> struct fetched {
  static constexpr int each = 16 / (int) sizeof (T);
  union {
    uint4 vector;
    T pixel[each];
  } v[DEEP];
  const T *at;
  int n; /* 0: vectors */
};

template <typename T, int DEEP>
__device__ __forceinline__ void
fetch (const lines<T> &l, int64_t problem, int64_t s, fetched<T, DEEP> *f)
{
  constexpr int size = piece_pixels<T, DEEP>;
  int64_t line = 0;
  if (l.count > 1) {
    int64_t across = (l.columns + size - 1) / size;
    line = across == 1 ? s : (s | across) >> 31 ? s / across : (int64_t) ((uint32_t) s / (uint32_t) across);
    s -= line * across;
  }
  const T *at = line_at (l, problem, line) + s * size;
  int64_t left = l.columns - s * size;
  int lane = (int) threadIdx.x & 31;
  f->at = at + lane;
  f->n = l.aligned && left >= size ? 0 : left < size ? (int) left : size;
  if (f->n == 0)
#pragma unroll
    for (int k = 0; k < DEEP; k++)
      f->v[k].vector = __ldg ((const uint4 *) at + k * 32 + lane);
}

/* Calls f with each pixel of piece s, coalesced. The lanes of a warp may call it different numbers of times. */
template <int DEEP, typename T, typename F>
__device__ __forceinline__ void
each_pixel (const lines<T> &l, int64_t problem, int64_t s, F f)
{
  fetched<T, DEEP> p;
  fetch (l, problem, s, &p);
  if (p.n == 0) {
#pragma unroll
    for (int k = 0; k < DEEP; k++)
#pragma unroll
      for (int i = 0; i < p.each; i++)
        f (p.v[k].pixel[i]);
  } else
#pragma unroll 1
    for (int i = (int) threadIdx.x & 31; i < p.n; i += 32, p.at += 32)
      f (*p.at);
}

#endif
