/* SPDX-License-Identifier: MIT
 *
 * A row belongs to an index in the list: it is updated when another step gets this index, and when results arrive.
 */
#include "ui/steps/steps_panel.h"

#include "ui/steps/step_row.h"
#include "ui/widgets/button.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/row_drag.h"

#include <glib/gi18n.h>

struct _StepsPanel {
  GtkWidget parent;
  View *view;
  GtkWidget *header, *scroller, *footer;
  GtkDropDown *slices; /* in the header, which is there for images with slices */
  GtkListBox *list;    /* in the scroller; row 0 is the opened image */
  gboolean filling;    /* selections are ours, not the user's */
  GtkWidget *holder;   /* of the form, when it is in a row */
  StepRow *open;       /* that row, or NULL */
  StepRow *chosen;     /* that looks so, or NULL */
};

G_DEFINE_FINAL_TYPE (StepsPanel, steps_panel, GTK_TYPE_WIDGET)

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

static StepRow *
row_at (const StepsPanel *panel, int i)
{
  return FOVEA_STEP_ROW (gtk_list_box_get_row_at_index (panel->list, i));
}

/* ---- The form ---- */

/* Keys that move between rows do not when they come from the form, where they move between its fields. */
static gboolean
on_form_key (GtkWidget *holder, guint key)
{
  switch (key) {
  case GDK_KEY_Up:
  case GDK_KEY_KP_Up: gtk_widget_child_focus (holder, GTK_DIR_UP); return TRUE;
  case GDK_KEY_Down:
  case GDK_KEY_KP_Down: gtk_widget_child_focus (holder, GTK_DIR_DOWN); return TRUE;
  case GDK_KEY_Home:
  case GDK_KEY_End:
  case GDK_KEY_Page_Up:
  case GDK_KEY_Page_Down:
  case GDK_KEY_Delete:
  case GDK_KEY_space:
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter: return TRUE;
  default: return FALSE;
  }
}

static GtkWidget *
make_holder (void)
{
  GtkWidget *holder = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *key = gtk_event_controller_key_new ();
  gtk_widget_add_css_class (holder, "step-form");
  gtk_widget_add_css_class (holder, ROW_DRAG_NO_HANDLE);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_form_key), holder);
  gtk_widget_add_controller (holder, key);
  return holder;
}

/* The focus that is in the form goes to a row, which chooses that; left to GTK it would go to any other. */
static void
take_focus (StepsPanel *panel, StepRow *row)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (panel));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  if (!focus || !gtk_widget_is_ancestor (focus, panel->holder))
    return;
  panel->filling = TRUE;
  gtk_widget_grab_focus (GTK_WIDGET (row));
  panel->filling = FALSE;
}

/* The form moves to another row, or to none. */
static void
open_under (StepsPanel *panel, StepRow *row)
{
  if (!gtk_widget_get_first_child (panel->holder))
    row = NULL;
  if (panel->open == row)
    return;
  if (panel->open) {
    take_focus (panel, row ? row : panel->open);
    step_row_set_below (panel->open, NULL);
  }
  panel->open = row;
  if (row)
    step_row_set_below (row, panel->holder);
}

void
steps_panel_set_form (StepsPanel *panel, GtkWidget *form)
{
  GtkWidget *was = gtk_widget_get_first_child (panel->holder);
  if (was)
    gtk_box_remove (GTK_BOX (panel->holder), was);
  if (form)
    gtk_box_append (GTK_BOX (panel->holder), form);
  open_under (panel, row_at (panel, view_index (panel->view) + 1));
}

/* ---- Rows ---- */

static void
add_row (StepsPanel *panel, gboolean of_image)
{
  GtkWidget *row = step_row_new (panel->view, of_image);
  g_signal_connect_object (row, "failed", G_CALLBACK (on_failed), panel, G_CONNECT_SWAPPED);
  gtk_list_box_append (panel->list, row);
}

/* One row for each step and one for the image. Remaining rows are updated, so that a dragged widget in the form
 * survives. */
static gboolean
count_rows (StepsPanel *panel)
{
  const int n = (int) recipe_length (document_recipe (document_of (panel)));
  gboolean same = TRUE;
  for (int i = 0; i <= n; i++)
    if (!gtk_list_box_get_row_at_index (panel->list, i)) {
      add_row (panel, i == 0);
      same = FALSE;
    }
  while (gtk_list_box_get_row_at_index (panel->list, n + 1)) {
    StepRow *last = row_at (panel, n + 1);
    if (panel->open == last)
      open_under (panel, NULL);
    if (panel->chosen == last)
      panel->chosen = NULL;
    gtk_list_box_remove (panel->list, GTK_WIDGET (last));
    same = FALSE;
  }
  return same;
}

