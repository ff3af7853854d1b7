/* SPDX-License-Identifier: MIT
 *
 * The picture has a painter of its own, so that it does not wait for the other one.
 */
#include "ui/canvas/compare.h"

#include "ui/canvas/canvas_marks.h"

#include <glib/gi18n.h>

struct Compare {
  GtkWidget *canvas;
  View *view;
  Painter *painter;
  Paint *paint;    /* the last one that came, or NULL */
  Image *image;    /* what it is of; only to be compared */
  double position; /* of the line: 0 left ... 1 right */
};

static const double reach = 6;

static void
ready (gpointer data, Paint *paint, const GError *error)
{
  Compare *c = data;
  if (error)
    return;
  paint_free (c->paint);
  c->paint = paint;
  gtk_widget_queue_draw (c->canvas);
}

Compare *
compare_new (GtkWidget *canvas, Modules *modules, View *view)
{
  Compare *c = g_new0 (Compare, 1);
  c->canvas = canvas;
  c->view = view;
  c->painter = painter_new (modules, ready, c);
  c->position = 0.5;
  return c;
}

void
compare_free (Compare *c)
{
  painter_stop (c->painter);
  g_object_unref (c->painter);
  paint_free (c->paint);
  g_free (c);
}

void
compare_ask (Compare *c, const PaintArea *area)
{
  Image *before = view_compare (c->view) ? view_before (c->view) : NULL;
  if (before != c->image)
    g_clear_pointer (&c->paint, paint_free);
  c->image = before;
  if (before)
    painter_ask_before (c->painter, c->view, area);
}

void
compare_rest (Compare *c, gboolean resting)
{
  painter_rest (c->painter, resting);
  if (resting)
    g_clear_pointer (&c->paint, paint_free);
}

const Paint *
compare_paint (const Compare *c)
{
  return c->paint;
}

double
compare_line (const Compare *c)
{
  return c->position * gtk_widget_get_width (c->canvas);
}

void
compare_move (Compare *c, double x)
{
  c->position = CLAMP (x / MAX (gtk_widget_get_width (c->canvas), 1), 0, 1);
  gtk_widget_queue_draw (c->canvas);
}

gboolean
compare_grasps (const Compare *c, double x)
{
  return c->paint && ABS (x - compare_line (c)) <= reach;
}

void
compare_draw_line (const Compare *c, GtkSnapshot *snapshot)
{
  const GdkRGBA dark = {0, 0, 0, 0.7F}, bright = {1, 1, 1, 1};
  float x = (float) compare_line (c), height = (float) gtk_widget_get_height (c->canvas), middle = height / 2;
  gtk_snapshot_append_color (snapshot, &dark, &GRAPHENE_RECT_INIT (x - 2, 0, 4, height));
  gtk_snapshot_append_color (snapshot, &bright, &GRAPHENE_RECT_INIT (x - 1, 0, 2, height));
  gtk_snapshot_append_color (snapshot, &dark, &GRAPHENE_RECT_INIT (x - 5, middle - 17, 10, 34));
  gtk_snapshot_append_color (snapshot, &bright, &GRAPHENE_RECT_INIT (x - 4, middle - 16, 8, 32));
  canvas_marks_word (c->canvas, snapshot, _ ("before"), x - 16, 1);
  canvas_marks_word (c->canvas, snapshot, _ ("after"), x + 16, 0);
}
