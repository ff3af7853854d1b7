/* SPDX-License-Identifier: MIT
 *
 * TIFF files at the ends of what there can be, made by hand.
 */
#include "core/base/file_error.h"
#include "core/files/files.h"
#include "core/files/tiff/dir.h"
#include "tests/support/support.h"
#include "tests/support/tiff_by_hand.h"

#include <glib/gstdio.h>
#include <string.h>
#include <tiffio.h>

static char *folder;

/* The bytes as a file. Free its path with g_free(). */
static char *
written (const GByteArray *file)
{
  char *path = g_build_filename (folder, "odd.tif", NULL);
  g_assert_true (g_file_set_contents (path, (const char *) file->data, file->len, NULL));
  return path;
}

/* tifffile's text may have as many axes as fit; with more of them, the pages count. */
static void
test_many_axes (void)
{
  for (int n = 16; n <= 17; n++) {
    g_autofree char *ones = g_strnfill (2 * (gsize) n - 2, ','), *names = g_strnfill ((gsize) n - 1, 'Q'), *text = NULL,
                    *path = NULL;
    for (int i = 0; i < n - 1; i++)
      ones[2 * i] = '1';
    text = g_strdup_printf ("{\"shape\": [%s2, 1, 2], \"axes\": \"%sCYX\"}", ones, names);
    g_autoptr (GByteArray) file = tiff_pages (2, text);
    path = written (file);
    g_autoptr (GError) error = NULL;
    g_autoptr (Image) image = files_open (path, 0, &error);
    g_assert_no_error (error);
    g_assert_cmpint (image_info (image)->channels, ==, n == 16 ? 2 : 1);
    g_assert_cmpfloat (image_value (image, 1, 0, 0), ==, 1);
  }
}

/* tifffile's text that speaks of other planes than there are says nothing. */
static void
test_other_planes (void)
{
  static const struct {
    const char *shape;
    gint64 channels;
  } texts[] = {{"2, 1, 2", 2}, {"4, 1, 2", 1}, {"1, 1, 2", 1}};
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *text = g_strdup_printf ("{\"shape\": [%s], \"axes\": \"CYX\"}", texts[i].shape), *path = NULL;
    g_autoptr (GByteArray) file = tiff_pages (2, text);
    path = written (file);
    g_autoptr (GError) error = NULL;
    g_autoptr (Image) image = files_open (path, 0, &error);
    g_assert_no_error (error);
    g_assert_cmpint (image_info (image)->channels, ==, texts[i].channels);
    g_assert_cmpint (image_info_planes (image_info (image)), ==, 2);
    g_assert_cmpfloat (image_value (image, 1, 0, 0), ==, 1);
  }
}

/* Blocks of OME's text that lie outside the image change no plane of it. */
static void
test_ome_outside (void)
{
  static const char *const outside[] = {"FirstZ=\"2\"", "FirstC=\"2\"", "FirstT=\"1\"", "FirstZ=\"-1\" FirstC=\"1\"",
                                        "FirstC=\"-1\" FirstZ=\"1\" FirstT=\"1\""};
  for (guint i = 0; i < G_N_ELEMENTS (outside); i++) {
    g_autofree char *text = g_strdup_printf (
      "<?xml version=\"1.0\"?><OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\">"
      "<Pixels ID=\"Pixels:0\" DimensionOrder=\"XYZCT\" Type=\"uint16\" SizeX=\"2\" SizeY=\"1\" SizeZ=\"2\" "
      "SizeC=\"2\" "
      "SizeT=\"1\"><TiffData IFD=\"0\" PlaneCount=\"4\"/><TiffData %s IFD=\"3\" "
      "PlaneCount=\"1\"/></Pixels></Image></OME>",
      outside[i]);
    g_autoptr (GByteArray) file = tiff_pages (4, text);
    g_autofree char *path = written (file);
    g_autoptr (GError) error = NULL;
    g_autoptr (Image) image = files_open (path, 0, &error);
    g_assert_no_error (error);
    g_assert_cmpint (image_info (image)->channels, ==, 2);
    for (int plane = 0; plane < 4; plane++)
      g_assert_cmpfloat (image_value (image, plane, 0, 0), ==, plane);
  }
}

