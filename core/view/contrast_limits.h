/* SPDX-License-Identifier: MIT
 *
 * Contrast limits by the values of a plane: those that leave some of them out at both ends, and IRAF's zscale.
 */
#ifndef CORE_VIEW_CONTRAST_LIMITS_H
#define CORE_VIEW_CONTRAST_LIMITS_H

#include "core/data/plane.h"
#include "core/view/range.h"

/* The least and the greatest when so many percent of n finite values are left in between; sorts them. Values between two count, as in
 * NumPy's percentiles. */
Range limits_percent (double *values, gsize n, double percent);
/* zscale: a line through the sorted values of some 1000 of them, from which those far from it are left out again and again; its slope
 * over 0.25 around the median. As IRAF's, with astropy's numbers. n at least 1. */
Range limits_zscale (const double *values, gsize n);
/* The finite values of a plane, of a very large one some of them from all over it. percent: those, or 0: zscale. FALSE, when they do not differ
 * or with *error. Any thread but the main one. */
gboolean limits_of_plane (Image *image, gint64 plane, double percent, Range *limits, GError **error);

#endif
