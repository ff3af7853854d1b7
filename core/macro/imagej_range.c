/* SPDX-License-Identifier: MIT
 *
 * Images are known by the number of steps that they had when their range was last that of their values.
 */
#include "core/macro/imagej_range.h"

#include "core/macro/images.h"

#include <math.h>

/* Of an image that was not opened only now. */
typedef struct {
  guint image, steps; /* that of what so many steps make */
  gboolean fixed;     /* or this one */
  char lost[32];      /* or not known since this command */
  double low, high;
} Range;

static Range *
range_of (Macro *m, guint image)
{
  if (!m->ranges)
    m->ranges = g_array_new (FALSE, TRUE, sizeof (Range));
  for (guint i = 0; i < m->ranges->len; i++)
    if (g_array_index (m->ranges, Range, i).image == image)
      return &g_array_index (m->ranges, Range, i);
  const Range range = {.image = image};
  g_array_append_val (m->ranges, range);
  return &g_array_index (m->ranges, Range, m->ranges->len - 1);
}

void
imagej_range_follow (Macro *m)
{
  g_autoptr (Recipe) steps = m->host->recipe (m->host->self, macro_current (m));
  Range *range = range_of (m, macro_current (m));
  range->steps = recipe_length (steps);
  range->fixed = FALSE;
  *range->lost = 0;
}

void
imagej_range_set (Macro *m, double low, double high)
{
  Range *range = range_of (m, macro_current (m));
  range->fixed = TRUE;
  *range->lost = 0;
  range->low = low;
  range->high = high;
}

void
imagej_range_lose (Macro *m, const char *command)
{
  g_strlcpy (range_of (m, macro_current (m))->lost, command, sizeof ((Range *) 0)->lost);
}

/* Of the numbers that are finite. */
static void
widen (const double *values, gsize n, double *low, double *high)
{
  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i])) {
      *low = fmin (*low, values[i]);
      *high = fmax (*high, values[i]);
    }
}

static void
widen_by_plane (Macro *m, Image *image, PlanePlace place, double *low, double *high)
{
  GError *error = NULL;
  const ImageInfo *info = image_info (image);
  const PlanePart whole = {0, 0, info->columns, info->rows};
  double *values = plane_values (image, place, &whole, &error);
  if (!values)
    macro_fail (m, error);
  widen (values, (gsize) (info->columns * info->rows), low, high);
  g_free (values);
}

/* Of the first slice, or of all where that has one value. */
static void
find_range (Macro *m, Image *image, double *low, double *high)
{
  GError *error = NULL;
  const ImageInfo *info = image_info (image);
  *low = INFINITY;
  *high = -INFINITY;
  if (!m->host->fetch (m->host->self, image, &error))
    macro_fail (m, error);
  for (gint64 t = 0; t < info->frames; t++)
    for (gint64 z = 0; z < info->depth && !(*low < *high); z++)
      widen_by_plane (m, image, (PlanePlace){0, z, t}, low, high);
  if (!(*low <= *high))
    *low = *high = 0;
}

void
imagej_range_shown (Macro *m, double *low, double *high)
{
  const guint image = macro_current (m);
  const Range range = *range_of (m, image);
  if (*range.lost && image_info (images_shown (m, NULL))->type != FV_U8)
    macro_fail_text (m,
                     "This line spreads the range in which ImageJ shows the image, which %s changed there. Here it did "
                     "not: setMinAndMax(min, max) says which range is meant.",
                     range.lost);
  *low = range.low;
  *high = range.high;
  if (range.fixed)
    return;
  Image *then = images_of_step (m, image, range.steps);
  const ImageInfo *info = image_info (then);
  if (!range.steps && info->display_ranges) {
    *low = info->display_ranges[0];
    *high = info->display_ranges[1];
  } else if (info->type == FV_U8) {
    *low = 0;
    *high = 255;
  } else
    find_range (m, then, low, high);
}
