/* SPDX-License-Identifier: MIT */
#include "core/base/file_error.h"

#include "core/base/file_name.h"
#include "core/base/text.h"

/* G_DEFINE_QUARK() would write a variable that all threads share. */
GQuark
file_error_quark (void)
{
  return g_quark_from_static_string ("fovea-file-error");
}

gboolean
file_fail (GError **error, FileError code, const char *path, const char *format, ...)
{
  g_autofree char *given = file_name_given (path), *name = text_visible (given, ""), *text = NULL;
  va_list ap;
  va_start (ap, format);
  text = g_strdup_vprintf (format, ap);
  va_end (ap);
  g_set_error (error, FILE_ERROR, (int) code, "'%s' %s", name, text);
  return FALSE;
}
