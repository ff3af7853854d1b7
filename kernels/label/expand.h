/* SPDX-License-Identifier: MIT
 *
 * expand: out(p) = in(p) where that is not 0, else the label of the nearest pixel with one, if its center is not farther than
 * `distance` pixels, else 0. Of equally near ones that in the smallest column, then row, then plane. Axis by axis: with d the
 * squared distance to the nearest label so far, 0 on labels, the next one is min over i of (x - i)^2 + d(i) along the axis.
 * Reference: skimage.segmentation.expand_labels. P. Felzenszwalb, D. Huttenlocher, Theory of Computing 8 (2012) 415.
 */
#ifndef KERNELS_LABEL_EXPAND_H
#define KERNELS_LABEL_EXPAND_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EXPAND_MOST 10000     /* pixels */
#define EXPAND_FARTHEST 32767 /* pixels, for operations that use this one: the sum of two squares fits 32 bits */

typedef struct expand_args {
  double distance;
  bool volume;
} expand_args;

/* The largest squared distance, an integer, whose root is not above `distance`. */
static inline int32_t
expand_reach (const expand_args *a)
{
  int32_t reach = (int32_t) (a->distance * a->distance) + 1;
  while (sqrt ((double) reach) > a->distance)
    reach--;
  return reach;
}

fv_status expand_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
