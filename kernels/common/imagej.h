/* SPDX-License-Identifier: MIT
 *
 * Short forms for what operations declare of ImageJ's commands, fv_op.imagej.
 */
#ifndef KERNELS_COMMON_IMAGEJ_H
#define KERNELS_COMMON_IMAGEJ_H

#include "fovea-plugin.h"

#define IMAGEJ_WORDS(...)                                                                                              \
  .words = (const fv_imagej_word[])                                                                                    \
  {                                                                                                                    \
    __VA_ARGS__,                                                                                                       \
    {                                                                                                                  \
      0                                                                                                                \
    }                                                                                                                  \
  }
#define IMAGEJ_STACK                                                                                                   \
  {                                                                                                                    \
    "stack", ""                                                                                                        \
  } /* the word that means all slices */

/* A filter of every image, in the selection, of the current slice or all of them. */
#define IMAGEJ_FILTER .images = FV_IMAGEJ_ANY, .area = FV_IMAGEJ_AREA_CHANGED, .slices = FV_IMAGEJ_SLICES_STACK
/* A command of masks that works in the selection, ignores it, or does something else there. */
#define IMAGEJ_MASK .images = FV_IMAGEJ_BINARY, .area = FV_IMAGEJ_AREA_CHANGED, .slices = FV_IMAGEJ_SLICES_STACK
#define IMAGEJ_MASK_WHOLE .images = FV_IMAGEJ_BINARY, .area = FV_IMAGEJ_AREA_IGNORED, .slices = FV_IMAGEJ_SLICES_STACK
#define IMAGEJ_MASK_OTHER .images = FV_IMAGEJ_BINARY, .area = FV_IMAGEJ_AREA_OTHER, .slices = FV_IMAGEJ_SLICES_STACK
/* A command that changes the size of an image of any kind. */
#define IMAGEJ_WHOLE .images = FV_IMAGEJ_ANY, .area = FV_IMAGEJ_AREA_OTHER, .range = FV_IMAGEJ_RANGE_FOLLOWS

#endif