static void
fill_rows (StepsPanel *panel)
{
  int n = (int) recipe_length (document_recipe (document_of (panel)));
  guint index;
  const GError *error = document_error (document_of (panel), &index);
  for (int i = 0; i <= n; i++)
    step_row_fill (row_at (panel, i), i == (int) index + 1 ? error : NULL);
}

/* Once the rows are allocated: scrolls the selected one into view, from its top. */
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
select_index (StepsPanel *panel)
{
  GtkListBoxRow *at = gtk_list_box_get_row_at_index (panel->list, view_index (panel->view) + 1);
  if (!at) /* the view has heard of a new step before the list has */
    return;
  StepRow *row = FOVEA_STEP_ROW (at);
  panel->filling = TRUE;
  gtk_list_box_select_row (panel->list, at);
  panel->filling = FALSE;
  if (panel->chosen && panel->chosen != row)
    step_row_look_chosen (panel->chosen, FALSE);
  step_row_look_chosen (panel->chosen = row, TRUE);
  open_under (panel, row);
  g_timeout_add (50, scroll_to_selected, g_object_ref (panel));
}

/* ---- Volumes and planes ---- */

/* A recipe that says nothing takes planes. */
static void
fill_header (StepsPanel *panel)
{
  const RecipeVolume said = recipe_volume (document_recipe (document_of (panel)));
  gtk_widget_set_visible (panel->header, image_info (document_source (document_of (panel)))->depth > 1);
  panel->filling = TRUE;
  gtk_drop_down_set_selected (panel->slices, said ? said - RECIPE_PLANES : 0);
  panel->filling = FALSE;
}

static void
on_slices (StepsPanel *panel)
{
  const RecipeVolume said = RECIPE_PLANES + gtk_drop_down_get_selected (panel->slices);
  if (panel->filling || !panel->view)
    return;
  g_autoptr (Recipe) with = recipe_with_volume (document_recipe (document_of (panel)), said);
  document_set_recipe (document_of (panel), with);
}

static void
make_header (StepsPanel *panel)
{
  const char *const names[] = {_ ("Process each slice separately"), _ ("One volume"), _ ("One volume for object steps"),
                               NULL};
  GtkWidget *label = gtk_label_new (_ ("Slices")), *slices = gtk_drop_down_new_from_strings (names);
  panel->header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  panel->slices = GTK_DROP_DOWN (slices);
  naming_set (slices, _ ("How steps process slices"));
  gtk_widget_set_tooltip_text (
    slices, _ ("How steps that do not set it themselves process slices (3-D): each separately, all as "
               "one volume, or as one volume where objects are found, separated or measured"));
  gtk_widget_set_margin_start (label, 6);
  gtk_widget_set_margin_end (slices, 6);
  gtk_widget_set_hexpand (slices, TRUE);
  gtk_box_append (GTK_BOX (panel->header), label);
  gtk_box_append (GTK_BOX (panel->header), slices);
  gtk_widget_set_parent (panel->header, GTK_WIDGET (panel));
  g_signal_connect_object (slices, "notify::selected", G_CALLBACK (on_slices), panel, G_CONNECT_SWAPPED);
}

/* Values of the same steps are no news for the rest. */
static void
on_steps (StepsPanel *panel)
{
  const Recipe *recipe = document_recipe (document_of (panel));
  const gboolean counted = count_rows (panel);
  gboolean same = counted;
  fill_header (panel);
  for (int i = 0; i < (int) recipe_length (recipe); i++) {
    same &= step_row_is_of (row_at (panel, i + 1), recipe_step (recipe, (guint) i));
    step_row_fill_values (row_at (panel, i + 1));
  }
  if (!same)
    fill_rows (panel);
  if (!counted)
    select_index (panel);
}

/* ---- Changing ---- */

static void
on_selected (StepsPanel *panel, GtkListBoxRow *row)
{
  if (row && !panel->filling)
    view_set_index (panel->view, gtk_list_box_row_get_index (row) - 1);
}

/* A row is chosen when it is pressed, with either button: by the release it may have gone, or the pointer may have left it. Its buttons are not the
 * row, and a finger may be about to scroll. */
