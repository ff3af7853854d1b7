/* SPDX-License-Identifier: MIT
 *
 * The list shows names alone, so that files of many thousand selections are no burden. Buttons activate the window's actions
 * where there are such.
 */
#include "ui/selection/panel.h"

#include "ui/selection/files_dialog.h"
#include "ui/selection/numbers.h"
#include "ui/widgets/button.h"

#include <glib/gi18n.h>

struct _SelectionPanel {
  GtkBox parent;
  View *view;
  Selections *selections;
  GtkStringList *names;
  GtkSingleSelection *rows;
  GtkLabel *title;
  GtkEditable *name;
  gboolean filling; /* changes are ours, not the user's */
};

G_DEFINE_FINAL_TYPE (SelectionPanel, selection_panel, GTK_TYPE_BOX)

static guint failed_signal;

/* ---- Showing ---- */

static char *
title_of (guint n)
{
  return n ? g_strdup_printf (_ ("Selections: %u"), n) : g_strdup (_ ("Selections"));
}

/* Rows whose name is the same stay. */
static void
fill_names (SelectionPanel *self)
{
  guint n = selections_length (self->selections), old = g_list_model_get_n_items (G_LIST_MODEL (self->names)),
        first = 0;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  while (
    first < MIN (n, old)
    && !g_strcmp0 (gtk_string_list_get_string (self->names, first), selections_kept (self->selections, first)->name))
    first++;
  for (guint i = first; i < n; i++)
    g_ptr_array_add (names, selections_kept (self->selections, i)->name);
  g_ptr_array_add (names, NULL);
  gtk_string_list_splice (self->names, first, old - first, (const char *const *) names->pdata);
}

/* A field that becomes insensitive must lose the focus first, or GTK's cursor keeps blinking. */
static void
set_named (SelectionPanel *self, gboolean named)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  if (!named && focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->name)))
    gtk_root_set_focus (root, NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->name), named);
}

static void
fill_list (SelectionPanel *self)
{
  if (!self->selections)
    return;
  guint n = selections_length (self->selections);
  int chosen = selections_chosen (self->selections);
  g_autofree char *title = title_of (n);
  self->filling = TRUE;
  fill_names (self);
  gtk_single_selection_set_selected (self->rows, chosen < 0 ? GTK_INVALID_LIST_POSITION : (guint) chosen);
  gtk_editable_set_text (self->name, chosen < 0 ? "" : selections_kept (self->selections, (guint) chosen)->name);
  self->filling = FALSE;
  gtk_label_set_text (self->title, title);
  set_named (self, chosen >= 0);
}

/* ---- Changing ---- */

/* Shows the plane where it was drawn, too. */
static void
on_row (SelectionPanel *self)
{
  guint i = gtk_single_selection_get_selected (self->rows);
  if (self->filling || i == GTK_INVALID_LIST_POSITION)
    return;
  selections_choose (self->selections, i);
  const Selection *s = selections_current (self->selections);
  view_set_position (self->view, s->channel >= 0 ? s->channel : view_channel (self->view),
                     s->slice >= 0 ? s->slice : view_slice (self->view),
                     s->frame >= 0 ? s->frame : view_frame (self->view));
}

/* A row that is chosen already gives its shape again. */
static void
on_row_activated (SelectionPanel *self, guint i)
{
  selections_choose (self->selections, i);
}

static void
on_rename (SelectionPanel *self)
{
  int i = selections_chosen (self->selections);
  if (i >= 0 && !self->filling)
    selections_rename (self->selections, (guint) i, gtk_editable_get_text (self->name));
}

static void
on_show (SelectionPanel *self, GtkCheckButton *show)
{
  selections_set_shown (self->selections, gtk_check_button_get_active (show));
}

static gboolean
on_key (GtkWidget *list, guint key)
{
  return (key == GDK_KEY_Delete || key == GDK_KEY_BackSpace)
         && gtk_widget_activate_action (list, "win.remove-selection", NULL);
}

/* The second button chooses the row, too, for the menu of what can be done with it. */
static void
on_second_button (SelectionPanel *self, int presses, double x, double y, GtkGesture *click)
{
  GtkWidget *list = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click));
  GtkWidget *under = gtk_widget_pick (list, x, y, GTK_PICK_DEFAULT);
  GtkWidget *label = under && !GTK_IS_LABEL (under) ? gtk_widget_get_first_child (under) : under;
  GtkListItem *item = GTK_IS_LABEL (label) ? g_object_get_data (G_OBJECT (label), "item") : NULL;
  (void) presses;
  if (item)
    gtk_single_selection_set_selected (self->rows, gtk_list_item_get_position (item));
}

static void
fail (gpointer self, const char *text)
{
  g_signal_emit (self, failed_signal, 0, text);
}

static void
on_open (SelectionPanel *self)
{
  selection_files_open (GTK_WIDGET (self), self->selections, fail);
}

static void
on_save (SelectionPanel *self)
{
  selection_files_save (GTK_WIDGET (self), self->selections, fail);
}

/* ---- Layout ---- */

