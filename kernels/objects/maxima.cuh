/* SPDX-License-Identifier: MIT
 *
 * What both methods of maxima share on the GPU: values as integers of the same order, and rows of the table.
 */
#ifndef KERNELS_OBJECTS_MAXIMA_CUH
#define KERNELS_OBJECTS_MAXIMA_CUH

#include "kernels/common/blocks.cuh"
#include "kernels/objects/maxima.h"

enum { MAXIMA_THREADS = 256 };

/* A point at a pixel, counted through all planes; number 0: it is no maximum. */
struct maxima_row {
  int64_t at, number;
  double value;
};

__device__ static inline long long
maxima_key (double v)
{
  long long bits = __double_as_longlong (v);
  return bits < 0 ? bits ^ 0x7fffffffffffffffll : bits;
}

BOTH static inline double
maxima_of_key (long long key)
{
  long long bits = key < 0 ? key ^ 0x7fffffffffffffffll : key;
  double v;
  memcpy (&v, &bits, sizeof v);
  return v;
}

static inline unsigned
maxima_blocks (int64_t n)
{
  int64_t blocks = blocks_for (n, MAXIMA_THREADS), most = 16 * (int64_t) multiprocessors ();
  return (unsigned) (blocks < 1 ? 1 : blocks < most ? blocks : most);
}

/* Where a pixel is that is counted through all planes. */
struct maxima_place {
  int64_t z, y, x;

  template <typename T> __device__ maxima_place (const view<T> &v, int64_t i)
  {
    int64_t line = i / v.columns;
    x = i - line * v.columns;
    z = line / v.rows;
    y = line - z * v.rows;
  }
};

/* The rows whose number is not 0 make the table, and their count the scalar; `rows` are in host memory. */
fv_status maxima_table_cuda (const fv_call *call, const maxima_row *rows, int64_t n, fv_error *error);

#endif
