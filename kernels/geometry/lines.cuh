/* SPDX-License-Identifier: MIT
 *
 * Resampling along one axis with the filter of the spline: one warp for 32 lines and SAMPLES_CHUNK samples along them. It brings the
 * samples and a margin at both ends into shared memory, filters them there forth and back, and writes the output samples whose
 * knots are in the chunk.
 */
#ifndef KERNELS_GEOMETRY_LINES_CUH
#define KERNELS_GEOMETRY_LINES_CUH

#include "kernels/geometry/samples.cuh"

#include <float.h>

/* Forth and back with each pole over `count` samples of this lane. Whether they are finite. */
template <typename W>
__device__ __forceinline__ bool
filter (const resampling &r, W *own, int count)
{
  W value = own[0];
  for (int p = 0; p < r.line.poles; p++) {
    W z = (W) r.line.pole[p];
    value = own[0];
    for (int i = 1; i < count; i++)
      own[i * SAMPLES_PITCH] = value = fused (z, value, own[i * SAMPLES_PITCH]);
    value *= z / (z - 1);
    own[(count - 1) * SAMPLES_PITCH] = value;
    for (int i = count - 2; i >= 0; i--)
      own[i * SAMPLES_PITCH] = value = z * (value - own[i * SAMPLES_PITCH]);
  }
  return fabs (value) <= (sizeof (W) == 4 ? FLT_MAX : DBL_MAX); /* what is not finite stays so to the first sample */
}

/* The 32 lines of a warp; each lane knows where its own begins. */
struct bundle {
  int64_t in, out; /* first elements */
  int lines;       /* all */
};

/* Samples first ... first + count - 1 of the lines; BATCH reads are on their way at a time. INSIDE: none is beyond an end. */
template <typename W, typename T, bool X, bool INSIDE>
__device__ __forceinline__ void
fetch_pixels (const resampling &r, W *samples, const bundle &b, int64_t first, int count)
{
  enum { BATCH = 16 };
  const T *data = (const T *) r.in.data;
  int lane = threadIdx.x;
  W constant = (W) r.rule.value;
  T v[BATCH];
  if constexpr (X) {
    for (int i = lane; i - lane < count; i += SAMPLES_LANES) {
      int64_t at = i >= count ? 0 : INSIDE ? first + i : sample_at (r, first + i);
      for (int l = 0; l < SAMPLES_LANES; l += BATCH) {
#pragma unroll
        for (int k = 0; k < BATCH; k++)
          v[k] = data[__shfl_sync (~0u, b.in, l + k) + (at < 0 ? 0 : at)];
        if (i < count)
#pragma unroll
          for (int k = 0; k < BATCH; k++)
            samples[i * SAMPLES_PITCH + l + k] = at < 0 ? constant : (W) v[k];
      }
    }
  } else {
    int64_t step = r.in.stride[r.axis];
    for (int i = 0; i < count; i += BATCH) {
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        int64_t at = i + k >= count ? 0 : INSIDE ? first + i + k : sample_at (r, first + i + k);
        v[k] = data[b.in + (at < 0 ? 0 : at) * step];
      }
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        if (i + k < count)
          samples[(i + k) * SAMPLES_PITCH + lane] = !INSIDE && sample_at (r, first + i + k) < 0 ? constant : (W) v[k];
    }
  }
}

template <typename W, bool X>
__device__ __forceinline__ void
fetch_bundle (const resampling &r, W *samples, const bundle &b, int64_t first, int count)
{
  bool inside = first >= 0 && first + count <= r.line.n_in;
  auto pixels = [&] (auto zero) {
    using T = decltype (zero);
    if (inside)
      fetch_pixels<W, T, X, true> (r, samples, b, first, count);
    else
      fetch_pixels<W, T, X, false> (r, samples, b, first, count);
  };
  switch (r.in.type) {
  case FV_U8: pixels (uint8_t ()); break;
  case FV_U16: pixels (uint16_t ()); break;
  case FV_I32: pixels (int32_t ()); break;
  case FV_F32: pixels (float ()); break;
  default: pixels (double ());
  }
  __syncwarp ();
}

/* Knots and weights of up to SAMPLES_GROUP output samples. */
template <typename W> struct tap_table {
  W weight[SAMPLES_GROUP][SPLINE_MAX_TAPS];
  int start[SAMPLES_GROUP]; /* first tap among the samples fetched; -1: of another chunk */
};

