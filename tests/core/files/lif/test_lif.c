/* SPDX-License-Identifier: MIT
 *
 * LIF, LOF and XLEF files of tests/core/files/leica, which leica_files.py wrote, and liffile and readlif read alike.
 */
#include "core/data/pixel_type.h"
#include "tests/core/files/files_support.h"

/* Columns, rows, slices, channels, frames: what an element counts in a pixel. */
typedef struct {
  const char *file;
  guint series;
  const char *name;
  fv_type type;
  gint64 columns, rows, depth, channels, frames;
  double x, y, z; /* pixel sizes in µm; 0: unknown */
  const char *names;
  gint64 first, column, row, slice, channel, frame;
  gint64 waves, more_waves, wave, more_wave; /* channels count `wave` within so many */
} Case;

static const Case cases[] = {
  {"all.lif",
   0,
   "all.lif: group/stack",
   FV_U16,
   7,
   5,
   3,
   2,
   2,
   0.2,
   0.3,
   0.5,
   "Hoechst|Alexa 488",
   1,
   1,
   3,
   7,
   31,
   17,
   1,
   1,
   0,
   0},
  {"all.lif", 1, "all.lif: group/tiles, tile 1", FV_U8, 6, 4, 1, 1, 1, 2, 3, 0, NULL, 1, 1, 3, 0, 0, 0, 1, 1, 0, 0},
  {"all.lif", 3, "all.lif: group/tiles, tile 3", FV_U8, 6, 4, 1, 1, 1, 2, 3, 0, NULL, 195, 1, 3, 0, 0, 0, 1, 1, 0, 0},
  {"all.lif",
   4,
   "all.lif: group/spectrum",
   FV_U8,
   5,
   4,
   1,
   6,
   1,
   0,
   0,
   0,
   "Red 500 nm|Red 520 nm|Red 540 nm|Green 500 nm|Green 520 nm|Green 540 nm",
   1,
   1,
   3,
   0,
   31,
   0,
   3,
   1,
   53,
   0},
  {"all.lif", 5, "all.lif: group/colors", FV_U8, 7, 4, 1, 3, 1, 0, 0, 0, NULL, 1, 1, 3, 0, 31, 0, 1, 1, 0, 0},
  {"all.lif", 6, "all.lif: group/section", FV_F32, 6, 4, 1, 1, 2, 2, 2, 0, NULL, 1, 1, 7, 0, 0, 17, 1, 1, 0, 0},
  {"all.lif", 7, "all.lif: group/lifetime", FV_F16, 5, 3, 1, 1, 1, 0, 0, 0, "FLIM", 1, 1, 3, 0, 0, 0, 1, 1, 0, 0},
  {"all.lif", 8, "all.lif: group/wide", FV_U32, 5, 3, 1, 1, 1, 0, 0, 0, NULL, 1, 1, 3, 0, 0, 0, 1, 1, 0, 0},
  {"all.lif",
   9,
   "all.lif: group/both",
   FV_U8,
   4,
   3,
   2,
   6,
   1,
   0,
   0,
   0,
   "500 nm excited at 400 nm|520 nm excited at 400 nm|540 nm excited at 400 nm|500 nm excited at 420 nm|"
   "520 nm excited at 420 nm|540 nm excited at 420 nm",
   1,
   1,
   3,
   7,
   0,
   0,
   3,
   2,
   53,
   59},
  {"all.lif", 11, "all.lif: group/turned, rotation 2", FV_U16, 4, 3, 1, 2, 1, 0, 0, 0, NULL, 102, 1, 3, 0, 31, 0, 1, 1,
   0,         0},
  {"old.lif", 0, "old.lif", FV_U16, 7, 5, 3, 2, 2, 0.2, 0.3, 0.5, "Hoechst|Alexa 488", 1, 1, 3, 7, 31, 17, 1, 1, 0, 0},
  {"stack.lof",         0, "stack.lof", FV_U16, 7, 5,  3,  2, 2, 0.2, 0.3, 0.5,
   "Hoechst|Alexa 488", 1, 1,           3,      7, 31, 17, 1, 1, 0,   0},
  {"bare.lof", 1, "bare.lof: , tile 2", FV_U8, 6, 4, 1, 1, 1, 2, 3, 0, NULL, 98, 1, 3, 0, 0, 0, 1, 1, 0, 0},
  {"project.xlef", 0, "project.xlef: wide", FV_U32, 5, 3, 1, 1, 1, 0, 0, 0, NULL, 1, 1, 3, 0, 0, 0, 1, 1, 0, 0},
  {"project.xlef",
   1,
   "project.xlef: stack",
   FV_U16,
   7,
   5,
   3,
   2,
   2,
   0.2,
   0.3,
   0.5,
   "Hoechst|Alexa 488",
   1,
   1,
   3,
   7,
   31,
   17,
   1,
   1,
   0,
   0},
};

