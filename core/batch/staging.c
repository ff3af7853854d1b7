/* SPDX-License-Identifier: MIT
 */
#include "core/batch/staging.h"

#include "core/base/file_error.h"
#include "core/base/file_folder.h"
#include "core/base/natural.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>

char *
batch_staging_new (const char *parent, GError **error)
{
  char *folder = g_build_filename (parent, "XXXXXX", NULL);
  if (!g_mkdir_with_parents (parent, 0777) && g_mkdtemp_full (folder, 0777))
    return folder;
  file_fail (error, FILE_ERROR_WRITE, parent, "cannot be written: %s.", g_strerror (errno));
  g_free (folder);
  return NULL;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
batch_staging_names (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; dir && (name = g_dir_read_name (dir));)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare);
  return names;
}

void
batch_staging_remove (const char *folder)
{
  file_folder_remove (AT_FDCWD, folder);
}
