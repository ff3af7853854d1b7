/* SPDX-License-Identifier: MIT
 *
 * Reading CZI. The files and the arrays that they hold come from pylibCZIrw (make.py). Damaged files must give an error or an image.
 */
#include "core/files/czi/jpeg_xr.h"
#include "core/files/codec/process.h"
#include "core/files/czi/mosaic.h"
#include "tests/core/files/cases.h"
#include "tests/core/files/damage.h"

#include <math.h>

/* ---- What the files hold ---- */

static void
check_pixels (Image *image, const char *section)
{
  const ImageInfo *info = image_info (image);
  g_autofree char *file = text_of (section, "expect"), *path = data_path (file);
  const int tolerance = number_of (section, "tolerance");
  g_autoptr (Image) expected = NULL;
  Npy npy;
  npy_load (&npy, path);
  expected = image_from_npy (&npy, info->role);
  g_assert_cmpint (info->frames, ==, npy.shape[0]);
  g_assert_cmpint (info->channels, ==, npy.shape[1]);
  g_assert_cmpint (info->depth, ==, npy.shape[2]);
  if (tolerance == 0)
    assert_images_equal (image, expected);
  for (gint64 p = 0; tolerance > 0 && p < image_info_planes (info); p++)
    for (gint64 y = 0; y < info->rows; y++)
      for (gint64 x = 0; x < info->columns; x++)
        g_assert_cmpfloat_with_epsilon (image_value (image, p, y, x), image_value (expected, p, y, x), tolerance + 0.5);
  npy_clear (&npy);
}

/* Every region of a level is a part of all of it, read by one source in any order. */
static void
check_regions (Image *image, guint n, const ImageLevel *level, const guint8 *whole, gsize pixel)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  const gsize row = (gsize) level->columns * pixel;
  for (int i = 0; i < 20; i++) {
    const gint64 y = g_rand_int_range (rand, 0, (gint32) level->rows),
                 x = g_rand_int_range (rand, 0, (gint32) level->columns);
    const ImageRegion region = {y, x, g_rand_int_range (rand, 1, (gint32) (level->rows - y) + 1),
                                g_rand_int_range (rand, 1, (gint32) (level->columns - x) + 1)};
    g_autofree guint8 *part = g_malloc (row * (gsize) level->rows);
    g_autoptr (GError) error = NULL;
    image_read (image, n, 0, &region, part, row, &error);
    g_assert_no_error (error);
    for (gint64 k = 0; k < region.rows; k++)
      g_assert_cmpmem (part + (gsize) k * row, (gsize) region.columns * pixel,
                       whole + (gsize) (y + k) * row + (gsize) x * pixel, (gsize) region.columns * pixel);
  }
}

static void
check_levels (Image *image, const char *section)
{
  const ImageInfo *info = image_info (image);
  const gsize pixel = image_info_plane_bytes (info) / (gsize) info->rows / (gsize) info->columns;
  const int wanted = number_of (section, "levels");
  ImageLevel level;
  guint n = 0;
  for (; image_level (image, n, &level); n++) {
    const ImageRegion all = {0, 0, level.rows, level.columns};
    g_autofree char *key = g_strdup_printf ("level%u", n), *file = text_of (section, key);
    g_autofree guint8 *whole = g_malloc (pixel * (gsize) level.rows * (gsize) level.columns);
    g_autoptr (GError) error = NULL;
    image_read (image, n, 0, &all, whole, pixel * (gsize) level.columns, &error);
    g_assert_no_error (error);
    check_regions (image, n, &level, whole, pixel);
    if (file) {
      g_autofree char *path = data_path (file);
      Npy npy;
      npy_load (&npy, path);
      g_assert_cmpmem (whole, pixel * (gsize) level.rows * (gsize) level.columns, npy.data,
                       pixel * (gsize) npy_size (&npy));
      npy_clear (&npy);
    }
  }
  g_assert_cmpuint (n, ==, wanted ? wanted : 1);
}

static void
check_numbers (const char *section, const char *key, const double *found, guint n)
{
  g_autofree char *text = text_of (section, key);
  g_auto (GStrv) parts = text ? g_strsplit_set (text, " ;", -1) : NULL;
  if (!text)
    return;
  g_assert_cmpint (g_strv_length (parts), ==, n);
  g_assert_nonnull (found);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (found[i], g_ascii_strtod (parts[i], NULL), 1e-9 * fabs (found[i]) + 1e-12);
}

