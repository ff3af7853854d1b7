/* SPDX-License-Identifier: MIT
 */
#include "runtime/error.h"

#include <string.h>

gboolean
model_error (GError **error, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  g_autofree char *text = g_strdup_vprintf (format, ap);
  va_end (ap);
  g_autofree char *valid = g_utf8_make_valid (text, -1); /* a text may be cut within a character */
  g_set_error_literal (error, g_quark_from_static_string ("fovea-model"), 0, valid);
  return FALSE;
}

void
model_text (char *to, gsize size, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  const char *end = valid + MIN (strlen (valid), size - 1);
  while (((guint8) *end & 0xc0) == 0x80) /* within a character */
    end--;
  memcpy (to, valid, (gsize) (end - valid));
  to[end - valid] = 0;
}
