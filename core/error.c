/* SPDX-License-Identifier: MIT
 *
 * GLib's extended errors carry the field.
 */
#include "error.h"

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

void
step_error_set_from_plugin (GError **error, const char *who, const fv_error *from)
{
  g_autofree char *text = g_utf8_make_valid (from->text, -1);
  step_error_set (error, from->code, from->field, "%s: %s%s%s", who, from->field, from->field[0] ? ": " : "", text);
}

gboolean
step_error_is_cancelled (const GError *error)
{
  return g_error_matches (error, STEP_ERROR, FV_CANCELLED);
}
