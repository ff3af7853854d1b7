/* SPDX-License-Identifier: MIT
 *
 * The range is that of the finite values. Of a large plane only a window around the pixel is read, which grows until what is found
 * does not touch its rim.
 */
#include "core/selection/wand_plane.h"

#include "core/base/error.h"
#include "core/data/pixel_type.h"
#include "core/view/plane_sample.h"
#include "core/view/tiles.h"

#include <math.h>
#include <string.h>

enum { MINIMUM = 1024, MAXIMUM = 4096 }; /* rows and columns of the window */

struct WandPlane {
  Image *image;
  PlanePosition position;
  gboolean large;   /* only windows of the plane are read; set together with the range of values */
  PlanePart window; /* the part that was read */
  double *values;   /* of the window; NULL: not read yet */
  double low, high; /* range of values; NaN: not known yet */
};

WandPlane *
wand_plane_new (Image *image, PlanePosition position)
{
  WandPlane *plane = g_atomic_rc_box_new0 (WandPlane);
  plane->image = image_ref (image);
  plane->position = position;
  plane->low = plane->high = NAN;
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

/* Around the pixel, of so many rows and columns, as far as there are. */
static PlanePart
window_of (const WandPlane *plane, gint64 x, gint64 y, gint64 side)
{
  const ImageInfo *info = image_info (plane->image);
  PlanePart w = {0, 0, MIN (side, info->columns), MIN (side, info->rows)};
  w.x = CLAMP (x - w.width / 2, 0, info->columns - w.width);
  w.y = CLAMP (y - w.height / 2, 0, info->rows - w.height);
  return w;
}

static gboolean
read_window (WandPlane *plane, const PlanePart *window, GError **error)
{
  if (plane->values && !memcmp (&plane->window, window, sizeof *window))
    return TRUE;
  g_free (plane->values);
  plane->values = plane_values (plane->image, plane->position, window, error);
  plane->window = *window;
  return plane->values != NULL;
}

static void
widen_range (WandPlane *plane, const double *values, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    if (isfinite (values[i])) {
      plane->low = fmin (plane->low, values[i]);
      plane->high = fmax (plane->high, values[i]);
    }
}

/* By a sample: of colors the least and the greatest of all of them. */
static gboolean
estimate_range (WandPlane *plane, GError **error)
{
  const gboolean color = image_info (plane->image)->role == FV_RGB;
  for (gint64 c = color ? 0 : plane->position.channel; c <= (color ? 2 : plane->position.channel); c++) {
    const PlanePosition position = {c, plane->position.slice, plane->position.frame};
    g_auto (PlaneSample) sample = {0};
    if (!plane_sample_take (&sample, plane->image, plane_number (image_info (plane->image), position), error))
      return FALSE;
    for (gint64 i = 0; i < sample.info.rows * sample.info.columns; i++) {
      double value = pixel_type_value (sample.info.type, sample.pixels, i);
      widen_range (plane, &value, 1);
    }
  }
  return TRUE;
}

/* Of a plane that is not large, all of it is read for that. */
static gboolean
find_range (WandPlane *plane, GError **error)
{
  const ImageInfo *info = image_info (plane->image);
  const PlanePart all = {0, 0, info->columns, info->rows};
  if (!isnan (plane->low))
    return TRUE;
  plane->large = tiles_suit (plane->image, plane_number (info, plane->position));
  if (plane->large)
    return estimate_range (plane, error);
  if (!read_window (plane, &all, error))
    return FALSE;
  widen_range (plane, plane->values, all.width * all.height);
  return TRUE;
}

/* Whether it may go on outside of the window. */
static gboolean
touches_rim (const WandPlane *plane, const Selection *found)
{
  const ImageInfo *info = image_info (plane->image);
  const PlanePart *w = &plane->window;
  SelectionPoint low, high;
  selection_bounds (found, &low, &high);
  return (low.x <= 0 && w->x > 0) || (low.y <= 0 && w->y > 0)
         || (high.x >= (double) w->width && w->x + w->width < info->columns)
         || (high.y >= (double) w->height && w->y + w->height < info->rows);
}

Selection *
wand_plane_trace (WandPlane *plane, gint64 x, gint64 y, double tolerance, GError **error)
{
  const ImageInfo *info = image_info (plane->image);
  if (!find_range (plane, error))
    return NULL;
  const double around = tolerance > 0 ? tolerance * (plane->high - plane->low) : 0;
  for (gint64 side = plane->large ? MINIMUM : MAX (info->rows, info->columns); side <= MAXIMUM || !plane->large;
       side *= 2) {
    const PlanePart window = window_of (plane, x, y, side);
    if (!read_window (plane, &window, error))
      return NULL;
    double value = plane->values[(y - window.y) * window.width + x - window.x];
    g_autoptr (Selection) found = selection_trace (plane->values, window.width, window.height, x - window.x,
                                                   y - window.y, value - around, value + around);
    if (!found || !touches_rim (plane, found)) {
      if (found)
        selection_move (found, (double) window.x, (double) window.y);
      return g_steal_pointer (&found);
    }
  }
  step_error_set (error, FV_BAD_ARGUMENT, NULL,
                  "The wand's area here extends over more than %d pixels. Reduce the tolerance, or use a "
                  "threshold and a label step.",
                  MAXIMUM / 2);
  return NULL;
}
