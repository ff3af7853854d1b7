/* SPDX-License-Identifier: MIT
 *
 * Texts for people, steps and files.
 */
#include "library/private.h"

#include "core/base/file_target.h"
#include "core/base/text.h"

char *
fovea_text_from_bytes (const char *bytes, const char *keep)
{
  if (!bytes)
    return NULL;
  return keep ? text_visible (bytes, keep) : text_from_bytes (bytes);
}

char *
fovea_text_from_number (double number)
{
  return text_from_number (number);
}

void
fovea_text_free (char *text)
{
  g_free (text);
}

fovea_code
fovea_text_save (const char *text, const char *path, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (text, "text", error) || !library_has (path, "path", error))
    return FOVEA_BAD_ARGUMENT;
  return file_save_text (path, text, 0666, &fault) ? FOVEA_OK : library_fail (error, fault);
}
