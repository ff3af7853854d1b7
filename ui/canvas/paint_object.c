/* SPDX-License-Identifier: MIT
 *
 * A screen pixel is of the object when the label under its middle is, as in `display`. Two pixels inside the rim are bright, two
 * outside are black.
 */
#include "ui/canvas/paint_object.h"

#include <math.h>

enum { RIM = 2, AROUND = 2 * RIM };

/* ---- Finding ---- */

static gboolean
find_in (const PaintObject *o, gint64 slice, graphene_rect_t *box)
{
  const ImageInfo *info = image_info (o->labels);
  const gint32 *pixels = image_plane (o->labels, o->frame * info->depth + slice, NULL);
  gint64 left = info->columns, right = -1, top = -1, bottom = -1;
  for (gint64 y = 0; pixels && y < info->rows; y++)
    for (gint64 x = 0; x < info->columns; x++)
      if (pixels[y * info->columns + x] == o->label) {
        left = MIN (left, x);
        right = MAX (right, x);
        top = top < 0 ? y : top;
        bottom = y;
      }
  if (top >= 0)
    graphene_rect_init (box, (float) left, (float) top, (float) (right + 1 - left), (float) (bottom + 1 - top));
  return top >= 0;
}

gboolean
paint_object_find (const PaintObject *object, gboolean all, gint64 *slice, graphene_rect_t *box)
{
  const ImageInfo *info = image_info (object->labels);
  *slice = object->slice;
  if (find_in (object, *slice, box))
    return TRUE;
  for (*slice = 0; all && *slice < info->depth; ++*slice)
    if (*slice != object->slice && find_in (object, *slice, box))
      return TRUE;
  return FALSE;
}

/* ---- Drawing ---- */

/* A part of the screen: 1 where the object is. */
typedef struct {
  int x, y, width, height;
  guchar *is;
} Mask;

static Mask
mask_of (const PaintObject *o, const graphene_rect_t *box, const PaintArea *a)
{
  const ImageInfo *info = image_info (o->labels);
  const gint32 *pixels = image_plane (o->labels, o->frame * info->depth + o->slice, NULL);
  double left = floor (((double) box->origin.x - a->x) * a->zoom) - AROUND;
  double top = floor (((double) box->origin.y - a->y) * a->zoom) - AROUND;
  double right = ceil (((double) (box->origin.x + box->size.width) - a->x) * a->zoom) + AROUND;
  double bottom = ceil (((double) (box->origin.y + box->size.height) - a->y) * a->zoom) + AROUND;
  Mask m = {(int) CLAMP (left, -AROUND, a->width), (int) CLAMP (top, -AROUND, a->height), 0, 0, NULL};
  m.width = (int) CLAMP (right, m.x, a->width + AROUND) - m.x;
  m.height = (int) CLAMP (bottom, m.y, a->height + AROUND) - m.y;
  m.is = g_malloc0 ((gsize) m.width * (gsize) m.height + 1);
  for (int i = 0; i < m.height && pixels; i++) {
    double y = floor (a->y + (m.y + i + 0.5) / a->zoom);
    for (int j = 0; j < m.width && y >= 0 && y < (double) info->rows; j++) {
      double x = floor (a->x + (m.x + j + 0.5) / a->zoom);
      m.is[i * m.width + j] =
        x >= 0 && x < (double) info->columns && pixels[(gint64) y * info->columns + (gint64) x] == o->label;
    }
  }
  return m;
}

/* Whether a pixel is of the object within the rim's width: of any pixel around (any), or of all. */
static guchar *
spread (const Mask *m, gboolean any)
{
  gsize n = (gsize) m->width * (gsize) m->height + 1;
  guchar *across = g_malloc0 (n), *both = g_malloc0 (n);
  for (int pass = 0; pass < 2; pass++) {
    const guchar *from = pass ? across : m->is;
    guchar *to = pass ? both : across;
    for (int y = 0; y < m->height; y++)
      for (int x = 0; x < m->width; x++) {
        int at = pass ? y : x, end = pass ? m->height : m->width, step = pass ? m->width : 1, found = 0;
        for (int k = MAX (at - RIM, 0); k <= MIN (at + RIM, end - 1); k++)
          found += from[y * m->width + x + (k - at) * step];
        to[y * m->width + x] = any ? found > 0 : found == 2 * RIM + 1;
      }
  }
  g_free (across);
  return both;
}

void
paint_object_draw (const PaintObject *object, const graphene_rect_t *box, const PaintArea *area, guchar *pixels)
{
  static const guchar bright[4] = {255, 230, 40, 255}, black[4] = {0, 0, 0, 255};
  Mask m = mask_of (object, box, area);
  g_autofree guchar *is = m.is, *outer = spread (&m, TRUE), *inner = spread (&m, FALSE);
  for (int i = 0; i < m.height; i++)
    for (int j = 0; j < m.width; j++) {
      int x = m.x + j, y = m.y + i, at = i * m.width + j;
      guchar *pixel = pixels + ((gsize) MAX (y, 0) * (gsize) area->width + (gsize) MAX (x, 0)) * 4;
      if (!outer[at] || inner[at] || x < 0 || y < 0 || x >= area->width || y >= area->height || !pixel[3])
        continue;
      memcpy (pixel, is[at] ? bright : black, 4);
    }
}
