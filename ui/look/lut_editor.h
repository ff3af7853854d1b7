/* SPDX-License-Identifier: MIT
 *
 * Image ▸ Color ▸ Edit LUT: the look-up table of the channel that is looked at, changed while the image shows it.
 */
#ifndef UI_LOOK_LUT_EDITOR_H
#define UI_LOOK_LUT_EDITOR_H

#include "core/ops/module.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

void lut_editor_show (GtkWindow *window, View *view, Modules *modules);

#endif
