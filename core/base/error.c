/* SPDX-License-Identifier: MIT
 *
 * GLib's extended errors carry the field.
 */
#include "core/base/error.h"

#include <string.h>

typedef struct {
  char *field;
} StepErrorPrivate;

static void
step_error_private_init (StepErrorPrivate *private)
{
  private->field = NULL;
}

static void
step_error_private_copy (const StepErrorPrivate *from, StepErrorPrivate *to)
{
  to->field = g_strdup (from->field);
}

static void
step_error_private_clear (StepErrorPrivate *private)
{
  g_free (private->field);
}

G_DEFINE_EXTENDED_ERROR (StepError, step_error)

const char *
step_error_field (const GError *error)
{
  const char *field = error->domain == STEP_ERROR ? step_error_get_private (error)->field : NULL;
  return field ? field : "";
}

void
step_error_set (GError **error, fv_status code, const char *field, const char *format, ...)
{
  va_list ap;
  if (!error)
    return;
  va_start (ap, format);
  *error = g_error_new_valist (STEP_ERROR, (int) code, format, ap);
  va_end (ap);
  step_error_get_private (*error)->field = g_strdup (field);
}

/* ---- Plugins ---- */

/* What a plugin that says nothing means. */
static const char *const statuses[] = {
  [FV_OK] = "It failed without an error message.",
  [FV_BAD_ARGUMENT] = "An argument is wrong.",
  [FV_BAD_INPUT] = "An input is wrong.",
  [FV_NO_MEMORY] = "Not enough memory.",
  [FV_DEVICE_FAULT] = "The device failed.",
  [FV_CANCELLED] = "It was stopped.",
  [FV_UNSUPPORTED] = "This is not possible on this device or with these types.",
};

/* An array that need hold neither an end nor text. */
static char *
plain_text (const char *bytes, gsize room)
{
  char *text = g_utf8_make_valid (bytes, (gssize) strnlen (bytes, room));
  for (char *c = text; *c; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  return g_strstrip (text);
}

char *
error_plugin_text (const fv_error *from)
{
  char *text = plain_text (from->text, sizeof from->text);
  if (*text)
    return text;
  g_free (text);
  return g_strdup (statuses[from->code < G_N_ELEMENTS (statuses) ? from->code : FV_OK]);
}

fv_status
error_fill (fv_error *error, fv_status code, const char *format, ...)
{
  va_list ap;
  *error = (fv_error){.size = sizeof *error, .code = code};
  va_start (ap, format);
  g_vsnprintf (error->text, sizeof error->text, format, ap);
  va_end (ap);
  return code;
}

fv_status
error_settle (fv_status status, fv_error *error)
{
  error->code = status;
  if (error->size != sizeof *error)
    return error_fill (error, FV_UNSUPPORTED, "It wrote over the size of its error.");
  if (status >= G_N_ELEMENTS (statuses))
    return error_fill (error, FV_UNSUPPORTED, "It returned %d, which is not a status.", (int) status);
  return status;
}

void
step_error_set_from_plugin (GError **error, const char *who, const fv_error *from)
{
  g_autofree char *text = error_plugin_text (from), *field = plain_text (from->field, sizeof from->field);
  step_error_set (error, from->code, field, "%s: %s%s%s", who, field, *field ? ": " : "", text);
}

gboolean
step_error_is_cancelled (const GError *error)
{
  return g_error_matches (error, STEP_ERROR, FV_CANCELLED);
}
