/* SPDX-License-Identifier: MIT
 *
 * What the user says of a file without a header: how it is read and written as text, what fits a file, and what is guessed. tests/command/test_raw.py
 * compares pixels.
 */
#include "core/files/raw.h"
#include "tests/core/files/files_support.h"

static void
test_text (void)
{
  FilesRaw raw, again;
  g_autoptr (GError) error = NULL;
  g_assert_true (
    files_raw_parse ("width=7 height=5 slices=3 type=i16 endian=big order=xyczt offset=9 gap=2", &raw, &error));
  g_autofree char *text = files_raw_format (&raw);
  g_assert_true (files_raw_parse (text, &again, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (&raw, sizeof raw, &again, sizeof again);
  g_assert_cmpuint (files_raw_end (&raw), ==, 9 + 3 * 5 * 7 * 2 + 2 * 2);
}

static void
test_wrong (void)
{
  static const char *const wrong[][2] = {
    {"width=7", "width and height are needed"},
    {"", "width and height are needed"},
    {"width=7 height=5 slize=2", "Did you mean 'slices'"},
    {"width=7 height=5 type=u12", "u12"},
    {"width=-7 height=5", "width"},
    {"width=7 height=5 width=8", "width"},
    {"width=7 height=5 q=1", "Parameters are width"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    FilesRaw raw;
    g_autoptr (GError) error = NULL;
    g_assert_false (files_raw_parse (wrong[i][0], &raw, &error));
    if (!strstr (error->message, wrong[i][1]))
      g_error ("'%s' should be in: %s", wrong[i][1], error->message);
    g_assert_false (files_raw_set ("a.raw", wrong[i][0], NULL));
    g_assert_null (files_raw_of ("a.raw"));
  }
}

/* Sizes that no memory has are none, and none overflows. */
static void
test_limits (void)
{
  FilesRaw raw = {
    .width = G_MAXINT32, .height = G_MAXINT32, .slices = 1, .channels = 1, .frames = 1, .gap = G_MAXINT32};
  g_assert_cmpuint (files_raw_end (&raw), ==, 0);
  raw.width = raw.height = 1;
  raw.slices = 1 << 30;
  g_assert_cmpuint (files_raw_end (&raw), ==, (1 << 30) + (guint64) G_MAXINT32 * ((1 << 30) - 1));
  raw.frames = 2;
  g_assert_cmpuint (files_raw_end (&raw), ==, 0);
}

static void
test_guess (void)
{
  static const struct {
    const char *name;
    guint64 size;
    const char *text;
  } cases[] = {
    {"head_256x128x10_u8.raw", 256 * 128 * 10 + 348, "width=256 height=128 slices=10 offset=348"},
    {"head_100x50.raw", 100 * 50 * 2, "width=100 height=50 type=u16"},
    {"head-30X20X4-F32.raw", 30 * 20 * 4 * 4, "width=30 height=20 slices=4 type=f32"},
    {"100x50.raw", 512 * 512 * 2, "width=512 height=512 type=u16"}, /* the name lies */
    {"a.raw", 512 * 512 * 2, "width=512 height=512 type=u16"},
    {"a.raw", 300 * 300, "width=300 height=300"},
    {"i16.raw", 300 * 300 * 2, "width=300 height=300 type=i16"},
    {"a.raw", 256 * 256 * 2 * 3, "width=256 height=256 slices=3 type=u16"},
    {"a.raw", 1000, "width=31 height=31"},
    {"a.raw", 0, "width=1 height=1"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const FilesRaw raw = files_raw_guess (cases[i].name, cases[i].size);
    g_autofree char *text = files_raw_format (&raw);
    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

/* A file is read as was said last, whatever it begins with, and by its contents once nothing is said. */
static void
test_set (void)
{
  g_autofree char *path = scratch ("a.raw");
  const guint8 bytes[] = "P5 2 1 255\n\1\2";
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, (const char *) bytes, sizeof bytes - 1, NULL));
  g_assert_true (files_raw_set (path, "width=13 height=1", &error));
  g_autoptr (Image) raw = open_file (path);
  g_assert_cmpmem (image_on_host (raw, NULL, &error), 13, bytes, 13);
  g_assert_true (files_raw_set (path, "width=14 height=1", &error));
  g_assert_null (files_open (path, 0, &error));
  check_error (g_steal_pointer (&error), FILE_ERROR_FORMAT, path,
               "pixels would end at byte 14, and the file ends at 13");
  g_assert_true (files_raw_set (path, NULL, &error));
  g_autoptr (Image) gray = open_file (path);
  g_assert_cmpint (image_info (gray)->columns, ==, 2);
  g_assert_cmpuint (sweep (), ==, 1);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/files/raw/text", test_text);
  g_test_add_func ("/files/raw/wrong", test_wrong);
  g_test_add_func ("/files/raw/limits", test_limits);
  g_test_add_func ("/files/raw/guess", test_guess);
  g_test_add_func ("/files/raw/set", test_set);
  return run_files_tests ();
}
