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

/* The same of the files that match a path with named parts. */
static gboolean
look_at_files (BatchStamp *stamp, const char *path, GError **error)
{
  g_autoptr (GPtrArray) paths = files_paths_of_pattern (path, error);
  *stamp = (BatchStamp){0};
  for (guint i = 0; paths && i < paths->len; i++) {
    struct stat about;
    if (!stat (paths->pdata[i], &about))
      add_file (paths->pdata[i], NULL, &about, stamp, error);
  }
  return paths != NULL;
}

gboolean
batch_stamp_look (BatchStamp *stamp, const char *path, GError **error)
{
  struct stat about;
  if (!stat (path, &about)) {
    take (stamp, &about);
    if (!S_ISDIR (about.st_mode))
      return TRUE;
    stamp->size = 0;
    return file_tree_walk (path, add_file, stamp, error);
  }
  const int fault = errno;
  if (plate_pattern_is (path))
    return look_at_files (stamp, path, error);
  if (fault == ENOENT || fault == ENOTDIR)
    return file_fail (error, FILE_ERROR_MISSING, path, "does not exist.");
  return file_fail (error, FILE_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (fault));
}

gboolean
batch_stamp_is_same (const BatchStamp *a, const BatchStamp *b)
{
  return a->size == b->size && a->modified == b->modified && a->changed == b->changed;
}
