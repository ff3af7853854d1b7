/* SPDX-License-Identifier: MIT
 *
 * How often each value occurs in a plane.
 */
#ifndef CORE_VIEW_COUNTS_H
#define CORE_VIEW_COUNTS_H

#include "core/data/image.h"
#include "core/view/range.h"

enum { COUNTS_BINS = 256 };

typedef struct Counts {
  Range range; /* least and greatest finite value; bins are equal parts of it; 0, 0 when no value is finite */
  guint64 bins[COUNTS_BINS];
} Counts;

/* Counts a plane in host memory; every so many pixels when there are very many. */
void counts_of_plane (Counts *counts, const ImageInfo *info, const void *pixels);
/* Those of several planes together. */
void counts_join (Counts *all, const Counts *planes, guint n);
/* The limits between which all but `saturated` of the pixels lie, half of them at each end. */
void counts_limits (const Counts *counts, double saturated, double *low, double *high);
/* Limits as ImageJ's button Auto finds them: the first and the last bin with more than `fraction` of the pixels, where a bin with more
 * than a tenth of them is background and does not count. FALSE, and *low and *high are as before, when there is none. */
gboolean counts_limits_above (const Counts *counts, double fraction, double *low, double *high);

#endif
