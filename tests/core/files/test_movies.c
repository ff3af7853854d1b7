/* SPDX-License-Identifier: MIT
 *
 * AVI files of tests/core/files/movies, which make_movies.py and ImageJ wrote, and movies that are written and read again. check_movies.py shows these to
 * other programs.
 */
#include "core/data/pixel_type.h"
#include "core/files/movies/avi_write.h"
#include "core/files/pictures/palette.h"
#include "tests/core/files/files_support.h"

#include <math.h>

static char *
movie (const char *name)
{
  g_autofree char *path = g_strdup_printf ("tests/core/files/movies/%s", name);
  return source_path (path);
}

/* ---- Reading AVI ---- */

typedef struct {
  const char *name;
  double interval;
  const char *left_out;
  double tolerance; /* of JPEG, between decoders */
} Case;

static const Case cases[] = {
  {"gray.avi", 0.2, NULL, 0},
  {"gray_absolute.avi", 0.2, NULL, 0},
  {"gray_no_index.avi", 0.2, NULL, 0},
  {"gray_records.avi", 0.2, NULL, 0},
  {"gray_records_index.avi", 0.2, NULL, 0},
  {"gray_down.avi", 0.2, NULL, 0},
  {"gray_no_palette.avi", 0.2, NULL, 0},
  {"y800.avi", 0.2, NULL, 0},
  {"dense.avi", 0.2, NULL, 0},
  {"rgb.avi", 1001 / 30000.0, NULL, 0},
  {"rgb32.avi", 0.2, NULL, 0},
  {"open_dml.avi", 0.2, NULL, 0},
  {"inverted.avi", 0.2, NULL, 0},
  {"palette.avi", 0.2, NULL, 0},
  {"repeated.avi", 0.2, NULL, 0},
  {"wrong_index.avi", 0.2, NULL, 0},
  {"sound.avi", 0.2, "1 other stream, such as sound", 0},
  {"cut.avi", 0.2, "1 of its 4 frames, which are missing or cut off", 0},
  {"unfinished.avi", 0.2, NULL, 0},
  {"jpeg_gray.avi", 0.2, NULL, 1},
  {"jpeg_rgb.avi", 0.2, NULL, 1},
  {"jpeg_no_tables.avi", 0.2, NULL, 1},
  {"png_gray.avi", 0.2, NULL, 0},
  {"png_rgb.avi", 0.2, NULL, 0},
  {"imagej_gray_none.avi", 0.25, NULL, 0},
  {"imagej_rgb_none.avi", 0.25, NULL, 0},
  {"imagej_gray_jpeg.avi", 0.25, NULL, 1},
  {"imagej_rgb_jpeg.avi", 0.25, NULL, 1},
  {"imagej_gray_png.avi", 0.25, NULL, 0},
  {"imagej_rgb_png.avi", 0.25, NULL, 0},
};

static void
check_close (Image *image, Image *expected, double tolerance)
{
  const ImageInfo *a = image_info (image), *b = image_info (expected);
  g_assert_cmpint (a->frames, ==, b->frames);
  g_assert_cmpint (a->channels, ==, b->channels);
  g_assert_cmpint (a->rows, ==, b->rows);
  g_assert_cmpint (a->columns, ==, b->columns);
  for (gint64 plane = 0; plane < image_info_planes (a); plane++)
    for (gint64 y = 0; y < a->rows; y++)
      for (gint64 x = 0; x < a->columns; x++)
        g_assert_cmpfloat_with_epsilon (image_value (image, plane, y, x), image_value (expected, plane, y, x),
                                        tolerance + 0.5);
}

static Image *
expected_of (const char *name)
{
  g_autofree char *array = g_strdelimit (g_strdup (name), ".", '_'), *file = g_strconcat (array, ".npy", NULL),
                  *path = movie (file);
  Npy npy;
  npy_load (&npy, path);
  Image *expected = image_from_npy (&npy, FV_IMAGE);
  npy_clear (&npy);
  return expected;
}

