/* SPDX-License-Identifier: MIT
 *
 * What the tests of file formats share: a folder for files that they write, and files that must or must not open.
 */
#ifndef TESTS_CORE_FILES_FILES_SUPPORT_H
#define TESTS_CORE_FILES_FILES_SUPPORT_H

#include "core/files/files.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder; /* for files that tests write: run_files_tests() makes it */

static inline char *
scratch (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static inline char *
picture (const char *name)
{
  g_autofree char *path = g_strdup_printf ("tests/core/files/pictures/%s", name);
  return source_path (path);
}

/* How many files and empty folders are in a folder; they are removed. */
static inline guint
remove_files (const char *parent)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  guint n = 0;
  for (const char *name; (name = g_dir_read_name (dir)); n++) {
    g_autofree char *path = g_build_filename (parent, name, NULL);
    g_assert_cmpint (g_remove (path), ==, 0);
  }
  return n;
}

/* The same of the tests' folder. */
static inline guint
sweep (void)
{
  return remove_files (folder);
}

/* The error names the file and has the text. */
static inline void
check_error (GError *error, int code, const char *path, const char *text)
{
  g_autofree char *name = g_filename_display_name (path);
  g_assert_error (error, FILE_ERROR, code);
  if (!strstr (error->message, name) || !strstr (error->message, text) || !g_str_has_suffix (error->message, "."))
    g_error ("'%s' and '%s' should be in: %s", name, text, error->message);
  g_error_free (error);
}

static inline Image *
open_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  Image *image;
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files_images_count (images), ==, 1);
  image = files_images_open (images, 0, &error);
  g_assert_no_error (error);
  return image;
}

/* Runs the tests that were added. */
static inline int
run_files_tests (void)
{
  int status;
  folder = g_dir_make_tmp ("fovea-XXXXXX", NULL);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}

#endif
