/* SPDX-License-Identifier: MIT
 *
 * A few are shown; the device report has all plugins.
 */
#include "ui/app/start_faults.h"

#include "ui/shell/recent.h"
#include "core/base/settings.h"

#include <glib/gi18n.h>

#define SHOWN 3 /* plugins */

char *
start_faults (const Modules *modules)
{
  g_autoptr (GString) s = g_string_new (NULL);
  const char *const of_files[] = {settings_fault (settings_of_user ()), recent_fault ()};
  const char *const *refused = modules_refused (modules);
  for (guint i = 0; i < G_N_ELEMENTS (of_files); i++)
    if (of_files[i])
      g_string_append_printf (s, "%s ", of_files[i]);
  for (guint i = 0; i < SHOWN && refused[i]; i++) {
    g_string_append_printf (s, _ ("Not loaded: %s"), refused[i]);
    g_string_append_c (s, ' ');
  }
  if (g_strv_length ((char **) refused) > SHOWN)
    g_string_append (s, _ ("Others were not loaded: see Help ▸ Device Report."));
  return s->len ? g_strdup (g_strchomp (s->str)) : NULL;
}
