/* SPDX-License-Identifier: MIT
 *
 * deconvolve on the GPU: the rounds of deconvolve.c with its passes here, each one launch of the kernel of rows.cuh. Of a
 * pixel the ratio reads two values and writes one, so does the product; the start writes one. No synchronization.
 */
#include "kernels/convolve/deconvolve.h"
#include "kernels/common/rows.cuh"

#include <type_traits>

template <typename To, typename F>
static fv_status
deconvolve_rows (const fv_call *call, const fv_array *from, const fv_array *to, const F &f, fv_error *error)
{
  return rows_between<To> (call, from, to, f, "Deconvolving", error);
}

static fv_status
deconvolve_turn_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  auto turn = [] __device__ (const auto &psf, const auto &turned, int64_t plane, int64_t y) {
    auto *from = psf.row (psf.planes - 1 - plane, psf.rows - 1 - y) + psf.columns - 1;
    return [from, to = turned.row (plane, y)] (int64_t x) { to[x] = from[-x]; };
  };
  return deconvolve_rows<to_same> (call, a->psf, &a->turned.array, turn, error);
}

static fv_status
deconvolve_start_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  auto start = [] __device__ (const auto &, const auto &estimate, int64_t plane, int64_t y) {
    return [to = estimate.row (plane, y)] (int64_t x) { set_pixel (to[x], 0.5f); };
  };
  return deconvolve_rows<to_same> (call, a->estimate, a->estimate, start, error);
}

static fv_status
deconvolve_ratio_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  auto divide = [] __device__ (const auto &image, const auto &blurred, int64_t plane, int64_t y) {
    return [v = image.row (plane, y), to = blurred.row (plane, y)] (int64_t x) {
      using T = std::decay_t<decltype (*to)>;
      to[x] = (T) v[x] / (to[x] + (T) DECONVOLVE_LEAST);
    };
  };
  return deconvolve_rows<to_same_or_float> (call, a->image, &a->blurred.array, divide, error);
}

static fv_status
deconvolve_multiply_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  auto multiply = [] __device__ (const auto &factor, const auto &estimate, int64_t plane, int64_t y) {
    return [by = factor.row (plane, y), to = estimate.row (plane, y)] (int64_t x) { to[x] *= by[x]; };
  };
  return deconvolve_rows<to_same> (call, &a->factor.array, a->estimate, multiply, error);
}

static fv_status
deconvolve_write_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  auto write = [] __device__ (const auto &estimate, const auto &out, int64_t plane, int64_t y) {
    return [from = estimate.row (plane, y), to = out.row (plane, y)] (int64_t x) { set_pixel (to[x], from[x]); };
  };
  return deconvolve_rows<to_any> (call, a->estimate, a->output, write, error);
}

extern "C" fv_status
deconvolve_cuda (const fv_call *call, fv_error *error)
{
  const deconvolve_passes passes = {FV_CUDA,
                                    deconvolve_turn_cuda,
                                    deconvolve_start_cuda,
                                    deconvolve_ratio_cuda,
                                    deconvolve_multiply_cuda,
                                    deconvolve_write_cuda};
  return deconvolve_run (call, &passes, error);
}
