/* SPDX-License-Identifier: MIT
 *
 * The writers and the sample images. TIFF files that are written here are read with libtiff alone, and then
 * with our reader.
 */
#include "core/base/file_error.h"
#include "core/data/pixel_type.h"
#include "tests/core/files/files_support.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <tiffio.h>

static void
save_file (Image *image, const char *path)
{
  g_autoptr (GError) error = NULL;
  files_save (image, path, &error);
  g_assert_no_error (error);
}

static Image *
calibrated (Image *image, double y, double x, const char *unit)
{
  ImageInfo info;
  Image *result;
  image_info_copy (&info, image_info (image));
  info.spacing[1] = y;
  info.spacing[2] = x;
  for (int i = 0; i < 3; i++) {
    g_free (info.units[i]);
    info.units[i] = g_strdup (unit);
  }
  result = image_with_info (image, &info);
  image_info_clear (&info);
  return result;
}

static void
check_png_round_trip (Image *image)
{
  g_autofree char *path = scratch ("out.png");
  g_autoptr (Image) back = NULL;
  save_file (image, path);
  back = open_file (path);
  g_assert_cmpint (image_info (back)->channels, ==, image_info (image)->channels);
  assert_images_equal (image, back);
  g_assert_cmpuint (sweep (), ==, 1);
}

static void
test_save_png (void)
{
  g_autoptr (Image) u8 = image_random (FV_U8, FV_IMAGE, 1, 1, 11, 17, 1),
                    u16 = image_random (FV_U16, FV_IMAGE, 1, 1, 11, 17, 2);
  g_autoptr (Image) rgb = image_random (FV_U8, FV_RGB, 3, 1, 11, 17, 3),
                    mask = image_random (FV_U8, FV_MASK, 1, 1, 11, 17, 4);
  g_autoptr (Image) labels = image_of (FV_I32, FV_LABELS, 1, 3, (const double[]){0, 1, 65535});
  g_autoptr (Image) scaled = calibrated (u8, 0.000325, 0.0002, "mm"), back = NULL, back_labels = NULL;
  g_autofree char *path = scratch ("out.PNG");
  check_png_round_trip (u8);
  check_png_round_trip (u16);
  check_png_round_trip (rgb);
  check_png_round_trip (mask);
  save_file (scaled, path);
  back = open_file (path);
  g_assert_cmpfloat (image_info (back)->spacing[1], ==, 0.325);
  g_assert_cmpfloat (image_info (back)->spacing[2], ==, 0.2);
  g_assert_cmpstr (image_info (back)->units[1], ==, "µm");
  save_file (labels, path);
  back_labels = open_file (path);
  g_assert_cmpint (image_info (back_labels)->type, ==, FV_U16);
  g_assert_cmpfloat (image_value (back_labels, 0, 0, 1), ==, 1);
  g_assert_cmpfloat (image_value (back_labels, 0, 0, 2), ==, 65535);
  g_assert_cmpuint (sweep (), ==, 1);
}

static void
test_save_jpeg (void)
{
  g_autofree char *path = scratch ("out.jpg"), *from = picture ("rgb.ppm"), *from_gray = picture ("gray.pgm");
  g_autoptr (Image) rgb = open_file (from), gray = open_file (from_gray);
  Image *const images[] = {gray, rgb};
  for (int i = 0; i < 2; i++) {
    g_autoptr (Image) back = NULL;
    save_file (images[i], path);
    back = open_file (path);
    g_assert_cmpint (image_info (back)->channels, ==, image_info (images[i])->channels);
    g_assert_cmpint (image_info (back)->rows, ==, image_info (images[i])->rows);
    for (gint64 c = 0; c < image_info (back)->channels; c++)
      for (int y = 2; y < 24; y += 5)
        g_assert_cmpfloat_with_epsilon (image_value (back, c, y, 2 * y), image_value (images[i], c, y, 2 * y),
                                        i ? 25 : 6);
  }
  g_assert_cmpuint (sweep (), ==, 1);
}

