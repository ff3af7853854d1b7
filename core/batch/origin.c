/* SPDX-License-Identifier: MIT
 */
#include "core/batch/origin.h"

#include "core/batch/stamp.h"

static gboolean
fail_changed (const BatchFile *file, GError **error)
{
  return file_fail (error, FILE_ERROR_OPEN, file->path, "was changed during processing.");
}

gboolean
batch_origin_look (BatchOrigin *origin, const BatchFile *file, guint n, GError **error)
{
  *origin = (BatchOrigin){file, file->count > 1 ? files_images_paths (file->images, n) : NULL, file->stamp};
  if (!origin->paths)
    return TRUE;
  return batch_stamp_look_at (&origin->before, origin->paths, error)
         && (batch_stamp_has (&file->stamp, &origin->before) || fail_changed (file, error));
}

gboolean
batch_origin_is_same (const BatchOrigin *origin, GError **error)
{
  BatchStamp now;
  if (!(origin->paths ? batch_stamp_look_at (&now, origin->paths, error)
                      : batch_stamp_look (&now, origin->file->path, error)))
    return FALSE;
  return batch_stamp_is_same (&now, &origin->before) || fail_changed (origin->file, error);
}

void
batch_origin_clear (BatchOrigin *origin)
{
  g_clear_pointer (&origin->paths, g_ptr_array_unref);
}
