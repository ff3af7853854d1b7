/* SPDX-License-Identifier: MIT
 *
 * FileTarget: where the file system supports it (O_TMPFILE), an unnamed file that gets a name when it is complete
 * and on the disk, so that no crash leaves anything. Otherwise a temporary file in the same folder that is renamed.
 * The folder and the file are held by descriptor and never looked up again.
 */
#include "core/base/file_target.h"

#include "core/base/disk_memory.h"
#include "core/base/file_folder.h"
#include "core/base/file_temporary.h"
#include "core/base/file_write.h"
#include "core/base/progress.h"
#include "core/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  BUFFER = 1 << 18,
  PIECE = 1 << 20,      /* written before it is asked again whether to stop */
  SYNC_AHEAD = 16 << 20 /* the disk is at most twice this behind, so that the last fsync() is short */
};

struct FileTarget {
  char *path;                          /* as given: for errors */
  char *name;                          /* in the folder, links followed */
  char temporary[FILE_TEMPORARY_NAME]; /* its name there until then; empty: none */
  int folder, fd;
  int stream;      /* the contents go there when they are complete; -1: the file gets a name */
  gboolean is_new; /* it replaces nothing */
  gboolean is_folder;
  gsize filled; /* of the buffer */
  off_t written, synced;
  guint8 buffer[BUFFER];
};

static gboolean
fail (const FileTarget *target, GError **error)
{
  return file_fail (error, FILE_ERROR_WRITE, target->path, "cannot be written: %s.", g_strerror (errno));
}

/* ---- Which files a thread makes ---- */

static _Thread_local FileTargets limit;
static _Thread_local char *only; /* with FILE_TARGETS_NEW and FILE_TARGETS_REPLACE */

void
file_targets_limit (FileTargets which, const char *path)
{
  g_free (only);
  only = g_strdup (path);
  limit = which;
}

static gboolean
check_limit (const char *path, GError **error)
{
  if (limit == FILE_TARGETS_ALL || (only && !strcmp (path, only)))
    return TRUE;
  return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: no writer requested it.");
}

/* ---- Streams ---- */

static struct {
  char *path; /* NULL: none */
  int fd;
} stream; /* set before there are threads */

void
file_target_stream (const char *path, int fd)
{
  g_free (stream.path);
  stream.path = g_strdup (path);
  stream.fd = fd;
}

/* Formats write at any offset, which a pipe cannot. */
static gboolean
open_stream (FileTarget *target)
{
  target->stream = stream.fd;
  target->fd = disk_memory_open ();
  return target->fd >= 0;
}

/* With the buffer, which was flushed. */
static gboolean
copy_to_stream (FileTarget *target)
{
  for (off_t at = 0; at < target->written;) {
    const gssize n = pread (target->fd, target->buffer, BUFFER, at);
    if (n <= 0 || !file_write_all (target->stream, target->buffer, (gsize) n))
      return FALSE;
    at += n;
  }
  return TRUE;
}

/* ---- Making it ---- */

static void
remove_temporary (FileTarget *target)
{
  if (!*target->temporary)
    return;
  file_folder_remove (target->folder, target->temporary);
  file_temporary_forget (target->temporary);
  *target->temporary = 0;
}

static void
target_free (FileTarget *target)
{
  remove_temporary (target);
  if (target->fd >= 0)
    close (target->fd);
  if (target->folder >= 0)
    close (target->folder);
  g_free (target->path);
  g_free (target->name);
  g_free (target);
}