/* says: in the error; NULL: they are options of the name's format. */
static void
check_options (const char *path, const char *options, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (files_can_save (path, options, &error), ==, !says);
  g_assert_true (says ? error && strstr (error->message, says) != NULL : !error);
}

static void
check_cannot_save (Image *image, const char *name, const char *text)
{
  g_autofree char *path = scratch (name);
  GError *error = NULL;
  g_assert_false (files_save (image, path, &error));
  check_error (error, FILE_ERROR_WRITE, path, text);
  g_assert_cmpuint (sweep (), ==, 0);
}

/* The pixel size is in the file where it says something: a unit, or a size that is not 1. */
static void
test_resolution (void)
{
  static const struct {
    double y, x;
    const char *y_unit, *x_unit;
    gboolean there;
  } sizes[] = {{1, 1, "", "", FALSE}, {2, 1, "", "", TRUE},   {1, 2, "", "", TRUE},
               {2, 2, "", "", TRUE},  {1, 1, "µm", "", TRUE}, {1, 1, "", "µm", TRUE}};
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 3, 3, 5);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    ImageInfo info = *image_info (image);
    info.spacing[1] = sizes[i].y;
    info.spacing[2] = sizes[i].x;
    info.units[1] = (char *) sizes[i].y_unit;
    info.units[2] = (char *) sizes[i].x_unit;
    g_autoptr (Image) sized = image_with_info (image, &info);
    g_autofree char *path = scratch ("a.tif");
    float y = 0, x = 0;
    save_file (sized, path);
    TIFF *tiff = TIFFOpen (path, "r");
    g_assert_cmpint (TIFFGetField (tiff, TIFFTAG_YRESOLUTION, &y), ==, sizes[i].there);
    g_assert_cmpint (TIFFGetField (tiff, TIFFTAG_XRESOLUTION, &x), ==, sizes[i].there);
    g_assert_cmpfloat (y, ==, (float) (sizes[i].there ? 1 / sizes[i].y : 0));
    g_assert_cmpfloat (x, ==, (float) (sizes[i].there ? 1 / sizes[i].x : 0));
    TIFFClose (tiff);
    g_assert_cmpuint (sweep (), ==, 1);
  }
}

static void
test_cannot_save (void)
{
  g_autoptr (Image) stack = image_random (FV_U8, FV_IMAGE, 1, 2, 3, 3, 1),
                    f32 = image_random (FV_F32, FV_IMAGE, 1, 1, 3, 3, 2);
  g_autoptr (Image) mask = image_random (FV_U8, FV_MASK, 1, 1, 3, 3, 3),
                    u8 = image_random (FV_U8, FV_IMAGE, 1, 1, 3, 3, 4);
  g_autoptr (Image) many = image_of (FV_I32, FV_LABELS, 1, 2, (const double[]){0, 65536});
  g_autoptr (Image) negative = image_of (FV_I32, FV_IMAGE, 1, 2, (const double[]){0, -1});
  g_autoptr (Image) tiny = calibrated (u8, 1e-10, 1e-10, "km"), endless = calibrated (u8, 1, INFINITY, "km");
  check_cannot_save (stack, "a.png", "PNG holds one plane");
  check_cannot_save (f32, "a.png", "save it as .tif, or convert it to 8-bit or 16-bit");
  check_cannot_save (many, "a.png", "has 65536; save it as .tif");
  check_cannot_save (negative, "a.png", "has -1; save it as .tif");
  check_cannot_save (stack, "a.jpg", "JPEG holds one plane");
  check_cannot_save (f32, "a.jpeg", "is 32-bit float");
  check_cannot_save (mask, "a.jpg", "is a mask");
  check_cannot_save (u8, "a.xyz", "does not end in .tif, .fits, .png, .apng, .jpg, .gif, .avi, .mp4, .zarr or .txt");
  check_cannot_save (u8, "a", "does not end in .tif, .fits, .png, .apng, .jpg, .gif, .avi, .mp4, .zarr or .txt");
  check_options ("a.tif", "compression=zstd tile=32  pyramid=yes", NULL);
  check_options ("a.tif", "tile=17", "multiple of 16");
  check_options ("a.tif", "tile=-16", "from 0 to 8192");
  check_options ("a.tif", "tile=8208", "from 0 to 8192");
  check_options ("a.tif", "compression=lzw", "none, deflate, zstd");
  check_options ("a.tif", "pyramid", "yes or no");
  check_options ("a.tif", "blocks=5", "no format has an option 'blocks'");
  check_options ("a.png", "tile=16", "tile can be chosen for .tif, .zarr only");
  check_options ("a.png", "", NULL);
  check_cannot_save (tiny, "a.tif", "pixel size of 1e-10 km");
  check_cannot_save (endless, "a.tif", "pixel size of inf km");
  check_cannot_save (endless, "a.fits", "pixel size of inf km");
  check_cannot_save (u8, "none/a.fits", "does not exist");
  check_cannot_save (u8, "none/a.tif", "does not exist");
  check_cannot_save (u8, "none/a.png", "does not exist");
}

