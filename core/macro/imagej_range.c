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
  gboolean all;       /* of all of its slices, not of the first */
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
  range->fixed = range->all = FALSE;
  *range->lost = 0;
}

void
imagej_range_all (Macro *m)
{
  imagej_range_follow (m);
  range_of (m, macro_current (m))->all = TRUE;
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

enum { ROWS = 256 }; /* that are read at a time */

/* Whether all are finite. */
static gboolean
widen (const double *values, gsize n, double *low, double *high)
{
  gboolean finite = TRUE;
  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i])) {
      *low = fmin (*low, values[i]);
      *high = fmax (*high, values[i]);
    } else
      finite = FALSE;
  return finite;
}

static gboolean
widen_by_plane (Macro *m, Image *image, PlanePosition position, double *low, double *high)
{
  GError *error = NULL;
  const ImageInfo *info = image_info (image);
  gboolean finite = TRUE;
  for (gint64 y = 0; y < info->rows; y += ROWS) {
    const PlanePart part = {0, y, info->columns, MIN (ROWS, info->rows - y)};
    double *values = plane_values (image, position, &part, &error);
    if (!values)
      macro_fail (m, error);
    finite &= widen (values, (gsize) (part.width * part.height), low, high);
    g_free (values);
  }
  return finite;
}

static void
begin_range (Macro *m, Image *image, double *low, double *high)
{
  GError *error = NULL;
  *low = INFINITY;
  *high = -INFINITY;
  if (!m->host->fetch (m->host->self, image, &error))
    macro_fail (m, error);
}

/* A plane of one value ends it, which is low and high then. */
gboolean
imagej_values (Macro *m, Image *image, double *low, double *high)
{
  const ImageInfo *info = image_info (image);
  gboolean finite = TRUE;
  for (gint64 t = 0; t < info->frames; t++)
    for (gint64 c = 0; c < (info->role == FV_RGB ? 1 : info->channels); c++)
      for (gint64 z = 0; z < info->depth; z++) {
        begin_range (m, image, low, high);
        finite &= widen_by_plane (m, image, (PlanePosition){c, z, t}, low, high);
        if (*low == *high)
          return finite;
      }
  return finite;
}

/* Of the first slice, or of all: where they are meant, or that has one value. */
static void
find_range (Macro *m, Image *image, gboolean all, double *low, double *high)
{
  const ImageInfo *info = image_info (image);
  gboolean finite = TRUE;
  begin_range (m, image, low, high);
  for (gint64 t = 0; t < info->frames; t++)
    for (gint64 z = 0; z < info->depth && (all || !(*low < *high)); z++)
      finite &= widen_by_plane (m, image, (PlanePosition){0, z, t}, low, high);
  if (!finite)
    macro_fail_text (m, "The image has NaN or infinite values, for which ImageJ finds another range. Use "
                        "run(\"convert\", \"type=u8 scale=range low=... high=...\") to set the range.");
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
                     "ImageJ's line spreads the displayed range, which %s changed there but not here. Call "
                     "setMinAndMax(min, max) to set the range.",
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
    find_range (m, then, range.all, low, high);
}