/* Output samples k ... k + n - 1, n <= SAMPLES_GROUP. first: which sample is the first fetched. */
template <typename W, bool X>
__device__ __forceinline__ void
put_group (const resampling &r, const W *samples, tap_table<W> &taps, W (*sums)[SAMPLES_PITCH], const bundle &b,
           int64_t chunk, int64_t first, int64_t k, int n)
{
  int lane = threadIdx.x, order = r.rule.order;
  if (lane < n) {
    double x = coordinate (r, k + lane), knot = knot_of (r, x), weight[SPLINE_MAX_TAPS];
    int64_t s = (int64_t) knot;
    /* the last sample may have its knot behind the last chunk */
    bool ours = s >= chunk && (s < chunk + SAMPLES_CHUNK || chunk + SAMPLES_CHUNK >= r.chunks * SAMPLES_CHUNK);
    if (chunk == 0 && s < 0)
      ours = true;
    spline_weights (x - knot, order, weight);
    for (int t = 0; t <= order; t++)
      taps.weight[lane][t] = (W) (weight[t] * r.line.gain);
    taps.start[lane] = ours ? (int) (s - order / 2 - first) : -1;
  }
  __syncwarp ();
  int64_t step = r.out.stride[r.axis];
  for (int j = 0; j < n; j++) {
    int start = taps.start[j];
    if (start < 0)
      continue;
    const W *own = samples + start * SAMPLES_PITCH + lane;
    W sum = taps.weight[j][0] * own[0];
    for (int t = 1; t <= order; t++)
      sum = fused (taps.weight[j][t], own[t * SAMPLES_PITCH], sum);
    if constexpr (X)
      sums[j][lane] = sum;
    else if (lane < b.lines)
      store (r.out, b.out + (k + j) * step, sum);
  }
  __syncwarp ();
  if constexpr (X) {
    bool ours = lane < n && taps.start[lane] >= 0;
#pragma unroll 8
    for (int l = 0; l < SAMPLES_LANES; l++) {
      int64_t row = __shfl_sync (~0u, b.out, l);
      if (ours && l < b.lines)
        store (r.out, row + k + lane, sums[lane][l]);
    }
    __syncwarp ();
  }
}

template <typename W, bool X>
__global__ static void
__launch_bounds__ (SAMPLES_LANES) resample (resampling r)
{
  extern __shared__ double room[];
  W *samples = (W *) room;
  __shared__ tap_table<W> taps;
  __shared__ W sums[X ? SAMPLES_GROUP : 1][SAMPLES_PITCH];
  int64_t tile = blockIdx.x % r.tiles, rest = blockIdx.x / r.tiles;
  int64_t chunk = rest % r.chunks * SAMPLES_CHUNK, other = rest / r.chunks, across = tile * SAMPLES_LANES;
  int64_t first = chunk - r.margin - SAMPLES_REACH;
  int lane = threadIdx.x, count = SAMPLES_CHUNK + 2 * (r.margin + SAMPLES_REACH);
  int64_t left = r.across - across, own_line = across + (lane < left ? lane : left - 1);
  bundle b = {line_start (r.in, r.axis, other, own_line), line_start (r.out, r.axis, other, own_line),
              left < SAMPLES_LANES ? (int) left : SAMPLES_LANES};

  fetch_bundle<W, X> (r, samples, b, first, count);
  if (r.line.poles) {
    W *own = samples + lane;
    if (!filter (r, own, count) && r.broken && lane < b.lines)
      r.broken[other * r.across + across + lane] = 1;
    __syncwarp ();
  }
  bool turned = r.rule.border == SPLINE_WRAP && r.rule.grid_mode,
       last = chunk + SAMPLES_CHUNK >= r.chunks * SAMPLES_CHUNK;
  int64_t from = 0, to = r.line.n_out;
  if (!turned) {
    from = chunk == 0 ? 0 : first_output (r, chunk, 0, r.line.n_out);
    to = last ? r.line.n_out : first_output (r, chunk + SAMPLES_CHUNK, from, r.line.n_out);
  }
  for (int64_t k = from; k < to; k += SAMPLES_GROUP)
    put_group<W, X> (r, samples, taps, sums, b, chunk, first, k,
                     to - k < SAMPLES_GROUP ? (int) (to - k) : SAMPLES_GROUP);
}

template <typename W>
__global__ static void
__launch_bounds__ (SAMPLES_THREADS) spread_nan (resampling r)
{
  int64_t i = (int64_t) blockIdx.x * SAMPLES_THREADS + threadIdx.x;
  if (i >= r.across * r.others || !r.broken[i])
    return;
  int64_t line = line_start (r.out, r.axis, i / r.across, i % r.across), step = r.out.stride[r.axis];
  for (int64_t k = 0; k < r.line.n_out; k++)
    store (r.out, line + k * step, (W) NAN);
}

#endif