/* Files of 64-bit integers are written as such again, unless there is a value, in the first or the last chunk, that they do not
 * hold. */
static void
test_cannot_save_exactly (void)
{
  static const struct {
    const char *type;
    double value;
  } cases[] = {
    {"int64", 0.5}, {"int64", 0x1p63},  {"int64", -0x1p63 * 1.5}, {"int64", NAN},
    {"uint64", -1}, {"uint64", 0x1p64}, {"uint64", INFINITY},
  };
  static const char *const choices[] = {NULL, "compression=deflate", "tile=256"};
  enum { ROWS = 700, COLUMNS = 500 };
  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
    g_autofree double *values = g_new0 (double, ROWS *COLUMNS);
    g_autofree char *path = scratch ("a.tif"), *says = NULL;
    g_autoptr (Image) plain = NULL, image = NULL;
    values[i % 2 ? ROWS * COLUMNS - 1 : 0] = cases[i / 2].value;
    plain = image_of (FV_F64, FV_IMAGE, ROWS, COLUMNS, values);
    ImageInfo info = *image_info (plain);
    info.source_type = (char *) cases[i / 2].type;
    image = image_with_info (plain, &info);
    says = g_strdup_printf ("has values that %s does not hold", cases[i / 2].type);
    for (guint k = 0; k < G_N_ELEMENTS (choices); k++) {
      GError *error = NULL;
      g_assert_false (files_save_as (image, path, choices[k], &error));
      check_error (error, FILE_ERROR_WRITE, path, says);
      g_assert_cmpuint (sweep (), ==, 0);
    }
  }
}

/* Reads one sample of a written file with libtiff. */
static void
check_tiff_pixels (const char *path, Image *image, gboolean rgb)
{
  const ImageInfo *info = image_info (image);
  TIFF *tiff = TIFFOpen (path, "r");
  gsize bytes = image_info_plane_bytes (info) * (rgb ? 3 : 1),
        size = image_info_plane_bytes (info) / (gsize) (info->rows * info->columns);
  g_autofree guint8 *page = g_malloc (bytes);
  gint64 step = rgb ? 3 : 1;
  g_assert_nonnull (tiff);
  for (gint64 i = 0; i < image_info_planes (info) / step; i++) {
    gint64 c = rgb ? 0 : i % info->channels, z = i / (info->channels / step) % info->depth;
    gint64 t = i / (info->channels / step) / info->depth;
    g_assert_cmpint (TIFFSetDirectory (tiff, (tdir_t) i), ==, 1);
    g_assert_cmpint (TIFFReadEncodedStrip (tiff, 0, page, -1), ==, (tmsize_t) bytes);
    for (gint64 s = 0; s < step; s++) {
      const guint8 *plane = image_plane (image, (t * info->channels + c + s) * info->depth + z, NULL);
      for (gint64 p = 0; p < info->rows * info->columns; p++)
        g_assert_cmpmem (page + (gsize) (p * step + s) * size, size, plane + (gsize) p * size, size);
    }
  }
  g_assert_cmpint (TIFFReadDirectory (tiff), ==, 0);
  TIFFClose (tiff);
}

