/* SPDX-License-Identifier: MIT
 *
 * What the user chose and what is to stay: a key file, fovea/settings.ini in the user's folder of settings. For the main
 * thread.
 */
#ifndef CORE_BASE_SETTINGS_H
#define CORE_BASE_SETTINGS_H

#include <glib.h>

typedef struct Settings Settings;

/* path: NULL for the user's own. A file that cannot be read counts as empty. */
Settings *settings_new (const char *path);
void settings_free (Settings *settings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Settings, settings_free)
/* The user's own, read at the first call. */
Settings *settings_of_user (void);

/* One sentence that says why the file is not read, or NULL. */
const char *settings_fault (const Settings *settings);
/* NULL when it is not set. Free with g_free(). */
char *settings_get (const Settings *settings, const char *group, const char *key);
/* What else is in the file by now stays, and a file that cannot be read stays as it is: FALSE with *error then, and the
 * choice holds until the program ends. */
gboolean settings_set (Settings *settings, const char *group, const char *key, const char *value, GError **error);

#endif
