/* SPDX-License-Identifier: MIT
 *
 * How often each value occurs in a plane, drawn with two handles for the contrast limits.
 */
#ifndef UI_LOOK_HISTOGRAM_H
#define UI_LOOK_HISTOGRAM_H

#include "core/view/counts.h"
#include "core/view/stretch.h"

#include <gtk/gtk.h>

#define HISTOGRAM_TYPE (histogram_get_type ())
/* Signals: "limits" when the user has moved a handle; "threshold" (upper, value) when one of the threshold. */
G_DECLARE_FINAL_TYPE (Histogram, histogram, FOVEA, HISTOGRAM, GtkWidget)

GtkWidget *histogram_new (void);
void histogram_set_counts (Histogram *histogram, const Counts *counts);
void histogram_set_limits (Histogram *histogram, double low, double high);
/* How brightness grows from the lower limit to the upper one. */
void histogram_set_curve (Histogram *histogram, Stretch stretch, double a, double gamma);
/* The values that a threshold takes, marked in red; movable: by handles at the top. */
void histogram_set_threshold (Histogram *histogram, double low, double high, gboolean movable);
void histogram_no_threshold (Histogram *histogram);
void histogram_limits (const Histogram *histogram, double *low, double *high);

#endif
