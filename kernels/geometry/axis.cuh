/* SPDX-License-Identifier: MIT
 *
 * Resampling along one axis in float, the samples and the filter in registers. A thread has one line and COUNT samples of it:
 * SAMPLES_CHUNK that it answers for, and a margin at both ends in which a recursion that began with a wrong value forgets it
 * (see spline.h). Knots and weights come from a table.
 */
#ifndef KERNELS_GEOMETRY_AXIS_CUH
#define KERNELS_GEOMETRY_AXIS_CUH

#include "kernels/geometry/samples.cuh"

#include <float.h>

template <int ORDER> struct window {
  enum {
    POLES = ORDER / 2,
    COUNT = SPLINE_COUNT (ORDER),
    BEFORE = SPLINE_BEFORE (ORDER),
    MARGIN = BEFORE - SAMPLES_REACH,
    CHUNK = COUNT - 2 * BEFORE,
    PAD = ORDER == 3 ? 4 : 8 /* weights of an output sample, with room to read them four at a time */
  };
};

enum { AXIS_COLUMNS = 64 };

struct axis_job {
  resampling r;
  int32_t *knot, *first; /* of each output sample; the first output sample of each chunk, and one more */
  float *weight;
};

/* The table, a thread for an output sample; knots rise from one to the next. */
template <int ORDER>
__global__ static void
__launch_bounds__ (SAMPLES_THREADS) make_table (axis_job job)
{
  using S = window<ORDER>;
  const resampling &r = job.r;
  int64_t k = (int64_t) blockIdx.x * SAMPLES_THREADS + threadIdx.x;
  if (k >= r.line.n_out)
    return;
  double x = coordinate (r, k), knot = knot_of (r, x), weight[SPLINE_MAX_TAPS];
  spline_weights (x - knot, ORDER, weight);
  job.knot[k] = (int32_t) knot;
  for (int t = 0; t <= ORDER; t++)
    job.weight[k * S::PAD + t] = (float) (weight[t] * r.line.gain);
  int64_t last = r.chunks - 1, chunk = knot < 0 ? 0 : (int64_t) knot / S::CHUNK;
  chunk = chunk < last ? chunk : last;
  int64_t before = -1;
  if (k) {
    double knot_before = knot_of (r, coordinate (r, k - 1));
    before = knot_before < 0 ? 0 : (int64_t) knot_before / S::CHUNK;
  }
  for (int64_t c = before + 1; c <= chunk; c++)
    job.first[c] = (int32_t) k;
  if (k == r.line.n_out - 1)
    for (int64_t c = chunk + 1; c <= r.chunks; c++)
      job.first[c] = (int32_t) r.line.n_out;
}

template <int ORDER>
__device__ __forceinline__ void
read_weights (const axis_job &job, int k, float (&w)[window<ORDER>::PAD])
{
  const float4 *from = (const float4 *) (job.weight + (int64_t) k * window<ORDER>::PAD);
#pragma unroll
  for (int i = 0; i < window<ORDER>::PAD / 4; i++) {
    float4 four = from[i];
    w[4 * i] = four.x, w[4 * i + 1] = four.y, w[4 * i + 2] = four.z, w[4 * i + 3] = four.w;
  }
}

/* Forth and back with each pole; marks lines with a value that is not finite. */
template <int ORDER>
__device__ __forceinline__ void
filter_samples (const resampling &r, float (&v)[window<ORDER>::COUNT], int64_t line)
{
  enum { COUNT = window<ORDER>::COUNT };
  if (!r.line.poles)
    return;
#pragma unroll
  for (int p = 0; p < window<ORDER>::POLES; p++) {
    const float z = (float) r.line.pole[p];
#pragma unroll
    for (int i = 1; i < COUNT; i++)
      v[i] = fmaf (z, v[i - 1], v[i]);
    v[COUNT - 1] *= z / (z - 1);
#pragma unroll
    for (int i = COUNT - 2; i >= 0; i--)
      v[i] = z * (v[i + 1] - v[i]);
  }
  if (r.broken && !(fabsf (v[0]) <= FLT_MAX)) /* what is not finite stays so to the first sample */
    r.broken[line] = 1;
}

/* ---- Along columns, and from plane to plane: neighboring threads have neighboring lines ---- */

template <int COUNT, typename T>
__device__ __forceinline__ void
fetch_axis_column (const T *data, int64_t step, const int *where, float constant, float (&v)[COUNT])
{
#pragma unroll
  for (int i = 0; i < COUNT; i++) {
    int at = where[i];
    v[i] = (float) data[(at < 0 ? 0 : at) * step];
    v[i] = at < 0 ? constant : v[i];
  }
}

