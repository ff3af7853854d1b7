/* SPDX-License-Identifier: MIT
 *
 * What both ways to match patches on the GPU share: planes with their channels, results, progress.
 */
#ifndef KERNELS_PATCH_MATCHING_CUH
#define KERNELS_PATCH_MATCHING_CUH

#include "kernels/common/common.cuh"
#include "kernels/patch/patch_match_args.h"

/* One plane with all its channels. */
template <typename T> struct channels_of {
  T *data;
  int64_t rows, columns, channel_stride, row_stride;

  /* The edges go on outside. */
  __device__ T nearest (int c, int64_t y, int64_t x) const
  {
    y = min (max (y, (int64_t) 0), rows - 1);
    x = min (max (x, (int64_t) 0), columns - 1);
    return data[c * channel_stride + y * row_stride + x];
  }
};

template <typename T>
static inline channels_of<T>
patch_plane (const fv_array *a, int64_t z)
{
  const DLTensor *t = &a->tensor;
  return {(T *) array_row (a, z, 0), t->shape[1], t->shape[2], t->strides[0] * grid_depth (a->grid), t->strides[1]};
}

struct matching {
  const fv_call *call;
  int radius, channels;
  int64_t depth;
};

/* Before launch `i` of `n` of a plane: lets the one before end, and asks whether to go on. */
static inline fv_status
next_launch (const matching &m, int64_t z, int64_t i, int64_t n, fv_error *error)
{
  if (m.depth * n > 1 && cuda_status (cudaStreamSynchronize (cuda_stream (m.call)), "Matching patches", error))
    return error->code;
  return m.call->host->tick (m.call, z * n + i, m.depth * n) ? cancelled (error) : FV_OK;
}

#endif
