/* SPDX-License-Identifier: MIT
 *
 * Some of the pixels miss the brightest ones: there is some room above them.
 */
#include "core/view/value_range.h"

#include "core/data/plane.h"
#include "core/view/shown_range.h"

#include <math.h>

#define LOOKS 65536

gboolean
value_range (Image *image, double *low, double *high)
{
  const ImageInfo *info = image_info (image);
  const void *pixels = image_plane_now (image, image_info_planes (info) / 2);
  const gint64 n = info->rows * info->columns, stride = MAX (n / LOOKS, 1) | 1; /* odd: not one column */
  Range known;
  if (shown_range_known (info->type, &known)) {
    *low = known.low;
    *high = known.high;
    return TRUE;
  }
  *low = INFINITY;
  *high = -INFINITY;
  for (gint64 i = 0; pixels && i < n; i += stride) {
    double v = plane_value (pixels, info->type, i);
    if (isfinite (v)) {
      *low = MIN (*low, v);
      *high = MAX (*high, v);
    }
  }
  if (stride > 1)
    *high += (*high - *low) / 8;
  if (!isnormal ((*high - *low)
                 / 1024)) /* which a slider can have: not 0, not infinite, and its parts can be told apart */
    return FALSE;
  if (info->type & FV_INTEGERS)
    *high = ceil (*high);
  return TRUE;
}
