/* SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/tree.h"

#include "tests/fuzz/support.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static GHashTable *there; /* name -> GBytes, or NULL: of a folder */
static gboolean is_tidied;

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Sorted, so that a folder is before what is in it. */
static GPtrArray *
names_of (GHashTable *files)
{
  GPtrArray *names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, name);
  g_ptr_array_sort (names, by_name);
  return names;
}

static void
remove_file (const char *name)
{
  g_autofree char *path = g_build_filename (fuzz_folder (), name, NULL);
  if (g_remove (path))
    g_error ("'%s' cannot be removed", path);
  g_hash_table_remove (there, name);
}

static void
remove_all (void)
{
  g_autoptr (GHashTable) none = g_hash_table_new (g_str_hash, g_str_equal);
  fuzz_tree_set (none);
  g_hash_table_unref (there);
}

static gboolean
is_kept (const char *name, GHashTable *files, GHashTable *folders)
{
  const GBytes *old = g_hash_table_lookup (there, name), *wanted = g_hash_table_lookup (files, name);
  return old ? wanted && g_bytes_equal (old, wanted) : g_hash_table_contains (folders, name);
}

/* All folders that the files are in. */
static GHashTable *
folders_of (GHashTable *files)
{
  GHashTable *folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    for (const char *slash = name; (slash = strchr (slash, '/')); slash++)
      g_hash_table_add (folders, g_strndup (name, (gsize) (slash - (const char *) name)));
  return folders;
}

static void
make_folders (GHashTable *folders)
{
  g_autoptr (GPtrArray) names = names_of (folders);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (fuzz_folder (), names->pdata[i], NULL);
    if (!g_hash_table_contains (there, names->pdata[i]) && !g_mkdir (path, 0700))
      g_hash_table_insert (there, g_strdup (names->pdata[i]), NULL);
  }
}

static void
write_file (const char *name, GBytes *bytes)
{
  g_autofree char *path = g_build_filename (fuzz_folder (), name, NULL);
  const int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);
  if (fd < 0)
    return; /* another file would be its folder, or it is one */
  if (size && write (fd, data, size) != (gssize) size)
    g_error ("no file for the bytes");
  close (fd);
  g_hash_table_insert (there, g_strdup (name), g_bytes_ref (bytes));
}

static void
bytes_free (gpointer bytes)
{
  if (bytes)
    g_bytes_unref (bytes);
}

void
fuzz_tree_set (GHashTable *files)
{
  g_autoptr (GHashTable) folders = folders_of (files);
  if (!is_tidied) {
    is_tidied = TRUE;
    there = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, bytes_free);
    fuzz_folder ();
    atexit (remove_all);
  }
  g_autoptr (GPtrArray) old = names_of (there);
  for (guint i = old->len; i-- > 0;) /* a folder after what is in it */
    if (!is_kept (old->pdata[i], files, folders))
      remove_file (old->pdata[i]);
  make_folders (folders);
  g_autoptr (GPtrArray) names = names_of (files);
  for (guint i = 0; i < names->len; i++)
    if (!g_hash_table_contains (there, names->pdata[i]))
      write_file (names->pdata[i], g_hash_table_lookup (files, names->pdata[i]));
}
