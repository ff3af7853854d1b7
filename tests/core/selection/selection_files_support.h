/* SPDX-License-Identifier: MIT
 *
 * What the tests of files of selections share.
 */
#ifndef TESTS_CORE_SELECTION_SELECTION_FILES_SUPPORT_H
#define TESTS_CORE_SELECTION_SELECTION_FILES_SUPPORT_H

#include "core/base/file_error.h"
#include "tests/core/files/files_support.h"
#include "tests/core/selection/selection_support.h"

static inline char *
kept (const char *name)
{
  g_autofree char *path = g_strdup_printf ("tests/core/selection/data/%s", name);
  return source_path (path);
}

static inline GPtrArray *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *selections = selections_read (path, NULL, &error);
  g_assert_no_error (error);
  return selections;
}

static inline void
check_text (const Selection *selection, const char *expected)
{
  g_autofree char *text = selection_format (selection);
  g_assert_cmpstr (text, ==, expected);
}

static inline void
check_cannot_read (const char *path, int code, const char *text)
{
  GError *error = NULL;
  g_assert_null (selections_read (path, NULL, &error));
  check_error (error, code, path, text);
}

#endif
