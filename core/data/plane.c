/* SPDX-License-Identifier: MIT
 *
 * Colours are summed plane by plane.
 */
#include "core/data/plane.h"

#include "core/base/error.h"
#include "core/base/units.h"

#include <math.h>

gint64
plane_number (const ImageInfo *info, PlanePlace place)
{
  return (place.frame * info->channels + place.channel) * info->depth + place.slice;
}

PlaneScale
plane_scale (const ImageInfo *info)
{
  double same = units_factor (info->units[1], info->units[2]);
  return (PlaneScale){info->spacing[2], info->spacing[1] * (same > 0 ? same : 1),
                      *info->units[2] ? info->units[2] : "px"};
}

double
plane_value (const void *plane, fv_type type, gint64 i)
{
  switch (type) {
  case FV_U8: return ((const guint8 *) plane)[i];
  case FV_U16: return ((const guint16 *) plane)[i];
  case FV_I32: return ((const gint32 *) plane)[i];
  case FV_F32: return (double) ((const float *) plane)[i];
  default: return ((const double *) plane)[i];
  }
}

/* Adds the values of one channel. */
static gboolean
add_channel (double *values, Image *image, PlanePlace place, const PlanePart *part, GError **error)
{
  const ImageInfo *info = image_info (image);
  const void *plane = image_plane (image, plane_number (info, place), error);
  for (gint64 y = 0; plane && y < part->height; y++)
    for (gint64 x = 0; x < part->width; x++)
      values[y * part->width + x] += plane_value (plane, info->type, (part->y + y) * info->columns + part->x + x);
  return plane != NULL;
}

double *
plane_values (Image *image, PlanePlace place, const PlanePart *part, GError **error)
{
  const gboolean color = image_info (image)->role == FV_RGB;
  gsize n = (gsize) part->width * (gsize) part->height;
  g_autofree double *values = g_try_new0 (double, n);
  if (!values) {
    step_error_set (error, FV_NO_MEMORY, NULL, "There is not enough memory for %" G_GSIZE_FORMAT " values.", n);
    return NULL;
  }
  for (gint64 c = color ? 0 : place.channel; c <= (color ? 2 : place.channel); c++)
    if (!add_channel (values, image, (PlanePlace){c, place.slice, place.frame}, part, error))
      return NULL;
  for (gsize i = 0; color && i < n; i++)
    values[i] = floor (values[i] / 3 + 0.5);
  return g_steal_pointer (&values);
}
