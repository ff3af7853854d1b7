/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/directory.h"

enum {
  RESERVED = 128, /* before the first entry, with their number */
  MAX_COORDINATE = 1 << 28,
  MAX_INDEX = 1 << 20, /* so that the product of all sizes is below 2^63 */
  MAX_BYTES = 1 << 30, /* of a directory: seven million sub-blocks */
};

/* Of an axis of an entry. */
typedef struct {
  gint32 start, size, stored;
} Extent;

static Extent
extent_at (const guint8 *axis)
{
  return (Extent){files_czi_i32 (axis + 4), files_czi_i32 (axis + 8), files_czi_i32 (axis + 16)};
}

static gboolean
is_possible (const Extent *e)
{
  return e->size > 0 && e->size <= MAX_COORDINATE && ABS ((gint64) e->start) <= MAX_COORDINATE && e->stored >= 0
         && e->stored <= MAX_COORDINATE;
}

/* Whether an axis other than x and y is one index. */
static gboolean
take_index (FilesCziBlock *block, char name, const Extent *e)
{
  static const char names[] = "CZTSHVRIBM";
  const char *found = strchr (names, name);
  if (!name || !found)
    return FALSE;
  block->index[found - names] = e->start;
  return e->size <= 1 && e->start >= 0 && e->start <= MAX_INDEX;
}

/* Whether the entry is a rectangle of one plane of this file. */
static gboolean
take_entry (FilesCziBlock *block, const guint8 *entry, gint32 axes)
{
  Extent x = {0}, y = {0};
  gboolean flat = memcmp (entry, "DV", 2) == 0 && files_czi_i32 (entry + 14) == 0;
  *block = (FilesCziBlock){.at = files_czi_i64 (entry + 6),
                           .pixel_type = files_czi_i32 (entry + 2),
                           .compression = files_czi_i32 (entry + 18),
                           .is_pyramid = entry[22] != 0};
  for (guint i = 0; i < FILES_CZI_AXES; i++)
    block->index[i] = G_MININT32;
  for (gint32 i = 0; i < axes && flat; i++) {
    const guint8 *axis = entry + FILES_CZI_ENTRY + FILES_CZI_AXIS * i;
    const Extent e = extent_at (axis);
    if (*axis == 'X')
      x = e;
    else if (*axis == 'Y')
      y = e;
    else
      flat = take_index (block, (char) *axis, &e);
  }
  block->x = x.start, block->width = x.size, block->columns = x.stored ? x.stored : x.size;
  block->y = y.start, block->height = y.size, block->rows = y.stored ? y.stored : y.size;
  return flat && is_possible (&x) && is_possible (&y);
}

static gboolean
damaged (const FilesBytes *bytes, const char *what, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, bytes->path, "is damaged or truncated: %s.", what);
}

static gboolean
take_entries (const FilesBytes *bytes, const guint8 *data, gsize size, GArray *blocks, guint *others, GError **error)
{
  const gint32 n = files_czi_i32 (data);
  gsize at = RESERVED;
  for (gint32 i = 0; i < n; i++) {
    FilesCziBlock block;
    if (size - at < FILES_CZI_ENTRY)
      return damaged (bytes, "its directory of sub-blocks ends too early", error);
    const gint32 axes = files_czi_i32 (data + at + 28);
    if (axes < 0 || (gsize) axes > (size - at - FILES_CZI_ENTRY) / FILES_CZI_AXIS)
      return damaged (bytes, "its directory of sub-blocks ends too early", error);
    if (take_entry (&block, data + at, axes))
      g_array_append_val (blocks, block);
    else
      (*others)++;
    at += FILES_CZI_ENTRY + FILES_CZI_AXIS * (gsize) axes;
  }
  if (blocks->len)
    return TRUE;
  return *others
           ? file_fail (error, FILE_ERROR_UNSUPPORTED, bytes->path,
                        "has no sub-block that is a rectangle of one plane in this file; export it in ZEN as OME-TIFF.")
           : file_fail (error, FILE_ERROR_FORMAT, bytes->path, "is a CZI file without an image.");
}

GArray *
files_czi_directory_read (FilesBytes *bytes, gint64 at, guint *others, GError **error)
{
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (FilesCziBlock));
  FilesCziSegment segment;
  *others = 0;
  if (!files_czi_segment (bytes, at, "ZISRAWDIRECTORY", &segment) || segment.size < RESERVED
      || segment.size > MAX_BYTES) {
    damaged (bytes, "it has no directory of sub-blocks", error);
    return NULL;
  }
  g_autofree guint8 *data = g_try_malloc (segment.size);
  if (!data) {
    file_fail (error, FILE_ERROR_OPEN, bytes->path, "cannot be read: not enough memory for its directory.");
    return NULL;
  }
  if (!files_czi_segment_head (bytes, &segment, data, segment.size)) {
    damaged (bytes, "its directory of sub-blocks cannot be read", error);
    return NULL;
  }
  return take_entries (bytes, data, segment.size, blocks, others, error) ? g_steal_pointer (&blocks) : NULL;
}
