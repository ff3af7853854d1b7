/* SPDX-License-Identifier: MIT
 */
#include "core/view/look_limits.h"

#include "core/data/pixel_type.h"
#include "core/view/contrast_limits.h"
#include "core/base/error.h"
#include "core/view/label_picture.h"
#include "core/view/plane_sample.h"
#include "core/view/shown_range.h"

#include <math.h>
#include <string.h>

enum { MAX_CHANNELS = 4, MAX_VALUES = 1 << 20, MAX_SIDE = 2048 /* of what is looked at for labels */ };

/* Nearly all pixels are nearly as dark as the darkest: so many are in such a part of the range. */
static const double dark_pixels = 0.99, dark_range = 0.05;

static gboolean
is_dark (const ImageInfo *info, const void *pixels)
{
  const gint64 all = info->rows * info->columns, step = (all - 1) / MAX_VALUES + 1;
  const Range range = shown_range_of (info->type, pixels, all);
  gint64 finite = 0, dark = 0;
  for (gint64 i = 0; i < all; i += step) {
    const double value = pixel_type_value (info->type, pixels, i);
    finite += isfinite (value);
    dark += isfinite (value) && range_fraction (range, value) < dark_range;
  }
  return range.high > range.low && (double) dark > dark_pixels * (double) finite;
}

static gboolean
find_dark (Image *image, gint64 channel, guint *dark, GError **error)
{
  const ImageInfo *info = image_info (image);
  g_auto (PlaneSample) sample = {0};
  if (!pixel_type_is_float (info->type))
    return TRUE;
  if (!plane_sample_take (&sample, image, channel * info->depth, error))
    return FALSE;
  *dark |= is_dark (&sample.info, sample.pixels) ? 1u << channel : 0;
  return TRUE;
}

/* The middle of a slice. */
static gboolean
examine_slice (Image *image, gint64 channel, gint64 slice, gboolean *empty, gboolean *labels, GError **error)
{
  const ImageInfo *info = image_info (image);
  const gint64 rows = MIN (info->rows, MAX_SIDE), columns = MIN (info->columns, MAX_SIDE);
  const ImageRegion region = {(info->rows - rows) / 2, (info->columns - columns) / 2, rows, columns};
  const gsize stride = (gsize) columns * pixel_type_bytes (info->type), bytes = (gsize) rows * stride;
  g_autofree guint8 *pixels = g_try_malloc (bytes);
  if (!pixels) {
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory to read '%s'.", info->name);
    return FALSE;
  }
  if (!image_read (image, 0, channel * info->depth + slice, &region, pixels, stride, error))
    return FALSE;
  *empty = !pixels[0] && !memcmp (pixels, pixels + 1, bytes - 1);
  *labels = label_picture_is (info->type, pixels, rows, columns);
  return TRUE;
}

static gboolean
find_labels (Image *image, gint64 channel, guint *labels, GError **error)
{
  gboolean empty, found;
  if (!examine_slice (image, channel, 0, &empty, &found, error)
      || (empty && !examine_slice (image, channel, image_info (image)->depth / 2, &empty, &found, error)))
    return FALSE;
  *labels |= found ? 1u << channel : 0;
  return TRUE;
}

gboolean
look_examine (Image *image, GError **error)
{
  const ImageInfo *info = image_info (image);
  g_autofree LookFound *found = g_new0 (LookFound, 1);
  if (info->role != FV_IMAGE || pixel_type_bytes (info->type) == 1 || image_kept (image, look_found_quark ()))
    return TRUE;
  for (gint64 c = 0; c < MIN (info->channels, MAX_CHANNELS); c++)
    if (!find_dark (image, c, &found->dark, error) || !find_labels (image, c, &found->labels, error))
      return FALSE;
  if (image_keep (image, look_found_quark (), found, g_free))
    found = NULL;
  return TRUE;
}

/* ---- The limits of all planes stay with the image ---- */

typedef struct {
  GMutex lock;
  Range *limits; /* of each channel, without zscale and with it; NaN: not found yet */
} Kept;

G_DEFINE_QUARK (look - limits, kept)

static void
kept_free (gpointer data)
{
  Kept *kept = data;
  g_mutex_clear (&kept->lock);
  g_free (kept->limits);
  g_free (kept);
}

static Kept *
kept_of (Image *image)
{
  Kept *kept = image_kept (image, kept_quark ());
  if (kept)
    return kept;
  const gint64 n = 2 * image_info (image)->channels;
  kept = g_new (Kept, 1);
  g_mutex_init (&kept->lock);
  kept->limits = g_new (Range, n);
  for (gint64 i = 0; i < n; i++)
    kept->limits[i] = (Range){NAN, NAN};
  if (!image_keep (image, kept_quark (), kept, kept_free))
    kept_free (kept);
  return image_kept (image, kept_quark ());
}

static gboolean
find_limits (const ViewChannel *look, Image *image, gint64 plane, Range *limits, GError **error)
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

gboolean
look_limits_are_of_all (const ViewChannel *look, const ImageInfo *info)
{
  return !look->by_plane && info->depth * info->frames > 1;
}

gboolean
look_limits (const ViewChannel *look, Image *image, gint64 plane, Range *limits, GError **error)
{
  const ImageInfo *info = image_info (image);
  if (!look_limits_are_of_all (look, info))
    return find_limits (look, image, plane, limits, error);
  const gint64 channel = plane / info->depth % info->channels;
  Kept *kept = kept_of (image);
  Range *known = &kept->limits[2 * channel + (look->zscale != 0)];
  g_mutex_lock (&kept->lock);
  gboolean good = !isnan (known->low);
  if (!good) {
    good = find_limits (look, image, channel * info->depth + info->depth / 2, limits, error);
    *known = good ? *limits : *known;
  }
  *limits = good ? *known : *limits;
  g_mutex_unlock (&kept->lock);
  return good;
}
