/* SPDX-License-Identifier: MIT
 */
#include "core/files/fits/tile_table.h"

#include "core/files/fits/cards.h"
#include "core/files/shared/big.h"

#include <string.h>

enum { MAX_COLUMNS = 999 };

/* Bytes of an element; 0: unknown type. */
static guint
type_bytes (char type)
{
  switch (type) {
  case 'L':
  case 'A':
  case 'B': return 1;
  case 'I': return 2;
  case 'J':
  case 'E': return 4;
  case 'K':
  case 'D':
  case 'C':
  case 'P': return 8;
  case 'M':
  case 'Q': return 16;
  default: return 0;
  }
}

/* What a TFORM such as "1PB(42)" says; how many bytes of a row that is. */
static guint64
read_form (const char *form, FilesFitsColumn *column)
{
  char *type;
  guint64 count = g_ascii_isdigit (*form) ? g_ascii_strtoull (form, &type, 10) : 1;
  if (!g_ascii_isdigit (*form))
    type = (char *) form;
  count = MIN (count, G_MAXUINT32);
  column->type = count > 0 ? *type : 0;
  column->bytes = *type == 'P' || *type == 'Q' ? type_bytes (type[1]) : 0;
  return *type == 'X' ? (count + 7) / 8 : count * type_bytes (*type);
}

FilesFitsColumn
files_fits_column (const FilesFitsImage *image, const char *name)
{
  gint64 columns = 0;
  guint64 at = 0;
  files_fits_integer (image->cards, "TFIELDS", 0, &columns);
  for (guint i = 1; i <= MIN (columns, MAX_COLUMNS); i++) {
    g_autofree char *form = files_fits_text (image->cards, "TFORM", i),
                    *own = files_fits_text (image->cards, "TTYPE", i);
    FilesFitsColumn column = {.at = at};
    if (!form)
      break;
    at += read_form (form, &column);
    if (own && !g_ascii_strcasecmp (own, name) && at <= image->tiles->row_bytes)
      return column;
  }
  return (FilesFitsColumn){0};
}

double
files_fits_column_number (const FilesFitsColumn *column, const guint8 *row)
{
  guint64 bits = files_big (row + column->at, type_bytes (column->type));
  guint32 low = (guint32) bits;
  double number = 0;
  float single;
  switch (column->type) {
  case 'D': memcpy (&number, &bits, 8); return number;
  case 'E': memcpy (&single, &low, 4); return (double) single;
  case 'J': return (gint32) bits;
  case 'I': return (gint16) bits;
  default: return 0;
  }
}

gboolean
files_fits_column_range (const FilesFitsColumn *column, const guint8 *row, const FilesFitsTable *table, guint64 *at,
                         guint64 *bytes)
{
  guint size = column->type == 'Q' ? 8 : 4;
  guint64 offset;
  *at = *bytes = 0;
  if (column->type != 'P' && column->type != 'Q')
    return TRUE;
  *bytes = files_big (row + column->at, size);
  offset = files_big (row + column->at + size, size);
  if (__builtin_mul_overflow (*bytes, column->bytes, bytes) || offset > table->heap_bytes
      || *bytes > table->heap_bytes - offset)
    return FALSE;
  *at = table->heap + offset;
  return TRUE;
}
