/* SPDX-License-Identifier: MIT
 *
 * A bright line of one pixel over a dark one of three is seen on any image.
 */
#include "ui/canvas/selection_paint.h"

#include "ui/selection/handles.h"

#include <math.h>

static const GdkRGBA current_color = {1, 0.92F, 0.1F, 1}, kept_color = {0.35F, 0.85F, 1, 1};
enum { HANDLE = 7, CROSS = 5, ROOM = 8 };
enum { MAX_NAMES = 300 }; /* more cannot be read */

typedef struct {
  cairo_t *cr;
  const PaintArea *area;
} Pen;

/* The middle of the widget pixel where an image position is: lines along it are crisp. */
static double
across (const Pen *pen, double x)
{
  return floor ((x - pen->area->x) * pen->area->zoom) + 0.5;
}

static double
down (const Pen *pen, double y)
{
  return floor ((y - pen->area->y) * pen->area->zoom) + 0.5;
}

/* ---- Shapes ---- */

static void
trace_oval (const Pen *pen, const SelectionPoint *p)
{
  double x = across (pen, p[0].x), y = down (pen, p[0].y);
  double width = across (pen, p[1].x) - x, height = down (pen, p[1].y) - y;
  cairo_matrix_t before;
  if (width <= 0 || height <= 0)
    return;
  cairo_get_matrix (pen->cr, &before);
  cairo_translate (pen->cr, x + width / 2, y + height / 2);
  cairo_scale (pen->cr, width / 2, height / 2);
  cairo_arc (pen->cr, 0, 0, 1, 0, 2 * G_PI);
  cairo_set_matrix (pen->cr, &before);
}

static void
trace_points (const Pen *pen, const Selection *s)
{
  for (guint i = 0; i < s->n_points; i++) {
    double x = across (pen, s->points[i].x), y = down (pen, s->points[i].y);
    cairo_move_to (pen->cr, x - CROSS, y);
    cairo_line_to (pen->cr, x + CROSS, y);
    cairo_move_to (pen->cr, x, y - CROSS);
    cairo_line_to (pen->cr, x, y + CROSS);
  }
}

/* One after the other the polygons of a composite, or all there is. */
static void
trace_corners (const Pen *pen, const Selection *s, gboolean closed)
{
  for (guint i = 0, end; i < s->n_points; i = end) {
    end = selection_loop_end (s, i);
    cairo_new_sub_path (pen->cr);
    for (guint k = i; k < end; k++)
      cairo_line_to (pen->cr, across (pen, s->points[k].x), down (pen, s->points[k].y));
    if (closed)
      cairo_close_path (pen->cr);
  }
}

/* closed: unless it is still being drawn. */
static void
trace_shape (const Pen *pen, const Selection *s, gboolean closed)
{
  const SelectionPoint *p = s->points;
  if (s->shape == SELECTION_RECTANGLE) {
    double x = across (pen, p[0].x), y = down (pen, p[0].y);
    cairo_rectangle (pen->cr, x, y, across (pen, p[1].x) - x, down (pen, p[1].y) - y);
  } else if (s->shape == SELECTION_OVAL)
    trace_oval (pen, p);
  else if (s->shape == SELECTION_POINT)
    trace_points (pen, s);
  else
    trace_corners (pen, s, closed && selection_is_area (s));
}

