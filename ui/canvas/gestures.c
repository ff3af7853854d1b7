/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/gestures.h"

#include "ui/canvas/pick.h"

#include <math.h>

struct _Gestures {
  GObject parent;
  GtkWidget *canvas;
  View *view;
  Viewport *viewport;
  Compare *compare;
  EditTool *edit;
  Worker *worker;
  SelectionTools *tools;
  double px, py;     /* the pointer, in pixels of the canvas */
  gboolean inside;   /* it is over the canvas */
  PaintArea from;    /* what was seen when a drag began */
  double pinch;      /* zoom when a pinch began */
  gboolean space;    /* the space key is held: drags move the image */
  gboolean dragging; /* a button is held */
  gboolean panning;  /* and moves the image */
  gboolean dividing; /* and moves the line between before and after */
};

G_DEFINE_FINAL_TYPE (Gestures, gestures, G_TYPE_OBJECT)

/* The pointer in the image, for the tools. */
static ToolPointer
tool_pointer (const Gestures *g, GdkModifierType keys)
{
  const PaintArea shown = viewport_area (g->viewport, 1);
  return (ToolPointer){shown.x + g->px / shown.zoom, shown.y + g->py / shown.zoom, 1 / shown.zoom, keys};
}

gboolean
gestures_pointer (const Gestures *g, gint64 *x, gint64 *y)
{
  const ImageInfo *info = image_info (view_image (g->view));
  const ToolPointer pointer = tool_pointer (g, 0);
  *x = (gint64) floor (pointer.x);
  *y = (gint64) floor (pointer.y);
  return g->inside && *x >= 0 && *y >= 0 && *x < info->columns && *y < info->rows;
}

static gboolean
edits (const Gestures *g)
{
  return selection_tools_tool (g->tools) == TOOL_OBJECTS;
}

/* Whether a drag moves the image, and a click picks an object. */
static gboolean
is_hand (const Gestures *g)
{
  return edits (g) ? edit_tool_moves (g->edit) : selection_tools_tool (g->tools) == TOOL_HAND;
}

/* The pointer moves without a button. The name of the shape that it should have. */
static const char *
cursor_at (Gestures *g)
{
  const ToolPointer pointer = tool_pointer (g, 0);
  if (g->space)
    return "grab";
  if (edits (g))
    return is_hand (g) ? "default" : "crosshair";
  return selection_tools_motion (g->tools, &pointer);
}

static void
show_cursor (Gestures *g, const char *name)
{
  GdkCursor *cursor = gtk_widget_get_cursor (g->canvas);
  if (!cursor || g_strcmp0 (gdk_cursor_get_name (cursor), name))
    gtk_widget_set_cursor_from_name (g->canvas, name);
}

static void
point_at (Gestures *g, double x, double y)
{
  g->px = x;
  g->py = y;
  g->inside = TRUE;
  g_signal_emit_by_name (g->canvas, "pointer");
}

static void
on_motion (Gestures *g, double x, double y)
{
  point_at (g, x, y);
  if (compare_grasps (g->compare, x) && !g->dragging)
    show_cursor (g, "col-resize");
  else if (!g->dragging)
    show_cursor (g, cursor_at (g));
}

static void
on_leave (Gestures *g)
{
  g->inside = FALSE;
  g_signal_emit_by_name (g->canvas, "pointer");
}

static gboolean
on_scroll (Gestures *g, double dx, double dy)
{
  (void) dx;
  viewport_zoom_about (g->viewport, viewport_area (g->viewport, 1).zoom * pow (2, -dy / 2), g->px, g->py);
  return TRUE;
}

/* The first button belongs to the tool, unless it is the hand; the others, and the first one with space, move the image. */
static void
on_drag_begin (Gestures *g, double x, double y, GtkGesture *drag)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (drag));
  g->dragging = TRUE;
  g->dividing = button == GDK_BUTTON_PRIMARY && compare_grasps (g->compare, x);
  g->panning = !g->dividing && (button != GDK_BUTTON_PRIMARY || g->space || is_hand (g));
  g->from = viewport_area (g->viewport, 1);
  gtk_widget_grab_focus (g->canvas);
  point_at (g, x, y);
  ToolPointer pointer = tool_pointer (g, gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag)));
  if (g->panning)
    show_cursor (g, "grabbing");
  else if (!g->dividing && edits (g))
    edit_tool_press (g->edit, &pointer);
  else if (!g->dividing)
    selection_tools_press (g->tools, &pointer);
}

static void
on_drag (Gestures *g, double dx, double dy, GtkGesture *drag)
{
  double x = 0, y = 0;
  if (g->panning) {
    double zoom = viewport_area (g->viewport, 1).zoom;
    viewport_move (g->viewport, g->from.x - dx / zoom, g->from.y - dy / zoom);
    return;
  }
  gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (drag), &x, &y);
  point_at (g, x + dx, y + dy);
  ToolPointer pointer = tool_pointer (g, gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag)));
  if (g->dividing)
    compare_move (g->compare, x + dx);
  else if (edits (g))
    edit_tool_drag (g->edit, &pointer);
  else
    selection_tools_drag (g->tools, &pointer);
}

