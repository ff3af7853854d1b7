/* SPDX-License-Identifier: MIT
 */
#include "core/batch/stamp.h"

#include "core/base/file_error.h"

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

gboolean
batch_stamp_look (BatchStamp *stamp, const char *path, GError **error)
{
  struct stat about;
  if (!stat (path, &about)) {
    take (stamp, &about);
    return TRUE;
  }
  if (errno == ENOENT || errno == ENOTDIR)
    return file_fail (error, FILE_ERROR_MISSING, path, "does not exist.");
  return file_fail (error, FILE_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
}

gboolean
batch_stamp_is_same (const BatchStamp *a, const BatchStamp *b)
{
  return a->size == b->size && a->modified == b->modified && a->changed == b->changed;
}
