/* SPDX-License-Identifier: MIT
 */
#include "tests/support/tiff_by_hand.h"

#include <string.h>

typedef struct {
  guint16 tag, type;
  guint32 count, value;
} Entry;

GByteArray *
tiff_directory (guint32 rows, guint32 columns, guint32 pixels_at, guint32 next, guint32 text_bytes, guint32 text_at)
{
  const Entry entries[] = {{256, 4, 1, columns},
                           {257, 4, 1, rows},
                           {258, 3, 1, 16},
                           {262, 3, 1, 1},
                           {270, 2, text_bytes, text_at},
                           {273, 4, 1, pixels_at},
                           {279, 4, 1, rows * columns * 2}};
  GByteArray *out = g_byte_array_new ();
  guint16 n = 0;
  g_byte_array_append (out, (const guint8 *) &n, 2);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++) {
    Entry entry = entries[i];
    if (entry.count == 0)
      continue;
    if (entry.type == 3 && G_BYTE_ORDER == G_BIG_ENDIAN)
      entry.value <<= 16;
    g_byte_array_append (out, (const guint8 *) &entry, sizeof entry);
    n++;
  }
  memcpy (out->data, &n, 2);
  g_byte_array_append (out, (const guint8 *) &next, 4);
  return out;
}

const char *
tiff_header (void)
{
  return G_BYTE_ORDER == G_BIG_ENDIAN ? "MM\0*\0\0\0\x08" : "II*\0\x08\0\0\0";
}

GByteArray *
tiff_pages (guint32 n, const char *text)
{
  GByteArray *file = g_byte_array_new ();
  guint32 text_bytes = text ? (guint32) strlen (text) + 1 : 0, size = 2 + 6 * 12 + 4;
  guint32 text_at = 8 + n * (size + 4) + 12;
  g_byte_array_append (file, (const guint8 *) tiff_header (), 8);
  for (guint32 i = 0; i < n; i++) {
    guint32 pixels_at = file->len + size + (text && i == 0 ? 12 : 0);
    guint16 pixels[] = {(guint16) i, (guint16) (i >> 16)};
    g_autoptr (GByteArray) page =
      tiff_directory (1, 2, pixels_at, i == n - 1 ? 0 : pixels_at + 4, i == 0 ? text_bytes : 0, text_at);
    g_byte_array_append (file, page->data, page->len);
    g_assert_cmpint (file->len, ==, pixels_at);
    g_byte_array_append (file, (const guint8 *) pixels, 4);
  }
  g_byte_array_append (file, (const guint8 *) text, text_bytes);
  return file;
}
