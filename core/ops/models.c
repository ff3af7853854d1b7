/* SPDX-License-Identifier: MIT
 */
#include "core/ops/models.h"

#include "core/base/error.h"
#include "core/base/file_error.h"
#include "core/base/file_sum.h"
#include "core/base/file_target.h"
#include "core/base/natural.h"
#include "core/base/text.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

enum { LONGEST = 120 /* bytes of a name */, REPORT = 512 };

const ModelLabel model_labels[] = {
  {"name", "Name"},
  {"version", "Version"},
  {"purpose", "Purpose"},
  {"objects", "Size of objects"},
  {"input", "Input"},
  {"output", "Output"},
  {"limits", "Limits"},
  {"computed", "Computed by"},
  {"license", "License"},
  {"authors", "Authors"},
  {"citation", "Citation"},
  {"link", "Link"},
  {"file", "File"},
  {"sha256", "SHA-256"},
  {NULL, NULL},
};

void
model_free (Model *model)
{
  g_free (model->name);
  g_free (model->path);
  g_free (model);
}

static Model *
new_model (const fv_models *of, const char *name, const char *path, const char *plugin)
{
  Model *model = g_new (Model, 1);
  *model = (Model){of, g_strdup (name), g_strdup (path), plugin};
  return model;
}

/* ---- The list ---- */

static char *
folder_of (const fv_models *of)
{
  return g_build_filename (g_get_user_data_dir (), "fovea", of->folder, NULL);
}

/* The ending of the name of a file, one of the declared ones; NULL: it has none of them. */
static const char *
ending_of (const fv_models *of, const char *file)
{
  const char *dot = strrchr (file, '.');
  for (const char *const *ending = of->endings; dot && *ending; ending++)
    if (!g_ascii_strcasecmp (dot + 1, *ending))
      return *ending;
  return NULL;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return natural_compare ((*(const Model *const *) a)->name, (*(const Model *const *) b)->name);
}

/* plugin: see Model. */
static void
add_models (GPtrArray *models, const fv_models *of, const char *plugin)
{
  g_autofree char *folder = folder_of (of);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) added = g_ptr_array_new ();
  for (const char *const *name = of->names; *name; name++)
    g_ptr_array_add (models, new_model (of, *name, NULL, plugin));
  for (const char *file; dir && (file = g_dir_read_name (dir));) {
    if (*file == '.' || !ending_of (of, file) || !g_utf8_validate (file, -1, NULL))
      continue;
    g_autofree char *name = g_strndup (file, (gsize) (strrchr (file, '.') - file)),
                    *path = g_build_filename (folder, file, NULL);
    g_ptr_array_add (added, new_model (of, name, path, NULL));
  }
  g_ptr_array_sort (added, compare_names);
  g_ptr_array_extend_and_steal (models, g_steal_pointer (&added));
}

typedef struct {
  const fv_models *of;
  const char *plugin; /* see Model */
} Collection;

static gboolean
has_collection (const GArray *all, const fv_models *of)
{
  for (guint i = 0; i < all->len; i++)
    if (g_array_index (all, Collection, i).of == of)
      return TRUE;
  return FALSE;
}

/* Fovea's before those of others. */
static int
compare_owners (gconstpointer a, gconstpointer b)
{
  return (((const Collection *) a)->plugin != NULL) - (((const Collection *) b)->plugin != NULL);
}

/* Array of Collection: those that operations have, each once. */
static GArray *
collections (const Modules *modules)
{
  const GPtrArray *ops = modules_ops (modules);
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Collection));
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    for (guint k = 0; k < op->n_params; k++) {
      const Collection one = {op->fv.params[k].models, op->shipped ? NULL : op->plugin};
      if (one.of && !has_collection (all, one.of))
        g_array_append_val (all, one);
    }
  }
  g_array_sort (all, compare_owners);
  return all;
}

GPtrArray *
models_list (const Modules *modules, const fv_models *of)
{
  GPtrArray *models = g_ptr_array_new_with_free_func ((GDestroyNotify) model_free);
  g_autoptr (GArray) all = of ? NULL : collections (modules);
  if (of)
    add_models (models, of, NULL);
  for (guint i = 0; all && i < all->len; i++)
    add_models (models, g_array_index (all, Collection, i).of, g_array_index (all, Collection, i).plugin);
  return models;
}

const Model *
models_find (const GPtrArray *models, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < models->len; i++) {
    const Model *model = models->pdata[i];
    if (!strcmp (model->name, name))
      return model;
    g_ptr_array_add (names, model->name);
  }
  g_ptr_array_add (names, NULL);
  if (g_file_test (name, G_FILE_TEST_IS_REGULAR)) {
    step_error_set (error, FV_BAD_ARGUMENT, "model",
                    "'%s' is a file. Add it, and use the name that it gets: fovea models add FILE.", name);
    return NULL;
  }
  g_autofree char *near = text_nearest (name, (const char *const *) names->pdata);
  step_error_set (error, FV_BAD_ARGUMENT, "model", "The model '%s' is not on this computer.%s%s%s", name,
                  near ? " Did you mean '" : "", near ? near : "", near ? "'?" : "");
  return NULL;
}

char *
models_file (const fv_param *param, const char *value)
{
  const fv_models *of = param->models;
  if (!param->file || !*value || !g_strcmp0 (value, param->def_text) || (of && g_strv_contains (of->names, value)))
    return NULL;
  g_autofree char *folder = of && !strchr (value, '/') ? folder_of (of) : NULL;
  for (const char *const *ending = folder ? of->endings : NULL; ending && *ending; ending++) {
    g_autofree char *file = g_strconcat (value, ".", *ending, NULL), *path = g_build_filename (folder, file, NULL);
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&path);
  }
  return g_strdup (value);
}

