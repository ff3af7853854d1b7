/* SPDX-License-Identifier: MIT
 *
 * The tables of formats: readers are chosen by the first bytes of a file, writers by the extension.
 */
#include "core/files/files.h"

#include "core/files/apng.h"
#include "core/files/fits/fits.h"
#include "core/files/fits/write.h"
#include "core/files/gif.h"
#include "core/files/pixbuf.h"
#include "core/files/png.h"
#include "core/files/png_write.h"
#include "core/files/strangers.h"
#include "core/base/file_read.h"
#include "core/files/tiff/tiff.h"
#include "core/files/tiff/layout.h"
#include "core/files/tiff/write.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A format that holds one image. */
typedef struct {
  gboolean (*is) (const guint8 *head, gsize n);
  Image *(*open) (const char *path, GError **error);
  gboolean (*describe) (const char *path, ImageInfo *info, const char **depends, GError **error);
} Reader;

struct FilesImages {
  char *path;
  const Reader *reader;  /* NULL: one of these: */
  FilesTiffLayout *tiff; /* NULL: another format */
  FilesFitsLayout *fits;
};

typedef struct {
  const char *extension;
  gboolean (*save) (Image *image, const char *path, GError **error);
} Writer;

static const Reader readers[] = {
  {files_png_is, files_apng_open, files_apng_describe},
  {files_gif_is, files_gif_open, files_gif_describe},
  {files_pixbuf_is, files_pixbuf_open, files_pixbuf_describe},
};
#define READABLE "TIFF, FITS, PNG, JPEG, BMP, GIF, PNM and WebP"

static gboolean
save_tiff (Image *image, const char *path, GError **error)
{
  return files_tiff_save (image, path, NULL, error);
}

static const Writer writers[] = {
  {".tif", save_tiff},
  {".tiff", save_tiff},
  {".fits", files_fits_save},
  {".fit", files_fits_save},
  {".fts", files_fits_save},
  {".png", files_png_save},
  {".jpg", files_pixbuf_save_jpeg},
  {".jpeg", files_pixbuf_save_jpeg},
};

/* The first bytes of a file. */
static gboolean
read_head (const char *path, guint8 *head, gsize size, gsize *n, GError **error)
{
  struct stat about;
  int fd = file_open_regular (path, 0, &about, error);
  gssize got;
  if (fd < 0)
    return FALSE;
  got = pread (fd, head, size, 0);
  if (got < 0)
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (errno));
  else if (got == 0)
    file_fail (error, FILE_ERROR_FORMAT, path, "is empty.");
  close (fd);
  *n = (gsize) MAX (got, 0);
  return got > 0;
}

/* Puts the name of a known format in place of the error, if it is one. */
static void
name_stranger (const char *path, const guint8 *head, gsize n, GError **error)
{
  GError *name = NULL;
  if (files_strangers_check (path, head, n, &name))
    return;
  g_clear_error (error);
  g_propagate_error (error, name);
}

FilesImages *
files_images_new (const char *path, GError **error)
{
  g_autoptr (FilesImages) images = g_new0 (FilesImages, 1);
  guint8 head[FILES_STRANGERS_HEAD];
  gsize n = 0;
  images->path = g_strdup (path);
  if (!read_head (path, head, sizeof head, &n, error)) {
    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      name_stranger (path, NULL, 0, error);
    return NULL;
  }
  if (files_tiff_is (head, n)) {
    images->tiff = files_tiff_layout_new (path, error);
    if (!images->tiff && files_strangers_is_dicom (head, n)) /* which may begin as TIFF, for those who read that */
      name_stranger (path, head, n, error);
    return images->tiff ? g_steal_pointer (&images) : NULL;
  }
  if (files_fits_is (head, n)) {
    images->fits = files_fits_layout_new (path, error);
    if (!images->fits) /* any gzip file has been tried */
      name_stranger (path, head, n, error);
    return images->fits ? g_steal_pointer (&images) : NULL;
  }
  for (guint i = 0; i < G_N_ELEMENTS (readers) && !images->reader; i++)
    if (readers[i].is (head, n))
      images->reader = &readers[i];
  if (images->reader)
    return g_steal_pointer (&images);
  if (!files_strangers_check (path, head, n, error))
    return NULL;
  file_fail (error, FILE_ERROR_FORMAT, path,
             "is not an image that can be opened: " READABLE
             " files can; save images of other formats as OME-TIFF first.");
  return NULL;
}

