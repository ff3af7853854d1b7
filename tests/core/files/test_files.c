/* SPDX-License-Identifier: MIT
 *
 * Recognition, PNG and the pictures that gdk-pixbuf reads. The arrays in files/pictures were read by Pillow and imagecodecs
 * (files/make_pictures.py).
 */
#include "core/base/parallel.h"
#include "core/data/pixel_type.h"
#include "tests/core/files/files_support.h"

#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

static void
check_cannot_open (const char *path, int code, const char *text)
{
  GError *error = NULL;
  g_assert_null (files_open (path, 0, &error));
  check_error (error, code, path, text);
}

typedef struct {
  const char *name;
  fv_type type;
  fv_role role;
  const char *last; /* name of the last channel, or NULL when channels have no names */
} Picture;

static const Picture pictures[] = {
  {"gray1.png", FV_U8, FV_MASK, NULL},
  {"gray1i.png", FV_U8, FV_MASK, NULL},
  {"gray2.png", FV_U8, FV_IMAGE, NULL},
  {"gray2i.png", FV_U8, FV_IMAGE, NULL},
  {"gray4.png", FV_U8, FV_IMAGE, NULL},
  {"gray4i.png", FV_U8, FV_IMAGE, NULL},
  {"gray8.png", FV_U8, FV_IMAGE, NULL},
  {"gray8i.png", FV_U8, FV_IMAGE, NULL},
  {"gray16.png", FV_U16, FV_IMAGE, NULL},
  {"gray16i.png", FV_U16, FV_IMAGE, NULL},
  {"gray8_key.png", FV_U8, FV_IMAGE, NULL},
  {"rgb8.png", FV_U8, FV_RGB, NULL},
  {"rgb8i.png", FV_U8, FV_RGB, NULL},
  {"rgb16.png", FV_U16, FV_IMAGE, "blue"},
  {"rgb16i.png", FV_U16, FV_IMAGE, "blue"},
  {"ga8.png", FV_U8, FV_IMAGE, "alpha"},
  {"ga8i.png", FV_U8, FV_IMAGE, "alpha"},
  {"ga16.png", FV_U16, FV_IMAGE, "alpha"},
  {"ga16i.png", FV_U16, FV_IMAGE, "alpha"},
  {"ga8_opaque.png", FV_U8, FV_IMAGE, NULL},
  {"ga16_opaque.png", FV_U16, FV_IMAGE, NULL},
  {"rgba8.png", FV_U8, FV_IMAGE, "alpha"},
  {"rgba8i.png", FV_U8, FV_IMAGE, "alpha"},
  {"rgba16.png", FV_U16, FV_IMAGE, "alpha"},
  {"rgba16i.png", FV_U16, FV_IMAGE, "alpha"},
  {"rgba8_opaque.png", FV_U8, FV_RGB, NULL},
  {"rgba16_opaque.png", FV_U16, FV_IMAGE, "blue"},
  {"palette1.png", FV_U8, FV_RGB, NULL},
  {"palette2.png", FV_U8, FV_RGB, NULL},
  {"palette4.png", FV_U8, FV_RGB, NULL},
  {"palette8.png", FV_U8, FV_RGB, NULL},
  {"palette8_alpha.png", FV_U8, FV_IMAGE, "alpha"},
  {"palette8_gray.png", FV_U8, FV_IMAGE, NULL},
  {"one_pixel.png", FV_U8, FV_RGB, NULL},
  {"gray.jpg", FV_U8, FV_IMAGE, NULL},
  {"rgb.jpg", FV_U8, FV_RGB, NULL},
  {"progressive.jpg", FV_U8, FV_RGB, NULL},
  {"turned1.jpg", FV_U8, FV_IMAGE, NULL},
  {"turned2.jpg", FV_U8, FV_IMAGE, NULL},
  {"turned3.jpg", FV_U8, FV_IMAGE, NULL},
  {"turned4.jpg", FV_U8, FV_IMAGE, NULL},
  {"turned5.jpg", FV_U8, FV_IMAGE, NULL},
  {"turned6.jpg", FV_U8, FV_IMAGE, NULL},
  {"turned7.jpg", FV_U8, FV_IMAGE, NULL},
  {"turned8.jpg", FV_U8, FV_IMAGE, NULL},
  {"lossless0.jpg", FV_U8, FV_IMAGE, NULL},
  {"lossless1.jpg", FV_U8, FV_IMAGE, NULL},
  {"lossless2.jpg", FV_U16, FV_IMAGE, NULL},
  {"lossless3.jpg", FV_U16, FV_IMAGE, NULL},
  {"lossless4.jpg", FV_U8, FV_RGB, NULL},
  {"lossless5.jpg", FV_U16, FV_IMAGE, "blue"},
  {"lossless6.jpg", FV_U16, FV_IMAGE, NULL},
  {"lossless_restart.jpg", FV_U8, FV_RGB, NULL},
  {"lossless_liblj92.jpg", FV_U16, FV_IMAGE, NULL},
  {"j2k_bits.j2k", FV_U8, FV_MASK, NULL},
  {"j2k_u5.j2k", FV_U8, FV_IMAGE, NULL},
  {"j2k_u8.j2k", FV_U8, FV_IMAGE, NULL},
  {"j2k_i8.j2k", FV_I8, FV_IMAGE, NULL},
  {"j2k_u12.j2k", FV_U16, FV_IMAGE, NULL},
  {"j2k_i12.j2k", FV_I16, FV_IMAGE, NULL},
  {"j2k_u16.j2k", FV_U16, FV_IMAGE, NULL},
  {"j2k_i16.j2k", FV_I16, FV_IMAGE, NULL},
  {"j2k_u20.j2k", FV_U32, FV_IMAGE, NULL},
  {"j2k_ht.j2k", FV_U8, FV_IMAGE, NULL},
  {"j2k_rgb.jp2", FV_U8, FV_RGB, NULL},
  {"j2k_rgb16.jp2", FV_U16, FV_IMAGE, "blue"},
  {"j2k_five.j2k", FV_U8, FV_IMAGE, NULL},
  {"j2k_offset.j2k", FV_U8, FV_RGB, NULL},
  {"j2k_rgba.jp2", FV_U8, FV_IMAGE, "alpha"},
  {"j2k_opaque.jp2", FV_U8, FV_RGB, NULL},
  {"j2k_order.jp2", FV_U8, FV_IMAGE, "alpha"},
  {"j2k_ga.jp2", FV_U8, FV_IMAGE, "alpha"},
  {"j2k_palette.jp2", FV_U8, FV_RGB, NULL},
  {"j2k_palette_gray.jp2", FV_U8, FV_IMAGE, NULL},
  {"j2k_sycc.jp2", FV_U8, FV_RGB, NULL},
  {"gray.bmp", FV_U8, FV_IMAGE, NULL},
  {"rgb.bmp", FV_U8, FV_RGB, NULL},
  {"bits.bmp", FV_U8, FV_IMAGE, NULL},
  {"gray.pgm", FV_U8, FV_IMAGE, NULL},
  {"rgb.ppm", FV_U8, FV_RGB, NULL},
  {"bits.pbm", FV_U8, FV_IMAGE, NULL},
  {"two.gif", FV_U8, FV_RGB, NULL},
  {"labels_voc.png", FV_U8, FV_IMAGE, NULL},
  {"labels.png", FV_U8, FV_IMAGE, NULL},
  {"labels.gif", FV_U8, FV_IMAGE, NULL},
  {"labels.bmp", FV_U8, FV_IMAGE, NULL},
  {"reduced.png", FV_U8, FV_RGB, NULL},
  {"reduced.gif", FV_U8, FV_RGB, NULL},
  {"reduced.bmp", FV_U8, FV_RGB, NULL},
};

