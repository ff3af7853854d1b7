/* SPDX-License-Identifier: MIT
 *
 * How often each value occurs in a plane, drawn with two handles: for the limits of the contrast, or of a threshold.
 */
#ifndef UI_PLOT_HISTOGRAM_H
#define UI_PLOT_HISTOGRAM_H

#include "core/view/counts.h"
#include "core/view/stretch.h"

#include <gtk/gtk.h>

#define HISTOGRAM_TYPE (histogram_get_type ())
/* Signals: "limits" when the user has moved a handle; "threshold" (upper, value), infinite for no limit, when one of a threshold: it stays
 * where it is until histogram_set_threshold(). */
G_DECLARE_FINAL_TYPE (Histogram, histogram, FOVEA, HISTOGRAM, GtkWidget)

GtkWidget *histogram_new (void);
GtkWidget *histogram_new_of_threshold (void);
void histogram_set_counts (Histogram *histogram, const Counts *counts);
void histogram_set_limits (Histogram *histogram, double low, double high);
/* How brightness grows from the lower limit to the upper one. */
void histogram_set_curve (Histogram *histogram, Stretch stretch, double a, double gamma);
/* The values that a threshold takes, without limit where they are infinite. */
void histogram_set_threshold (Histogram *histogram, double low, double high);
/* Heights grow with the counts, not with their logarithm. */
void histogram_set_linear (Histogram *histogram, gboolean linear);
void histogram_limits (const Histogram *histogram, double *low, double *high);

#endif
