/* SPDX-License-Identifier: MIT
 *
 * reconstruct_grey: by dilation, the parts of peaks of the mask that the seed touches. It is the smallest image not below min (seed, mask) that stays
 * the same under out(p) = min (mask(p), max over p and its neighbors q of out(q)). By erosion the same with max and min exchanged. NaN of seed or
 * mask stays and is a wall; what lies outside the image has no part in it.
 * Reference: skimage.morphology.reconstruction. L. Vincent, IEEE Trans. Image Process. 2 (1993) 176.
 */
#ifndef KERNELS_MORPHOLOGY_RECONSTRUCT_GREY_H
#define KERNELS_MORPHOLOGY_RECONSTRUCT_GREY_H

#include "kernels/label/label.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum reconstruct_grey_method { RECONSTRUCT_BY_DILATION, RECONSTRUCT_BY_EROSION } reconstruct_grey_method;

typedef struct reconstruct_grey_args {
  int32_t method;       /* reconstruct_grey_method */
  int32_t connectivity; /* label_connectivity */
  bool volume;
} reconstruct_grey_args;

enum { RECONSTRUCT_SEED, RECONSTRUCT_MASK };

static inline label_args
reconstruct_grey_neighbors (const reconstruct_grey_args *a)
{
  label_args neighbors = {0};
  neighbors.connectivity = a->connectivity;
  neighbors.volume = a->volume;
  return neighbors;
}

extern const fv_op fv_op_reconstruct_grey;

/* The seed may lie where the output does. */
fv_status reconstruct_grey_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