/* A part of each plane, of a file of which nothing was read before. */
static void
check_region (const char *path, Image *expected)
{
  const ImageInfo *info = image_info (expected);
  const ImageRegion region = {info->rows / 3, info->columns / 3, (info->rows + 2) / 3, (info->columns + 2) / 3};
  for (gint64 c = 0; c < info->channels; c++) {
    g_autoptr (Image) image = open_file (path);
    g_autoptr (GError) error = NULL;
    const gsize pixel = (gsize) pixel_type_bytes (info->type), row = pixel * (gsize) region.columns;
    const guint8 *plane = image_plane (expected, c, &error);
    g_autofree guint8 *pixels = g_malloc (row * (gsize) region.rows);
    g_assert_cmpint (image_info (image)->type, ==, info->type);
    image_read (image, 0, c, &region, pixels, row, &error);
    g_assert_no_error (error);
    for (gint64 y = 0; y < region.rows; y++)
      g_assert_cmpmem (pixels + (gsize) y * row, row,
                       plane + (gsize) ((region.row + y) * info->columns + region.column) * pixel, row);
  }
}

static void
test_picture (gconstpointer data)
{
  const Picture *p = data;
  g_autofree char *path = picture (p->name);
  g_autofree char *array = g_strdelimit (g_strdup (p->name), ".", '_'), *file = g_strconcat (array, ".npy", NULL);
  g_autofree char *npy_path = picture (file);
  g_autoptr (Image) image = open_file (path), expected = NULL;
  const ImageInfo *info = image_info (image);
  Npy npy;
  npy_load (&npy, npy_path);
  expected = image_from_npy (&npy, p->role);
  npy_clear (&npy);
  g_assert_cmpint (info->type, ==, p->type);
  g_assert_cmpint (info->role, ==, p->role);
  g_assert_cmpint (info->channels, ==, image_info (expected)->channels);
  g_assert_cmpstr (info->name, ==, p->name);
  assert_images_equal (image, expected);
  check_region (path, expected);
  g_assert_cmpint (info->channel_names != NULL, ==, p->last != NULL);
  if (p->last) {
    g_assert_cmpint (g_strv_length (info->channel_names), ==, info->channels);
    g_assert_cmpstr (info->channel_names[info->channels - 1], ==, p->last);
  }
}

