/* SPDX-License-Identifier: MIT
 */
#include "core/files/nd2/format.h"

#include "core/files/nd2/info.h"
#include "core/files/nd2/pixels.h"

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return files_nd2_is (head, n);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return files_nd2_layout_new (path, error);
}

static guint
count (gconstpointer layout)
{
  return files_nd2_layout_count (layout);
}

static const char *
left_out (gconstpointer layout)
{
  return ((const FilesNd2Layout *) layout)->left_out->str;
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  (void) depends, (void) error;
  files_nd2_info (layout, n, info);
  return TRUE;
}

/* Pixels that are stored as they are. NULL with *error. */
static Image *
plain_image (const FilesNd2Layout *l, guint n, const ImageInfo *info, GError **error)
{
  FilesBytes *file = l->file->bytes;
  FilesBlocks blocks = {.files = &file, .n_files = 1, .number = l->number};
  const gboolean is_rgb = files_nd2_is_rgb (l);
  g_autofree FilesBlock *planes = g_try_new (FilesBlock, (gsize) image_info_planes (info));
  blocks.planes = planes;
  blocks.strides[3] = l->row_bytes;
  blocks.strides[4] = l->components * l->number.bytes;
  if (!planes) {
    file_fail (error, FILE_ERROR_OPEN, file->path, "does not fit into the memory.");
    return NULL;
  }
  for (gint64 i = 0; i < image_info_planes (info); i++) {
    const gint64 c = i / info->depth % info->channels;
    const gint64 frame = files_nd2_layout_frame (l, n, i / info->depth / info->channels, i % info->depth);
    planes[i].file = 0;
    planes[i].at =
      g_array_index (l->chunks, FilesNd2Chunk, frame).at + (guint64) (is_rgb ? 2 - c : c) * l->number.bytes;
  }
  return files_blocks_image (&blocks, info, error);
}

static Image *
open_image (gpointer layout, guint n, GError **error)
{
  FilesNd2Layout *l = layout;
  ImageInfo info;
  files_nd2_info (l, n, &info);
  Image *image = l->deflated ? files_nd2_deflated_image (l, n, &info, error) : plain_image (l, n, &info, error);
  image_info_clear (&info);
  return image;
}

static FileHash **
hash (gpointer layout, int *fd)
{
  FilesBytes *bytes = ((FilesNd2Layout *) layout)->file->bytes;
  *fd = bytes->fd;
  return &bytes->hash;
}

const FileFormat format_nd2 = {
  .key = "nd2",
  .label = "ND2",
  .endings = (const char *const[]){"nd2", NULL},
  .mime = (const char *const[]){"image/x-nikon-nd2", NULL},
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_nd2_layout_unref,
  .count = count,
  .left_out = left_out,
  .describe = describe,
  .open = open_image,
  .hash = hash,
};
