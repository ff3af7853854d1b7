/* SPDX-License-Identifier: MIT
 *
 * What a batch makes: the folder for it, the one table, and which results are saved of each image.
 */
#ifndef UI_BATCH_OUTPUTS_FORM_H
#define UI_BATCH_OUTPUTS_FORM_H

#include "core/base/worker.h"
#include "core/recipe/recipe.h"

#include <gtk/gtk.h>

#define OUTPUTS_FORM_TYPE (outputs_form_get_type ())
/* Signal: "changed" when anything in it has changed, or is known now. */
G_DECLARE_FINAL_TYPE (OutputsForm, outputs_form, FOVEA, OUTPUTS_FORM, GtkBox)

/* The worker, on which it looks at the folder, must live longer. */
GtkWidget *outputs_form_new (Worker *worker);
/* Its results can be saved from now on. What is in the folder is compared with it. */
void outputs_form_set_recipe (OutputsForm *self, const Recipe *recipe);
/* Looks again at what is in the folder. */
void outputs_form_look (OutputsForm *self);

/* NULL: none. Free with g_free(). */
char *outputs_form_folder (const OutputsForm *self);
/* The path of the table; NULL: none is to be saved. Free with g_free(). */
char *outputs_form_table (const OutputsForm *self);
/* The path of the table of images; what names of inputs say; by which parts of it images are grouped. NULL: none. Free with g_free(). */
char *outputs_form_images (const OutputsForm *self);
char *outputs_form_pattern (const OutputsForm *self);
char *outputs_form_group (const OutputsForm *self);
/* For each result to be saved its name in the recipe, NULL for the last image, and the pattern of its files. */
void outputs_form_results (const OutputsForm *self, GPtrArray *names, GPtrArray *patterns);

/* Whether there is a batch in the folder, of these steps or of others. */
typedef enum { OUTPUTS_UNKNOWN, OUTPUTS_NONE, OUTPUTS_SAME, OUTPUTS_OTHER } OutputsThere;
OutputsThere outputs_form_there (const OutputsForm *self);

#endif
