/* SPDX-License-Identifier: MIT
 */
#include "core/files/jpeg2000/boxes.h"

#include "core/base/file_error.h"
#include "core/files/shared/big.h"
#include "core/files/shared/jpeg2000.h"

#include <math.h>
#include <string.h>

enum {
  BODY = 1 << 20, /* bytes of a box that is read at once */
  MAX_ENTRIES = 1024,
  MAX_COLUMNS = 4
};

typedef struct {
  guint32 type;
  guint64 at, end; /* of its contents */
} Box;

#define TYPE(a, b, c, d) ((guint32) (a) << 24 | (guint32) (b) << 16 | (guint32) (c) << 8 | (guint32) (d))

gboolean
files_jp2_is (const guint8 *head, gsize n)
{
  static const guint8 signature[] = {0, 0, 0, 12, 'j', 'P', ' ', ' ', '\r', '\n', 0x87, '\n'};
  /* The brand of the box ftyp behind it tells movies (MJ2) and documents (JPM) apart. */
  return files_jpeg2000_is_codestream (head, n)
         || (n >= 24 && !memcmp (head, signature, sizeof signature) && memcmp (head + 20, "mjp2", 4)
             && memcmp (head + 20, "jpm ", 4));
}

/* The box at `at`, before `end`. FALSE: there is none. */
static gboolean
next_box (FilesBytes *bytes, guint64 at, guint64 end, Box *box)
{
  guint8 head[16];
  guint n = 8;
  if (end < 8 || at > end - 8 || !files_bytes_read (bytes, at, head, 8))
    return FALSE;
  guint64 size = files_big (head, 4);
  if (size == 1) {
    n = 16;
    if (end - at < n || !files_bytes_read (bytes, at, head, n))
      return FALSE;
    size = files_big (head + 8, 8);
  } else if (size == 0) {
    size = end - at;
  }
  *box = (Box){(guint32) files_big (head + 4, 4), at + n, at + size};
  return size >= n && size <= end - at;
}

static gboolean
read_palette (FilesJp2Boxes *to, const guint8 *p, gsize n)
{
  if (n < 3 || to->palette)
    return FALSE;
  to->palette_entries = (guint) files_big (p, 2);
  to->palette_columns = p[2];
  const gsize size = (gsize) to->palette_entries * to->palette_columns;
  if (!size || to->palette_entries > MAX_ENTRIES || to->palette_columns > MAX_COLUMNS
      || n < 3 + to->palette_columns + size)
    return FALSE;
  for (guint i = 0; i < to->palette_columns; i++)
    if (p[3 + i] != 7) /* 8 bits, unsigned */
      return FALSE;
  to->palette = g_memdup2 (p + 3 + to->palette_columns, size);
  return TRUE;
}

static FilesResolution
resolution (const guint8 *p, gint8 exponent)
{
  const double unit = pow (10, exponent) / (double) MAX (files_big (p + 2, 2), 1);
  return (FilesResolution){(double) files_big (p, 2) * unit, 0.5 * unit};
}

/* resc (of the capture) is preferred to resd (of the display). */
static void
read_resolution (FilesJp2Boxes *to, const guint8 *p, gsize n)
{
  for (gsize at = 0; n - at >= 18 && files_big (p + at, 4) == 18; at += 18) {
    const guint8 *body = p + at + 8;
    if (to->x.per_meter > 0 && memcmp (p + at + 4, "resc", 4))
      continue;
    to->y = resolution (body, (gint8) body[8]);
    to->x = resolution (body + 4, (gint8) body[9]);
  }
}

static void
read_maps (FilesJp2Boxes *to, const guint8 *p, gsize n)
{
  for (gsize i = 0; i + 4 <= n; i += 4) {
    const FilesJp2Map map = {(guint) files_big (p + i, 2), p[i + 2] ? p[i + 3] : -1};
    g_array_append_val (to->maps, map);
  }
}

static void
read_meanings (FilesJp2Boxes *to, const guint8 *p, gsize n)
{
  for (gsize i = 2; i + 6 <= n; i += 6) {
    const FilesJp2Meaning meaning = {(guint) files_big (p + i, 2), (guint) files_big (p + i + 2, 2),
                                     (guint) files_big (p + i + 4, 2)};
    g_array_append_val (to->meanings, meaning);
  }
}

/* One of the boxes in jp2h. */
static gboolean
read_header_box (FilesJp2Boxes *to, FilesBytes *bytes, const Box *box)
{
  const gsize n = (gsize) MIN (box->end - box->at, BODY);
  g_autofree guint8 *body = g_malloc (n + 1);
  if (!files_bytes_read (bytes, box->at, body, n))
    return FALSE;
  switch (box->type) {
  case TYPE ('p', 'c', 'l', 'r'): return read_palette (to, body, n);
  case TYPE ('c', 'm', 'a', 'p'): read_maps (to, body, n); break;
  case TYPE ('c', 'd', 'e', 'f'): read_meanings (to, body, n); break;
  case TYPE ('r', 'e', 's', ' '): read_resolution (to, body, n); break;
  case TYPE ('c', 'o', 'l', 'r'):
    if (n >= 7 && body[0] == 1 && !to->color)
      to->color = (guint) files_big (body + 3, 4);
    break;
  default: break;
  }
  return TRUE;
}

static gboolean
read_header (FilesJp2Boxes *to, FilesBytes *bytes, const Box *header)
{
  Box box;
  for (guint64 at = header->at; next_box (bytes, at, header->end, &box); at = box.end)
    if (!read_header_box (to, bytes, &box))
      return FALSE;
  return TRUE;
}

gboolean
files_jp2_boxes_read (FilesJp2Boxes *to, FilesBytes *bytes, GError **error)
{
  guint8 head[4];
  Box box;
  *to = (FilesJp2Boxes){.maps = g_array_new (FALSE, FALSE, sizeof (FilesJp2Map)),
                        .meanings = g_array_new (FALSE, FALSE, sizeof (FilesJp2Meaning))};
  if (files_bytes_read (bytes, 0, head, sizeof head) && files_jpeg2000_is_codestream (head, sizeof head)) {
    to->size = bytes->size;
    to->codestreams = 1;
    return TRUE;
  }
  for (guint64 at = 0; next_box (bytes, at, bytes->size, &box); at = box.end) {
    if (box.type == TYPE ('j', 'p', '2', 'h') && !read_header (to, bytes, &box))
      return file_fail (error, FILE_ERROR_UNSUPPORTED, bytes->path,
                        "has a palette that cannot be read: it must have up to 1024 colors of 8 bits; save it as TIFF "
                        "or PNG.");
    if (box.type == TYPE ('j', 'p', '2', 'c') && to->codestreams++ == 0) {
      to->at = box.at;
      to->size = box.end - box.at;
    }
  }
  return to->codestreams > 0
         || file_fail (error, FILE_ERROR_DAMAGED, bytes->path,
                       "is damaged or truncated, or its pixels are in another file: it has no whole codestream.");
}

void
files_jp2_boxes_clear (FilesJp2Boxes *boxes)
{
  g_clear_pointer (&boxes->maps, g_array_unref);
  g_clear_pointer (&boxes->meanings, g_array_unref);
  g_clear_pointer (&boxes->palette, g_free);
}