/* Frames as Pillow shows them; what is under transparent pixels does not matter. */
static void
test_frames (void)
{
  static const struct {
    const char *name;
    gint64 frames, channels;
    double interval;
  } cases[] = {
    {"frames.gif", 5, 3, 0.1},         {"frames_gray.gif", 5, 1, 0},     {"frames_holes.gif", 4, 4, 0.04},
    {"frames_undone.gif", 5, 3, 0.05}, {"frames.apng", 5, 3, 0.1},       {"frames_holes.apng", 4, 4, 0.1},
    {"frames_over.apng", 4, 4, 0.1},   {"frames_gray.apng", 5, 1, 0.25}, {"frames_palette.apng", 5, 3, 0},
    {"frames_undone.apng", 2, 2, 0.1},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = picture (cases[i].name), *npy_path = NULL;
    g_autoptr (Image) image = open_file (path), expected = NULL;
    const ImageInfo *info = image_info (image);
    Npy npy;
    g_autofree char *array = g_strconcat (cases[i].name, ".npy", NULL);
    *strchr (array, '.') = '_';
    npy_path = picture (array);
    npy_load (&npy, npy_path);
    expected = image_from_npy (&npy, FV_IMAGE);
    npy_clear (&npy);
    g_assert_cmpint (info->frames, ==, cases[i].frames);
    g_assert_cmpint (info->channels, ==, cases[i].channels);
    g_assert_cmpint (image_info (expected)->channels, ==, cases[i].channels);
    g_assert_cmpfloat (info->frame_interval, ==, cases[i].interval);
    g_assert_cmpstr (info->frame_unit, ==, cases[i].interval > 0 ? "s" : "");
    for (gint64 t = 0; t < info->frames; t++)
      for (gint64 c = 0; c < info->channels; c++) {
        const gint64 plane = t * info->channels + c;
        for (gint64 y = 0; y < info->rows; y++)
          for (gint64 x = 0; x < info->columns; x++)
            if (info->channels < 4 || image_value (expected, plane - c + 3, y, x) > 0)
              g_assert_cmpfloat (image_value (image, plane, y, x), ==, image_value (expected, plane, y, x));
            else
              g_assert_cmpfloat (image_value (image, plane - c + 3, y, x), ==, 0);
      }
    ImageInfo described;
    const char *depends;
    g_autoptr (FilesImages) images = files_images_new (path, NULL);
    g_assert_true (files_images_describe (images, 0, &described, &depends, NULL));
    g_assert_cmpint (described.frames, ==, cases[i].frames);
    g_assert_cmpfloat (described.frame_interval, ==, cases[i].interval);
    g_assert_true (depends || described.channels == cases[i].channels);
    image_info_clear (&described);
  }
}

