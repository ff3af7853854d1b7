/* SPDX-License-Identifier: MIT
 *
 * The list in the toolbar that says where steps run: "auto" and the devices that can be used.
 */
#ifndef UI_DEVICES_DEVICE_CHOICE_H
#define UI_DEVICES_DEVICE_CHOICE_H

#include "core/ops/module.h"

#include <gtk/gtk.h>

/* modules must live longer. */
GtkWidget *device_choice_new (Modules *modules);
/* "auto", "cpu", "cuda:0". */
const char *device_choice_key (GtkDropDown *choice);
/* Chooses it, if there is or may be such a device. */
void device_choice_set (GtkDropDown *choice, const char *key);

#endif
