/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/viewport.h"

#include <math.h>

struct _Viewport {
  GObject parent;
  int width, height;
  double x, y, zoom; /* image position of the upper left corner; pixels of the widget for each of the image */
  gboolean fitted;   /* follow the size of the widget */
};

G_DEFINE_FINAL_TYPE (Viewport, viewport, G_TYPE_OBJECT)

enum { MOVED, ZOOMED, SIGNALS };
static guint signals[SIGNALS];
static const double min_zoom = 1e-3, max_zoom = 128;

void
viewport_set_size (Viewport *v, int width, int height)
{
  v->width = width;
  v->height = height;
}

PaintArea
viewport_area (const Viewport *v, int scale)
{
  return (PaintArea){v->x, v->y, v->zoom * scale, v->width * scale, v->height * scale};
}

gboolean
viewport_fitted (const Viewport *v)
{
  return v->fitted;
}

gboolean
viewport_fit (Viewport *v, gint64 columns, gint64 rows)
{
  v->fitted = TRUE;
  if (v->width <= 0 || v->height <= 0)
    return FALSE;
  double zoom = MIN ((double) v->width / (double) columns, (double) v->height / (double) rows);
  zoom = CLAMP (zoom, min_zoom, max_zoom);
  double x = ((double) columns - v->width / zoom) / 2, y = ((double) rows - v->height / zoom) / 2;
  gboolean same = zoom == v->zoom && x == v->x && y == v->y;
  v->zoom = zoom;
  v->x = x;
  v->y = y;
  if (!same)
    g_signal_emit (v, signals[MOVED], 0);
  g_signal_emit (v, signals[ZOOMED], 0);
  return !same;
}

void
viewport_zoom_about (Viewport *v, double zoom, double x, double y)
{
  zoom = CLAMP (zoom, min_zoom, max_zoom);
  double left = v->x + x / v->zoom - x / zoom, top = v->y + y / v->zoom - y / zoom;
  v->zoom = zoom;
  viewport_move (v, left, top);
  g_signal_emit (v, signals[ZOOMED], 0);
}

void
viewport_set_zoom (Viewport *v, double zoom)
{
  zoom = CLAMP (zoom, min_zoom, max_zoom);
  double kept = 0.5 / v->zoom - 0.5 / zoom, left = v->x + v->width * kept, top = v->y + v->height * kept;
  v->zoom = zoom;
  viewport_move (v, round (left * zoom) / zoom, round (top * zoom) / zoom);
  g_signal_emit (v, signals[ZOOMED], 0);
}

void
viewport_move (Viewport *v, double x, double y)
{
  v->x = x;
  v->y = y;
  v->fitted = FALSE;
  g_signal_emit (v, signals[MOVED], 0);
}

void
viewport_seek (Viewport *v, double x, double y)
{
  double width = v->width / v->zoom, height = v->height / v->zoom;
  if (x < v->x || y < v->y || x >= v->x + width || y >= v->y + height)
    viewport_move (v, x - width / 2, y - height / 2);
}

void
viewport_show (Viewport *v, double x, double y, double columns, double rows)
{
  double zoom = MIN (v->width / MAX (columns, 1), v->height / MAX (rows, 1)) / 2;
  v->zoom = CLAMP (zoom, min_zoom, max_zoom);
  viewport_move (v, x + (columns - v->width / v->zoom) / 2, y + (rows - v->height / v->zoom) / 2);
  g_signal_emit (v, signals[ZOOMED], 0);
}

static void
viewport_class_init (ViewportClass *class)
{
  (void) class;
  signals[MOVED] = g_signal_new ("moved", VIEWPORT_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ZOOMED] = g_signal_new ("zoomed", VIEWPORT_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
viewport_init (Viewport *v)
{
  v->zoom = 1;
  v->fitted = TRUE;
}

Viewport *
viewport_new (void)
{
  return g_object_new (VIEWPORT_TYPE, NULL);
}
