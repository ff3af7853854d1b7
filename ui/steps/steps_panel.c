/* SPDX-License-Identifier: MIT
 *
 * Rows are made anew when the steps change, and only filled in anew when results come.
 */
#include "ui/steps/steps_panel.h"

#include "ui/steps/step_row.h"
#include "ui/widgets/button.h"
#include "ui/widgets/row_drag.h"

#include <glib/gi18n.h>

struct _StepsPanel {
  GtkBox parent;
  View *view;
  GtkListBox *list; /* row 0 is the opened image */
  gboolean filling; /* selections are ours, not the user's */
};

G_DEFINE_FINAL_TYPE (StepsPanel, steps_panel, GTK_TYPE_BOX)

static guint failed_signal;

static Document *
document_of (const StepsPanel *panel)
{
  return view_document (panel->view);
}

static void
on_failed (StepsPanel *panel, const char *text)
{
  g_signal_emit (panel, failed_signal, 0, text);
}

/* ---- Rows ---- */

static StepRow *
row_at (const StepsPanel *panel, int i)
{
  return FOVEA_STEP_ROW (gtk_list_box_get_row_at_index (panel->list, i));
}

static void
add_row (StepsPanel *panel, const Step *step)
{
  GtkWidget *row = step_row_new (panel->view, step);
  g_signal_connect_object (row, "failed", G_CALLBACK (on_failed), panel, G_CONNECT_SWAPPED);
  gtk_list_box_append (panel->list, row);
}

static void
fill_rows (StepsPanel *panel)
{
  int n = (int) recipe_length (document_recipe (document_of (panel)));
  guint place;
  const GError *error = document_error (document_of (panel), &place);
  for (int i = 0; i <= n; i++)
    step_row_fill (row_at (panel, i), i == (int) place + 1 ? error : NULL);
}

/* Once the rows have their places: brings the selected one into view. */
static gboolean
scroll_to_selected (gpointer data)
{
  StepsPanel *panel = data;
  GtkListBoxRow *row = panel->view ? gtk_list_box_get_selected_row (panel->list) : NULL;
  GtkAdjustment *adjustment = gtk_list_box_get_adjustment (panel->list);
  graphene_rect_t box;
  if (row && adjustment && gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (panel->list), &box))
    gtk_adjustment_clamp_page (adjustment, (double) box.origin.y, (double) (box.origin.y + box.size.height));
  g_object_unref (panel);
  return G_SOURCE_REMOVE;
}

static void
select_place (StepsPanel *panel)
{
  panel->filling = TRUE;
  gtk_list_box_select_row (panel->list, gtk_list_box_get_row_at_index (panel->list, view_place (panel->view) + 1));
  panel->filling = FALSE;
  g_timeout_add (50, scroll_to_selected, g_object_ref (panel));
}

static void
rebuild (StepsPanel *panel)
{
  const Recipe *recipe = document_recipe (document_of (panel));
  GtkListBoxRow *row;
  panel->filling = TRUE;
  while ((row = gtk_list_box_get_row_at_index (panel->list, 0)))
    gtk_list_box_remove (panel->list, GTK_WIDGET (row));
  panel->filling = FALSE;
  add_row (panel, NULL);
  for (guint i = 0; i < recipe_length (recipe); i++)
    add_row (panel, recipe_step (recipe, i));
  fill_rows (panel);
  select_place (panel);
}

/* Values of the same steps need no new rows. */
static void
on_steps (StepsPanel *panel)
{
  const Recipe *recipe = document_recipe (document_of (panel));
  int n = (int) recipe_length (recipe);
  gboolean same = gtk_list_box_get_row_at_index (panel->list, n) && !gtk_list_box_get_row_at_index (panel->list, n + 1);
  for (int i = 0; i < n && same; i++)
    same = step_row_is_of (row_at (panel, i + 1), recipe_step (recipe, (guint) i));
  if (!same)
    rebuild (panel);
  for (int i = 0; i < n && same; i++)
    step_row_fill_values (row_at (panel, i + 1));
}

/* ---- Changing ---- */

static void
on_selected (StepsPanel *panel, GtkListBoxRow *row)
{
  if (row && !panel->filling)
    view_set_place (panel->view, gtk_list_box_row_get_index (row) - 1);
}

