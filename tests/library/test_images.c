/* SPDX-License-Identifier: MIT
 *
 * Images as programs use them: of files, as files, and parts of them.
 */
#include "tests/library/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static char *folder;

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* The pixels of two images are the same bytes. */
static void
assert_same (const fovea_image *one, const fovea_image *other, gsize bytes)
{
  DLManagedTensor *a = fovea_image_to_dlpack (one, NULL), *b = fovea_image_to_dlpack (other, NULL);
  g_assert_cmpmem (a->dl_tensor.data, bytes, b->dl_tensor.data, bytes);
  a->deleter (a);
  b->deleter (b);
}

static gsize
size_of (const char *path)
{
  GStatBuf about;
  g_assert_cmpint (g_stat (path, &about), ==, 0);
  return (gsize) about.st_size;
}

/* ---- Files ---- */

/* Saved and opened again it is the same. */
static void
test_saved (void)
{
  g_autofree char *path = path_of ("a.tif");
  fovea_image *image = image_with_square (40), *again;
  fovea_error *error = NULL;
  g_assert_cmpint (fovea_image_save (image, path, NULL, NULL), ==, FOVEA_OK);
  g_assert_nonnull (again = fovea_image_open (context, path, 0, NULL));
  g_assert_null (fovea_image_open (context, path, 1, &error));
  assert_fails (&error, FOVEA_BAD_FILE, "", "number 1 does not exist");
  assert_same (image, again, 40 * 40 * 2);
  fovea_image_free (image);
  fovea_image_free (again);
}

