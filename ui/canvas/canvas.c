/* SPDX-License-Identifier: MIT
 *
 * One texture the size of the widget is drawn, made by painter.c. While a new one is on its way the old one is drawn where it
 * belongs, moved and stretched.
 */
#include "ui/canvas/canvas.h"

#include "ui/canvas/canvas_marks.h"
#include "ui/canvas/compare.h"
#include "ui/canvas/gestures.h"
#include "ui/canvas/selection_paint.h"
#include "ui/canvas/viewport.h"
#include "ui/widgets/times.h"

#include <glib/gi18n.h>

struct _Canvas {
  GtkWidget parent;
  View *view;
  Selections *selections;
  Viewport *viewport;
  Gestures *gestures;
  EditTool *edit;
  Painter *painter;
  Compare *compare;
  Paint *paint;     /* the newest picture, or NULL */
  gboolean drawn;   /* and it was drawn */
  gboolean seeking; /* the picked object is to be shown */
  gboolean resting; /* hidden */
};

G_DEFINE_FINAL_TYPE (Canvas, canvas, GTK_TYPE_WIDGET)

enum { POINTER, ZOOMED, FAILED, SIGNALS };
static guint signals[SIGNALS];

/* ---- Asking for pictures ---- */

static gboolean
area_of (Canvas *c, PaintArea *area)
{
  *area = viewport_area (c->viewport, gtk_widget_get_scale_factor (GTK_WIDGET (c)));
  return !c->resting && area->width > 0 && area->height > 0;
}

static void
ask (Canvas *c)
{
  PaintArea area;
  if (!area_of (c, &area))
    return;
  painter_ask (c->painter, c->view, &area);
  compare_ask (c->compare, &area);
}

/* What is seen comes first. */
static void
on_steps (Canvas *c)
{
  PaintArea area;
  if (area_of (c, &area))
    painter_ask_preview (c->painter, c->view, &area);
}

/* The whole image, unless it is requested already because a run was stopped or the shown image did not change. */
static void
on_busy (Canvas *c)
{
  gboolean provisional = c->paint && c->paint->provisional && painter_idle (c->painter);
  if ((provisional || painter_previews (c->painter)) && !document_lags (view_document (c->view)))
    ask (c);
}

/* ---- Where we look ---- */

/* Whether the picture is of what is seen alone, and that for so long that it says so. */
static gboolean
is_provisional (const Canvas *c)
{
  return c->paint && c->paint->provisional && view_provisional (c->view);
}

