/* SPDX-License-Identifier: MIT
 *
 * Labels and masks over a part are looked up under its pixels.
 */
#include "ui/canvas/paint_inputs.h"

#include "core/view/look_limits.h"
#include "core/view/pyramid.h"
#include "core/view/tiles.h"

#include <math.h>
#include <string.h>

/* Microseconds for reading: while the image is moved there is a picture often enough. */
static const gint64 at_first = 30 * 1000, later = 250 * 1000;

typedef struct {
  Range range; /* NaN: not looked for yet */
  gboolean zscale;
  gint64 plane; /* of which the limits are */
} Known;

struct PaintSources {
  Pyramid *pyramid, *label_pyramid;
  Tiles *tiles;
  Image *image; /* of which the ranges are, and whether its parts are seen */
  gint64 slice, frame;
  gboolean parts;
  GArray *ranges; /* Known of each channel */
};

PaintSources *
paint_sources_new (void)
{
  PaintSources *s = g_new0 (PaintSources, 1);
  s->pyramid = pyramid_new ();
  s->label_pyramid = pyramid_new ();
  s->tiles = tiles_new ();
  s->ranges = g_array_new (FALSE, FALSE, sizeof (Known));
  return s;
}

void
paint_sources_free (PaintSources *s)
{
  pyramid_free (s->pyramid);
  pyramid_free (s->label_pyramid);
  tiles_free (s->tiles);
  image_unref (s->image);
  g_array_unref (s->ranges);
  g_free (s);
}

/* ---- A part ---- */

/* A pixel of each for each of the part's. */
static gboolean
look_up_row (Image *labels, gint64 plane, const TilesPart *part, gint64 y, guint8 *row, guint8 *to, GError **error)
{
  const ImageInfo *info = image_info (labels), *seen = image_info (part->image);
  gsize pixel = image_info_plane_bytes (info) / (gsize) (info->rows * info->columns);
  gint64 first = (gint64) ((double) part->x * part->factor);
  gint64 end = MIN ((gint64) ceil ((double) (part->x + seen->columns) * part->factor), info->columns);
  const ImageRegion region = {MIN ((gint64) ((double) (part->y + y) * part->factor), info->rows - 1), first, 1,
                              end - first};
  if (!image_read (labels, 0, plane, &region, row, (gsize) region.columns * pixel, error))
    return FALSE;
  for (gint64 x = 0; x < seen->columns; x++) {
    gint64 from = MIN ((gint64) ((double) (part->x + x) * part->factor), info->columns - 1) - first;
    memcpy (to + (gsize) x * pixel, row + (gsize) from * pixel, pixel);
  }
  return TRUE;
}

static Image *
look_up (Image *labels, const PaintWanted *w, const TilesPart *part, GError **error)
{
  ImageInfo info = *image_info (labels);
  gsize pixel = image_info_plane_bytes (&info) / (gsize) (info.rows * info.columns);
  g_autofree guint8 *row = g_malloc ((gsize) info.columns * pixel);
  const gint64 depth = info.depth, channels = info.channels;
  info.frames = info.depth = 1;
  info.rows = image_info (part->image)->rows;
  info.columns = image_info (part->image)->columns;
  g_autoptr (Image) found = image_new (&info, error);
  for (gint64 c = 0; found && c < channels; c++)
    for (gint64 y = 0; y < info.rows; y++)
      if (!look_up_row (labels, (w->frame * channels + c) * depth + w->slice, part, y, row,
                        (guint8 *) image_pixels (found) + (gsize) ((c * info.rows + y) * info.columns) * pixel, error))
        return NULL;
  return g_steal_pointer (&found);
}

static gboolean
find_part (PaintInputs *inputs, PaintSources *s, const PaintWanted *w, GError **error)
{
  const PaintArea *a = &w->area;
  const TilesLook look = {.image = w->image,
                          .frame = w->frame,
                          .slice = w->slice,
                          .numbers = w->numbers,
                          .seen = w->seen,
                          .x = a->x,
                          .y = a->y,
                          .width = a->width / a->zoom,
                          .height = a->height / a->zoom,
                          .zoom = a->zoom,
                          .until = g_get_monotonic_time () + (w->more ? later : at_first)};
  TilesPart part;
  if (!tiles_part (s->tiles, &look, &part, error))
    return FALSE;
  inputs->images[0] = part.image;
  inputs->partial = !part.complete;
  inputs->fault = part.fault;
  inputs->area.x = a->x / part.factor - (double) part.x;
  inputs->area.y = a->y / part.factor - (double) part.y;
  inputs->area.zoom = a->zoom * part.factor;
  return !w->labels || (inputs->images[1] = look_up (w->labels, w, &part, error));
}