/* Regions are the same as in whole planes, also as the first that is read. */
static void
check_region (Image *fresh, Image *whole)
{
  const ImageRegion region = {2, 3, 4, 5};
  const gint64 last = image_info_planes (image_info (whole)) - 1, columns = image_info (whole)->columns;
  guint8 part[4 * 8];
  g_assert_true (image_read (fresh, 0, last, &region, part, 8, NULL));
  const guint8 *pixels = image_plane (whole, last, NULL);
  for (gint64 y = 0; y < 4; y++)
    g_assert_cmpmem (part + 8 * y, 5, pixels + (2 + y) * columns + 3, 5);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *path = movie (c->name);
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  g_assert_no_error (error);
  g_autoptr (Image) image = files_images_open (images, 0, &error), again = files_images_open (images, 0, NULL),
                    expected = expected_of (c->name);
  g_assert_no_error (error);
  const ImageInfo *info = image_info (image);
  g_assert_cmpstr (files_images_left_out (images), ==, c->left_out);
  g_assert_cmpint (info->type, ==, FV_U8);
  g_assert_cmpint (info->role, ==, info->channels == 3 ? FV_RGB : FV_IMAGE);
  g_assert_cmpfloat (info->frame_interval, ==, c->interval);
  g_assert_cmpstr (info->frame_unit, ==, "s");
  g_assert_cmpstr (info->name, ==, c->name);
  check_close (image, expected, c->tolerance);
  check_region (again, image);
  ImageInfo described;
  const char *depends;
  g_assert_true (files_images_describe (images, 0, &described, &depends, &error));
  g_assert_null (depends);
  g_assert_cmpint (described.frames, ==, info->frames);
  g_assert_cmpint (described.channels, ==, info->channels);
  g_assert_cmpfloat (described.frame_interval, ==, info->frame_interval);
  image_info_clear (&described);
}

/* Opens and reads all; the error, or NULL. */
static GError *
fault_of (const char *path)
{
  GError *error = NULL;
  g_autoptr (Image) image = files_open (path, 0, &error);
  for (gint64 i = 0; image && !error && i < image_info_planes (image_info (image)); i++)
    image_plane (image, i, &error);
  return error;
}

