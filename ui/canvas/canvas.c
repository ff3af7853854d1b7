/* SPDX-License-Identifier: MIT
 *
 * One texture the size of the widget is drawn, made by paint.c. While a new one is on its way the old one is drawn where it
 * belongs, moved and stretched.
 */
#include "ui/canvas/canvas.h"

#include "ui/canvas/canvas_marks.h"
#include "ui/canvas/compare.h"
#include "ui/canvas/paint.h"
#include "ui/canvas/pick.h"
#include "ui/canvas/selection_paint.h"
#include "ui/widgets/times.h"

#include <math.h>

struct _Canvas {
  GtkWidget parent;
  View *view;
  Selections *selections;
  SelectionTools *tools;
  Painter *painter;
  Worker *worker;
  Compare *compare;
  Paint *paint;          /* the newest picture, or NULL */
  gboolean drawn;        /* and it was drawn */
  double x, y, zoom;     /* image position of the upper left corner; zoom in widget pixels */
  gboolean seeking;      /* the picked object is to be shown */
  gboolean fitted;       /* follow the size of the widget */
  double px, py;         /* the pointer, in widget pixels */
  gboolean inside;       /* it is over the widget */
  double from_x, from_y; /* x, y when a drag began */
  double pinch;          /* zoom when a pinch began */
  gboolean space;        /* the space key is held: drags move the image */
  gboolean dragging;     /* a button is held */
  gboolean panning;      /* and moves the image */
  gboolean dividing;     /* and moves the line between before and after */
};

G_DEFINE_FINAL_TYPE (Canvas, canvas, GTK_TYPE_WIDGET)

enum { POINTER, ZOOMED, FAILED, SIGNALS };
static guint signals[SIGNALS];
static const double least_zoom = 1e-3, most_zoom = 128;

/* ---- Asking for pictures ---- */

static gboolean
area_of (Canvas *c, PaintArea *area)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (c));
  int width = gtk_widget_get_width (GTK_WIDGET (c)) * scale, height = gtk_widget_get_height (GTK_WIDGET (c)) * scale;
  *area = (PaintArea){c->x, c->y, c->zoom * scale, width, height};
  return width > 0 && height > 0;
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

/* The whole image, unless it is asked for already: when somebody has stopped the run, or made what is seen no other image. */
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
  g_autofree char *text =
    g_strdup_printf ("%g %% at %.1f, %.1f%s", c->zoom * 100, c->x, c->y, is_provisional (c) ? " (preview)" : "");
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
moved (Canvas *c)
{
  describe (c);
  ask (c);
  g_signal_emit (c, signals[POINTER], 0);
}

/* Zooms so that what is under the widget's position x, y stays there. */
static void
zoom_about (Canvas *c, double zoom, double x, double y)
{
  zoom = CLAMP (zoom, least_zoom, most_zoom);
  c->x += x / c->zoom - x / zoom;
  c->y += y / c->zoom - y / zoom;
  c->zoom = zoom;
  c->fitted = FALSE;
  moved (c);
  g_signal_emit (c, signals[ZOOMED], 0);
}

double
canvas_zoom (const Canvas *c)
{
  return c->zoom;
}

void
canvas_zoom_by (Canvas *c, double factor)
{
  canvas_set_zoom (c, c->zoom * factor);
}

void
canvas_set_zoom (Canvas *c, double zoom)
{
  zoom_about (c, zoom, gtk_widget_get_width (GTK_WIDGET (c)) / 2.0, gtk_widget_get_height (GTK_WIDGET (c)) / 2.0);
}

void
canvas_fit (Canvas *c)
{
  const ImageInfo *info = image_info (view_image (c->view));
  int width = gtk_widget_get_width (GTK_WIDGET (c)), height = gtk_widget_get_height (GTK_WIDGET (c));
  c->fitted = TRUE;
  if (width <= 0 || height <= 0)
    return;
  double zoom = MIN ((double) width / (double) info->columns, (double) height / (double) info->rows);
  zoom = CLAMP (zoom, least_zoom, most_zoom);
  double x = ((double) info->columns - width / zoom) / 2, y = ((double) info->rows - height / zoom) / 2;
  gboolean same = zoom == c->zoom && x == c->x && y == c->y;
  c->zoom = zoom;
  c->x = x;
  c->y = y;
  if (same) /* as for each new result: what is shown need not be drawn again */
    ask (c);
  else
    moved (c);
  g_signal_emit (c, signals[ZOOMED], 0);
}