static void
describe (Canvas *c)
{
  const PaintArea shown = viewport_area (c->viewport, 1);
  g_autofree char *text = g_strdup_printf (_ ("%g %% at %.1f, %.1f%s"), shown.zoom * 100, shown.x, shown.y,
                                           is_provisional (c) ? _ (" (preview)") : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (c), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_widget_queue_draw (GTK_WIDGET (c));
}

/* A run that takes longer than it was likely to: what is seen comes before the rest after all. */
static void
on_provisional (Canvas *c)
{
  if (view_provisional (c->view) && c->paint && !c->paint->provisional)
    on_steps (c);
  describe (c);
}

static void
on_moved (Canvas *c)
{
  describe (c);
  ask (c);
  g_signal_emit (c, signals[POINTER], 0);
}

static void
on_zoomed (Canvas *c)
{
  g_signal_emit (c, signals[ZOOMED], 0);
}

double
canvas_zoom (const Canvas *c)
{
  return viewport_area (c->viewport, 1).zoom;
}

PaintArea
canvas_area (const Canvas *c)
{
  return viewport_area (c->viewport, 1);
}

void
canvas_zoom_by (Canvas *c, double factor)
{
  canvas_set_zoom (c, canvas_zoom (c) * factor);
}

void
canvas_set_zoom (Canvas *c, double zoom)
{
  viewport_set_zoom (c->viewport, zoom);
}

void
canvas_fit (Canvas *c)
{
  const ImageInfo *info = image_info (view_image (c->view));
  if (!viewport_fit (c->viewport, info->columns, info->rows))
    ask (c); /* for each new result: what is shown need not be drawn again */
}

void
canvas_rest (Canvas *c, gboolean resting)
{
  c->resting = resting;
  painter_rest (c->painter, resting);
  compare_rest (c->compare, resting);
  if (resting) {
    g_clear_pointer (&c->paint, paint_free);
    c->drawn = FALSE;
  } else
    ask (c);
}

gboolean
canvas_settled (const Canvas *c)
{
  return c->drawn && painter_idle (c->painter);
}

gboolean
canvas_pointer (const Canvas *c, gint64 *x, gint64 *y)
{
  return gestures_pointer (c->gestures, x, y);
}

void
canvas_pick (Canvas *c)
{
  gestures_pick (c->gestures);
}

/* ---- Pictures that come ---- */

/* Whether the picture knows where the picked object is. */
static gboolean
has_object (const Canvas *c)
{
  return c->paint && c->paint->object && c->paint->object == view_object (c->view);
}

void
canvas_zoom_to_object (Canvas *c)
{
  if (!has_object (c))
    return;
  const graphene_rect_t *box = &c->paint->box;
  viewport_show (c->viewport, (double) box->origin.x, (double) box->origin.y, (double) box->size.width,
                 (double) box->size.height);
}

/* An object that was picked and is out of sight comes to the middle. */
static void
seek (Canvas *c, const Paint *paint)
{
  const graphene_rect_t *box = &paint->box;
  c->seeking = FALSE;
  viewport_seek (c->viewport, (double) (box->origin.x + box->size.width / 2),
                 (double) (box->origin.y + box->size.height / 2));
  view_set_position (c->view, view_channel (c->view), paint->object_slice, view_frame (c->view));
}

static void
on_object (Canvas *c)
{
  c->seeking = TRUE;
  ask (c);
}

static void
ready (gpointer data, Paint *paint, const GError *error)
{
  Canvas *c = data;
  if (error) {
    g_signal_emit (c, signals[FAILED], 0, error->message);
    return;
  }
  gboolean was = is_provisional (c);
  paint_free (c->paint);
  c->paint = paint;
  c->drawn = FALSE;
  if (is_provisional (c) != was)
    describe (c);
  gtk_widget_queue_draw (GTK_WIDGET (c));
  g_signal_emit (c, signals[POINTER], 0); /* now the values are there */
  if (c->seeking && has_object (c))
    seek (c, paint);
}

/* ---- Drawing ---- */

/* GTK's software renderer converts the whole texture at every frame, even if nothing in it has changed. */
static void
draw_picture (GtkWidget *widget, const Paint *paint, const PaintArea *shown, GtkSnapshot *snapshot)
{
  const PaintArea *a = &paint->area;
  double stretch = shown->zoom / a->zoom, x = (a->x - shown->x) * shown->zoom, y = (a->y - shown->y) * shown->zoom;
  GskRenderer *renderer = gtk_native_get_renderer (gtk_widget_get_native (widget));
  if (!GSK_IS_CAIRO_RENDERER (renderer)) {
    gtk_snapshot_append_texture (
      snapshot, paint->texture,
      &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) (a->width * stretch), (float) (a->height * stretch)));
    return;
  }
  cairo_t *cr =
    gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) shown->width, (float) shown->height));
  cairo_translate (cr, x, y);
  cairo_scale (cr, stretch, stretch);
  cairo_set_source_surface (cr, paint->surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_FAST);
  cairo_paint (cr);
  cairo_destroy (cr);
}

/* What the step took, left of the line. */
static void
draw_before (Canvas *c, const PaintArea *shown, GtkSnapshot *snapshot, const GdkRGBA *back)
{
  graphene_rect_t left = GRAPHENE_RECT_INIT (0, 0, (float) compare_line (c->compare), (float) shown->height);
  gtk_snapshot_push_clip (snapshot, &left);
  gtk_snapshot_append_color (snapshot, back, &left);
  draw_picture (GTK_WIDGET (c), compare_paint (c->compare), shown, snapshot);
  gtk_snapshot_pop (snapshot);
  compare_draw_line (c->compare, snapshot);
}

static void
canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  Canvas *c = FOVEA_CANVAS (widget);
  const PaintArea shown = viewport_area (c->viewport, 1);
  const GdkRGBA back = {0.11F, 0.11F, 0.12F, 1};
  const graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) shown.width, (float) shown.height);
  gtk_snapshot_append_color (snapshot, &back, &all);
  if (!c->paint)
    return;
  gtk_snapshot_push_clip (snapshot, &all);
  draw_picture (widget, c->paint, &shown, snapshot);
  if (compare_paint (c->compare))
    draw_before (c, &shown, snapshot, &back);
  if (!c->drawn)
    times_event (c->paint->provisional ? "preview" : "picture", g_get_monotonic_time () - c->paint->asked);
  c->drawn = TRUE;
  if (has_object (c) && c->paint->object_slice == view_slice (c->view))
    canvas_marks_object (snapshot, &c->paint->box, &shown);
  selection_paint (c->selections, c->view, widget, &shown, snapshot);
  edit_tool_paint (c->edit, &shown, snapshot);
  canvas_marks_scale_bar (widget, snapshot, image_info (view_image (c->view)), &shown);
  if (is_provisional (c))
    canvas_marks_word (widget, snapshot, _ ("Preview"), 14, 0);
  gtk_snapshot_pop (snapshot);
}

