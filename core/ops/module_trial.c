/* SPDX-License-Identifier: MIT
 *
 * Each process has markers of its own, locked while they count: neither another one that starts at the same moment nor a
 * number of a process that comes again can be mistaken. A marker says which file it was by its size and time, so that a mended
 * plugin is tried again. Written without waiting for the disk: it outlives the process, and need not outlive the system.
 */
#include "core/ops/module_trial.h"

#include "core/base/file_read.h"
#include "core/base/system/lock_file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST 65536 /* bytes of a marker */
#define ATTEMPTS 20

struct ModuleTrials {
  char *folder;
  GHashTable *left; /* what an orphaned marker says -> its path */
  char *marker;     /* of the plugin that is being loaded, or NULL */
  int lock;
};

/* The identity of the plugin's file in a marker. NULL if the file does not exist. */
static char *
identity (const char *path)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  struct stat about;
  if (stat (path, &about))
    return NULL;
  return g_strdup_printf ("%" G_GINT64_FORMAT " bytes of %" G_GINT64_FORMAT ".%09ld\n%s", (gint64) about.st_size,
                          (gint64) about.st_mtim.tv_sec, about.st_mtim.tv_nsec, full);
}

/* Whether the plugin of a marker is still the same file. */
static gboolean
is_current (const char *text)
{
  const char *path = strchr (text, '\n');
  g_autofree char *now = path ? identity (path + 1) : NULL;
  return now && !strcmp (now, text);
}

/* Takes over a marker whose process has gone, unless it says nothing, or what is known already. */
static void
look_at (ModuleTrials *t, const char *marker)
{
  int lock = lock_file_take (marker, 0);
  gsize n;
  if (lock < 0)
    return;
  g_autofree char *text = file_read_small (marker, O_NOFOLLOW, LARGEST, &n, NULL);
  if (text && is_current (text) && !g_hash_table_contains (t->left, text))
    g_hash_table_insert (t->left, g_steal_pointer (&text), g_strdup (marker));
  else
    g_unlink (marker);
  close (lock);
}

ModuleTrials *
module_trials_new (const char *folder)
{
  ModuleTrials *t = g_new0 (ModuleTrials, 1);
  t->folder = folder ? g_strdup (folder) : g_build_filename (g_get_user_state_dir (), "fovea", "loading", NULL);
  t->left = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  t->lock = -1;
  g_autoptr (GDir) dir = g_dir_open (t->folder, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *marker = g_build_filename (t->folder, name, NULL);
    if (g_str_has_suffix (name, ".marker"))
      look_at (t, marker);
  }
  return t;
}

void
module_trials_free (ModuleTrials *t)
{
  g_hash_table_unref (t->left);
  g_free (t->folder);
  g_free (t);
}

gboolean
module_trial_begin (ModuleTrials *t, const char *path, GError **error)
{
  g_autofree char *text = identity (path);
  const char *left = text ? g_hash_table_lookup (t->left, text) : NULL;
  if (left)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                      "was skipped because Fovea crashed while loading it. It is tried again when it changes, "
                      "or when you delete the file '%s'.",
                      left);
  if (!text || g_mkdir_with_parents (t->folder, 0700))
    return TRUE;
  for (int attempt = 0; attempt < ATTEMPTS && t->lock < 0; attempt++) {
    g_autofree char *name = g_strdup_printf ("%d-%08x.marker", (int) getpid (), g_random_int ());
    g_free (t->marker);
    t->marker = g_build_filename (t->folder, name, NULL);
    t->lock = lock_file_take (t->marker, O_EXCL);
  }
  if (t->lock >= 0 && write (t->lock, text, strlen (text)) != (gssize) strlen (text))
    module_trial_end (t);
  return TRUE;
}

/* The file first: a marker that can be locked is an orphan. */
void
module_trial_end (ModuleTrials *t)
{
  if (t->lock >= 0) {
    g_unlink (t->marker);
    close (t->lock);
  }
  t->lock = -1;
  g_clear_pointer (&t->marker, g_free);
}