/* A number of eight bytes in a file whose entries hold four. */
static void
test_long_number (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new (), page = tiff_directory (1, 2, 100, 0, 0, 0);
  g_autofree char *path = NULL;
  const guint16 type = TIFF_LONG8, pixels[] = {7, 8};
  const guint32 at = 92;
  const guint64 rows = 1;
  g_byte_array_append (file, (const guint8 *) tiff_header (), 8);
  memcpy (page->data + 2 + 12 + 2, &type, 2); /* the second entry: the rows */
  memcpy (page->data + 2 + 12 + 8, &at, 4);
  g_byte_array_append (file, page->data, page->len);
  g_byte_array_set_size (file, 100);
  memcpy (file->data + at, &rows, 8);
  g_byte_array_append (file, (const guint8 *) pixels, 4);
  path = written (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = files_open (path, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (image_info (image)->rows, ==, 1);
  g_assert_cmpfloat (image_value (image, 0, 0, 1), ==, 8);
}

/* What lies behind the end of a file cannot be read, in part neither. */
static void
test_read_end (void)
{
  static const struct {
    guint64 at;
    gsize size;
    gboolean there;
  } pieces[] = {{0, 10, TRUE},  {9, 1, TRUE},   {10, 0, TRUE},          {9, 2, FALSE},
                {10, 1, FALSE}, {11, 0, FALSE}, {G_MAXUINT64, 2, FALSE}};
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_byte_array_append (bytes, (const guint8 *) tiff_header (), 8);
  g_byte_array_append (bytes, (const guint8 *) "ab", 2);
  g_autofree char *path = written (bytes);
  g_autoptr (FilesTiffFile) file = files_tiff_file_open (path, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++) {
    guint8 read[10] = {0};
    g_assert_cmpint (files_tiff_read (file, pieces[i].at, read, pieces[i].size), ==, pieces[i].there);
    if (pieces[i].there)
      g_assert_cmpmem (read, pieces[i].size, bytes->data + pieces[i].at, pieces[i].size);
  }
}

/* Tiles of which only the length or only the width is known. */
static void
test_half_tiles (void)
{
  for (guint16 tag = TIFFTAG_TILEWIDTH; tag <= TIFFTAG_TILELENGTH; tag++) {
    g_autoptr (GByteArray) file = g_byte_array_new (), page = tiff_directory (1, 2, 100, 0, 0, 0);
    g_autofree char *path = NULL;
    g_byte_array_append (file, (const guint8 *) tiff_header (), 8);
    memcpy (page->data + 2 + 5 * 12, &tag, 2); /* the last entry */
    g_byte_array_append (file, page->data, page->len);
    g_byte_array_set_size (file, 200);
    path = written (file);
    g_autoptr (GError) error = NULL;
    g_assert_null (files_open (path, 0, &error));
    g_assert_error (error, FILE_ERROR, FILE_ERROR_DAMAGED);
    g_assert_nonnull (strstr (error->message, "has tiles without size"));
  }
}

int
main (int argc, char **argv)
{
  int result;
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-odd-XXXXXX", NULL);
  g_test_add_func ("/odd_tiff/many-axes", test_many_axes);
  g_test_add_func ("/odd_tiff/other-planes", test_other_planes);
  g_test_add_func ("/odd_tiff/ome-outside", test_ome_outside);
  g_test_add_func ("/odd_tiff/long-number", test_long_number);
  g_test_add_func ("/odd_tiff/read-end", test_read_end);
  g_test_add_func ("/odd_tiff/half-tiles", test_half_tiles);
  result = g_test_run ();
  g_autofree char *path = g_build_filename (folder, "odd.tif", NULL);
  g_remove (path);
  g_rmdir (folder);
  g_free (folder);
  return result;
}
