/* SPDX-License-Identifier: MIT
 *
 * Reading TIFF. The files in files/data and the arrays that they hold come from tifffile, imagecodecs, libtiff's tools and
 * ImageJ (files/make.py). Damaged files must give an error or an image, in little memory, and libtiff must print nothing.
 */
#include "core/files/tiff/tiff.h"

#include "core/files/files.h"
#include "core/files/shared/imagej.h"
#include "core/files/tiff/codec.h"
#include "core/files/tiff/groups.h"
#include "core/files/tiff/writer.h"
#include "core/files/shared/ome.h"
#include "tests/core/files/cases.h"
#include "tests/support/tiff_by_hand.h"
#include "core/base/units.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

static char *folder; /* for files that tests write */

/* Reads all planes; FALSE with *error at the first that cannot be had. */
static gboolean
read_all (Image *image, GError **error)
{
  for (gint64 i = 0; i < image_info_planes (image_info (image)); i++)
    if (!image_plane (image, i, error))
      return FALSE;
  return TRUE;
}

/* ---- What the files hold ---- */

static void
check_pixels (Image *image, const char *section, const char *file)
{
  const ImageInfo *info = image_info (image);
  g_autofree char *path = data_path (file);
  int tolerance = number_of (section, "tolerance");
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
    /* ImageJ rounds resolutions to 10^-6 */
    g_assert_cmpfloat_with_epsilon (found[i], g_ascii_strtod (parts[i], NULL), 2e-6 * fabs (found[i]) + 1e-12);
}

static void
check_texts (const char *section, const char *key, const char *const *found, guint n)
{
  g_autofree char *text = text_of (section, key), *joined = NULL;
  g_autoptr (GString) s = g_string_new (NULL);
  if (!text)
    return;
  g_assert_nonnull (found);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (s, "%s%s", i ? ";" : "", found[i]);
  g_assert_cmpstr (s->str, ==, text);
}

static void
check_colors (const char *section, const ImageInfo *info)
{
  g_autofree char *text = text_of (section, "colors");
  g_auto (GStrv) parts = text ? g_strsplit (text, ";", -1) : NULL;
  if (!text)
    return;
  g_assert_nonnull (info->channel_colors);
  for (gint64 c = 0; c < info->channels; c++)
    g_assert_cmphex (info->channel_colors[c], ==, g_ascii_strtoull (parts[c], NULL, 16));
}

static void
check_about (const ImageInfo *info, const char *section)
{
  g_autofree char *role = text_of (section, "role"), *source = text_of (section, "source");
  g_autofree char *interval_unit = text_of (section, "interval_unit"), *title = text_of (section, "name");
  const char *const units[] = {info->units[0], info->units[1], info->units[2]};
  g_assert_cmpint (info->role, ==, !g_strcmp0 (role, "rgb") ? FV_RGB : !g_strcmp0 (role, "mask") ? FV_MASK : FV_IMAGE);
  g_assert_cmpstr (info->source_type, ==, source);
  g_assert_cmpint (info->inverted, ==, number_of (section, "inverted"));
  check_numbers (section, "spacing", info->spacing, 3);
  check_numbers (section, "ranges", info->display_ranges, (guint) info->channels * 2);
  check_numbers (section, "interval", &info->frame_interval, 1);
  check_texts (section, "units", units, 3);
  check_texts (section, "names", (const char *const *) info->channel_names, (guint) info->channels);
  check_colors (section, info);
  if (interval_unit)
    g_assert_cmpstr (info->frame_unit, ==, interval_unit);
  if (title)
    g_assert_cmpstr (info->name, ==, title);
}