/* A file that can get a name later; without /proc it could not. */
static int
open_nameless (int folder, mode_t mode)
{
  return access ("/proc/self/fd", X_OK) ? -1 : openat (folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

/* Not when it was taken for one that was left, before it was locked. */
static gboolean
keep_named (int fd)
{
  struct stat about;
  return file_temporary_lock (fd) && !fstat (fd, &about) && about.st_nlink > 0;
}

/* A new file, or a new folder. */
static int
make_named (const FileTarget *target, mode_t mode)
{
  if (!target->is_folder)
    return openat (target->folder, target->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  return mkdirat (target->folder, target->temporary, mode)
           ? -1
           : openat (target->folder, target->temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static gboolean
open_named (FileTarget *target, mode_t mode)
{
  for (int attempt = 0; attempt < 100; attempt++) {
    file_temporary_new (target->folder, target->temporary);
    target->fd = make_named (target, mode);
    if (target->fd >= 0 && keep_named (target->fd))
      return TRUE;
    file_temporary_forget (target->temporary);
    *target->temporary = 0;
    if (target->fd < 0 && errno != EEXIST)
      return FALSE;
    if (target->fd >= 0)
      close (target->fd);
    target->fd = -1;
  }
  return FALSE;
}

static gboolean
open_folder (FileTarget *target, const char *final, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (final), *name = text_from_bytes (folder);
  target->folder = limit ? file_folder_open (AT_FDCWD, folder) : open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (target->folder >= 0)
    return TRUE;
  if (errno == ENOENT || errno == ENOTDIR)
    return file_fail (error, FILE_ERROR_WRITE, target->path, "cannot be written: the folder '%s' does not exist.",
                      name);
  return fail (target, error);
}

/* Whether what is there now, if anything, may be replaced. */
static gboolean
check_existing (const FileTarget *target, struct stat *about, gboolean *exists, GError **error)
{
  *exists = !fstatat (target->folder, target->name, about, limit ? AT_SYMLINK_NOFOLLOW : 0);
  if (!*exists)
    return TRUE;
  if (target->is_folder && !S_ISDIR (about->st_mode))
    return file_fail (error, FILE_ERROR_WRITE, target->path, "cannot be written: it is a file, not a folder.");
  if (!target->is_folder && S_ISDIR (about->st_mode))
    return file_fail (error, FILE_ERROR_WRITE, target->path, "cannot be written: it is a folder.");
  if (!target->is_folder && !S_ISREG (about->st_mode))
    return file_fail (error, FILE_ERROR_WRITE, target->path, "cannot be written: it is not a regular file.");
  if (limit == FILE_TARGETS_NEW)
    return file_fail (error, FILE_ERROR_WRITE, target->path, "cannot be written: it is there already.");
  if (faccessat (target->folder, target->name, W_OK, 0))
    return file_fail (error, FILE_ERROR_WRITE, target->path, "cannot be written: it is write-protected.");
  return TRUE;
}

/* Where links lead to; of what is not there, the path itself. */
static char *
follow (const char *path)
{
  char *real = limit ? NULL : realpath (path, NULL), *final = g_strdup (real ? real : path);
  free (real);
  return final;
}

/* Owner and group where the system lets us; a group that could not be kept gets no more than everybody. */
static void
keep_permissions (int fd, const struct stat *about)
{
  mode_t mode = about->st_mode & 0777;
  if (fchown (fd, about->st_uid, about->st_gid) && fchown (fd, (uid_t) -1, about->st_gid))
    mode = (mode & 0707) | (mode & 0007) << 3;
  fchmod (fd, mode);
}

static FileTarget *
target_new (const char *path, mode_t mode, gboolean is_folder, GError **error)
{
  g_autoptr (FileTarget) target = NULL;
  struct stat about;
  gboolean exists;
  g_autofree char *final = NULL;
  if (!check_limit (path, error))
    return NULL;
  target = g_new (FileTarget, 1);
  memset (target, 0, offsetof (FileTarget, buffer));
  target->folder = target->fd = target->stream = -1;
  target->path = g_strdup (path);
  target->is_folder = is_folder;
  if (!g_strcmp0 (path, stream.path)) {
    if (is_folder)
      file_fail (error, FILE_ERROR_WRITE, path,
                 "cannot be written: it would be a folder. Name one, or another format.");
    else if (open_stream (target))
      return g_steal_pointer (&target);
    else
      fail (target, error);
    return NULL;
  }
  target->is_new = limit == FILE_TARGETS_NEW;
  final = follow (path);
  target->name = g_path_get_basename (final);
  if (!open_folder (target, final, error) || !check_existing (target, &about, &exists, error))
    return NULL;
  file_temporary_collect (target->folder);
  target->fd = is_folder ? -1 : open_nameless (target->folder, exists ? 0600 : mode);
  if (target->fd < 0 && !open_named (target, exists ? mode & 0700 : mode)) {
    fail (target, error);
    return NULL;
  }
  if (exists)
    keep_permissions (target->fd, &about);
  return g_steal_pointer (&target);
}

FileTarget *
file_target_new (const char *path, GError **error)
{
  return target_new (path, 0666, FALSE, error);
}

FileTarget *
file_target_new_folder (const char *path, GError **error)
{
  g_autofree char *own = g_strdup (path);
  for (gsize n = strlen (own); n > 1 && own[n - 1] == '/'; n--)
    own[n - 1] = 0;
  return target_new (own, 0777, TRUE, error);
}

/* ---- Writing ---- */

static gboolean
write_out (FileTarget *target, const guint8 *bytes, gsize n, GError **error)
{
  while (n > 0) {
    gssize written;
    if (progress_stopped (error))
      return FALSE;
    written = write (target->fd, bytes, MIN (n, PIECE));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return fail (target, error);
    bytes += written;
    n -= (gsize) written;
    target->written += written;
    if (target->written - target->synced < 2 * SYNC_AHEAD)
      continue;
    /* Waits for the previous writes to the disk. Faults are reported by fsync(). */
    sync_file_range (target->fd, target->synced, SYNC_AHEAD,
                     SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    target->synced += SYNC_AHEAD;
    sync_file_range (target->fd, target->synced, SYNC_AHEAD, SYNC_FILE_RANGE_WRITE);
  }
  return TRUE;
}

static gboolean
flush (FileTarget *target, GError **error)
{
  gsize n = target->filled;
  target->filled = 0;
  return write_out (target, target->buffer, n, error);
}

gboolean
file_target_write (FileTarget *target, gconstpointer bytes, gsize n, GError **error)
{
  if (n > BUFFER - target->filled && !flush (target, error))
    return FALSE;
  if (n > BUFFER)
    return write_out (target, bytes, n, error);
  if (n) /* else there need be no bytes */
    memcpy (target->buffer + target->filled, bytes, n);
  target->filled += n;
  return TRUE;
}

gboolean
file_target_correct (FileTarget *target, guint64 at, gconstpointer bytes, gsize n, GError **error)
{
  gssize written;
  if (!flush (target, error))
    return FALSE;
  do
    written = pwrite (target->fd, bytes, n, (off_t) at);
  while (written < 0 && errno == EINTR);
  return written == (gssize) n || fail (target, error);
}

gboolean
file_target_add (const FileTarget *target, const char *name, gconstpointer bytes, gsize n, GError **error)
{
  enum { FLAGS = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };
  int fd = openat (target->fd, name, FLAGS, 0666);
  if (fd < 0 && errno == ENOENT && file_folder_make (target->fd, name))
    fd = openat (target->fd, name, FLAGS, 0666);
  gboolean done = fd >= 0 && file_write_all (fd, bytes, n);
  const int fault = errno;
  if (fd >= 0 && close (fd) && done)
    return fail (target, error);
  errno = fault;
  return done || fail (target, error);
}

/* ---- The end ---- */

/* Replaces a folder, which is removed. Where the file system cannot exchange names, neither has the name for a moment. */
static gboolean
replace_folder (FileTarget *target)
{
  char old[FILE_TEMPORARY_NAME];
  if (!renameat2 (target->folder, target->temporary, target->folder, target->name, RENAME_EXCHANGE)) {
    remove_temporary (target);
    return TRUE;
  }
  if (errno != EINVAL)
    return FALSE;
  file_temporary_new (target->folder, old);
  const gboolean moved = !renameat (target->folder, target->name, target->folder, old)
                         && !renameat (target->folder, target->temporary, target->folder, target->name);
  const int fault = errno;
  if (moved)
    file_folder_remove (target->folder, old);
  else
    file_rename_to_new (target->folder, old, target->folder, target->name);
  file_temporary_forget (old);
  errno = fault;
  return moved;
}

/* linkat() cannot replace a file, rename() cannot name one that has no name. */
static gboolean
give_name (FileTarget *target)
{
  char self[64];
  g_snprintf (self, sizeof self, "/proc/self/fd/%d", target->fd);
  if (!*target->temporary) {
    if (!linkat (AT_FDCWD, self, target->folder, target->name, AT_SYMLINK_FOLLOW))
      return TRUE;
    if (errno != EEXIST || target->is_new)
      return FALSE;
    file_temporary_lock (target->fd);
    file_temporary_new (target->folder, target->temporary);
    if (linkat (AT_FDCWD, self, target->folder, target->temporary, AT_SYMLINK_FOLLOW))
      return FALSE;
  }
  if (target->is_new || target->is_folder) {
    if (!file_rename_to_new (target->folder, target->temporary, target->folder, target->name))
      return target->is_folder && !target->is_new && errno == EEXIST && replace_folder (target);
  } else if (renameat (target->folder, target->temporary, target->folder, target->name))
    return FALSE;
  file_temporary_forget (target->temporary);
  *target->temporary = 0;
  return TRUE;
}

static _Thread_local dev_t synced_later; /* 0: none */

void
file_targets_sync_later (dev_t device)
{
  synced_later = device;
}

static gboolean
is_synced_later (int fd)
{
  struct stat about;
  return synced_later && !fstat (fd, &about) && about.st_dev == synced_later;
}

/* EINVAL means that the file system cannot sync; it is not an error of the file. */
static gboolean
sync_fd (int fd)
{
  return !fsync (fd) || errno == EINVAL;
}

/* Of a folder all that it has: one call for the file system is faster than one for each of thousands of files. */
static gboolean
sync_all (const FileTarget *target)
{
  return target->is_folder ? !syncfs (target->fd) : sync_fd (target->fd);
}

/* So that the name, too, is there after a crash. A folder that may not be read cannot be synced. */
static gboolean
sync_folder (const FileTarget *target)
{
  int fd = openat (target->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gboolean synced = fd < 0 || sync_fd (fd);
  int fault = errno;
  if (fd >= 0)
    close (fd);
  errno = fault;
  return synced;
}

gboolean
file_target_commit (FileTarget *target, GError **error)
{
  gboolean done = flush (target, error) && !progress_stopped (error);
  if (target->stream >= 0) {
    done = done && (copy_to_stream (target) || fail (target, error));
    target_free (target);
    return done;
  }
  gboolean later = done && is_synced_later (target->fd);
  if (done && !((later || sync_all (target)) && give_name (target) && (later || sync_folder (target))))
    done = fail (target, error);
  target_free (target);
  return done;
}

void
file_target_abandon (FileTarget *target)
{
  target_free (target);
}

gboolean
file_save_text (const char *path, const char *text, mode_t mode, GError **error)
{
  g_autoptr (FileTarget) target = target_new (path, mode, FALSE, error);
  return target && file_target_write (target, text, strlen (text), error)
         && file_target_commit (g_steal_pointer (&target), error);
}

gboolean
file_save_own_text (const char *path, const char *text, mode_t mode, GError **error)
{
  const FileTargets before = limit;
  limit = FILE_TARGETS_ALL;
  gboolean saved = file_save_text (path, text, mode, error);
  limit = before;
  return saved;
}
