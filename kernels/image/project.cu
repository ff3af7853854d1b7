/* SPDX-License-Identifier: MIT
 *
 * project on the GPU: one kernel, a thread for four adjacent pixels (two of 64 bits; one where rows do not allow it), which goes through the planes.
 * Each pixel is read once, for a standard deviation of 64 bits twice, and the result written once. The median of few planes, or of very many: a
 * thread for one pixel keeps the keys of its column in shared memory, where they fit, and counts there. Else it reads them for each of their bits. No
 * thread waits for another. Else a block of 256 threads brings up to 32 columns into shared memory, each of which a warp takes into its registers;
 * two barriers for each such piece of a row.
 */
#include "kernels/common/common.cuh"
#include "kernels/common/keys.cuh"
#include "kernels/common/row.cuh"
#include "kernels/image/project.h"

#include <type_traits>

enum {
  THREADS = 128,
  MEDIAN_MOST = 128,
  MEDIAN_LEAST = 32,
  SHARED = 96 << 10,
  TEAM_WARPS = 8,
  TEAM_LEAST = 64, /* planes */
  TEAM_KEYS = 32   /* of a thread */
};

struct project_result {
  view<char> out; /* of any type; strides in its pixels */
  fv_type type;
  int32_t method, ddof;
  project_planes planes;
};

__device__ __forceinline__ void
project_put (const project_result &r, int64_t plane, int64_t y, int64_t x, double v)
{
  int64_t at = plane * r.out.plane_stride + y * r.out.row_stride + x;
  switch (r.type) {
  case FV_U8: ((uint8_t *) r.out.data)[at] = pixel_from<uint8_t> (v); break;
  case FV_U16: ((uint16_t *) r.out.data)[at] = pixel_from<uint16_t> (v); break;
  case FV_I32: ((int32_t *) r.out.data)[at] = pixel_from<int32_t> (v); break;
  case FV_F32: ((float *) r.out.data)[at] = (float) v; break;
  default: ((double *) r.out.data)[at] = v;
  }
}

/* ---- Largest, smallest, sums ---- */

template <typename T, int N>
__device__ __forceinline__ pack<T, N>
read_pack (const view<const T> &in, const project_planes &s, int64_t plane, int64_t y, int64_t x, int64_t k)
{
  return *(const pack<T, N> *) (in.row (project_plane (&s, plane, k), y) + x);
}

template <typename T, int N>
__device__ __forceinline__ void
project_extremes (const view<const T> &in, const project_result &r, int64_t plane, int64_t y, int64_t x)
{
  T best[N];
  pack<T, N> p = read_pack<T, N> (in, r.planes, plane, y, x, 0);
  for (int i = 0; i < N; i++)
    best[i] = (T) p.pixel (i);
#pragma unroll 8
  for (int64_t k = 1; k < r.planes.count; k++) {
    p = read_pack<T, N> (in, r.planes, plane, y, x, k);
    for (int i = 0; i < N; i++) {
      T v = (T) p.pixel (i);
      bool taken = (r.method == PROJECT_MAX ? v > best[i] : v < best[i]) || v != v;
      best[i] = taken ? v : best[i];
    }
  }
  T *to = (T *) r.out.data + plane * r.out.plane_stride + y * r.out.row_stride + x;
  for (int i = 0; i < N; i++)
    to[i] = best[i];
}

template <typename T, int N>
__device__ __forceinline__ void
project_sums (const view<const T> &in, const project_result &r, int64_t plane, int64_t y, int64_t x)
{
  double sum[N] = {}, count = (double) r.planes.count;
#pragma unroll 8
  for (int64_t k = 0; k < r.planes.count; k++) {
    pack<T, N> p = read_pack<T, N> (in, r.planes, plane, y, x, k);
    for (int i = 0; i < N; i++)
      sum[i] += (double) (T) p.pixel (i);
  }
  for (int i = 0; i < N && r.method != PROJECT_SUM; i++)
    sum[i] /= count;
  if (r.method == PROJECT_SD) {
    double squares[N] = {};
#pragma unroll 8
    for (int64_t k = 0; k < r.planes.count; k++) {
      pack<T, N> p = read_pack<T, N> (in, r.planes, plane, y, x, k);
      for (int i = 0; i < N; i++) {
        double d = (double) (T) p.pixel (i) - sum[i];
        squares[i] += d * d;
      }
    }
    for (int i = 0; i < N; i++)
      sum[i] = sqrt (squares[i] / (count - r.ddof));
  }
  for (int i = 0; i < N; i++)
    project_put (r, plane, y, x + i, sum[i]);
}

