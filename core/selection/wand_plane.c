/* SPDX-License-Identifier: MIT
 *
 * The range is that of the finite values.
 */
#include "core/selection/wand_plane.h"

#include <math.h>

struct WandPlane {
  Image *image;
  PlanePlace place;
  double *values, low, high; /* NULL: not read yet */
};

WandPlane *
wand_plane_new (Image *image, PlanePlace place)
{
  WandPlane *plane = g_atomic_rc_box_new0 (WandPlane);
  plane->image = image_ref (image);
  plane->place = place;
  return plane;
}

WandPlane *
wand_plane_ref (WandPlane *plane)
{
  return g_atomic_rc_box_acquire (plane);
}

static void
clear (gpointer data)
{
  WandPlane *plane = data;
  image_unref (plane->image);
  g_free (plane->values);
}

void
wand_plane_unref (WandPlane *plane)
{
  if (plane)
    g_atomic_rc_box_release_full (plane, clear);
}

double
wand_plane_tolerance (const WandPlane *plane)
{
  fv_role role = image_info (plane->image)->role;
  return role == FV_LABELS || role == FV_MASK ? 0 : 0.1;
}

static gboolean
read_values (WandPlane *plane, GError **error)
{
  const ImageInfo *info = image_info (plane->image);
  if (plane->values)
    return TRUE;
  if (!(plane->values =
          plane_values (plane->image, plane->place, &(PlanePart){0, 0, info->columns, info->rows}, error)))
    return FALSE;
  plane->low = INFINITY;
  plane->high = -INFINITY;
  for (gint64 i = 0; i < info->columns * info->rows; i++)
    if (isfinite (plane->values[i])) {
      plane->low = MIN (plane->low, plane->values[i]);
      plane->high = MAX (plane->high, plane->values[i]);
    }
  return TRUE;
}

Selection *
wand_plane_trace (WandPlane *plane, gint64 x, gint64 y, double tolerance, GError **error)
{
  const ImageInfo *info = image_info (plane->image);
  if (!read_values (plane, error))
    return NULL;
  double value = plane->values[y * info->columns + x];
  double around = tolerance > 0 ? tolerance * (plane->high - plane->low) : 0;
  return selection_trace (plane->values, info->columns, info->rows, x, y, value - around, value + around);
}