/* A canvas, or frames, of which no file of that size has the pixels: refused before memory is taken. */
static void
test_frames_claim_too_much (void)
{
  g_autofree char *from = picture ("frames.gif"), *path = scratch ("claims.gif"), *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (from, &bytes, &n, NULL));
  memset (bytes + 6, 0xff, 4);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
  check_cannot_open (path, FILE_ERROR_DAMAGED, "more than it can hold");
  static const guint8 head[] = {'G', 'I', 'F', '8', '9', 'a', 0xe8, 3, 0xe8, 3, 0x80, 0, 0, 0, 0, 0, 255, 255, 255};
  static const guint8 frame[] = {0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0}; /* one pixel */
  g_autoptr (GByteArray) many = g_byte_array_new ();
  g_byte_array_append (many, head, sizeof head);
  for (guint i = 0; i < 10000; i++)
    g_byte_array_append (many, frame, sizeof frame);
  g_byte_array_append (many, (const guint8 *) ";", 1);
  g_assert_true (g_file_set_contents (path, (const char *) many->data, many->len, NULL));
  check_cannot_open (path, FILE_ERROR_UNSUPPORTED, "has 10000 frames of 1000×1000");
  sweep ();
}

static void
test_png_ranges (void)
{
  g_autofree char *path = picture ("gray4.png"), *other = picture ("gray8.png");
  g_autoptr (Image) image = open_file (path), plain = open_file (other);
  g_assert_cmpfloat (image_info (image)->display_ranges[1], ==, 15);
  g_assert_cmpstr (image_info (image)->source_type, ==, "uint4");
  g_assert_null (image_info (plain)->display_ranges);
}

static void
test_png_pixel_size (void)
{
  g_autofree char *um = picture ("size_um.png"), *dpi = picture ("size_dpi.png"), *ratio = picture ("size_ratio.png");
  g_autoptr (Image) a = open_file (um), b = open_file (dpi), c = open_file (ratio);
  g_assert_cmpfloat (image_info (a)->spacing[2], ==, 0.325);
  g_assert_cmpfloat (image_info (a)->spacing[1], ==, 0.2);
  g_assert_cmpstr (image_info (a)->units[2], ==, "µm");
  g_assert_cmpstr (image_info (b)->units[2], ==, "");
  g_assert_cmpfloat (image_info (b)->spacing[2], ==, 1);
  g_assert_cmpstr (image_info (c)->units[2], ==, "");
}

/* Pixels per meter as fractions: of the capture, else of the display, and usual ones of screens. */
static void
test_jpeg2000_pixel_size (void)
{
  g_autofree char *capture = picture ("j2k_size.jp2"), *display = picture ("j2k_size_display.jp2"),
                  *dpi = picture ("j2k_size_dpi.jp2");
  g_autoptr (Image) a = open_file (capture), b = open_file (display), c = open_file (dpi);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpfloat (image_info (i ? b : a)->spacing[1], ==, 0.65);
    g_assert_cmpfloat (image_info (i ? b : a)->spacing[2], ==, 0.25);
    g_assert_cmpstr (image_info (i ? b : a)->units[2], ==, "µm");
  }
  g_assert_cmpstr (image_info (c)->units[2], ==, "");
}

/* Contrast limits of fewer bits than the type has, with and without a sign. */
static void
test_jpeg2000_ranges (void)
{
  g_autofree char *path = picture ("j2k_u12.j2k"), *other = picture ("j2k_i12.j2k"),
                  *plain_path = picture ("j2k_u16.j2k");
  g_autoptr (Image) image = open_file (path), below = open_file (other), plain = open_file (plain_path);
  g_assert_cmpfloat (image_info (image)->display_ranges[0], ==, 0);
  g_assert_cmpfloat (image_info (image)->display_ranges[1], ==, 4095);
  g_assert_cmpfloat (image_info (below)->display_ranges[0], ==, -2048);
  g_assert_cmpfloat (image_info (below)->display_ranges[1], ==, 2047);
  g_assert_cmpstr (image_info (below)->source_type, ==, "int12");
  g_assert_null (image_info (plain)->display_ranges);
}

