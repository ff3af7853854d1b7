/* SPDX-License-Identifier: MIT
 *
 * A switch for each channel of a composite or color image, with its name or its number from 1: those that are off are not
 * drawn.
 */
#ifndef UI_LOOK_CHANNEL_SWITCHES_H
#define UI_LOOK_CHANNEL_SWITCHES_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

/* Not visible where there is nothing to switch. */
GtkWidget *channel_switches_new (View *view);

#endif