static void
stroke (const Pen *pen, const GdkRGBA *color)
{
  cairo_set_line_join (pen->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_source_rgba (pen->cr, 0, 0, 0, 0.65);
  cairo_set_line_width (pen->cr, 3);
  cairo_stroke_preserve (pen->cr);
  gdk_cairo_set_source_rgba (pen->cr, color);
  cairo_set_line_width (pen->cr, 1);
  cairo_stroke (pen->cr);
}

static void
draw_handles (const Pen *pen, const Selection *s)
{
  SelectionPoint handles[SELECTION_HANDLES];
  guint n = s->shape == SELECTION_POINT ? 0 : selection_handles (s, handles);
  for (guint i = 0; i < n; i++) {
    double x = across (pen, handles[i].x) - HANDLE / 2.0, y = down (pen, handles[i].y) - HANDLE / 2.0;
    cairo_rectangle (pen->cr, x, y, HANDLE, HANDLE);
  }
  cairo_set_source_rgba (pen->cr, 0, 0, 0, 0.8);
  cairo_fill_preserve (pen->cr);
  cairo_set_line_width (pen->cr, 1);
  gdk_cairo_set_source_rgba (pen->cr, &current_color);
  cairo_stroke (pen->cr);
}

/* ---- Names ---- */

static void
draw_name (const Pen *pen, GtkWidget *widget, const Selection *s)
{
  SelectionPoint low, high;
  int width, height;
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, s->name);
  pango_layout_get_pixel_size (layout, &width, &height);
  selection_bounds (s, &low, &high);
  if (selection_is_area (s) && (high.x - low.x) * pen->area->zoom < 12)
    return; /* too small to be seen */
  double x = (across (pen, low.x) + across (pen, high.x) - width) / 2;
  double y = (down (pen, low.y) + down (pen, high.y) - height) / 2 + (selection_is_area (s) ? 0 : height);
  cairo_set_source_rgba (pen->cr, 0, 0, 0, 0.6);
  cairo_rectangle (pen->cr, floor (x) - 3, floor (y), width + 6, height);
  cairo_fill (pen->cr);
  gdk_cairo_set_source_rgba (pen->cr, &kept_color);
  cairo_move_to (pen->cr, floor (x), floor (y));
  pango_cairo_show_layout (pen->cr, layout);
}

/* ---- All ---- */

/* Where it is on the widget, with room for lines and handles; FALSE: not to be seen. */
static gboolean
visible_box (const PaintArea *area, const Selection *s, graphene_rect_t *box)
{
  const graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) area->width, (float) area->height);
  SelectionPoint low, high;
  selection_bounds (s, &low, &high);
  graphene_rect_init (
    box, (float) ((low.x - area->x) * area->zoom) - ROOM, (float) ((low.y - area->y) * area->zoom) - ROOM,
    (float) ((high.x - low.x) * area->zoom) + 2 * ROOM, (float) ((high.y - low.y) * area->zoom) + 2 * ROOM);
  return graphene_rect_intersection (box, &all, box);
}

static gboolean
is_here (const Selection *s, const View *view)
{
  return (s->slice < 0 || s->slice == view_slice (view)) && (s->frame < 0 || s->frame == view_frame (view))
         && (s->channel < 0 || view_composite (view) || s->channel == view_channel (view));
}

static void
paint_kept (const Selections *selections, const View *view, GtkWidget *widget, const PaintArea *area,
            GtkSnapshot *snapshot)
{
  g_autoptr (GPtrArray) seen = g_ptr_array_new ();
  graphene_rect_t box;
  for (guint i = 0; i < selections_length (selections); i++) {
    const Selection *s = selections_kept (selections, i);
    if ((int) i != selections_chosen (selections) && is_here (s, view) && visible_box (area, s, &box))
      g_ptr_array_add (seen, (gpointer) s);
  }
  if (!seen->len)
    return;
  box = GRAPHENE_RECT_INIT (0, 0, (float) area->width, (float) area->height);
  Pen pen = {gtk_snapshot_append_cairo (snapshot, &box), area};
  for (guint i = 0; i < seen->len; i++) {
    trace_shape (&pen, seen->pdata[i], TRUE);
    stroke (&pen, &kept_color);
  }
  for (guint i = 0; i < seen->len && seen->len <= MAX_NAMES; i++)
    draw_name (&pen, widget, seen->pdata[i]);
  cairo_destroy (pen.cr);
}

void
selection_paint (const Selections *selections, const View *view, GtkWidget *widget, const PaintArea *area,
                 GtkSnapshot *snapshot)
{
  const Selection *s = selections_current (selections);
  gboolean drawing = selections_drawing (selections);
  graphene_rect_t box;
  if (selections_shown (selections))
    paint_kept (selections, view, widget, area, snapshot);
  if (!s || !visible_box (area, s, &box))
    return;
  Pen pen = {gtk_snapshot_append_cairo (snapshot, &box), area};
  trace_shape (&pen, s, !drawing);
  stroke (&pen, &current_color);
  if (!drawing || s->shape == SELECTION_POLYGON)
    draw_handles (&pen, s);
  cairo_destroy (pen.cr);
}

void
selection_paint_stroke (const Selection *selection, const PaintArea *area, GtkSnapshot *snapshot)
{
  graphene_rect_t box;
  if (!visible_box (area, selection, &box))
    return;
  Pen pen = {gtk_snapshot_append_cairo (snapshot, &box), area};
  trace_shape (&pen, selection, FALSE);
  stroke (&pen, &current_color);
  cairo_destroy (pen.cr);
}
