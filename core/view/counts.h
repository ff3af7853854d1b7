/* SPDX-License-Identifier: MIT
 *
 * How often each value occurs in a plane.
 */
#ifndef CORE_VIEW_COUNTS_H
#define CORE_VIEW_COUNTS_H

#include "core/data/image.h"
#include "core/view/shown_range.h"

enum { COUNTS_BINS = 256 };

typedef struct Counts {
  Range range;    /* shown_range_of() the plane; bins are equal parts of it */
  gboolean exact; /* bin i is the value i: 8 bits */
  guint64 bins[COUNTS_BINS];
} Counts;

/* Counts a plane in host memory; every so many pixels when there are very many. */
void counts_of_plane (Counts *counts, const ImageInfo *info, const void *pixels);
/* Those of several planes together. */
void counts_join (Counts *all, const Counts *planes, guint n);

#endif
