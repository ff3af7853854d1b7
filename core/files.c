/* SPDX-License-Identifier: MIT
 *
 * The tables of formats: readers are chosen by the first bytes of a file, writers by the extension.
 */
#include "files.h"

#include "files_pixbuf.h"
#include "files_png.h"
#include "files_tiff.h"
#include "files_tiff_write.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

typedef struct {
  gboolean (*is) (const guint8 *head, gsize n);
  Image *(*open) (const char *path, guint series, GError **error);
  guint (*series) (const char *path, GError **error); /* NULL: always 1 */
} Reader;

typedef struct {
  const char *extension;
  gboolean (*save) (Image *image, const char *path, GError **error);
} Writer;

static Image *
open_png (const char *path, guint series, GError **error)
{
  (void) series;
  return files_png_open (path, error);
}

static Image *
open_pixbuf (const char *path, guint series, GError **error)
{
  (void) series;
  return files_pixbuf_open (path, error);
}

static const Reader readers[] = {
  {files_tiff_is, files_tiff_open, files_tiff_series},
  {files_png_is, open_png, NULL},
  {files_pixbuf_is, open_pixbuf, NULL},
};
#define READABLE "TIFF, PNG, JPEG, BMP, GIF, PNM and WebP"

static const Writer writers[] = {
  {".tif", files_tiff_save},        {".tiff", files_tiff_save},        {".png", files_png_save},
  {".jpg", files_pixbuf_save_jpeg}, {".jpeg", files_pixbuf_save_jpeg},
};

G_DEFINE_QUARK (fovea - files - error, files_error)

gboolean
files_fail (GError **error, FilesError code, const char *path, const char *format, ...)
{
  g_autofree char *name = g_filename_display_name (path), *text = NULL;
  va_list ap;
  va_start (ap, format);
  text = g_strdup_vprintf (format, ap);
  va_end (ap);
  g_set_error (error, FILES_ERROR, (int) code, "'%s' %s", name, text);
  return FALSE;
}

/* The first bytes of a file. */
static gboolean
read_head (const char *path, guint8 *head, gsize size, gsize *n, GError **error)
{
  GStatBuf about;
  FILE *file;
  int fault;
  if (g_stat (path, &about))
    return errno == ENOENT || errno == ENOTDIR
             ? files_fail (error, FILES_ERROR_OPEN, path, "does not exist.")
             : files_fail (error, FILES_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
  if (S_ISDIR (about.st_mode))
    return files_fail (error, FILES_ERROR_OPEN, path, "is a folder, not an image file.");
  if (!S_ISREG (about.st_mode))
    return files_fail (error, FILES_ERROR_OPEN, path, "is not a regular file.");
  if (about.st_size == 0)
    return files_fail (error, FILES_ERROR_FORMAT, path, "is empty.");
  if (!(file = g_fopen (path, "rbe")))
    return files_fail (error, FILES_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
  *n = fread (head, 1, size, file);
  fault = ferror (file) ? errno : 0;
  fclose (file);
  return !fault || files_fail (error, FILES_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (fault));
}

static const Reader *
find_reader (const char *path, GError **error)
{
  guint8 head[64];
  gsize n = 0;
  if (!read_head (path, head, sizeof head, &n, error))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (readers[i].is (head, n))
      return &readers[i];
  files_fail (error, FILES_ERROR_FORMAT, path,
              "is not an image that can be opened: " READABLE
              " files can; save images of other formats as OME-TIFF first.");
  return NULL;
}

Image *
files_open (const char *path, guint series, GError **error)
{
  const Reader *reader = find_reader (path, error);
  if (!reader)
    return NULL;
  if (!reader->series && series > 0) {
    files_fail (error, FILES_ERROR_OPEN, path, "holds one image, so there is no image %u.", series + 1);
    return NULL;
  }
  return reader->open (path, series, error);
}

guint
files_series (const char *path, GError **error)
{
  const Reader *reader = find_reader (path, error);
  if (!reader)
    return 0;
  return reader->series ? reader->series (path, error) : 1;
}

gboolean
files_save (Image *image, const char *path, GError **error)
{
  const char *extension = strrchr (path, '.');
  for (guint i = 0; extension && i < G_N_ELEMENTS (writers); i++)
    if (!g_ascii_strcasecmp (extension, writers[i].extension))
      return writers[i].save (image, path, error);
  return files_fail (error, FILES_ERROR_WRITE, path,
                     "cannot be written, because its name does not end in .tif, .png or .jpg.");
}