static void
on_pressed (StepsPanel *panel, int presses, double x, double y, GtkGesture *click)
{
  GtkWidget *under = gtk_widget_pick (GTK_WIDGET (panel->list), x, y, GTK_PICK_DEFAULT);
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (panel->list, (int) y);
  (void) presses;
  if (row && row_drag_is_handle (under) && !gtk_gesture_single_get_current_sequence (GTK_GESTURE_SINGLE (click)))
    gtk_list_box_select_row (panel->list, row);
}

/* The first row is the opened image. */
static void
on_moved (gpointer data, int from, int to)
{
  StepsPanel *panel = data;
  g_autoptr (GError) error = NULL;
  if (document_move_step (document_of (panel), (guint) from - 1, (guint) to - 1, &error))
    view_set_index (panel->view, to - 1);
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
  StepsPanel *panel = FOVEA_STEPS_PANEL (object);
  g_clear_object (&panel->view);
  g_clear_object (&panel->holder);
  g_clear_pointer (&panel->header, gtk_widget_unparent);
  g_clear_pointer (&panel->scroller, gtk_widget_unparent);
  g_clear_pointer (&panel->footer, gtk_widget_unparent);
  G_OBJECT_CLASS (steps_panel_parent_class)->dispose (object);
}

static void
steps_panel_class_init (StepsPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = steps_panel_dispose;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_GROUP);
  failed_signal =
    g_signal_new ("failed", STEPS_PANEL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

/* The list is as high as its rows, whose texts wrap, or as there is room; the footer comes right below it, the header above. */
static void
allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StepsPanel *panel = FOVEA_STEPS_PANEL (widget);
  int min, list, footer, header;
  (void) baseline;
  gtk_widget_measure (panel->header, GTK_ORIENTATION_VERTICAL, width, &header, NULL, NULL, NULL);
  gtk_widget_measure (panel->footer, GTK_ORIENTATION_VERTICAL, width, &footer, NULL, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (panel->list), GTK_ORIENTATION_VERTICAL, width, NULL, &list, NULL, NULL);
  gtk_widget_measure (panel->scroller, GTK_ORIENTATION_VERTICAL, width, &min, NULL, NULL, NULL);
  list = MAX (MIN (list, height - header - footer), min);
  if (gtk_widget_get_visible (panel->header))
    gtk_widget_allocate (panel->header, width, header, -1, NULL);
  gtk_widget_allocate (panel->scroller, width, list, -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (0, (float) header)));
  gtk_widget_allocate (panel->footer, width, footer, -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (0, (float) (header + list))));
}

static GtkSizeRequestMode
request_mode (GtkWidget *panel)
{
  (void) panel;
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *min, int *natural, int *min_baseline,
         int *natural_baseline)
{
  StepsPanel *panel = FOVEA_STEPS_PANEL (widget);
  const gboolean high = orientation == GTK_ORIENTATION_VERTICAL;
  int list, list_natural, footer, footer_natural, header, header_natural;
  *min_baseline = *natural_baseline = -1;
  gtk_widget_measure (panel->scroller, orientation, for_size, &list, &list_natural, NULL, NULL);
  gtk_widget_measure (panel->footer, orientation, for_size, &footer, &footer_natural, NULL, NULL);
  gtk_widget_measure (panel->header, orientation, for_size, &header, &header_natural, NULL, NULL);
  *min = high ? header + list + footer : MAX (MAX (list, footer), header);
  *natural =
    high ? header_natural + list_natural + footer_natural : MAX (MAX (list_natural, footer_natural), header_natural);
}

static void
steps_panel_init (StepsPanel *panel)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *list = gtk_list_box_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  panel->list = GTK_LIST_BOX (list);
  panel->holder = g_object_ref_sink (make_holder ());
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  gtk_widget_add_css_class (list, "steps");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Steps"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  panel->scroller = scroller;
  panel->footer = make_footer ();
  make_header (panel);
  gtk_widget_set_parent (panel->scroller, GTK_WIDGET (panel));
  gtk_widget_set_parent (panel->footer, GTK_WIDGET (panel));
  gtk_widget_set_layout_manager (GTK_WIDGET (panel), gtk_custom_layout_new (request_mode, measure, allocate));
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
  StepsPanel *panel = g_object_new (STEPS_PANEL_TYPE, NULL);
  Document *document = view_document (view);
  panel->view = g_object_ref (view);
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (fill_rows), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "provisional", G_CALLBACK (fill_rows), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "index", G_CALLBACK (select_index), panel, G_CONNECT_SWAPPED);
  on_steps (panel);
  return GTK_WIDGET (panel);
}