static void
check_refused (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = files_open (path, 0, &error);
  if (image)
    g_assert_false (read_all (image, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == FILE_ERROR);
  if (!strstr (error->message, path) || !strstr (error->message, text) || !g_str_has_suffix (error->message, "."))
    g_error ("'%s' should be in: %s", text, error->message);
}

static void
test_case (gconstpointer data)
{
  const char *section = data;
  g_autofree char *file = text_of (section, "file"), *expect = text_of (section, "expect"), *path = data_path (file);
  g_autofree char *refused = text_of (section, "error");
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = NULL;
  g_autoptr (Image) image = NULL;
  int series = number_of (section, "series");
  if (refused) {
    check_refused (path, refused);
    return;
  }
  image = files_open (path, (guint) number_of (section, "number"), &error);
  g_assert_no_error (error);
  read_all (image, &error);
  g_assert_no_error (error);
  if (expect)
    check_pixels (image, section, expect);
  check_about (image_info (image), section);
  images = files_images_new (path, &error);
  g_assert_cmpint (files_images_count (images), ==, series ? series : 1);
}

static void
test_no_such_series (void)
{
  g_autofree char *path = data_path ("two_sizes.tif");
  g_autoptr (GError) error = NULL;
  g_assert_null (files_open (path, 2, &error));
  g_assert_error (error, FILE_ERROR, FILE_ERROR_OPEN);
  g_assert_nonnull (strstr (error->message, "2 images"));
}

/* Planes of several samples are correct in any order of requests. */
static void
test_any_order (void)
{
  g_autofree char *path = data_path ("rgba_second_page.tif");
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (Image) whole = files_open (path, 0, NULL);
  g_assert_true (read_all (whole, NULL));
  for (int round = 0; round < 20; round++) {
    g_autoptr (Image) image = files_open (path, 0, NULL);
    for (int i = 0; i < 20; i++)
      g_assert_nonnull (image_plane (image, g_rand_int_range (rand, 0, 8), NULL));
    assert_images_equal (image, whole);
  }
}

/* ---- Damage ---- */

typedef struct {
  char *name;
  char *bytes;
  gsize size;
  gint64 planes;
} Good;

static void
good_free (gpointer data)
{
  Good *good = data;
  g_free (good->name);
  g_free (good->bytes);
  g_free (good);
}

/* The files that can be read, without those that belong to sets. */
static GPtrArray *
good_files (void)
{
  g_auto (GStrv) sections = g_key_file_get_groups (cases, NULL);
  GPtrArray *all = g_ptr_array_new_with_free_func (good_free);
  for (char **section = sections; *section; section++) {
    g_autofree char *file = text_of (*section, "file"), *path = data_path (file);
    Good *good;
    if (!strcmp (*section, "versions") || g_key_file_has_key (cases, *section, "error", NULL)
        || g_key_file_has_key (cases, *section, "number", NULL) || strstr (file, "companion"))
      continue;
    g_autoptr (Image) image = files_open (path, 0, NULL);
    good = g_new0 (Good, 1);
    good->name = g_strdup (file);
    good->planes = image_info_planes (image_info (image));
    g_assert_true (g_file_get_contents (path, &good->bytes, &good->size, NULL));
    g_ptr_array_add (all, good);
  }
  return all;
}

static char *
write_scratch (const char *bytes, gsize size)
{
  char *path = g_build_filename (folder, "damaged.tif", NULL);
  int fd = open (path, O_CREAT | O_WRONLY, 0600); /* O_TRUNC would make some file systems wait for the disk */
  g_assert_cmpint (write (fd, bytes, size), ==, (gssize) size);
  g_assert_cmpint (ftruncate (fd, (off_t) size), ==, 0);
  close (fd);
  return path;
}

/* Whether the file can be read completely. An error has to name it. No plane may be larger than what the file can hold with
 * the densest codec, times the widening of 8 bits to 64. */
static gboolean
try_file (const char *path, gsize size, Image **out)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = files_open (path, 0, &error);
  gboolean whole = image && read_all (image, &error);
  if (image)
    g_assert_cmpuint (image_info_plane_bytes (image_info (image)), <=, 8 * MAX ((gsize) 256 << 20, size << 16));
  if (!whole
      && (!strstr (error->message, path) || !g_str_has_suffix (error->message, ".") || error->domain != FILE_ERROR))
    g_error ("bad error: %s", error->message);
  if (whole && out)
    *out = g_steal_pointer (&image);
  return whole;
}

