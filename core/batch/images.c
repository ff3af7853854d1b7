/* SPDX-License-Identifier: MIT
 *
 * The table of images, made of the manifests alone.
 */
#include "core/base/file_target.h"
#include "core/base/text.h"
#include "core/batch/folder.h"

#include <math.h>
#include <string.h>

typedef struct {
  CsvFormat format;
  const BatchFolder *folder;
  const NamePattern *pattern; /* its; NULL: none */
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

/* A cell; value NULL: of the header. */
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
  g_autofree char *text = !isfinite (value)                                    ? g_strdup ("")
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

/* What the name of an image says; NULL: the header. */
static void
add_parts (Images *m, const BatchRecord *record)
{
  g_auto (GStrv) parts = record ? batch_folder_name_parts (m->folder, record->file) : NULL;
  for (guint i = 0; m->pattern && i < m->pattern->names->len; i++) {
    const char *part = parts ? parts[i] : "";
    if (m->format.json)
      csv_add_member (m->line, m->pattern->names->pdata[i], part, FALSE);
    else
      add (m, m->pattern->names->pdata[i], record ? part : NULL, FALSE);
  }
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

gboolean
batch_folder_save_images (const BatchFolder *folder, const char *path, CsvFormat format, GError **error)
{
  const GArray *all = folder->records->all;
  if (!csv_format_of (path, &format, error))
    return FALSE;
  g_autoptr (FileTarget) target = file_target_new (path, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) line = g_string_new (NULL);
  Images m = {.format = format, .folder = folder, .pattern = folder->pattern, .names = names, .line = line};
  const char *start = csv_start (format);
  if (!target || !file_target_write (target, start, strlen (start), error))
    return FALSE;
  find_names (&m, all);
  for (guint i = format.json; i <= all->len; i++) {
    const BatchRecord *record = i ? &g_array_index (all, BatchRecord, i - 1) : NULL;
    if (record && !is_image (record))
      continue;
    add_line (&m, record);
    if (!file_target_write (target, line->str, line->len, error))
      return FALSE;
  }
  return file_target_commit (g_steal_pointer (&target), error);
}
