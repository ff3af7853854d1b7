/* SPDX-License-Identifier: MIT
 *
 * A file that is there is known by device and inode, one that is not by those of its folder and its name.
 */
#include "core/run/outputs.h"

#include "core/base/file_error.h"
#include "core/base/error.h"

#include <glib/gstdio.h>
#include <string.h>

/* The last result of that name, which is the one that later steps mean; FALSE with *error when it is of no use. */
static gboolean
find_result (const Recipe *recipe, const char *name, const char *option, Output *output, GError **error)
{
  guint place;
  if (!recipe_find (recipe, recipe_length (recipe), name, &place, &output->output)) {
    step_error_set (error, FV_BAD_ARGUMENT, "output",
                    "-o %s: no step is called '%s'; name one with as=%s, or write ./%s for a file of that name.",
                    option, name, name, option);
    return FALSE;
  }
  const Step *step = recipe_step (recipe, place);
  g_autofree char *end = g_ascii_strdown (output->path, -1);
  output->step = (int) place;
  output->table = output->output >= step->op->n_outputs;
  if (!step->skipped && (!output->table || g_str_has_suffix (end, ".csv")))
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "output",
                  step->skipped ? "-o %s: '%s' is skipped, so there is no result of it."
                                : "-o %s: '%s' is a table, not an image; save it as a .csv file, or with --table.",
                  option, name);
  return FALSE;
}

GArray *
outputs_parse (char *const *options, const Recipe *recipe, GError **error)
{
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (Output));
  for (; options && *options; options++) {
    const char *equals = strchr (*options, '=');
    g_autofree char *name = equals ? g_strndup (*options, (gsize) (equals - *options)) : NULL;
    Output output = {*options, -1, 0, FALSE};
    if (name && !strchr (name, '/')) {
      output.path = equals + 1;
      if (!find_result (recipe, name, *options, &output, error))
        return NULL;
    }
    g_array_append_val (outputs, output);
  }
  return g_steal_pointer (&outputs);
}

static char *
identity (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  GStatBuf about;
  gboolean exists = !g_stat (path, &about);
  if (!exists && g_stat (folder, &about))
    return g_strdup (path); /* cannot be written */
  return g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT "%s%s", (guint64) about.st_dev,
                          (guint64) about.st_ino, exists ? "" : "/", exists ? "" : name);
}

gboolean
outputs_differ (const char *const *paths, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (const char *const *path = paths; *path; path++) {
    char *id = identity (*path);
    const char *other = g_hash_table_lookup (known, id);
    if (!other) {
      g_hash_table_insert (known, id, (gpointer) *path);
      continue;
    }
    g_free (id);
    if (other == *paths)
      return file_fail (error, FILE_ERROR_WRITE, *path, "is the file that is read; give the output another name.");
    return file_fail (error, FILE_ERROR_WRITE, *path, "and '%s' are one file; give each output a name of its own.",
                      other);
  }
  return TRUE;
}
