/* SPDX-License-Identifier: MIT
 *
 * sums on the GPU: boxes by columns, then by rows, those of small integers as integers, else in double, in the order of sums.h. For other footprints
 * each thread sums that of its pixel.
 *
 * There: the kernel of rows.cuh, a pixel for each thread; reads the pixels under the footprint from L1, writes each pixel once. Nothing waits.
 */
#include "kernels/common/rows.cuh"
#include "kernels/rank/boxes.cuh"
#include "kernels/rank/rolling.cuh"
#include "kernels/rank/sums.h"
#include "kernels/rank/surroundings.cuh"
#include "kernels/rank/whole_boxes.cuh"

template <typename T> struct sums_pixel {
  __device__ T operator() (T v) const
  {
    return v;
  }
};

enum {
  LONGEST = FV_MATRIX_MAX,
  PIECES = 11,
  LEVELS = 8
}; /* run of a footprint; pieces of a run; sizes of pieces of 8 numbers and more */

/* Of v (0) ... v (width - 1), the sum of whose halves it is; width: a power of two. */
template <typename F>
__device__ __forceinline__ double
sum_piece (int width, F v)
{
  double waiting[LEVELS], piece = v (0); /* of 8 numbers, 16, and so on, that wait for another of their size */
  if (width < 4)
    return width == 1 ? piece : piece + v (1);
  if (width == 4)
    return (piece + v (1)) + (v (2) + v (3));
  for (int count = 0; count < width / 8; count++) {
    const int k = 8 * count;
    bool on = true;
    piece = ((v (k) + v (k + 1)) + (v (k + 2) + v (k + 3))) + ((v (k + 4) + v (k + 5)) + (v (k + 6) + v (k + 7)));
#pragma unroll
    for (int level = 0; level < LEVELS; level++) {
      const bool joins = on && (count >> level & 1);
      piece = joins ? waiting[level] + piece : piece;
      waiting[level] = on && !joins ? piece : waiting[level];
      on = joins;
    }
  }
  return piece;
}

/* runs: pieces of runs, in the order of the sums. */
template <typename T, typename R, bool VARIANCE>
static void
launch_sums (const fv_call *call, const surroundings<T> &s, const surroundings_runs &runs, double n)
{
  const view<R> out = view_of<R> (call->outputs[0]);
  columns_launch (call, out, [=, inverse = 1 / n] __device__ (int64_t z, int64_t y, int64_t x) {
    const T *first = s.data + z * s.plane + y * s.row + x;
    double sum = 0, squares = 0;
    for (int64_t r = 0; r < runs.n; r++) {
      const T *p = first + runs.run[r].at;
      sum += sum_piece (runs.run[r].length, [&] (int k) { return (double) p[k]; });
      if (VARIANCE)
        squares += sum_piece (runs.run[r].length, [&] (int k) { return (double) p[k] * (double) p[k]; });
    }
    out.row (z, y)[x] = pixel_from<R> (sums_result<VARIANCE, R> (sum, squares, n, inverse));
  });
}

/* The footprint as pieces of runs, in the order of the sums. */
template <typename T>
static fv_status
send_pieces (const fv_call *call, const surroundings<T> *s, surroundings_runs *to, fv_error *error)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  neighborhood_run *runs;
  surroundings_run *pieces;
  const int64_t n = neighborhood_runs (a, NULL);
  if (call->host->host_scratch (call, (size_t) n * sizeof *runs, (void **) &runs, error)
      || call->host->host_scratch (call, (size_t) (n * PIECES) * sizeof *pieces, (void **) &pieces, error))
    return error->code;
  neighborhood_runs (a, runs);
  to->n = 0;
  for (int64_t k = 0, next; k < n; k = next) {
    for (next = k + 1; next < n && runs[next].dz == runs[k].dz;)
      next++;
    for (int32_t w = 1; w <= LONGEST; w *= 2)
      for (int64_t i = k; i < next; i++) {
        const int32_t width = runs[i].last - runs[i].first + 1;
        if (width & w)
          pieces[to->n++] = {surroundings_at (s, runs[i]) + sums_piece_at (width, w), w};
      }
  }
  return send_numbers (call, pieces, (size_t) to->n, &to->run, error);
}

/* Writes a mean or a variance. */
template <typename R, bool VARIANCE> struct put_sums {
  view<R> out;
  double n, inverse;

  __device__ void operator() (int64_t z, int64_t y, int64_t x, double sum, double squares) const
  {
    out.row (z, y)[x] = pixel_from<R> (sums_result<VARIANCE, R> (sum, squares, n, inverse));
  }
};

template <typename T, typename R, bool VARIANCE>
static fv_status
run_footprint_sums (const fv_call *call, fv_error *error)
{
  surroundings<T> s;
  surroundings_runs runs;
  view<R> out = view_of<R> (call->outputs[0]);
  double n = (double) neighborhood_count ((const neighborhood_args *) call->args);
  bool done = false;
  fv_status status = FV_OK;
  if constexpr (sizeof (T) <= 2)
    status = run_whole_boxes<T, VARIANCE> (call, put_sums<R, VARIANCE>{out, n, 1 / n}, &done, error);
  if constexpr (std::is_same<T, float>::value && !VARIANCE)
    status = run_rolling (call, &done, error);
  if (!status && !done)
    status = run_boxes<T, R, VARIANCE> (call, &done, error);
  if (status || done)
    return status;
  if (make_surroundings<T> (call, &s, sums_pixel<T> (), error) || send_pieces (call, &s, &runs, error))
    return error->code;
  launch_sums<T, R, VARIANCE> (call, s, runs, n);
  return cuda_status (cudaGetLastError (), "Sums over a footprint", error);
}

template <typename T, typename R>
static fv_status
run_sums_of (const fv_call *call, fv_error *error)
{
  return (intptr_t) call->op->user == SUMS_VARIANCE ? run_footprint_sums<T, R, true> (call, error)
                                                    : run_footprint_sums<T, R, false> (call, error);
}

fv_status
sums_cuda (const fv_call *call, fv_error *error)
{
  fv_type type = call->outputs[0]->grid->type;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return with_type (call->inputs[0]->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    return type == call->inputs[0]->grid->type ? run_sums_of<T, T> (call, error) : run_sums_of<T, float> (call, error);
  });
}
