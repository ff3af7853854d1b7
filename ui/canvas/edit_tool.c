/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/edit_tool.h"

#include "ui/canvas/object_edits.h"
#include "ui/canvas/pick.h"
#include "ui/canvas/selection_paint.h"
#include "ui/canvas/stroke.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { CHOOSE, SPLIT, DRAW, ERASE, WAYS };

static const struct {
  const char *name, *hint;
} ways[WAYS] = {
  [CHOOSE] = {"choose", N_ ("Click an object, Shift+click more, then press Delete, Merge or Fill.")},
  [SPLIT] = {"split", N_ ("Drag a line across an object.")},
  [DRAW] = {"draw", N_ ("Draw around a new object, or from inside one to add to it.")},
  [ERASE] = {"erase", N_ ("Draw around the area to erase.")},
};

struct _EditTool {
  GObject parent;
  GtkWidget *canvas;
  View *view;
  Worker *worker;
  ObjectEdits *edits;
  GSimpleActionGroup *actions;
  int way;
  GArray *trail;        /* SelectionPoint; empty: nothing is drawn */
  gboolean begun;       /* the pointer has gone far enough for a drag */
  GdkModifierType keys; /* with which it was pressed */
};

G_DEFINE_FINAL_TYPE (EditTool, edit_tool, G_TYPE_OBJECT)

enum { HINT, FAILED, SIGNALS };
static guint signals[SIGNALS];

/* ---- What can be done ---- */

