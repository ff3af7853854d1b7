/* SPDX-License-Identifier: MIT
 */
#include "core/measure/channel_scatter.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/pixel_type.h"

#include <math.h>

enum { CELLS = 256 };

/* A plane of each. */
typedef struct {
  const void *values[2], *mask; /* mask: NULL, all count */
  fv_type types[2], mask_type;
  gint64 pixels;
} Planes;

/* An image of one slice, channel or frame is the same for all. */
static const void *
plane_of (Image *image, gint64 frame, gint64 channel, gint64 slice, GError **error)
{
  const ImageInfo *i = image_info (image);
  frame = MIN (frame, i->frames - 1);
  channel = MIN (channel, i->channels - 1);
  slice = MIN (slice, i->depth - 1);
  return image_plane (image, (frame * i->channels + channel) * i->depth + slice, error);
}

static gboolean
find_planes (const ChannelScatterOf *of, gint64 slice, Planes *p, Progress *progress, GError **error)
{
  const ImageInfo *info = image_info (of->images[0]);
  *p = (Planes){.pixels = info->rows * info->columns};
  for (int i = 0; i < 2; i++) {
    p->types[i] = image_info (of->images[i])->type;
    if (!(p->values[i] = plane_of (of->images[i], of->frame, of->channels[i], slice, error)))
      return FALSE;
  }
  if (of->mask) {
    p->mask_type = image_info (of->mask)->type;
    if (!(p->mask = plane_of (of->mask, of->frame, of->channels[0], slice, error)))
      return FALSE;
  }
  if (!progress_is_stopped (progress))
    return TRUE;
  step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
  return FALSE;
}

/* Whether pixel i counts; then its values. */
static inline gboolean
pair_at (const Planes *p, gint64 i, double v[2])
{
  const double inside = p->mask ? pixel_type_value (p->mask_type, p->mask, i) : 1;
  for (int k = 0; k < 2; k++)
    v[k] = pixel_type_value (p->types[k], p->values[k], i);
  return inside != 0 && !isnan (inside) && isfinite (v[0]) && isfinite (v[1]);
}

static void
widen (const Planes *p, Range ranges[2], gint64 *pixels)
{
  double v[2];
  for (gint64 i = 0; i < p->pixels; i++)
    if (pair_at (p, i, v)) {
      for (int k = 0; k < 2; k++)
        ranges[k] = (Range){MIN (ranges[k].low, v[k]), MAX (ranges[k].high, v[k])};
      ++*pixels;
    }
}

static void
count (const Planes *p, ChannelScatter *s)
{
  double v[2];
  for (gint64 i = 0; i < p->pixels; i++)
    if (pair_at (p, i, v)) {
      guint32 *cell = &s->counts[range_part (s->ranges[1], v[1], s->cells[1]) * s->cells[0]
                                 + range_part (s->ranges[0], v[0], s->cells[0])];
      ++*cell;
      s->max = MAX (s->max, *cell);
    }
}

/* Cells for the values between the least and the greatest. */
static void
fit (ChannelScatter *s, int k, fv_type type)
{
  Range *r = &s->ranges[k];
  s->cells[k] = CELLS;
  if (r->low > r->high)
    *r = (Range){0, 0};
  if (pixel_type_is_float (type)) {
    *r = range_widened (*r);
    return;
  }
  const double width = ceil ((r->high - r->low + 1) / CELLS);
  s->cells[k] = (int) ceil ((r->high - r->low + 1) / width);
  *r = (Range){r->low - 0.5, r->low - 0.5 + s->cells[k] * width};
}

ChannelScatter *
channel_scatter_new (const ChannelScatterOf *of, Progress *progress, GError **error)
{
  g_autoptr (ChannelScatter) s = g_new0 (ChannelScatter, 1);
  const gint64 depth = image_info (of->images[0])->depth;
  Planes p = {0};
  s->ranges[0] = s->ranges[1] = (Range){INFINITY, -INFINITY};
  for (gint64 z = 0; z < depth; z++) {
    if (!find_planes (of, z, &p, progress, error))
      return NULL;
    widen (&p, s->ranges, &s->pixels);
  }
  for (int k = 0; k < 2; k++)
    fit (s, k, p.types[k]);
  s->counts = g_new0 (guint32, s->cells[0] * s->cells[1]);
  for (gint64 z = 0; z < depth; z++) {
    if (!find_planes (of, z, &p, progress, error))
      return NULL;
    count (&p, s);
  }
  return g_steal_pointer (&s);
}

void
channel_scatter_free (ChannelScatter *s)
{
  if (s)
    g_free (s->counts);
  g_free (s);
}

/* ---- As text ---- */

static void
add_ends (GString *csv, const ChannelScatter *s, int axis, int cell)
{
  const Range r = s->ranges[axis];
  const double width = (r.high - r.low) / s->cells[axis]; /* a whole number where values are */
  for (int end = cell; end < cell + 2; end++) {
    text_add_number (csv, isfinite (width) ? r.low + end * width : range_value (r, (double) end / s->cells[axis]));
    g_string_append_c (csv, ',');
  }
}

char *
channel_scatter_csv (const ChannelScatter *s, const char *const names[2])
{
  GString *csv = g_string_new (NULL);
  for (int i = 0; i < 4; i++) {
    g_autofree char *header = g_strconcat (names[i / 2], i % 2 ? " to" : " from", NULL);
    csv_add_field (csv, header, (CsvFormat){',', FALSE, FALSE});
    g_string_append_c (csv, ',');
  }
  g_string_append (csv, "pixels\n");
  for (int i = 0; i < s->cells[0] * s->cells[1]; i++) {
    if (!s->counts[i])
      continue;
    add_ends (csv, s, 0, i % s->cells[0]);
    add_ends (csv, s, 1, i / s->cells[0]);
    g_string_append_printf (csv, "%u\n", s->counts[i]);
  }
  return g_string_free (csv, FALSE);
}
