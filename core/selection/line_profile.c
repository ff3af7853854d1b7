/* SPDX-License-Identifier: MIT
 *
 * Both ends count, but as in ImageJ not on a line as long as the whole plane along an axis.
 */
#include "core/selection/line_profile.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/value_calibration.h"

#include <math.h>

enum {
  ROOM = 2,    /* for the neighbors that are interpolated */
  PIECE = 1024 /* steps along the line, around which the plane is read at once */
};

/* A part of the plane, and its values. */
typedef struct {
  const double *values;
  PlanePart part;
} Box;

/* Beyond the outermost centers their values, outside of the plane NaN. */
static double
interpolate (const Box *box, SelectionPoint point)
{
  gint64 width = box->part.width, height = box->part.height;
  point.x -= (double) box->part.x;
  point.y -= (double) box->part.y;
  double x = CLAMP (point.x - 0.5, 0, (double) (width - 1)), y = CLAMP (point.y - 0.5, 0, (double) (height - 1));
  gint64 column = (gint64) x, row = (gint64) y;
  gint64 right = MIN (column + 1, width - 1), below = MIN (row + 1, height - 1);
  double fx = x - (double) column, fy = y - (double) row, upper, lower;
  if (!(point.x >= 0 && point.x <= (double) width && point.y >= 0 && point.y <= (double) height))
    return NAN;
  upper = box->values[row * width + column] * (1 - fx) + box->values[row * width + right] * fx;
  lower = box->values[below * width + column] * (1 - fx) + box->values[below * width + right] * fx;
  return upper * (1 - fy) + lower * fy;
}

/* The n values from value `from` on. */
static gboolean
sample_piece (LineProfile *profile, Image *image, PlanePosition position, SelectionWalk *walk, guint from, guint n,
              GError **error)
{
  SelectionPoint points[PIECE];
  const Selection piece = {.shape = SELECTION_POINT, .n_points = n, .points = points};
  for (guint i = 0; i < n; i++)
    points[i] = selection_walk_to (walk, from + i);
  Box box = {.part = selection_part (&piece, image_info (image), ROOM)};
  g_autofree double *values = plane_values (image, position, &box.part, error);
  box.values = values;
  if (values)
    value_calibrate (image, values, (gsize) (box.part.width * box.part.height));
  for (guint i = 0; values && i < n; i++)
    profile->values[from + i] = interpolate (&box, points[i]);
  return values != NULL;
}

static gboolean
sample (LineProfile *profile, Image *image, PlanePosition position, SelectionWalk *walk, GError **error)
{
  const ImageInfo *info = image_info (image);
  const SelectionPoint *ends = walk->line->points;
  const guint steps = walk->steps;
  gboolean whole =
    walk->line->n_points == 2
    && ((ends[0].x == ends[1].x && steps == info->rows) || (ends[0].y == ends[1].y && steps == info->columns));
  profile->n = steps + !whole;
  profile->values = g_try_new (double, profile->n);
  if (!profile->values) {
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory for %u values.", profile->n);
    return FALSE;
  }
  for (guint i = 0; i < profile->n; i += PIECE)
    if (!sample_piece (profile, image, position, walk, i, MIN (PIECE, profile->n - i), error))
      return FALSE;
  return TRUE;
}

LineProfile *
line_profile_new (Image *image, PlanePosition position, const Selection *line, GError **error)
{
  const ImageInfo *info = image_info (image);
  PlaneScale scale = plane_scale (info);
  g_autoptr (LineProfile) profile = g_new0 (LineProfile, 1);
  profile->length = selection_length (line, scale.width, scale.height);
  profile->unit = g_strdup (scale.unit);
  profile->value_unit = g_strdup (value_unit (info) ? value_unit (info) : "");
  SelectionWalk walk = selection_walk (line, scale.width, scale.height);
  return sample (profile, image, position, &walk, error) ? g_steal_pointer (&profile) : NULL;
}

void
line_profile_free (LineProfile *profile)
{
  if (!profile)
    return;
  g_free (profile->values);
  g_free (profile->unit);
  g_free (profile->value_unit);
  g_free (profile);
}

double
line_profile_distance (const LineProfile *profile, guint i)
{
  return profile->n > 1 ? profile->length * i / (profile->n - 1) : 0;
}

char *
line_profile_text (const LineProfile *profile, char separator)
{
  GString *s = g_string_new (NULL);
  g_string_printf (s, "distance (%s)%cvalue", profile->unit, separator);
  if (*profile->value_unit)
    g_string_append_printf (s, " (%s)", profile->value_unit);
  g_string_append_c (s, '\n');
  for (guint i = 0; i < profile->n; i++) {
    g_autofree char *distance = text_from_number (line_profile_distance (profile, i));
    g_autofree char *value = text_from_number (profile->values[i]);
    g_string_append_printf (s, "%s%c%s\n", distance, separator, value);
  }
  return g_string_free (s, FALSE);
}
