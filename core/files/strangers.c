/* SPDX-License-Identifier: MIT
 *
 * One table. The first row that matches counts, so that rows with much of a file's beginning come before those with little.
 */
#include "core/files/strangers.h"

#include "core/base/file_error.h"
#include "core/files/raw.h"
#include "core/files/shared/format.h"
#include "core/files/shared/unpack.h"
#include "core/files/text/text_image.h"

#include <string.h>

#define BIOFORMATS "save it as OME-TIFF with Bio-Formats, in Fiji or as bfconvert"
#define MEDICAL "save it as TIFF with Fiji, 3D Slicer or SimpleITK"
#define HDF "open it in Fiji, napari or h5py and save the image as TIFF"
#define PICTURE "save it as TIFF or PNG with GIMP or ImageMagick"
#define ARCHIVE "unpack it and open the images in it"

typedef struct {
  gsize at;
  const char *magic; /* '?' is any byte */
  gsize length;
  const char *name, *advice;
} Stranger;

#define BEGINS(MAGIC, NAME, ADVICE)                                                                                    \
  {                                                                                                                    \
    0, MAGIC, sizeof MAGIC - 1, NAME, ADVICE                                                                           \
  }
#define HAS(AT, MAGIC, NAME, ADVICE)                                                                                   \
  {                                                                                                                    \
    AT, MAGIC, sizeof MAGIC - 1, NAME, ADVICE                                                                          \
  }

static const Stranger strangers[] = {
  BEGINS ("\x89HDF\r\n\x1a\n", "an HDF5 file (also Imaris, ilastik, BigDataViewer)", HDF),
  HAS (512, "\x89HDF\r\n\x1a\n", "an HDF5 file (also MATLAB 7.3)", HDF),
  BEGINS ("MATLAB 5.0 MAT-file", "a MATLAB file", "save the image with imwrite() or Tiff in MATLAB"),
  BEGINS ("CDF\x01", "a NetCDF file", HDF),
  BEGINS ("CDF\x02", "a NetCDF file", HDF),
  BEGINS ("OLYMPUSRAWFORMAT", "an Olympus OIR file", BIOFORMATS),
  BEGINS ("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an OLE2 file (as OIB and ZVI are)", BIOFORMATS),
  BEGINS ("\0\0\0\x03????\0\0\0\x01", "a DigitalMicrograph DM3 file", BIOFORMATS),
  BEGINS ("\0\0\0\x03????\0\0\0\0", "a DigitalMicrograph DM3 file", BIOFORMATS),
  BEGINS ("\0\0\0\x04????????\0\0\0\x01", "a DigitalMicrograph DM4 file", BIOFORMATS),
  BEGINS ("\0\0\0\x04????????\0\0\0\0", "a DigitalMicrograph DM4 file", BIOFORMATS),
  BEGINS ("\0\0\0\x0cjP  \r\n\x87\n????ftypmjp2", "a movie of JPEG 2000 (MJ2)", PICTURE),
  BEGINS ("\0\0\0\x0cjP  \r\n\x87\n????ftypjpm ", "a document of JPEG 2000 (JPM)", PICTURE),
  BEGINS ("8BPS", "a Photoshop file", PICTURE),
  BEGINS ("gimp xcf", "a GIMP file", PICTURE),
  BEGINS ("\x76\x2f\x31\x01", "an OpenEXR image", PICTURE),
  BEGINS ("%PDF-", "a PDF document", "save the page as PNG, with pdftoppm -png for example"),
  BEGINS ("%!PS", "a PostScript document", "save the page as PNG with Ghostscript"),
  BEGINS ("Iout", "a selection of ImageJ (.roi)", "open an image first, then the selection through its panel"),
  BEGINS ("7z\xbc\xaf\x27\x1c", "a 7-Zip archive", ARCHIVE),
  BEGINS ("\xfd\x37zXZ\0", "an XZ archive", ARCHIVE),
  BEGINS ("BZh", "a bzip2 archive", ARCHIVE),
  HAS (257, "ustar", "a tar archive", ARCHIVE),
};

static gboolean
matches (const Stranger *s, const guint8 *head, gsize n)
{
  if (n < s->at + s->length)
    return FALSE;
  for (gsize i = 0; i < s->length; i++)
    if (s->magic[i] != '?' && head[s->at + i] != (guint8) s->magic[i])
      return FALSE;
  return TRUE;
}

static gboolean
fail (const char *path, const char *name, const char *advice, GError **error)
{
  return file_fail (error, FILE_ERROR_UNSUPPORTED, path, "is %s, which cannot be opened: %s.", name, advice);
}

/* ---- What a row of the table cannot say ---- */

/* By the name of its first member. */
static gboolean
check_zip (const char *path, const guint8 *head, gsize n, GError **error)
{
  if (n < 30 || memcmp (head, "PK\x03\x04", 4))
    return TRUE;
  g_autofree char *name = g_strndup ((const char *) head + 30, MIN (n - 30, head[26] | (gsize) head[27] << 8));
  if (g_str_has_suffix (name, ".npy")) /* a damaged one */
    return TRUE;
  if (g_str_has_suffix (name, ".roi"))
    return fail (path, "a ZIP file of selections", "open an image first, then the selections through its panel", error);
  return fail (path, "a ZIP archive", ARCHIVE, error);
}

/* By the first words, and the root element of XML. */
static gboolean
check_text (const char *path, const guint8 *head, gsize n, GError **error)
{
  g_autofree char *text = g_strndup ((const char *) head, n);
  const char *first = text + (g_str_has_prefix (text, "\xef\xbb\xbf") ? 3 : 0);
  while (g_ascii_isspace (*first))
    first++;
  if (*first != '<')
    return TRUE;
  if (strstr (first, "<svg") || strstr (first, "<!DOCTYPE svg"))
    return fail (path, "an SVG drawing", "save it as PNG, with Inkscape or rsvg-convert for example", error);
  return TRUE;
}

static gboolean
check_folder (const char *path, GError **error)
{
  g_autofree char *mark = g_build_filename (path, "attributes.json", NULL);
  return !g_file_test (mark, G_FILE_TEST_EXISTS)
         || fail (path, "an N5 folder", "save the image as OME-Zarr or TIFF with Fiji or napari", error);
}

/* ---- All ---- */

static gboolean
check_head (const char *path, const guint8 *head, gsize n, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (strangers); i++)
    if (matches (&strangers[i], head, n))
      return fail (path, strangers[i].name, strangers[i].advice, error);
  return check_zip (path, head, n, error) && check_text (path, head, n, error)
         && files_text_image_explain (path, head, n, error) && files_raw_explain (path, error);
}

gboolean
files_strangers_check (const char *path, const guint8 *head, gsize n, GError **error)
{
  guint8 inside[FORMAT_HEAD] = {0};
  if (n == 0)
    return check_folder (path, error);
  if (files_is_gzip (head, n))
    return check_head (path, inside, files_unpack_head_of (path, inside, sizeof inside), error);
  return check_head (path, head, n, error);
}