static char *
leica (const char *name)
{
  g_autofree char *path = g_strdup_printf ("tests/core/files/leica/%s", name);
  return source_path (path);
}

static void
check_pixels (Image *image, const Case *c)
{
  const ImageInfo *info = image_info (image);
  const gint64 waves = c->waves * c->more_waves;
  for (gint64 plane = 0; plane < image_info_planes (info); plane++) {
    const void *pixels = image_plane (image, plane, NULL);
    const gint64 z = plane % c->depth, k = plane / c->depth % c->channels, t = plane / c->depth / c->channels;
    const gint64 base = c->first + z * c->slice + t * c->frame + k / waves * c->channel + k % c->waves * c->wave
                        + k % waves / c->waves * c->more_wave;
    g_assert_nonnull (pixels);
    for (gint64 i = 0; i < c->rows * c->columns; i++) {
      const gint64 value = base + i / c->columns * c->row + i % c->columns * c->column;
      g_assert_cmpfloat (pixel_type_value (c->type, pixels, i), ==, c->type == FV_U8 ? value % 256 : value);
    }
  }
}

static void
check_info (const ImageInfo *info, const Case *c)
{
  const double sizes[] = {c->z, c->y, c->x};
  g_assert_cmpstr (info->name, ==, c->name);
  g_assert_cmpint (info->type, ==, c->type);
  g_assert_cmpint (info->columns, ==, c->columns);
  g_assert_cmpint (info->rows, ==, c->rows);
  g_assert_cmpint (info->depth, ==, c->depth);
  g_assert_cmpint (info->channels, ==, c->channels);
  g_assert_cmpint (info->frames, ==, c->frames);
  for (int axis = 0; axis < 3; axis++)
    if (sizes[axis] > 0) {
      g_assert_cmpfloat_with_epsilon (info->spacing[axis], sizes[axis], 1e-9);
      g_assert_cmpstr (info->units[axis], ==, "µm");
    } else if (c->x == 0)
      g_assert_cmpstr (info->units[axis], ==, "");
  g_autofree char *names = info->channel_names ? g_strjoinv ("|", info->channel_names) : NULL;
  g_assert_cmpstr (names, ==, c->names);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *path = leica (c->file);
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  g_assert_no_error (error);
  g_autoptr (Image) image = files_images_open (images, c->series, &error);
  g_assert_no_error (error);
  ImageInfo described;
  const char *depends;
  g_assert_true (files_images_describe (images, c->series, &described, &depends, &error));
  check_info (&described, c);
  check_info (image_info (image), c);
  check_pixels (image, c);
  image_info_clear (&described);
}

