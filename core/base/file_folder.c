/* SPDX-License-Identifier: MIT
 */
#include "core/base/file_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

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