static void
test_truncated (void)
{
  g_autoptr (GPtrArray) files = good_files ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (guint i = 0; i < files->len; i++) {
    const Good *good = files->pdata[i];
    g_autofree char *original = data_path (good->name);
    for (int n = 0; n < 24; n++) {
      gsize size = n == 0 ? good->size - 1 : (gsize) g_rand_int_range (rand, 0, (gint32) good->size);
      g_autofree char *path = write_scratch (good->bytes, size);
      g_autoptr (Image) image = NULL, whole = NULL;
      /* with one directory for many planes, what is left can be a smaller image */
      if (!try_file (path, size, &image) || g_str_has_prefix (good->name, "imagej_one_directory"))
        continue;
      whole = files_open (original, 0, NULL);
      g_assert_cmpint (image_info_planes (image_info (image)), ==, good->planes);
      assert_images_equal (image, whole);
    }
  }
}

/* Mostly in the directories, where they do most. */
static void
flip (GRand *rand, char *bytes, gsize size)
{
  int n = g_rand_int_range (rand, 1, 4);
  gsize end = g_rand_boolean (rand) ? MIN (size, 300) : size;
  while (n-- > 0) {
    char *byte = &bytes[g_rand_int_range (rand, 0, (gint32) end)];
    switch (g_rand_int_range (rand, 0, 3)) {
    case 0: *byte ^= (char) (1 << g_rand_int_range (rand, 0, 8)); break;
    case 1: *byte = (char) g_rand_int (rand); break;
    default: *byte = g_rand_boolean (rand) ? 0 : -1; break;
    }
  }
}

static void
test_flipped (void)
{
  g_autoptr (GPtrArray) files = good_files ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  int rounds = g_getenv ("FOVEA_FUZZ_ROUNDS") ? atoi (g_getenv ("FOVEA_FUZZ_ROUNDS")) : 60;
  for (int round = 0; round < rounds; round++)
    for (guint i = 0; i < files->len; i++) {
      const Good *good = files->pdata[i];
      g_autofree char *bytes = g_memdup2 (good->bytes, good->size), *path = NULL;
      flip (rand, bytes, good->size);
      path = write_scratch (bytes, good->size);
      try_file (path, good->size, NULL);
    }
}

static void
test_noise (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int i = 0; i < 500; i++) {
    char bytes[400] = "II*\0\x08\0\0\0\x0a";
    g_autofree char *path = NULL;
    for (guint j = 10; j < sizeof bytes; j++)
      bytes[j] = (char) (j % 12 == 10 ? 0 : g_rand_int (rand));
    path = write_scratch (bytes, sizeof bytes);
    try_file (path, sizeof bytes, NULL);
  }
}

/* ---- Large files ---- */

