/* SPDX-License-Identifier: MIT
 *
 * A number that is none keeps the dialog open, with the focus where it stands.
 */
#include "ui/macro/dialog.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

typedef struct {
  GPtrArray *fields, *widgets; /* MacroField, GtkWidget */
  MacroAnswered answered;
  gpointer data;
  gboolean accepted;
} Dialog;

static GtkWidget *
make_choice (const MacroField *field)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings ((const char *const *) field->choices);
  for (guint i = 0; field->choices[i]; i++)
    if (!g_strcmp0 (field->choices[i], field->value))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), i);
  return choice;
}

static GtkWidget *
make_field (const MacroField *field)
{
  GtkWidget *widget;
  switch (field->kind) {
  case MACRO_CHECKBOX:
    widget = gtk_check_button_new_with_label (field->label);
    gtk_check_button_set_active (GTK_CHECK_BUTTON (widget), !g_strcmp0 (field->value, "yes"));
    return widget;
  case MACRO_CHOICE: return make_choice (field);
  default:
    widget = gtk_entry_new ();
    gtk_editable_set_text (GTK_EDITABLE (widget), field->value ? field->value : "");
    gtk_entry_set_activates_default (GTK_ENTRY (widget), TRUE);
    if (field->kind == MACRO_NUMBER)
      gtk_entry_set_input_purpose (GTK_ENTRY (widget), GTK_INPUT_PURPOSE_NUMBER);
    return widget;
  }
}

static gboolean
is_number (const char *text)
{
  char *end;
  double number = g_ascii_strtod (text, &end);
  return end != text && !*g_strchug (end) && isfinite (number);
}

/* Free with g_free(); NULL when it is not what the field holds. */
static char *
value_of (const MacroField *field, GtkWidget *widget)
{
  if (field->kind == MACRO_CHECKBOX)
    return g_strdup (gtk_check_button_get_active (GTK_CHECK_BUTTON (widget)) ? "yes" : "no");
  if (field->kind == MACRO_CHOICE)
    return g_strdup (field->choices[gtk_drop_down_get_selected (GTK_DROP_DOWN (widget))]);
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (widget)));
  gboolean wrong = field->kind == MACRO_NUMBER && !is_number (text);
  return wrong ? NULL : g_steal_pointer (&text);
}

static void
on_accept (GtkWindow *window)
{
  Dialog *d = g_object_get_data (G_OBJECT (window), "dialog");
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < d->fields->len; i++) {
    GtkWidget *widget = d->widgets->pdata[i];
    char *value = value_of (d->fields->pdata[i], widget);
    if (!value) {
      gtk_widget_add_css_class (widget, "error");
      gtk_widget_set_tooltip_text (widget, _ ("This is not a number"));
      gtk_widget_grab_focus (widget);
      return;
    }
    gtk_widget_remove_css_class (widget, "error");
    g_ptr_array_add (values, value);
  }
  for (guint i = 0; i < d->fields->len; i++) {
    MacroField *field = d->fields->pdata[i];
    g_free (field->value);
    field->value = g_steal_pointer (&values->pdata[i]);
  }
  d->accepted = TRUE;
  gtk_window_destroy (window);
}

/* However it has ended. */
static void
on_gone (GtkWindow *window)
{
  Dialog *d = g_object_steal_data (G_OBJECT (window), "dialog");
  d->answered (d->data, d->accepted);
  g_ptr_array_unref (d->widgets);
  g_free (d);
}

static gboolean
on_escape (GtkWidget *window, GVariant *arguments, gpointer data)
{
  (void) arguments, (void) data;
  gtk_window_destroy (GTK_WINDOW (window));
  return TRUE;
}

static GtkWidget *
make_rows (Dialog *d)
{
  GtkWidget *grid = gtk_grid_new (), *scroller = gtk_scrolled_window_new ();
  g_object_set (grid, "row-spacing", 6, "column-spacing", 12, "margin-start", 12, "margin-end", 12, "margin-top", 12,
                "margin-bottom", 12, NULL);
  for (guint i = 0; i < d->fields->len; i++) {
    const MacroField *field = d->fields->pdata[i];
    GtkWidget *widget = make_field (field);
    g_ptr_array_add (d->widgets, widget);
    gtk_widget_set_hexpand (widget, TRUE);
    gtk_grid_attach (GTK_GRID (grid), widget, 1, (int) i, 1, 1);
    if (field->kind == MACRO_CHECKBOX)
      continue;
    GtkWidget *label = gtk_label_new (field->label);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_mnemonic_widget (GTK_LABEL (label), widget);
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, field->label, -1);
    gtk_grid_attach (GTK_GRID (grid), label, 0, (int) i, 1, 1);
  }
  g_object_set (scroller, "child", grid, "propagate-natural-height", TRUE, "propagate-natural-width", TRUE,
                "max-content-height", 480, "hscrollbar-policy", GTK_POLICY_NEVER, "vexpand", TRUE, NULL);
  return scroller;
}

static GtkWidget *
make_buttons (GtkWindow *window)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel")), *accept = gtk_button_new_with_mnemonic (_ ("_OK"));
  gtk_widget_add_css_class (accept, "suggested-action");
  g_object_set (box, "halign", GTK_ALIGN_END, "margin-start", 12, "margin-end", 12, "margin-bottom", 12, NULL);
  gtk_box_append (GTK_BOX (box), cancel);
  gtk_box_append (GTK_BOX (box), accept);
  g_signal_connect_object (cancel, "clicked", G_CALLBACK (gtk_window_destroy), window, G_CONNECT_SWAPPED);
  g_signal_connect_object (accept, "clicked", G_CALLBACK (on_accept), window, G_CONNECT_SWAPPED);
  gtk_window_set_default_widget (window, accept);
  return box;
}

GtkWindow *
macro_dialog_show (GtkWindow *parent, const char *title, GPtrArray *fields, MacroAnswered answered, gpointer data)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *keys = gtk_shortcut_controller_new ();
  Dialog *d = g_new (Dialog, 1);
  *d = (Dialog){fields, g_ptr_array_new (), answered, data, FALSE};
  gtk_box_append (GTK_BOX (box), make_rows (d));
  gtk_box_append (GTK_BOX (box), make_buttons (window));
  gtk_window_set_child (window, box);
  gtk_window_set_title (window, *title ? title : _ ("Macro"));
  gtk_window_set_transient_for (window, parent);
  gtk_window_set_destroy_with_parent (window, TRUE);
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Escape"), gtk_callback_action_new (on_escape, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (window), keys);
  g_object_set_data (G_OBJECT (window), "dialog", d);
  g_signal_connect (window, "destroy", G_CALLBACK (on_gone), NULL);
  gtk_window_present (window);
  return window;
}
