/* SPDX-License-Identifier: MIT
 */
#include "core/batch/names.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <string.h>

static const char placeholder[] = "{name}";

static gboolean G_GNUC_PRINTF (3, 4) refuse (GError **error, const char *what, const char *format, ...)
{
  g_autofree char *shown = text_from_bytes (what), *text = NULL;
  va_list ap;
  va_start (ap, format);
  text = g_strdup_vprintf (format, ap);
  va_end (ap);
  step_error_set (error, FV_BAD_ARGUMENT, "outputs", "'%s' %s", shown, text);
  return FALSE;
}

char *
batch_names_fill (const char *pattern, const char *name, guint series)
{
  const char *at = strstr (pattern, placeholder);
  g_autofree char *number = series ? g_strdup_printf ("#%u", series) : g_strdup ("");
  return g_strdup_printf ("%.*s%s%s%s", (int) (at - pattern), pattern, name, number, at + strlen (placeholder));
}

static gboolean
check_pattern (const char *pattern, GError **error)
{
  const char *at = strstr (pattern, placeholder);
  g_auto (GStrv) parts = g_strsplit (pattern, "/", -1);
  if (!at)
    return refuse (error, pattern, "is one file for all images. Use {name} in it, as in '{name}_mask.tif'.");
  if (strstr (at + 1, placeholder))
    return refuse (error, pattern, "has {name} more than once.");
  if (*pattern == '/' || g_strv_contains ((const char *const *) parts, ".."))
    return refuse (error, pattern, "points outside the output folder. It must stay inside.");
  return TRUE;
}

/* Without the ending: what follows the last dot of its last part, unless that begins with the dot. */
static char *
without_ending (const char *name)
{
  const char *slash = strrchr (name, '/'), *first = slash ? slash + 1 : name, *dot = strrchr (first, '.');
  return dot && dot > first ? g_strndup (name, (gsize) (dot - name)) : g_strdup (name);
}

/* ---- Not among the inputs ---- */

static GHashTable *
folders_of (const BatchInputs *inputs)
{
  GHashTable *folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < inputs->files->len; i++)
    g_hash_table_add (folders, g_path_get_dirname (batch_input (inputs, i)->path));
  return folders;
}

/* Folders of outputs are looked at once each. */
static gboolean
check_apart (GHashTable *seen, GHashTable *folders, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path), *real = NULL;
  if (g_hash_table_contains (seen, folder))
    return TRUE;
  real = batch_inputs_resolve (path);
  *strrchr (real, '/') = 0;
  if (g_hash_table_contains (folders, real))
    return refuse (error, folder, "contains inputs, and outputs would be added to them. Choose another folder.");
  g_hash_table_add (seen, g_steal_pointer (&folder));
  return TRUE;
}

/* ---- One file each ---- */

/* By what input each output is made; *both: of two inputs that have the same one the later, of which *first is the earlier. */
static guint
find_shared (const GPtrArray *names, const char *const *patterns, GHashTable *taken, guint8 *shared)
{
  guint found = 0;
  g_hash_table_remove_all (taken);
  for (guint i = 0; i < names->len; i++)
    for (const char *const *pattern = patterns; *pattern; pattern++) {
      char *output = batch_names_fill (*pattern, names->pdata[i], 0);
      gpointer other;
      if (!g_hash_table_lookup_extended (taken, output, NULL, &other)) {
        g_hash_table_insert (taken, output, GUINT_TO_POINTER (i));
        continue;
      }
      shared[i] = shared[GPOINTER_TO_UINT (other)] = TRUE;
      found = i;
      g_free (output);
    }
  return found;
}

/* Names like those of further images of a file keep their ending, too. */
static gboolean
ends_in_number (const char *name)
{
  const char *mark = strrchr (name, '#');
  return mark && mark[1] && mark[1 + strspn (mark + 1, "0123456789")] == 0;
}

static gboolean
tell_apart (const BatchInputs *inputs, GPtrArray *names, const char *const *patterns, GError **error)
{
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree guint8 *shared = g_new0 (guint8, names->len);
  guint one = find_shared (names, patterns, taken, shared);
  for (guint i = 0; i < names->len; i++)
    if (shared[i] || ends_in_number (names->pdata[i])) {
      g_free (names->pdata[i]);
      names->pdata[i] = g_strdup (batch_input_name (inputs, i));
    }
  if (one && (one = find_shared (names, patterns, taken, shared)))
    return refuse (error, batch_input_name (inputs, one),
                   "and another input would have the same output; change the patterns of the outputs.");
  return TRUE;
}

/* ---- All ---- */

static gboolean
check_paths (const BatchInputs *inputs, const GPtrArray *names, const char *const *patterns, const char *out,
             const char *table, GError **error)
{
  g_autoptr (GHashTable) folders = folders_of (inputs),
                         seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *all = table ? batch_inputs_resolve (table) : NULL;
  for (guint i = 0; i < names->len; i++) {
    if (all && !strcmp (all, batch_input (inputs, i)->path))
      return refuse (error, table, "is an input. Give the table another name.");
    for (const char *const *pattern = patterns; *pattern; pattern++) {
      g_autofree char *output = batch_names_fill (*pattern, names->pdata[i], 0),
                      *path = g_build_filename (out, output, NULL);
      if (!check_apart (seen, folders, path, error))
        return FALSE;
      if (table && (g_str_has_suffix (path, "/") ? g_str_has_prefix (table, path) : !strcmp (table, path)))
        return refuse (error, table, "is both the table of all images and an output of one of them.");
    }
  }
  return TRUE;
}

GPtrArray *
batch_names_new (const BatchInputs *inputs, const char *const *patterns, const char *out, const char *table,
                 GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  for (const char *const *pattern = patterns; *pattern; pattern++)
    if (!check_pattern (*pattern, error))
      return NULL;
  for (guint i = 0; i < inputs->files->len; i++)
    g_ptr_array_add (names, without_ending (batch_input_name (inputs, i)));
  if (!tell_apart (inputs, names, patterns, error) || !check_paths (inputs, names, patterns, out, table, error))
    return NULL;
  return g_steal_pointer (&names);
}
