/* SPDX-License-Identifier: MIT
 *
 * Tables are looked through twice: for their columns, and for their rows.
 */
#include "core/base/file_read.h"
#include "core/base/file_target.h"
#include "core/base/text.h"
#include "core/batch/folder.h"
#include "core/batch/journal.h"
#include "core/data/csv.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define HEAD ((gint64) 1 << 16) /* bytes, in which most headers end */

typedef struct {
  const BatchFolder *folder;
  char separator;
  gboolean series;     /* whether there is such a column */
  int *parts;          /* descriptors, for each shard; -1: not open */
  GPtrArray *columns;  /* headers of the whole table's */
  GHashTable *places;  /* of each of them: header -> place */
  GHashTable *headers; /* of tables: first line -> GArray of the places of its columns */
  GPtrArray *fields;   /* of a row of the whole table: GString; as many as columns */
  GString *line, *field;
} Merge;

/* ---- Parts ---- */

static int
part_file (Merge *m, guint shard, GError **error)
{
  g_autofree char *path = batch_journal_parts (m->folder->path, (BatchShard){shard, m->folder->shards});
  struct stat about;
  if (m->parts[shard] < 0)
    m->parts[shard] = file_open_regular (path, 0, &about, error);
  return m->parts[shard];
}

/* The first `most` bytes of an image's rows. Free with g_free(). */
static char *
read_part (Merge *m, const BatchRecord *record, gint64 most, gsize *n, GError **error)
{
  int fd = part_file (m, record->shard, error);
  g_autofree char *bytes = NULL;
  *n = (gsize) MIN (most, record->length);
  if (fd < 0 || !(bytes = g_try_malloc (*n + 1)))
    return NULL;
  for (gsize got = 0; got < *n;) {
    gssize some = pread (fd, bytes + got, *n - got, record->part + (gint64) got);
    if (some < 0 && errno == EINTR)
      continue;
    if (some <= 0) {
      file_fail (error, FILE_ERROR_DAMAGED, m->folder->path, "has rows of '%s' that cannot be read.", record->file);
      return NULL;
    }
    got += (gsize) some;
  }
  bytes[*n] = 0;
  return g_steal_pointer (&bytes);
}

/* ---- Columns ---- */

static guint
place_of (Merge *m, const char *column)
{
  gpointer place;
  if (g_hash_table_lookup_extended (m->places, column, NULL, &place))
    return GPOINTER_TO_UINT (place);
  g_ptr_array_add (m->columns, g_strdup (column));
  g_ptr_array_add (m->fields, g_string_new (NULL));
  g_hash_table_insert (m->places, m->columns->pdata[m->columns->len - 1], GUINT_TO_POINTER (m->columns->len - 1));
  return m->columns->len - 1;
}

/* Where the columns of a table with this first line go. Of two of one name in one table the second has a column of its own. */
static const GArray *
places_of (Merge *m, const char *line, gsize n)
{
  g_autofree char *key = g_strndup (line, n);
  GArray *places = g_hash_table_lookup (m->headers, key);
  const char *at = line;
  gboolean last = FALSE;
  if (places)
    return places;
  places = g_array_new (FALSE, FALSE, sizeof (guint));
  while (!last) {
    last = csv_next_field (&at, line + n, m->field);
    guint place = place_of (m, m->field->str);
    g_array_append_val (places, place);
  }
  g_hash_table_insert (m->headers, g_steal_pointer (&key), places);
  return places;
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
  g_autofree char *bytes = read_part (m, record, HEAD, &n, error);
  if (bytes && !(line = first_line (bytes, n)) && record->length > HEAD) {
    g_free (bytes);
    bytes = read_part (m, record, record->length, &n, error);
  }
  if (bytes)
    places_of (m, bytes, first_line (bytes, n));
  return bytes != NULL;
}

/* ---- Rows ---- */

static void
add_fields (Merge *m, const char *file, const char *series, gboolean header)
{
  csv_add_field (m->line, file, m->separator);
  if (m->series) {
    g_string_append_c (m->line, m->separator);
    csv_add_field (m->line, series, m->separator);
  }
  for (guint i = 0; i < m->columns->len; i++) {
    GString *field = m->fields->pdata[i];
    g_string_append_c (m->line, m->separator);
    csv_add_field (m->line, header ? m->columns->pdata[i] : field->str, m->separator);
    g_string_truncate (field, 0);
  }
  g_string_append (m->line, "\r\n");
}

static gboolean
add_part (Merge *m, const BatchRecord *record, FileTarget *target, GError **error)
{
  gsize n, head;
  g_autofree char *bytes = read_part (m, record, record->length, &n, error), *file = text_from_bytes (record->file),
                  *series = g_strdup_printf ("%u", record->series);
  if (!bytes)
    return FALSE;
  head = first_line (bytes, n);
  const GArray *places = places_of (m, bytes, head);
  g_string_truncate (m->line, 0);
  for (const char *at = bytes + head; at < bytes + n;) {
    gboolean last = FALSE;
    for (guint j = 0; !last; j++) {
      last = csv_next_field (&at, bytes + n, m->field);
      if (j < places->len)
        g_string_assign (m->fields->pdata[g_array_index (places, guint, j)], m->field->str);
    }
    add_fields (m, file, series, FALSE);
  }
  return file_target_write (target, m->line->str, m->line->len, error);
}

/* ---- All ---- */

static gboolean
has_rows (const BatchRecord *record)
{
  return !record->removed && !record->error && record->length > 0;
}

static gboolean
merge (Merge *m, FileTarget *target, GError **error)
{
  const GArray *all = m->folder->records->all;
  for (guint i = 0; i < all->len; i++) {
    const BatchRecord *record = &g_array_index (all, BatchRecord, i);
    if (!has_rows (record))
      continue;
    m->series = m->series || record->of > 1;
    if (!find_columns (m, record, error))
      return FALSE;
  }
  add_fields (m, "file", "series", TRUE);
  if (!file_target_write (target, m->line->str, m->line->len, error))
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    if (has_rows (&g_array_index (all, BatchRecord, i))
        && !add_part (m, &g_array_index (all, BatchRecord, i), target, error))
      return FALSE;
  return TRUE;
}

static void
string_free (gpointer string)
{
  g_string_free (string, TRUE);
}

gboolean
batch_folder_save_table (const BatchFolder *folder, const char *path, char separator, GError **error)
{
  g_autoptr (FileTarget) target = file_target_new (path, error);
  Merge m = {.folder = folder,
             .separator = separator,
             .parts = g_new (int, folder->shards),
             .columns = g_ptr_array_new_with_free_func (g_free),
             .places = g_hash_table_new (g_str_hash, g_str_equal),
             .headers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref),
             .fields = g_ptr_array_new_with_free_func (string_free),
             .line = g_string_new (NULL),
             .field = g_string_new (NULL)};
  for (guint i = 0; i < folder->shards; i++)
    m.parts[i] = -1;
  gboolean done = target && merge (&m, target, error);
  for (guint i = 0; i < folder->shards; i++)
    if (m.parts[i] >= 0)
      close (m.parts[i]);
  g_free (m.parts);
  g_hash_table_unref (m.headers);
  g_hash_table_unref (m.places);
  g_ptr_array_unref (m.columns);
  g_ptr_array_unref (m.fields);
  g_string_free (m.line, TRUE);
  g_string_free (m.field, TRUE);
  return done && file_target_commit (g_steal_pointer (&target), error);
}
