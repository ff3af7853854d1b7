/* SPDX-License-Identifier: MIT
 *
 * Trained models that operations choose by name.
 */
#include "core/ops/models.h"

#include "library/private.h"

struct fovea_models {
  fovea_context *context;
  GPtrArray *list;
};

fovea_models *
fovea_models_new (fovea_context *context, fovea_error **error)
{
  if (!library_has (context, "context", error))
    return NULL;
  fovea_models *models = g_new (fovea_models, 1);
  *models = (fovea_models){library_context_ref (context), models_list (context->modules, NULL)};
  return models;
}

const char *
fovea_models_name (const fovea_models *models, size_t n)
{
  return models && n < models->list->len ? ((const Model *) models->list->pdata[n])->name : NULL;
}

const char *
fovea_models_path (const fovea_models *models, size_t n)
{
  return models && n < models->list->len ? ((const Model *) models->list->pdata[n])->path : NULL;
}

const char *
fovea_models_plugin (const fovea_models *models, size_t n)
{
  return models && n < models->list->len ? ((const Model *) models->list->pdata[n])->plugin : NULL;
}

void
fovea_models_free (fovea_models *models)
{
  if (!models)
    return;
  g_ptr_array_unref (models->list);
  fovea_context_free (models->context);
  g_free (models);
}

/* The model of the list that has the name; NULL with *error. */
static const Model *
find (const fovea_models *models, const char *name, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (models, "models", error) || !library_has (name, "name", error))
    return NULL;
  const Model *model = models_find (models->list, name, &fault);
  if (!model)
    library_fail (error, fault);
  return model;
}

fovea_code
fovea_models_card (const fovea_models *models, const char *name, fovea_model_line line, void *user, fovea_error **error)
{
  GError *fault = NULL;
  const Model *model = find (models, name, error);
  if (!model)
    return FOVEA_BAD_ARGUMENT;
  g_autoptr (GPtrArray) card = model_card (model, &fault);
  if (!card)
    return library_fail (error, fault);
  for (guint i = 0; i < card->len; i++) {
    const ModelLine *one = card->pdata[i];
    line (user, one->key, one->label, one->text);
  }
  return FOVEA_OK;
}

char *
fovea_models_test (const fovea_models *models, const char *name, fovea_error **error)
{
  GError *fault = NULL;
  const Model *model = find (models, name, error);
  char *report = model ? model_test (model, &fault) : NULL;
  if (fault)
    library_fail (error, fault);
  return report;
}

char *
fovea_model_add (fovea_context *context, const char *path, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (context, "context", error) || !library_has (path, "path", error))
    return NULL;
  g_autoptr (Model) model = models_add (context->modules, path, &fault);
  if (!model)
    library_fail (error, fault);
  return model ? g_strdup (model->name) : NULL;
}

fovea_code
fovea_models_remove (const fovea_models *models, const char *name, fovea_error **error)
{
  GError *fault = NULL;
  const Model *model = find (models, name, error);
  if (!model)
    return FOVEA_BAD_ARGUMENT;
  return model_remove (model, &fault) ? FOVEA_OK : library_fail (error, fault);
}