/* 10^5 pages: the image opens within a second or so and each page is found. */
static void
test_many_pages (void)
{
  g_autoptr (GByteArray) file = tiff_pages (100000, NULL);
  g_autofree char *path = write_scratch ((const char *) file->data, file->len);
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  g_autoptr (Image) image = files_open (path, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
  g_assert_cmpint (image_info (image)->depth, ==, 100000);
  for (gint64 i = 0; i < 100000; i += 9999)
    g_assert_cmpfloat (image_value (image, i, 0, 0) + 65536 * image_value (image, i, 0, 1), ==, (double) i);
}

/* ImageJ's form of files above 4 GiB: one directory, planes without directories. The file is a hole but for two pixels. */
static void
test_beyond_4_gib (void)
{
  const char *text = "ImageJ=1.53t\nimages=700\nslices=700\nloop=false\n";
  guint32 rows = 2048, columns = 2048, text_at = 8 + 2 + 7 * 12 + 4, pixels_at = 200;
  guint16 first = 4711, last = 1147;
  g_autoptr (GByteArray) page = tiff_directory (rows, columns, pixels_at, 0, (guint32) strlen (text) + 1, text_at);
  g_autofree char *path = write_scratch (tiff_header (), 8);
  g_autoptr (GError) error = NULL;
  gint64 size = pixels_at + (gint64) 700 * rows * columns * 2;
  int fd = open (path, O_WRONLY);
  g_assert_cmpint (ftruncate (fd, size), ==, 0);
  g_assert_cmpint (pwrite (fd, page->data, page->len, 8), ==, page->len);
  g_assert_cmpint (pwrite (fd, text, strlen (text) + 1, text_at), ==, (gssize) strlen (text) + 1);
  g_assert_cmpint (pwrite (fd, &first, 2, pixels_at), ==, 2);
  g_assert_cmpint (pwrite (fd, &last, 2, size - 2), ==, 2);
  g_autoptr (Image) image = files_open (path, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (image_info (image)->depth, ==, 700);
  g_assert_cmpfloat (image_value (image, 0, 0, 0), ==, first);
  g_assert_cmpfloat (image_value (image, 699, rows - 1, columns - 1), ==, last);
  g_assert_cmpint (ftruncate (fd, size - 1), ==, 0);
  check_refused (path, "truncated: it has only 699 of 700 planes");
  close (fd);
}

/* ---- There and back ---- */

typedef struct {
  fv_type type;
  fv_role role;
  gint64 channels, depth, frames;
} Sort;

static double ranges[] = {0, 100, 5.5, 4000, 1, 2};
static guint32 colors[] = {0x0000ff, 0x00ff00, 0xff8000};

/* Noise with all that an image can be told about. */
static Image *
described_image (const Sort *sort, guint32 seed)
{
  static const char *const names[] = {"DAPI", "µ-tubulin", "third"};
  g_autoptr (Image) noise =
    image_random (sort->type, sort->role, sort->channels, sort->depth * sort->frames, 7, 9, seed);
  gboolean many = sort->channels > 1 && sort->role != FV_RGB;
  Image *image;
  ImageInfo info;
  image_info_copy (&info, image_info (noise));
  info.depth = sort->depth;
  info.frames = sort->frames;
  info.frame_interval = sort->frames > 1 ? 1.5 : 0;
  for (int axis = 0; axis < 3; axis++) {
    g_free (info.units[axis]);
    info.units[axis] = g_strdup (axis ? "µm" : "nm");
    info.spacing[axis] = 0.25 * (axis + 1);
  }
  info.channel_names = many ? g_new0 (char *, sort->channels + 1) : NULL;
  for (gint64 c = 0; many && c < sort->channels; c++)
    info.channel_names[c] = g_strdup (names[c]);
  info.channel_colors = many ? g_memdup2 (colors, sizeof colors) : NULL;
  info.display_ranges = sort->role == FV_RGB ? NULL : g_memdup2 (ranges, sizeof ranges);
  image = image_with_info (noise, &info);
  image_info_clear (&info);
  return image;
}

static void
check_same_info (const ImageInfo *a, const ImageInfo *b)
{
  gsize channels = (gsize) a->channels;
  g_assert_cmpint (a->role, ==, b->role);
  g_assert_cmpint (a->depth, ==, b->depth);
  g_assert_cmpint (a->frames, ==, b->frames);
  g_assert_cmpfloat (a->frame_interval, ==, b->frame_interval);
  for (int axis = a->depth > 1 ? 0 : 1; axis < 3; axis++) {
    g_assert_cmpstr (a->units[axis], ==, b->units[axis]);
    g_assert_cmpfloat_with_epsilon (a->spacing[axis], b->spacing[axis], 1e-12);
  }
  if (a->channel_names) {
    g_assert_true (g_strv_equal ((const char *const *) a->channel_names, (const char *const *) b->channel_names));
    g_assert_cmpmem (a->channel_colors, channels * 4, b->channel_colors, channels * 4);
  }
  if (a->display_ranges)
    g_assert_cmpmem (a->display_ranges, channels * 16, b->display_ranges, channels * 16);
}

/* What is written comes back with its role, calibration and channels. */
static void
test_round_trip (void)
{
  static const Sort sorts[] = {{FV_U8, FV_IMAGE, 1, 1, 1},  {FV_U16, FV_IMAGE, 3, 4, 2}, {FV_I32, FV_LABELS, 1, 3, 1},
                               {FV_U8, FV_MASK, 1, 1, 5},   {FV_U8, FV_RGB, 3, 2, 1},    {FV_F32, FV_IMAGE, 2, 1, 1},
                               {FV_F64, FV_IMAGE, 1, 1, 1}, {FV_I32, FV_IMAGE, 1, 1, 1}};
  g_autofree char *path = g_build_filename (folder, "written.tif", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sorts); i++) {
    g_autoptr (Image) image = described_image (&sorts[i], i), back = NULL;
    g_autoptr (GError) error = NULL;
    files_save (image, path, &error);
    g_assert_no_error (error);
    back = files_open (path, 0, &error);
    g_assert_no_error (error);
    assert_images_equal (image, back);
    check_same_info (image_info (image), image_info (back));
  }
  g_remove (path);
}

/* ---- Texts ---- */

static void
test_units (void)
{
  static const char *const micro[] = {"um",       "micron", "Microns",      "µm", "\u03bcm",
                                      "\\u00B5m", "\xb5m",  " micrometer ", "µm"};
  for (guint i = 0; i < G_N_ELEMENTS (micro); i++) {
    g_autofree char *unit = units_normal (micro[i]);
    g_assert_cmpstr (unit, ==, "µm");
  }
  static const char *const others[][2] = {
    {"pixel", ""},       {"", ""},      {"inches", "inch"}, {"sec", "s"},  {"furlong", "furlong"}, {"Mm", "Mm"},
    {"nanometer", "nm"}, {"\xe9", "é"}, {"px", ""},         {"min", "min"}};
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autofree char *unit = units_normal (others[i][0]);
    g_assert_cmpstr (unit, ==, others[i][1]);
  }
  g_assert_cmpfloat (units_factor ("mm", "um"), ==, 1000);
  g_assert_cmpfloat (units_factor ("inch", "cm"), ==, 2.54);
  g_assert_cmpfloat (units_factor ("µm", "nm"), ==, 1000);
  g_assert_cmpfloat (units_factor ("min", "ms"), ==, 60000);
  g_assert_cmpfloat (units_factor ("", ""), ==, 1);
  g_assert_cmpfloat (units_factor ("furlong", "furlong"), ==, 1);
  g_assert_cmpfloat (units_factor ("furlong", "m"), ==, 0);
  g_assert_cmpfloat (units_factor ("", "µm"), ==, 0);
  g_assert_cmpfloat (units_factor ("s", "m"), ==, 0);
}

