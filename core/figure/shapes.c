/* SPDX-License-Identifier: MIT
 */
#include "core/figure/shapes.h"

#include "core/figure/letters.h"
#include "core/selection/selection.h"

static const double cross = 3; /* points, from the middle of it to each end */

static void
trace_oval (cairo_t *cr, SelectionPoint from, SelectionPoint to)
{
  if (!(to.x > from.x && to.y > from.y))
    return;
  cairo_save (cr);
  cairo_translate (cr, (from.x + to.x) / 2, (from.y + to.y) / 2);
  cairo_scale (cr, (to.x - from.x) / 2, (to.y - from.y) / 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
  cairo_close_path (cr);
  cairo_restore (cr);
}

static void
trace_cross (cairo_t *cr, SelectionPoint at, double size)
{
  cairo_move_to (cr, at.x - size, at.y);
  cairo_line_to (cr, at.x + size, at.y);
  cairo_move_to (cr, at.x, at.y - size);
  cairo_line_to (cr, at.x, at.y + size);
}

/* points: of the selection, in dots. */
static void
trace_corners (cairo_t *cr, const Selection *selection, const SelectionPoint *points)
{
  for (guint i = 0, end; i < selection->n_points; i = end) {
    end = selection_loop_end (selection, i);
    cairo_new_sub_path (cr);
    for (guint k = i; k < end; k++)
      cairo_line_to (cr, points[k].x, points[k].y);
    if (selection_is_area (selection))
      cairo_close_path (cr);
  }
}

/* In dots. */
static void
trace (const FigureScene *s, cairo_t *cr, const Selection *selection)
{
  const guint n = selection->n_points;
  g_autofree SelectionPoint *p = g_memdup2 (selection->points, n * sizeof *p);
  for (guint i = 0; i < n; i++)
    p[i] = (SelectionPoint){(p[i].x - (double) s->part.x) * s->zoom, (p[i].y - (double) s->part.y) * s->zoom};
  if (selection->shape == SELECTION_RECTANGLE)
    cairo_rectangle (cr, p[0].x, p[0].y, p[1].x - p[0].x, p[1].y - p[0].y);
  else if (selection->shape == SELECTION_OVAL)
    trace_oval (cr, p[0], p[1]);
  else if (selection->shape == SELECTION_POINT)
    for (guint i = 0; i < n; i++)
      trace_cross (cr, p[i], cross * s->point);
  else
    trace_corners (cr, selection, p);
}

gboolean
figure_shapes_draw (const FigureScene *s, cairo_t *cr, GError **error)
{
  g_autoptr (GPtrArray) selections = figure_choices_selections (&s->choices, error);
  if (!selections)
    return FALSE;
  figure_letters_color (cr, s->choices.selection_color);
  cairo_set_line_width (cr, s->choices.line * s->point);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  for (guint i = 0; i < selections->len; i++) {
    trace (s, cr, selections->pdata[i]);
    cairo_stroke (cr);
  }
  return TRUE;
}