static void
test_metadata (void)
{
  g_autofree char *path = leica ("all.lif");
  g_autoptr (Image) stack = files_open (path, 0, NULL), tile = files_open (path, 3, NULL),
                    rgb = files_open (path, 5, NULL);
  g_autoptr (Image) section = files_open (path, 6, NULL);
  const ImageInfo *info = image_info (stack);
  g_assert_cmpfloat (info->frame_interval, ==, 0.5);
  g_assert_cmpstr (info->frame_unit, ==, "s");
  g_assert_cmpuint (info->channel_colors[0], ==, 0x0000ff);
  g_assert_cmpuint (info->channel_colors[1], ==, 0x00ff00);
  g_assert_cmpfloat (info->display_ranges[1], ==, 4095 * 0.5);
  g_assert_cmpfloat (info->display_ranges[2], ==, 4095 * 0.25);
  g_assert_cmpstr (info->notes->info, ==,
                   "Image: group/stack\nAcquired: 2026-11-28T09:30:00Z\nSoftware: LAS X 3.5\nMicroscope: TCS SP8\n"
                   "Objective: HC PL APO 63x/1.40 OIL\nMagnification: 63\nNumerical aperture: 1.4\nImmersion: OIL\n"
                   "Stage x (µm): 34620\nStage y (µm): 14740\nStage z (µm): 10\n");
  /* Planes are frames of channels of slices; times in the file are of frames of slices of channels. */
  for (guint i = 0; i < 12; i++) {
    g_autofree char *time = g_strdup_printf ("%.4f s", 0.5 * (i / 6) + 0.02 * (i / 3 % 2) + 0.1 * (i % 3));
    g_assert_cmpstr (info->notes->labels[i], ==, time);
  }
  g_assert_nonnull (strstr (image_info (tile)->notes->info, "\nAcquired: 2026-11-28T09:30:02Z\n"));
  g_assert_nonnull (strstr (image_info (tile)->notes->info, "\nTile x (µm): 12000\nTile y (µm): 20000\n"));
  g_assert_cmpint (image_info (rgb)->role, ==, FV_RGB);
  g_assert_nonnull (strstr (image_info (section)->notes->info, "\nRows along: z\n"));
}

static void
test_left_out (void)
{
  static const struct {
    const char *file, *left_out;
    guint count, others;
  } files[] = {
    {"all.lif", "image 'group/gone' (its memory block 'MemBlock_10' is not in the file), 'regions' (not an image)", 12,
     0},
    {"project.xlef",
     "image 'tiles' (its pixels are in 'tiles_m0.tif' and 2 more: open these), 'lost.xlif' (no such file), "
     "'../away.xlif' (it is outside of the folder)",
     2, 7},
    {"stack.lof", NULL, 1, 0},
  };
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = leica (files[i].file);
    g_autoptr (FilesImages) images = files_images_new (path, NULL);
    const GPtrArray *others = files_images_others (images);
    g_assert_cmpuint (files_images_count (images), ==, files[i].count);
    g_assert_cmpstr (files_images_left_out (images), ==, files[i].left_out);
    g_assert_cmpuint (others ? others->len : 0, ==, files[i].others);
  }
}

/* ---- Damage ---- */

/* The file of so many bytes, with `was` replaced by as many bytes of `is` in its XML. */
static char *
damaged (const char *file, gsize size, const char *was, const char *is)
{
  g_autofree char *path = leica (file), *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_autofree gunichar2 *from = g_utf8_to_utf16 (was, -1, NULL, NULL, NULL),
                       *to = g_utf8_to_utf16 (is, -1, NULL, NULL, NULL);
  const gsize length = 2 * strlen (was);
  gboolean found = !length;
  for (gsize i = 0; length && i + length <= n; i++)
    if (!memcmp (bytes + i, from, length)) {
      memcpy (bytes + i, to, length);
      found = TRUE;
    }
  g_assert_true (found);
  char *out = scratch ("damaged.lif");
  g_assert_true (g_file_set_contents (out, bytes, (gssize) (size ? MIN (size, n) : n), NULL));
  return out;
}

