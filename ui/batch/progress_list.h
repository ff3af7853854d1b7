/* SPDX-License-Identifier: MIT
 *
 * How a batch stands: a bar, a line of figures, and what failed.
 */
#ifndef UI_BATCH_PROGRESS_LIST_H
#define UI_BATCH_PROGRESS_LIST_H

#include "ui/batch/runner.h"

#include <gtk/gtk.h>

#define PROGRESS_LIST_TYPE (progress_list_get_type ())
/* Signal: "activate" (number of the failure) when one is chosen. */
G_DECLARE_FINAL_TYPE (ProgressList, progress_list, FOVEA, PROGRESS_LIST, GtkBox)

GtkWidget *progress_list_new (void);
/* Shows how it stands now. */
void progress_list_update (ProgressList *self, Runner *runner);

#endif