/* Regions of all levels, which are the resolutions as Glymur decodes them; of tiles at odd places, too. */
static void
test_jpeg2000_levels (void)
{
  static const char *const names[] = {"j2k_rgb.jp2", "j2k_offset.j2k", "j2k_sycc.jp2"};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = picture (names[i]), *stem = g_strdelimit (g_strdup (names[i]), ".", '_');
    g_autoptr (Image) image = open_file (path);
    ImageLevel level;
    for (guint n = 0; n < (i < 2 ? 3 : 1); n++) {
      g_autofree char *file = n ? g_strdup_printf ("%s_%u.npy", stem, n) : g_strconcat (stem, ".npy", NULL);
      g_autofree char *npy_path = picture (file);
      Npy npy;
      npy_load (&npy, npy_path);
      g_autoptr (Image) expected = image_from_npy (&npy, FV_IMAGE);
      npy_clear (&npy);
      const ImageInfo *info = image_info (expected);
      g_assert_true (image_level (image, n, &level));
      g_assert_cmpint (level.rows, ==, info->rows);
      g_assert_cmpint (level.columns, ==, info->columns);
      for (guint part = 0; part < 4; part++)
        for (gint64 c = 0; c < info->channels; c++) {
          const gint64 row = part % 2 ? info->rows / 3 : 0, column = part / 2 ? info->columns / 5 * 2 : 0;
          const ImageRegion region = {row, column, info->rows - row - part % 2, info->columns - column - part / 2};
          g_autofree guint8 *pixels = g_malloc ((gsize) (region.rows * region.columns));
          g_autoptr (GError) error = NULL;
          image_read (image, n, c, &region, pixels, (gsize) region.columns, &error);
          g_assert_no_error (error);
          for (gint64 y = 0; y < region.rows; y++)
            for (gint64 x = 0; x < region.columns; x++)
              g_assert_cmpfloat (pixels[y * region.columns + x], ==, image_value (expected, c, row + y, column + x));
        }
    }
    g_assert_cmpint (image_level (image, 3, &level), ==, i == 1);
  }
}

static void
test_jpeg2000_left_out (void)
{
  g_autofree char *path = picture ("j2k_two.jpx");
  g_autoptr (FilesImages) images = files_images_new (path, NULL);
  g_assert_cmpstr (files_images_left_out (images), ==, "1 more image");
  g_autofree char *nd2 = scratch ("old.ND2"), *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (nd2, bytes, (gssize) n, NULL));
  check_cannot_open (nd2, FILE_ERROR_UNSUPPORTED, "is ND2 of version 1");
  sweep ();
}

static void
test_gif_holes (void)
{
  g_autofree char *path = picture ("holes.gif");
  g_autoptr (Image) image = open_file (path);
  g_assert_cmpint (image_info (image)->channels, ==, 4);
  g_assert_cmpstr (image_info (image)->channel_names[3], ==, "alpha");
}

static void
test_damaged (void)
{
  static const struct {
    const char *name;
    int code;
    const char *text;
  } cases[] = {
    {"truncated.png", FILE_ERROR_DAMAGED, "is damaged or truncated"},
    {"no_end.png", FILE_ERROR_DAMAGED, "is damaged or truncated"},
    {"bad_crc.png", FILE_ERROR_DAMAGED, "is damaged or truncated"},
    {"huge.png", FILE_ERROR_DAMAGED, "more than it can hold"},
    {"truncated.jpg", FILE_ERROR_DAMAGED, "is truncated"},
    {"huge.jpg", FILE_ERROR_DAMAGED, "more than it can hold"},
    {"deep.jpg", FILE_ERROR_UNSUPPORTED, "of a kind that cannot be read"},
    {"lossless_cut.jpg", FILE_ERROR_DAMAGED, "ends too early"},
    {"lossless_wrong.jpg", FILE_ERROR_DAMAGED, "the header of a scan is wrong"},
    {"j2k_truncated.jp2", FILE_ERROR_DAMAGED, "is damaged or truncated"},
    {"j2k_huge.j2k", FILE_ERROR_DAMAGED, "more than it can hold"},
    {"j2k_none.jp2", FILE_ERROR_DAMAGED, "it has no whole codestream"},
    {"truncated.bmp", FILE_ERROR_DAMAGED, "is truncated"},
    {"truncated.gif", FILE_ERROR_DAMAGED, "is damaged or truncated"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = picture (cases[i].name);
    check_cannot_open (path, cases[i].code, cases[i].text);
  }
}

/* What a decoder would pass over in silence: some bytes of the picture are gone. Bytes between its segments do no harm. */
static void
test_damaged_jpeg (void)
{
  g_autofree char *from = picture ("rgb.jpg"), *path = scratch ("damaged.jpg"), *bytes = NULL;
  g_autoptr (GByteArray) array = g_byte_array_new ();
  g_autoptr (Image) image = NULL;
  GError *error = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (from, &bytes, &size, NULL));
  g_byte_array_append (array, (const guint8 *) bytes, (guint) (size - 400));
  g_byte_array_append (array, (const guint8 *) bytes + size - 200, 200);
  g_assert_true (g_file_set_contents (path, (const char *) array->data, array->len, NULL));
  check_cannot_open (path, FILE_ERROR_DAMAGED, "is damaged");

  guint header = 4 + (guint) (guint8) bytes[4] * 256 + (guint8) bytes[5];
  g_byte_array_set_size (array, 0);
  g_byte_array_append (array, (const guint8 *) bytes, header);
  g_byte_array_append (array, (const guint8 *) "???", 3);
  g_byte_array_append (array, (const guint8 *) bytes + header, (guint) size - header);
  g_assert_true (g_file_set_contents (path, (const char *) array->data, array->len, NULL));
  image = files_open (path, 0, &error);
  g_assert_no_error (error);
  sweep ();
}