static void
test_damaged (void)
{
  static const struct {
    const char *name;
    int code;
    const char *text;
  } damaged[] = {
    {"no_frames.avi", FILE_ERROR_DAMAGED, "it has none of its 4 frames"},
    {"headers_only.avi", FILE_ERROR_DAMAGED, "it has none of its 4 frames"},
    {"no_header.avi", FILE_ERROR_DAMAGED, "it does not say what is in it"},
    {"no_video.avi", FILE_ERROR_UNSUPPORTED, "has no video"},
    {"short.avi", FILE_ERROR_DAMAGED, "frame 2 of it has 124 bytes, fewer than its 13×9 pixels need"},
    {"palette_change.avi", FILE_ERROR_UNSUPPORTED, "changes its palette"},
    {"jpeg_cut.avi", FILE_ERROR_DAMAGED, "frame 2 of it is a JPEG picture that cannot be decoded"},
    {"jpeg_other.avi", FILE_ERROR_DAMAGED, "frame 2 of it has another size"},
    {"png_cut.avi", FILE_ERROR_DAMAGED, "frame 2 of it is a PNG picture that cannot be decoded"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++) {
    g_autofree char *path = movie (damaged[i].name);
    check_error (fault_of (path), damaged[i].code, path, damaged[i].text);
  }
  g_autofree char *huge = movie ("huge.avi");
  g_autoptr (GError) error = fault_of (huge);
  g_assert_nonnull (strstr (error->message, "impossible size"));
}

/* A file that lacks its end has fewer frames or is refused; one with a wrong byte opens or is refused. */
static void
test_mutilated (void)
{
  static const char *const names[] = {"gray.avi", "open_dml.avi", "palette.avi", "jpeg_rgb.avi", "png_gray.avi"};
  g_autofree char *path = scratch ("mutilated");
  for (guint n = 0; n < G_N_ELEMENTS (names); n++) {
    g_autofree char *from = movie (names[n]), *bytes = NULL;
    gsize size;
    g_assert_true (g_file_get_contents (from, &bytes, &size, NULL));
    for (gsize i = 0; i < 2 * size; i += 1 + size / 40) {
      const gsize at = i % size;
      if (i >= size)
        bytes[at] ^= (char) 0xff;
      g_assert_true (g_file_set_contents (path, bytes, (gssize) (i < size ? MAX (i, 1) : size), NULL));
      if (i >= size)
        bytes[at] ^= (char) 0xff;
      g_autoptr (GError) error = fault_of (path);
      g_assert_true (i > 12 || error);
    }
  }
  sweep ();
}

/* ---- Writing ---- */

/* An image of such frames, with an interval. */
static Image *
series_of (fv_type type, fv_role role, gint64 frames, gint64 rows, gint64 columns, double interval, const char *unit)
{
  const gint64 channels = role == FV_RGB ? 3 : 1;
  g_autoptr (Image) noise = image_random (type, role, channels, frames, rows, columns, 3);
  ImageInfo info = *image_info (noise);
  info.frames = frames;
  info.depth = 1;
  info.frame_interval = interval;
  info.frame_unit = (char *) unit;
  g_autoptr (Image) series = image_new (&info, NULL);
  const gsize plane = image_info_plane_bytes (&info);
  for (gint64 t = 0; t < frames; t++)
    for (gint64 c = 0; c < channels; c++)
      memcpy ((guint8 *) image_pixels (series) + (gsize) (t * channels + c) * plane,
              image_plane (noise, c * frames + t, NULL), plane);
  return g_steal_pointer (&series);
}

/* Colors that are a function of one of 200 values. */
static Image *
few_colors (gint64 frames)
{
  Image *series = series_of (FV_U8, FV_RGB, frames, 30, 41, 100, "ms");
  guint8 *pixels = image_pixels (series);
  const gsize plane = 30 * 41;
  for (gsize i = 0; i < (gsize) frames * plane; i++) {
    guint8 *red = pixels + i / plane * 3 * plane + i % plane;
    *red %= 200;
    red[plane] = (guint8) (255 - *red);
    red[2 * plane] = (guint8) (7 * *red);
  }
  return series;
}

static Image *
round_trip (Image *image, const char *name, const char *options)
{
  g_autofree char *path = scratch (name);
  g_autoptr (GError) error = NULL;
  files_save_as (image, path, options, &error);
  g_assert_no_error (error);
  Image *back = open_file (path);
  for (gint64 i = 0; i < image_info_planes (image_info (back)); i++)
    g_assert_nonnull (image_plane (back, i, NULL));
  g_assert_cmpuint (sweep (), ==, 1);
  return back;
}

static void
check_exact (Image *image, const char *name, const char *options, double interval)
{
  g_autoptr (Image) back = round_trip (image, name, options);
  g_assert_cmpint (image_info (back)->type, ==, image_info (image)->type);
  g_assert_cmpfloat_with_epsilon (image_info (back)->frame_interval, interval, 1e-12 * interval);
  check_close (back, image, 0);
}

static void
test_exact (void)
{
  g_autoptr (Image) gray = series_of (FV_U8, FV_IMAGE, 5, 11, 17, 0.25, "s"),
                    rgb = series_of (FV_U8, FV_RGB, 4, 10, 13, 2, "min"),
                    deep = series_of (FV_U16, FV_IMAGE, 3, 12, 9, 1 / 30.0, "s"), few = few_colors (6),
                    mask = series_of (FV_U8, FV_MASK, 3, 8, 8, 0, "");
  check_exact (gray, "a.avi", NULL, 0.25);
  check_exact (gray, "a.avi", "compression=png rate=7.5", 1 / 7.5);
  check_exact (gray, "a.apng", NULL, 0.25);
  check_exact (gray, "a.gif", "rate=20", 0.05);
  check_exact (rgb, "a.avi", NULL, 120);
  check_exact (rgb, "a.avi", "compression=png", 120);
  check_exact (rgb, "a.apng", NULL, 120);
  check_exact (deep, "a.apng", NULL, 1 / 30.0);
  check_exact (few, "a.gif", NULL, 0.1);
  check_exact (mask, "a.gif", NULL, 0.1);
  check_exact (mask, "a.avi", NULL, 0.1);
}

/* One frame, one pixel, more bytes than a GIF's table of strings. */
static void
test_sizes (void)
{
  static const gint64 sizes[][2] = {{1, 1}, {1, 5000}, {3000, 1}, {257, 255}};
  static const char *const names[] = {"a.avi", "a.gif", "a.apng"};
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint n = 0; n < G_N_ELEMENTS (names); n++) {
      g_autoptr (Image) one = series_of (FV_U8, FV_IMAGE, 1, sizes[i][0], sizes[i][1], 0, "");
      g_autoptr (Image) back = round_trip (one, names[n], NULL);
      check_close (back, one, 0);
    }
  g_autoptr (Image) slices = image_random (FV_U8, FV_IMAGE, 1, 3, 5, 6, 1), back = round_trip (slices, "a.avi", NULL);
  g_assert_cmpint (image_info (back)->frames, ==, 3);
  g_assert_cmpmem (image_plane (back, 2, NULL), 30, image_plane (slices, 2, NULL), 30);
}

