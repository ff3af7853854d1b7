/* SPDX-License-Identifier: MIT
 *
 * A drag starts from a copy of the selection, so that what it shows depends only on where the pointer is.
 */
#include "ui/selection/tools.h"

#include "ui/selection/handles.h"
#include "ui/selection/wand.h"

#include <glib/gi18n.h>
#include <math.h>

const ToolInfo tool_infos[TOOLS] = {
  {N_ ("hand"), "tool-hand-symbolic", N_ ("Hand: drag to move the image, click to pick an object")},
  {N_ ("rectangle"), "tool-rectangle-symbolic", N_ ("Rectangle (Shift: square)")},
  {N_ ("oval"), "tool-oval-symbolic", N_ ("Oval (Shift: circle)")},
  {N_ ("polygon"), "tool-polygon-symbolic", N_ ("Polygon: click each corner, double-click the last one")},
  {N_ ("freehand"), "tool-freehand-symbolic", N_ ("Freehand")},
  {N_ ("line"), "tool-line-symbolic", N_ ("Line (Shift: multiples of 45°)")},
  {N_ ("point"), "tool-point-symbolic", N_ ("Point (Shift: one more)")},
  {N_ ("wand"), "tool-wand-symbolic",
   N_ ("Wand: click to outline an area of similar brightness, drag sideways to change the "
       "tolerance")},
  {N_ ("edit objects"), "tool-objects-symbolic",
   N_ ("Edit objects by hand: delete, merge, split, draw, erase, fill (E)")},
};

typedef enum { NOTHING, PULL, MOVE, FREE, CORNERS, WAND } Doing;

struct SelectionTools {
  View *view;
  Selections *selections;
  Wand *wand;
  Tool tool;
  Doing doing;
  gboolean fresh, begun; /* PULL: of a new shape; the pointer has gone far enough for it */
  SelectionPoint start;  /* where the drag began */
  Selection *origin;     /* PULL, MOVE: as it was then */
  guint handle;          /* PULL */
  GArray *trail;         /* FREE, CORNERS: SelectionPoint so far */
};

/* Screen pixels within which a point counts as hit. */
static const double reach = 6;

static SelectionShape
shape_of (Tool tool)
{
  switch (tool) {
  case TOOL_OVAL: return SELECTION_OVAL;
  case TOOL_POLYGON: return SELECTION_POLYGON;
  case TOOL_FREEHAND: return SELECTION_FREEHAND;
  case TOOL_LINE: return SELECTION_LINE;
  case TOOL_POINT: return SELECTION_POINT;
  default: return SELECTION_RECTANGLE;
  }
}

/* ---- Where the pointer is ---- */

static double
distance (SelectionPoint a, SelectionPoint b)
{
  return hypot (a.x - b.x, a.y - b.y);
}

static SelectionPoint
point_of (const ToolPointer *p)
{
  return (SelectionPoint){p->x, p->y};
}

/* In the image, where a point of this shape can be. */
static SelectionPoint
snapped (const SelectionTools *t, SelectionShape shape, const ToolPointer *p)
{
  const ImageInfo *info = image_info (view_image (t->view));
  const gboolean middle = shape == SELECTION_LINE || shape == SELECTION_POINT;
  double inside = middle ? 1e-6 : 0; /* the far edge belongs to no pixel */
  SelectionPoint at = {CLAMP (p->x, 0, (double) info->columns - inside), CLAMP (p->y, 0, (double) info->rows - inside)};
  return selection_snap (shape, at, p->pixel);
}

/* The handle under the pointer, or -1. */
static int
handle_at (const Selection *s, const ToolPointer *p)
{
  SelectionPoint handles[SELECTION_HANDLES];
  guint n = selection_handles (s, handles);
  int nearest = -1;
  double best = reach * p->pixel;
  for (guint i = 0; i < n; i++)
    if (distance (handles[i], point_of (p)) <= best) {
      best = distance (handles[i], point_of (p));
      nearest = (int) i;
    }
  return nearest;
}

