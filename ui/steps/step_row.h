/* SPDX-License-Identifier: MIT
 *
 * A row of the list of steps: what a step does, what it gave and how long it took, with its switch; or the opened image. Below that line there
 * can be more.
 */
#ifndef UI_STEPS_STEP_ROW_H
#define UI_STEPS_STEP_ROW_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define STEP_ROW_TYPE (step_row_get_type ())
/* Its index in the list is the step's, after the opened image. Signal: "failed" (text) when a change of the steps is
 * refused. */
G_DECLARE_FINAL_TYPE (StepRow, step_row, FOVEA, STEP_ROW, GtkListBoxRow)

/* Empty; shows the opened image, or the step with its index. */
GtkWidget *step_row_new (View *view, gboolean of_image);
/* Whether it shows the same operation, on or off. */
gboolean step_row_is_of (const StepRow *row, const Step *step);
/* Once it is in the list. What the step itself says: nothing to do for one that is shown already. */
void step_row_fill_values (StepRow *row);
/* All of it. error: why the step failed, or NULL. */
void step_row_fill (StepRow *row, const GError *error);
/* Of the chosen row the line looks so, and not what stands below it. */
void step_row_look_chosen (StepRow *row, gboolean chosen);
/* What stands below the line of the row, such as its form; NULL: nothing. */
void step_row_set_below (StepRow *row, GtkWidget *below);

#endif
