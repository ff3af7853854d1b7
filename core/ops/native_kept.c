/* SPDX-License-Identifier: MIT
 *
 * The file has lines "CHECKSUM what it is": a person can read it, and take out one.
 */
#include "core/ops/native.h"

#include "core/base/file_error.h"

#include <errno.h>
#include <glib/gstdio.h>

enum { SUM = 64 }; /* digits */

static char *
kept_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "fovea", "allowed-code", NULL);
}

static char *
read_kept (void)
{
  g_autofree char *path = kept_path ();
  char *text = NULL;
  return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}

static gboolean
is_sum (const char *line)
{
  for (int i = 0; i < SUM; i++)
    if (!g_ascii_isxdigit (line[i]))
      return FALSE;
  return !line[SUM] || line[SUM] == ' ';
}

static void
keep_sum (NativeConsent *consent, const char *sum)
{
  g_mutex_lock (&consent->lock);
  g_hash_table_add (consent->codes, g_strndup (sum, SUM));
  g_hash_table_add (consent->kept, g_strndup (sum, SUM));
  g_mutex_unlock (&consent->lock);
}

void
native_allow_kept (const Modules *modules)
{
  g_autofree char *text = read_kept ();
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line; line++)
    if (is_sum (*line))
      keep_sum (modules_consent (modules), *line);
}

gboolean
native_keep (const Modules *modules, const char *code, const char *what, GError **error)
{
  g_autofree char *path = kept_path (), *folder = g_path_get_dirname (path), *before = read_kept (),
                  *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, code, -1),
                  *line = g_strdelimit (g_strdup (what), "\r\n", ' '),
                  *text = g_strdup_printf ("%s%s %s\n", before, sum, line);
  g_autoptr (GError) why = NULL;
  keep_sum (modules_consent (modules), sum);
  g_mkdir_with_parents (folder, 0700);
  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &why)
         || file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s.", why->message);
}

guint
native_kept (const Modules *modules)
{
  NativeConsent *consent = modules_consent (modules);
  g_mutex_lock (&consent->lock);
  guint n = g_hash_table_size (consent->kept);
  g_mutex_unlock (&consent->lock);
  return n;
}

gboolean
native_forget (const Modules *modules, GError **error)
{
  g_autofree char *path = kept_path ();
  NativeConsent *consent = modules_consent (modules);
  GHashTableIter iter;
  gpointer sum;
  g_mutex_lock (&consent->lock);
  g_hash_table_iter_init (&iter, consent->kept);
  while (g_hash_table_iter_next (&iter, &sum, NULL))
    g_hash_table_remove (consent->codes, sum);
  g_hash_table_remove_all (consent->kept);
  g_mutex_unlock (&consent->lock);
  return !g_remove (path) || errno == ENOENT
         || file_fail (error, FILE_ERROR_WRITE, path, "cannot be removed: %s.", g_strerror (errno));
}
