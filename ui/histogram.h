/* SPDX-License-Identifier: MIT
 *
 * How often each value occurs in a plane, drawn with two handles for the contrast limits.
 */
#ifndef UI_HISTOGRAM_H
#define UI_HISTOGRAM_H

#include "image.h"

#include <gtk/gtk.h>

enum { HISTOGRAM_BINS = 256 };

typedef struct Counts {
  double low, high; /* least and greatest finite value; bins are equal parts of the range */
  guint64 bins[HISTOGRAM_BINS];
} Counts;

/* Counts a plane in host memory; every so many pixels when there are very many. */
void counts_of_plane (Counts *counts, const ImageInfo *info, const void *pixels);
/* The limits between which all but `saturated` of the pixels lie, half of them at each end. */
void counts_limits (const Counts *counts, double saturated, double *low, double *high);

#define HISTOGRAM_TYPE (histogram_get_type ())
/* Signal: "limits" when the user has moved a handle. */
G_DECLARE_FINAL_TYPE (Histogram, histogram, FOVEA, HISTOGRAM, GtkWidget)

GtkWidget *histogram_new (void);
void histogram_set_counts (Histogram *histogram, const Counts *counts);
void histogram_set_limits (Histogram *histogram, double low, double high, double gamma);
void histogram_limits (const Histogram *histogram, double *low, double *high);

#endif
