/* SPDX-License-Identifier: MIT
 */
#include "runtime/store.h"

#include "runtime/error.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

enum { KEPT = 16 };

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) folder = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  for (const char *name; folder && (name = g_dir_read_name (folder));) {
    g_autofree char *inner = g_build_filename (path, name, NULL);
    remove_tree (inner);
  }
  g_remove (path);
}

static gboolean
write_file (const char *folder, const char *name, const void *bytes, gsize n, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *parent = g_path_get_dirname (path);
  g_mkdir_with_parents (parent, 0700);
  return g_file_set_contents_full (path, bytes, (gssize) n, G_FILE_SET_CONTENTS_NONE, 0600, error);
}

static gboolean
write_all (const Package *p, const char *folder, GError **error)
{
  g_autofree char *files = g_build_filename (folder, MODEL_FILES, NULL);
  GHashTableIter all;
  gpointer name, bytes;
  for (g_hash_table_iter_init (&all, p->files); g_hash_table_iter_next (&all, &name, &bytes);)
    if (!write_file (files, name, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error))
      return FALSE;
  if (p->input
      && (!write_file (folder, MODEL_INPUT, p->input, (gsize) p->pixels * sizeof (float), error)
          || !write_file (folder, MODEL_OUTPUT, p->output, (gsize) p->numbers * sizeof (float), error)))
    return FALSE;
  if (p->card && !write_file (folder, MODEL_CARD, p->card, strlen (p->card), error))
    return FALSE;
  return write_file (folder, MODEL_HEAD, &p->head, sizeof p->head, error);
}

typedef struct Kept {
  char *path;
  gint64 time;
} Kept;

static int
newest_first (gconstpointer one, gconstpointer other)
{
  const Kept *a = one, *b = other;
  return (a->time < b->time) - (a->time > b->time);
}

/* Removes the oldest folders. */
static void
tidy (const char *parent)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Kept));
  g_autoptr (GDir) folder = g_dir_open (parent, 0, NULL);
  for (const char *name; folder && (name = g_dir_read_name (folder));) {
    Kept kept = {g_build_filename (parent, name, NULL), 0};
    GStatBuf about;
    kept.time = g_stat (kept.path, &about) ? 0 : about.st_mtime;
    g_array_append_val (all, kept);
  }
  g_array_sort (all, newest_first);
  for (guint i = 0; i < all->len; i++) {
    Kept *kept = &g_array_index (all, Kept, i);
    if (i >= KEPT)
      remove_tree (kept->path);
    g_free (kept->path);
  }
}

gboolean
store_package (const Package *package, const char *folder, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (folder), *made = g_strconcat (folder, ".XXXXXX", NULL);
  GError *fault = NULL;
  if (g_mkdir_with_parents (parent, 0700) || !g_mkdtemp (made))
    return model_error (error,
                        "Its files cannot be kept in %s: %s. Set XDG_CACHE_HOME to a folder that can be written.",
                        parent, g_strerror (errno));
  if (!write_all (package, made, &fault)) {
    model_error (error, "Its files cannot be kept in %s: %s.", parent, fault->message);
    g_error_free (fault);
    remove_tree (made);
    return FALSE;
  }
  remove_tree (folder);
  if (g_rename (made, folder)) /* another process was first */
    remove_tree (made);
  tidy (parent);
  return TRUE;
}
