/* SPDX-License-Identifier: MIT
 */
#include "core/files/pictures/lossless_picture.h"

#include "core/base/file_error.h"
#include "core/base/file_name.h"
#include "core/files/shared/samples.h"

/* Clear with image_info_clear(). */
static ImageInfo
info_of (const char *path, const FilesLosslessJpeg *header)
{
  ImageInfo info = {.type = header->bits > 8 ? FV_U16 : FV_U8,
                    .frames = 1,
                    .channels = 1,
                    .depth = 1,
                    .rows = header->rows,
                    .columns = header->columns,
                    .spacing = {1, 1, 1},
                    .name = file_name_short (path)};
  if (header->bits % 8 && header->components == 1) {
    info.display_ranges = g_new0 (double, 2);
    info.display_ranges[1] = (1 << header->bits) - 1;
    info.source_type = g_strdup_printf ("uint%u", header->bits);
  }
  return info;
}

static gboolean
check (const char *path, gsize size, const FilesLosslessJpeg *header, GError **error)
{
  if (header->components != 1 && header->components != 3)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                      "is lossless JPEG with %u components, which cannot be read; save it as TIFF or PNG.",
                      header->components);
  return files_lossless_jpeg_fits (header, size)
         || file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: it claims %u×%u pixels, more than it can hold.",
                       header->columns, header->rows);
}

Image *
files_lossless_picture_open (const char *path, const guint8 *bytes, gsize size, const FilesLosslessJpeg *header,
                             GError **error)
{
  if (!check (path, size, header, error))
    return NULL;
  const gsize row = (gsize) header->columns * header->components, n = header->rows * row;
  g_autofree guint16 *wide = g_try_new (guint16, n);
  const char *fault = wide ? files_lossless_jpeg_decode (NULL, 0, bytes, size, header, wide) : "memory is short";
  if (fault) {
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: its lossless JPEG cannot be decoded (%s).", fault);
    return NULL;
  }
  ImageInfo info = info_of (path, header);
  guint8 *narrow = (guint8 *) wide; /* never ahead of what is read */
  for (gsize i = 0; info.type == FV_U8 && i < n; i++)
    narrow[i] = (guint8) wide[i];
  const FilesSamples samples = {narrow, info.type == FV_U8 ? row : 2 * row, header->components,
                                header->components == 1};
  Image *image = files_samples_image (&info, &samples, error);
  image_info_clear (&info);
  return image;
}

gboolean
files_lossless_picture_describe (const char *path, gsize size, const FilesLosslessJpeg *header, ImageInfo *info,
                                 GError **error)
{
  if (!check (path, size, header, error))
    return FALSE;
  ImageInfo own = info_of (path, header);
  const FilesSamples samples = {.samples = header->components, .gray = header->components == 1};
  files_samples_describe (&own, &samples, FALSE, info);
  image_info_clear (&own);
  return TRUE;
}