static double
distance_to_side (SelectionPoint a, SelectionPoint b, SelectionPoint p)
{
  double length = distance (a, b), along = 0;
  if (length > 0)
    along = CLAMP (((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / (length * length), 0, 1);
  return distance (p, (SelectionPoint){a.x + along * (b.x - a.x), a.y + along * (b.y - a.y)});
}

/* Of all sides of a line or an angle; endless from points. */
static double
distance_to_line (const Selection *s, SelectionPoint p)
{
  double min = INFINITY;
  for (guint i = 0; i + 1 < s->n_points && s->shape != SELECTION_POINT; i++)
    min = fmin (min, distance_to_side (s->points[i], s->points[i + 1], p));
  return min;
}

/* Whether dragging here moves it. */
static gboolean
is_within (const Selection *s, const ToolPointer *p)
{
  if (selection_is_area (s))
    return selection_contains (s, (gint64) floor (p->x), (gint64) floor (p->y));
  return distance_to_line (s, point_of (p)) <= reach * p->pixel;
}

/* What pressing here would take hold of: PULL with its handle, MOVE or NOTHING. */
static Doing
grip_at (const SelectionTools *t, const ToolPointer *p, int *handle)
{
  const Selection *s = selections_current (t->selections);
  if (!s || t->tool == TOOL_WAND || (t->tool == TOOL_POINT && s->shape != SELECTION_POINT))
    return NOTHING;
  if ((*handle = handle_at (s, p)) >= 0)
    return PULL;
  return is_within (s, p) ? MOVE : NOTHING;
}

/* ---- Points one after the other ---- */

static SelectionPoint *
trail_points (const SelectionTools *t)
{
  return (SelectionPoint *) (gpointer) t->trail->data;
}

static void
begin_trail (SelectionTools *t, Doing doing, SelectionPoint at)
{
  g_array_set_size (t->trail, 0);
  g_array_append_val (t->trail, at);
  t->doing = doing;
}

/* The corners so far, and the pointer. */
static void
show_corners (SelectionTools *t, SelectionPoint at)
{
  g_array_append_val (t->trail, at);
  selections_draw (t->selections, selection_new (SELECTION_POLYGON, t->trail->len, trail_points (t)));
  g_array_set_size (t->trail, t->trail->len - 1);
}

/* Makes the trail the selection when it encloses something. */
static void
end_trail (SelectionTools *t)
{
  SelectionShape shape = t->doing == FREE ? SELECTION_FREEHAND : SELECTION_POLYGON;
  t->doing = NOTHING;
  selections_set_current (t->selections,
                          t->trail->len >= 3 ? selection_new (shape, t->trail->len, trail_points (t)) : NULL);
}

static gboolean
draws_corners (const SelectionTools *t)
{
  return t->doing == CORNERS && selections_drawing (t->selections);
}

/* Another corner; at the first or the last one it is closed. */
static void
press_corner (SelectionTools *t, const ToolPointer *p)
{
  const SelectionPoint *corners = trail_points (t);
  SelectionPoint at = snapped (t, SELECTION_POLYGON, p);
  double near = reach * p->pixel;
  if (distance (corners[0], point_of (p)) <= near || distance (corners[t->trail->len - 1], point_of (p)) <= near) {
    if (t->trail->len >= 3)
      end_trail (t);
    return;
  }
  g_array_append_val (t->trail, at);
  show_corners (t, at);
}

static void
draw_freely (SelectionTools *t, const ToolPointer *p)
{
  SelectionPoint at = snapped (t, SELECTION_FREEHAND, p), last = trail_points (t)[t->trail->len - 1];
  if (at.x == last.x && at.y == last.y)
    return;
  g_array_append_val (t->trail, at);
  selections_draw (t->selections, selection_new (SELECTION_FREEHAND, t->trail->len, trail_points (t)));
}

/* ---- Pulling and moving ---- */

static void
take_hold (SelectionTools *t, Doing doing, Selection *origin, int handle)
{
  g_clear_pointer (&t->origin, selection_free);
  t->origin = origin;
  t->doing = doing;
  t->handle = (guint) handle;
  t->fresh = t->begun = FALSE;
}

/* A rectangle, oval or line comes into being when the pointer is pulled away from here. */
static void
begin_shape (SelectionTools *t, const ToolPointer *p)
{
  SelectionShape shape = shape_of (t->tool);
  SelectionPoint at = snapped (t, shape, p);
  take_hold (t, PULL, selection_new (shape, 2, (SelectionPoint[]){at, at}), shape == SELECTION_LINE ? 1 : 4);
  t->fresh = TRUE;
}

static void
pull (SelectionTools *t, const ToolPointer *p)
{
  Selection *s;
  t->begun = t->begun || distance (t->start, point_of (p)) >= 3 * p->pixel;
  if (!t->begun)
    return;
  s = selection_copy (t->origin);
  selection_pull (s, t->handle, snapped (t, s->shape, p), (p->keys & GDK_SHIFT_MASK) != 0);
  if (t->fresh)
    selections_draw (t->selections, s);
  else
    selections_reshape (t->selections, s);
}

/* At least a pixel of it stays in the image. */
static void
move_by (const SelectionTools *t, Selection *s, double dx, double dy)
{
  const ImageInfo *info = image_info (view_image (t->view));
  SelectionPoint low, high;
  selection_bounds (s, &low, &high);
  dx = CLAMP (dx, 1 - high.x, (double) info->columns - 1 - low.x);
  dy = CLAMP (dy, 1 - high.y, (double) info->rows - 1 - low.y);
  selection_move (s, dx, dy);
}

static void
move (SelectionTools *t, const ToolPointer *p)
{
  Selection *s = selection_copy (t->origin);
  SelectionShape grid = selection_is_area (s) ? s->shape : SELECTION_POLYGON;
  SelectionPoint by = selection_snap (grid, (SelectionPoint){p->x - t->start.x, p->y - t->start.y}, p->pixel);
  move_by (t, s, by.x, by.y);
  selections_reshape (t->selections, s);
}

/* ---- Points ---- */

static void
press_point (SelectionTools *t, const ToolPointer *p)
{
  const Selection *s = selections_current (t->selections);
  guint n = s && s->shape == SELECTION_POINT && p->keys & GDK_SHIFT_MASK ? s->n_points : 0;
  g_autofree SelectionPoint *points = g_new (SelectionPoint, n + 1);
  for (guint i = 0; i < n; i++)
    points[i] = s->points[i];
  points[n] = snapped (t, SELECTION_POINT, p);
  selections_set_current (t->selections, selection_new (SELECTION_POINT, n + 1, points));
  take_hold (t, PULL, selection_copy (selections_current (t->selections)), (int) n);
}

/* ---- The pointer ---- */

void
selection_tools_press (SelectionTools *t, const ToolPointer *p)
{
  int handle = -1;
  Doing grip;
  if (draws_corners (t)) {
    press_corner (t, p);
    return;
  }
  wand_forget (t->wand);
  t->doing = NOTHING;
  t->start = point_of (p);
  grip = grip_at (t, p, &handle);
  if (grip != NOTHING && !(t->tool == TOOL_POINT && p->keys & GDK_SHIFT_MASK)) {
    take_hold (t, grip, selection_copy (selections_current (t->selections)), handle);
    return;
  }
  if (t->tool == TOOL_POINT) {
    press_point (t, p);
    return;
  }
  selections_set_current (t->selections, NULL);
  if (t->tool == TOOL_POLYGON || t->tool == TOOL_FREEHAND)
    begin_trail (t, t->tool == TOOL_POLYGON ? CORNERS : FREE, snapped (t, shape_of (t->tool), p));
  if (t->doing == CORNERS)
    show_corners (t, trail_points (t)[0]);
  if (t->tool == TOOL_WAND) {
    t->doing = WAND;
    wand_press (t->wand, (gint64) floor (p->x), (gint64) floor (p->y));
  } else if (t->doing != CORNERS && t->doing != FREE)
    begin_shape (t, p);
}

void
selection_tools_drag (SelectionTools *t, const ToolPointer *p)
{
  switch (t->doing) {
  case PULL: pull (t, p); break;
  case MOVE: move (t, p); break;
  case FREE: draw_freely (t, p); break;
  case CORNERS: selection_tools_motion (t, p); break;
  case WAND: wand_pull (t->wand, (p->x - t->start.x) / p->pixel); break;
  default: break;
  }
}

void
selection_tools_release (SelectionTools *t)
{
  const Selection *s = selections_current (t->selections);
  if (t->doing == CORNERS)
    return;
  if (t->doing == FREE)
    end_trail (t);
  else if (t->doing == PULL && t->fresh && t->begun && s)
    selections_set_current (t->selections,
                            s->shape == SELECTION_LINE && selection_length (s, 1, 1) == 0 ? NULL : selection_copy (s));
  t->doing = NOTHING;
}

const char *
selection_tools_motion (SelectionTools *t, const ToolPointer *p)
{
  const Selection *s = selections_current (t->selections);
  int handle = -1;
  if (t->tool == TOOL_HAND)
    return "grab";
  if (draws_corners (t)) {
    show_corners (t, snapped (t, SELECTION_POLYGON, p));
    return "crosshair";
  }
  switch (grip_at (t, p, &handle)) {
  case PULL: return selection_handle_cursor (s, (guint) handle);
  case MOVE: return "move";
  default: return "crosshair";
  }
}

/* ---- The keys ---- */

/* Abandons what is being drawn, or puts back what is being dragged. */
static gboolean
escape (SelectionTools *t)
{
  gboolean drawing = selections_drawing (t->selections), dragging = t->doing == PULL || t->doing == MOVE;
  wand_forget (t->wand);
  if (drawing)
    selections_set_current (t->selections, NULL);
  else if (dragging)
    selections_reshape (t->selections, selection_copy (t->origin));
  t->doing = NOTHING;
  return drawing || dragging;
}

static void
rub_out (SelectionTools *t)
{
  wand_forget (t->wand);
  if (draws_corners (t) && t->trail->len > 1) {
    g_array_set_size (t->trail, t->trail->len - 1);
    show_corners (t, trail_points (t)[t->trail->len - 1]);
    return;
  }
  t->doing = NOTHING;
  selections_set_current (t->selections, NULL);
}

/* One pixel: moves it, or with Alt makes it larger or smaller. */
static void
nudge (SelectionTools *t, double dx, double dy, gboolean resize)
{
  Selection *s = selection_copy (selections_current (t->selections));
  SelectionPoint low, high;
  selection_bounds (s, &low, &high);
  if (!resize)
    move_by (t, s, dx, dy);
  else if (s->shape == SELECTION_LINE)
    s->points[1] = (SelectionPoint){s->points[1].x + dx, s->points[1].y + dy};
  else if (s->shape != SELECTION_POINT)
    selection_stretch (s, low, (SelectionPoint){MAX (low.x + 1, high.x + dx), MAX (low.y + 1, high.y + dy)});
  selections_reshape (t->selections, s);
}

gboolean
selection_tools_key (SelectionTools *t, guint key, GdkModifierType keys)
{
  gboolean resize = (keys & GDK_ALT_MASK) != 0;
  if (key == GDK_KEY_Escape)
    return escape (t);
  if (!selections_current (t->selections) || keys & GDK_CONTROL_MASK)
    return FALSE;
  if (key == GDK_KEY_BackSpace || key == GDK_KEY_Delete) {
    rub_out (t);
    return TRUE;
  }
  if (key == GDK_KEY_Return && draws_corners (t)) {
    end_trail (t);
    return TRUE;
  }
  if (selections_drawing (t->selections))
    return FALSE;
  switch (key) {
  case GDK_KEY_Left: nudge (t, -1, 0, resize); return TRUE;
  case GDK_KEY_Right: nudge (t, 1, 0, resize); return TRUE;
  case GDK_KEY_Up: nudge (t, 0, -1, resize); return TRUE;
  case GDK_KEY_Down: nudge (t, 0, 1, resize); return TRUE;
  default: return FALSE;
  }
}

/* ---- The tools ---- */

Tool
selection_tools_tool (const SelectionTools *t)
{
  return t->tool;
}

void
selection_tools_set_tool (SelectionTools *t, Tool tool)
{
  if (draws_corners (t))
    end_trail (t);
  t->doing = NOTHING;
  t->tool = tool;
}

SelectionTools *
selection_tools_new (View *view, Selections *selections, Worker *worker)
{
  SelectionTools *t = g_new0 (SelectionTools, 1);
  t->view = g_object_ref (view);
  t->selections = g_object_ref (selections);
  t->wand = wand_new (view, selections, worker);
  t->trail = g_array_new (FALSE, FALSE, sizeof (SelectionPoint));
  return t;
}

void
selection_tools_free (SelectionTools *t)
{
  if (!t)
    return;
  wand_forget (t->wand);
  g_object_unref (t->wand);
  g_object_unref (t->view);
  g_object_unref (t->selections);
  g_clear_pointer (&t->origin, selection_free);
  g_array_unref (t->trail);
  g_free (t);
}
