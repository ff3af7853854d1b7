/* SPDX-License-Identifier: MIT
 */
#include "core/base/file_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  ENTRIES = 4096, /* bytes of names that are read at a time, on the stack */
  DEEPEST = 32,   /* folders in folders that are removed */
  ATTEMPTS = 8    /* while other threads still make files in it */
};

int
file_folder_open (int from, const char *path)
{
  enum { FOLDER = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  int folder = *path == '/' ? open ("/", FOLDER) : openat (from, ".", FOLDER);
  for (char **name = names; folder >= 0 && *name; name++) {
    if (!**name)
      continue;
    const int next = openat (folder, *name, FOLDER), fault = errno;
    close (folder);
    errno = fault;
    folder = next;
  }
  return folder;
}

/* A file system that cannot rename so is asked before. */
gboolean
file_rename_to_new (int from, const char *name, int to, const char *new_name)
{
  if (!renameat2 (from, name, to, new_name, RENAME_NOREPLACE))
    return TRUE;
  if (errno != EINVAL)
    return FALSE;
  if (faccessat (to, new_name, F_OK, AT_SYMLINK_NOFOLLOW))
    return !renameat (from, name, to, new_name);
  errno = EEXIST;
  return FALSE;
}

gboolean
file_folder_make (int folder, const char *name)
{
  g_autofree char *path = g_strdup (name);
  for (char *slash = strchr (path, '/'); slash; slash = strchr (slash + 1, '/')) {
    *slash = 0;
    if (mkdirat (folder, path, 0777) && errno != EEXIST)
      return FALSE;
    *slash = '/';
  }
  return TRUE;
}

static void remove_all (int folder, const char *name, int depth);

/* What is in a folder. The C library's own functions for that allocate memory, which a signal's handler must not. */
static void
remove_contents (int folder, int depth)
{
  char entries[ENTRIES] __attribute__ ((aligned (__alignof__(struct dirent64))));
  ssize_t n;
  lseek (folder, 0, SEEK_SET);
  while ((n = getdents64 (folder, entries, sizeof entries)) > 0)
    for (ssize_t at = 0; at < n;) {
      const struct dirent64 *entry = (const struct dirent64 *) (const void *) (entries + at);
      if (strcmp (entry->d_name, ".") && strcmp (entry->d_name, ".."))
        remove_all (folder, entry->d_name, depth);
      at += entry->d_reclen;
    }
}

static void
remove_all (int folder, const char *name, int depth)
{
  if (!unlinkat (folder, name, 0) || errno == ENOENT || depth == DEEPEST)
    return;
  const int inside = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  for (int i = 0; inside >= 0 && i < ATTEMPTS; i++) {
    remove_contents (inside, depth + 1);
    if (!unlinkat (folder, name, AT_REMOVEDIR))
      break;
  }
  if (inside >= 0)
    close (inside);
}

void
file_folder_remove (int folder, const char *name)
{
  remove_all (folder, name, 0);
}
