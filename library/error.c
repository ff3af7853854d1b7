/* SPDX-License-Identifier: MIT
 *
 * A GError as other programs see it.
 */
#include "library/private.h"

#include "core/base/error.h"
#include "core/base/file_error.h"

struct fovea_error {
  fovea_code code;
  char *field, *message;
};

static fovea_code
code_of (const GError *error)
{
  G_STATIC_ASSERT ((int) FOVEA_BAD_ARGUMENT == (int) FV_BAD_ARGUMENT);
  G_STATIC_ASSERT ((int) FOVEA_UNSUPPORTED == (int) FV_UNSUPPORTED);
  if (error->domain == STEP_ERROR && error->code > FOVEA_OK && error->code <= FOVEA_UNSUPPORTED)
    return (fovea_code) error->code;
  if (error->domain == FILE_ERROR)
    return error->code == FILE_ERROR_UNSUPPORTED ? FOVEA_UNSUPPORTED : FOVEA_BAD_FILE;
  return FOVEA_FAILED;
}

fovea_code
library_fail (fovea_error **error, GError *from)
{
  fovea_code code = code_of (from);
  if (error) {
    *error = g_new (fovea_error, 1);
    **error = (fovea_error){code, g_strdup (step_error_field (from)), g_strdup (from->message)};
  }
  g_error_free (from);
  return code;
}

fovea_code
library_fail_argument (fovea_error **error, const char *name, const char *format, ...)
{
  GError *fault = NULL;
  va_list ap;
  va_start (ap, format);
  g_autofree char *text = g_strdup_vprintf (format, ap);
  va_end (ap);
  step_error_set (&fault, FV_BAD_ARGUMENT, name, "%s: %s", name, text);
  return library_fail (error, fault);
}

gboolean
library_has (const void *argument, const char *name, fovea_error **error)
{
  if (!argument)
    library_fail_argument (error, name, "It is NULL.");
  return argument != NULL;
}

fovea_code
fovea_error_code (const fovea_error *error)
{
  return error ? error->code : FOVEA_OK;
}

const char *
fovea_error_message (const fovea_error *error)
{
  return error ? error->message : "";
}

const char *
fovea_error_field (const fovea_error *error)
{
  return error ? error->field : "";
}

void
fovea_error_free (fovea_error *error)
{
  if (!error)
    return;
  g_free (error->field);
  g_free (error->message);
  g_free (error);
}
