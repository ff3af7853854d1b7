/* SPDX-License-Identifier: MIT
 *
 * Tables are looked through twice: for their columns, and for their rows, which are made on all cores.
 */
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/batch/folder.h"
#include "core/batch/part.h"
#include "core/batch/table_sink.h"
#include "core/data/csv.h"

#include <string.h>

#define HEAD ((gint64) 1 << 12) /* bytes, in which most headers end */

typedef struct {
  const BatchFolder *folder;
  CsvFormat format;
  gboolean series; /* whether there is such a column */
  BatchParts *parts;
  GArray *with_rows;   /* const BatchRecord *: those that have some */
  GPtrArray *columns;  /* headers of the whole table's */
  GHashTable *slots;   /* of each of them: header -> index */
  GHashTable *headers; /* of tables: first line -> GArray of the indices of its columns */
  TableSink *sink;
} Merge;

/* ---- Columns ---- */

static guint
slot_of (Merge *m, const char *column)
{
  gpointer slot;
  if (g_hash_table_lookup_extended (m->slots, column, NULL, &slot))
    return GPOINTER_TO_UINT (slot);
  g_ptr_array_add (m->columns, g_strdup (column));
  g_hash_table_insert (m->slots, m->columns->pdata[m->columns->len - 1], GUINT_TO_POINTER (m->columns->len - 1));
  return m->columns->len - 1;
}

/* Where the columns of a table with this first line go. */
static const GArray *
slots_of (Merge *m, const char *line, gsize n)
{
  g_autofree char *key = g_strndup (line, n);
  GArray *slots = g_hash_table_lookup (m->headers, key);
  g_autoptr (GString) field = g_string_new (NULL);
  const char *at = line;
  gboolean last = FALSE;
  if (slots)
    return slots;
  slots = g_array_new (FALSE, FALSE, sizeof (guint));
  while (!last) {
    last = csv_next_field (&at, line + n, field);
    guint slot = slot_of (m, field->str);
    g_array_append_val (slots, slot);
  }
  g_hash_table_insert (m->headers, g_steal_pointer (&key), slots);
  return slots;
}

/* Bytes up to the end of the first line; 0: it does not end. */
static gsize
first_line (const char *bytes, gsize n)
{
  gboolean quoted = FALSE;
  for (gsize i = 0; i < n; i++)
    if (bytes[i] == '"')
      quoted = !quoted;
    else if (bytes[i] == '\n' && !quoted)
      return i + 1;
  return 0;
}

static gboolean
find_columns (Merge *m, const BatchRecord *record, GError **error)
{
  gsize n, line;
  g_autofree char *bytes = batch_parts_read (m->parts, record, HEAD, &n, error);
  if (bytes && !(line = first_line (bytes, n)) && record->length > HEAD) {
    g_free (bytes);
    bytes = batch_parts_read (m->parts, record, record->length, &n, error);
  }
  if (bytes)
    slots_of (m, bytes, first_line (bytes, n));
  return bytes != NULL;
}

/* ---- Rows ---- */

/* What comes first in each row of an image, or in the header. */
static char *
row_start (const Merge *m, const char *const *parts, const char *file, const char *series)
{
  GString *start = g_string_new (NULL);
  if (m->format.json) {
    g_string_append_c (start, '{');
    for (guint i = 0; parts && parts[i]; i++)
      csv_add_member (start, m->folder->parts->pdata[i], parts[i], FALSE);
    csv_add_member (start, "file", file, FALSE);
    if (m->series)
      csv_add_member (start, "series", series, TRUE);
    return g_string_free (start, FALSE);
  }
  for (guint i = 0; parts && parts[i]; i++) {
    csv_add_field (start, parts[i], m->format);
    g_string_append_c (start, m->format.separator);
  }
  csv_add_field (start, file, m->format);
  if (m->series) {
    g_string_append_c (start, m->format.separator);
    csv_add_field (start, series, m->format);
  }
  g_string_append_c (start, m->format.separator);
  return g_string_free (start, FALSE);
}

static GString *
header_line (const Merge *m)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < m->folder->parts->len; i++)
    g_ptr_array_add (names, m->folder->parts->pdata[i]);
  g_ptr_array_add (names, NULL);
  g_autofree char *start = row_start (m, (const char *const *) names->pdata, "file", "series");
  GString *line = g_string_new (start);
  for (guint i = 0; i < m->columns->len; i++) {
    if (i)
      g_string_append_c (line, m->format.separator);
    csv_add_field (line, m->columns->pdata[i], m->format);
  }
  if (!m->columns->len) /* nothing has rows */
    g_string_truncate (line, line->len - 1);
  return g_string_append (line, "\r\n");
}

static void
string_free (gpointer string)
{
  g_string_free (string, TRUE);
}

/* Rows of a table whose columns are those of the whole, and in which a line is a row: as they are. */
static void
copy_rows (const char *rows, const char *end, const char *start, GByteArray *to)
{
  const guint n = (guint) strlen (start);
  for (const char *at = rows, *next; at < end; at = next) {
    next = (const char *) memchr (at, '\n', (gsize) (end - at)) + 1;
    g_byte_array_append (to, (const guint8 *) start, n);
    g_byte_array_append (to, (const guint8 *) at, (guint) (next - at));
  }
}

static void
add_cell (GString *line, const char *cell, CsvFormat format)
{
  double number;
  if (text_to_number_or_infinity (cell, &number))
    csv_add_number (line, cell, format);
  else
    csv_add_field (line, cell, format);
}

