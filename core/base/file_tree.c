/* SPDX-License-Identifier: MIT
 */
#include "core/base/file_tree.h"

#include "core/base/progress.h"

#include <errno.h>
#include <string.h>

typedef struct {
  FileTreeVisit visit;
  gpointer data;
  gsize root; /* bytes of the folder's path and the slash behind it */
} Walk;

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* NULL with *error. */
static GPtrArray *
names_of (const char *folder, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  if (!dir) {
    file_fail (error, FILE_ERROR_OPEN, folder, "cannot be read: %s.", g_strerror (errno));
    return NULL;
  }
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare);
  return names;
}

static gboolean
walk (const Walk *w, const char *folder, guint depth, GError **error)
{
  if (depth > FILE_TREE_DEEPEST)
    return file_fail (error, FILE_ERROR_OPEN, folder, "is more than %d folders deep.", FILE_TREE_DEEPEST);
  g_autoptr (GPtrArray) names = names_of (folder, error);
  for (guint i = 0; names && i < names->len; i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    struct stat about;
    if (progress_stopped (error))
      return FALSE;
    if (!lstat (path, &about) && S_ISDIR (about.st_mode)) {
      if (!walk (w, path, depth + 1, error))
        return FALSE;
    } else if (!stat (path, &about) && S_ISREG (about.st_mode)
               && !w->visit (path, path + w->root, &about, w->data, error))
      return FALSE;
  }
  return names != NULL;
}

gboolean
file_tree_walk (const char *folder, FileTreeVisit visit, gpointer data, GError **error)
{
  g_autofree char *first = g_build_filename (folder, "x", NULL);
  const Walk w = {visit, data, strlen (first) - 1};
  return walk (&w, folder, 0, error);
}