/* A file that lacks its end is refused; one with a wrong byte opens or is refused. */
static void
test_mutilated (void)
{
  static const char *const names[] = {"rgba16i.png",     "palette8_alpha.png", "gray4.png",
                                      "progressive.jpg", "holes.gif",          "gray.bmp",
                                      "rgb.ppm",         "frames_holes.gif",   "frames_over.apng"};
  g_autofree char *path = scratch ("mutilated");
  for (guint n = 0; n < G_N_ELEMENTS (names); n++) {
    g_autofree char *from = picture (names[n]), *bytes = NULL;
    gsize size;
    g_assert_true (g_file_get_contents (from, &bytes, &size, NULL));
    for (gsize i = 0; i < 2 * size; i += 1 + size / 150) {
      g_autoptr (GError) error = NULL;
      g_autoptr (Image) image = NULL;
      gsize at = i % size;
      if (i >= size)
        bytes[at] ^= (char) 0xff;
      g_assert_true (g_file_set_contents (path, bytes, (gssize) (i < size ? i : size), NULL));
      if (i >= size)
        bytes[at] ^= (char) 0xff;
      image = files_open (path, 0, &error);
      g_assert_true (i >= size ? image || error->domain == FILE_ERROR : error != NULL);
    }
  }
  sweep ();
}

static void
test_recognition (void)
{
  g_autofree char *labels = formats_labels ();
  g_autofree char *missing = scratch ("none.tif"), *empty = scratch ("empty.png"), *text = scratch ("notes.tif");
  g_autofree char *disguised = scratch ("really_png.tif"), *png = picture ("gray8.png"), *bytes = NULL;
  g_autoptr (Image) image = NULL;
  GError *error = NULL;
  gsize size;
  g_file_set_contents (empty, "", 0, NULL);
  g_file_set_contents (text, "This is not an image.", -1, NULL);
  check_cannot_open (missing, FILE_ERROR_MISSING, "does not exist");
  check_cannot_open (folder, FILE_ERROR_OPEN, "is a folder");
  check_cannot_open ("/dev/null", FILE_ERROR_OPEN, "is not a regular file");
  check_cannot_open (empty, FILE_ERROR_FORMAT, "is empty");
  check_cannot_open (text, FILE_ERROR_FORMAT, labels);
  g_assert_null (files_images_new (text, &error));
  check_error (error, FILE_ERROR_FORMAT, text, labels);
  error = NULL;
  g_assert_null (files_open (png, 1, &error));
  check_error (error, FILE_ERROR_OPEN, png, "number 1 does not exist");
  g_assert_true (g_file_get_contents (png, &bytes, &size, NULL));
  g_file_set_contents (disguised, bytes, (gssize) size, NULL);
  image = open_file (disguised);
  g_assert_cmpint (image_info (image)->columns, ==, 13);
  sweep ();
}

/* ---- Known formats that cannot be opened ---- */

static void
write_at (const char *name, gsize at, const char *bytes, gsize n, const char *first, gsize first_n)
{
  g_autofree char *path = scratch (name), *contents = g_malloc0 (MAX (at + n, first_n) + 600);
  if (first_n)
    memcpy (contents, first, first_n);
  memcpy (contents + at, bytes, n);
  g_assert_true (g_file_set_contents (path, contents, (gssize) (MAX (at + n, first_n) + 600), NULL));
}

