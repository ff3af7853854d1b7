/* SPDX-License-Identifier: MIT
 *
 * Colors are summed plane by plane.
 */
#include "core/data/plane.h"

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/data/pixel_type.h"

#include <math.h>

gint64
plane_number (const ImageInfo *info, PlanePosition position)
{
  return (position.frame * info->channels + position.channel) * info->depth + position.slice;
}

PlanePosition
plane_within (const ImageInfo *info, PlanePosition position)
{
  return (PlanePosition){MIN (position.channel, info->channels - 1), MIN (position.slice, info->depth - 1),
                         MIN (position.frame, info->frames - 1)};
}

PlaneScale
plane_scale (const ImageInfo *info)
{
  if (!image_info_has_scale (info, FALSE))
    return (PlaneScale){1, 1, "px"};
  return (PlaneScale){info->spacing[2], info->spacing[1] * units_factor (info->units[1], info->units[2]),
                      *info->units[2] ? info->units[2] : "px"};
}

/* Adds the values of one channel. pixels: room for as many. */
static gboolean
add_channel (double *values, void *pixels, Image *image, PlanePosition position, const PlanePart *part, GError **error)
{
  const ImageInfo *info = image_info (image);
  const ImageRegion region = {part->y, part->x, part->height, part->width};
  if (!image_read (image, 0, plane_number (info, position), &region, pixels,
                   (gsize) part->width * pixel_type_bytes (info->type), error))
    return FALSE;
  for (gint64 i = 0; i < part->width * part->height; i++)
    values[i] += pixel_type_value (info->type, pixels, i);
  return TRUE;
}

double *
plane_values (Image *image, PlanePosition position, const PlanePart *part, GError **error)
{
  const ImageInfo *info = image_info (image);
  const gboolean color = info->role == FV_RGB;
  gsize n = (gsize) part->width * (gsize) part->height;
  g_autofree double *values = g_try_new0 (double, n);
  g_autofree void *pixels = g_try_malloc_n (n, pixel_type_bytes (info->type));
  if (!values || !pixels) {
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory for %" G_GSIZE_FORMAT " values.", n);
    return NULL;
  }
  for (gint64 c = color ? 0 : position.channel; c <= (color ? 2 : position.channel); c++)
    if (!add_channel (values, pixels, image, (PlanePosition){c, position.slice, position.frame}, part, error))
      return NULL;
  for (gsize i = 0; color && i < n; i++)
    values[i] = floor (values[i] / 3 + 0.5);
  return g_steal_pointer (&values);
}
