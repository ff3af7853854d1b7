/* SPDX-License-Identifier: MIT
 *
 * Headers of pages and the footer are structs of Thrift's compact protocol, with the numbers that parquet.thrift gives to fields and values.
 */
#include "core/files/parquet.h"

#include "core/base/file_target.h"

#include <math.h>
#include <string.h>

#define MAGIC "PAR1"

enum { I32 = 5, I64 = 6, BINARY = 8, LIST = 9, STRUCT = 12 }; /* of Thrift */
enum { INT64 = 2, DOUBLE = 5, BYTE_ARRAY = 6 };               /* of Parquet */
enum { PLAIN = 0, RLE = 3, OPTIONAL = 1, UTF8 = 0, UNCOMPRESSED = 0, DATA_PAGE = 0 };
enum { PAGE = 1 << 20, DEEPEST = 8 };

/* ---- Thrift ---- */

typedef struct {
  GByteArray *bytes;
  guint last[DEEPEST]; /* the field of each struct that is open */
  guint depth;
} Thrift;

static void
put_byte (GByteArray *bytes, guint byte)
{
  const guint8 b = (guint8) byte;
  g_byte_array_append (bytes, &b, 1);
}

static void
put_varint (GByteArray *bytes, guint64 n)
{
  for (; n >= 0x80; n >>= 7)
    put_byte (bytes, 0x80 | (n & 0x7f));
  put_byte (bytes, (guint) n);
}

static void
put_field (Thrift *t, guint id, guint type)
{
  put_byte (t->bytes, (id - t->last[t->depth]) << 4 | type);
  t->last[t->depth] = id;
}

/* The integer is not negative, so that zigzag doubles it. */
static void
put_integer (Thrift *t, guint id, guint type, gint64 n)
{
  put_field (t, id, type);
  put_varint (t->bytes, (guint64) n << 1);
}

static void
put_text (GByteArray *bytes, const char *text)
{
  put_varint (bytes, strlen (text));
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
}

static void
put_list (Thrift *t, guint id, guint type, guint n)
{
  put_field (t, id, LIST);
  put_byte (t->bytes, MIN (n, 15) << 4 | type);
  if (n >= 15)
    put_varint (t->bytes, n);
}

static void
begin_struct (Thrift *t)
{
  t->last[++t->depth] = 0;
}

static void
end_struct (Thrift *t)
{
  put_byte (t->bytes, 0);
  t->depth--;
}

/* ---- Pages ---- */

typedef struct {
  gint64 at, length; /* of its pages in the file */
} Chunk;

typedef struct {
  const Table *table;
  FileTarget *target;
  Chunk *chunks; /* of each column */
  gint64 length; /* of the file until now */
  GByteArray *levels, *values, *page;
} Writer;

static guint
type_of (const TableColumn *column)
{
  gboolean missing;
  return column->type == FV_COLUMN_TEXT ? BYTE_ARRAY : table_column_is_whole (column, &missing) ? INT64 : DOUBLE;
}

static gboolean
write_bytes (Writer *w, gconstpointer bytes, gsize n, GError **error)
{
  w->length += (gint64) n;
  return file_target_write (w->target, bytes, n, error);
}

static void
put_fixed (GByteArray *bytes, guint64 bits, guint n)
{
  bits = GUINT64_TO_LE (bits);
  g_byte_array_append (bytes, (const guint8 *) &bits, n);
}

static void
put_value (GByteArray *bytes, const TableColumn *column, guint type, double value)
{
  guint64 bits;
  if (type == BYTE_ARRAY) {
    g_autofree char *text = g_utf8_make_valid (column->texts->pdata[(guint) value], -1);
    put_fixed (bytes, strlen (text), 4);
    g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
    return;
  }
  if (type == INT64)
    bits = (guint64) (gint64) value;
  else
    memcpy (&bits, &value, sizeof bits);
  put_fixed (bytes, bits, 8);
}

/* Levels of a page: whether values are there, as runs of equal ones. */
static void
put_run (GByteArray *levels, gint64 n, gboolean there)
{
  if (!n)
    return;
  put_varint (levels, (guint64) n << 1);
  put_byte (levels, there);
}

/* Fills levels and values with those of rows from `row` on, and says where the next page begins. */
static gint64
fill_page (Writer *w, const TableColumn *column, guint type, gint64 row)
{
  gint64 run = 0;
  gboolean there = TRUE;
  g_byte_array_set_size (w->levels, 0);
  g_byte_array_set_size (w->values, 0);
  for (; row < column->rows && w->levels->len + w->values->len < PAGE; row++, run++) {
    const double value = column->values[row];
    if (there != !isnan (value)) {
      put_run (w->levels, run, there);
      there = !there;
      run = 0;
    }
    if (there)
      put_value (w->values, column, type, value);
  }
  put_run (w->levels, run, there);
  return row;
}

