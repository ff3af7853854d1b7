/* SPDX-License-Identifier: MIT
 *
 * The log of core is GLib's, under a name of its own.
 */
#include "library/fovea.h"

#include <glib.h>

#define DOMAIN "Fovea" /* as in core/meson.build */

typedef struct {
  fovea_log log;
  void *user;
} Listener;

static void
tell (const gchar *domain, GLogLevelFlags level, const gchar *text, gpointer data)
{
  const Listener *listener = data;
  (void) domain;
  (void) level;
  listener->log (listener->user, text);
}

void
fovea_log_to (fovea_log log, void *user)
{
  static guint handler;
  if (handler)
    g_log_remove_handler (DOMAIN, handler);
  handler = 0;
  if (!log)
    return;
  Listener *listener = g_new (Listener, 1);
  *listener = (Listener){log, user};
  handler = g_log_set_handler_full (DOMAIN, G_LOG_LEVEL_INFO | G_LOG_LEVEL_MESSAGE, tell, listener, g_free);
}