/* Trees of few frames, as those of files above 1 GiB. */
static void
test_trees (void)
{
  g_autoptr (Image) rgb = series_of (FV_U8, FV_RGB, 23, 10, 13, 0.5, "s");
  for (gint32 compression = FILES_MOVIE_PLAIN; compression <= FILES_MOVIE_PNG; compression += 2)
    for (guint64 bytes = 1; bytes < 20000; bytes = 5 * bytes + 3) {
      const FilesMovieChoices choices = {0, compression};
      g_autofree char *path = scratch ("trees.avi");
      g_autoptr (GError) error = NULL;
      files_avi_save_in_trees (rgb, path, &choices, bytes, &error);
      g_assert_no_error (error);
      g_autoptr (Image) back = open_file (path);
      check_close (back, rgb, 0);
      sweep ();
    }
}

/* Not exact, but close: JPEG of a smooth picture, and 256 colors of many. */
static void
test_close (void)
{
  g_autoptr (Image) rgb = series_of (FV_U8, FV_RGB, 3, 64, 80, 0.1, "s");
  guint8 *pixels = image_pixels (rgb);
  for (gint64 plane = 0; plane < 9; plane++)
    for (gint64 y = 0; y < 64; y++)
      for (gint64 x = 0; x < 80; x++)
        *pixels++ =
          (guint8) (128 + 100 * sin ((double) y / 9 + (double) (plane % 3)) * cos ((double) (x + plane) / 13));
  g_autoptr (Image) jpeg = round_trip (rgb, "a.avi", "compression=jpeg"), gif = round_trip (rgb, "a.gif", NULL);
  double jpeg_sum = 0, gif_sum = 0;
  for (gint64 plane = 0; plane < 9; plane++)
    for (gint64 y = 0; y < 64; y++)
      for (gint64 x = 0; x < 80; x++) {
        const double value = image_value (rgb, plane, y, x), a = image_value (jpeg, plane, y, x) - value,
                     b = image_value (gif, plane, y, x) - value;
        jpeg_sum += a * a;
        gif_sum += b * b;
      }
  const double n = 9 * 64 * 80;
  g_assert_cmpfloat (sqrt (jpeg_sum / n), <, 3);
  g_assert_cmpfloat (sqrt (gif_sum / n), <, 4);
  g_assert_cmpfloat (gif_sum, >, 0);
}

/* The same pixels in another order have the same palette, and no color of 256 is replaced. */
static void
test_palette (void)
{
  enum { N = 5000 };
  g_autofree guint8 *pixels = g_malloc (3 * N), *turned = g_malloc (3 * N);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (guint i = 0; i < 3 * N; i++)
    pixels[i] = (guint8) g_rand_int_range (rand, 0, 256);
  for (guint i = 0; i < N; i++)
    memcpy (turned + 3 * i, pixels + 3 * (N - 1 - i), 3);
  g_autoptr (FilesPalette) a = files_palette_new (), b = files_palette_new (), few = files_palette_new ();
  files_palette_add (a, pixels, N);
  files_palette_add (b, turned, N);
  guint n, m;
  const guint8 *colors = files_palette_colors (a, &n), *others = files_palette_colors (b, &m);
  g_assert_cmpmem (colors, 3 * n, others, 3 * m);
  g_assert_cmpuint (n, ==, 256);
  files_palette_add (few, pixels, 256);
  colors = files_palette_colors (few, &n);
  guint8 index[256];
  files_palette_index (few, pixels, 256, index);
  for (guint i = 0; i < 256; i++)
    g_assert_cmpmem (colors + 3 * index[i], 3, pixels + 3 * i, 3);
}

