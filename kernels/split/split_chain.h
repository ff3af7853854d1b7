/* SPDX-License-Identifier: MIT
 *
 * The chain of operations that split is, with its arrays and with passes over the pixels that a device has.
 */
#ifndef KERNELS_SPLIT_SPLIT_CHAIN_H
#define KERNELS_SPLIT_SPLIT_CHAIN_H

#include "kernels/common/scratch_image.h"
#include "kernels/split/split_args.h"

/* All but mask and from are in scratch of the device, as large as the mask. */
typedef struct split_arrays {
  const fv_array *mask, *from; /* from: what is smoothed */
  scratch_image distance, wide, smooth, level, peaks, lower, tops, markers, stairs,
    seeds;     /* by ImageJ: steps of the distance, and those of the areas alone; what was taken is in stairs then */
  float *most; /* the greatest distance of each plane */
  void *spare; /* 8 bytes for each pixel, when nothing but stairs and seeds is needed any more */
} split_arrays;

/* Beyond the image, where it is smoothed. */
#define SPLIT_BORDER BORDER_NEAREST

/* A pass over the pixels. */
typedef fv_status split_pass (const fv_call *call, const split_arrays *s, fv_error *error);

/* The passes on one kind of device. */
typedef struct split_passes {
  fv_device_kind kind;
  split_pass *widen; /* wide is `from` */
  split_pass *level; /* level is f, of smooth; peaks is f - h */
  split_pass *lower; /* lower is peaks where a neighbor of them is higher, else the next number below */
  split_pass *mark;  /* tops is 255 where lower, which was reconstructed, still is below peaks, else 0 */
  split_pass *near, *heights, *stairs,
    *grow; /* by ImageJ: distance and most; level and peaks; stairs and seeds; stairs */
} split_passes;

/* What is flooded: the call's image, or a smaller one. */
typedef struct split_work {
  const fv_array *mask, *from, *labels; /* from: NULL for the distances of the call's mask */
} split_work;

#ifdef __cplusplus
extern "C" {
#endif

/* The distances of the call's mask. */
fv_status split_distance (const fv_call *call, fv_device_kind kind, const scratch_image *to, fv_error *error);
/* How many pixels away what is smoothed counts, along z, y or x. */
int64_t split_reach (const split_args *a, const fv_grid *mask, int axis);

/* Floods the objects of a mask: `labels` has those of all pixels, s->markers those of the peaks, and the call's scalar how many there are. */
fv_status split_flood (const fv_call *call, const split_passes *passes, const split_work *work, split_arrays *s,
                       fv_error *error);
/* The whole operation. */
fv_status split_run (const fv_call *call, const split_passes *passes, fv_error *error);

/* Scratch of the arrays, and of the operations in the chain. */
int64_t split_chain_bytes (const split_args *a, const fv_grid *const *in);
/* Whether the image can be smoothed so far. */
fv_status split_check_sigma (const split_args *a, const fv_grid *mask, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