/* Other rows, field by field. */
static void
sort_rows (const Merge *m, const GArray *slots, const char *rows, const char *end, const char *start, GByteArray *to)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (string_free);
  g_autoptr (GString) field = g_string_new (NULL), line = g_string_new (NULL);
  for (guint i = 0; i < m->columns->len; i++)
    g_ptr_array_add (fields, g_string_new (NULL));
  for (const char *at = rows; at < end;) {
    gboolean last = FALSE;
    for (guint j = 0; !last; j++) {
      last = csv_next_field (&at, end, field);
      if (j < slots->len)
        g_string_assign (fields->pdata[g_array_index (slots, guint, j)], field->str);
    }
    g_string_assign (line, start);
    for (guint i = 0; i < fields->len; i++) {
      const char *cell = ((GString *) fields->pdata[i])->str;
      if (m->format.json)
        csv_add_member (line, m->columns->pdata[i], cell, !*cell || csv_is_number (cell));
      else {
        if (i)
          g_string_append_c (line, m->format.separator);
        add_cell (line, cell, m->format);
      }
      g_string_truncate (fields->pdata[i], 0);
    }
    g_string_append (line, m->format.json ? "}\n" : "\r\n");
    g_byte_array_append (to, (const guint8 *) line->str, (guint) line->len);
  }
}

/* Whether the table's columns are the whole table's, in their order. */
static gboolean
is_whole (const Merge *m, const GArray *slots)
{
  for (guint j = 0; j < slots->len; j++)
    if (g_array_index (slots, guint, j) != j)
      return FALSE;
  return slots->len == m->columns->len;
}

static gboolean
make_rows (gpointer data, guint64 i, GByteArray *to, GError **error)
{
  Merge *m = data;
  const BatchRecord *record = g_array_index (m->with_rows, const BatchRecord *, i);
  gsize n;
  g_autofree char *bytes = batch_parts_read (m->parts, record, record->length, &n, error),
                  *file = text_from_bytes (record->file), *series = g_strdup_printf ("%u", record->series);
  g_auto (GStrv) parts = batch_folder_parts (m->folder, record);
  g_autofree char *start = row_start (m, (const char *const *) parts, file, series);
  if (!bytes)
    return FALSE;
  const gsize head = first_line (bytes, n);
  const GArray *slots = slots_of (m, bytes, head); /* which is known by now */
  const char *rows = bytes + head, *end = bytes + n;
  if (m->format.separator == ',' && !m->format.json && is_whole (m, slots) && !memchr (rows, '"', n - head)
      && bytes[n - 1] == '\n' && (m->format.raw || csv_is_harmless (rows, end)))
    copy_rows (rows, end, start, to);
  else
    sort_rows (m, slots, rows, end, start, to);
  return TRUE;
}

static gboolean
put_rows (gpointer data, guint64 i, const GByteArray *rows, GError **error)
{
  (void) i;
  return table_sink_write (((Merge *) data)->sink, rows->data, rows->len, error);
}

/* ---- All ---- */

/* Whether any image has rows: then those that have none say nothing of the columns. */
static gboolean
have_rows (const GArray *all)
{
  for (guint i = 0; i < all->len; i++) {
    const BatchRecord *record = &g_array_index (all, BatchRecord, i);
    if (!record->removed && !record->error && !record->belongs && record->length && record->rows > 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
find_rows (Merge *m, GError **error)
{
  const GArray *all = m->folder->records->all;
  const gboolean some = have_rows (all);
  for (guint i = 0; i < all->len; i++) {
    const BatchRecord *record = &g_array_index (all, BatchRecord, i);
    if (record->removed || record->error || record->belongs || !record->length)
      continue;
    m->series = m->series || record->of > 1;
    if ((record->rows > 0) != some)
      continue;
    g_array_append_val (m->with_rows, record);
    if (!batch_parts_open (m->parts, record->shard, error) || !find_columns (m, record, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
merge (Merge *m, GError **error)
{
  if (!find_rows (m, error))
    return FALSE;
  g_autoptr (GString) header = m->format.json ? g_string_new (NULL) : header_line (m);
  return table_sink_write (m->sink, header->str, header->len, error)
         && parallel_make (m->with_rows->len, make_rows, put_rows, m, error);
}

/* Columns that are always strings. */
static GPtrArray *
text_columns (const Merge *m)
{
  GPtrArray *texts = g_ptr_array_new ();
  for (guint i = 0; i < m->folder->parts->len; i++)
    g_ptr_array_add (texts, m->folder->parts->pdata[i]);
  g_ptr_array_add (texts, (gpointer) "file");
  return texts;
}

static void
merge_clear (Merge *m)
{
  batch_parts_free (m->parts);
  g_array_unref (m->with_rows);
  g_hash_table_unref (m->headers);
  g_hash_table_unref (m->slots);
  g_ptr_array_unref (m->columns);
  table_sink_abandon (m->sink);
}

gboolean
batch_folder_save_table (const BatchFolder *folder, const char *path, CsvFormat format, GError **error)
{
  TableSink *sink = table_sink_new (path, &format, error);
  if (!sink)
    return FALSE;
  Merge m = {.folder = folder,
             .format = format,
             .parts = batch_parts_new (folder),
             .with_rows = g_array_new (FALSE, FALSE, sizeof (const BatchRecord *)),
             .columns = g_ptr_array_new_with_free_func (g_free),
             .slots = g_hash_table_new (g_str_hash, g_str_equal),
             .headers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref),
             .sink = sink};
  g_autoptr (GPtrArray) texts = text_columns (&m);
  const gboolean done = merge (&m, error) && table_sink_commit (g_steal_pointer (&m.sink), texts, error);
  merge_clear (&m);
  return done;
}
