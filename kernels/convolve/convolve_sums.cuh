/* SPDX-License-Identifier: MIT
 *
 * convolve on the GPU, directly: sums over windows of the input, in the order that convolve.h says. Separable kernels take it once along each axis.
 * - sum_windows: 128 threads, 32 rows x 64 columns of output, 8 x 2 of them a thread; the kernel comes in chunks of 16 x 16 values, with
 *   the pixels under them, through shared memory. Reads (1 + m / 32) (1 + n / 64) pixels of the input, mostly from the L2, writes one.
 *   Two __syncthreads a chunk: before it is written and before it is read.
 */
#ifndef KERNELS_CONVOLVE_CONVOLVE_SUMS_CUH
#define KERNELS_CONVOLVE_CONVOLVE_SUMS_CUH

#include "kernels/common/row.cuh"
#include "kernels/convolve/convolve_args.h"

enum {
  CONVOLVE_EACH = 8,
  CONVOLVE_GROUPS = 4,
  CONVOLVE_ROWS = CONVOLVE_EACH * CONVOLVE_GROUPS,
  CONVOLVE_COLUMNS = 64,
  CONVOLVE_THREADS = 32 * CONVOLVE_GROUPS,
  CONVOLVE_PITCH = CONVOLVE_COLUMNS + CONVOLVE_CHUNK
};

/* What lies around an image, and where in it the windows of the first output pixel begin. */
struct around {
  border outside;
  double value;
  int64_t start[3];
};

/* Output that something else has made, but for the tiles that are marked: see convolve_fft.cuh. */
struct marks {
  const int *marked; /* NULL: make everything */
  int64_t planes, rows, columns, down, across;

  __device__ int64_t tile (int64_t z, int64_t y, int64_t x) const
  {
    return (z / planes * down + y / rows) * across + x / columns;
  }
};

template <typename In, typename Out, typename T> struct sums_job {
  view<const In> in;
  view<Out> out;
  around outside;
  const T *weights; /* [n[0]][n[1]][n[2]] */
  int32_t n[3], across, down;
  marks only;
};

/* Rows of pixels under a chunk of the kernel, from row y0 and column x0 on, either of which may lie outside. */
template <typename In, typename Out, typename T>
__device__ __forceinline__ void
fetch_chunk (const sums_job<In, Out, T> &job, int64_t z, int64_t y0, int64_t x0, int rows, int columns, T *to)
{
  const T value = (T) job.outside.value;
  const int64_t plane = border_index (z, job.in.planes, job.outside.outside);
  for (int r = (int) threadIdx.x / 32; r < rows; r += CONVOLVE_GROUPS) {
    const int64_t y = border_index (y0 + r, job.in.rows, job.outside.outside);
    const In *row = job.in.row (plane < 0 ? 0 : plane, y < 0 ? 0 : y);
    for (int c = (int) threadIdx.x % 32; c < columns; c += 32) {
      const int64_t x = border_index (x0 + c, job.in.columns, job.outside.outside);
      to[r * CONVOLVE_PITCH + c] = plane < 0 || y < 0 || x < 0 ? value : (T) row[x];
    }
  }
}

/* Adds a chunk of m x n values to the sums of two columns. `from`: the first pixel of the thread. */
template <typename T>
__device__ __forceinline__ void
add_chunk (T (&sum)[2][CONVOLVE_EACH], const T *from, const T *weights, int m, int n)
{
  for (int i = 0; i < n; i++, from++) {
    T v[2][CONVOLVE_EACH];
#pragma unroll
    for (int a = 0; a < CONVOLVE_EACH; a++) {
      v[0][a] = from[a * CONVOLVE_PITCH];
      v[1][a] = from[a * CONVOLVE_PITCH + 32];
    }
#pragma unroll
    for (int j = 0; j < CONVOLVE_CHUNK; j++) {
      if (j >= m)
        break;
      const T w = weights[j * CONVOLVE_CHUNK + i];
#pragma unroll
      for (int a = 0; a < CONVOLVE_EACH; a++) {
        sum[0][a] = fused (w, v[0][(a + j) % CONVOLVE_EACH], sum[0][a]);
        sum[1][a] = fused (w, v[1][(a + j) % CONVOLVE_EACH], sum[1][a]);
      }
      v[0][j % CONVOLVE_EACH] = from[(j + CONVOLVE_EACH) * CONVOLVE_PITCH];
      v[1][j % CONVOLVE_EACH] = from[(j + CONVOLVE_EACH) * CONVOLVE_PITCH + 32];
    }
  }
}

