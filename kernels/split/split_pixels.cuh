/* SPDX-License-Identifier: MIT
 *
 * The pixels of the arrays of split, on the GPU.
 */
#ifndef KERNELS_SPLIT_SPLIT_PIXELS_CUH
#define KERNELS_SPLIT_SPLIT_PIXELS_CUH

#include "kernels/common/items.cuh"
#include "kernels/split/split_chain.h"

template <typename T>
static inline T *
pixels_of_split (const scratch_image *a)
{
  return (T *) a->array.tensor.data;
}

/* Calls f (i) for each pixel of all planes. */
template <typename F>
static inline fv_status
each_pixel_of_split (const fv_call *call, const split_arrays *s, const F &f, fv_error *error)
{
  const fv_array *level = &s->level.array;
  items_launch (call, array_planes (level) * array_rows (level) * array_columns (level), f);
  return cuda_status (cudaGetLastError (), "Splitting", error);
}

#endif
