/* SPDX-License-Identifier: MIT
 */
#include "core/files/plate/index.h"

#include "core/base/natural.h"
#include "core/base/text.h"

#include <string.h>

static void
clear_well (gpointer well)
{
  g_free (((PlateWell *) well)->name);
}

static void
clear_channel (gpointer channel)
{
  g_free (((PlateChannel *) channel)->name);
}

PlateIndex *
plate_index_new (const char *folder)
{
  PlateIndex *index = g_new0 (PlateIndex, 1);
  index->folder = g_strdup (folder);
  index->files = g_ptr_array_new_with_free_func (g_free);
  index->entries = g_array_new (FALSE, FALSE, sizeof (PlateEntry));
  index->wells = g_array_new (FALSE, TRUE, sizeof (PlateWell));
  index->channels = g_array_new (FALSE, TRUE, sizeof (PlateChannel));
  g_array_set_clear_func (index->wells, clear_well);
  g_array_set_clear_func (index->channels, clear_channel);
  index->facts = g_string_new (NULL);
  index->listed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_hash_table_unref);
  index->numbers = g_hash_table_new (NULL, NULL);
  index->named = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  index->channel_numbers = g_hash_table_new (NULL, NULL);
  index->file_numbers = g_hash_table_new (g_str_hash, g_str_equal);
  return index;
}

void
plate_index_free (PlateIndex *index)
{
  g_hash_table_unref (index->file_numbers);
  g_hash_table_unref (index->channel_numbers);
  g_hash_table_unref (index->named);
  g_hash_table_unref (index->numbers);
  g_hash_table_unref (index->listed);
  g_string_free (index->facts, TRUE);
  g_array_unref (index->channels);
  g_array_unref (index->wells);
  g_array_unref (index->entries);
  g_ptr_array_unref (index->files);
  g_free (index->first_missing);
  g_free (index->folder);
  g_free (index);
}

PlateEntry
plate_entry (void)
{
  return (PlateEntry){.page = -1, .well = PLATE_NO_WELL, .height = NAN, .time = NAN};
}

/* ---- Files ---- */

GHashTable *
plate_index_list (PlateIndex *index, const char *below)
{
  GHashTable *names = g_hash_table_lookup (index->listed, below);
  if (names)
    return names;
  g_autofree char *path = g_build_filename (index->folder, below, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (const char *name; dir && (name = g_dir_read_name (dir));)
    g_hash_table_add (names, g_strdup (name));
  g_hash_table_insert (index->listed, g_strdup (below), names);
  return names;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
plate_index_names (PlateIndex *index, const char *below)
{
  GPtrArray *names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, plate_index_list (index, below));
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (*(const char *) name != '.')
      g_ptr_array_add (names, name);
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* Whether a path with '/' stays below the folder. */
static gboolean
is_below (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  return *path && !g_path_is_absolute (path) && !(g_ascii_isalpha (path[0]) && path[1] == ':')
         && !g_strv_contains ((const char *const *) parts, "..");
}

guint
plate_index_add_file (PlateIndex *index, const char *path)
{
  const guint file = index->files->len;
  g_ptr_array_add (index->files, g_strdup (path));
  g_hash_table_insert (index->file_numbers, index->files->pdata[file], GUINT_TO_POINTER (file));
  return file;
}

gboolean
plate_index_file (PlateIndex *index, const char *name, guint *file, GError **error)
{
  g_autofree char *path = g_strdelimit (g_strdup (name), "\\", '/');
  gpointer known;
  const char *plain = g_str_has_prefix (path, "./") ? path + 2 : path;
  if (!is_below (plain))
    return file_fail (error, FILE_ERROR_DAMAGED, index->folder, "has an index that names '%s', outside of the folder.",
                      name);
  if (g_hash_table_lookup_extended (index->file_numbers, plain, NULL, &known)) {
    *file = GPOINTER_TO_UINT (known);
    return TRUE;
  }
  g_autofree char *parent = g_path_get_dirname (plain), *base = g_path_get_basename (plain);
  if (!g_hash_table_contains (plate_index_list (index, strcmp (parent, ".") ? parent : ""), base)
      || index->files->len == PLATE_MAX_FILES) {
    index->missing++;
    if (!index->first_missing)
      index->first_missing = text_visible (plain, "");
    return FALSE;
  }
  *file = plate_index_add_file (index, plain);
  return TRUE;
}

/* ---- Wells ---- */

static char *
well_name (gint row, gint column)
{
  return row < 26 ? g_strdup_printf ("%c%02d", 'A' + row, column + 1)
                  : g_strdup_printf ("A%c%02d", 'A' + row - 26, column + 1);
}

guint
plate_index_well (PlateIndex *index, gint64 row, gint64 column)
{
  gpointer known;
  if (row < 0 || row >= PLATE_MAX_ROWS || column < 0 || column >= PLATE_MAX_COLUMNS)
    return PLATE_NO_WELL;
  const gpointer key = GINT_TO_POINTER ((gint) (row * PLATE_MAX_COLUMNS + column));
  if (g_hash_table_lookup_extended (index->numbers, key, NULL, &known))
    return GPOINTER_TO_UINT (known);
  const PlateWell well = {well_name ((gint) row, (gint) column), (gint) row, (gint) column};
  g_array_append_val (index->wells, well);
  g_hash_table_insert (index->numbers, key, GUINT_TO_POINTER (index->wells->len - 1));
  return index->wells->len - 1;
}

guint
plate_index_named_well (PlateIndex *index, const char *name)
{
  gpointer number;
  if (g_hash_table_lookup_extended (index->named, name, NULL, &number))
    return GPOINTER_TO_UINT (number);
  const PlateWell well = {text_visible (name, ""), -1, -1};
  g_array_append_val (index->wells, well);
  g_hash_table_insert (index->named, g_strdup (name), GUINT_TO_POINTER (index->wells->len - 1));
  return index->wells->len - 1;
}

gboolean
plate_well_parse (const char *text, gint *row, gint *column)
{
  const char *digits = text;
  gint64 number;
  gint letters = 0;
  for (; g_ascii_isalpha (*digits) && digits - text < 3; digits++)
    letters = letters * 26 + g_ascii_toupper (*digits) - 'A' + 1;
  if (!letters || letters > PLATE_MAX_ROWS || strlen (digits) > 3
      || !g_ascii_string_to_unsigned (digits, 10, 1, PLATE_MAX_COLUMNS, (guint64 *) &number, NULL))
    return FALSE;
  *row = letters - 1;
  *column = (gint) number - 1;
  return TRUE;
}

/* ---- What is known ---- */

PlateChannel *
plate_index_channel (PlateIndex *index, gint64 number)
{
  const gpointer key = GSIZE_TO_POINTER ((gsize) number);
  gpointer known;
  if (!g_hash_table_lookup_extended (index->channel_numbers, key, NULL, &known)) {
    const PlateChannel added = {.number = number};
    known = GUINT_TO_POINTER (index->channels->len);
    g_array_append_val (index->channels, added);
    g_hash_table_insert (index->channel_numbers, key, known);
  }
  return &g_array_index (index->channels, PlateChannel, GPOINTER_TO_UINT (known));
}

void
plate_index_fact (PlateIndex *index, const char *key, const char *value)
{
  g_autofree char *shown = value ? text_visible (value, "") : NULL, *begin = g_strconcat (key, ": ", NULL);
  if (shown && *g_strstrip (shown) && !strstr (index->facts->str, begin))
    g_string_append_printf (index->facts, "%s%s\n", begin, shown);
}