static void
test_strangers (void)
{
  static const struct {
    gsize at;
    const char *bytes;
    gsize n;
    const char *says;
  } cases[] = {
#define CASE(AT, BYTES, SAYS) {AT, BYTES, sizeof BYTES - 1, SAYS}
    CASE (128, "DICM", "DICOM"),
    CASE (0, "\x89HDF\r\n\x1a\n", "HDF5"),
    CASE (512, "\x89HDF\r\n\x1a\n", "HDF5"),
    CASE (0, "PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0a.roi", "selections"),
    CASE (0, "PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0a.txt", "ZIP"),
    CASE (0,
          "\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14"
          "ftypmjp2",
          "MJ2"),
    CASE (0,
          "\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14"
          "ftypjpm ",
          "JPM"),
    CASE (0, "%PDF-1.4", "PDF"),
    CASE (0, "<?xml version='1.0'?>\n<svg xmlns='x'>", "SVG"),
#undef CASE
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = scratch ("stranger.tif");
    write_at ("stranger.tif", cases[i].at, cases[i].bytes, cases[i].n, NULL, 0);
    check_cannot_open (path, FILE_ERROR_UNSUPPORTED, cases[i].says);
  }
  sweep ();
}

/* By loaders of gdk-pixbuf, which may be there. */
static void
test_loaders (void)
{
  static const struct {
    const char *head, *package;
  } cases[] = {{"????ftypheic", "heif-gdk-pixbuf"},
               {"????ftypmif1", "heif-gdk-pixbuf"},
               {"????ftypavif", "libavif-gdk-pixbuf"},
               {"\xff\x0a", "libjxl-gdk-pixbuf"}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = scratch ("picture");
    write_at ("picture", 0, cases[i].head, strlen (cases[i].head), NULL, 0);
    g_autoptr (GError) error = NULL;
    g_assert_null (files_open (path, 0, &error));
    if (!strstr (error->message, "is damaged or truncated"))
      check_error (g_steal_pointer (&error), FILE_ERROR_UNSUPPORTED, path, cases[i].package);
  }
  sweep ();
}

/* What begins as another format, is compressed, or is a folder. */
static void
test_strangers_in_disguise (void)
{
  g_autofree char *preamble = scratch ("ct.dcm"), *packed = scratch ("a.h5.gz"), *zarr = scratch ("a.zarr"),
                  *mark = g_build_filename (zarr, "zarr.json", NULL),
                  *image = g_build_filename (zarr, "cells.png", NULL);
  g_autofree char *packed_bytes = g_malloc0 (400);
  write_at ("ct.dcm", 128, "DICM", 4, "II\x2a\0\x90\1\0\0", 8);
  check_cannot_open (preamble, FILE_ERROR_UNSUPPORTED, "DICOM");
  memcpy (packed_bytes, "\x89HDF\r\n\x1a\n", 8);
  gzFile file = gzopen (packed, "wb");
  g_assert_cmpint (gzwrite (file, packed_bytes, 400), ==, 400);
  g_assert_cmpint (gzclose (file), ==, Z_OK);
  check_cannot_open (packed, FILE_ERROR_UNSUPPORTED, "HDF5");
  g_assert_cmpint (g_mkdir (zarr, 0700), ==, 0);
  check_cannot_open (zarr, FILE_ERROR_OPEN, "is a folder without images");
  g_assert_true (g_file_set_contents (image, "x", -1, NULL));
  check_cannot_open (zarr, FILE_ERROR_OPEN, "Name a file, such as 'cells.png'");
  g_assert_cmpint (g_remove (image), ==, 0);
  g_assert_true (g_file_set_contents (mark, "{}", -1, NULL));
  check_cannot_open (zarr, FILE_ERROR_UNSUPPORTED, "Zarr");
  g_assert_cmpint (g_remove (mark), ==, 0);
  sweep ();
}

/* ---- Hashes ---- */

/* By the library at one go, in its canonical order of bytes. */
static char *
hash_of_contents (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize size;
  XXH128_canonical_t canonical;
  GString *text = g_string_new (NULL);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  XXH128_canonicalFromHash (&canonical, XXH3_128bits (bytes, size));
  for (guint i = 0; i < sizeof canonical.digest; i++)
    g_string_append_printf (text, "%02x", canonical.digest[i]);
  return g_string_free (text, FALSE);
}

