/* SPDX-License-Identifier: MIT
 *
 * One kernel for operations that make row after row: 256 threads a block, a row for each block in turn, a pixel for each thread in turn.
 * Nothing is waited for.
 */
#ifndef KERNELS_COMMON_ROWS_CUH
#define KERNELS_COMMON_ROWS_CUH

#include "kernels/common/planes.cuh"
#include "kernels/common/row.cuh"

#include <type_traits>

enum { ROWS_THREADS = 256 };

/* row (plane, y) gives what is called for each column of that row. */
template <typename Row>
__global__ static void
__launch_bounds__ (ROWS_THREADS)
  rows_kernel (const __grid_constant__ Row row, int64_t planes, int64_t rows, int64_t columns)
{
  for (int64_t line = blockIdx.x; line < planes * rows; line += gridDim.x) {
    const int64_t plane = line / rows, y = line - plane * rows;
    const auto pixel = row (plane, y);
    for (int64_t x = threadIdx.x; x < columns; x += ROWS_THREADS)
      pixel (x);
  }
}

/* Blocks for so many rows. */
static inline unsigned
rows_blocks (int64_t lines)
{
  const int64_t most = 32 * (int64_t) multiprocessors ();
  return (unsigned) (lines < most ? lines : most);
}

/* For each pixel of an array of that size: `over` is any view. */
template <typename V, typename Row>
static void
rows_launch (const fv_call *call, const view<V> &over, const Row &row)
{
  rows_kernel<<<rows_blocks (over.planes * over.rows), ROWS_THREADS, 0, cuda_stream (call)>>> (row, over.planes,
                                                                                               over.rows, over.columns);
}

/* f (plane, y, x) for each pixel: a thread for each column, in the rows and planes of its block. */
template <typename F>
__global__ static void
__launch_bounds__ (ROWS_THREADS)
  columns_kernel (const __grid_constant__ F f, int64_t planes, int64_t rows, int64_t columns)
{
  const int64_t x = (int64_t) blockIdx.x * ROWS_THREADS + threadIdx.x;
  if (x >= columns)
    return;
  for (int64_t plane = blockIdx.z; plane < planes; plane += gridDim.z)
    for (int64_t y = blockIdx.y; y < rows; y += gridDim.y)
      f (plane, y, x);
}

/* For pixels that take long: as many threads as there are pixels. */
template <typename V, typename F>
static void
columns_launch (const fv_call *call, const view<V> &over, const F &f)
{
  columns_kernel<<<grid_of_rows (over.planes, over.rows, blocks_for (over.columns, ROWS_THREADS)), ROWS_THREADS, 0,
                   cuda_stream (call)>>> (f, over.planes, over.rows, over.columns);
}

/* ---- Types of an output: f (T (), R ()) for an input of type T ---- */

struct to_same {
  template <typename T, typename F> static void call (fv_type, fv_type, T zero, F f)
  {
    f (zero, zero);
  }
};

/* The type of the input, float or double. */
struct to_same_or_float {
  template <typename T, typename F> static void call (fv_type from, fv_type to, T zero, F f)
  {
    if (to == from)
      f (zero, zero);
    else if (to == FV_F32)
      f (zero, float ());
    else
      f (zero, double ());
  }
};

struct to_any {
  template <typename T, typename F> static void call (fv_type, fv_type to, T zero, F f)
  {
    with_type (to, [&] (auto other) { f (zero, other); });
  }
};

template <typename R> struct to_type {
  template <typename T, typename F> static void call (fv_type, fv_type, T zero, F f)
  {
    f (zero, R ());
  }
};

/* ---- Rows and points of any type ---- */

template <typename T, typename R, typename F> struct typed_rows {
  view<const T> in;
  view<R> out;
  F f;

  __device__ __forceinline__ auto operator() (int64_t plane, int64_t y) const
  {
    return f (in, out, plane, y);
  }
};

/* For each pixel of some planes: f (view<const T> in, view<R> out, plane, y), of any T and the R that To says, gives what is called for each
 * column. plane counts from `first` on. */
template <typename To, typename F>
static void
rows_over (const fv_call *call, const fv_array *in, const fv_array *out, int64_t first, int64_t planes, const F &f)
{
  with_type (in->grid->type, [&] (auto from) {
    To::call (in->grid->type, out->grid->type, from, [&] (auto zero, auto to) {
      using T = decltype (zero);
      using R = decltype (to);
      const view<R> made = view_of_planes<R> (out, first, planes);
      rows_launch (call, made, typed_rows<T, R, F>{view_of_planes<const T> (in, first, planes), made, f});
    });
  });
}

/* The same for all pixels. what: said of a launch that failed. */
template <typename To, typename F>
static fv_status
rows_between (const fv_call *call, const fv_array *in, const fv_array *out, const F &f, const char *what,
              fv_error *error)
{
  rows_over<To> (call, in, out, 0, array_planes (out), f);
  return cuda_status (cudaGetLastError (), what, error);
}

/* The whole of an operation that makes its first output of its first input. */
template <typename To, typename F>
static fv_status
rows_cuda (const fv_call *call, const F &f, const char *what, fv_error *error)
{
  return call->host->tick (call, 0, 1) ? cancelled (error)
                                       : rows_between<To> (call, call->inputs[0], call->outputs[0], f, what, error);
}

/* Floats are rounded to nearest and clamped to the type, and NaN gives 0 in integers. */
template <typename R, typename V>
__device__ __forceinline__ void
set_pixel (R &to, V value)
{
  if constexpr (std::is_integral<V>::value)
    to = (R) value;
  else
    to = pixel_from<R> (value);
}

template <typename F> struct point_rows {
  F f;

  template <typename T, typename R>
  __device__ __forceinline__ auto operator() (const view<const T> &in, const view<R> &out, int64_t plane,
                                              int64_t y) const
  {
    const T *from = in.row (plane, y);
    R *to = out.row (plane, y);
    return [from, to, this] (int64_t x) { set_pixel (to[x], f ((double) from[x])); };
  }
};

/* Each pixel of the first output is f (double) of the same of the first input. */
template <typename To, typename F>
static fv_status
point_cuda (const fv_call *call, const F &f, const char *what, fv_error *error)
{
  return rows_cuda<To> (call, point_rows<F>{f}, what, error);
}

#endif