static void
on_drag_end (Gestures *g)
{
  if (!g->panning && !g->dividing && edits (g))
    edit_tool_release (g->edit);
  else if (!g->panning && !g->dividing)
    selection_tools_release (g->tools);
  g->dragging = g->panning = g->dividing = FALSE;
  show_cursor (g, cursor_at (g));
}

static void
on_pinch_begin (Gestures *g)
{
  g->pinch = viewport_area (g->viewport, 1).zoom;
}

static void
on_pinch (Gestures *g, double factor)
{
  viewport_zoom_about (g->viewport, g->pinch * factor, g->px, g->py);
}

static void
pick (Gestures *g, gboolean more)
{
  gint64 column, row;
  if (gestures_pointer (g, &column, &row))
    pick_object (g->view, g->worker, column, row, more);
}

/* What is edited stays chosen. */
void
gestures_pick (Gestures *g)
{
  if (!edits (g))
    pick (g, FALSE);
}

/* A click with the hand picks the object under the pointer. */
static void
on_click (Gestures *g, int presses, double x, double y, GtkGesture *click)
{
  const GdkModifierType keys = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));
  (void) presses;
  if (!is_hand (g) || g->space)
    return;
  point_at (g, x, y);
  pick (g, edits (g) && edit_tool_chooses_more (keys));
}

static void
hold_space (Gestures *g, gboolean space)
{
  g->space = space;
  if (!g->dragging)
    show_cursor (g, cursor_at (g));
}

/* Of the tools, the line between before and after, and moving the image; those of the window are in keys.c. */
static gboolean
on_key (Gestures *g, guint key, guint code, GdkModifierType state)
{
  (void) code;
  if (edits (g) ? edit_tool_key (g->edit, key, state) : selection_tools_key (g->tools, key, state))
    return TRUE;
  if (key == GDK_KEY_bracketleft || key == GDK_KEY_bracketright) {
    double step = 0.02 * gtk_widget_get_width (g->canvas);
    compare_move (g->compare, compare_line (g->compare) + (key == GDK_KEY_bracketleft ? -step : step));
    return TRUE;
  }
  if (key == GDK_KEY_space && !(state & (GDK_CONTROL_MASK | GDK_ALT_MASK))) {
    hold_space (g, TRUE);
    return TRUE;
  }
  return FALSE;
}

static void
on_key_released (Gestures *g, guint key)
{
  if (key == GDK_KEY_space)
    hold_space (g, FALSE);
}

static void
on_focus_leave (Gestures *g)
{
  hold_space (g, FALSE);
}

static void
add_controllers (Gestures *g)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new (), *pinch = gtk_gesture_zoom_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  GtkEventController *key = gtk_event_controller_key_new (), *focus = gtk_event_controller_focus_new ();
  g_signal_connect_object (key, "key-pressed", G_CALLBACK (on_key), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (key, "key-released", G_CALLBACK (on_key_released), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (on_focus_leave), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "motion", G_CALLBACK (on_motion), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (on_leave), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (scroll, "scroll", G_CALLBACK (on_scroll), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (on_drag_begin), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (on_drag), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-end", G_CALLBACK (on_drag_end), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (click, "pressed", G_CALLBACK (on_click), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (pinch, "begin", G_CALLBACK (on_pinch_begin), g, G_CONNECT_SWAPPED);
  g_signal_connect_object (pinch, "scale-changed", G_CALLBACK (on_pinch), g, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (g->canvas, key);
  gtk_widget_add_controller (g->canvas, focus);
  gtk_widget_add_controller (g->canvas, motion);
  gtk_widget_add_controller (g->canvas, scroll);
  gtk_widget_add_controller (g->canvas, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (g->canvas, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (g->canvas, GTK_EVENT_CONTROLLER (pinch));
}

static void
gestures_finalize (GObject *object)
{
  selection_tools_free (FOVEA_GESTURES (object)->tools);
  G_OBJECT_CLASS (gestures_parent_class)->finalize (object);
}

static void
gestures_class_init (GesturesClass *class)
{
  G_OBJECT_CLASS (class)->finalize = gestures_finalize;
}

static void
gestures_init (Gestures *g)
{
  (void) g;
}

void
gestures_set_tool (Gestures *g, Tool tool)
{
  selection_tools_set_tool (g->tools, tool);
  edit_tool_abandon (g->edit);
  hold_space (g, FALSE);
}

Gestures *
gestures_new (GtkWidget *canvas, View *view, Selections *selections, Viewport *viewport, Compare *compare,
              EditTool *edit, Worker *worker)
{
  Gestures *g = g_object_new (GESTURES_TYPE, NULL);
  g->canvas = canvas;
  g->view = view;
  g->viewport = viewport;
  g->compare = compare;
  g->edit = edit;
  g->worker = worker;
  g->tools = selection_tools_new (view, selections, worker);
  add_controllers (g);
  return g;
}