static void
test_imagej_description (void)
{
  double range[] = {1.5, 200, 0, 1, 0, 1};
  char um[] = "µm", nm[] = "nm", min[] = "min", none[] = "";
  const ImageInfo stack = {.type = FV_U16,
                           .frames = 2,
                           .channels = 3,
                           .depth = 4,
                           .rows = 5,
                           .columns = 6,
                           .spacing = {0.25, 0.1, 0.1},
                           .units = {nm, um, um},
                           .frame_interval = 0.5,
                           .frame_unit = min,
                           .display_ranges = range};
  const ImageInfo labels = {.type = FV_I32,
                            .role = FV_LABELS,
                            .frames = 1,
                            .channels = 1,
                            .depth = 1,
                            .rows = 5,
                            .columns = 6,
                            .spacing = {1, 1, 1},
                            .units = {none, none, none},
                            .frame_unit = none};
  const ImageInfo rgb = {.type = FV_U8,
                         .role = FV_RGB,
                         .frames = 1,
                         .channels = 3,
                         .depth = 2,
                         .rows = 5,
                         .columns = 6,
                         .spacing = {1, 1, 1},
                         .units = {none, none, none},
                         .frame_unit = none};
  g_autofree char *text = files_imagej_description (&stack), *plain = files_imagej_description (&labels);
  g_autofree char *color = files_imagej_description (&rgb);
  g_autoptr (FilesImagej) read = files_imagej_parse (text);
  g_autoptr (FilesImagej) read_labels = files_imagej_parse (plain);
  g_assert_cmpstr (text, ==,
                   "ImageJ=1.53t\nimages=24\nchannels=3\nslices=4\nframes=2\nhyperstack=true\nmode=composite\n"
                   "unit=\\u00B5m\nzunit=nm\nfinterval=0.5\ntunit=min\nspacing=0.25\nloop=false\nmin=1.5\nmax=200\n");
  g_assert_cmpstr (plain, ==, "ImageJ=1.53t\nrole=labels\n");
  g_assert_nonnull (strstr (color, "\nimages=2\nslices=2\n"));
  g_assert_cmpint (read->images, ==, 24);
  g_assert_cmpint (read->frames, ==, 2);
  g_assert_cmpstr (read->units[0], ==, "nm");
  g_assert_cmpstr (read->units[1], ==, "µm");
  g_assert_cmpfloat (read->spacing, ==, 0.25);
  g_assert_cmpstr (read->frame_unit, ==, "min");
  g_assert_cmpfloat (read->range[1], ==, 200);
  g_assert_cmpint (read_labels->role, ==, FV_LABELS);
}

