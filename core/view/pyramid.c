/* SPDX-License-Identifier: MIT
 *
 * Level k + 1 is made from level k when it is first wanted.
 */
#include "core/view/pyramid.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 24 };

struct Pyramid {
  Image *image; /* of which */
  gint64 frame, slice;
  Image *levels[LEVELS];
  GArray *ranges; /* Range of each channel; NaN: not looked for yet */
};

static void
forget (Pyramid *p)
{
  for (int i = 0; i < LEVELS; i++)
    g_clear_pointer (&p->levels[i], image_unref);
  g_clear_pointer (&p->image, image_unref);
  g_array_set_size (p->ranges, 0);
}

Pyramid *
pyramid_new (void)
{
  Pyramid *p = g_new0 (Pyramid, 1);
  p->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  return p;
}

void
pyramid_free (Pyramid *p)
{
  if (!p)
    return;
  forget (p);
  g_array_unref (p->ranges);
  g_free (p);
}

/* ---- The slice ---- */

static Image *
take_slice (Image *image, gint64 frame, gint64 slice, GError **error)
{
  ImageInfo info = *image_info (image);
  gint64 channels = info.channels, depth = info.depth;
  gsize bytes = image_info_plane_bytes (&info);
  g_autoptr (Image) copy = NULL;
  if (info.frames == 1 && depth == 1)
    return image_on_host (image, NULL, error) ? image_ref (image) : NULL;
  info.frames = info.depth = 1;
  if (!(copy = image_new (&info, error)))
    return NULL;
  for (gint64 c = 0; c < channels; c++) {
    const void *plane = image_plane (image, (frame * channels + c) * depth + slice, error);
    if (!plane)
      return NULL;
    memcpy ((char *) image_pixels (copy) + (gsize) c * bytes, plane, bytes);
  }
  return g_steal_pointer (&copy);
}

/* ---- Halves ---- */

/* One row of the smaller image from two of the larger; `columns` of the larger, at least 2. */
#define DEFINE_HALVE(T, SUM, MEAN)                                                                                     \
  static void halve_##T (void *to, const void *row_a, const void *row_b, gint64 columns)                               \
  {                                                                                                                    \
    T *out = to;                                                                                                       \
    const T *a = row_a, *b = row_b;                                                                                    \
    for (gint64 x = 0; x < columns / 2; x++) {                                                                         \
      SUM sum = (SUM) a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1];                                               \
      out[x] = (T) (MEAN);                                                                                             \
    }                                                                                                                  \
  }
DEFINE_HALVE (guint8, guint, (sum + 2) / 4)
DEFINE_HALVE (guint16, guint, (sum + 2) / 4)
DEFINE_HALVE (gint32, gint64, sum / 4)
DEFINE_HALVE (float, float, sum / 4)
DEFINE_HALVE (double, double, sum / 4)

static void
halve_labels (void *to, const void *row_a, const void *row_b, gint64 columns)
{
  gint32 *out = to;
  const gint32 *a = row_a;
  (void) row_b;
  for (gint64 x = 0; x < columns / 2; x++)
    out[x] = a[2 * x];
}

typedef void (*Halve) (void *, const void *, const void *, gint64);

static Halve
halve_for (const ImageInfo *info)
{
  if (info->role == FV_LABELS && info->type == FV_I32)
    return halve_labels;
  switch (info->type) {
  case FV_U8: return halve_guint8;
  case FV_U16: return halve_guint16;
  case FV_I32: return halve_gint32;
  case FV_F32: return halve_float;
  default: return halve_double;
  }
}

static Image *
half_of (Image *image, GError **error)
{
  ImageInfo info = *image_info (image);
  gint64 rows = info.rows, columns = info.columns;
  gsize plane = image_info_plane_bytes (&info), pitch = plane / (gsize) rows;
  Halve halve = halve_for (&info);
  Image *half;
  info.rows = MAX (1, rows / 2);
  info.columns = MAX (1, columns / 2);
  if (!(half = image_new (&info, error)))
    return NULL;
  gsize half_plane = image_info_plane_bytes (&info), half_pitch = half_plane / (gsize) info.rows;
  for (gint64 c = 0; c < info.channels; c++) {
    const char *from = image_plane (image, c, error);
    char *to = (char *) image_pixels (half) + (gsize) c * half_plane;
#pragma omp parallel for
    for (gint64 y = 0; y < info.rows; y++)
      halve (to + (gsize) y * half_pitch, from + (gsize) (2 * y) * pitch,
             from + (gsize) MIN (2 * y + 1, rows - 1) * pitch, columns);
  }
  return half;
}

Image *
pyramid_level (Pyramid *p, Image *image, gint64 frame, gint64 slice, guint level, GError **error)
{
  guint have;
  if (p->image != image || p->frame != frame || p->slice != slice || !p->levels[0]) {
    forget (p);
    if (!(p->levels[0] = take_slice (image, frame, slice, error)))
      return NULL;
    p->image = image_ref (image);
    p->frame = frame;
    p->slice = slice;
  }
  level = MIN (level, LEVELS - 1);
  for (have = level; !p->levels[have]; have--)
    ;
  for (; have < level; have++) {
    const ImageInfo *info = image_info (p->levels[have]);
    if (info->rows < 2 || info->columns < 2)
      break;
    if (!(p->levels[have + 1] = half_of (p->levels[have], error)))
      return NULL;
  }
  return p->levels[have];
}

/* ---- Range ---- */

Range
pyramid_shown_range (Pyramid *p, gint64 channel)
{
  const ImageInfo *info = image_info (p->levels[0]);
  Range *known;
  while ((gint64) p->ranges->len < info->channels) {
    const Range unknown = {NAN, NAN};
    g_array_append_val (p->ranges, unknown);
  }
  known = &g_array_index (p->ranges, Range, channel);
  if (isnan (known->low))
    *known = shown_range_of (info->type, image_plane (p->levels[0], channel, NULL), info->rows * info->columns);
  return *known;
}