static void
check_same_info (const ImageInfo *a, const ImageInfo *b)
{
  g_assert_cmpint (a->role, ==, b->role);
  g_assert_cmpint (a->frames, ==, b->frames);
  g_assert_cmpint (a->channels, ==, b->channels);
  g_assert_cmpint (a->depth, ==, b->depth);
  g_assert_cmpfloat (a->frame_interval, ==, b->frame_interval);
  for (int i = a->depth > 1 ? 0 : 1; i < 3; i++) {
    g_assert_cmpfloat_with_epsilon (a->spacing[i], b->spacing[i], 1e-12);
    g_assert_cmpstr (a->units[i], ==, b->units[i]);
  }
  g_assert_cmpint (a->inverted, ==, b->inverted);
  if (a->channels == 1 || a->role == FV_RGB)
    return;
  for (gint64 c = 0; c < a->channels; c++) {
    g_assert_cmpstr (a->channel_names[c], ==, b->channel_names[c]);
    g_assert_cmpuint (a->channel_colors[c], ==, b->channel_colors[c]);
    g_assert_cmpfloat (a->display_ranges[2 * c + 1], ==, b->display_ranges[2 * c + 1]);
  }
}

/* Which axes have a known size is kept, whichever these are. */
static void
test_unknown_axes (void)
{
  static const char *const units[] = {"", "mm", "µm"};
  g_autoptr (Image) stack = image_random (FV_U8, FV_IMAGE, 1, 2, 3, 3, 6);
  for (guint i = 0; i < 27; i++) {
    ImageInfo info = *image_info (stack);
    for (guint axis = 0, rest = i; axis < 3; axis++, rest /= 3) {
      info.units[axis] = (char *) units[rest % 3];
      info.spacing[axis] = *info.units[axis] ? 0.25 + 0.5 * axis : 1;
    }
    g_autoptr (Image) sized = image_with_info (stack, &info);
    g_autofree char *path = scratch ("a.tif");
    save_file (sized, path);
    g_autoptr (Image) back = files_open (path, 0, NULL);
    check_same_info (&info, image_info (back));
    g_assert_cmpuint (sweep (), ==, 1);
  }
}

static void
test_save_tiff (void)
{
  char *names[] = {(char *) "nuclei", (char *) "β-tubulin", NULL};
  guint32 colors[] = {0x0000ff, 0xff8000};
  double ranges[] = {0, 100, 7.5, 4000};
  static const fv_role roles[] = {FV_RGB, FV_MASK, FV_LABELS};
  for (guint i = 0; i < PIXEL_TYPES + G_N_ELEMENTS (roles); i++) {
    gboolean plain = i >= PIXEL_TYPES;
    fv_role role = plain ? roles[i - PIXEL_TYPES] : FV_IMAGE;
    gboolean rgb = role == FV_RGB;
    fv_type type = role == FV_LABELS ? FV_I32 : plain ? FV_U8 : pixel_types[i].type;
    g_autoptr (Image) image = image_random (type, role,
                                            rgb     ? 3
                                            : plain ? 1
                                                    : 2 * 3,
                                            plain ? 4 : 2, 9, 13, i),
                      hyper = NULL, back = NULL;
    g_autofree char *path = scratch (i % 2 ? "out.tif" : "out.TIFF");
    ImageInfo info = *image_info (image);
    if (!plain) { /* the 6 channels as 3 frames of 2 */
      info.channels = 2;
      info.frames = 3;
      info.channel_names = names;
      info.channel_colors = colors;
      info.display_ranges = ranges;
      info.frame_interval = 12.5;
      info.frame_unit = (char *) "s";
    }
    memcpy (info.spacing, (const double[]){0.7, 0.325, 0.1234567}, sizeof info.spacing);
    for (int u = 0; u < 3; u++)
      info.units[u] = (char *) "µm";
    hyper = image_with_info (image, &info);
    save_file (hyper, path);
    check_tiff_pixels (path, hyper, rgb);
    back = open_file (path);
    assert_images_equal (hyper, back);
    check_same_info (&info, image_info (back));
    g_assert_cmpuint (sweep (), ==, 1);
  }
}

