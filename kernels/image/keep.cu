/* SPDX-License-Identifier: MIT
 *
 * keep on the GPU: one kernel of items.cuh over the pixels of all planes; reads a byte of the mask and one pixel, of the
 * image inside or the image outside, and writes one.
 */
#include "kernels/image/keep.h"
#include "kernels/common/items.cuh"

struct kept_plane {
  const char *data;
  fv_type type;
  int64_t plane, row; /* strides in pixels */
  int64_t planes_each, channels;
};

struct keeping {
  kept_plane in, inside, outside; /* outside.data NULL: none */
  char *out;
  int64_t out_plane, out_row, depth, rows, columns, count;
  bool invert;
};

__device__ __forceinline__ int64_t
offset_at (const kept_plane &p, const keeping &k, int64_t plane, int64_t y, int64_t x)
{
  int64_t z = p.planes_each == 1 ? 0 : plane % k.depth, c = p.channels == 1 ? 0 : plane / k.depth;
  return (c * p.planes_each + z) * p.plane + y * p.row + x;
}

template <typename T>
__device__ __forceinline__ T
pixel (const kept_plane &p, int64_t i)
{
  switch (p.type) {
  case FV_U8: return (T) ((const uint8_t *) p.data)[i];
  case FV_U16: return (T) ((const uint16_t *) p.data)[i];
  case FV_I32: return (T) ((const int32_t *) p.data)[i];
  case FV_F32: return (T) ((const float *) p.data)[i];
  default: return (T) ((const double *) p.data)[i];
  }
}

template <typename T> struct keep_pixel {
  keeping k;

  __device__ void operator() (int64_t i) const
  {
    const pixel_position p = position_of (k, i);
    const bool kept = (k.inside.data[offset_at (k.inside, k, p.z, p.y, p.x)] != 0) != k.invert;
    const kept_plane &from = kept ? k.in : k.outside;
    ((T *) k.out)[p.z * k.out_plane + p.y * k.out_row + p.x] =
      from.data ? pixel<T> (from, offset_at (from, k, p.z, p.y, p.x)) : 0;
  }
};

static kept_plane
planes_of (const fv_array *a)
{
  return {(const char *) a->tensor.data,         a->grid->type,    a->tensor.strides[0], a->tensor.strides[1],
          a->grid->shape[0] / a->grid->channels, a->grid->channels};
}

extern "C" fv_status
keep_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[KEEP_IMAGE], *outside = call->inputs[KEEP_OUTSIDE], *out = call->outputs[0];
  keeping k = {};
  k.in = planes_of (in), k.inside = planes_of (call->inputs[KEEP_INSIDE]);
  if (outside)
    k.outside = planes_of (outside);
  k.out = (char *) out->tensor.data, k.out_plane = out->tensor.strides[0], k.out_row = out->tensor.strides[1];
  k.depth = in->grid->shape[0] / in->grid->channels, k.rows = array_rows (out), k.columns = array_columns (out);
  k.count = array_planes (out) * k.rows * k.columns;
  k.invert = ((const keep_args *) call->args)->invert;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) { items_launch (call, k.count, keep_pixel<decltype (zero)>{k}); });
  return cuda_status (cudaGetLastError (), "Keeping the inside", error);
}
