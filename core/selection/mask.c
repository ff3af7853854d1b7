/* SPDX-License-Identifier: MIT
 *
 * Which pixels a selection has: those whose center lies inside. As in ImageJ a center on the border of an oval is inside;
 * on the outline of a polygon it is where the shape lies to the left of it or above it. Outlines that cross themselves
 * are filled by the even-odd rule.
 */
#include "core/selection/selection.h"

#include <math.h>
#include <string.h>

#define NUDGE 1e-8 /* added to crossings, so that rounding does not decide about centers on an edge */

/* The first pixel of 0 … n whose center lies beyond v. */
static gint64
first_beyond (double v, gint64 n)
{
  double pixel = floor (v + 0.5);
  return pixel > 0 ? pixel < (double) n ? (gint64) pixel : n : 0;
}

/* Where the edge from a to b crosses the centers of a row. */
static double
crossing (SelectionPoint a, SelectionPoint b, gint64 row)
{
  return a.x + ((double) row + 0.5 - a.y) * (b.x - a.x) / (b.y - a.y) + NUDGE;
}

static gboolean
is_beyond (double v, gint64 pixel)
{
  return floor (v + 0.5) <= (double) pixel;
}

static gboolean
oval_contains (const SelectionPoint *corners, gint64 x, gint64 y)
{
  double rx = (corners[1].x - corners[0].x) / 2, ry = (corners[1].y - corners[0].y) / 2;
  double dx = (double) x + 0.5 - (corners[0].x + rx), dy = (double) y + 0.5 - (corners[0].y + ry);
  return dx * dx / (rx * rx) + dy * dy / (ry * ry) <= 1;
}

/* The end of the side that begins at corner i; *from, 0 at first: where that polygon of a composite begins. */
static SelectionPoint
next_corner (const Selection *polygon, guint i, guint *from)
{
  const SelectionPoint *p = polygon->points, first = p[*from];
  const gboolean ends = polygon->shape == SELECTION_COMPOSITE && i > *from && p[i].x == first.x && p[i].y == first.y;
  if (i + 1 < polygon->n_points && !ends)
    return p[i + 1];
  *from = i + 1;
  return first;
}

static gboolean
polygon_contains (const Selection *polygon, gint64 x, gint64 y)
{
  gboolean inside = FALSE;
  for (guint i = 0, from = 0; i < polygon->n_points; i++) {
    SelectionPoint a = polygon->points[i], b = next_corner (polygon, i, &from);
    if (is_beyond (a.y, y) != is_beyond (b.y, y) && is_beyond (crossing (a, b, y), x))
      inside = !inside;
  }
  return inside;
}

gboolean
selection_contains (const Selection *selection, gint64 x, gint64 y)
{
  const SelectionPoint *corners = selection->points;
  switch (selection->shape) {
  case SELECTION_RECTANGLE:
    return is_beyond (corners[0].x, x) && !is_beyond (corners[1].x, x) && is_beyond (corners[0].y, y)
           && !is_beyond (corners[1].y, y);
  case SELECTION_OVAL: return oval_contains (corners, x, y);
  default: return selection_is_area (selection) && polygon_contains (selection, x, y);
  }
}

typedef struct {
  guint8 *pixels;
  gint64 width, height;
} Mask;

static void
fill_box (const Mask *mask, const Selection *box)
{
  gint64 x0 = first_beyond (box->points[0].x, mask->width), x1 = first_beyond (box->points[1].x, mask->width);
  gint64 y0 = first_beyond (box->points[0].y, mask->height), y1 = first_beyond (box->points[1].y, mask->height);
  for (gint64 y = y0; y < y1; y++)
    for (gint64 x = x0; x < x1; x++)
      if (box->shape == SELECTION_RECTANGLE || oval_contains (box->points, x, y))
        mask->pixels[y * mask->width + x] = 255;
}

/* Each edge turns over the pixels to the right of it, in two passes: marks where that begins, then their sum along rows. */
static void
fill_polygon (const Mask *mask, const Selection *polygon)
{
  for (guint i = 0, from = 0; i < polygon->n_points; i++) {
    SelectionPoint a = polygon->points[i], b = next_corner (polygon, i, &from);
    gint64 end = first_beyond (fmax (a.y, b.y), mask->height);
    for (gint64 y = first_beyond (fmin (a.y, b.y), mask->height); y < end; y++) {
      gint64 x = first_beyond (crossing (a, b, y), mask->width);
      if (x < mask->width)
        mask->pixels[y * mask->width + x] ^= 255;
    }
  }
  for (gint64 y = 0; y < mask->height; y++)
    for (gint64 x = 1; x < mask->width; x++)
      mask->pixels[y * mask->width + x] ^= mask->pixels[y * mask->width + x - 1];
}

static void
mark_point (const Mask *mask, SelectionPoint point)
{
  if (point.x >= 0 && point.x < (double) mask->width && point.y >= 0 && point.y < (double) mask->height)
    mask->pixels[(gint64) point.y * mask->width + (gint64) point.x] = 255;
}

static void
mark_line (const Mask *mask, const Selection *line)
{
  SelectionWalk walk = selection_walk (line, 1, 1);
  for (guint i = 0; i <= walk.steps; i++)
    mark_point (mask, selection_walk_to (&walk, i));
}

Image *
selection_mask (const Selection *selection, gint64 width, gint64 height)
{
  ImageInfo info = {.type = FV_U8,
                    .role = FV_MASK,
                    .frames = 1,
                    .channels = 1,
                    .depth = 1,
                    .rows = height,
                    .columns = width,
                    .spacing = {1, 1, 1}};
  Image *image = image_new (&info, NULL);
  Mask mask = {image ? image_pixels (image) : NULL, width, height};
  if (!image)
    return NULL;
  memset (mask.pixels, 0, (gsize) width * (gsize) height);
  switch (selection->shape) {
  case SELECTION_RECTANGLE:
  case SELECTION_OVAL: fill_box (&mask, selection); break;
  case SELECTION_LINE:
  case SELECTION_POLYLINE:
  case SELECTION_FREELINE:
  case SELECTION_ANGLE: mark_line (&mask, selection); break;
  case SELECTION_POINT:
    for (guint i = 0; i < selection->n_points; i++)
      mark_point (&mask, selection->points[i]);
    break;
  default: fill_polygon (&mask, selection); break;
  }
  return image;
}
