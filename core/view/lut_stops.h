/* SPDX-License-Identifier: MIT
 *
 * A look-up table as a few colors at positions from 0 to 255 with linear interpolation: what the user draws.
 */
#ifndef CORE_VIEW_LUT_STOPS_H
#define CORE_VIEW_LUT_STOPS_H

#include "core/view/lut_file.h"

typedef struct LutStop {
  int at; /* 0 ... 255 */
  guint8 rgb[3];
} LutStop;

/* n is at least 1, and positions ascend. Beyond the first and the last one the color is constant. The number of colors, 2 to 256, is `steps`: each
 * is for an equal part of the values and sampled at equal distances from end to end. */
void lut_of_stops (const LutStop *stops, guint n, int steps, Lut *lut);
/* So few of the table's colors that none between them is off by more than 1: an array of LutStop. Free with g_array_unref(). */
GArray *lut_stops_of (const Lut *lut);
/* The other way round: what is darkest is brightest. */
void lut_stops_reverse (GArray *stops);
/* Each color becomes its complement. */
void lut_stops_invert (GArray *stops);

#endif
