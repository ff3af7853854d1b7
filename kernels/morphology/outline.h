/* SPDX-License-Identifier: MIT
 *
 * outline: out(p) = in(p) where p is foreground and a neighbor of p is not of its object, else 0. In a mask all foreground is one object; in labels
 * and other images an object is one value, neither 0 nor NaN. Objects end at the border of the image, so that it closes outlines. Reference: in &
 * ~scipy.ndimage.binary_erosion (in); ImageJ's Outline is connectivity 8.
 */
#ifndef KERNELS_MORPHOLOGY_OUTLINE_H
#define KERNELS_MORPHOLOGY_OUTLINE_H

#include "kernels/label/label.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows in which a pixel has neighbors, relative to its own, which is the first; reach: see label_reach(). */
typedef struct outline_near {
  int dz, dy, reach;
} outline_near;
typedef struct outline_rows {
  int n;
  outline_near row[9];
} outline_rows;

/* args: a label_args. */
static inline outline_rows
outline_rows_of (const void *args)
{
  const label_args *a = (const label_args *) args;
  outline_rows rows = {1, {{0, 0, 1}}};
  for (int i = 0; i < 9; i++) {
    int dz = i / 3 - 1, dy = i % 3 - 1, reach = label_reach (a, dz, dy);
    outline_near near = {dz, dy, reach};
    if ((dz || dy) && reach >= 0)
      rows.row[rows.n++] = near;
  }
  return rows;
}

fv_status outline_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
