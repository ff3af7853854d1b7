/* SPDX-License-Identifier: MIT
 *
 * The work of each thread.
 */
#include "core/base/progress.h"

#include "core/base/error.h"

static GPrivate current = G_PRIVATE_INIT (NULL);

void
progress_enter (Progress *p)
{
  g_private_set (&current, p);
}

Progress *
progress_current (void)
{
  return g_private_get (&current);
}

gboolean
progress_stopped (GError **error)
{
  if (!progress_is_stopped (progress_current ()))
    return FALSE;
  step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
  return TRUE;
}