/* ---- One of them ---- */

static gboolean
settle (fv_status status, fv_error *fault, GError **error)
{
  if (error_settle (status, fault) == FV_OK)
    return TRUE;
  g_autofree char *text = error_plugin_text (fault);
  step_error_set (error, fault->code, NULL, "%s", text);
  return FALSE;
}

static void
free_line (gpointer line)
{
  g_free (((ModelLine *) line)->text);
  g_free (line);
}

static void
take_line (void *lines, const char *key, const char *text)
{
  for (const ModelLabel *label = model_labels; label->key; label++)
    if (!g_strcmp0 (label->key, key)) {
      ModelLine *line = g_new (ModelLine, 1);
      *line = (ModelLine){label->key, label->label, text_visible (text ? text : "", "")};
      g_ptr_array_add (lines, line);
    }
}

static int
position_of (const ModelLine *line)
{
  int i = 0;
  while (model_labels[i].key != line->key)
    i++;
  return i;
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return position_of (*(const ModelLine *const *) a) - position_of (*(const ModelLine *const *) b);
}

GPtrArray *
model_card (const Model *model, GError **error)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (free_line);
  fv_error fault = FV_ERROR_INIT;
  if (!settle (model->of->card (model->path ? model->path : model->name, take_line, lines, &fault), &fault, error))
    return NULL;
  g_autofree char *sum = model->path ? file_sum (model->path, error) : NULL;
  if (model->path && !sum)
    return NULL;
  if (sum) {
    take_line (lines, "file", model->path);
    take_line (lines, "sha256", sum);
  }
  g_ptr_array_sort (lines, compare_lines); /* which keeps the order of equal ones */
  return g_steal_pointer (&lines);
}

static int
shall_stop (void *none)
{
  (void) none;
  return progress_is_stopped (progress_current ());
}

char *
model_test (const Model *model, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  char report[REPORT] = "";
  if (!settle (
        model->of->test (model->path ? model->path : model->name, shall_stop, NULL, report, sizeof report, &fault),
        &fault, error))
    return NULL;
  return text_visible (report, "");
}

gboolean
model_remove (const Model *model, GError **error)
{
  if (!model->path) {
    step_error_set (error, FV_BAD_ARGUMENT, "model", "The model '%s' is part of %s%s and cannot be removed.",
                    model->name, model->plugin ? "the plugin " : "Fovea", model->plugin ? model->plugin : "");
    return FALSE;
  }
  return !g_unlink (model->path)
         || file_fail (error, FILE_ERROR_WRITE, model->path, "cannot be removed: %s.", g_strerror (errno));
}

/* ---- Adding ---- */

/* The name that a file gets; NULL with *error. */
static char *
name_for (const fv_models *of, const char *path, GError **error)
{
  g_autofree char *file = g_path_get_basename (path), *name = g_strndup (file, (gsize) (strrchr (file, '.') - file));
  g_autoptr (GPtrArray) models = models_list (NULL, of);
  if (!*name || *name == '.' || *name == '-' || strlen (name) > LONGEST || !g_utf8_validate (name, -1, NULL)) {
    file_fail (error, FILE_ERROR_FORMAT, path,
               "has a name that no model can have: rename it to at most %d letters and digits.", LONGEST);
    return NULL;
  }
  if (!models_find (models, name, NULL))
    return g_steal_pointer (&name);
  file_fail (error, FILE_ERROR_WRITE, path,
             "cannot be added: there is a model '%s' already. Remove that one, or rename this file.", name);
  return NULL;
}

static gboolean
copy (const char *from, const char *to, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autoptr (GMappedFile) file = g_mapped_file_new (from, FALSE, &why);
  g_autofree char *folder = g_path_get_dirname (to);
  if (!file)
    return file_fail (error, FILE_ERROR_OPEN, from, "cannot be read: %s.", why->message);
  g_mkdir_with_parents (folder, 0700);
  g_autoptr (FileTarget) target = file_target_new (to, error);
  return target && file_target_write (target, g_mapped_file_get_contents (file), g_mapped_file_get_length (file), error)
         && file_target_commit (g_steal_pointer (&target), error);
}

/* Checked where it is, so that a file that cannot be used is not copied. */
static Model *
add_to (const fv_models *of, const char *path, GError **error)
{
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be added: no file has this name.");
    return NULL;
  }
  g_autofree char *name = name_for (of, path, error), *whole = g_canonicalize_filename (path, NULL);
  g_autoptr (Model) given = name ? new_model (of, name, whole, NULL) : NULL;
  g_autoptr (GPtrArray) card = given ? model_card (given, error) : NULL;
  g_autofree char *report = card ? model_test (given, error) : NULL;
  if (!report)
    return NULL;
  g_autofree char *folder = folder_of (of), *file = g_strconcat (name, ".", ending_of (of, path), NULL);
  Model *added = new_model (of, name, NULL, NULL);
  added->path = g_build_filename (folder, file, NULL);
  if (copy (whole, added->path, error))
    return added;
  model_free (added);
  return NULL;
}

Model *
models_add (const Modules *modules, const char *path, GError **error)
{
  g_autoptr (GArray) all = collections (modules);
  g_autoptr (GString) endings = g_string_new (NULL);
  for (guint i = 0; i < all->len; i++) {
    const fv_models *of = g_array_index (all, Collection, i).of;
    if (ending_of (of, path))
      return add_to (of, path, error);
    for (const char *const *ending = of->endings; *ending; ending++)
      g_string_append_printf (endings, "%s.%s", endings->len ? ", " : "", *ending);
  }
  file_fail (error, FILE_ERROR_FORMAT, path, "is not the file of a model: the names of such files end in %s.",
             endings->len ? endings->str : "nothing that the loaded plugins know");
  return NULL;
}
