/* SPDX-License-Identifier: MIT
 *
 * Orders 0 and 1: no filter stands between the axes, so that all of them are interpolated at once, from tables of taps. A thread
 * goes down DOWN pixels of ACROSS columns and keeps what it has made of the two rows of samples that it stands between.
 */
#ifndef KERNELS_GEOMETRY_DIRECT_CUH
#define KERNELS_GEOMETRY_DIRECT_CUH

#include "kernels/geometry/samples.cuh"

enum {
  MAX_DIRECT = 2,
  DIRECT = 128,
  DOWN = 16,
  ACROSS = 2
}; /* taps along an axis; threads of a block; rows and columns of a thread */

/* Taps of each output sample along an axis; index -1: the constant. */
template <typename W> struct axis_taps {
  int count;
  int32_t *index;
  W *weight;
};

template <typename W> struct taps_job {
  resampling r;
  axis_taps<W> taps;
};

template <typename W>
__global__ static void
__launch_bounds__ (SAMPLES_THREADS) make_taps (taps_job<W> job)
{
  const resampling &r = job.r;
  const axis_taps<W> &taps = job.taps;
  int64_t k = (int64_t) blockIdx.x * SAMPLES_THREADS + threadIdx.x;
  if (k >= r.line.n_out)
    return;
  double x = taps.count == 1 && r.rule.order == 1 ? (double) k : coordinate (r, k), knot = knot_of (r, x);
  double weight[SPLINE_MAX_TAPS] = {1};
  if (r.rule.order == 1 && taps.count == 2)
    spline_weights (x - knot, 1, weight);
  for (int t = 0; t < taps.count; t++) {
    taps.index[k * taps.count + t] = (int32_t) sample_at (r, (int64_t) knot + t);
    taps.weight[k * taps.count + t] = (W) weight[t];
  }
}

template <typename W> struct direct {
  any_pixels in, out;
  axis_taps<W> taps[3];
  bool outside;      /* there can be taps of the constant */
  bool planes_first; /* z is interpolated before x */
  W constant;
  int64_t tiles, row_groups; /* of ACROSS * DIRECT columns; of DOWN rows in a plane */
};

/* The taps of one output sample; the second is 0 where there is one. */
template <typename W> struct taps_here {
  int32_t index[MAX_DIRECT];
  W weight[MAX_DIRECT];
};

template <typename W>
__device__ __forceinline__ taps_here<W>
taps_of (const axis_taps<W> &taps, int64_t k)
{
  taps_here<W> here = {};
#pragma unroll
  for (int t = 0; t < MAX_DIRECT; t++)
    if (t < taps.count) {
      here.index[t] = taps.index[k * taps.count + t];
      here.weight[t] = taps.weight[k * taps.count + t];
    }
  return here;
}

/* w0 a + w1 b, as a sum of taps is made. */
template <typename W>
__device__ __forceinline__ W
between_taps (W w0, W a, W w1, W b)
{
  return fused (w1, b, w0 * a);
}

/* What a column of the output is made from: for each of Z x X taps across planes and columns a column of the input. */
template <typename W, typename T, int Z, int X, bool OUTSIDE> struct columns_here {
  const T *data[Z][X];
  W across[X], through[Z], constant;
  bool outside_x[X], outside_z[Z], planes_first;

  __device__ __forceinline__ W pixel (int a, int c, int64_t at) const
  {
    return OUTSIDE && (outside_x[c] || outside_z[a]) ? constant : (W) data[a][c][at];
  }
  /* Interpolated across columns. */
  __device__ __forceinline__ W plane (int a, int64_t at) const
  {
    const W sum =
      X == 1 ? pixel (a, 0, at) : between_taps (across[0], pixel (a, 0, at), across[X - 1], pixel (a, X - 1, at));
    return OUTSIDE && outside_z[a] ? constant : sum;
  }
  /* Interpolated across planes. */
  __device__ __forceinline__ W column (int c, int64_t at) const
  {
    const W sum = between_taps (through[0], pixel (0, c, at), through[Z - 1], pixel (Z - 1, c, at));
    return OUTSIDE && outside_x[c] ? constant : sum;
  }
  /* Input row `row`, which lies `at` elements further on, interpolated across columns and planes. */
  __device__ __forceinline__ W sum (int32_t row, int64_t at) const
  {
    if (OUTSIDE && row < 0)
      return constant;
    if (Z == 2 && X == 2 && planes_first)
      return between_taps (across[0], column (0, at), across[X - 1], column (X - 1, at));
    return Z == 1 ? plane (0, at) : between_taps (through[0], plane (0, at), through[Z - 1], plane (Z - 1, at));
  }
};