static GtkWidget *
make_button (GtkWidget *box, const char *icon, const char *help)
{
  GtkWidget *button = button_with_icon (icon, help);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

static GtkWidget *
make_title (SelectionPanel *self)
{
  GtkWidget *title = gtk_label_new (_ ("Selections"));
  self->title = GTK_LABEL (title);
  gtk_label_set_xalign (self->title, 0);
  gtk_widget_add_css_class (title, "heading");
  return title;
}

static void
setup_row (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  (void) factory;
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  g_object_set_data (G_OBJECT (label), "item", item);
  gtk_list_item_set_child (item, label);
}

static void
bind_row (GtkListItemFactory *factory, GtkListItem *item)
{
  (void) factory;
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

static GtkWidget *
make_list (SelectionPanel *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkWidget *list = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->rows)), factory);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  g_signal_connect_object (list, "activate", G_CALLBACK (on_row_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), list);
  g_signal_connect_object (click, "pressed", G_CALLBACK (on_second_button), self, G_CONNECT_SWAPPED);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_widget_add_controller (list, key);
  gtk_widget_add_controller (list, GTK_EVENT_CONTROLLER (click));
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Kept selections"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static GtkWidget *
make_name (SelectionPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new_with_mnemonic (_ ("_Name"));
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  self->name = GTK_EDITABLE (entry);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry);
  gtk_widget_set_tooltip_text (entry, _ ("Name of the chosen selection"));
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_editable_set_width_chars (self->name, 8);
  g_signal_connect_object (entry, "activate", G_CALLBACK (on_rename), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (on_rename), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (entry, focus);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), entry);
  return box;
}

static GtkWidget *
make_buttons (SelectionPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *button;
  button = make_button (box, "list-add-symbolic", _ ("Add the current selection to the list (t)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.keep-selection");
  button =
    make_button (box, "object-select-symbolic", _ ("Replace the shape of the selected selection with the current one"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.update-selection");
  button = make_button (box, "user-trash-symbolic", _ ("Remove the selected selection from the list (Delete)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.remove-selection");
  button = make_button (box, "document-open-symbolic", _ ("Add the selections of a file (.roi, .zip, .geojson)"));
  gtk_widget_set_hexpand (button, TRUE);
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_open), self, G_CONNECT_SWAPPED);
  button = make_button (box, "document-save-symbolic", _ ("Save all selections as a file (.roi, .zip, .geojson)"));
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_save), self, G_CONNECT_SWAPPED);
  return box;
}

/* What is done with all of the list. */
static GtkWidget *
make_all (SelectionPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *show = gtk_check_button_new_with_mnemonic (_ ("Sho_w All"));
  GtkWidget *measure = gtk_button_new_with_mnemonic (_ ("_Measure All"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (show), selections_shown (self->selections));
  gtk_widget_set_tooltip_text (show, _ ("Show the selections of this slice over the image, with their names"));
  gtk_widget_set_hexpand (show, TRUE);
  g_signal_connect_object (show, "toggled", G_CALLBACK (on_show), self, G_CONNECT_SWAPPED);
  gtk_button_set_has_frame (GTK_BUTTON (measure), FALSE);
  gtk_widget_set_tooltip_text (measure, _ ("A row of measurements for each"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (measure), "win.measure-list");
  gtk_box_append (GTK_BOX (box), show);
  gtk_box_append (GTK_BOX (box), measure);
  return box;
}

static void
lay_out_panel (SelectionPanel *self)
{
  gtk_box_append (GTK_BOX (self), make_title (self));
  gtk_box_append (GTK_BOX (self), make_list (self));
  gtk_box_append (GTK_BOX (self), make_buttons (self));
  gtk_box_append (GTK_BOX (self), make_name (self));
  gtk_box_append (GTK_BOX (self), make_all (self));
  gtk_box_append (GTK_BOX (self), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (self), selection_numbers_new (self->selections));
  gtk_widget_set_size_request (GTK_WIDGET (self), 220, -1);
  gtk_widget_set_hexpand (GTK_WIDGET (self), FALSE);
  gtk_widget_set_margin_start (GTK_WIDGET (self), 8);
  gtk_widget_set_margin_end (GTK_WIDGET (self), 8);
  gtk_widget_set_margin_top (GTK_WIDGET (self), 4);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self), 8);
}

void
selection_panel_rename (SelectionPanel *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->name));
  gtk_editable_select_region (self->name, 0, -1);
}

/* ---- The widget ---- */

static void
selection_panel_dispose (GObject *object)
{
  SelectionPanel *self = FOVEA_SELECTION_PANEL (object);
  g_clear_object (&self->view);
  g_clear_object (&self->selections);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (selection_panel_parent_class)->dispose (object);
}

static void
selection_panel_class_init (SelectionPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = selection_panel_dispose;
  failed_signal = g_signal_new ("failed", SELECTION_PANEL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
}

static void
selection_panel_init (SelectionPanel *self)
{
  self->names = gtk_string_list_new (NULL);
  self->rows = gtk_single_selection_new (G_LIST_MODEL (self->names));
  gtk_single_selection_set_autoselect (self->rows, FALSE);
  gtk_single_selection_set_can_unselect (self->rows, TRUE);
}

GtkWidget *
selection_panel_new (View *view, Selections *selections)
{
  SelectionPanel *self =
    g_object_new (SELECTION_PANEL_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  self->view = g_object_ref (view);
  self->selections = g_object_ref (selections);
  lay_out_panel (self);
  g_signal_connect_object (self->rows, "notify::selected", G_CALLBACK (on_row), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (selections, "list", G_CALLBACK (fill_list), self, G_CONNECT_SWAPPED);
  fill_list (self);
  return GTK_WIDGET (self);
}
