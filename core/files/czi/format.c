/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/format.h"

#include "core/files/czi/czi.h"
#include "core/files/czi/info.h"

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return n >= 10 && !memcmp (head, "ZISRAWFILE", 10);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return files_czi_layout_new (path, error);
}

static guint
count (gconstpointer layout)
{
  return ((const FilesCziLayout *) layout)->images->len;
}

static const char *
left_out (gconstpointer layout)
{
  return ((const FilesCziLayout *) layout)->left_out->str;
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  (void) depends, (void) error;
  files_czi_info (layout, n, info);
  return TRUE;
}

static FileHash **
hash (gpointer layout, int *fd)
{
  FilesBytes *bytes = ((FilesCziLayout *) layout)->bytes;
  *fd = bytes->fd;
  return &bytes->hash;
}

const FileFormat format_czi = {
  .key = "czi",
  .label = "CZI",
  .endings = (const char *const[]){"czi", NULL},
  .mime = (const char *const[]){"image/x-zeiss-czi", NULL},
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_czi_layout_unref,
  .count = count,
  .left_out = left_out,
  .describe = describe,
  .open = files_czi_open,
  .hash = hash,
};
