/* SPDX-License-Identifier: MIT
 */
#include "core/files/list_images.h"

#include "core/base/natural.h"
#include "core/base/progress.h"
#include "core/files/formats.h"

#include <errno.h>

enum { DEEPEST = 2 /* folders in the folder */, MOST = 1 << 22 /* images */ };

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(const char *const *) a, *(const char *const *) b);
}

/* Adds the images of a folder below it. Folders go to `folders`. */
static gboolean
add_folder (GPtrArray *list, GPtrArray *folders, const char *folder, const char *below, GError **error)
{
  g_autofree char *path = g_build_filename (folder, below, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  if (!dir)
    return file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (errno));
  for (const char *name; (name = g_dir_read_name (dir)) && list->len < MOST;) {
    g_autofree char *own = *below ? g_build_filename (below, name, NULL) : g_strdup (name),
                    *whole = g_build_filename (path, name, NULL);
    if (progress_stopped (error))
      return FALSE;
    if (*name == '.')
      continue;
    if (formats_is_image_name (name))
      g_ptr_array_add (list, g_steal_pointer (&own));
    else if (g_file_test (whole, G_FILE_TEST_IS_DIR))
      g_ptr_array_add (folders, g_steal_pointer (&own));
  }
  return TRUE;
}

GPtrArray *
files_list_images (const char *folder, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free),
                        folders = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (folders, g_strdup (""));
  for (guint depth = 0; depth <= DEEPEST && !list->len; depth++) {
    g_autoptr (GPtrArray) further = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < folders->len; i++)
      if (!add_folder (list, further, folder, folders->pdata[i], error))
        return NULL;
    g_ptr_array_unref (folders);
    folders = g_steal_pointer (&further);
  }
  g_ptr_array_sort (list, compare_names);
  return g_steal_pointer (&list);
}
