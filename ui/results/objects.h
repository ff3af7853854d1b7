/* SPDX-License-Identifier: MIT
 *
 * Rows of a table that are objects of the image: one that is picked here is picked there, too, and those that the filter drops fade.
 */
#ifndef UI_RESULTS_OBJECTS_H
#define UI_RESULTS_OBJECTS_H

#include "ui/results/model.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

#define RESULTS_OBJECTS_TYPE (results_objects_get_type ())
G_DECLARE_FINAL_TYPE (ResultsObjects, results_objects, FOVEA, RESULTS_OBJECTS, GObject)

/* list: shows the model. All of them must live longer. */
ResultsObjects *results_objects_new (View *view, ResultsModel *model, GtkColumnView *list);

#endif