template <int ORDER>
__global__ static void
__launch_bounds__ (AXIS_COLUMNS) resample_columns (axis_job job)
{
  using S = window<ORDER>;
  __shared__ int where[S::COUNT];
  const resampling &r = job.r;
  int64_t tile = blockIdx.x % r.tiles, rest = blockIdx.x / r.tiles, across = tile * AXIS_COLUMNS + threadIdx.x;
  int chunk = (int) (rest % r.chunks), begin = chunk * S::CHUNK;
  int64_t other = rest / r.chunks;
  for (int i = threadIdx.x; i < S::COUNT; i += AXIS_COLUMNS)
    where[i] = (int) sample_at (r, begin - S::BEFORE + i);
  __syncthreads ();
  if (across >= r.across)
    return;
  float v[S::COUNT], constant = (float) r.rule.value;
  int64_t from = line_start (r.in, r.axis, other, across), step = r.in.stride[r.axis];
  switch (r.in.type) {
  case FV_U8: fetch_axis_column (from + (const uint8_t *) r.in.data, step, where, constant, v); break;
  case FV_U16: fetch_axis_column (from + (const uint16_t *) r.in.data, step, where, constant, v); break;
  default: fetch_axis_column (from + (const float *) r.in.data, step, where, constant, v);
  }
  filter_samples<ORDER> (r, v, other * r.across + across);
  int64_t to = line_start (r.out, r.axis, other, across);
  int k = job.first[chunk], end = job.first[chunk + 1];
  step = r.out.stride[r.axis];
  to += k * step;
  int next = k < end ? job.knot[k] - begin : INT32_MAX;
#pragma unroll
  for (int i = -1; i <= S::CHUNK; i++)
    while (next == i) {
      float w[S::PAD];
      read_weights<ORDER> (job, k, w);
      k++;
      next = k < end ? job.knot[k] - begin : INT32_MAX;
      float sum = w[0] * v[S::BEFORE + i - ORDER / 2];
#pragma unroll
      for (int t = 1; t <= ORDER; t++)
        sum = fmaf (w[t], v[S::BEFORE + i - ORDER / 2 + t], sum);
      store (r.out, to, sum);
      to += step;
    }
}

/* ---- Along rows: a warp has 32 of them, turned round in shared memory ---- */

template <int ORDER> using row_tile = float[SAMPLES_LANES][window<ORDER>::COUNT + 1];

template <int ORDER, typename T>
__device__ __forceinline__ void
fetch_axis_rows (const resampling &r, const T *data, int begin, int64_t row, row_tile<ORDER> &tile)
{
  using S = window<ORDER>;
  enum { BATCH = 16 };
  float constant = (float) r.rule.value;
  for (int i = threadIdx.x; i < S::COUNT; i += SAMPLES_LANES) {
    int64_t at = sample_at (r, begin - S::BEFORE + i);
    for (int l = 0; l < SAMPLES_LANES; l += BATCH) {
      T v[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        v[k] = data[__shfl_sync (~0u, row, l + k) + (at < 0 ? 0 : at)];
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        tile[l + k][i] = at < 0 ? constant : (float) v[k];
    }
  }
}

template <int ORDER>
__global__ static void
__launch_bounds__ (SAMPLES_LANES) resample_rows (axis_job job)
{
  using S = window<ORDER>;
  __shared__ row_tile<ORDER> tile;
  const resampling &r = job.r;
  int lane = threadIdx.x, chunk = (int) (blockIdx.x / r.tiles), begin = chunk * S::CHUNK;
  int64_t across = blockIdx.x % r.tiles * SAMPLES_LANES, left = r.across - across,
          line = across + (lane < left ? lane : left - 1);
  int64_t from = line_start (r.in, 2, 0, line), to = line_start (r.out, 2, 0, line);
  switch (r.in.type) {
  case FV_U8: fetch_axis_rows<ORDER> (r, (const uint8_t *) r.in.data, begin, from, tile); break;
  case FV_U16: fetch_axis_rows<ORDER> (r, (const uint16_t *) r.in.data, begin, from, tile); break;
  default: fetch_axis_rows<ORDER> (r, (const float *) r.in.data, begin, from, tile);
  }
  __syncwarp ();
  if (r.line.poles) {
    float v[S::COUNT];
#pragma unroll
    for (int i = 0; i < S::COUNT; i++)
      v[i] = tile[lane][i];
    filter_samples<ORDER> (r, v, line);
#pragma unroll
    for (int i = S::MARGIN; i < S::COUNT - S::MARGIN; i++)
      tile[lane][i] = v[i];
    __syncwarp ();
  }
  int lines = left < SAMPLES_LANES ? (int) left : SAMPLES_LANES, end = job.first[chunk + 1];
  for (int k = job.first[chunk]; k < end; k += SAMPLES_LANES) {
    bool ours = k + lane < end;
    int own = ours ? k + lane : k, start = job.knot[own] - begin + S::BEFORE - ORDER / 2;
    float w[S::PAD];
    read_weights<ORDER> (job, own, w);
#pragma unroll 8
    for (int l = 0; l < SAMPLES_LANES; l++) {
      int64_t row = __shfl_sync (~0u, to, l);
      float sum = w[0] * tile[l][start];
#pragma unroll
      for (int t = 1; t <= ORDER; t++)
        sum = fmaf (w[t], tile[l][start + t], sum);
      if (ours && l < lines)
        store (r.out, row + own, sum);
    }
  }
}

#endif
