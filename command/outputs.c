/* SPDX-License-Identifier: MIT
 *
 * A file that is there is known by device and inode, one that is not by those of its folder and its name.
 */
#include "command/outputs.h"

#include "command/command.h"

#include "command/streams.h"

#include <glib/gstdio.h>
#include <string.h>

/* The last step that has a result of that name, which is the one that later steps mean; FALSE: there is none. */
static gboolean
find_step (const fovea_recipe *recipe, const char *name, fovea_step *step, gboolean *table)
{
  for (unsigned n = fovea_recipe_length (recipe); n--;) {
    fovea_recipe_get_step (recipe, n, step, NULL);
    for (size_t i = 0; i < step->results; i++)
      if (!g_strcmp0 (step->names[i], name)) {
        *table = i >= step->images;
        return TRUE;
      }
  }
  return FALSE;
}

/* FALSE with *error when the result does not exist or cannot be used. */
static gboolean
check_result (const fovea_recipe *recipe, const char *option, Output *output, GError **error)
{
  fovea_step step = {.size = sizeof step};
  if (!find_step (recipe, output->name, &step, &output->table))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "-o %s: no step is called '%s'. Name one with as=%s, or write ./%s to save to a file of "
                 "that name.",
                 option, output->name, output->name, option);
  else if (step.skipped)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "-o %s: '%s' is skipped, so it has no result.",
                 option, output->name);
  else
    return TRUE;
  return FALSE;
}

/* Whether a table goes to a file of tables. */
static gboolean
check_table (const char *option, const Output *output, GError **error)
{
  if (!output->table || !fovea_table_can_save (output->path, NULL, NULL))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "-o %s: '%s' is a table, not an image. Save it as a table such as .csv, or use --table.", option,
               output->name);
  return FALSE;
}

/* An image without a name does not go to a file of that kind when the last step makes a table. */
static gboolean
check_last (const char *option, const fovea_recipe *recipe, GError **error)
{
  fovea_step step = {.size = sizeof step};
  const char *dot = strrchr (option, '.');
  const gboolean is_for_tables = dot && (!g_ascii_strcasecmp (dot, ".csv") || !g_ascii_strcasecmp (dot, ".tsv"));
  const unsigned n = recipe ? fovea_recipe_length (recipe) : 0;
  if (!is_for_tables || !n || fovea_recipe_get_step (recipe, n - 1, &step, NULL) || step.skipped || step.images)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "-o %s: the last step makes a table: save it with --table %s. To save an image as text, name it with "
               "as=NAME and use -o NAME=%s.",
               option, option, option);
  return FALSE;
}

static void
output_clear (gpointer output)
{
  g_free (((Output *) output)->name);
}

GArray *
outputs_parse (char *const *options, const fovea_recipe *recipe, gboolean streams, GError **error)
{
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (Output));
  g_array_set_clear_func (outputs, output_clear);
  for (; options && *options; options++) {
    const char *equals = strchr (*options, '='), *slash = strchr (*options, '/');
    gboolean named = equals && (!slash || slash > equals);
    Output output = {.path = named ? equals + 1 : *options,
                     .name = named ? g_strndup (*options, (gsize) (equals - *options)) : NULL};
    g_array_append_val (outputs, output);
    Output *added = &g_array_index (outputs, Output, outputs->len - 1);
    if (!(named ? check_result (recipe, *options, added, error) : check_last (*options, recipe, error))
        || (streams && !(added->path = streams_output (added->path, added->table ? "csv" : "tif", error)))
        || (named && !check_table (*options, added, error)))
      return NULL;
  }
  return g_steal_pointer (&outputs);
}

void
outputs_add_steps (GArray *outputs, const fovea_recipe *recipe, const char *folder)
{
  fovea_step step = {.size = sizeof step};
  for (unsigned n = 0; !fovea_recipe_get_step (recipe, n, &step, NULL); n++)
    for (unsigned i = 0; !step.skipped && i < step.images; i++) {
      g_autofree char *number = i ? g_strdup_printf ("-%u", i + 1) : g_strdup (""),
                      *name = g_strdup_printf ("%02u-%s%s.tif", n + 1, step.operation, number),
                      *path = g_build_filename (folder, name, NULL);
      Output output = {.path = g_intern_string (path), .step = n + 1, .image = i};
      g_array_append_val (outputs, output);
    }
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

/* FALSE, and *error says it of the path. */
static gboolean G_GNUC_PRINTF (3, 4) refuse (GError **error, const char *path, const char *format, ...)
{
  char *name = fovea_text_from_bytes (path, NULL);
  va_list ap;
  va_start (ap, format);
  g_autofree char *text = g_strdup_vprintf (format, ap);
  va_end (ap);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "'%s' %s", name, text);
  fovea_text_free (name);
  return FALSE;
}

gboolean
outputs_differ (const char *const *paths, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (command_log)
    g_hash_table_insert (known, identity (command_log), command_log);
  for (const char *const *path = paths; *path; path++) {
    g_autofree char *folder = g_path_get_dirname (*path);
    if (path > paths && !g_file_test (folder, G_FILE_TEST_EXISTS))
      return refuse (error, *path, "cannot be written: the folder '%s' does not exist.", folder);
    char *id = identity (*path);
    const char *other = g_hash_table_lookup (known, id);
    if (!other) {
      g_hash_table_insert (known, id, (gpointer) *path);
      continue;
    }
    g_free (id);
    if (other == *paths)
      return refuse (error, *path, "is also the input. Give the output another name.");
    return refuse (error, *path, "and '%s' are the same file; give each output a name of its own.", other);
  }
  return TRUE;
}
