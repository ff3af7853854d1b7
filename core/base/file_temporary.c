/* SPDX-License-Identifier: MIT
 *
 * The owner of a file holds its flock(), which the system releases when the process dies. A process id could be
 * reused, and means nothing to other machines or containers with access to the folder.
 */
#include "core/base/file_temporary.h"

#include "core/base/file_folder.h"
#include "core/base/fork.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATTERN ".fovea-%08x%08x.part"

/* ---- Those of this process ---- */

enum { FREE, CHANGING, THERE };

/* A fixed array, because a signal handler can neither lock nor follow pointers that another thread frees. Files
 * without a slot are collected later. */
static struct {
  gint state;
  int folder;
  char name[FILE_TEMPORARY_NAME];
} all[64];

void
file_temporary_new (int folder, char *name)
{
  g_snprintf (name, FILE_TEMPORARY_NAME, PATTERN, g_random_int (), g_random_int ());
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (g_atomic_int_compare_and_exchange (&all[i].state, FREE, CHANGING)) {
      all[i].folder = folder;
      memcpy (all[i].name, name, FILE_TEMPORARY_NAME);
      g_atomic_int_set (&all[i].state, THERE);
      return;
    }
}

void
file_temporary_forget (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (g_atomic_int_get (&all[i].state) == THERE && !strcmp (all[i].name, name))
      g_atomic_int_set (&all[i].state, FREE);
}

void
file_temporary_remove_all (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (g_atomic_int_get (&all[i].state) == THERE)
      file_folder_remove (all[i].folder, all[i].name);
}

gboolean
file_temporary_lock (int fd)
{
  return !flock (fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
}

/* ---- Those that were left ---- */

static gboolean
is_temporary (const char *name)
{
  gsize n = strlen (name), begin = strlen (".fovea-"), end = strlen (".part");
  return n > begin + end && g_str_has_prefix (name, ".fovea-") && g_str_has_suffix (name, ".part")
         && strspn (name + begin, "0123456789abcdef") == n - begin - end;
}

static void
collect (int folder, const char *name)
{
  enum { FLAGS = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };
  int fd = openat (folder, name, O_RDWR | FLAGS);
  struct stat about;
  if (fd < 0 && errno == EISDIR)
    fd = openat (folder, name, O_RDONLY | FLAGS);
  if (fd < 0)
    return;
  if (!fstat (fd, &about) && (S_ISREG (about.st_mode) || S_ISDIR (about.st_mode)) && about.st_uid == geteuid ()
      && !flock (fd, LOCK_EX | LOCK_NB))
    file_folder_remove (folder, name);
  close (fd);
}

static GMutex lock; /* guards what is_new() knows */

FORK_GUARD_STATIC (lock)

/* Whether a folder is asked about for the first time: to read through a large one at each of many savings would take long. */
static gboolean
is_new (int folder)
{
  static GHashTable *known; /* "device:inode" */
  struct stat about;
  gboolean added;
  if (fstat (folder, &about))
    return FALSE;
  g_mutex_lock (&lock);
  if (!known)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  added = g_hash_table_add (known, g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, (guint64) about.st_dev,
                                                    (guint64) about.st_ino));
  g_mutex_unlock (&lock);
  return added;
}

void
file_temporary_collect (int folder)
{
  int fd = is_new (folder) ? openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  DIR *dir = fd < 0 ? NULL : fdopendir (fd);
  if (fd >= 0 && !dir)
    close (fd);
  for (struct dirent *entry; dir && (entry = readdir (dir));)
    if (is_temporary (entry->d_name))
      collect (folder, entry->d_name);
  if (dir)
    closedir (dir);
}
