/* SPDX-License-Identifier: MIT
 *
 * A row of the list of steps: what a step does, what it gave and how long it took, with its switch; or the opened image.
 */
#ifndef UI_STEPS_STEP_ROW_H
#define UI_STEPS_STEP_ROW_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define STEP_ROW_TYPE (step_row_get_type ())
/* Its place in the list is the step's, after the opened image. Signal: "failed" (text) when a change of the steps is refused. */
G_DECLARE_FINAL_TYPE (StepRow, step_row, FOVEA, STEP_ROW, GtkListBoxRow)

/* Empty. step: NULL for the opened image. */
GtkWidget *step_row_new (View *view, const Step *step);
/* Whether it can show this step by being filled in. Of a step's row that was. */
gboolean step_row_is_of (const StepRow *row, const Step *step);
/* Once it is in the list. What the step itself says: nothing to do for one that is shown already. */
void step_row_fill_values (StepRow *row);
/* All of it. error: why the step failed, or NULL. */
void step_row_fill (StepRow *row, const GError *error);

#endif
