/* SPDX-License-Identifier: MIT
 *
 * The window of trained models: their cards, and adding, testing and removing them.
 */
#ifndef UI_MODELS_WINDOW_H
#define UI_MODELS_WINDOW_H

#include "core/ops/module.h"

#include <gtk/gtk.h>

/* modules must live longer. */
void models_window_show (GtkWindow *parent, const Modules *modules);

#endif
