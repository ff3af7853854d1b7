/* SPDX-License-Identifier: MIT
 *
 * Parts of images, and levels of the pyramids that files hold.
 */
#include "library/tensor.h"

unsigned
fovea_image_levels (const fovea_image *image)
{
  ImageLevel level;
  guint n = 0;
  while (image && image_level (image->image, n, &level))
    n++;
  return n;
}

/* FALSE with *error: the level does not exist. */
static gboolean
shape_of (const fovea_image *image, unsigned n, int64_t shape[AXES], fovea_error **error)
{
  const ImageInfo *info = image_info (image->image);
  ImageLevel level;
  if (!image_level (image->image, n, &level)) {
    library_fail_argument (error, "level", "Level %u does not exist: the image has %u, counted from 0.", n,
                           fovea_image_levels (image));
    return FALSE;
  }
  shape[0] = info->frames;
  shape[1] = info->channels;
  shape[2] = info->depth;
  shape[3] = level.rows;
  shape[4] = level.columns;
  return TRUE;
}

fovea_code
fovea_image_get_level (const fovea_image *image, unsigned level, int64_t shape[AXES], fovea_error **error)
{
  if (!library_has (image, "image", error) || !library_has (shape, "shape", error)
      || !shape_of (image, level, shape, error))
    return FOVEA_BAD_ARGUMENT;
  return FOVEA_OK;
}

/* ---- Reading ---- */

/* FALSE with *error when the region is not within the level, or the tensor is none for its pixels. */
static gboolean
check (const fovea_image *image, unsigned level, const int64_t from[AXES], const Tensor *to, fovea_error **error)
{
  int64_t shape[AXES];
  if (!shape_of (image, level, shape, error))
    return FALSE;
  if (to->type != image_info (image->image)->type) {
    library_fail_argument (error, "to", "Its type is not that of the image.");
    return FALSE;
  }
  if (to->steps[AXES - 1] != 1 && to->shape[AXES - 1] > 1) {
    library_fail_argument (error, "to", "Its pixels are not contiguous along x.");
    return FALSE;
  }
  for (int axis = 0; axis < AXES; axis++)
    if (from[axis] < 0 || to->shape[axis] < 1 || to->shape[axis] > shape[axis]
        || from[axis] > shape[axis] - to->shape[axis]) {
      static const char *const names[] = {"times", "channels", "slices", "rows", "columns"};
      library_fail_argument (error, "from",
                             "%" G_GINT64_FORMAT " %s from %" G_GINT64_FORMAT " on are not within the %" G_GINT64_FORMAT
                             " of level %u.",
                             to->shape[axis], names[axis], from[axis], shape[axis], level);
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_planes (Image *image, unsigned level, const int64_t from[AXES], const Tensor *to, GError **error)
{
  const ImageInfo *info = image_info (image);
  const ImageRegion region = {from[3], from[4], to->shape[3], to->shape[4]};
  const gint64 bytes = (gint64) to->bytes, n[] = {to->shape[0], to->shape[1], to->shape[2]};
  for (gint64 i = 0; i < n[0] * n[1] * n[2]; i++) {
    gint64 z = i % n[2], c = i / n[2] % n[1], t = i / n[2] / n[1];
    gint64 plane = ((from[0] + t) * info->channels + from[1] + c) * info->depth + from[2] + z;
    char *pixels = to->pixels + (t * to->steps[0] + c * to->steps[1] + z * to->steps[2]) * bytes;
    if (!image_read (image, level, plane, &region, pixels, (gsize) (to->steps[3] * bytes), error))
      return FALSE;
  }
  return TRUE;
}

fovea_code
fovea_image_read (const fovea_image *image, unsigned level, const int64_t from[AXES], const DLTensor *to,
                  fovea_error **error)
{
  GError *fault = NULL;
  Tensor tensor;
  if (!library_has (image, "image", error) || !library_has (from, "from", error) || !library_has (to, "to", error)
      || !tensor_on_host (to, "to", error) || !tensor_read (to, "to", &tensor, error)
      || !check (image, level, from, &tensor, error))
    return FOVEA_BAD_ARGUMENT;
  library_device_enter (image_device (image->image));
  gboolean done = read_planes (image->image, level, from, &tensor, &fault);
  library_device_leave (image_device (image->image));
  return done ? FOVEA_OK : library_fail (error, fault);
}
