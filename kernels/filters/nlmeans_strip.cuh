/* SPDX-License-Identifier: MIT
 *
 * A strip of nlmeans: 32 columns, one for each lane of a warp, of NLMEANS_ROWS results each. A lane squares the differences of its column for a
 * shift; what is summed along rows comes from other lanes, so that lanes at both ends have no results. Nothing is subtracted from a sum.
 */
#ifndef KERNELS_FILTERS_NLMEANS_STRIP_CUH
#define KERNELS_FILTERS_NLMEANS_STRIP_CUH

#include "kernels/common/exp.h"
#include "kernels/common/row.cuh"
#include "kernels/filters/nlmeans_args.h"

enum { NLMEANS_ROWS = 8, NLMEANS_PITCH = 32 + 2 * NLMEANS_DISTANCE_MAX /* of the tile, for any distance */ };

/* T holds all digits of the image. */
template <typename T> struct nlmeans_job {
  const void *in;
  void *out;
  fv_type in_type, out_type;
  int64_t rows, columns, across, down;          /* tiles */
  int64_t in_plane, in_row, out_plane, out_row; /* strides */
  int32_t distance, held;                       /* rows of a tile that are in shared memory at once */
  T noise, most;                                /* sums above it have no weight */
  T slope;                                      /* of the exponent: of 2 in float, of e in double */
  T by_x[NLMEANS_PATCH_MAX / 2 + 1]; /* exact: weights by |x| and by |y|, whose products are those of the rule */
  T by_y[NLMEANS_PATCH_MAX / 2 + 1];
};

/* How far a patch reaches from its pixel. */
template <int REACH, bool EXACT> struct nlmeans_reach {
  static constexpr int before = EXACT ? REACH : REACH - 1, both = before + REACH;
};

/* The number of the lane `by` lanes further on. */
template <typename T>
__device__ __forceinline__ T
from_lane (T v, int by)
{
  return by > 0 ? __shfl_down_sync (~0u, v, (unsigned) by) : by < 0 ? __shfl_up_sync (~0u, v, (unsigned) -by) : v;
}

template <typename T, int REACH, bool EXACT> struct nlmeans_strip {
  static constexpr int before = nlmeans_reach<REACH, EXACT>::before,
                       lines = NLMEANS_ROWS + nlmeans_reach<REACH, EXACT>::both;
  T here[lines]; /* the column of the lane */
  T sums[NLMEANS_ROWS], weights[NLMEANS_ROWS];

  /* Sums of fast patches: of pairs, of pairs of pairs and so on, those that make up the side, first down the columns. */
  __device__ __forceinline__ void fast (const nlmeans_job<T> &j, const T *there, T (&away)[NLMEANS_ROWS],
                                        T (&patch)[NLMEANS_ROWS]) const
  {
    constexpr int side = 2 * REACH;
    T part[lines];
#pragma unroll
    for (int i = 0; i < lines; i++) {
      const T d = here[i] - there[i * NLMEANS_PITCH];
      part[i] = d * d - j.noise;
      if (i >= before && i < before + NLMEANS_ROWS)
        away[i - before] = d;
    }
#pragma unroll
    for (int n = 1; n <= side; n *= 2) {
      const int done = side & (n - 1);
#pragma unroll
      for (int i = 0; i < NLMEANS_ROWS && side & n; i++)
        patch[i] = done ? patch[i] + part[i + done] : part[i];
#pragma unroll
      for (int i = 0; i + n < lines; i++)
        part[i] += part[i + n];
    }
#pragma unroll
    for (int i = 0; i < NLMEANS_ROWS; i++) {
      T some = patch[i];
#pragma unroll
      for (int n = 1; n <= side; n *= 2) {
        const int done = side & (n - 1);
        if (side & n)
          patch[i] = done ? patch[i] + from_lane (some, done - before) : from_lane (some, -before);
        if (2 * n <= side)
          some += from_lane (some, n);
      }
    }
  }

  /* Of exact patches row by row, as their weights are products of one along each axis; infinite where a sum was too much before the last row. */
  __device__ __forceinline__ void exact (const nlmeans_job<T> &j, const T *there, T (&away)[NLMEANS_ROWS],
                                         T (&patch)[NLMEANS_ROWS]) const
  {
    T highest[NLMEANS_ROWS];
#pragma unroll
    for (int line = 0; line < lines; line++) {
      const T d = here[line] - there[line * NLMEANS_PITCH], square = d * d - j.noise;
      T row = j.by_x[0] * square;
#pragma unroll(REACH > 4 ? 1 : REACH)
      for (int x = 1; x <= REACH; x++)
        row += j.by_x[x] * (from_lane (square, -x) + from_lane (square, x));
      if (line >= before && line < before + NLMEANS_ROWS)
        away[line - before] = d;
#pragma unroll
      for (int i = 0; i < NLMEANS_ROWS; i++) {
        const int y = line - i - REACH;
        if (y < -REACH || y > REACH)
          continue;
        const T weight = j.by_y[y < 0 ? -y : y];
        patch[i] = y == -REACH ? weight * row : patch[i] + weight * row;
        if (y < REACH)
          highest[i] = y == -REACH ? patch[i] : max (highest[i], patch[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < NLMEANS_ROWS; i++)
      patch[i] = highest[i] > 5 ? patch[i] + (T) INFINITY : patch[i];
  }

  /* Adds one shift; there: what is there from the first line on. Unless `all`, not where all lanes would add 0. */
  __device__ __forceinline__ void add (const nlmeans_job<T> &j, const T *there, bool used, bool all)
  {
    T away[NLMEANS_ROWS], patch[NLMEANS_ROWS];
    if constexpr (EXACT)
      exact (j, there, away, patch);
    else
      fast (j, there, away, patch);
    bool some = false;
#pragma unroll
    for (int i = 0; i < NLMEANS_ROWS; i++)
      some |= !(patch[i] > j.most);
    if (!__any_sync (~0u, all | (used & some)))
      return;
#pragma unroll
    for (int i = 0; i < NLMEANS_ROWS; i++) {
      const T exponent = (patch[i] < 0 ? 0 : patch[i]) * j.slope;
      T w;
      if constexpr (sizeof (T) == 4)
        w = exp2f (exponent);
      else
        w = exp_below_0_f64 (exponent);
      w = patch[i] > j.most ? 0 : w;
      weights[i] += w;
      sums[i] -= w * away[i];
    }
  }
};

#endif
