/* SPDX-License-Identifier: MIT
 *
 * split on the GPU: the chain of split_chain.c with its four passes here, each a kernel of items.cuh over the pixels of all planes. Bytes a pixel:
 * - widen_cuda reads the value and writes 8.
 * - level_cuda reads 9 and writes 8.
 * - lower_cuda reads 4, and those of neighbors mostly from L1 and L2, and writes 4.
 * - mark_cuda reads 8 and writes one.
 */
#include "kernels/split/split.h"
#include "kernels/split/split_imagej.h"
#include "kernels/split/split_pixels.cuh"

template <typename T> struct split_widen {
  view<const T> from;
  double *wide;

  __device__ void operator() (int64_t i) const
  {
    const pixel_position p = position_of (from, i);
    wide[i] = (double) from.row (p.z, p.y)[p.x];
  }
};

static fv_status
widen_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  double *wide = pixels_of_split<double> (&s->wide);
  return with_type (s->from->grid->type, [&] (auto zero) {
    typedef decltype (zero) T;
    return each_pixel_of_split (call, s, split_widen<T>{view_of<const T> (s->from), wide}, error);
  });
}

static fv_status
level_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const view<const uint8_t> mask = view_of<const uint8_t> (call->inputs[SPLIT_MASK]);
  const double *smooth = pixels_of_split<double> (&s->smooth);
  float *level = pixels_of_split<float> (&s->level), *peaks = pixels_of_split<float> (&s->peaks);
  const float h = (float) ((const split_args *) call->args)->h;
  auto make = [=] __device__ (int64_t i) {
    const pixel_position p = position_of (mask, i);
    const float f = split_level (smooth[i], mask.row (p.z, p.y)[p.x]);
    level[i] = f;
    peaks[i] = f - h;
  };
  return each_pixel_of_split (call, s, make, error);
}

/* Beyond the image a pixel is its own neighbor. */
static fv_status
lower_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const view<const float> peaks = view_of<const float> (&s->peaks.array);
  float *lower = pixels_of_split<float> (&s->lower);
  auto make = [=] __device__ (int64_t i) {
    const pixel_position p = position_of (peaks, i);
    const float *at = peaks.data + i; /* without gaps */
    lower[i] = split_lowered (*at, p.y > 0 ? at[-peaks.columns] : *at, p.y < peaks.rows - 1 ? at[peaks.columns] : *at,
                              p.x > 0 ? at[-1] : *at, p.x < peaks.columns - 1 ? at[1] : *at);
  };
  return each_pixel_of_split (call, s, make, error);
}

static fv_status
mark_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const float *peaks = pixels_of_split<float> (&s->peaks), *lower = pixels_of_split<float> (&s->lower);
  uint8_t *tops = pixels_of_split<uint8_t> (&s->tops);
  auto mark = [=] __device__ (int64_t i) { tops[i] = peaks[i] > lower[i] ? 255 : 0; };
  return each_pixel_of_split (call, s, mark, error);
}

extern "C" fv_status
split_cuda (const fv_call *call, fv_error *error)
{
  const split_passes passes = {FV_CUDA,         widen_cuda,         level_cuda,        lower_cuda,     mark_cuda,
                               split_near_cuda, split_heights_cuda, split_stairs_cuda, split_grow_cuda};
  return split_run (call, &passes, error);
}
