/* SPDX-License-Identifier: MIT
 *
 * A folder of image files with a list of them, cases.ini, in which each file has a section with what it must read as.
 */
#ifndef TESTS_CORE_FILES_CASES_H
#define TESTS_CORE_FILES_CASES_H

#include "tests/support/support.h"

static GKeyFile *cases;
static const char *cases_folder; /* from the top of the sources */

static inline char *
data_path (const char *file)
{
  g_autofree char *path = g_build_filename (cases_folder, file, NULL);
  return source_path (path);
}

/* NULL where the section has no such key, or nothing behind it. */
static inline char *
text_of (const char *section, const char *key)
{
  char *text = g_key_file_get_string (cases, section, key, NULL);
  if (text && !*text)
    g_clear_pointer (&text, g_free);
  return text;
}

/* 0 where the section has no such key. */
static inline int
number_of (const char *section, const char *key)
{
  return g_key_file_get_integer (cases, section, key, NULL);
}

/* Reads the list. Returns its sections. */
static inline char **
cases_open (const char *parent)
{
  cases_folder = parent;
  g_autofree char *path = data_path ("cases.ini");
  cases = g_key_file_new ();
  g_assert_true (g_key_file_load_from_file (cases, path, G_KEY_FILE_NONE, NULL));
  return g_key_file_get_groups (cases, NULL);
}

#endif
