/* SPDX-License-Identifier: MIT
 *
 * ND2 files of tests/core/files/nikon, which nikon_files.py wrote, and nd2 reads alike.
 */
#include "core/data/pixel_type.h"
#include "tests/core/files/files_support.h"

typedef struct {
  const char *file;
  guint series;
  const char *name;
  fv_type type;
  gint64 columns, rows, depth, channels, frames;
  double size, slice; /* µm; 0: unknown */
  double interval;    /* s */
  const char *names;
  gint64 first; /* pixel 0 of channel 0; other elements count as in nikon_files.py */
  gint64 frame; /* of the file, from one frame of the image to the next */
} Case;

static const Case cases[] = {
  {"stack.nd2", 0, "stack.nd2", FV_U16, 5, 4, 3, 2, 2, 0.25, 0.5, 4.5, "DAPI|FITC", 1, 3},
  {"positions.nd2", 0, "positions.nd2: A1", FV_U16, 5, 4, 1, 1, 2, 0.25, 0, 3, "DAPI", 1, 2},
  {"positions.nd2", 1, "positions.nd2: position 2", FV_U16, 5, 4, 1, 1, 2, 0.25, 0, 3, "DAPI", 98, 2},
  {"deflated.nd2", 0, "deflated.nd2", FV_U8, 5, 4, 3, 2, 1, 0.25, 1, 0, "DAPI|FITC", 1, 0},
  {"colors.nd2", 0, "colors.nd2", FV_U8, 7, 4, 1, 3, 1, 0.25, 0, 0, NULL, 1, 0},
  {"colors_deflated.nd2", 0, "colors_deflated.nd2", FV_U8, 7, 4, 1, 3, 1, 0.25, 0, 0, NULL, 1, 0},
  {"float.nd2", 0, "float.nd2", FV_F32, 5, 4, 1, 1, 1, 0, 0, 0, "DAPI", 1, 0},
  {"old.nd2", 0, "old.nd2: A1", FV_U16, 5, 4, 2, 2, 2, 0.25, 0.5, 6, "DAPI|FITC", 1, 4},
  {"old.nd2", 1, "old.nd2: B1", FV_U16, 5, 4, 2, 2, 2, 0.25, 0.5, 6, "DAPI|FITC", 98, 4},
  {"channels.nd2", 0, "channels.nd2: A1", FV_U16, 5, 4, 2, 4, 2, 0.25, 0.5, 6, "DAPI|FITC|TRITC|Cy5", 1, 4},
  {"channels.nd2", 1, "channels.nd2: B1", FV_U16, 5, 4, 2, 4, 2, 0.25, 0.5, 6, "DAPI|FITC|TRITC|Cy5", 98, 4},
  {"aborted.nd2", 0, "aborted.nd2", FV_U16, 5, 4, 2, 1, 1, 0.25, 0.5, 0, "DAPI", 1, 0},
};

static char *
nikon (const char *name)
{
  g_autofree char *path = g_strdup_printf ("tests/core/files/nikon/%s", name);
  return source_path (path);
}

static void
check_pixels (Image *image, const Case *c)
{
  const gboolean rgb = image_info (image)->role == FV_RGB;
  for (gint64 plane = 0; plane < image_info_planes (image_info (image)); plane++) {
    const void *pixels = image_plane (image, plane, NULL);
    const gint64 z = plane % c->depth, k = plane / c->depth % c->channels, t = plane / c->depth / c->channels;
    g_assert_nonnull (pixels);
    for (gint64 i = 0; i < c->rows * c->columns; i++) {
      const gint64 value = c->first + 17 * t + 7 * z + 31 * (rgb ? 2 - k : k) + 3 * (i / c->columns) + i % c->columns;
      g_assert_cmpfloat (pixel_type_value (c->type, pixels, i), ==, c->type == FV_U8 ? value % 256 : value);
    }
  }
}

/* A part of each plane is the same as in the plane. */
static void
check_region (Image *image, const Case *c)
{
  const ImageRegion region = {1, 2, 2, 3};
  const gsize bytes = pixel_type_bytes (c->type), row = 3 * bytes;
  for (gint64 plane = 0; plane < image_info_planes (image_info (image)); plane++) {
    guint8 part[2 * 3 * 8];
    g_assert_true (image_read (image, 0, plane, &region, part, row, NULL));
    const guint8 *pixels = image_plane (image, plane, NULL);
    for (gsize y = 0; y < 2; y++)
      g_assert_cmpmem (part + y * row, row, pixels + ((1 + y) * (gsize) c->columns + 2) * bytes, row);
  }
}

