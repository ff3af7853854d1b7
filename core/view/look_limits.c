/* SPDX-License-Identifier: MIT
 */
#include "core/view/look_limits.h"

#include "core/data/pixel_type.h"
#include "core/view/contrast_limits.h"
#include "core/view/plane_sample.h"
#include "core/view/shown_range.h"

enum { MOST_CHANNELS = 4, MOST_VALUES = 1 << 20 };

/* Nearly all pixels are nearly as dark as the darkest: so many are in such a part of the range. */
static const double dark_pixels = 0.99, dark_range = 0.05;

static gboolean
is_dark (const ImageInfo *info, const void *pixels)
{
  const gint64 all = info->rows * info->columns, step = (all - 1) / MOST_VALUES + 1;
  const Range range = shown_range_of (info->type, pixels, all);
  gint64 finite = 0, dark = 0;
  for (gint64 i = 0; i < all; i += step) {
    const double value = pixel_type_value (info->type, pixels, i);
    finite += isfinite (value);
    dark += isfinite (value) && range_fraction (range, value) < dark_range;
  }
  return range.high > range.low && (double) dark > dark_pixels * (double) finite;
}

gboolean
look_examine (Image *image, GError **error)
{
  const ImageInfo *info = image_info (image);
  g_autofree guint *dark = g_new0 (guint, 1);
  if (info->role != FV_IMAGE || !pixel_type_is_float (info->type) || image_kept (image, look_dark_quark ()))
    return TRUE;
  for (gint64 c = 0; c < MIN (info->channels, MOST_CHANNELS); c++) {
    g_auto (PlaneSample) sample = {0};
    if (!plane_sample_take (&sample, image, c * info->depth, error))
      return FALSE;
    *dark |= is_dark (&sample.info, sample.pixels) ? 1u << c : 0;
  }
  if (image_keep (image, look_dark_quark (), dark, g_free))
    dark = NULL;
  return TRUE;
}

gboolean
look_limits (const ViewChannel *look, Image *image, gint64 plane, Range *limits, GError **error)
{
  g_auto (PlaneSample) sample = {0};
  GError *fault = NULL;
  if (look->zscale && limits_of_plane (image, plane, 0, limits, &fault))
    return TRUE;
  if (fault)
    g_propagate_error (error, fault);
  if (fault || !plane_sample_take (&sample, image, plane, error))
    return FALSE;
  *limits = shown_range_of (sample.info.type, sample.pixels, sample.info.rows * sample.info.columns);
  return TRUE;
}