gboolean
canvas_settled (const Canvas *c)
{
  return c->drawn && painter_idle (c->painter);
}

gboolean
canvas_pointer (const Canvas *c, gint64 *x, gint64 *y)
{
  const ImageInfo *info = image_info (view_image (c->view));
  *x = (gint64) floor (c->x + c->px / c->zoom);
  *y = (gint64) floor (c->y + c->py / c->zoom);
  return c->inside && *x >= 0 && *y >= 0 && *x < info->columns && *y < info->rows;
}

/* ---- Pictures that come ---- */

/* An object that was picked and is out of sight comes to the middle. */
static void
seek (Canvas *c, const Paint *paint)
{
  const graphene_rect_t *box = &paint->box;
  double width = gtk_widget_get_width (GTK_WIDGET (c)) / c->zoom;
  double height = gtk_widget_get_height (GTK_WIDGET (c)) / c->zoom;
  double x = (double) (box->origin.x + box->size.width / 2), y = (double) (box->origin.y + box->size.height / 2);
  c->seeking = FALSE;
  if (x < c->x || y < c->y || x >= c->x + width || y >= c->y + height) {
    c->x = x - width / 2;
    c->y = y - height / 2;
    c->fitted = FALSE;
    moved (c);
  }
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
  if (c->seeking && paint->object && paint->object == view_object (c->view))
    seek (c, paint);
}

/* ---- Drawing ---- */

/* GTK's software renderer converts the whole of a texture at every frame, whatever has changed in the window. */
static void
draw_picture (const Canvas *c, const Paint *paint, GtkSnapshot *snapshot, int width, int height)
{
  const PaintArea *a = &paint->area;
  double stretch = c->zoom / a->zoom, x = (a->x - c->x) * c->zoom, y = (a->y - c->y) * c->zoom;
  GskRenderer *renderer = gtk_native_get_renderer (gtk_widget_get_native (GTK_WIDGET (c)));
  if (!GSK_IS_CAIRO_RENDERER (renderer)) {
    gtk_snapshot_append_texture (
      snapshot, paint->texture,
      &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) (a->width * stretch), (float) (a->height * stretch)));
    return;
  }
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_translate (cr, x, y);
  cairo_scale (cr, stretch, stretch);
  cairo_set_source_surface (cr, paint->surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_FAST);
  cairo_paint (cr);
  cairo_destroy (cr);
}

/* What the step took, left of the line. */
static void
draw_before (const Canvas *c, GtkSnapshot *snapshot, const GdkRGBA *back, int width, int height)
{
  graphene_rect_t left = GRAPHENE_RECT_INIT (0, 0, (float) compare_line (c->compare, width), (float) height);
  gtk_snapshot_push_clip (snapshot, &left);
  gtk_snapshot_append_color (snapshot, back, &left);
  draw_picture (c, compare_paint (c->compare), snapshot, width, height);
  gtk_snapshot_pop (snapshot);
  compare_draw_line (c->compare, snapshot, width, height);
}

static void
canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  Canvas *c = FOVEA_CANVAS (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  const PaintArea shown = {c->x, c->y, c->zoom, width, height};
  const GdkRGBA back = {0.11F, 0.11F, 0.12F, 1};
  gtk_snapshot_append_color (snapshot, &back, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  if (!c->paint)
    return;
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  draw_picture (c, c->paint, snapshot, width, height);
  if (compare_paint (c->compare))
    draw_before (c, snapshot, &back, width, height);
  if (!c->drawn)
    times_event (c->paint->provisional ? "preview" : "picture", g_get_monotonic_time () - c->paint->asked);
  c->drawn = TRUE;
  if (c->paint->object && c->paint->object == view_object (c->view) && c->paint->object_slice == view_slice (c->view))
    canvas_marks_object (snapshot, &c->paint->box, &shown);
  selection_paint (c->selections, c->view, widget, &shown, snapshot);
  canvas_marks_scale_bar (widget, snapshot, image_info (view_image (c->view)), &shown);
  if (is_provisional (c))
    canvas_marks_word (widget, snapshot, "Preview", 14, 0);
  gtk_snapshot_pop (snapshot);
}

static void
canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  Canvas *c = FOVEA_CANVAS (widget);
  (void) width, (void) height, (void) baseline;
  if (c->fitted)
    canvas_fit (c);
  else
    ask (c);
}

