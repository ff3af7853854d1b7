/* SPDX-License-Identifier: MIT
 */
#ifndef KERNELS_NETWORK_SEGMENT_PASSES_H
#define KERNELS_NETWORK_SEGMENT_PASSES_H

#include "kernels/network/segment_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the two devices do; FV_CPU or FV_CUDA. All arrays are of the device but where it says otherwise. */
typedef struct segment_passes {
  fv_device_kind kind;
  /* The network's input tensor of a tile. */
  fv_status (*fill) (const fv_call *call, const segment_plane *p, const segment_tile *t, const network_view *input,
                     fv_error *error);
  fv_status (*network) (const fv_call *call, const network *net, const network_plan *plan, const float *weights,
                        float *memory, fv_error *error);
  /* The stars of a tile, in any order; *n is 0 before. */
  fv_status (*find) (const fv_call *call, const segment_plane *p, const segment_tile *t, const network_view *out,
                     star *stars, int32_t *n, fv_error *error);
  fv_status (*spread) (const fv_call *call, const segment_plane *p, const segment_tile *t, const network_view *out,
                       const segment_maps *maps, fv_error *error);
  /* Adds the pixels of each shape to its sums. */
  fv_status (*sum) (const fv_call *call, const segment_plane *p, const segment_shape *shapes, int64_t n,
                    const segment_maps *maps, segment_sums *sums, fv_error *error);
  /* Seeds of n shapes, of which the first one has each pixel, and the mask. */
  fv_status (*paint) (const fv_call *call, const segment_shape *shapes, int64_t n, const segment_maps *maps,
                      fv_error *error);
  /* pixels[label]: how many have it, in an image of that size; they are 0 before. */
  fv_status (*count) (const fv_call *call, const int32_t *labels, int64_t n, int32_t *pixels, fv_error *error);
  /* Labels of fewer than `least` pixels become 0. */
  fv_status (*drop) (const fv_call *call, int32_t *labels, int64_t n, const int32_t *pixels, int32_t least,
                     fv_error *error);
} segment_passes;

/* Those of the CPU, in segment.c, and of the GPU, in segment.cu. */
extern const segment_passes segment_on_cpu, segment_on_cuda;

#ifdef __cplusplus
}
#endif

#endif
