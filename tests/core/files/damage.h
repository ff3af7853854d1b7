/* SPDX-License-Identifier: MIT
 *
 * Damaged files must give an image or an error in a sentence.
 */
#ifndef TESTS_CORE_FILES_DAMAGE_H
#define TESTS_CORE_FILES_DAMAGE_H

#include "tests/core/files/files_support.h"

/* Opens and reads what can be had of the first `most` images. */
static inline void
try_images (const char *path, guint most)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  for (guint n = 0; images && n < MIN (files_images_count (images), most) && !error; n++) {
    g_autoptr (Image) image = files_images_open (images, n, &error);
    if (image && image_bytes (image) < 1 << 24)
      image_on_host (image, NULL, &error);
  }
  if (error && (!strstr (error->message, "'") || !g_str_has_suffix (error->message, ".")))
    g_error ("no sentence: %s", error->message);
}

/* Tries the file as `name` in the tests' folder, cut off at each part in `parts` and more often near its beginning, and `changes` times with `wrong`
 * bytes of any value. */
static inline void
try_damaged (const char *from, const char *name, gsize parts, guint changes, guint wrong)
{
  g_autofree char *path = scratch (name), *bytes = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  gsize size;
  g_assert_true (g_file_get_contents (from, &bytes, &size, NULL));
  for (gsize n = 1; n < size; n += 1 + n / parts) {
    g_assert_true (g_file_set_contents_full (path, bytes, (gssize) n, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    try_images (path, G_MAXUINT);
  }
  for (guint i = 0; i < changes; i++) {
    g_autofree char *changed = g_memdup2 (bytes, size);
    for (guint k = 0; k < wrong; k++)
      changed[g_rand_int_range (rand, 0, (gint32) size)] = (char) g_rand_int_range (rand, 0, 256);
    g_assert_true (g_file_set_contents_full (path, changed, (gssize) size, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    try_images (path, G_MAXUINT);
  }
  sweep ();
}

#endif