/* From the differences to the first plane, which squares of less than 64 bits hold exactly enough (project.h). */
template <typename T, int N>
__device__ __forceinline__ void
project_deviation (const view<const T> &in, const project_result &r, int64_t plane, int64_t y, int64_t x)
{
  double first[N], sum[N] = {}, squares[N] = {};
  pack<T, N> p = read_pack<T, N> (in, r.planes, plane, y, x, 0);
  for (int i = 0; i < N; i++)
    first[i] = (double) (T) p.pixel (i);
#pragma unroll 8
  for (int64_t k = 0; k < r.planes.count; k++) {
    p = read_pack<T, N> (in, r.planes, plane, y, x, k);
    for (int i = 0; i < N; i++) {
      double d = (double) (T) p.pixel (i) - first[i];
      sum[i] += d;
      squares[i] += d * d;
    }
  }
  for (int i = 0; i < N; i++)
    project_put (r, plane, y, x + i, project_sd (sum[i], squares[i], r.planes.count, r.ddof));
}

template <typename T, int N>
__global__ void
__launch_bounds__ (THREADS) project_kernel (view<const T> in, project_result r)
{
  int64_t across = r.out.columns / N, n = r.out.planes * r.out.rows * across;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n; i += (int64_t) gridDim.x * THREADS) {
    int64_t line = i / across, x = (i - line * across) * N, plane = line / r.out.rows, y = line - plane * r.out.rows;
    if (r.method == PROJECT_MAX || r.method == PROJECT_MIN)
      project_extremes<T, N> (in, r, plane, y, x);
    else if (r.method == PROJECT_SD && sizeof (T) < 8)
      project_deviation<T, N> (in, r, plane, y, x);
    else
      project_sums<T, N> (in, r, plane, y, x);
  }
}

/* ---- Median ---- */

/* key (k) gives the k-th of n keys. */
template <typename T, typename F>
__device__ __forceinline__ double
median_of (int64_t n, F key)
{
  using K = key_type<T>;
  K lower = 0, above = (K) -1;
  int64_t most = 0, rank = (n - 1) / 2;
  for (int bit = 8 * sizeof (K) - 1; bit >= 0; bit--) {
    K limit = lower | (K) ((K) 1 << bit);
    int64_t below = 0;
    for (int64_t k = 0; k < n; k++)
      below += key (k) < limit;
    lower = below <= rank ? limit : lower;
  }
  for (int64_t k = 0; k < n; k++) {
    K v = key (k);
    most += v <= lower;
    above = v > lower && v < above ? v : above;
  }
  return middle (value_of_key<T> (lower), value_of_key<T> (most > n / 2 ? lower : above));
}

template <typename T, bool KEPT>
__global__ void
__launch_bounds__ (MEDIAN_MOST) project_median (view<const T> in, project_result r)
{
  using K = key_type<T>;
  extern __shared__ uint64_t median_shared[];
  K *kept = (K *) median_shared + threadIdx.x;
  const int64_t n = r.planes.count, columns = r.out.columns, all = r.out.planes * r.out.rows * columns;
  for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < all; i += (int64_t) gridDim.x * blockDim.x) {
    int64_t line = i / columns, x = i - line * columns, plane = line / r.out.rows, y = line - plane * r.out.rows;
    const T *first = in.row (project_plane (&r.planes, plane, 0), y) + x;
    const int64_t step = r.planes.step * in.plane_stride;
    bool nan = false;
    for (int64_t k = 0; k < n; k++) {
      T v = first[k * step];
      nan |= v != v;
      if (KEPT)
        kept[k * blockDim.x] = key_of (v);
    }
    double median =
      median_of<T> (n, [&] (int64_t k) { return KEPT ? kept[k * blockDim.x] : key_of (first[k * step]); });
    project_put (r, plane, y, x, nan ? (double) NAN : median);
  }
}