static gboolean
write_page (Writer *w, gint64 rows, GError **error)
{
  const gint64 bytes = 4 + (gint64) w->levels->len + w->values->len;
  g_byte_array_set_size (w->page, 0);
  Thrift t = {.bytes = w->page};
  put_integer (&t, 1, I32, DATA_PAGE);
  put_integer (&t, 2, I32, bytes);
  put_integer (&t, 3, I32, bytes);
  put_field (&t, 5, STRUCT);
  begin_struct (&t);
  put_integer (&t, 1, I32, rows);
  put_integer (&t, 2, I32, PLAIN);
  put_integer (&t, 3, I32, RLE);
  put_integer (&t, 4, I32, RLE);
  end_struct (&t);
  put_byte (w->page, 0);
  put_fixed (w->page, w->levels->len, 4);
  return write_bytes (w, w->page->data, w->page->len, error) && write_bytes (w, w->levels->data, w->levels->len, error)
         && write_bytes (w, w->values->data, w->values->len, error);
}

static gboolean
write_column (Writer *w, guint j, GError **error)
{
  const TableColumn *column = table_column (w->table, j);
  const guint type = type_of (column);
  w->chunks[j].at = w->length;
  for (gint64 row = 0, next; row < column->rows; row = next) {
    next = fill_page (w, column, type, row);
    if (!write_page (w, next - row, error))
      return FALSE;
  }
  w->chunks[j].length = w->length - w->chunks[j].at;
  return TRUE;
}

/* ---- Footer ---- */

static void
put_schema (Thrift *t, const Table *table)
{
  put_list (t, 2, STRUCT, table_columns (table) + 1);
  begin_struct (t);
  put_field (t, 4, BINARY);
  put_text (t->bytes, "schema");
  put_integer (t, 5, I32, table_columns (table));
  end_struct (t);
  for (guint j = 0; j < table_columns (table); j++) {
    const TableColumn *column = table_column (table, j);
    g_autofree char *header = table_header (column), *name = g_utf8_make_valid (header, -1);
    begin_struct (t);
    put_integer (t, 1, I32, type_of (column));
    put_integer (t, 3, I32, OPTIONAL);
    put_field (t, 4, BINARY);
    put_text (t->bytes, name);
    if (column->type == FV_COLUMN_TEXT)
      put_integer (t, 6, I32, UTF8);
    end_struct (t);
  }
}

static void
put_chunk (Thrift *t, const TableColumn *column, const Chunk *chunk)
{
  g_autofree char *header = table_header (column), *name = g_utf8_make_valid (header, -1);
  begin_struct (t);
  put_integer (t, 2, I64, chunk->at);
  put_field (t, 3, STRUCT);
  begin_struct (t);
  put_integer (t, 1, I32, type_of (column));
  put_list (t, 2, I32, 2);
  put_varint (t->bytes, PLAIN << 1);
  put_varint (t->bytes, RLE << 1);
  put_list (t, 3, BINARY, 1);
  put_text (t->bytes, name);
  put_integer (t, 4, I32, UNCOMPRESSED);
  put_integer (t, 5, I64, column->rows);
  put_integer (t, 6, I64, chunk->length);
  put_integer (t, 7, I64, chunk->length);
  put_integer (t, 9, I64, chunk->at);
  end_struct (t);
  end_struct (t);
}

static void
put_groups (Thrift *t, const Writer *w)
{
  const guint n = table_columns (w->table);
  put_list (t, 4, STRUCT, table_rows (w->table) > 0);
  if (!table_rows (w->table))
    return;
  begin_struct (t);
  put_list (t, 1, STRUCT, n);
  for (guint j = 0; j < n; j++)
    put_chunk (t, table_column (w->table, j), &w->chunks[j]);
  put_integer (t, 2, I64, w->length - (gint64) strlen (MAGIC));
  put_integer (t, 3, I64, table_rows (w->table));
  end_struct (t);
}

static gboolean
write_footer (Writer *w, GError **error)
{
  g_byte_array_set_size (w->page, 0);
  Thrift t = {.bytes = w->page};
  put_integer (&t, 1, I32, 1); /* version */
  put_schema (&t, w->table);
  put_integer (&t, 3, I64, table_rows (w->table));
  put_groups (&t, w);
  put_field (&t, 6, BINARY);
  put_text (w->page, "Fovea " FOVEA_VERSION);
  put_byte (w->page, 0);
  put_fixed (w->page, w->page->len, 4);
  return write_bytes (w, w->page->data, w->page->len, error) && write_bytes (w, MAGIC, strlen (MAGIC), error);
}

/* ---- All ---- */

static gboolean
write_all (Writer *w, GError **error)
{
  if (!w->target || !write_bytes (w, MAGIC, strlen (MAGIC), error))
    return FALSE;
  for (guint j = 0; j < table_columns (w->table); j++)
    if (!write_column (w, j, error))
      return FALSE;
  return write_footer (w, error);
}

gboolean
files_parquet_save (const Table *table, const char *path, GError **error)
{
  g_autoptr (FileTarget) target = file_target_new (path, error);
  g_autofree Chunk *chunks = g_new0 (Chunk, table_columns (table) + 1);
  g_autoptr (GByteArray) levels = g_byte_array_new ();
  g_autoptr (GByteArray) values = g_byte_array_new ();
  g_autoptr (GByteArray) page = g_byte_array_new ();
  Writer w = {.table = table, .target = target, .chunks = chunks, .levels = levels, .values = values, .page = page};
  return write_all (&w, error) && file_target_commit (g_steal_pointer (&target), error);
}
