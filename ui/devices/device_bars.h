/* SPDX-License-Identifier: MIT
 *
 * A comparison of devices as bars: of each one how long the steps take and the ways there and back, with numbers.
 */
#ifndef UI_DEVICES_DEVICE_BARS_H
#define UI_DEVICES_DEVICE_BARS_H

#include "core/run/comparison.h"

#include <gtk/gtk.h>

GtkWidget *device_bars_new (void);
/* The comparison, which has to live until another one is set, or NULL. */
void device_bars_set (GtkWidget *bars, const Comparison *comparison);

#endif
