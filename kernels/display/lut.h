/* SPDX-License-Identifier: MIT
 *
 * Look-up tables: 256 colors each. fire is ImageJ's, viridis and cividis are matplotlib's.
 * - glasbey: black, then 255 colors, each as far as possible from those before, by Glasbey's method.
 * - labels: the same for values as they are, see display.h.
 */
#ifndef KERNELS_DISPLAY_LUT_H
#define KERNELS_DISPLAY_LUT_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lut {
  LUT_GRAY,
  LUT_INVERTED,
  LUT_RED,
  LUT_GREEN,
  LUT_BLUE,
  LUT_MAGENTA,
  LUT_CYAN,
  LUT_YELLOW,
  LUT_FIRE,
  LUT_VIRIDIS,
  LUT_CIVIDIS,
  LUT_GLASBEY,
  LUT_LABELS,
  LUTS
} lut;

extern const char *const lut_names[LUTS];

/* The table with that name of n bytes, or LUTS. */
lut lut_find (const char *name, size_t n);

/* 256 colors, 0x00bbggrr. */
void lut_fill (lut which, uint32_t table[256]);

/* Tables as text: 256 colors "rrggbb" of each in hexadecimal digits, separated by commas. Returns their number; -1: the text is not a list of
 * colors. */
int lut_texts (const char *tables);
/* Number k of them, from 0, as lut_fill() has it. */
void lut_of_text (const char *tables, int k, uint32_t table[256]);

/* Color of a label in the glasbey table: labels above 0 in turn, 0 and below black. */
INLINE uint32_t
lut_of_label (const uint32_t glasbey[256], int32_t label)
{
  return glasbey[label > 0 ? ((uint32_t) label - 1) % 255 + 1 : 0];
}

#ifdef __cplusplus
}
#endif

#endif