guint
files_images_count (const FilesImages *images)
{
  return images->tiff ? images->tiff->series->len : images->fits ? images->fits->images->len : 1;
}

const char *
files_images_left_out (const FilesImages *images)
{
  const GString *words = images->fits ? images->fits->left_out : images->tiff ? images->tiff->left_out : NULL;
  return words && words->len ? words->str : NULL;
}

static gboolean
has_number (const FilesImages *images, guint n, GError **error)
{
  guint count = files_images_count (images);
  return n < count
         || file_fail (error, FILE_ERROR_OPEN, images->path,
                       "holds %u image%s, numbered from 0; there is no number %u.", count, count == 1 ? "" : "s", n);
}

Image *
files_images_open (const FilesImages *images, guint n, GError **error)
{
  if (!has_number (images, n, error))
    return NULL;
  if (images->tiff)
    return files_tiff_open (images->tiff, n, error);
  return images->fits ? files_fits_open (images->fits, n, error) : images->reader->open (images->path, error);
}

gboolean
files_images_describe (const FilesImages *images, guint n, ImageInfo *info, const char **depends, GError **error)
{
  *depends = NULL;
  if (!has_number (images, n, error))
    return FALSE;
  if (images->reader)
    return images->reader->describe (images->path, info, depends, error);
  if (images->fits) {
    files_fits_describe (images->fits, n, info);
    return TRUE;
  }
  g_autoptr (Image) image = files_tiff_open (images->tiff, n, error); /* which reads no pixels */
  if (image)
    image_info_copy (info, image_info (image));
  return image != NULL;
}

void
files_images_begin_hash (FilesImages *images)
{
  if (images->tiff)
    images->tiff->file->hash = file_hash_new ();
  if (images->fits)
    images->fits->file->hash = file_hash_new ();
}

gboolean
files_images_hash (const FilesImages *images, char text[FILE_HASH_TEXT], GError **error)
{
  const FilesTiffFile *tiff = images->tiff ? images->tiff->file : NULL;
  const FilesFitsFile *fits = images->fits ? images->fits->file : NULL;
  if (tiff && tiff->hash)
    return file_hash_end (tiff->hash, tiff->fd, tiff->path, text, error);
  if (fits && fits->hash)
    return file_hash_end (fits->hash, fits->fd, fits->path, text, error);
  return file_hash_of_path (images->path, text, error);
}

void
files_images_free (FilesImages *images)
{
  g_free (images->path);
  if (images->tiff)
    files_tiff_layout_unref (images->tiff);
  if (images->fits)
    files_fits_layout_unref (images->fits);
  g_free (images);
}

Image *
files_open (const char *path, guint n, GError **error)
{
  g_autoptr (FilesImages) images = files_images_new (path, error);
  return images ? files_images_open (images, n, error) : NULL;
}

const GPtrArray *
files_others (Image *image)
{
  return files_tiff_others (image);
}

const GPtrArray *
files_images_others (const FilesImages *images)
{
  return images->tiff && images->tiff->others->len ? images->tiff->others : NULL;
}

static const Writer *
find_writer (const char *path, GError **error)
{
  const char *extension = strrchr (path, '.');
  for (guint i = 0; extension && i < G_N_ELEMENTS (writers); i++)
    if (!g_ascii_strcasecmp (extension, writers[i].extension))
      return &writers[i];
  file_fail (error, FILE_ERROR_WRITE, path,
             "cannot be written, because its name does not end in .tif, .fits, .png or .jpg.");
  return NULL;
}

static gboolean
is_chosen (const FilesTiffChoices *choices)
{
  static const FilesTiffChoices none;
  return choices && memcmp (choices, &none, sizeof none);
}

gboolean
files_can_save (const char *path, const FilesTiffChoices *choices, GError **error)
{
  const Writer *writer = find_writer (path, error);
  if (!writer || !is_chosen (choices) || writer->save == save_tiff)
    return writer != NULL;
  return file_fail (error, FILE_ERROR_WRITE, path,
                    "cannot be written so: compression, tiles and pyramids can be chosen for .tif only.");
}

gboolean
files_save (Image *image, const char *path, GError **error)
{
  const Writer *writer = find_writer (path, error);
  return writer && writer->save (image, path, error);
}

gboolean
files_save_as (Image *image, const char *path, const FilesTiffChoices *choices, GError **error)
{
  if (!files_can_save (path, choices, error))
    return FALSE;
  return is_chosen (choices) ? files_tiff_save (image, path, choices, error) : files_save (image, path, error);
}