/* The hash does not depend on what was read of the file, or how often. Files that cannot be read have a hash, too. */
static void
check_hash (const char *path, gboolean begin, gboolean read)
{
  g_autofree char *expected = hash_of_contents (path);
  char text[FILE_HASH_TEXT];
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = files_images_new (path, NULL);
  if (!images)
    return;
  if (begin)
    files_images_begin_hash (images);
  for (guint i = 0; read && i < files_images_count (images); i++) {
    g_autoptr (Image) image = files_images_open (images, i, NULL);
    if (image)
      image_on_host (image, NULL, NULL);
  }
  for (int i = 0; i < 2; i++) {
    g_assert_true (files_images_hash (images, text, &error));
    g_assert_no_error (error);
    g_assert_cmpstr (text, ==, expected);
  }
}

static void
check_hashes_in (const char *name)
{
  g_autofree char *path = source_path (name);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  for (const char *file; (file = g_dir_read_name (dir));) {
    g_autofree char *each = g_build_filename (path, file, NULL);
    check_hash (each, FALSE, FALSE);
    check_hash (each, TRUE, FALSE);
    check_hash (each, TRUE, TRUE);
  }
}

static void
test_hashes (void)
{
  check_hashes_in ("tests/core/files/data");
  check_hashes_in ("tests/core/files/pictures");
}

/* Bytes that this process has read; 0 where the system does not count. */
static guint64
bytes_read (void)
{
  g_autofree char *text = NULL;
  return g_file_get_contents ("/proc/self/io", &text, NULL, NULL)
           ? g_ascii_strtoull (text + strlen ("rchar: "), NULL, 10)
           : 0;
}

/* What was decoded is not read again for the hash. */
static void
test_hash_once (void)
{
  g_autofree char *path = scratch ("large.tif"), *expected = NULL;
  g_autoptr (Image) made = image_random (FV_U16, FV_IMAGE, 1, 1, 2048, 2048, 1);
  g_autoptr (FilesImages) images = NULL;
  char text[FILE_HASH_TEXT];
  GStatBuf about;
  guint64 before;
  g_assert_true (files_save (made, path, NULL));
  expected = hash_of_contents (path);
  g_assert_cmpint (g_stat (path, &about), ==, 0);
  before = bytes_read ();
  parallel_limit (1);
  images = files_images_new (path, NULL);
  files_images_begin_hash (images);
  g_autoptr (Image) image = files_images_open (images, 0, NULL);
  g_assert_nonnull (image_on_host (image, NULL, NULL));
  g_assert_true (files_images_hash (images, text, NULL));
  parallel_limit (0);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (bytes_read () - before, <, (guint64) about.st_size + about.st_size / 16);
  sweep ();
}

/* ---- The process ---- */

/* A program without standard input gets 0 for the first file that it opens. */
static void
test_no_standard_input (void)
{
  g_autofree char *path = picture ("gray8.png");
  int kept = dup (STDIN_FILENO);
  close (STDIN_FILENO);
  g_autoptr (Image) image = open_file (path);
  dup2 (kept, STDIN_FILENO);
  close (kept);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    g_autofree char *path = g_strdup_printf ("/files/open/%s", pictures[i].name);
    g_test_add_data_func (path, &pictures[i], test_picture);
  }
  g_test_add_func ("/files/frames/all", test_frames);
  g_test_add_func ("/files/frames/claims", test_frames_claim_too_much);
  g_test_add_func ("/files/png/ranges", test_png_ranges);
  g_test_add_func ("/files/png/pixel-size", test_png_pixel_size);
  g_test_add_func ("/files/jpeg2000/pixel-size", test_jpeg2000_pixel_size);
  g_test_add_func ("/files/jpeg2000/ranges", test_jpeg2000_ranges);
  g_test_add_func ("/files/jpeg2000/levels", test_jpeg2000_levels);
  g_test_add_func ("/files/jpeg2000/left-out", test_jpeg2000_left_out);
  g_test_add_func ("/files/gif/holes", test_gif_holes);
  g_test_add_func ("/files/damaged", test_damaged);
  g_test_add_func ("/files/damaged-jpeg", test_damaged_jpeg);
  g_test_add_func ("/files/mutilated", test_mutilated);
  g_test_add_func ("/files/recognition", test_recognition);
  g_test_add_func ("/files/strangers/heads", test_strangers);
  g_test_add_func ("/files/loaders", test_loaders);
  g_test_add_func ("/files/strangers/disguise", test_strangers_in_disguise);
  g_test_add_func ("/files/hashes", test_hashes);
  g_test_add_func ("/files/hash-once", test_hash_once);
  g_test_add_func ("/files/no-standard-input", test_no_standard_input);
  return run_files_tests ();
}