static void
check_cannot_save (Image *image, const char *name, const char *options, const char *text)
{
  g_autofree char *path = scratch (name);
  GError *error = NULL;
  g_assert_false (files_save_as (image, path, options, &error));
  check_error (error, FILE_ERROR_WRITE, path, text);
  g_assert_cmpuint (sweep (), ==, 0);
}

static void
test_cannot_save (void)
{
  g_autoptr (Image)
    deep = series_of (FV_U16, FV_IMAGE, 2, 5, 5, 1, "s"),
    slow = series_of (FV_U8, FV_IMAGE, 2, 5, 5, 1200, "s"), mask = series_of (FV_U8, FV_MASK, 2, 5, 5, 1, "s"),
    floats = series_of (FV_F32, FV_IMAGE, 2, 5, 5, 1, "s"), channels = image_random (FV_U8, FV_IMAGE, 2, 1, 5, 5, 1);
  ImageInfo info = *image_info (slow);
  info.frames = info.depth = 2;
  g_autoptr (Image) both = image_new (&info, NULL);
  memset (image_pixels (both), 0, image_bytes (both));
  check_cannot_save (deep, "a.avi", NULL, "AVI holds numbers from 0 to 255 and");
  check_cannot_save (deep, "a.gif", NULL, "convert it to 8-bit first");
  check_cannot_save (deep, "a.mp4", NULL, "Video holds numbers from 0 to 255 and");
  check_cannot_save (floats, "a.apng", NULL, "APNG holds integers from 0 to 65535");
  check_cannot_save (slow, "a.gif", NULL, "GIF shows a frame for 0.01 to 655.35 s, and those of");
  check_cannot_save (mask, "a.avi", "compression=jpeg", "is a mask");
  check_cannot_save (mask, "a.mp4", NULL, "is a mask");
  check_cannot_save (channels, "a.avi", NULL, "has 2 channels; make them RGB");
  check_cannot_save (both, "a.avi", NULL, "has 2 slices in each of 2 frames");
  check_cannot_save (deep, "a.png", "rate=5", "rate can be chosen for .apng, .gif, .avi, .mp4 only");
}

/* ---- Videos without the program ---- */

static void
test_no_program (void)
{
  g_autofree char *before = g_strdup (g_getenv ("PATH")), *foreign = movie ("foreign.avi");
  g_autoptr (Image) gray = series_of (FV_U8, FV_IMAGE, 2, 6, 8, 1, "s");
  g_setenv ("PATH", "/nowhere", TRUE);
  check_error (fault_of (foreign), FILE_ERROR_UNSUPPORTED, foreign, "need the program ffprobe (package ffmpeg)");
  g_autofree char *path = scratch ("a.mp4");
  GError *error = NULL;
  g_assert_false (files_save (gray, path, &error));
  check_error (error, FILE_ERROR_UNSUPPORTED, path, "need the program ffmpeg (package ffmpeg)");
  g_assert_cmpuint (sweep (), ==, 0);
  g_setenv ("PATH", before, TRUE);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strdup_printf ("/movies/read/%s", cases[i].name);
    g_test_add_data_func (path, &cases[i], test_case);
  }
  g_test_add_func ("/movies/damaged", test_damaged);
  g_test_add_func ("/movies/mutilated", test_mutilated);
  g_test_add_func ("/movies/write/exact", test_exact);
  g_test_add_func ("/movies/write/sizes", test_sizes);
  g_test_add_func ("/movies/write/trees", test_trees);
  g_test_add_func ("/movies/write/close", test_close);
  g_test_add_func ("/movies/write/palette", test_palette);
  g_test_add_func ("/movies/write/refused", test_cannot_save);
  g_test_add_func ("/movies/no-program", test_no_program);
  return run_files_tests ();
}