template <typename W, typename T, int Z, int X, bool OUTSIDE>
__device__ __forceinline__ columns_here<W, T, Z, X, OUTSIDE>
direct_columns (const direct<W> &d, int64_t z, int64_t x)
{
  taps_here<W> tz = taps_of (d.taps[0], z), tx = taps_of (d.taps[2], x);
  columns_here<W, T, Z, X, OUTSIDE> in;
  in.constant = d.constant;
  in.planes_first = d.planes_first;
#pragma unroll
  for (int c = 0; c < X; c++) {
    in.across[c] = tx.weight[c];
    in.outside_x[c] = tx.index[c] < 0;
  }
#pragma unroll
  for (int a = 0; a < Z; a++) {
    in.through[a] = tz.weight[a];
    in.outside_z[a] = tz.index[a] < 0;
#pragma unroll
    for (int c = 0; c < X; c++)
      in.data[a][c] = (const T *) d.in.data + max (tz.index[a], 0) * d.in.stride[0] + max (tx.index[c], 0);
  }
  return in;
}

/* Columns x, x + DIRECT and so on, of which some may lie beyond the last. SAME: the output is of type T. */
template <bool SAME, typename W, typename T, int Z, int X, bool OUTSIDE>
__device__ __forceinline__ void
interpolate_columns (const direct<W> &d, int64_t z, int64_t x, const taps_here<W> *rows, int n, int64_t to)
{
  const int64_t last = d.out.shape[2] - 1;
  columns_here<W, T, Z, X, OUTSIDE> in[ACROSS];
  W sum0[ACROSS] = {}, sum1[ACROSS] = {};
#pragma unroll
  for (int k = 0; k < ACROSS; k++)
    in[k] = direct_columns<W, T, Z, X, OUTSIDE> (d, z, x + k * DIRECT < last ? x + k * DIRECT : last);
  const bool two = d.taps[1].count == 2;
  int32_t row0 = INT32_MIN, row1 = INT32_MIN;
  for (int i = 0; i < n; i++, to += d.out.stride[1]) {
    const taps_here<W> t = rows[i];
    if (t.index[0] != row0) {
      const bool again = t.index[0] == row1;
      row0 = t.index[0];
#pragma unroll
      for (int k = 0; k < ACROSS; k++)
        sum0[k] = again ? sum1[k] : in[k].sum (row0, max (row0, 0) * d.in.stride[1]);
    }
    if (two && t.index[1] != row1) {
      row1 = t.index[1];
#pragma unroll
      for (int k = 0; k < ACROSS; k++)
        sum1[k] = in[k].sum (row1, max (row1, 0) * d.in.stride[1]);
    }
#pragma unroll
    for (int k = 0; k < ACROSS; k++) {
      W sum = two ? between_taps (t.weight[0], sum0[k], t.weight[1], sum1[k]) : sum0[k];
      if (x + k * DIRECT > last)
        continue;
      if (SAME)
        ((T *) d.out.data)[to + k * DIRECT] = pixel_from<T> (sum);
      else
        store (d.out, to + k * DIRECT, sum);
    }
  }
}

template <typename W, int Z, int X, bool OUTSIDE>
__global__ static void
__launch_bounds__ (DIRECT) interpolate (direct<W> d)
{
  __shared__ taps_here<W> rows[DOWN];
  int64_t tile = blockIdx.x % d.tiles, rest = blockIdx.x / d.tiles;
  int64_t y = rest % d.row_groups * DOWN, z = rest / d.row_groups, x = tile * (ACROSS * DIRECT) + threadIdx.x;
  int n = d.out.shape[1] - y < DOWN ? (int) (d.out.shape[1] - y) : DOWN;
  if (threadIdx.x < n)
    rows[threadIdx.x] = taps_of (d.taps[1], y + threadIdx.x);
  __syncthreads ();
  if (x >= d.out.shape[2])
    return;
  int64_t to = z * d.out.stride[0] + y * d.out.stride[1] + x;
  auto columns = [&] (auto zero) {
    using T = decltype (zero);
    if (d.in.type == d.out.type)
      interpolate_columns<true, W, T, Z, X, OUTSIDE> (d, z, x, rows, n, to);
    else
      interpolate_columns<false, W, T, Z, X, OUTSIDE> (d, z, x, rows, n, to);
  };
  switch (d.in.type) {
  case FV_U8: columns (uint8_t ()); break;
  case FV_U16: columns (uint16_t ()); break;
  case FV_I32: columns (int32_t ()); break;
  case FV_F32: columns (float ()); break;
  default: columns (double ());
  }
}

/* The kernel for so many taps across planes and columns. */
template <typename W> static void (*interpolate_of (const direct<W> &d)) (direct<W>)
{
  static void (*const kernels[2][2][2]) (direct<W>) = {{{interpolate<W, 1, 1, false>, interpolate<W, 1, 1, true>},
                                                        {interpolate<W, 1, 2, false>, interpolate<W, 1, 2, true>}},
                                                       {{interpolate<W, 2, 1, false>, interpolate<W, 2, 1, true>},
                                                        {interpolate<W, 2, 2, false>, interpolate<W, 2, 2, true>}}};
  return kernels[d.taps[0].count - 1][d.taps[2].count - 1][d.outside];
}

#endif
