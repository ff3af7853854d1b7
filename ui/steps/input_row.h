/* SPDX-License-Identifier: MIT
 *
 * A further image, or a table, that a step takes: one of an earlier step, of another image that is open, or of a file.
 */
#ifndef UI_STEPS_INPUT_ROW_H
#define UI_STEPS_INPUT_ROW_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define INPUT_ROW_TYPE (input_row_get_type ())
/* Signal: "failed" (text) when a choice is refused. */
G_DECLARE_FINAL_TYPE (InputRow, input_row, FOVEA, INPUT_ROW, GtkBox)

/* input: its number, from 1, of the step with that index. */
GtkWidget *input_row_new (View *view, guint index, guint input);
/* Shows what the step takes now, and what there is to choose from. */
void input_row_refresh (InputRow *row);

#endif