static void
test_is (void)
{
  g_assert_true (files_tiff_is ((const guint8 *) "II*\0\x08\0\0\0", 8));
  g_assert_true (files_tiff_is ((const guint8 *) "MM\0+\0\x08\0\0", 8));
  g_assert_false (files_tiff_is ((const guint8 *) "II*\0", 4));
  g_assert_false (files_tiff_is ((const guint8 *) "IIII\0\0\0\0", 8));
}

/* Elements where the schema has none: the innermost image counts, nothing is taken for a part of another. */
static void
test_ome_nesting (void)
{
  static const char *const texts[] = {
    "<OME><Image><Pixels><TiffData><UUID><Image>x</Image></UUID></TiffData></Pixels></Image></OME>",
    "<OME><Image><Pixels><Image></Image><Channel/><TiffData/><UUID/>x</Pixels></Image></OME>",
    ("<OME><Image><Pixels><Pixels></Pixels><Channel/></Pixels></Image><Pixels/><Channel/>"
     "<TiffData><UUID>x</UUID></TiffData></OME>"),
    "<OME><Image><Pixels><Image><Pixels/><TiffData/></Image><TiffData/></Pixels></Image></OME>",
  };
  static const guint images[] = {1, 1, 1, 2};
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (FilesOme) ome = files_ome_parse (texts[i], &error);
    g_assert_no_error (error);
    g_assert_cmpuint (ome->images->len, ==, images[i]);
  }
}

/* ---- The whole ---- */

static void
on_print (const char *module, const char *format, va_list arguments)
{
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  g_error ("libtiff would print: %s: %s", module, text);
}

static void
add_cases (void)
{
  g_auto (GStrv) sections = cases_open ("tests/core/files/data");
  for (char **section = sections; *section; section++) {
    g_autofree char *name = g_strconcat ("/files_tiff/", *section, NULL);
    if (strcmp (*section, "versions"))
      g_test_add_data_func_full (name, g_strdup (*section), test_case, g_free);
  }
}

