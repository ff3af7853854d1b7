/* SPDX-License-Identifier: MIT
 *
 * How often each value occurs in a plane.
 */
#ifndef CORE_COUNTS_H
#define CORE_COUNTS_H

#include "image.h"
#include "range.h"

enum { COUNTS_BINS = 256 };

typedef struct Counts {
  Range range; /* least and greatest finite value; bins are equal parts of it; 0, 0 when no value is finite */
  guint64 bins[COUNTS_BINS];
} Counts;

/* Counts a plane in host memory; every so many pixels when there are very many. */
void counts_of_plane (Counts *counts, const ImageInfo *info, const void *pixels);
/* The limits between which all but `saturated` of the pixels lie, half of them at each end. */
void counts_limits (const Counts *counts, double saturated, double *low, double *high);

#endif
