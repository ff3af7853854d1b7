/* SPDX-License-Identifier: MIT
 *
 * label2rgb: colors of labels.
 * - classic: color rank % 10, where rank counts from 0 the labels that occur in the frame.
 * - distinct: hue by the golden ratio times the label, in integers, so that every device gives the same.
 * - plain: the color.
 * - overlay: color * alpha + gray * (1 - alpha), with gray the largest channel of the overlay image.
 * - outlines: the color where find_boundaries holds in its plane, else the overlay image. Background and labels below 0 are black. Rounding: to
 *   nearest, after scaling to 0 ... 255.
 */
#ifndef KERNELS_DISPLAY_LABEL2RGB_H
#define KERNELS_DISPLAY_LABEL2RGB_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum label2rgb_mode { LABEL2RGB_PLAIN, LABEL2RGB_OVERLAY, LABEL2RGB_OUTLINES } label2rgb_mode;
typedef enum label2rgb_palette { LABEL2RGB_CLASSIC, LABEL2RGB_DISTINCT } label2rgb_palette;
typedef enum label2rgb_background { LABEL2RGB_BLACK, LABEL2RGB_IMAGE } label2rgb_background;
typedef enum label2rgb_boundary { LABEL2RGB_THICK, LABEL2RGB_INNER, LABEL2RGB_OUTER } label2rgb_boundary;
typedef enum label2rgb_contrast { LABEL2RGB_TYPE, LABEL2RGB_RANGE } label2rgb_contrast;

typedef struct label2rgb_args {
  int32_t mode, palette;
  double alpha;
  int32_t background, boundary, contrast;
} label2rgb_args;

/* 0x00bbggrr: red, blue, yellow, magenta, green, indigo, dark orange, cyan, pink, yellow-green. */
static const uint32_t label2rgb_classic[10] = {0x0000ff, 0xff0000, 0x00ffff, 0xff00ff, 0x008000,
                                               0x82004b, 0x008cff, 0xffff00, 0xcbc0ff, 0x32cd9a};

/* 0x00bbggrr of a label above 0. */
INLINE uint32_t
label2rgb_distinct (int32_t label)
{
  uint32_t hue = ((uint32_t) label * 2654435769u >> 16) * 6; /* 2^32 / golden ratio; sixths in 16 bits */
  uint32_t fraction = (hue & 0xffff) >> 8, kind = (uint32_t) label % 3;
  uint32_t v = kind == 1 ? 190 : 255, low = v * (kind == 2 ? 115 : 25) / 255;
  uint32_t up = low + (v - low) * fraction / 255, down = v - (v - low) * fraction / 255;
  switch (hue >> 16) {
  case 0: return v | up << 8 | low << 16;
  case 1: return down | v << 8 | low << 16;
  case 2: return low | v << 8 | up << 16;
  case 3: return low | down << 8 | v << 16;
  case 4: return up | low << 8 | v << 16;
  default: return v | low << 8 | down << 16;
  }
}

fv_status label2rgb_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
