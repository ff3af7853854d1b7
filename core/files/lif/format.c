/* SPDX-License-Identifier: MIT
 */
#include "core/files/lif/format.h"

#include "core/files/lif/info.h"

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return files_lif_is (head, n);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return files_lif_layout_new (path, error);
}

static guint
count (gconstpointer layout)
{
  return files_lif_layout_count (layout);
}

static const char *
left_out (gconstpointer layout)
{
  return ((const FilesLifLayout *) layout)->left_out->str;
}

static const GPtrArray *
others (gconstpointer layout)
{
  return ((const FilesLifLayout *) layout)->others;
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  (void) depends, (void) error;
  files_lif_info (layout, n, info);
  return TRUE;
}

/* The piece that has all of a plane at an offset of the memory block; NULL: none has. */
static const FilesLifPiece *
piece_of (const GArray *pieces, guint64 at, guint64 bytes, guint *number)
{
  for (*number = 0; *number < pieces->len; (*number)++) {
    const FilesLifPiece *piece = &g_array_index (pieces, FilesLifPiece, *number);
    if (at >= piece->first && at - piece->first < piece->size)
      return bytes <= piece->size - (at - piece->first) ? piece : NULL;
  }
  return NULL;
}

/* A step that makes sense where there is one element. */
static gint64
step_of (const FilesLifDimension *d, gint64 otherwise)
{
  return d && d->n > 1 ? d->step : otherwise;
}

static gboolean
locate_planes (const FilesLifImage *image, guint n, const ImageInfo *info, const gint64 strides[5], FilesBlock *planes)
{
  const gint64 waves = files_lif_combinations (image->waves), base = files_lif_offset (image->others, n - image->first);
  const gint64 bytes = (info->rows - 1) * strides[3] + (info->columns - 1) * strides[4] + image->number.bytes;
  for (gint64 t = 0; t < info->frames; t++)
    for (gint64 c = 0; c < info->channels; c++)
      for (gint64 z = 0; z < info->depth; z++) {
        const gint64 channel = image->is_rgb && g_array_index (image->element->channels, FilesLifChannel, 0).tag == 3
                                 ? info->channels - 1 - c
                                 : c;
        const gint64 at = base + t * step_of (image->frames, 0) + z * step_of (image->slices, 0)
                          + g_array_index (image->element->channels, FilesLifChannel, channel / waves).at
                          + files_lif_offset (image->waves, channel % waves);
        guint file;
        const FilesLifPiece *piece = piece_of (image->pieces, (guint64) at, (guint64) bytes, &file);
        if (!piece)
          return FALSE;
        *planes++ = (FilesBlock){file, piece->at + ((guint64) at - piece->first)};
      }
  return TRUE;
}

static Image *
open_image (gpointer data, guint n, GError **error)
{
  const FilesLifLayout *layout = data;
  const FilesLifImage *image = files_lif_layout_image (layout, n);
  const char *path = ((FilesLifFile *) layout->files->pdata[0])->bytes->path;
  g_autofree FilesBytes **files = g_new (FilesBytes *, image->pieces->len);
  FilesBlocks blocks = {.files = files, .n_files = image->pieces->len, .number = image->number};
  ImageInfo info;
  Image *opened = NULL;
  files_lif_info (layout, n, &info);
  for (guint i = 0; i < image->pieces->len; i++)
    files[i] = g_array_index (image->pieces, FilesLifPiece, i).bytes;
  blocks.strides[4] = step_of (image->columns, image->number.bytes);
  blocks.strides[3] = step_of (image->rows, info.columns * blocks.strides[4]);
  g_autofree FilesBlock *planes = g_try_new (FilesBlock, (gsize) image_info_planes (&info));
  blocks.planes = planes;
  if (!planes)
    file_fail (error, FILE_ERROR_OPEN, path, "does not fit into the memory.");
  else if (!locate_planes (image, n, &info, blocks.strides, planes))
    file_fail (error, FILE_ERROR_UNSUPPORTED, path, "has planes that are in several files.");
  else
    opened = files_blocks_image (&blocks, &info, error);
  image_info_clear (&info);
  return opened;
}

static FileHash **
hash (gpointer layout, int *fd)
{
  FilesLifFile *file = ((FilesLifLayout *) layout)->files->pdata[0];
  *fd = file->bytes->fd;
  return &file->bytes->hash;
}

const FileFormat format_lif = {
  .key = "lif",
  .label = "LIF",
  .endings = (const char *const[]){"lif", "lof", "xlef", "xlif", "xlcf", NULL},
  .mime = (const char *const[]){"image/x-leica-lif", NULL},
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_lif_layout_free,
  .count = count,
  .left_out = left_out,
  .others = others,
  .describe = describe,
  .open = open_image,
  .hash = hash,
};