static void
check_text (const char *section, const char *key, const char *found)
{
  g_autofree char *text = text_of (section, key);
  if (text)
    g_assert_cmpstr (found, ==, text);
}

static void
check_colors (const char *section, const ImageInfo *info)
{
  g_autofree char *text = text_of (section, "colors");
  g_auto (GStrv) parts = text ? g_strsplit (text, ";", -1) : NULL;
  for (gint64 c = 0; text && c < info->channels; c++)
    g_assert_cmphex (info->channel_colors[c], ==, g_ascii_strtoull (parts[c], NULL, 16));
}

static void
check_about (const ImageInfo *info, const char *section)
{
  g_autofree char *units = g_strjoin (";", info->units[0], info->units[1], info->units[2], NULL);
  g_autofree char *names = info->channel_names ? g_strjoinv (";", info->channel_names) : NULL;
  g_autofree char *role = text_of (section, "role");
  g_autofree char *description = info->description ? g_strdelimit (g_strdup (info->description), "\n", ';') : NULL;
  g_assert_cmpint (info->role, ==, g_strcmp0 (role, "rgb") ? FV_IMAGE : FV_RGB);
  check_numbers (section, "spacing", info->spacing, 3);
  check_numbers (section, "ranges", info->display_ranges, (guint) info->channels * 2);
  check_numbers (section, "interval", &info->frame_interval, 1);
  check_text (section, "units", units);
  check_text (section, "names", names);
  check_text (section, "interval_unit", info->frame_unit);
  check_text (section, "name", info->name);
  check_text (section, "description", description);
  check_colors (section, info);
}

/* The same as opening says. */
static void
check_described (const FilesImages *images, guint n, const ImageInfo *info)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *opened = image_info_text (info), *described = NULL;
  const char *depends;
  ImageInfo own;
  files_images_describe (images, n, &own, &depends, &error);
  g_assert_no_error (error);
  described = image_info_text (&own);
  g_assert_cmpstr (opened, ==, described);
  image_info_clear (&own);
}

