/* SPDX-License-Identifier: MIT
 */
#include "core/files/objects.h"

#include "core/base/file_error.h"
#include "core/measure/object_outlines.h"
#include "core/selection/selection.h"

static gboolean
save (Image *image, const char *path, gconstpointer options, GError **error)
{
  const fv_role role = image_info (image)->role;
  (void) options;
  if (role != FV_LABELS && role != FV_MASK)
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "takes the outlines of objects, but this image has values: end with label, or another step that "
                      "makes labels or a mask.");
  g_autoptr (GPtrArray) shapes = object_shapes (image, error);
  return shapes && selections_write (shapes, path, error);
}

const FileFormat format_objects = {
  .key = "selections",
  .label = "Selections",
  .endings = (const char *const[]){"geojson", "zip", "roi", NULL},
  .mime = (const char *const[]){"application/geo+json", NULL},
  .n_written = 3,
  .save = save,
};
