/* SPDX-License-Identifier: MIT
 *
 * Before a choice is written the file is read again: another program of the user may have written one.
 */
#include "core/base/settings.h"

#include "core/base/file_target.h"
#include "core/base/file_read.h"

#include <string.h>

#define LARGEST (1 << 20) /* bytes */

struct Settings {
  char *path, *fault;
  GKeyFile *keys;
};

/* Empty if the file does not exist; NULL with *error if it cannot be read. */
static GKeyFile *
load (const char *path, GError **error)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autoptr (GError) fault = NULL;
  gsize n = 0;
  g_autofree char *text = file_read_small (path, 0, LARGEST, &n, &fault);
  if (fault && !g_error_matches (fault, FILE_ERROR, FILE_ERROR_MISSING)) {
    g_propagate_error (error, g_steal_pointer (&fault));
    return NULL;
  }
  g_clear_error (&fault);
  if (n && memchr (text, 0, n))
    file_fail (error, FILE_ERROR_FORMAT, path, "is damaged: it holds a byte that is not text.");
  else if (n
           && !g_key_file_load_from_data (keys, text, n, G_KEY_FILE_KEEP_COMMENTS | G_KEY_FILE_KEEP_TRANSLATIONS,
                                          &fault))
    file_fail (error, FILE_ERROR_FORMAT, path, "is damaged: %s.", fault->message);
  else
    return g_steal_pointer (&keys);
  return NULL;
}

Settings *
settings_new (const char *path)
{
  g_autoptr (GError) error = NULL;
  Settings *s = g_new (Settings, 1);
  *s = (Settings){path ? g_strdup (path) : g_build_filename (g_get_user_config_dir (), "fovea", "settings.ini", NULL),
                  NULL, NULL};
  if (!(s->keys = load (s->path, &error))) {
    s->keys = g_key_file_new ();
    s->fault = g_strdup_printf ("Settings are neither read nor saved: %s Repair or remove the file.", error->message);
  }
  return s;
}

void
settings_free (Settings *s)
{
  if (!s)
    return;
  g_key_file_unref (s->keys);
  g_free (s->path);
  g_free (s->fault);
  g_free (s);
}

Settings *
settings_of_user (void)
{
  static Settings *settings;
  if (!settings)
    settings = settings_new (NULL);
  return settings;
}

const char *
settings_fault (const Settings *s)
{
  return s->fault;
}

char *
settings_get (const Settings *s, const char *group, const char *key)
{
  return g_key_file_get_string (s->keys, group, key, NULL);
}

static gboolean
save (GKeyFile *keys, const char *path, GError **error)
{
  g_autofree char *text = g_key_file_to_data (keys, NULL, NULL), *folder = g_path_get_dirname (path);
  g_mkdir_with_parents (folder, 0700);
  return file_save_own_text (path, text, 0666, error);
}

gboolean
settings_set (Settings *s, const char *group, const char *key, const char *value, GError **error)
{
  g_autoptr (GKeyFile) now = load (s->path, error);
  g_key_file_set_string (s->keys, group, key, value);
  if (!now)
    return FALSE;
  g_key_file_set_string (now, group, key, value);
  return save (now, s->path, error);
}
