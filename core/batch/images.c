/* SPDX-License-Identifier: MIT
 *
 * The table of images, made of the manifests alone, but for deviations and medians of groups.
 */
#include "core/base/text.h"
#include "core/batch/folder.h"
#include "core/batch/spread.h"
#include "core/batch/table_sink.h"

#include <math.h>
#include <string.h>

#define MEAN "mean of " /* of the rows of a table, before the name of its column */

typedef struct {
  CsvFormat format;
  const BatchFolder *folder;
  gboolean series;  /* whether there is such a column */
  GPtrArray *names; /* of the numbers of all images, in the order in which they come */
  GString *line;
} Images;

static gboolean
is_image (const BatchRecord *record)
{
  return !record->removed && !record->belongs;
}

static void
find_names (Images *m, const GArray *all)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < all->len; i++) {
    const BatchRecord *record = &g_array_index (all, BatchRecord, i);
    m->series = m->series || (is_image (record) && record->of > 1);
    for (const char *const *name = record->names; is_image (record) && name && *name; name++)
      if (g_hash_table_add (known, (gpointer) *name))
        g_ptr_array_add (m->names, (gpointer) *name);
  }
}

/* Adds a cell with the value, or with NULL a cell of the header. */
static void
add (Images *m, const char *name, const char *value, gboolean number)
{
  if (m->format.json) {
    csv_add_member (m->line, name, value, number || !*value);
    return;
  }
  if (m->line->len)
    g_string_append_c (m->line, m->format.separator);
  if (value && number)
    csv_add_number (m->line, value, m->format);
  else
    csv_add_field (m->line, value ? value : name, m->format);
}

static void
add_number (Images *m, const char *name, double value)
{
  g_autofree char *text = !isfinite (value)                                 ? g_strdup ("")
                          : value == trunc (value) && fabs (value) < 0x1p53 ? g_strdup_printf ("%.0f", value)
                                                                            : text_from_number (value);
  add (m, name, text, TRUE);
}

static double
value_of (const BatchRecord *record, const char *name)
{
  for (guint i = 0; record->names && record->names[i]; i++)
    if (!strcmp (record->names[i], name))
      return record->values[i];
  return NAN;
}

/* Where an image is from; NULL: the header. */
static void
add_parts (Images *m, const BatchRecord *record)
{
  g_auto (GStrv) parts = record ? batch_folder_parts (m->folder, record) : NULL;
  for (guint i = 0; i < m->folder->parts->len; i++)
    if (m->format.json)
      csv_add_member (m->line, m->folder->parts->pdata[i], parts ? parts[i] : "", FALSE);
    else
      add (m, m->folder->parts->pdata[i], parts ? parts[i] : NULL, FALSE);
}

/* Of an image; NULL: the header. */
static void
add_line (Images *m, const BatchRecord *record)
{
  g_autofree char *file = record ? text_from_bytes (record->file) : NULL;
  g_string_assign (m->line, m->format.json ? "{" : "");
  add_parts (m, record);
  add (m, "file", file, FALSE);
#define NUMBER(NAME, VALUE) (record ? add_number (m, NAME, VALUE) : add (m, NAME, NULL, FALSE))
#define TEXT(NAME, VALUE) add (m, NAME, !record ? NULL : VALUE ? VALUE : "", FALSE)
  if (m->series)
    NUMBER ("series", record->series);
  NUMBER ("rows", record->error ? NAN : (double) record->rows);
  for (guint i = 0; i < m->names->len; i++)
    NUMBER (m->names->pdata[i], value_of (record, m->names->pdata[i]));
  NUMBER ("seconds", record->seconds);
  TEXT ("device", record->device);
  TEXT ("warning", record->warning);
  TEXT ("error", record->error);
#undef NUMBER
#undef TEXT
  g_string_append (m->line, m->format.json ? "}\n" : "\r\n");
}

/* ---- Groups ---- */

/* Images whose names have the same parts. */
typedef struct {
  char **parts; /* those of the group's columns */
  double images, failed, rows;
  double *sums, *weights; /* of each number */
  GPtrArray *records;     /* const BatchRecord *: with rows */
} Group;

static void
group_free (gpointer data)
{
  Group *group = data;
  g_strfreev (group->parts);
  g_free (group->sums);
  g_free (group->weights);
  g_ptr_array_unref (group->records);
  g_free (group);
}

/* The numbers of the columns; NULL with *error when a name has no such part. Array of guint. */
static GArray *
find_columns (const Images *m, const char *const *columns, const char *path, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  for (; *columns; columns++) {
    guint n;
    if (!g_ptr_array_find_with_equal_func (m->folder->parts, *columns, g_str_equal, &n)) {
      file_fail (error, FILE_ERROR_WRITE, path,
                 "cannot be grouped by '%s': neither the names of the inputs nor a plate have such a part.", *columns);
      return NULL;
    }
    g_array_append_val (found, n);
  }
  return g_steal_pointer (&found);
}

/* The group of an image, which is made when it is the first. */
static Group *
group_of (const Images *m, const BatchRecord *record, const GArray *columns, GPtrArray *groups, GHashTable *known)
{
  g_auto (GStrv) parts = batch_folder_parts (m->folder, record);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GString) key = g_string_new (NULL);
  for (guint i = 0; i < columns->len; i++) {
    const char *part = parts[g_array_index (columns, guint, i)];
    g_strv_builder_add (builder, part);
    g_string_append_printf (key, "%s\n", part);
  }
  Group *group = g_hash_table_lookup (known, key->str);
  if (group)
    return group;
  group = g_new0 (Group, 1);
  group->parts = g_strv_builder_end (builder);
  group->sums = g_new0 (double, m->names->len + 1);
  group->weights = g_new0 (double, m->names->len + 1);
  group->records = g_ptr_array_new ();
  g_ptr_array_add (groups, group);
  g_hash_table_insert (known, g_strdup (key->str), group);
  return group;
}

