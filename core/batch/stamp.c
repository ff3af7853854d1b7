/* SPDX-License-Identifier: MIT
 */
#include "core/batch/stamp.h"

#include "core/base/file_tree.h"
#include "core/files/files.h"
#include "core/files/plate/pattern.h"

#include <errno.h>
#include <sys/stat.h>

static gint64
nanoseconds (struct timespec time)
{
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

static void
take (BatchStamp *stamp, const struct stat *about)
{
  *stamp = (BatchStamp){about->st_size, nanoseconds (about->st_mtim), nanoseconds (about->st_ctim), ""};
}

/* The bytes of all files, and the latest times. */
static gboolean
add_file (const char *path, const char *below, const struct stat *about, gpointer data, GError **error)
{
  BatchStamp *stamp = data, file;
  (void) path, (void) below, (void) error;
  take (&file, about);
  stamp->size += file.size;
  stamp->modified = MAX (stamp->modified, file.modified);
  stamp->changed = MAX (stamp->changed, file.changed);
  return TRUE;
}

static gboolean
add_path (BatchStamp *stamp, const char *path, const struct stat *about, GError **error)
{
  return S_ISDIR (about->st_mode) ? file_tree_walk (path, add_file, stamp, error)
                                  : add_file (path, NULL, about, stamp, error);
}

/* That stat() failed. */
static gboolean
fail (const char *path, int fault, GError **error)
{
  if (fault == ENOENT || fault == ENOTDIR)
    return file_fail (error, FILE_ERROR_MISSING, path, "does not exist.");
  return file_fail (error, FILE_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (fault));
}

gboolean
batch_stamp_look_at (BatchStamp *stamp, const GPtrArray *paths, GError **error)
{
  *stamp = (BatchStamp){0};
  for (guint i = 0; i < paths->len; i++) {
    struct stat about;
    if (stat (paths->pdata[i], &about))
      return fail (paths->pdata[i], errno, error);
    if (!add_path (stamp, paths->pdata[i], &about, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
batch_stamp_look (BatchStamp *stamp, const char *path, GError **error)
{
  struct stat about;
  if (!stat (path, &about)) {
    take (stamp, &about);
    if (!S_ISDIR (about.st_mode))
      return TRUE;
    stamp->size = 0; /* its times stay: they change when a file comes or goes */
    return add_path (stamp, path, &about, error);
  }
  const int fault = errno;
  g_autoptr (GPtrArray) paths = NULL;
  if (!plate_pattern_is (path))
    return fail (path, fault, error);
  paths = files_paths_of_pattern (path, error);
  return paths && batch_stamp_look_at (stamp, paths, error);
}

gboolean
batch_stamp_has (const BatchStamp *whole, const BatchStamp *some)
{
  return some->modified <= whole->modified && some->changed <= whole->changed;
}

gboolean
batch_stamp_is_same (const BatchStamp *a, const BatchStamp *b)
{
  return a->size == b->size && a->modified == b->modified && a->changed == b->changed;
}
