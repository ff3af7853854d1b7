/* SPDX-License-Identifier: MIT
 *
 * Help ▸ Device Report: the devices, why no GPU is used, and where each step ran.
 */
#ifndef UI_DEVICES_DEVICE_REPORT_H
#define UI_DEVICES_DEVICE_REPORT_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

/* view: of the page in front, or NULL. modules must live longer than the window. */
void device_report_show (GtkWindow *window, const Modules *modules, View *view);

#endif