/* The column that a number is the mean of; NULL: it is another number. */
static const char *
column_of (const char *name)
{
  return g_str_has_prefix (name, MEAN) ? name + strlen (MEAN) : NULL;
}

/* Sums add up, means are of all rows together, and other numbers, such as thresholds, are means over images. */
static void
add_to_group (const Images *m, const BatchRecord *record, Group *group)
{
  group->images++;
  group->failed += record->error != NULL;
  group->rows += record->error ? 0 : (double) record->rows;
  if (!record->error && record->length && record->rows > 0)
    g_ptr_array_add (group->records, (gpointer) record);
  for (guint i = 0; i < m->names->len; i++) {
    const char *name = m->names->pdata[i];
    const double value = value_of (record, name), weight = column_of (name) ? (double) record->rows : 1;
    if (!isfinite (value))
      continue;
    group->sums[i] += value * weight;
    group->weights[i] += weight;
  }
}

/* How the columns of all rows are spread. spread: by column; NULL: the header. */
static void
add_spread (Images *m, GHashTable *spread)
{
  static const char *const words[] = {"sd of ", "median of "};
  for (guint k = 0; k < G_N_ELEMENTS (words); k++)
    for (guint i = 0; i < m->names->len; i++) {
      const char *column = column_of (m->names->pdata[i]);
      const BatchSpread *s = column && spread ? g_hash_table_lookup (spread, column) : NULL;
      g_autofree char *name = column ? g_strconcat (words[k], column, NULL) : NULL;
      if (column && spread)
        add_number (m, name, !s ? NAN : k ? s->median : s->sd);
      else if (column)
        add (m, name, NULL, FALSE);
    }
}

/* NULL: the header. FALSE with *error. */
static gboolean
add_group (Images *m, const Group *group, const GArray *columns, GError **error)
{
  g_autoptr (GHashTable) spread = group ? batch_spread_of (m->folder, group->records, error) : NULL;
  if (group && !spread)
    return FALSE;
  g_string_assign (m->line, m->format.json ? "{" : "");
  for (guint i = 0; i < columns->len; i++)
    add (m, m->folder->parts->pdata[g_array_index (columns, guint, i)], group ? group->parts[i] : NULL, FALSE);
#define NUMBER(NAME, VALUE) (group ? add_number (m, NAME, VALUE) : add (m, NAME, NULL, FALSE))
  NUMBER ("images", group->images);
  NUMBER ("failed", group->failed);
  NUMBER ("rows", group->rows);
  for (guint i = 0; i < m->names->len; i++) {
    const char *name = m->names->pdata[i];
    NUMBER (name, !(group->weights[i] > 0)
                    ? NAN
                    : group->sums[i] / (g_str_has_prefix (name, "sum of ") ? 1 : group->weights[i]));
  }
#undef NUMBER
  add_spread (m, spread);
  g_string_append (m->line, m->format.json ? "}\n" : "\r\n");
  return TRUE;
}

static gboolean
write_groups (Images *m, const GArray *all, const GArray *columns, TableSink *sink, GError **error)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < all->len; i++) {
    const BatchRecord *record = &g_array_index (all, BatchRecord, i);
    if (is_image (record))
      add_to_group (m, record, group_of (m, record, columns, groups, known));
  }
  for (guint i = m->format.json; i <= groups->len; i++) {
    if (!add_group (m, i ? groups->pdata[i - 1] : NULL, columns, error)
        || !table_sink_write (sink, m->line->str, m->line->len, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- All ---- */

static gboolean
write_images (Images *m, const GArray *all, TableSink *sink, GError **error)
{
  for (guint i = m->format.json; i <= all->len; i++) {
    const BatchRecord *record = i ? &g_array_index (all, BatchRecord, i - 1) : NULL;
    if (record && !is_image (record))
      continue;
    add_line (m, record);
    if (!table_sink_write (sink, m->line->str, m->line->len, error))
      return FALSE;
  }
  return TRUE;
}

/* Columns that are always strings. */
static GPtrArray *
text_columns (const BatchFolder *folder)
{
  static const char *const always[] = {"file", "device", "warning", "error"};
  GPtrArray *texts = g_ptr_array_new ();
  for (guint i = 0; i < folder->parts->len; i++)
    g_ptr_array_add (texts, folder->parts->pdata[i]);
  for (guint i = 0; i < G_N_ELEMENTS (always); i++)
    g_ptr_array_add (texts, (gpointer) always[i]);
  return texts;
}

gboolean
batch_folder_save_images (const BatchFolder *folder, const char *path, const char *group, CsvFormat format,
                          GError **error)
{
  const GArray *all = folder->records->all;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) texts = text_columns (folder);
  g_autoptr (GString) line = g_string_new (NULL);
  g_auto (GStrv) keys = g_strsplit (group ? group : "", ",", -1);
  g_autoptr (TableSink) sink = table_sink_new (path, &format, error);
  Images m = {.format = format, .folder = folder, .names = names, .line = line};
  g_autoptr (GArray) columns = sink ? find_columns (&m, (const char *const *) keys, path, error) : NULL;
  if (!columns)
    return FALSE;
  find_names (&m, all);
  return (group ? write_groups (&m, all, columns, sink, error) : write_images (&m, all, sink, error))
         && table_sink_commit (g_steal_pointer (&sink), texts, error);
}