/* ---- The pointer ---- */

/* The pointer in the image, for the tools. */
static ToolPointer
tool_pointer (const Canvas *c, GdkModifierType keys)
{
  return (ToolPointer){c->x + c->px / c->zoom, c->y + c->py / c->zoom, 1 / c->zoom, keys};
}

static void
show_cursor (Canvas *c, const char *name)
{
  GdkCursor *cursor = gtk_widget_get_cursor (GTK_WIDGET (c));
  if (!cursor || g_strcmp0 (gdk_cursor_get_name (cursor), name))
    gtk_widget_set_cursor_from_name (GTK_WIDGET (c), name);
}

static void
point_at (Canvas *c, double x, double y)
{
  c->px = x;
  c->py = y;
  c->inside = TRUE;
  g_signal_emit (c, signals[POINTER], 0);
}

static void
on_motion (Canvas *c, double x, double y)
{
  ToolPointer pointer;
  point_at (c, x, y);
  pointer = tool_pointer (c, 0);
  if (compare_grasps (c->compare, x, gtk_widget_get_width (GTK_WIDGET (c))) && !c->dragging)
    show_cursor (c, "col-resize");
  else if (!c->dragging)
    show_cursor (c, c->space ? "grab" : selection_tools_motion (c->tools, &pointer));
}

static void
on_leave (Canvas *c)
{
  c->inside = FALSE;
  g_signal_emit (c, signals[POINTER], 0);
}

static gboolean
on_scroll (Canvas *c, double dx, double dy)
{
  (void) dx;
  zoom_about (c, c->zoom * pow (2, -dy / 2), c->px, c->py);
  return TRUE;
}

/* The first button belongs to the tool, unless it is the hand; the others, and the first one with space, move the image. */
static void
on_drag_begin (Canvas *c, double x, double y, GtkGesture *drag)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (drag));
  c->dragging = TRUE;
  c->dividing = button == GDK_BUTTON_PRIMARY && compare_grasps (c->compare, x, gtk_widget_get_width (GTK_WIDGET (c)));
  c->panning =
    !c->dividing && (button != GDK_BUTTON_PRIMARY || c->space || selection_tools_tool (c->tools) == TOOL_HAND);
  c->from_x = c->x;
  c->from_y = c->y;
  gtk_widget_grab_focus (GTK_WIDGET (c));
  point_at (c, x, y);
  ToolPointer pointer = tool_pointer (c, gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag)));
  if (c->panning)
    show_cursor (c, "grabbing");
  else if (!c->dividing)
    selection_tools_press (c->tools, &pointer);
}

static void
on_drag (Canvas *c, double dx, double dy, GtkGesture *drag)
{
  double x = 0, y = 0;
  if (c->panning) {
    c->x = c->from_x - dx / c->zoom;
    c->y = c->from_y - dy / c->zoom;
    c->fitted = FALSE;
    moved (c);
    return;
  }
  gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (drag), &x, &y);
  point_at (c, x + dx, y + dy);
  if (c->dividing) {
    compare_move (c->compare, x + dx, gtk_widget_get_width (GTK_WIDGET (c)));
    return;
  }
  ToolPointer pointer = tool_pointer (c, gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag)));
  selection_tools_drag (c->tools, &pointer);
}

static void
on_drag_end (Canvas *c)
{
  ToolPointer pointer = tool_pointer (c, 0);
  if (!c->panning && !c->dividing)
    selection_tools_release (c->tools);
  c->dragging = c->panning = c->dividing = FALSE;
  show_cursor (c, c->space ? "grab" : selection_tools_motion (c->tools, &pointer));
}

static void
on_pinch_begin (Canvas *c)
{
  c->pinch = c->zoom;
}

static void
on_pinch (Canvas *c, double factor)
{
  zoom_about (c, c->pinch * factor, c->px, c->py);
}

/* A click with the hand picks the object under the pointer. */
static void
on_click (Canvas *c, int presses, double x, double y)
{
  gint64 column, row;
  (void) presses;
  if (selection_tools_tool (c->tools) != TOOL_HAND || c->space)
    return;
  point_at (c, x, y);
  if (canvas_pointer (c, &column, &row))
    pick_object (c->view, c->worker, column, row);
}

