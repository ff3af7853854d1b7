/* SPDX-License-Identifier: MIT
 */
#include "core/files/movies/avi.h"

#include "core/base/file_name.h"
#include "core/files/movies/avi_frames.h"
#include "core/files/movies/avi_layout.h"
#include "core/files/movies/avi_write.h"

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self;
  return files_avi_is (head, n) && !files_avi_is_foreign (path);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return files_avi_layout_new (path, error);
}

static const char *
left_out (gconstpointer layout)
{
  return ((const FilesAviLayout *) layout)->left_out->str;
}

/* Clear with image_info_clear(). */
static ImageInfo
info_of (const FilesAviLayout *l)
{
  const gboolean series = l->frames->len > 1 && l->interval > 0;
  return (ImageInfo){.type = FV_U8,
                     .role = l->samples == 3 ? FV_RGB : FV_IMAGE,
                     .frames = l->frames->len,
                     .channels = l->samples,
                     .depth = 1,
                     .rows = l->rows,
                     .columns = l->columns,
                     .spacing = {1, 1, 1},
                     .frame_interval = series ? l->interval : 0,
                     .frame_unit = g_strdup (series ? "s" : ""),
                     .source_type = l->mapped && l->samples == 3 ? g_strdup (IMAGE_INFO_INDEXED) : NULL,
                     .name = file_name_short (l->file->path)};
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  ImageInfo own = info_of (layout);
  (void) n, (void) depends, (void) error;
  image_info_copy (info, &own);
  image_info_clear (&own);
  return TRUE;
}

static Image *
open_image (gpointer layout, guint n, GError **error)
{
  ImageInfo info = info_of (layout);
  (void) n;
  Image *image = files_avi_image (layout, &info, error);
  image_info_clear (&info);
  return image;
}

static FileHash **
hash (gpointer layout, int *fd)
{
  FilesBytes *bytes = ((FilesAviLayout *) layout)->file;
  *fd = bytes->fd;
  return &bytes->hash;
}

/* As FilesMovieCompression. */
static const fv_choice compressions[] = {
  {"none", "Not compressed", "exact"},
  {"jpeg", "JPEG", "much smaller, and values change a little"},
  {"png", "PNG", "smaller and exact, and fewer programs read it"},
  {0},
};

static const fv_param options[] = {
  {FV_FIELD (FilesMovieChoices, compression), .label = "Compression",
   .help = "How each frame is stored. ImageJ reads all of them.", .choices = compressions},
  FILES_MOVIE_RATE,
  {0},
};

const FileFormat format_avi = {
  .key = "avi",
  .label = "AVI",
  .endings = (const char *const[]){"avi", NULL},
  .mime = (const char *const[]){"video/x-msvideo", NULL},
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_avi_layout_unref,
  .left_out = left_out,
  .describe = describe,
  .open = open_image,
  .hash = hash,
  .n_written = 1,
  .macro = "AVI",
  .options = options,
  .options_size = sizeof (FilesMovieChoices),
  .save = files_avi_save,
};
