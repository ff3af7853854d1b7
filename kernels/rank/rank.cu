/* SPDX-License-Identifier: MIT
 *
 * rank on the GPU: minima and maxima as in morphology, medians over small footprints in registers, other ranks by indices in sorted tiles. Where a
 * tile has too many surroundings, ranks are found digit by digit: two bits at a time, by counting the keys in the footprint below three numbers.
 *
 * Digit by digit: a pixel for each thread, by rows.cuh; reads the keys under the footprint from L1 once for every two bits of a key, writes
 * each pixel once. Nothing waits.
 */
#include "kernels/common/rows.cuh"
#include "kernels/rank/sorted.cuh"
#include "kernels/rank/rank.h"
#include "kernels/rank/small.cuh"
#include "kernels/rank/windows.cuh"

template <typename T> struct digits_job {
  surroundings<typename rank_key<T>::type> s;
  surroundings_runs runs;
  view<T> out;
  int64_t rank;
};

/* The key of the rank in the window from `first` on. */
template <typename T>
__device__ __forceinline__ typename rank_key<T>::type
find_by_digits (const typename rank_key<T>::type *first, const surroundings_runs &runs, int64_t rank)
{
  typedef typename rank_key<T>::type K;
  typedef std::conditional_t<sizeof (K) == 8, uint64_t, uint32_t> word; /* in which is reckoned */
  word found = 0, most = 0;
  for (int shift = 8 * (int) sizeof (K) - 2; shift >= 0; shift -= 2) {
    word a = found + ((word) 1 << shift), b = found + ((word) 2 << shift), c = found + ((word) 3 << shift);
    int32_t less_a = 0, less_b = 0, less_c = 0;
    for (int64_t r = 0; r < runs.n; r++) {
      const K *p = first + runs.run[r].at;
#pragma unroll 4
      for (int32_t k = 0; k < runs.run[r].length; k++) {
        word v = p[k];
        less_a += v < a;
        less_b += v < b;
        less_c += v < c;
        if (rank_key<T>::real)
          most = v > most ? v : most;
      }
    }
    found = less_a > rank ? found : less_b > rank ? a : less_c > rank ? b : c;
  }
  return rank_key<T>::real && most == rank_key<T>::nan ? rank_key<T>::nan : (K) found;
}

template <typename T>
static fv_status
run_digits (const fv_call *call, fv_error *error)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  digits_job<T> j = {};
  j.out = view_of<T> (call->outputs[0]);
  j.rank = rank_of (call->op, a, neighborhood_count (a));
  if (make_surroundings<T> (call, &j.s, rank_key<T> (), error) || send_runs (call, &j.s, &j.runs, error))
    return error->code;
  columns_launch (call, j.out, [j] __device__ (int64_t z, int64_t y, int64_t x) {
    j.out.row (z, y)[x] =
      rank_key<T>::pixel (find_by_digits<T> (j.s.data + z * j.s.plane + y * j.s.row + x, j.runs, j.rank));
  });
  return cuda_status (cudaGetLastError (), "A rank filter", error);
}

template <typename T>
static fv_status
run_rank (const fv_call *call, fv_error *error)
{
  bool done = false;
  fv_status status = FV_OK;
  if constexpr (sizeof (T) <= 2)
    status = median_of_windows<T> (call, &done, error);
  if (!status && !done)
    status = median_of_small<T> (call, &done, error);
  if (!status && !done)
    status = rank_by_sorting<T> (call, &done, error);
  return status || done ? status : run_digits<T> (call, error);
}

fv_status
rank_cuda (const fv_call *call, fv_error *error)
{
  bool done;
  fv_status status = rank_as_morphology (call, FV_CUDA, &done, error);
  if (status || done)
    return status;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return with_type (call->inputs[0]->grid->type, [&] (auto zero) { return run_rank<decltype (zero)> (call, error); });
}
