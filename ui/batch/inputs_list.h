/* SPDX-License-Identifier: MIT
 *
 * The images of a batch: files and folders that were added or dropped, and how many images these are.
 */
#ifndef UI_BATCH_INPUTS_LIST_H
#define UI_BATCH_INPUTS_LIST_H

#include "core/base/worker.h"

#include <gtk/gtk.h>

#define INPUTS_LIST_TYPE (inputs_list_get_type ())
/* Signal: "changed" when what is in it, or what is known of that, has changed. */
G_DECLARE_FINAL_TYPE (InputsList, inputs_list, FOVEA, INPUTS_LIST, GtkBox)

/* The worker, on which it counts, must live longer. */
GtkWidget *inputs_list_new (Worker *worker);
gboolean inputs_list_is_empty (const InputsList *self);
/* Nothing but that folder. */
void inputs_list_set_folder (InputsList *self, const char *folder);
/* The paths, as batch_inputs_new() takes them; NULL: there are none. Free with g_strfreev(). */
char **inputs_list_names (const InputsList *self);
/* The folder of the outputs, or NULL, of which nothing is an input. */
void inputs_list_set_out (InputsList *self, const char *folder);
/* The first image; NULL: not known yet, or there is none. */
const char *inputs_list_first (const InputsList *self);

#endif