/* A row is chosen when it is pressed, with either button: by the release it may have gone, or the pointer may have left it. Its buttons are not the
 * row, and a finger may be about to scroll. */
static void
on_pressed (StepsPanel *panel, int presses, double x, double y, GtkGesture *click)
{
  GtkWidget *under = gtk_widget_pick (GTK_WIDGET (panel->list), x, y, GTK_PICK_DEFAULT);
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (panel->list, (int) y);
  (void) presses;
  if (row && under && !gtk_widget_get_ancestor (under, GTK_TYPE_BUTTON)
      && !gtk_gesture_single_get_current_sequence (GTK_GESTURE_SINGLE (click)))
    gtk_list_box_select_row (panel->list, row);
}

/* The first row is the opened image. */
static void
on_moved (gpointer data, int from, int to)
{
  StepsPanel *panel = data;
  g_autoptr (View) view = g_object_ref (panel->view); /* rows are made anew */
  g_autoptr (GError) error = NULL;
  if (document_move_step (view_document (view), (guint) from - 1, (guint) to - 1, &error))
    view_set_place (view, to - 1);
  else
    g_signal_emit (panel, failed_signal, 0, error->message);
}

static gboolean
on_key (GtkWidget *list, guint key, guint code, GdkModifierType state)
{
  (void) code;
  if (key == GDK_KEY_Delete)
    return gtk_widget_activate_action (list, "win.delete-step", NULL);
  if (key == GDK_KEY_Up && state & GDK_ALT_MASK)
    return gtk_widget_activate_action (list, "win.step-up", NULL);
  if (key == GDK_KEY_Down && state & GDK_ALT_MASK)
    return gtk_widget_activate_action (list, "win.step-down", NULL);
  return FALSE;
}

/* ---- The widget ---- */

static void
add_button (GtkWidget *box, const char *icon, const char *help, const char *action)
{
  GtkWidget *button = button_with_icon (icon, help);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (box), button);
}

static GtkWidget *
make_footer (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0),
            *add = gtk_button_new_with_mnemonic (_ ("+ _Add a step…"));
  gtk_button_set_has_frame (GTK_BUTTON (add), FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (add), "win.find-command");
  gtk_widget_set_hexpand (add, TRUE);
  gtk_widget_set_halign (add, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), add);
  add_button (box, "go-up-symbolic", _ ("Move the step up (Alt+Up)"), "win.step-up");
  add_button (box, "go-down-symbolic", _ ("Move the step down (Alt+Down)"), "win.step-down");
  add_button (box, "user-trash-symbolic", _ ("Delete the step (Delete)"), "win.delete-step");
  return box;
}

static void
steps_panel_dispose (GObject *object)
{
  g_clear_object (&FOVEA_STEPS_PANEL (object)->view);
  G_OBJECT_CLASS (steps_panel_parent_class)->dispose (object);
}

static void
steps_panel_class_init (StepsPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = steps_panel_dispose;
  failed_signal =
    g_signal_new ("failed", STEPS_PANEL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
steps_panel_init (StepsPanel *panel)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *list = gtk_list_box_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  panel->list = GTK_LIST_BOX (list);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  gtk_widget_add_css_class (list, "steps");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Steps"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (panel), scroller);
  gtk_box_append (GTK_BOX (panel), make_footer ());
  g_signal_connect_object (list, "row-selected", G_CALLBACK (on_selected), panel, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), list);
  g_signal_connect_object (click, "pressed", G_CALLBACK (on_pressed), panel, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (list, key);
  gtk_widget_add_controller (list, GTK_EVENT_CONTROLLER (click));
  row_drag_add (panel->list, 1, on_moved, panel);
}

GtkWidget *
steps_panel_new (View *view)
{
  StepsPanel *panel = g_object_new (STEPS_PANEL_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  Document *document = view_document (view);
  panel->view = g_object_ref (view);
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (fill_rows), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "provisional", G_CALLBACK (fill_rows), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "place", G_CALLBACK (select_place), panel, G_CONNECT_SWAPPED);
  rebuild (panel);
  return GTK_WIDGET (panel);
}