/* ---- The widget ---- */

static gboolean
is_out_of_sight (const PaintArea *shown, const ImageInfo *info)
{
  return shown->x >= (double) info->columns || shown->y >= (double) info->rows
         || shown->x + shown->width / shown->zoom <= 0 || shown->y + shown->height / shown->zoom <= 0;
}

/* The image, or the widget, may have another size. What a step has cropped comes into sight. */
static void
resized (Canvas *c)
{
  const ImageInfo *info = image_info (view_image (c->view));
  const PaintArea shown = viewport_area (c->viewport, 1);
  if (viewport_fitted (c->viewport))
    canvas_fit (c);
  else if (shown.width > 0 && is_out_of_sight (&shown, info))
    viewport_seek (c->viewport, (double) info->columns / 2, (double) info->rows / 2);
  else
    ask (c);
}

static void
canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  Canvas *c = FOVEA_CANVAS (widget);
  (void) baseline;
  viewport_set_size (c->viewport, width, height);
  resized (c);
}

static void
canvas_dispose (GObject *object)
{
  Canvas *c = FOVEA_CANVAS (object);
  if (c->painter)
    painter_stop (c->painter);
  g_clear_object (&c->painter);
  g_clear_object (&c->gestures);
  g_clear_object (&c->edit);
  g_clear_pointer (&c->compare, compare_free);
  g_clear_object (&c->viewport);
  g_clear_object (&c->view);
  g_clear_object (&c->selections);
  g_clear_pointer (&c->paint, paint_free);
  G_OBJECT_CLASS (canvas_parent_class)->dispose (object);
}

static void
canvas_class_init (CanvasClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  G_OBJECT_CLASS (class)->dispose = canvas_dispose;
  widget_class->snapshot = canvas_snapshot;
  widget_class->size_allocate = canvas_size_allocate;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[POINTER] = g_signal_new ("pointer", CANVAS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ZOOMED] = g_signal_new ("zoomed", CANVAS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] =
    g_signal_new ("failed", CANVAS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
canvas_init (Canvas *c)
{
  gtk_widget_add_css_class (GTK_WIDGET (c), "canvas");
  gtk_widget_set_focusable (GTK_WIDGET (c), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (c), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (c), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (c), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Image"), -1);
  c->viewport = viewport_new ();
  g_signal_connect_object (c->viewport, "moved", G_CALLBACK (on_moved), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (c->viewport, "zoomed", G_CALLBACK (on_zoomed), c, G_CONNECT_SWAPPED);
}

void
canvas_set_tool (Canvas *c, Tool tool)
{
  gestures_set_tool (c->gestures, tool);
}

EditTool *
canvas_edit_tool (Canvas *c)
{
  return c->edit;
}

static void
on_failed (Canvas *c, const char *text)
{
  g_signal_emit (c, signals[FAILED], 0, text);
}

GtkWidget *
canvas_new (Modules *modules, View *view, Selections *selections, Worker *worker)
{
  Canvas *c = g_object_new (CANVAS_TYPE, NULL);
  c->view = g_object_ref (view);
  c->selections = g_object_ref (selections);
  g_signal_connect_object (selections, "current", G_CALLBACK (gtk_widget_queue_draw), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (selections, "list", G_CALLBACK (gtk_widget_queue_draw), c, G_CONNECT_SWAPPED);
  c->painter = painter_new (modules, ready, c);
  c->compare = compare_new (GTK_WIDGET (c), modules, view);
  c->edit = edit_tool_new (GTK_WIDGET (c), view, worker);
  g_signal_connect_object (c->edit, "failed", G_CALLBACK (on_failed), c, G_CONNECT_SWAPPED);
  c->gestures = gestures_new (GTK_WIDGET (c), view, selections, c->viewport, c->compare, c->edit, worker);
  g_signal_connect_object (view, "image", G_CALLBACK (resized), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (ask), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "object", G_CALLBACK (on_object), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "provisional", G_CALLBACK (on_provisional), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view_document (view), "busy", G_CALLBACK (on_busy), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view_document (view), "steps", G_CALLBACK (on_steps), c, G_CONNECT_SWAPPED);
  return GTK_WIDGET (c);
}
