/* SPDX-License-Identifier: MIT
 *
 * Help ▸ Compare Devices: the steps of the page in front on the CPU and on every GPU, as bars, and as a table that can be copied.
 */
#ifndef UI_DEVICES_COMPARE_DEVICES_H
#define UI_DEVICES_COMPARE_DEVICES_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

/* Begins to measure the view's steps as they are now. modules must live longer than the window. */
void compare_devices_show (GtkWindow *window, Modules *modules, View *view);

#endif