static void
check_refused (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = files_open (path, 0, &error);
  if (image)
    g_assert_null (image_on_host (image, NULL, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == FILE_ERROR);
  if (!strstr (error->message, path) || !strstr (error->message, text) || !g_str_has_suffix (error->message, "."))
    g_error ("'%s' should be in: %s", text, error->message);
}

static void
test_case (gconstpointer data)
{
  const char *section = data;
  g_autofree char *file = text_of (section, "file"), *path = data_path (file);
  g_autofree char *refused = text_of (section, "error"), *library = text_of (section, "library");
  g_autoptr (GError) error = NULL;
  if (library && !files_czi_jpeg_xr_can ()) {
    check_refused (path, library);
    return;
  }
  if (refused) {
    check_refused (path, refused);
    return;
  }
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  const int wanted = number_of (section, "images"), n = number_of (section, "number");
  g_assert_no_error (error);
  g_assert_cmpuint (files_images_count (images), ==, wanted ? wanted : 1);
  check_text (section, "left_out", files_images_left_out (images));
  g_autoptr (Image) image = files_images_open (images, (guint) n, &error);
  g_assert_no_error (error);
  check_described (images, (guint) n, image_info (image));
  check_levels (image, section);
  image_on_host (image, NULL, &error);
  g_assert_no_error (error);
  check_pixels (image, section);
  check_about (image_info (image), section);
}

/* ---- Overlaps ---- */

/* Each pixel belongs to the last tile that has it, and is in one part. */
static void
test_mosaic (void)
{
  enum { SIDE = 40, TILES = 30 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int round = 0; round < 50; round++) {
    FilesCziBlock blocks[TILES] = {0};
    FilesCziTile tiles[TILES];
    const FilesCziTile *expected[SIDE][SIDE] = {{NULL}};
    gboolean met[SIDE][SIDE] = {{FALSE}};
    const ImageRegion region = {2, 3, SIDE, SIDE};
    for (int i = 0; i < TILES; i++) {
      blocks[i].rows = g_rand_int_range (rand, 1, 15), blocks[i].columns = g_rand_int_range (rand, 1, 15);
      tiles[i] = (FilesCziTile){&blocks[i], 0, g_rand_int_range (rand, -5, SIDE), g_rand_int_range (rand, -5, SIDE)};
      for (gint64 y = MAX (tiles[i].row, 2); y < MIN (tiles[i].row + blocks[i].rows, SIDE + 2); y++)
        for (gint64 x = MAX (tiles[i].column, 3); x < MIN (tiles[i].column + blocks[i].columns, SIDE + 3); x++)
          expected[y - 2][x - 3] = &tiles[i];
    }
    g_autoptr (GArray) parts = files_czi_mosaic (tiles, TILES, &region);
    for (guint i = 0; i < parts->len; i++) {
      const FilesCziPart *part = &g_array_index (parts, FilesCziPart, i);
      for (gint64 y = part->seen.row - 2; y < part->seen.row - 2 + part->seen.rows; y++)
        for (gint64 x = part->seen.column - 3; x < part->seen.column - 3 + part->seen.columns; x++) {
          g_assert_false (met[y][x]);
          g_assert_true (part->tile == expected[y][x]);
          met[y][x] = TRUE;
        }
    }
    for (int i = 0; i < SIDE * SIDE; i++)
      g_assert_true (met[i / SIDE][i % SIDE]);
  }
}

/* ---- The process of a decoder ---- */

/* It ends as it says, and is killed when its time is over, also when it sleeps, or when the work is stopped. */
static void
test_process (void)
{
  char *const quick[] = {"sh", "-c", "exit 2", NULL}, *const crash[] = {"sh", "-c", "kill -SEGV $$", NULL},
              *const busy[] = {"sh", "-c", "kill -XCPU $$", NULL}, *const slow[] = {"sleep", "100", NULL};
  Progress progress = {.until = g_get_monotonic_time () + G_USEC_PER_SEC / 2};
  const gint64 begin = g_get_monotonic_time ();
  g_assert_cmpint (files_codec_process ("/bin/sh", quick, -1, 60), ==, CODEC_NOT);
  g_assert_cmpint (files_codec_process ("/bin/sh", crash, -1, 60), ==, CODEC_DAMAGED);
  g_assert_cmpint (files_codec_process ("/bin/sh", busy, -1, 60), ==, CODEC_LATE);
  g_assert_cmpint (files_codec_process ("/bin/none", quick, -1, 60), ==, CODEC_LOST);
  g_assert_cmpint (files_codec_process ("/bin/sleep", slow, -1, 0.3), ==, CODEC_LATE);
  progress_enter (&progress);
  g_assert_cmpint (files_codec_process ("/bin/sleep", slow, -1, 90), ==, CODEC_LATE);
  progress_enter (NULL);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 60 * G_USEC_PER_SEC);
}

/* ---- Damage ---- */

/* Cut off anywhere, and with bytes of any value in the directory and the headers. */
static void
test_damaged (gconstpointer data)
{
  g_autofree char *from = data_path (data);
  try_damaged (from, "damaged.czi", 64, 400, 3);
}

int
main (int argc, char **argv)
{
  static const char *const damaged[] = {"metadata.czi", "pyramid.czi", "zstd1_u2_1.czi", "jpeg_color.czi",
                                        "mosaic_zstd0_3.czi"};
  init_tests (&argc, &argv);
  g_auto (GStrv) sections = cases_open ("tests/core/files/czi/data");
  for (char **section = sections; *section; section++) {
    g_autofree char *test = g_strdelimit (g_strdup_printf ("/czi/%s", *section), " ", '_');
    if (strcmp (*section, "versions"))
      g_test_add_data_func (test, *section, test_case);
  }
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++) {
    g_autofree char *test = g_strdup_printf ("/czi/damaged/%s", damaged[i]);
    g_test_add_data_func (test, damaged[i], test_damaged);
  }
  g_test_add_func ("/czi/mosaic", test_mosaic);
  g_test_add_func ("/czi/process", test_process);
  const int status = run_files_tests ();
  g_key_file_free (cases);
  return status;
}