static void
hold_space (Canvas *c, gboolean space)
{
  ToolPointer pointer = tool_pointer (c, 0);
  c->space = space;
  if (!c->dragging)
    show_cursor (c, space ? "grab" : selection_tools_motion (c->tools, &pointer));
}

/* Of the tools, the line between before and after, and moving the image; those of the window are in keys.c. */
static gboolean
on_key (Canvas *c, guint key, guint code, GdkModifierType state)
{
  (void) code;
  if (selection_tools_key (c->tools, key, state))
    return TRUE;
  if (key == GDK_KEY_bracketleft || key == GDK_KEY_bracketright) {
    int width = gtk_widget_get_width (GTK_WIDGET (c));
    compare_move (c->compare, compare_line (c->compare, width) + (key == GDK_KEY_bracketleft ? -0.02 : 0.02) * width,
                  width);
    return TRUE;
  }
  if (key == GDK_KEY_space && !(state & (GDK_CONTROL_MASK | GDK_ALT_MASK))) {
    hold_space (c, TRUE);
    return TRUE;
  }
  return FALSE;
}

static void
on_key_released (Canvas *c, guint key)
{
  if (key == GDK_KEY_space)
    hold_space (c, FALSE);
}

static void
on_focus_leave (Canvas *c)
{
  hold_space (c, FALSE);
}

static void
add_controllers (Canvas *c)
{
  GtkWidget *widget = GTK_WIDGET (c);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new (), *pinch = gtk_gesture_zoom_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  GtkEventController *key = gtk_event_controller_key_new (), *focus = gtk_event_controller_focus_new ();
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), c);
  g_signal_connect_swapped (key, "key-released", G_CALLBACK (on_key_released), c);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_focus_leave), c);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), c);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), c);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), c);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), c);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag), c);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), c);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_click), c);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (on_pinch_begin), c);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (on_pinch), c);
  gtk_widget_add_controller (widget, key);
  gtk_widget_add_controller (widget, focus);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}

/* ---- The widget ---- */

static void
on_image (Canvas *c)
{
  if (c->fitted)
    canvas_fit (c);
  else
    ask (c);
}

static void
canvas_dispose (GObject *object)
{
  Canvas *c = FOVEA_CANVAS (object);
  if (c->painter)
    painter_stop (c->painter);
  g_clear_object (&c->painter);
  g_clear_pointer (&c->compare, compare_free);
  g_clear_object (&c->view);
  g_clear_object (&c->selections);
  g_clear_pointer (&c->tools, selection_tools_free);
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
  c->zoom = 1;
  c->fitted = TRUE;
  gtk_widget_add_css_class (GTK_WIDGET (c), "canvas");
  gtk_widget_set_focusable (GTK_WIDGET (c), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (c), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (c), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (c), GTK_ACCESSIBLE_PROPERTY_LABEL, "Image", -1);
  add_controllers (c);
}

void
canvas_set_tool (Canvas *c, Tool tool)
{
  selection_tools_set_tool (c->tools, tool);
  hold_space (c, FALSE);
}

GtkWidget *
canvas_new (Modules *modules, View *view, Selections *selections, Worker *worker)
{
  Canvas *c = g_object_new (CANVAS_TYPE, NULL);
  c->view = g_object_ref (view);
  c->selections = g_object_ref (selections);
  c->worker = worker;
  c->tools = selection_tools_new (view, selections, worker);
  g_signal_connect_object (selections, "current", G_CALLBACK (gtk_widget_queue_draw), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (selections, "list", G_CALLBACK (gtk_widget_queue_draw), c, G_CONNECT_SWAPPED);
  c->painter = painter_new (modules, ready, c);
  c->compare = compare_new (GTK_WIDGET (c), modules, c->view);
  g_signal_connect_object (view, "image", G_CALLBACK (on_image), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (ask), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "object", G_CALLBACK (on_object), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "provisional", G_CALLBACK (on_provisional), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view_document (view), "busy", G_CALLBACK (on_busy), c, G_CONNECT_SWAPPED);
  g_signal_connect_object (view_document (view), "steps", G_CALLBACK (on_steps), c, G_CONNECT_SWAPPED);
  return GTK_WIDGET (c);
}