/* ---- A whole slice ---- */

static gboolean
find_slice (PaintInputs *inputs, PaintSources *s, const PaintWanted *w, GError **error)
{
  guint level = 0;
  const PyramidSlice of = {w->image, w->frame, w->slice, w->numbers}, over = {w->labels, w->frame, w->slice, FALSE};
  Image *image = pyramid_level (s->pyramid, &of, pyramid_level_for (w->area.zoom), error), *labels;
  if (!image)
    return FALSE;
  inputs->images[0] = image_ref (image);
  while (image_info (image)->columns < image_info (w->image)->columns >> level)
    level++;
  inputs->area.x = ldexp (w->area.x, -(int) level);
  inputs->area.y = ldexp (w->area.y, -(int) level);
  inputs->area.zoom = ldexp (w->area.zoom, (int) level);
  if (!w->labels)
    return TRUE;
  if ((labels = pyramid_level (s->label_pyramid, &over, level, error)))
    inputs->images[1] = image_ref (labels);
  return labels != NULL;
}

/* ---- Either ---- */

/* Ranges are those of this slice, however it is seen. */
static void
turn_to (PaintSources *s, const PaintWanted *w)
{
  const Known unknown = {.range = {NAN, NAN}};
  gboolean parts =
    tiles_suit (w->image, w->frame * image_info (w->image)->channels * image_info (w->image)->depth + w->slice);
  const gboolean other = s->image != w->image;
  s->slice = w->slice;
  s->frame = w->frame;
  s->parts = parts;
  if (!other)
    return;
  image_ref (w->image);
  image_unref (s->image);
  s->image = w->image;
  g_array_set_size (s->ranges, 0);
  for (gint64 c = 0; c < image_info (w->image)->channels; c++)
    g_array_append_val (s->ranges, unknown);
}

gboolean
paint_inputs_find (PaintInputs *inputs, PaintSources *s, const PaintWanted *w, GError **error)
{
  *inputs = (PaintInputs){.area = w->area};
  turn_to (s, w);
  if ((s->parts ? find_part : find_slice) (inputs, s, w, error))
    return TRUE;
  paint_inputs_clear (inputs);
  return FALSE;
}

void
paint_inputs_whole (PaintInputs *inputs, const PaintWanted *w)
{
  *inputs = (PaintInputs){.images = {image_ref (w->image), w->labels ? image_ref (w->labels) : NULL}, .area = w->area};
}

void
paint_inputs_clear (PaintInputs *inputs)
{
  image_unref (inputs->images[0]);
  image_unref (inputs->images[1]);
  g_clear_error (&inputs->fault);
  *inputs = (PaintInputs){.area = inputs->area};
}

gboolean
paint_sources_are_like (const PaintSources *s, const ImageInfo *info)
{
  const ImageInfo *last = s->image ? image_info (s->image) : NULL;
  return last && last->type == info->type && last->role == info->role && last->channels == info->channels;
}

gboolean
paint_sources_range (PaintSources *s, gint64 channel, const ViewChannel *look, Range *range, GError **error)
{
  Known *known = &g_array_index (s->ranges, Known, channel);
  const ImageInfo *info = image_info (s->image);
  gint64 plane = (s->frame * info->channels + channel) * info->depth + s->slice;
  if (look_limits_are_of_all (look, info))
    return look_limits (look, s->image, plane, range, error);
  if (isnan (known->range.low) || known->zscale != look->zscale || known->plane != plane) {
    if (!look_limits (look, s->image, plane, &known->range, error))
      return FALSE;
    known->zscale = look->zscale;
    known->plane = plane;
  }
  *range = known->range;
  return TRUE;
}
