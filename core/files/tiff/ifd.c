/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/ifd.h"

void
files_tiff_append_number (GByteArray *to, guint64 number, gsize size)
{
  const guint8 *bytes = (const guint8 *) &number;
  g_byte_array_append (to, G_BYTE_ORDER == G_BIG_ENDIAN ? bytes + sizeof number - size : bytes, (guint) size);
}

static gsize
type_size (int type)
{
  return type == TIFF_TYPE_SHORT                                 ? 2
         : type == TIFF_TYPE_LONG                                ? 4
         : type == TIFF_TYPE_RATIONAL || type == TIFF_TYPE_LONG8 ? 8
                                                                 : 1;
}

void
files_tiff_ifd_add (FilesTiffIfd *ifd, guint16 tag, int type, guint64 count, gconstpointer data)
{
  gsize bytes = (gsize) count * type_size (type), room = ifd->big ? 8 : 4;
  static const guint8 zeros[8];
  files_tiff_append_number (ifd->entries, tag, 2);
  files_tiff_append_number (ifd->entries, (guint64) type, 2);
  files_tiff_append_number (ifd->entries, count, room);
  if (bytes <= room) {
    g_byte_array_append (ifd->entries, data, (guint) bytes);
    g_byte_array_append (ifd->entries, zeros, (guint) (room - bytes));
  } else {
    files_tiff_append_number (ifd->entries, ifd->values_at + ifd->values->len, room);
    g_byte_array_append (ifd->values, data, (guint) bytes);
    g_byte_array_append (ifd->values, zeros, (guint) (-bytes % 8));
  }
  ifd->n++;
}

void
files_tiff_ifd_add_short (FilesTiffIfd *ifd, guint16 tag, guint16 value)
{
  files_tiff_ifd_add (ifd, tag, TIFF_TYPE_SHORT, 1, &value);
}

void
files_tiff_ifd_add_longs (FilesTiffIfd *ifd, guint16 tag, gsize n, const guint64 *values)
{
  g_autofree guint32 *narrow = NULL;
  if (ifd->big) {
    files_tiff_ifd_add (ifd, tag, TIFF_TYPE_LONG8, n, values);
    return;
  }
  narrow = g_new (guint32, n);
  for (gsize i = 0; i < n; i++)
    narrow[i] = (guint32) values[i];
  files_tiff_ifd_add (ifd, tag, TIFF_TYPE_LONG, n, narrow);
}

void
files_tiff_ifd_add_long (FilesTiffIfd *ifd, guint16 tag, guint64 value)
{
  files_tiff_ifd_add_longs (ifd, tag, 1, &value);
}

GByteArray *
files_tiff_ifd_make (gboolean big, guint64 at, guint64 next, FilesTiffTags tags, gconstpointer data)
{
  FilesTiffIfd ifd = {big, g_byte_array_new (), g_byte_array_new (), 0, 0};
  GByteArray *whole = g_byte_array_new ();
  gsize frame = big ? 16 : 6; /* the number of entries and the link */
  tags (data, &ifd);
  ifd.values_at = at + (frame + ifd.entries->len + 7) / 8 * 8;
  ifd.n = 0;
  g_byte_array_set_size (ifd.entries, 0);
  g_byte_array_set_size (ifd.values, 0);
  tags (data, &ifd);
  if (next == 1)
    next = ifd.values_at + ifd.values->len;
  files_tiff_append_number (whole, ifd.n, big ? 8 : 2);
  g_byte_array_append (whole, ifd.entries->data, ifd.entries->len);
  files_tiff_append_number (whole, next, big ? 8 : 4);
  while (whole->len % 8)
    files_tiff_append_number (whole, 0, 1);
  g_byte_array_append (whole, ifd.values->data, ifd.values->len);
  g_byte_array_unref (ifd.entries);
  g_byte_array_unref (ifd.values);
  return whole;
}