/* Whether a block has anything to do. */
template <typename Job>
__device__ __forceinline__ bool
is_wanted (const Job &job, int64_t z, int64_t y0, int64_t x0)
{
  if (!job.only.marked)
    return true;
  const int64_t y1 = min (y0 + CONVOLVE_ROWS, job.out.rows) - 1, x1 = min (x0 + CONVOLVE_COLUMNS, job.out.columns) - 1;
  bool any = false;
  for (int64_t y = y0 / job.only.rows; y <= y1 / job.only.rows; y++)
    for (int64_t x = x0 / job.only.columns; x <= x1 / job.only.columns; x++)
      any = any || job.only.marked[(z / job.only.planes * job.only.down + y) * job.only.across + x];
  return any;
}

template <typename In, typename Out, typename T>
__global__ void
__launch_bounds__ (CONVOLVE_THREADS) sum_windows (const __grid_constant__ sums_job<In, Out, T> job)
{
  __shared__ T pixels[(CONVOLVE_ROWS + CONVOLVE_CHUNK) * CONVOLVE_PITCH + 32], weights[CONVOLVE_CHUNK * CONVOLVE_CHUNK];
  const int lane = (int) threadIdx.x % 32, group = (int) threadIdx.x / 32 * CONVOLVE_EACH;
  int64_t block = blockIdx.x;
  const int64_t x0 = block % job.across * CONVOLVE_COLUMNS;
  block /= job.across;
  const int64_t y0 = block % job.down * CONVOLVE_ROWS, z = block / job.down;
  if (!is_wanted (job, z, y0, x0))
    return;
  T sum[2][CONVOLVE_EACH] = {};
  for (int k = 0; k < job.n[0]; k++)
    for (int j = 0; j < job.n[1]; j += CONVOLVE_CHUNK)
      for (int i = 0; i < job.n[2]; i += CONVOLVE_CHUNK) {
        const int m = min ((int) CONVOLVE_CHUNK, job.n[1] - j), n = min ((int) CONVOLVE_CHUNK, job.n[2] - i);
        __syncthreads ();
        for (int at = (int) threadIdx.x; at < CONVOLVE_CHUNK * CONVOLVE_CHUNK; at += CONVOLVE_THREADS)
          if (at / CONVOLVE_CHUNK < m && at % CONVOLVE_CHUNK < n)
            weights[at] =
              job.weights[((int64_t) k * job.n[1] + j + at / CONVOLVE_CHUNK) * job.n[2] + i + at % CONVOLVE_CHUNK];
        fetch_chunk (job, z + job.outside.start[0] + k, y0 + job.outside.start[1] + j, x0 + job.outside.start[2] + i,
                     CONVOLVE_ROWS + m - 1, CONVOLVE_COLUMNS + n - 1, pixels);
        __syncthreads ();
        if constexpr (sizeof (T) == 4) { /* each by itself, so that rounding does not add up */
          T part[2][CONVOLVE_EACH] = {};
          add_chunk (part, pixels + group * CONVOLVE_PITCH + lane, weights, m, n);
#pragma unroll
          for (int a = 0; a < 2 * CONVOLVE_EACH; a++)
            sum[a / CONVOLVE_EACH][a % CONVOLVE_EACH] += part[a / CONVOLVE_EACH][a % CONVOLVE_EACH];
        } else
          add_chunk (sum, pixels + group * CONVOLVE_PITCH + lane, weights, m, n);
      }
#pragma unroll
  for (int b = 0; b < 2; b++)
#pragma unroll
    for (int a = 0; a < CONVOLVE_EACH; a++) {
      const int64_t y = y0 + group + a, x = x0 + lane + 32 * b;
      if (y < job.out.rows && x < job.out.columns && (!job.only.marked || job.only.marked[job.only.tile (z, y, x)]))
        job.out.row (z, y)[x] = pixel_from<Out> (sum[b][a]);
    }
}

#endif
