/* SPDX-License-Identifier: MIT
 *
 * Some of the pixels miss the brightest ones: there is some room above them.
 */
#include "core/view/value_range.h"

#include "core/data/pixel_type.h"
#include "core/view/plane_sample.h"
#include "core/view/shown_range.h"

#include <math.h>

#define LOOKS 65536

gboolean
value_range (Image *image, double *low, double *high)
{
  const ImageInfo *info = image_info (image);
  gint64 n = 0;
  Range known;
  if (shown_range_known (info->type, &known)) {
    *low = known.low;
    *high = known.high;
    return TRUE;
  }
  g_autofree double *values = plane_glimpse (image, image_info_planes (info) / 2, LOOKS, &n);
  if (!values)
    values = plane_glimpse (image, 0, LOOKS, &n);
  *low = INFINITY;
  *high = -INFINITY;
  for (gint64 i = 0; i < n; i++)
    if (isfinite (values[i])) {
      *low = MIN (*low, values[i]);
      *high = MAX (*high, values[i]);
    }
  if (n < info->rows * info->columns)
    *high += (*high - *low) / 8;
  if (!isnormal ((*high - *low)
                 / 1024)) /* a range for a slider: not 0, not infinite, and its steps are distinct values */
    return FALSE;
  if (!pixel_type_is_float (info->type))
    *high = ceil (*high);
  return TRUE;
}
