/* SPDX-License-Identifier: MIT
 */
#include "core/files/jpeg2000/format.h"

#include "core/files/jpeg2000/image.h"

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return files_jp2_is (head, n);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return files_jp2_new (path, error);
}

static const char *
left_out (gconstpointer layout)
{
  return ((const FilesJp2 *) layout)->left_out;
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  const FilesJp2 *l = layout;
  ImageInfo own;
  (void) n, (void) error;
  files_jp2_info (l, l->channels->len - l->is_alpha, &own);
  image_info_copy (info, &own);
  image_info_clear (&own);
  *depends = l->is_alpha ? "one more channel if its alpha is not opaque everywhere" : NULL;
  return TRUE;
}

static Image *
open_image (gpointer layout, guint n, GError **error)
{
  (void) n;
  return files_jp2_image (layout, error);
}

static FileHash **
hash (gpointer layout, int *fd)
{
  FilesJp2 *l = layout;
  *fd = l->bytes->fd;
  return &l->bytes->hash;
}

const FileFormat format_jpeg2000 = {
  .key = "jpeg2000",
  .label = "JPEG 2000",
  .endings = (const char *const[]){"jp2", "j2k", "j2c", "jpc", "jpx", "jpf", NULL},
  .mime = (const char *const[]){"image/jp2", "image/jpx", "image/x-jp2-codestream", NULL},
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_jp2_unref,
  .left_out = left_out,
  .describe = describe,
  .open = open_image,
  .hash = hash,
};
