/* SPDX-License-Identifier: MIT
 *
 * FilesTarget: a temporary file beside the one to be written, renamed when it is complete and on the disk.
 */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

struct FilesTarget {
  char *path;  /* as given: for errors */
  char *final; /* where the file shall be: path with links followed */
  char *temporary;
  int fd;
};

static void
target_free (FilesTarget *target)
{
  if (target->fd >= 0)
    close (target->fd);
  g_free (target->path);
  g_free (target->final);
  g_free (target->temporary);
  g_free (target);
}

/* A new empty file with the permissions that any new file gets. */
static gboolean
create_temporary (FilesTarget *target, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (target->final);
  for (int attempt = 0; attempt < 100; attempt++) {
    g_free (target->temporary);
    target->temporary = g_strdup_printf ("%s/.fovea-%08x.part", folder, g_random_int ());
    target->fd = open (target->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (target->fd >= 0)
      return TRUE;
    if (errno != EEXIST)
      break;
  }
  if (errno == ENOENT || errno == ENOTDIR) {
    g_autofree char *name = g_filename_display_name (folder);
    return files_fail (error, FILES_ERROR_WRITE, target->path, "cannot be written: there is no folder '%s'.", name);
  }
  return files_fail (error, FILES_ERROR_WRITE, target->path, "cannot be written: %s.", g_strerror (errno));
}

/* Whether what is there now, if anything, may be replaced; its permissions are kept. */
static gboolean
check_existing (const char *path, mode_t *mode, GError **error)
{
  GStatBuf about;
  *mode = 0;
  if (g_stat (path, &about))
    return TRUE;
  if (S_ISDIR (about.st_mode))
    return files_fail (error, FILES_ERROR_WRITE, path, "cannot be written: it is a folder.");
  if (!S_ISREG (about.st_mode))
    return files_fail (error, FILES_ERROR_WRITE, path, "cannot be written: it is not a regular file.");
  if (g_access (path, W_OK))
    return files_fail (error, FILES_ERROR_WRITE, path, "cannot be written: it is write-protected.");
  *mode = about.st_mode & 0777;
  return TRUE;
}

FilesTarget *
files_target_new (const char *path, GError **error)
{
  FilesTarget *target;
  char *followed;
  mode_t mode;
  if (!check_existing (path, &mode, error))
    return NULL;
  target = g_new0 (FilesTarget, 1);
  target->fd = -1;
  target->path = g_strdup (path);
  followed = mode ? realpath (path, NULL) : NULL;
  target->final = g_strdup (followed ? followed : path);
  free (followed);
  if (!create_temporary (target, error)) {
    target_free (target);
    return NULL;
  }
  if (mode)
    fchmod (target->fd, mode);
  return target;
}

const char *
files_target_temporary (FilesTarget *target)
{
  return target->temporary;
}

gboolean
files_target_commit (FilesTarget *target, GError **error)
{
  /* A file system that cannot sync says EINVAL; that is no fault of the file. */
  gboolean written = !(fsync (target->fd) && errno != EINVAL) && !g_rename (target->temporary, target->final);
  if (!written) {
    files_fail (error, FILES_ERROR_WRITE, target->path, "cannot be written: %s.", g_strerror (errno));
    g_unlink (target->temporary);
  }
  target_free (target);
  return written;
}

void
files_target_abandon (FilesTarget *target)
{
  g_unlink (target->temporary);
  target_free (target);
}