static void
test_damage (void)
{
  static const struct {
    const char *file;
    gsize size;
    const char *was, *is;
    FileError code;
    const char *text;
  } cases_of_damage[] = {
    {"old.lif", 100, "", "", FILE_ERROR_DAMAGED, "is truncated: its XML ends at byte "},
    {"old.lif", 7300, "", "", FILE_ERROR_DAMAGED, "image 'stack' (its pixels should be 840 bytes at byte "},
    {"old.lif", 6660, "", "", FILE_ERROR_DAMAGED, "(its memory block 'MemBlock_1' is not in the file)"},
    {"old.lif", 0, "</Image>", "</Imagf>", FILE_ERROR_DAMAGED, "has XML that cannot be read: "},
    {"old.lif", 0, "NumberOfElements=\"7\"", "NumberOfElements=\"9\"", FILE_ERROR_DAMAGED,
     "its XML says more pixels than the 840 bytes of its memory block hold"},
    {"old.lif", 0, "NumberOfElements=\"7\"", "NumberOfElements=\"0\"", FILE_ERROR_DAMAGED,
     "its XML has a dimension of 0 elements 2 bytes apart"},
    {"old.lif", 0, "BytesInc=\"14\"", "BytesInc=\"-4\"", FILE_ERROR_DAMAGED,
     "a dimension of 5 elements -1 bytes apart"},
    {"old.lif", 0, "BytesInc=\"2\"", "BytesInc=\"1\"", FILE_ERROR_DAMAGED, "a dimension of 7 elements 1 bytes apart"},
    {"old.lif", 0, "Resolution=\"12\"", "Resolution=\"99\"", FILE_ERROR_DAMAGED, "its XML has values of 99 bits"},
    {"old.lif", 0, "DataType=\"0\"", "DataType=\"1\"", FILE_ERROR_DAMAGED, "its XML has values of 12 bits"},
    {"old.lif", 0, "<ChannelDescription ", "<ChannelDescriptiom ", FILE_ERROR_DAMAGED, "has XML that cannot be read"},
    {"old.lif", 0, "<Image ", "<Imags ", FILE_ERROR_DAMAGED, "has XML that cannot be read"},
    {"old.lif", 0, "MemoryBlockID=\"MemBlock_1\"", "MemoryBlockID=\"MemBlock_2\"", FILE_ERROR_DAMAGED,
     "(its memory block 'MemBlock_2' is not in the file)"},
    {"stack.lof", 50, "", "", FILE_ERROR_DAMAGED, "the header of its memory block is not at byte 43"},
    {"stack.lof", 100, "", "", FILE_ERROR_DAMAGED, "is truncated: its 840 bytes of pixels begin at byte 62"},
    {"stack.lof", 905, "", "", FILE_ERROR_DAMAGED, "its XML should begin at byte 902"},
    {"stack.lof", 1000, "", "", FILE_ERROR_DAMAGED, "is truncated: its XML ends at byte "},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases_of_damage); i++) {
    g_autofree char *path =
      damaged (cases_of_damage[i].file, cases_of_damage[i].size, cases_of_damage[i].was, cases_of_damage[i].is);
    GError *error = NULL;
    g_assert_null (files_images_new (path, &error));
    check_error (error, (int) cases_of_damage[i].code, path, cases_of_damage[i].text);
    g_remove (path);
  }
}

/* Of a file that is cut off, images before that open. */
static void
test_cut (void)
{
  g_autofree char *path = damaged ("all.lif", 27100, "", "");
  g_autoptr (FilesImages) images = files_images_new (path, NULL);
  g_autoptr (Image) image = files_images_open (images, 0, NULL);
  g_assert_nonnull (image);
  check_pixels (image, &cases[0]);
  g_assert_nonnull (
    strstr (files_images_left_out (images), "image 'group/wide' (its memory block 'MemBlock_7' is not in"));
  g_remove (path);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strdup_printf ("/lif/%s/%u", cases[i].file, cases[i].series);
    g_test_add_data_func (name, &cases[i], test_case);
  }
  g_test_add_func ("/lif/metadata", test_metadata);
  g_test_add_func ("/lif/left-out", test_left_out);
  g_test_add_func ("/lif/damage", test_damage);
  g_test_add_func ("/lif/cut", test_cut);
  return run_files_tests ();
}
