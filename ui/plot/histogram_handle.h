/* SPDX-License-Identifier: MIT
 *
 * One limit in a histogram, as a slider for keys and screen readers. Its parent allocates it and handles drags.
 */
#ifndef UI_PLOT_HISTOGRAM_HANDLE_H
#define UI_PLOT_HISTOGRAM_HANDLE_H

#include "core/view/range.h"

#include <gtk/gtk.h>

#define HISTOGRAM_HANDLE_TYPE (histogram_handle_get_type ())
/* Signal: "moved" (bins) when a key would move it so far to the right. */
G_DECLARE_FINAL_TYPE (HistogramHandle, histogram_handle, HISTOGRAM, HANDLE, GtkWidget)

GtkWidget *histogram_handle_new (const char *name);
/* Its value and range; infinite: no limit. */
void histogram_handle_set (HistogramHandle *handle, double value, Range range);

#endif