/* A disk that is full, as far as a program can tell: files may not grow. */
static void
test_full_disk (void)
{
  static const char *const names[] = {"a.tif", "a.png", "a.jpg"};
  g_autoptr (Image) rgb = image_random (FV_U8, FV_RGB, 3, 1, 300, 300, 1);
  struct rlimit before, small;
  getrlimit (RLIMIT_FSIZE, &before);
  signal (SIGXFSZ, SIG_IGN);
  small = (struct rlimit){20000, before.rlim_max};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = scratch (names[i]);
    g_autofree char *contents = NULL;
    GError *error = NULL;
    g_file_set_contents (path, "old", 3, NULL);
    setrlimit (RLIMIT_FSIZE, &small);
    g_assert_false (files_save (rgb, path, &error));
    setrlimit (RLIMIT_FSIZE, &before);
    check_error (error, FILE_ERROR_WRITE, path, g_strerror (EFBIG));
    g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
    g_assert_cmpstr (contents, ==, "old");
    g_assert_cmpuint (sweep (), ==, 1);
  }
}

/* ---- Samples ---- */

static void
test_samples (void)
{
  static const char *const names[] = {"nuclei_rgb.tif", "cells_2channel.tif", "stack.tif", "points.tif"};
  g_autofree char *program =
    g_build_filename (g_getenv ("FOVEA_BUILD") ? g_getenv ("FOVEA_BUILD") : ".", "data", "make-samples", NULL);
  char *command[] = {program, folder, NULL};
  g_autoptr (GError) error = NULL;
  int status;
  if (!g_file_test (program, G_FILE_TEST_IS_EXECUTABLE)) {
    g_test_skip ("make-samples is not built");
    return;
  }
  g_spawn_sync (NULL, command, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *made = scratch (names[i]), *path = g_strdup_printf ("data/samples/%s", names[i]),
                    *kept = source_path (path);
    g_autoptr (Image) a = open_file (made), b = open_file (kept);
    assert_images_equal (a, b);
    check_same_info (image_info (a), image_info (b));
  }
  g_autofree char *plate = scratch ("plate"), *ct = scratch ("ct");
  g_assert_cmpuint (remove_files (plate), ==, 24);
  g_assert_cmpuint (remove_files (ct), ==, 24);
  g_assert_cmpuint (sweep (), ==, 8); /* with those that are made when the program is built */
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  TIFFSetWarningHandler (NULL);
  g_test_add_func ("/files/save/png", test_save_png);
  g_test_add_func ("/files/save/jpeg", test_save_jpeg);
  g_test_add_func ("/files/save/tiff", test_save_tiff);
  g_test_add_func ("/files/save/resolution", test_resolution);
  g_test_add_func ("/files/save/unknown-axes", test_unknown_axes);
  g_test_add_func ("/files/save/cannot", test_cannot_save);
  g_test_add_func ("/files/save/cannot-exactly", test_cannot_save_exactly);
  g_test_add_func ("/files/save/full-disk", test_full_disk);
  g_test_add_func ("/files/samples", test_samples);
  return run_files_tests ();
}