static void
check_info (const ImageInfo *info, const Case *c)
{
  const double sizes[] = {c->slice, c->size, c->size};
  g_assert_cmpstr (info->name, ==, c->name);
  g_assert_cmpint (info->type, ==, c->type);
  g_assert_cmpint (info->columns, ==, c->columns);
  g_assert_cmpint (info->rows, ==, c->rows);
  g_assert_cmpint (info->depth, ==, c->depth);
  g_assert_cmpint (info->channels, ==, c->channels);
  g_assert_cmpint (info->frames, ==, c->frames);
  for (int axis = info->depth > 1 ? 0 : 1; axis < 3; axis++) {
    g_assert_cmpfloat (info->spacing[axis], ==, sizes[axis] > 0 ? sizes[axis] : 1);
    g_assert_cmpstr (info->units[axis], ==, sizes[axis] > 0 ? "µm" : "");
  }
  g_assert_cmpfloat (info->frame_interval, ==, c->interval);
  g_autofree char *names = info->channel_names ? g_strjoinv ("|", info->channel_names) : NULL;
  g_assert_cmpstr (names, ==, c->names);
  for (gint64 t = 1; info->notes->labels && t < info->frames; t++) {
    g_autofree char *time = g_strdup_printf ("%.4f s", 1.5 * (double) (t * c->frame));
    g_assert_cmpstr (info->notes->labels[t * info->channels * info->depth], ==, time);
  }
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *path = nikon (c->file);
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  g_assert_no_error (error);
  g_autoptr (Image) image = files_images_open (images, c->series, &error),
                    again = files_images_open (images, c->series, NULL);
  g_assert_no_error (error);
  ImageInfo described;
  const char *depends;
  g_assert_true (files_images_describe (images, c->series, &described, &depends, &error));
  check_info (&described, c);
  check_info (image_info (image), c);
  check_region (image, c);
  check_pixels (image, c);
  check_pixels (again, c);
  image_info_clear (&described);
}

static void
test_metadata (void)
{
  g_autofree char *path = nikon ("stack.nd2"), *second = nikon ("positions.nd2"), *color = nikon ("colors.nd2");
  g_autoptr (Image) stack = files_open (path, 0, NULL), position = files_open (second, 1, NULL),
                    rgb = files_open (color, 0, NULL);
  const ImageInfo *info = image_info (stack);
  g_assert_cmpuint (info->channel_colors[0], ==, 0x0000ff);
  g_assert_cmpuint (info->channel_colors[1], ==, 0x10ff00);
  g_assert_cmpint (image_info (rgb)->role, ==, FV_RGB);
  g_assert_cmpstr (
    info->notes->info, ==,
    "Acquired: 2026-11-28T09:30:00Z\nDate: 28/11/2026  10:30:00\nObjective: Plan Apo λ 60x\n"
    "Numerical aperture: 0.95\nRefractive index: 1\nZoom: 2.5\nStage x (µm): -26056.5\nStage y (µm): -4155.25\n"
    "Stage z (µm): 3914\nDimensions: T(2) \n{Laser}: 488\n");
  g_assert_true (g_str_has_prefix (image_info (position)->notes->info, "Image: position 2\n"));
  g_assert_nonnull (strstr (image_info (position)->notes->info, "\nStage x (µm): 2.5\nStage y (µm): -1.5\n"));
}

/* ---- Damage ---- */

/* The file of so many bytes, with `was` replaced by as many bytes of `is`; both as characters of UTF-16 where they are names of metadata. */
static char *
damaged (const char *file, gsize size, const char *was, const guint8 *is, gsize n)
{
  g_autofree char *path = nikon (file), *bytes = NULL;
  gsize all;
  g_assert_true (g_file_get_contents (path, &bytes, &all, NULL));
  if (was) {
    g_autofree gunichar2 *name = g_utf8_to_utf16 (was, -1, NULL, NULL, NULL);
    const gsize length = 2 * strlen (was) + 2;
    char *at = memmem (bytes, all, name, length);
    g_assert_nonnull (at);
    memcpy (at + length, is, n);
  }
  char *out = scratch ("damaged.nd2");
  g_assert_true (g_file_set_contents (out, bytes, (gssize) (size ? size : all), NULL));
  return out;
}

