/* SPDX-License-Identifier: MIT
 *
 * rank on the GPU: minima and maxima as morphology does them; else each thread finds the pixel of the rank digit by digit, two bits at a
 * time, by counting how many keys in its footprint are less than three numbers.
 *
 * rank_kernel: 256 threads a block, a pixel each in turn; reads the keys under the footprint from L1 once for every two bits of a key, writes
 * each pixel once. Nothing waits.
 */
#include "kernels/rank/rank.h"
#include "kernels/rank/surroundings.cuh"

#include <type_traits>

/* Keys are integers without sign of the same order; a NaN is the greatest. */
template <typename T> struct rank_key {
  static constexpr bool real = !std::is_integral<T>::value;
  typedef std::conditional_t<
    sizeof (T) == 1, uint8_t,
    std::conditional_t<sizeof (T) == 2, uint16_t, std::conditional_t<sizeof (T) == 4, uint32_t, uint64_t>>>
    type;
  static constexpr type top = std::is_signed<T>::value || real ? (type) ((type) 1 << (8 * sizeof (T) - 1)) : 0;
  static constexpr type nan = (type) ~(type) 0;

  __device__ type operator() (T v) const
  {
    type bits;
    memcpy (&bits, &v, sizeof v);
    if (real)
      return v != v ? nan : bits & top ? (type) ~bits : (type) (bits | top);
    return bits ^ top;
  }

  static __device__ T pixel (type key)
  {
    T v;
    type bits = real && !(key & top) ? (type) ~key : (type) (key ^ top);
    memcpy (&v, &bits, sizeof v);
    return v;
  }
};

template <typename T>
__global__ static void __launch_bounds__ (256)
  rank_kernel (surroundings<typename rank_key<T>::type> s, view<T> out, int64_t rank)
{
  typedef typename rank_key<T>::type K;
  typedef std::conditional_t<sizeof (K) == 8, uint64_t, uint32_t> word; /* in which is reckoned */
  int64_t pixels = out.rows * out.columns;
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < out.planes * pixels; i += (int64_t) gridDim.x * 256) {
    int64_t z = i / pixels, y = i % pixels / out.columns, x = i % out.columns;
    const K *centre = s.data + z * s.plane + y * s.row + x;
    word found = 0, most = 0;
    for (int shift = 8 * (int) sizeof (K) - 2; shift >= 0; shift -= 2) {
      word a = found + ((word) 1 << shift), b = found + ((word) 2 << shift), c = found + ((word) 3 << shift);
      int32_t less_a = 0, less_b = 0, less_c = 0;
      for (int64_t r = 0; r < s.n_runs; r++) {
        const K *p = centre + s.runs[r].at;
#pragma unroll 4
        for (int32_t k = 0; k < s.runs[r].length; k++) {
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
    bool nan = rank_key<T>::real && most == rank_key<T>::nan;
    out.row (z, y)[x] = rank_key<T>::pixel (nan ? rank_key<T>::nan : (K) found);
  }
}

template <typename T>
static fv_status
run_rank (const fv_call *call, fv_error *error)
{
  const neighbourhood_args *a = (const neighbourhood_args *) call->args;
  surroundings<typename rank_key<T>::type> s;
  view<T> out = view_of<T> (call->outputs[0]);
  if (make_surroundings<T> (call, &s, rank_key<T> (), error))
    return error->code;
  rank_kernel<T><<<surroundings_blocks (out.planes * out.rows * out.columns), 256, 0, cuda_stream (call)>>> (
    s, out, rank_of (call->op, a, neighbourhood_count (a)));
  return cuda_status (cudaGetLastError (), "A rank filter", error);
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
