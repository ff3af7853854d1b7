/* SPDX-License-Identifier: MIT
 */
#include "core/files/fits/format.h"

#include "core/files/fits/fits.h"
#include "core/files/fits/write.h"

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return files_fits_is (head, n);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return files_fits_layout_new (path, error);
}

static guint
count (gconstpointer layout)
{
  return ((const FilesFitsLayout *) layout)->images->len;
}

static const char *
left_out (gconstpointer layout)
{
  return ((const FilesFitsLayout *) layout)->left_out->str;
}

static FileHash **
hash (gpointer layout, int *fd)
{
  FilesFitsFile *file = ((FilesFitsLayout *) layout)->file;
  *fd = file->fd;
  return &file->hash;
}

const FileFormat format_fits = {
  .key = "fits",
  .label = "FITS",
  .endings = (const char *const[]){"fits", "fit", "fts", "fz", "fits.gz", "fit.gz", "fts.gz", NULL},
  .mime = (const char *const[]){"image/fits", "application/fits", NULL},
  .gzip = TRUE,
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_fits_layout_unref,
  .count = count,
  .left_out = left_out,
  .describe = files_fits_describe,
  .open = files_fits_open,
  .hash = hash,
  .n_written = 3,
  .macro = "FITS",
  .save = files_fits_save,
};