/* Each side of a smaller image may be off by a pixel of its own. */
static void
test_same_shape (void)
{
  static const struct {
    guint32 rows, columns;
    gboolean same;
  } shapes[] = {{500, 5, TRUE}, {501, 6, TRUE},  {500, 6, TRUE},  {501, 5, TRUE},  {333, 3, TRUE},
                {334, 4, TRUE}, {500, 7, FALSE}, {500, 4, FALSE}, {333, 5, FALSE}, {5, 500, FALSE}};
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_assert_cmpint (files_tiff_same_shape (shapes[i].rows, shapes[i].columns, 1001, 11), ==, shapes[i].same);
    g_assert_cmpint (files_tiff_same_shape (shapes[i].columns, shapes[i].rows, 11, 1001), ==, shapes[i].same);
  }
}

/* As the specifications of TIFF 6 and BigTIFF have them. */
static void
test_headers (void)
{
  static const guint8 classic[] = {'I', 'I', 42, 0, 0x78, 0x56, 0x34, 0x12},
                      big[] = {'I', 'I', 43, 0, 8, 0, 0, 0, 0x78, 0x56, 0x34, 0x12, 5, 0, 0, 0};
  g_autoptr (GByteArray) header = g_byte_array_new ();
  files_tiff_append_header (header, FALSE, 0x12345678);
  g_assert_cmpmem (header->data, header->len, classic, sizeof classic);
  g_byte_array_set_size (header, 0);
  files_tiff_append_header (header, TRUE, G_GUINT64_CONSTANT (0x512345678));
  g_assert_cmpmem (header->data, header->len, big, sizeof big);
}

/* The maximum number of bytes that so many encoded ones can hold. LERC writes a constant tile of any size in some sixty. Codes of
 * LZW, with 9 bits and more, hold 4096 bytes at most. */
static void
test_max_bytes (void)
{
  FilesTiffPage page = {.compression = COMPRESSION_LERC};
  g_assert_cmpuint (files_tiff_codec_max (&page, 60), >=, 4096 * 4096 * 8);
  g_assert_cmpuint (files_tiff_codec_max (&page, G_MAXUINT64 / 2), ==, G_MAXUINT64);
  page.compression = COMPRESSION_LZW;
  g_assert_cmpuint (files_tiff_codec_max (&page, 60), <=, 60 * 8 / 9 * 4096 + 60 * 4096);
  g_assert_cmpuint (files_tiff_codec_max (&page, 60), >=, 60 * 8 / 12 * 4096);
}

int
main (int argc, char **argv)
{
  int result;
  init_tests (&argc, &argv);
  TIFFSetErrorHandler (on_print);
  TIFFSetWarningHandler (on_print);
  folder = g_dir_make_tmp ("fovea-tiff-XXXXXX", NULL);
  add_cases ();
  g_test_add_func ("/files_tiff/is", test_is);
  g_test_add_func ("/files_tiff/no-such-series", test_no_such_series);
  g_test_add_func ("/files_tiff/any-order", test_any_order);
  g_test_add_func ("/files_tiff/truncated", test_truncated);
  g_test_add_func ("/files_tiff/flipped", test_flipped);
  g_test_add_func ("/files_tiff/noise", test_noise);
  g_test_add_func ("/files_tiff/many-pages", test_many_pages);
  g_test_add_func ("/files_tiff/beyond-4-gib", test_beyond_4_gib);
  g_test_add_func ("/files_tiff/round-trip", test_round_trip);
  g_test_add_func ("/files_tiff/same-shape", test_same_shape);
  g_test_add_func ("/files_tiff/headers", test_headers);
  g_test_add_func ("/files_tiff/most-bytes", test_max_bytes);
  g_test_add_func ("/files_tiff/units", test_units);
  g_test_add_func ("/files_tiff/ome-nesting", test_ome_nesting);
  g_test_add_func ("/files_tiff/imagej-description", test_imagej_description);
  result = g_test_run ();
  g_autofree char *scratch = g_build_filename (folder, "damaged.tif", NULL);
  g_remove (scratch);
  g_rmdir (folder);
  g_free (folder);
  g_key_file_unref (cases);
  return result;
}