static void
test_damage (void)
{
  static const struct {
    const char *file;
    gsize size;
    const char *was; /* whose 4 bytes become these */
    guint8 is[4];
    FileError code;
    const char *text;
  } faults[] = {
    {"stack.nd2", 60, NULL, {0}, FILE_ERROR_DAMAGED, "it has no ND2 version"},
    {"stack.nd2", 4000, NULL, {0}, FILE_ERROR_DAMAGED, "its attributes are missing"},
    {"float.nd2", 0, "uiBpcInMemory", {12}, FILE_ERROR_UNSUPPORTED, "has values of 12 bits"},
    {"float.nd2",
     0,
     "uiWidth",
     {0, 1},
     FILE_ERROR_DAMAGED,
     "it says frames of 256 × 4 pixels with 1 values in rows of 20 bytes"},
    {"float.nd2", 0, "eCompression", {1}, FILE_ERROR_UNSUPPORTED, "is compressed with losses"},
    {"float.nd2", 0, "uiTileWidth", {2}, FILE_ERROR_UNSUPPORTED, "is stored in tiles"},
    {"stack.nd2", 0, "uiCount", {0, 0, 1}, FILE_ERROR_DAMAGED, NULL},
  };
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_autofree char *path = damaged (faults[i].file, faults[i].size, faults[i].was, faults[i].is, 4);
    GError *error = NULL;
    FilesImages *images = files_images_new (path, &error);
    if (faults[i].text) {
      g_assert_null (images);
      check_error (error, (int) faults[i].code, path, faults[i].text);
    } else { /* more frames than there are: those that are complete stay */
      g_assert_nonnull (images);
      g_assert_cmpstr (files_images_left_out (images), ==, "frames 3 to 65536 (not in the file)");
      files_images_free (images);
    }
    g_remove (path);
  }
}

/* A deflated frame that is damaged is an error of its planes alone. */
static void
test_deflated (void)
{
  g_autofree char *path = nikon ("deflated.nd2"), *bytes = NULL, *out = scratch ("deflated.nd2");
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  char *frame = memmem (bytes, n, "ImageDataSeq|1!", 15);
  frame[4072 + 8 + 6] ^= 0x55;
  g_assert_true (g_file_set_contents (out, bytes, (gssize) n, NULL));
  g_autoptr (Image) image = files_open (out, 0, NULL);
  GError *error = NULL;
  g_assert_nonnull (image_plane (image, 0, NULL));
  g_assert_null (image_plane (image, 1, &error));
  check_error (error, FILE_ERROR_DAMAGED, out, "frame 2 of it cannot be decompressed");
  g_assert_nonnull (image_plane (image, 2, NULL));
  g_remove (out);
}

static void
test_no_frames (void)
{
  g_autofree char *path = nikon ("float.nd2"), *bytes = NULL, *out = scratch ("none.nd2");
  GError *error = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (guint i = 0; i < 2; i++) { /* another number; and in a file without a map a name without any */
    for (char *at = bytes; (at = memmem (at, n - (gsize) (at - bytes), i ? "ImageDataSeq|9!" : "ImageDataSeq|0!", 15));
         at++)
      memcpy (at + 13, i ? "\0" : "9!", 2);
    g_assert_true (g_file_set_contents (out, bytes, (gssize) (n - i), NULL));
    g_assert_null (files_images_new (out, &error));
    check_error (g_steal_pointer (&error), FILE_ERROR_DAMAGED, out,
                 "of the 1 frames of its first image 0 are in the file");
  }
  g_remove (out);
}

/* Without the map at the end chunks are found one by one. */
static void
test_cut (void)
{
  g_autofree char *path = nikon ("stack.nd2"), *bytes = NULL, *aborted = nikon ("aborted.nd2");
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_autofree char *out = scratch ("cut.nd2");
  g_assert_true (g_file_set_contents (out, bytes, (gssize) n - 1, NULL));
  g_autoptr (Image) image = files_open (out, 0, NULL);
  g_assert_nonnull (image);
  check_pixels (image, &cases[0]);
  g_remove (out);
  g_autoptr (FilesImages) images = files_images_new (aborted, NULL);
  g_assert_cmpstr (files_images_left_out (images), ==, "frames 2 to 3 (not in the file)");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strdup_printf ("/nd2/%s/%u", cases[i].file, cases[i].series);
    g_test_add_data_func (name, &cases[i], test_case);
  }
  g_test_add_func ("/nd2/metadata", test_metadata);
  g_test_add_func ("/nd2/damage", test_damage);
  g_test_add_func ("/nd2/deflated", test_deflated);
  g_test_add_func ("/nd2/no-frames", test_no_frames);
  g_test_add_func ("/nd2/cut", test_cut);
  return run_files_tests ();
}
