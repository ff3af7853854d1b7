/* SPDX-License-Identifier: MIT
 *
 * Recognition, PNG and the pictures that gdk-pixbuf reads. The arrays in files/pictures were read by Pillow and imagecodecs
 * (files/make_pictures.py).
 */
#include "core/base/parallel.h"
#include "tests/core/files/files_support.h"

#include <unistd.h>
#include <xxhash.h>

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
  {"gray.bmp", FV_U8, FV_IMAGE, NULL},
  {"rgb.bmp", FV_U8, FV_RGB, NULL},
  {"bits.bmp", FV_U8, FV_IMAGE, NULL},
  {"gray.pgm", FV_U8, FV_IMAGE, NULL},
  {"rgb.ppm", FV_U8, FV_RGB, NULL},
  {"bits.pbm", FV_U8, FV_IMAGE, NULL},
  {"two.gif", FV_U8, FV_RGB, NULL},
};

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
  g_assert_cmpint (info->channel_names != NULL, ==, p->last != NULL);
  if (p->last) {
    g_assert_cmpint (g_strv_length (info->channel_names), ==, info->channels);
    g_assert_cmpstr (info->channel_names[info->channels - 1], ==, p->last);
  }
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
    {"truncated.bmp", FILE_ERROR_DAMAGED, "is truncated"},
    {"truncated.gif", FILE_ERROR_DAMAGED, "is damaged or truncated"},
    {"deep.pgm", FILE_ERROR_UNSUPPORTED, "has values up to 65535"},
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
  static const char *const names[] = {"rgba16i.png", "palette8_alpha.png", "gray4.png", "progressive.jpg",
                                      "holes.gif",   "gray.bmp",           "rgb.ppm"};
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
  check_cannot_open (text, FILE_ERROR_FORMAT, "TIFF, FITS, PNG, JPEG");
  g_assert_null (files_images_new (text, &error));
  check_error (error, FILE_ERROR_FORMAT, text, "TIFF, FITS, PNG, JPEG");
  error = NULL;
  g_assert_null (files_open (png, 1, &error));
  check_error (error, FILE_ERROR_OPEN, png, "there is no number 1");
  g_assert_true (g_file_get_contents (png, &bytes, &size, NULL));
  g_file_set_contents (disguised, bytes, (gssize) size, NULL);
  image = open_file (disguised);
  g_assert_cmpint (image_info (image)->columns, ==, 13);
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

/* Whatever was read of the file, and however often; files that cannot be read have a hash, too. */
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
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    g_autofree char *path = g_strdup_printf ("/files/open/%s", pictures[i].name);
    g_test_add_data_func (path, &pictures[i], test_picture);
  }
  g_test_add_func ("/files/png/ranges", test_png_ranges);
  g_test_add_func ("/files/png/pixel-size", test_png_pixel_size);
  g_test_add_func ("/files/gif/holes", test_gif_holes);
  g_test_add_func ("/files/damaged", test_damaged);
  g_test_add_func ("/files/damaged-jpeg", test_damaged_jpeg);
  g_test_add_func ("/files/mutilated", test_mutilated);
  g_test_add_func ("/files/recognition", test_recognition);
  g_test_add_func ("/files/hashes", test_hashes);
  g_test_add_func ("/files/hash-once", test_hash_once);
  g_test_add_func ("/files/no-standard-input", test_no_standard_input);
  return run_files_tests ();
}
