/* SPDX-License-Identifier: MIT
 *
 * deconvolve on the GPU: the rounds of deconvolve.c with its passes here, each one kernel of 256 threads a block, a row for each block in turn. Of a
 * pixel the ratio reads two values and writes one, so does the product; the start writes one. No synchronisation.
 */
#include "kernels/convolve/deconvolve.h"
#include "kernels/common/row.cuh"

#include <type_traits>

enum { DECONVOLVE_THREADS = 256 };

/* f (from, to) for each pixel of two images of one size. */
template <typename T, typename R, typename F>
__device__ static void
deconvolve_each (const view<const T> &from, const view<R> &to, F f)
{
  for (int64_t line = blockIdx.x; line < to.planes * to.rows; line += gridDim.x) {
    const int64_t plane = line / to.rows, y = line - plane * to.rows;
    const T *a = from.row (plane, y);
    R *b = to.row (plane, y);
    for (int64_t x = threadIdx.x; x < to.columns; x += DECONVOLVE_THREADS)
      f (a[x], &b[x]);
  }
}

template <typename T>
__global__ static void
__launch_bounds__ (DECONVOLVE_THREADS) deconvolve_start_kernel (view<T> estimate)
{
  for (int64_t line = blockIdx.x; line < estimate.planes * estimate.rows; line += gridDim.x)
    for (int64_t x = threadIdx.x; x < estimate.columns; x += DECONVOLVE_THREADS)
      estimate.row (line / estimate.rows, line % estimate.rows)[x] = (T) 0.5;
}

template <typename In, typename T>
__global__ static void
__launch_bounds__ (DECONVOLVE_THREADS) deconvolve_ratio_kernel (view<const In> image, view<T> blurred)
{
  deconvolve_each (image, blurred, [] (In v, T *to) { *to = (T) v / (*to + (T) DECONVOLVE_LEAST); });
}

template <typename T>
__global__ static void
__launch_bounds__ (DECONVOLVE_THREADS) deconvolve_multiply_kernel (view<const T> factor, view<T> estimate)
{
  deconvolve_each (factor, estimate, [] (T v, T *to) { *to *= v; });
}

template <typename T, typename Out>
__global__ static void
__launch_bounds__ (DECONVOLVE_THREADS) deconvolve_write_kernel (view<const T> estimate, view<Out> out)
{
  deconvolve_each (estimate, out, [] (T v, Out *to) { *to = pixel_from<Out> (v); });
}

template <typename T>
__global__ static void
__launch_bounds__ (DECONVOLVE_THREADS) deconvolve_turn_kernel (view<const T> psf, view<T> turned)
{
  for (int64_t line = blockIdx.x; line < psf.planes * psf.rows; line += gridDim.x) {
    const int64_t plane = line / psf.rows, y = line - plane * psf.rows;
    const T *from = psf.row (psf.planes - 1 - plane, psf.rows - 1 - y);
    for (int64_t x = threadIdx.x; x < psf.columns; x += DECONVOLVE_THREADS)
      turned.row (plane, y)[x] = from[psf.columns - 1 - x];
  }
}

static unsigned
deconvolve_blocks (const fv_array *a)
{
  const int64_t lines = array_planes (a) * array_rows (a), most = 32 * (int64_t) multiprocessors ();
  return (unsigned) (lines < most ? lines : most);
}

/* Calls f (T ()) for the working type. */
template <typename F>
static void
deconvolve_working (const deconvolve_arrays *a, F f)
{
  if (a->estimate->grid->type == FV_F32)
    f (float ());
  else
    f (double ());
}

static fv_status
deconvolve_turn_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  with_type (a->psf->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    deconvolve_turn_kernel<T><<<deconvolve_blocks (a->psf), DECONVOLVE_THREADS, 0, cuda_stream (call)>>> (
      view_of<const T> (a->psf), view_of<T> (&a->turned.array));
  });
  return cuda_status (cudaGetLastError (), "Deconvolving", error);
}

static fv_status
deconvolve_start_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  deconvolve_working (a, [&] (auto zero) {
    using T = decltype (zero);
    deconvolve_start_kernel<T>
      <<<deconvolve_blocks (a->image), DECONVOLVE_THREADS, 0, cuda_stream (call)>>> (view_of<T> (a->estimate));
  });
  return cuda_status (cudaGetLastError (), "Deconvolving", error);
}

static fv_status
deconvolve_ratio_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  with_type (a->image->grid->type, [&] (auto from) {
    using In = decltype (from);
    using T = std::conditional_t<sizeof (In) == 8 || (sizeof (In) == 4 && In (0.5) == 0), double, float>;
    deconvolve_ratio_kernel<In, T><<<deconvolve_blocks (a->image), DECONVOLVE_THREADS, 0, cuda_stream (call)>>> (
      view_of<const In> (a->image), view_of<T> (&a->blurred.array));
  });
  return cuda_status (cudaGetLastError (), "Deconvolving", error);
}

static fv_status
deconvolve_multiply_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  deconvolve_working (a, [&] (auto zero) {
    using T = decltype (zero);
    deconvolve_multiply_kernel<T><<<deconvolve_blocks (a->image), DECONVOLVE_THREADS, 0, cuda_stream (call)>>> (
      view_of<const T> (&a->factor.array), view_of<T> (a->estimate));
  });
  return cuda_status (cudaGetLastError (), "Deconvolving", error);
}

static fv_status
deconvolve_write_cuda (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  with_type (a->output->grid->type, [&] (auto to) {
    using Out = decltype (to);
    deconvolve_working (a, [&] (auto zero) {
      using T = decltype (zero);
      deconvolve_write_kernel<T, Out><<<deconvolve_blocks (a->image), DECONVOLVE_THREADS, 0, cuda_stream (call)>>> (
        view_of<const T> (a->estimate), view_of<Out> (a->output));
    });
  });
  return cuda_status (cudaGetLastError (), "Deconvolving", error);
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
