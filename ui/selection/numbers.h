/* SPDX-License-Identifier: MIT
 *
 * Where the current selection is and how large, in pixels, to be read and typed.
 */
#ifndef UI_SELECTION_NUMBERS_H
#define UI_SELECTION_NUMBERS_H

#include "ui/selection/selections.h"

#include <gtk/gtk.h>

#define SELECTION_NUMBERS_TYPE (selection_numbers_get_type ())
G_DECLARE_FINAL_TYPE (SelectionNumbers, selection_numbers, FOVEA, SELECTION_NUMBERS, GtkGrid)

GtkWidget *selection_numbers_new (Selections *selections);

#endif