static void
enable (EditTool *t, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (t->actions), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
update (EditTool *t)
{
  const guint chosen = view_objects (t->view) ? view_chosen (t->view)->len : 0;
  enable (t, "delete", chosen > 0);
  enable (t, "merge", chosen > 1);
  enable (t, "fill", chosen > 0);
  g_signal_emit (t, signals[HINT], 0);
}

char *
edit_tool_hint (const EditTool *t)
{
  const guint chosen = view_chosen (t->view)->len;
  char *lack = object_edits_lack (t->edits);
  if (lack)
    return lack;
  return chosen > 1 && t->way == CHOOSE ? g_strdup_printf (_ ("%u objects are chosen: Delete, Merge or Fill."), chosen)
                                        : g_strdup (_ (ways[t->way].hint));
}

static void
on_tool (GSimpleAction *action, GVariant *name, gpointer tool)
{
  EditTool *t = tool;
  for (int i = 0; i < WAYS; i++)
    if (!strcmp (ways[i].name, g_variant_get_string (name, NULL)))
      t->way = i;
  g_simple_action_set_state (action, g_variant_new_string (ways[t->way].name));
  edit_tool_abandon (t);
  update (t);
}

static void
on_verb (GSimpleAction *action, GVariant *parameter, gpointer tool)
{
  (void) parameter;
  object_edits_picked (FOVEA_EDIT_TOOL (tool)->edits, g_action_get_name (G_ACTION (action)));
}

GActionGroup *
edit_tool_actions (EditTool *t)
{
  return G_ACTION_GROUP (t->actions);
}

/* ---- The pointer ---- */

gboolean
edit_tool_moves (const EditTool *t)
{
  return t->way == CHOOSE;
}

gboolean
edit_tool_chooses_more (GdkModifierType keys)
{
  return (keys & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0;
}

void
edit_tool_press (EditTool *t, const ToolPointer *p)
{
  const SelectionPoint at = {p->x, p->y};
  g_array_set_size (t->trail, 0);
  g_array_append_val (t->trail, at);
  t->begun = FALSE;
  t->keys = p->keys;
}

void
edit_tool_drag (EditTool *t, const ToolPointer *p)
{
  const SelectionPoint at = {p->x, p->y};
  if (!t->trail->len) /* abandoned */
    return;
  const SelectionPoint start = g_array_index (t->trail, SelectionPoint, 0);
  t->begun = t->begun || hypot (at.x - start.x, at.y - start.y) >= 3 * p->pixel;
  if (!t->begun)
    return;
  if (t->way == SPLIT)
    g_array_set_size (t->trail, 1);
  g_array_append_val (t->trail, at);
  gtk_widget_queue_draw (t->canvas);
}

/* A click, regardless of the tool's drag shape. */
static void
choose (EditTool *t)
{
  const ImageInfo *info = image_info (view_image (t->view));
  const SelectionPoint at = g_array_index (t->trail, SelectionPoint, 0);
  if (at.x >= 0 && at.y >= 0 && at.x < (double) info->columns && at.y < (double) info->rows)
    pick_object (t->view, t->worker, (gint64) at.x, (gint64) at.y, edit_tool_chooses_more (t->keys));
}

void
edit_tool_release (EditTool *t)
{
  if (!t->trail->len)
    return;
  if (t->begun) {
    g_autofree char *positions = stroke_points (t->trail, view_slice (t->view), view_frame (t->view));
    object_edits_at (t->edits, ways[t->way].name, positions);
  } else
    choose (t);
  edit_tool_abandon (t);
}

void
edit_tool_abandon (EditTool *t)
{
  g_array_set_size (t->trail, 0);
  gtk_widget_queue_draw (t->canvas);
}

void
edit_tool_paint (const EditTool *t, const PaintArea *area, GtkSnapshot *snapshot)
{
  const SelectionShape shape = t->way == SPLIT ? SELECTION_LINE : SELECTION_FREEHAND;
  if (t->trail->len < 2)
    return;
  g_autoptr (Selection) s = selection_new (shape, t->trail->len, (SelectionPoint *) (gpointer) t->trail->data);
  selection_paint_stroke (s, area, snapshot);
}

/* ---- The keys ---- */

gboolean
edit_tool_key (EditTool *t, guint key, GdkModifierType keys)
{
  static const struct {
    guint key;
    const char *action, *target;
  } meanings[] = {
    {GDK_KEY_c, "tool", "choose"}, {GDK_KEY_s, "tool", "split"},     {GDK_KEY_d, "tool", "draw"},
    {GDK_KEY_e, "tool", "erase"},  {GDK_KEY_Delete, "delete", NULL}, {GDK_KEY_BackSpace, "delete", NULL},
    {GDK_KEY_m, "merge", NULL},    {GDK_KEY_f, "fill", NULL},
  };
  if (keys & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  if (key == GDK_KEY_Escape) {
    if (t->trail->len)
      edit_tool_abandon (t);
    else
      gtk_widget_activate_action (t->canvas, "win.tool", "s", "hand");
    return TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (gdk_keyval_to_lower (key) == meanings[i].key) {
      const char *target = meanings[i].target;
      g_action_group_activate_action (edit_tool_actions (t), meanings[i].action,
                                      target ? g_variant_new_string (target) : NULL);
      return TRUE;
    }
  return FALSE;
}

/* ---- The object ---- */

static void
on_failed (EditTool *t, const char *text)
{
  g_signal_emit (t, signals[FAILED], 0, text);
}

static void
edit_tool_finalize (GObject *object)
{
  EditTool *t = FOVEA_EDIT_TOOL (object);
  g_object_unref (t->actions);
  g_object_unref (t->edits);
  g_object_unref (t->view);
  g_array_unref (t->trail);
  G_OBJECT_CLASS (edit_tool_parent_class)->finalize (object);
}

static void
edit_tool_class_init (EditToolClass *class)
{
  G_OBJECT_CLASS (class)->finalize = edit_tool_finalize;
  signals[HINT] = g_signal_new ("hint", EDIT_TOOL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] =
    g_signal_new ("failed", EDIT_TOOL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
edit_tool_init (EditTool *t)
{
  static const GActionEntry entries[] = {
    {"tool", NULL, "s", "'choose'", on_tool, {0}},
    {"delete", on_verb, NULL, NULL, NULL, {0}},
    {"merge", on_verb, NULL, NULL, NULL, {0}},
    {"fill", on_verb, NULL, NULL, NULL, {0}},
  };
  t->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (t->actions), entries, G_N_ELEMENTS (entries), t);
  t->trail = g_array_new (FALSE, FALSE, sizeof (SelectionPoint));
}

EditTool *
edit_tool_new (GtkWidget *canvas, View *view, Worker *worker)
{
  EditTool *t = g_object_new (EDIT_TOOL_TYPE, NULL);
  t->canvas = canvas;
  t->view = g_object_ref (view);
  t->worker = worker;
  t->edits = object_edits_new (view, worker);
  g_signal_connect_object (t->edits, "failed", G_CALLBACK (on_failed), t, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "object", G_CALLBACK (update), t, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "image", G_CALLBACK (update), t, G_CONNECT_SWAPPED);
  g_signal_connect_object (view_document (view), "results", G_CALLBACK (update), t, G_CONNECT_SWAPPED);
  update (t);
  return t;
}