/* ---- Median of many planes ---- */

template <typename T> struct team_job {
  view<const T> in;
  project_result r;
  int32_t width; /* columns that are brought together, at most 32 */
};

/* Calls f (i) for those keys of a thread that there may be: n are spread over a warp. */
template <typename F>
__device__ __forceinline__ void
each_key (int n, F f)
{
#pragma unroll
  for (int i = 0; i < TEAM_KEYS; i += 4)
    if (i * 32 < n) {
#pragma unroll
      for (int k = i; k < i + 4; k++)
        f (k);
    }
}

template <typename K, typename F>
__device__ __forceinline__ K
project_join_warp (K v, F join)
{
#pragma unroll
  for (int d = 16; d; d /= 2)
    v = join (v, __shfl_xor_sync (~0u, v, d));
  return v;
}

/* Of n keys of a warp, behind which are greatest ones. Halves what the key of the rank may be until one key alone is in it. */
template <typename T, typename K>
__device__ __forceinline__ double
median_of_team (int n, const K (&key)[TEAM_KEYS])
{
  const int rank = (n - 1) / 2;
  K all = (K) -1, any = 0, above = (K) -1;
  each_key (n, [&] (int i) {
    bool real = i * 32 + (int) threadIdx.x % 32 < n;
    all &= key[i];
    any |= real ? key[i] : 0;
  });
  all = project_join_warp (all, [] (K a, K b) { return (K) (a & b); });
  any = project_join_warp (any, [] (K a, K b) { return (K) (a | b); });
  int bit = all == any ? -1 : 63 - __clzll ((long long) (unsigned long long) (all ^ any));
  K lower = bit < 0 ? all : (K) (all >> bit >> 1 << bit << 1);
  int less = 0, less_or_in = n; /* than lower; than what bounds it above */
  for (; bit >= 0 && less_or_in - less > 1; bit--) {
    K limit = lower | (K) ((K) 1 << bit);
    int below = 0;
    each_key (n, [&] (int i) { below += key[i] < limit; });
    below = (int) __reduce_add_sync (~0u, (unsigned) below);
    if (below <= rank) {
      lower = limit;
      less = below;
    } else
      less_or_in = below;
  }
  if (bit >= 0) { /* it is the least from there on */
    K least = (K) -1;
    each_key (n, [&] (int i) { least = key[i] >= lower && key[i] < least ? key[i] : least; });
    lower = project_join_warp (least, [] (K a, K b) { return a < b ? a : b; });
  }
  int most = 0;
  each_key (n, [&] (int i) {
    most += key[i] <= lower;
    above = key[i] > lower && key[i] < above ? key[i] : above;
  });
  most = (int) __reduce_add_sync (~0u, (unsigned) most);
  above = project_join_warp (above, [] (K a, K b) { return a < b ? a : b; });
  return middle (value_of_key<T> (lower), value_of_key<T> (most > n / 2 ? lower : above));
}

template <typename T>
__global__ void
__launch_bounds__ (TEAM_WARPS * 32) project_median_team (const __grid_constant__ team_job<T> j)
{
  using K = key_type<T>;
  using word = std::conditional_t<sizeof (K) == 8, unsigned long long, uint32_t>;
  extern __shared__ uint64_t median_shared[];
  K *kept = (K *) median_shared;
  const project_result &r = j.r;
  const int lane = (int) threadIdx.x % 32, warp = (int) threadIdx.x / 32, n = (int) r.planes.count, pitch = j.width + 1;
  const int lines = TEAM_WARPS * 32 / j.width, column = (int) threadIdx.x % j.width;
  const int64_t across = (r.out.columns + j.width - 1) / j.width, all = r.out.planes * r.out.rows * across;
  for (int64_t i = blockIdx.x; i < all; i += gridDim.x) {
    int64_t line = i / across, x = (i - line * across) * j.width, plane = line / r.out.rows,
            y = line - plane * r.out.rows;
    const T *first = j.in.row (project_plane (&r.planes, plane, 0), y) + x + column;
    const int64_t step = r.planes.step * j.in.plane_stride;
    if (x + column < r.out.columns)
#pragma unroll 8
      for (int k = (int) threadIdx.x / j.width; k < n; k += lines)
        kept[k * pitch + column] = key_of (first[k * step]);
    __syncthreads ();
    for (int p = warp; p < j.width && x + p < r.out.columns; p += TEAM_WARPS) {
      word key[TEAM_KEYS];
      bool nan = false;
      each_key (n, [&] (int k) {
        bool real = k * 32 + lane < n;
        key[k] = real ? kept[(k * 32 + lane) * pitch + p] : (word) -1;
        if constexpr (T (0.5) != 0) {
          double v = value_of_key<T> ((K) key[k]);
          nan |= real && v != v;
        }
      });
      double median = __any_sync (~0u, nan) ? (double) NAN : median_of_team<T> (n, key);
      if (lane == 0)
        project_put (r, plane, y, x + p, median);
    }
    __syncthreads (); /* the keys are used */
  }
}

