/* SPDX-License-Identifier: MIT
 *
 * A screen pixel is of the object when the label under its middle is, as in `display`. Two pixels inside the rim are bright, two
 * outside are black.
 */
#include "ui/canvas/paint_object.h"

#include "core/measure/object_labels.h"

#include <math.h>

enum { RIM = 2, AROUND = 2 * RIM };

/* A part of the screen: 1 where the object is. */
typedef struct {
  int x, y, width, height;
  guchar *is;
} Mask;

/* The screen's part where it can be. */
static Mask
mask_new (const ImageRegion *box, const PaintArea *a)
{
  double left = floor (((double) box->column - a->x) * a->zoom) - AROUND;
  double top = floor (((double) box->row - a->y) * a->zoom) - AROUND;
  double right = ceil (((double) (box->column + box->columns) - a->x) * a->zoom) + AROUND;
  double bottom = ceil (((double) (box->row + box->rows) - a->y) * a->zoom) + AROUND;
  Mask m = {(int) CLAMP (left, -AROUND, a->width), (int) CLAMP (top, -AROUND, a->height), 0, 0, NULL};
  m.width = (int) CLAMP (right, m.x, a->width + AROUND) - m.x;
  m.height = (int) CLAMP (bottom, m.y, a->height + AROUND) - m.y;
  m.is = g_malloc0 ((gsize) m.width * (gsize) m.height + 1);
  return m;
}

/* Of the image no more is read than what is in the box and on the screen. */
static gboolean
look_up (const Mask *m, const PaintObject *o, const ImageRegion *box, const PaintArea *a, GError **error)
{
  const gint64 depth = image_info (o->labels)->depth, right = box->column + box->columns, bottom = box->row + box->rows;
  ImageRegion seen = *box;
  seen.row = (gint64) CLAMP (floor (a->y + (m->y + 0.5) / a->zoom), (double) box->row, (double) bottom - 1);
  seen.column = (gint64) CLAMP (floor (a->x + (m->x + 0.5) / a->zoom), (double) box->column, (double) right - 1);
  seen.rows =
    (gint64) CLAMP (floor (a->y + (m->y + m->height + 0.5) / a->zoom) + 1, (double) seen.row + 1, (double) bottom)
    - seen.row;
  seen.columns =
    (gint64) CLAMP (floor (a->x + (m->x + m->width + 0.5) / a->zoom) + 1, (double) seen.column + 1, (double) right)
    - seen.column;
  g_auto (ObjectRows) rows = {.image = o->labels, .plane = o->frame * depth + o->slice, .region = seen};
  for (int i = 0; i < m->height; i++) {
    double y = floor (a->y + (m->y + i + 0.5) / a->zoom);
    if (y < (double) seen.row || y >= (double) (seen.row + seen.rows))
      continue;
    const gint32 *labels = object_rows_at (&rows, (gint64) y, error);
    if (!labels)
      return FALSE;
    for (int j = 0; j < m->width; j++) {
      double x = floor (a->x + (m->x + j + 0.5) / a->zoom) - (double) seen.column;
      m->is[i * m->width + j] = x >= 0 && x < (double) seen.columns && labels[(gint64) x] == o->label;
    }
  }
  return TRUE;
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

gboolean
paint_object_draw (const PaintObject *object, const ImageRegion *box, const PaintArea *area, guchar *pixels,
                   GError **error)
{
  static const guchar bright[4] = {255, 230, 40, 255}, black[4] = {0, 0, 0, 255};
  Mask m = mask_new (box, area);
  g_autofree guchar *is = m.is;
  if (!look_up (&m, object, box, area, error))
    return FALSE;
  g_autofree guchar *outer = spread (&m, TRUE), *inner = spread (&m, FALSE);
  for (int i = 0; i < m.height; i++)
    for (int j = 0; j < m.width; j++) {
      int x = m.x + j, y = m.y + i, at = i * m.width + j;
      guchar *pixel = pixels + ((gsize) MAX (y, 0) * (gsize) area->width + (gsize) MAX (x, 0)) * 4;
      if (!outer[at] || inner[at] || x < 0 || y < 0 || x >= area->width || y >= area->height || !pixel[3])
        continue;
      memcpy (pixel, is[at] ? bright : black, 4);
    }
  return TRUE;
}
