/* SPDX-License-Identifier: MIT
 *
 * Trained models that parameters choose by name (fv_models): those of plugins, and files that the user has added, in a folder of the user's data.
 */
#ifndef CORE_OPS_MODELS_H
#define CORE_OPS_MODELS_H

#include "core/base/progress.h"
#include "core/ops/module.h"

typedef struct Model {
  const fv_models *of;
  char *name; /* the value of the parameter */
  char *path; /* NULL: a plugin has it */
  const char
    *plugin; /* the name of that plugin; NULL: it is a part of Fovea or unknown, or the user has added the model */
} Model;

/* Known keys of cards with their labels, in the order in which they are shown; the last one has no key. */
typedef struct ModelLabel {
  const char *key, *label;
} ModelLabel;
extern const ModelLabel model_labels[];

typedef struct ModelLine {
  const char *key, *label; /* of model_labels */
  char *text;
} ModelLine;

/* Array of Model: those of a parameter, or with NULL of all operations; the plugin's first. Of a parameter it is unknown whose the plugin is.
 * Free with g_ptr_array_unref(). */
GPtrArray *models_list (const Modules *modules, const fv_models *of);
/* That of the list with the name; NULL with *error, which suggests another. */
const Model *models_find (const GPtrArray *models, const char *name, GError **error);
/* The file that a value of a parameter means; NULL: it is none. Free with g_free(). */
char *models_file (const fv_param *param, const char *value);

/* Checks the file as its operation does, and runs its test; then copies it to the user's models. NULL with *error. Free with model_free(). Any thread. */
Model *models_add (const Modules *modules, const char *path, GError **error);
/* Array of ModelLine; NULL with *error: the model cannot be used. Any thread. */
GPtrArray *model_card (const Model *model, GError **error);
/* What its test says, a sentence, free with g_free(). NULL with *error: it fails, cannot be run, or the work of this thread shall stop. */
char *model_test (const Model *model, GError **error);
/* Removes its file. */
gboolean model_remove (const Model *model, GError **error);
void model_free (Model *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Model, model_free)

#endif