/* With columns of so many planes. */
template <typename T>
static cudaError_t
start_team (const fv_call *call, const view<const T> &in, const project_result &r)
{
  team_job<T> j = {in, r, 32};
  while (j.width > 8 && r.planes.count * (j.width + 1) * (int64_t) sizeof (T) > SHARED / 2)
    j.width /= 2;
  int64_t blocks = r.out.planes * r.out.rows * blocks_for (r.out.columns, j.width);
  return launch (project_median_team<T>, blocks < INT32_MAX ? blocks : INT32_MAX, TEAM_WARPS * 32,
                 r.planes.count * (j.width + 1) * (int64_t) sizeof (T), call, j);
}

template <typename T>
static cudaError_t
start_median (const fv_call *call, const view<const T> &in, const project_result &r)
{
  if (r.planes.count >= TEAM_LEAST && r.planes.count <= 32 * TEAM_KEYS)
    return start_team (call, in, r);
  int64_t threads = MEDIAN_MOST, column = r.planes.count * (int64_t) sizeof (T);
  while (threads > MEDIAN_LEAST && threads * column > SHARED)
    threads /= 2;
  int64_t shared = threads * column, most = 16 * (int64_t) multiprocessors (),
          blocks = blocks_for (r.out.planes * r.out.rows * r.out.columns, threads);
  blocks = blocks < most ? blocks : most;
  if (shared > SHARED) {
    project_median<T, false><<<(unsigned) blocks, MEDIAN_MOST, 0, cuda_stream (call)>>> (in, r);
    return cudaGetLastError ();
  }
  cudaError_t code = shared <= 48 << 10 ? cudaSuccess
                                        : cudaFuncSetAttribute (project_median<T, true>,
                                                                cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
  if (code == cudaSuccess) {
    project_median<T, true><<<(unsigned) blocks, (unsigned) threads, (size_t) shared, cuda_stream (call)>>> (in, r);
    code = cudaGetLastError ();
  }
  return code;
}

/* ---- The call ---- */

template <typename T, int N>
static void
start_others (const fv_call *call, const view<const T> &in, const project_result &r)
{
  int64_t blocks = blocks_for (r.out.planes * r.out.rows * (r.out.columns / N), THREADS),
          most = 64 * (int64_t) multiprocessors ();
  project_kernel<T, N><<<(unsigned) (blocks < most ? blocks : most), THREADS, 0, cuda_stream (call)>>> (in, r);
}

fv_status
project_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const project_args *a = (const project_args *) call->args;
  const project_result r = {view_of<char> (out), out->grid->type, a->method, a->ddof, project_planes_of (a, in->grid)};
  cudaError_t code = cudaSuccess;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    constexpr int wide = sizeof (T) == 8 ? 2 : 4;
    view<const T> from = view_of<const T> (in);
    if (a->method == PROJECT_MEDIAN)
      code = start_median<T> (call, from, r);
    else if (rows_aligned (in, wide * sizeof (T)) && r.out.columns % wide == 0)
      start_others<T, wide> (call, from, r);
    else
      start_others<T, 1> (call, from, r);
  });
  return cuda_status (code ? code : cudaGetLastError (), "The projection", error);
}
