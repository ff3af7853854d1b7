/* SPDX-License-Identifier: MIT
 *
 * OME-XML with pixels in it: what is damaged or lies is a sentence. check_ome_xml.py compares pixels.
 */
#include "tests/core/files/damage.h"

/* 2 × 2 pixels of 16 bits. */
#define FILE_OF(pixels, data)                                                                                          \
  "<?xml version='1.0'?><o:OME xmlns:o='o'><o:Image Name='one'><o:Pixels DimensionOrder='XYZCT' Type='uint16' "        \
  "SizeX='2' SizeY='2' SizeC='1' SizeT='1' " pixels ">" data "</o:Pixels></o:Image></o:OME>"
#define GOOD "AQACAAMABAA="

static FilesImages *
open_text (const char *text, GError **error)
{
  g_autofree char *path = scratch ("text.ome");
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return files_images_new (path, error);
}

/* A '>' that is quoted, blanks, line breaks, a comment and elements without pixels do not matter. */
static void
test_text (void)
{
  static const char *const texts[] = {
    FILE_OF ("SizeZ='1'", "<o:BinData Length='12'>" GOOD "</o:BinData>"),
    FILE_OF ("SizeZ='1' Note='a > b'",
             "<!-- <o:BinData> --><o:BinData/><b:BinData xmlns:b='b' BigEndian='false'>\n AQACA\nAMA "
             "BAA=\n</b:BinData><o:BinData Length='0'> </o:BinData>"),
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    GError *error = NULL;
    g_autoptr (FilesImages) images = open_text (texts[i], &error);
    g_assert_no_error (error);
    g_assert_null (files_images_left_out (images));
    g_autoptr (Image) image = files_images_open (images, 0, &error);
    g_assert_no_error (error);
    const guint16 *pixels = image_plane (image, 0, &error);
    g_assert_no_error (error);
    for (guint k = 0; k < 4; k++)
      g_assert_cmpuint (pixels[k], ==, k + 1);
    g_assert_nonnull (strstr (image_info (image)->description, "BinData"));
    g_assert_null (strstr (image_info (image)->description, "base64"));
    sweep ();
  }
}

static void
test_faults (void)
{
  static const struct {
    const char *text, *message;
    FileError code;
    gboolean late; /* pixels alone tell */
  } faults[] = {
    {FILE_OF ("SizeZ='2'", "<o:BinData>" GOOD "</o:BinData>"), "too few for 16 bytes of pixels", FILE_ERROR_DAMAGED,
     FALSE},
    {FILE_OF ("SizeZ='1000000000'", "<o:BinData Compression='zlib'>" GOOD "</o:BinData>"), "more than it can hold",
     FILE_ERROR_DAMAGED, FALSE},
    {FILE_OF ("SizeZ='1000000001'", "<o:BinData>" GOOD "</o:BinData><o:BinData>" GOOD "</o:BinData>"),
     "it claims 1000000001 planes", FILE_ERROR_DAMAGED, FALSE},
    {FILE_OF ("SizeZ='1'", "<o:BinData Compression='J2K'>" GOOD "</o:BinData>"), "the compression 'j2k'",
     FILE_ERROR_UNSUPPORTED, FALSE},
    {FILE_OF ("SizeZ='1' Interleaved='true'", "<o:Channel SamplesPerPixel='3'/><o:BinData>" GOOD "</o:BinData>"),
     "interleaved colors", FILE_ERROR_UNSUPPORTED, FALSE},
    {FILE_OF ("SizeZ='1'", "<o:BinData Compression='zlib'>" GOOD "</o:BinData>"), "does not have the pixels",
     FILE_ERROR_DAMAGED, TRUE},
    {FILE_OF ("SizeZ='1'", "<o:BinData Compression='bzip2'>" GOOD "</o:BinData>"), "does not have the pixels",
     FILE_ERROR_DAMAGED, TRUE},
    {FILE_OF ("SizeZ='1'", "<o:BinData>AQACAAM!BAA=</o:BinData>"), "is not base64", FILE_ERROR_DAMAGED, TRUE},
    {FILE_OF ("SizeZ='1'", "<o:BinData>AQAC========</o:BinData>"), "does not have the pixels", FILE_ERROR_DAMAGED,
     TRUE},
    {FILE_OF ("SizeZ='1'", "<o:BinData>" GOOD), "is damaged: ", FILE_ERROR_DAMAGED, FALSE},
    {FILE_OF ("SizeZ='1'", ""), "without pixels, and names no files", FILE_ERROR_UNSUPPORTED, FALSE},
    {"<OME><Image><Pixels Type='bit' SizeX='2' SizeY='2'><BinData>AA==</BinData></Pixels></Image></OME>",
     "the type 'bit'", FILE_ERROR_UNSUPPORTED, FALSE},
    {"<OME><Image><Pixels Type='int8'><BinData>AA==</BinData></Pixels></Image></OME>", "does not say how many pixels",
     FILE_ERROR_DAMAGED, FALSE},
    {"<OME><Image><Pixels Type='int8' SizeX='2' SizeY='1'><BinData><?base64 999999 "
     "4?>AA==</BinData></Pixels></Image></OME>",
     "lie outside of the file", FILE_ERROR_DAMAGED, FALSE},
  };
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_autofree char *path = scratch ("text.ome");
    GError *error = NULL;
    g_autoptr (FilesImages) images = open_text (faults[i].text, &error);
    g_test_message ("%s", faults[i].message);
    if (faults[i].late) {
      g_assert_no_error (error);
      g_autoptr (Image) image = files_images_open (images, 0, &error);
      g_assert_no_error (error);
      g_assert_null (image_plane (image, 0, &error));
    } else
      g_assert_null (images);
    check_error (error, (int) faults[i].code, path, faults[i].message);
    sweep ();
  }
}

/* Of 2 slices of 2 channels three planes are there: the channel with both stays. */
static void
test_missing (void)
{
  GError *error = NULL;
  g_autoptr (FilesImages) images =
    open_text ("<OME><Image><Pixels Type='uint8' SizeX='2' SizeY='1' SizeZ='2' SizeC='2' DimensionOrder='XYZCT'>"
               "<Channel Name='a'/><Channel Name='b'/><BinData>AQI=</BinData><BinData>AwQ=</BinData>"
               "<BinData>BQY=</BinData></Pixels></Image><Image><Pixels/></Image></OME>",
               &error);
  g_assert_no_error (error);
  g_assert_cmpstr (files_images_left_out (images), ==,
                   "2 of the 4 planes, as 1 have no pixels in the file, 1 image without pixels");
  g_autoptr (Image) image = files_images_open (images, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (image_info_planes (image_info (image)), ==, 2);
  sweep ();
}

static void
test_damaged (void)
{
  static const char *const files[] = {"bioformats.ome.xml", "bzip2.ome", "plain.ome"};
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_strdup_printf ("tests/core/files/ome/%s", files[i]), *source = source_path (path);
    try_damaged (source, files[i], 40, 150, 3);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/ome/text", test_text);
  g_test_add_func ("/ome/faults", test_faults);
  g_test_add_func ("/ome/missing", test_missing);
  g_test_add_func ("/ome/damaged", test_damaged);
  return run_files_tests ();
}