/* Two images of different size, as tifffile wrote them; the file's object is not needed for its images. */
static void
test_several (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FOVEA_SOURCE"), "tests/core/files/data/two_sizes.tif", NULL);
  fovea_file *file = fovea_file_open (context, path, NULL);
  fovea_image_info first = {.size = sizeof first}, second = {.size = sizeof second};
  fovea_error *error = NULL;
  g_assert_cmpuint (fovea_file_count (file), ==, 2);
  fovea_image *one = fovea_file_image (file, 0, NULL), *two = fovea_file_image (file, 1, NULL);
  g_assert_null (fovea_file_image (file, 2, &error));
  assert_fails (&error, FOVEA_BAD_FILE, "", "number 2 does not exist");
  fovea_file_free (file);
  fovea_image_get_info (one, &first, NULL);
  fovea_image_get_info (two, &second, NULL);
  g_assert_true (first.shape[3] != second.shape[3] || first.shape[4] != second.shape[4]);
  DLManagedTensor *pixels = fovea_image_to_dlpack (two, NULL);
  g_assert_cmpint (pixels->dl_tensor.shape[4], ==, second.shape[4]);
  pixels->deleter (pixels);
  fovea_image_free (one);
  fovea_image_free (two);
  g_assert_null (fovea_file_image (NULL, 0, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "file", "NULL");
  fovea_file_free (NULL);
}

/* ---- What an image is ---- */

static void
test_info (void)
{
  uint8_t pixels[2][2][3] = {{{0}}};
  int64_t shape[] = {2, 1, 2, 3};
  DLTensor tensor = tensor_of (pixels, kDLUInt, 8, 4, shape);
  const char *const names[] = {"nuclei", "actin", NULL}, *const one[] = {"nuclei", NULL};
  const uint32_t colors[] = {0x0000ff, 0x00ff00};
  double ranges[] = {1, 200, 3, 100};
  fovea_image_info info = {.size = sizeof info,
                           .spacing = {1, 0.5, 0.25},
                           .unit = {"µm", "µm", "µm"},
                           .channel_names = names,
                           .channel_colors = colors,
                           .display_ranges = ranges,
                           .description = "as it was taken"},
                   got = {.size = sizeof got};
  fovea_error *error = NULL;
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, &info, &error);
  assert_good (error);
  g_assert_cmpint (fovea_image_get_info (image, &got, NULL), ==, FOVEA_OK);
  g_assert_cmpstr (got.channel_names[1], ==, "actin");
  g_assert_null (got.channel_names[2]);
  g_assert_cmphex (got.channel_colors[0], ==, 0x0000ff);
  g_assert_cmpfloat (got.display_ranges[3], ==, 100);
  g_assert_cmpstr (got.description, ==, "as it was taken");
  g_assert_null (got.stored_as);
  g_assert_cmpstr (fovea_image_text (image), ==, "3×2 8-bit, 2 channels, 0.25 × 0.5 µm");
  fovea_image_free (image);
  info.channel_names = one;
  g_assert_null (fovea_image_from_dlpack (context, &tensor, &info, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "channel_names", "but 2 channels");
  info.channel_names = NULL;
  ranges[2] = INFINITY;
  g_assert_null (fovea_image_from_dlpack (context, &tensor, &info, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "display_ranges", "channel 1");
}

/* A program that was built with an older header gets, and gives, what that had; one with a newer gets zeros. */
static void
test_sizes (void)
{
  struct {
    fovea_image_info known;
    double later;
  } newer = {.known = {.size = sizeof newer}, .later = 3};
  fovea_image_info older = {.size = offsetof (fovea_image_info, name), .name = "untouched"}, given = older;
  uint8_t pixels[4] = {0};
  int64_t shape[] = {2, 2};
  DLTensor tensor = tensor_of (pixels, kDLUInt, 8, 2, shape);
  given.interval = 2;
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, &given, NULL);
  g_assert_cmpint (fovea_image_get_info (image, &older, NULL), ==, FOVEA_OK);
  g_assert_cmpfloat (older.interval, ==, 2);
  g_assert_cmpstr (older.name, ==, "untouched");
  g_assert_cmpint (fovea_image_get_info (image, &newer.known, NULL), ==, FOVEA_OK);
  g_assert_cmpint (newer.known.shape[4], ==, 2);
  g_assert_cmpstr (newer.known.name, !=, "untouched");
  g_assert_cmpuint (newer.known.size, ==, sizeof newer);
  g_assert_cmpfloat (newer.later, ==, 0);
  fovea_image_free (image);
}

/* ---- Options of saving ---- */

static void
test_options (void)
{
  static const char *const names[] = {"none.tif", "deflate.tif", "zstd.tif"};
  fovea_image *image = image_with_square (400);
  fovea_save_options options = {.size = sizeof options, .tile = 64};
  fovea_error *error = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = path_of (names[i]);
    options.compression = (fovea_compression) i;
    g_assert_cmpint (fovea_image_save (image, path, &options, &error), ==, FOVEA_OK);
    g_assert_cmpint (size_of (path) < 400 * 400, ==, i > 0); /* nearly all is 0 */
    fovea_image *again = fovea_image_open (context, path, 0, NULL);
    assert_same (image, again, 400 * 400 * 2);
    fovea_image_free (again);
  }
  g_assert_cmpint (fovea_image_can_save ("a.tif", &options, &error), ==, FOVEA_OK);
  g_assert_cmpint (fovea_image_can_save ("a.png", NULL, &error), ==, FOVEA_OK);
  g_assert_cmpint (fovea_image_can_save ("a.png", &options, &error), ==, FOVEA_BAD_FILE);
  assert_fails (&error, FOVEA_BAD_FILE, "", "'a.png' cannot be written so");
  g_assert_cmpint (fovea_image_save (image, "a.png", &options, &error), ==, FOVEA_BAD_FILE);
  assert_fails (&error, FOVEA_BAD_FILE, "", "'a.png' cannot be written so");
  g_assert_cmpint (fovea_image_can_save ("a.doc", NULL, &error), ==, FOVEA_BAD_FILE);
  assert_fails (&error, FOVEA_BAD_FILE, "", "a.doc");
  options.tile = 24;
  g_assert_cmpint (fovea_image_can_save ("a.tif", &options, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "tile", "not 24");
  options = (fovea_save_options){.size = sizeof options, .compression = (fovea_compression) 9};
  g_assert_cmpint (fovea_image_save (image, "a.tif", &options, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "compression", "compression 9");
  options.size = 0;
  g_assert_cmpint (fovea_image_save (image, "a.tif", &options, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "options", "0");
  fovea_image_free (image);
}

/* ---- Levels and regions ---- */

enum { CHANNELS = 2, SLICES = 3, ROWS = 300, COLUMNS = 520 };

/* Two by two pixels are alike, so that the next level has their value with every method. */
static uint16_t
value_at (int64_t c, int64_t z, int64_t y, int64_t x)
{
  return (uint16_t) (20000 * c + 5000 * z + 13 * (y / 2) + x / 2);
}

static fovea_image *
save_pyramid (const char *path)
{
  g_autofree uint16_t *pixels = g_new (uint16_t, CHANNELS * SLICES * ROWS * COLUMNS);
  int64_t shape[] = {CHANNELS, SLICES, ROWS, COLUMNS};
  DLTensor tensor = tensor_of (pixels, kDLUInt, 16, 4, shape);
  const fovea_save_options options = {.size = sizeof options, .compression = FOVEA_DEFLATE, .tile = 64, .pyramid = 1};
  uint16_t *to = pixels;
  for (int64_t plane = 0; plane < CHANNELS * SLICES; plane++)
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
      *to++ = value_at (plane / SLICES, plane % SLICES, i / COLUMNS, i % COLUMNS);
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL);
  g_assert_cmpint (fovea_image_save (image, path, &options, NULL), ==, FOVEA_OK);
  return image;
}

/* Both channels of two slices, 7 rows of 11 pixels, into rows of 16 and planes of 20 rows. */
static void
check_region (const fovea_image *image, unsigned level, int64_t row, int64_t column)
{
  g_autofree uint16_t *pixels = g_new0 (uint16_t, 2 * 2 * 20 * 16);
  int64_t shape[] = {2, 2, 7, 11}, strides[] = {2 * 20 * 16, 20 * 16, 16, 1};
  const int64_t from[] = {0, 0, 1, row, column};
  DLTensor to = tensor_of (pixels, kDLUInt, 16, 4, shape);
  fovea_error *error = NULL;
  to.strides = strides;
  fovea_image_read (image, level, from, &to, &error);
  assert_good (error);
  for (int64_t i = 0; i < 2 * 2 * 20 * 16; i++) {
    int64_t c = i / strides[0], z = i / strides[1] % 2, y = i / 16 % 20, x = i % 16;
    gboolean inside = y < 7 && x < 11;
    g_assert_cmpuint (pixels[i], ==, inside ? value_at (c, z + 1, (row + y) << level, (column + x) << level) : 0);
  }
}

static void
test_regions (void)
{
  g_autofree char *path = path_of ("pyramid.tif");
  fovea_image *whole = save_pyramid (path), *image = fovea_image_open (context, path, 0, NULL);
  int64_t shape[5];
  g_assert_cmpuint (fovea_image_levels (whole), ==, 1);
  g_assert_cmpuint (fovea_image_levels (image), >=, 3);
  g_assert_cmpint (fovea_image_get_level (image, 1, shape, NULL), ==, FOVEA_OK);
  g_assert_cmpmem (shape, sizeof shape, ((int64_t[]){1, CHANNELS, SLICES, ROWS / 2, COLUMNS / 2}), sizeof shape);
  check_region (whole, 0, 293, 509);
  for (int again = 0; again < 2; again++) { /* read from the file, and then from memory, where the pixels are by now */
    check_region (image, 0, 0, 0);
    check_region (image, 0, 60, 123);
    check_region (image, 0, 293, 509);
    check_region (image, 1, 60, 200);
    assert_same (whole, image, CHANNELS * SLICES * ROWS * COLUMNS * 2);
  }
  fovea_image_free (whole);
  fovea_image_free (image);
}

static void
test_wrong_regions (void)
{
  uint16_t pixels[6];
  int64_t shape[] = {2, 3}, strides[] = {1, 2}, from[5] = {0, 0, 0, 14, 0}, level[5];
  fovea_image *image = image_with_square (16);
  DLTensor to = tensor_of (pixels, kDLUInt, 16, 2, shape), wrong = to;
  fovea_error *error = NULL;
  g_assert_cmpint (fovea_image_read (image, 0, from, &to, &error), ==, FOVEA_OK);
  from[3] = 15;
  g_assert_cmpint (fovea_image_read (image, 0, from, &to, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "from", "2 rows from 15 on are not within the 16 of level 0");
  from[3] = 0;
  from[1] = -1;
  g_assert_cmpint (fovea_image_read (image, 0, from, &to, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "from", "channels");
  from[1] = 0;
  g_assert_cmpint (fovea_image_read (image, 1, from, &to, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "level", "Level 1 does not exist");
  g_assert_cmpint (fovea_image_get_level (image, 1, level, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "level", "Level 1 does not exist");
  wrong.strides = strides;
  g_assert_cmpint (fovea_image_read (image, 0, from, &wrong, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "to", "not contiguous along x");
  wrong = tensor_of (pixels, kDLUInt, 8, 2, shape);
  g_assert_cmpint (fovea_image_read (image, 0, from, &wrong, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "to", "type");
  g_assert_cmpint (fovea_image_read (image, 0, from, NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "to", "NULL");
  fovea_image_free (image);
}

int
main (int argc, char **argv)
{
  const char *rm[] = {"rm", "-r", NULL, NULL};
  int status;
  init_tests (&argc, &argv);
  rm[2] = folder = g_dir_make_tmp ("fovea-library-XXXXXX", NULL);
  g_test_add_func ("/library/saved", test_saved);
  g_test_add_func ("/library/several", test_several);
  g_test_add_func ("/library/info", test_info);
  g_test_add_func ("/library/sizes", test_sizes);
  g_test_add_func ("/library/options", test_options);
  g_test_add_func ("/library/regions", test_regions);
  g_test_add_func ("/library/wrong-regions", test_wrong_regions);
  status = run_tests ();
  g_spawn_sync (NULL, (char **) rm, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  g_free (folder);
  return status;
}
