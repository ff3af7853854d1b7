/* SPDX-License-Identifier: MIT
 *
 * While it is open the channel has a table without a file; it is shown as before when the window is closed and nothing was saved.
 */
#include "ui/look/lut_editor.h"

#include "core/figure/lut_colors.h"
#include "ui/look/lut_band.h"
#include "ui/widgets/button.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/widget_line.h"

#include <glib/gi18n.h>
#include <string.h>

#define EDITED "edited"

#define LUT_EDITOR_TYPE (lut_editor_get_type ())
G_DECLARE_FINAL_TYPE (LutEditor, lut_editor, FOVEA, LUT_EDITOR, GtkBox)

struct _LutEditor {
  GtkBox parent;
  View *view; /* NULL when it is closed */
  Modules *modules;
  gint64 channel;
  ViewChannel before;
  LutBand *band;
  GtkSpinButton *at, *steps;
  GtkColorChooser *color;
  GtkDropDown *set;
  GtkStringList *names;
  GtkWidget *remove, *save;
  GtkEditable *name;
  GtkLabel *says;
  Lut lut;
  gboolean filling, saved;
};

G_DEFINE_FINAL_TYPE (LutEditor, lut_editor, GTK_TYPE_BOX)

/* ---- Showing ---- */

static void
set_lut (LutEditor *self, const char *name)
{
  ViewChannel look = *view_look (self->view, self->channel);
  g_strlcpy (look.lut, name, sizeof look.lut);
  view_set_look (self->view, self->channel, &look);
}

/* The stop that is chosen. */
static void
fill (LutEditor *self)
{
  const GArray *stops = lut_band_stops (self->band);
  const guint i = lut_band_chosen (self->band);
  const LutStop *stop = &g_array_index (stops, LutStop, i);
  const GdkRGBA color = {(float) stop->rgb[0] / 255, (float) stop->rgb[1] / 255, (float) stop->rgb[2] / 255, 1};
  g_autofree char *text = g_strdup_printf (_ ("Stop %u of %u"), i + 1, stops->len);
  self->filling = TRUE;
  gtk_label_set_text (self->says, text);
  gtk_spin_button_set_value (self->at, stop->at);
  gtk_color_chooser_set_rgba (self->color, &color);
  gtk_widget_set_sensitive (self->remove, stops->len > 1);
  self->filling = FALSE;
}

static void
on_stops (LutEditor *self)
{
  const GArray *stops = lut_band_stops (self->band);
  if (self->filling)
    return;
  lut_of_stops ((const LutStop *) (gconstpointer) stops->data, stops->len,
                gtk_spin_button_get_value_as_int (self->steps), &self->lut);
  lut_band_set_colors (self->band, &self->lut);
  fill (self);
  luts_add (EDITED, &self->lut);
  if (strcmp (view_look (self->view, self->channel)->lut, EDITED))
    set_lut (self, EDITED);
  else
    view_redraw (self->view);
}

/* ---- What a person does ---- */

static void
on_at (LutEditor *self)
{
  if (!self->filling)
    lut_band_move (self->band, gtk_spin_button_get_value_as_int (self->at));
}

static void
on_color (LutEditor *self)
{
  LutStop *stop = &g_array_index (lut_band_stops (self->band), LutStop, lut_band_chosen (self->band));
  GdkRGBA color;
  if (self->filling)
    return;
  gtk_color_chooser_get_rgba (self->color, &color);
  const float rgb[] = {color.red, color.green, color.blue};
  for (int c = 0; c < 3; c++)
    stop->rgb[c] = (guint8) (CLAMP (rgb[c], 0, 1) * 255 + 0.5F);
  on_stops (self);
}

static void
on_reverse (LutEditor *self)
{
  lut_stops_reverse (lut_band_stops (self->band));
  on_stops (self);
}

static void
on_invert (LutEditor *self)
{
  lut_stops_invert (lut_band_stops (self->band));
  on_stops (self);
}

static void
on_set (LutEditor *self)
{
  const guint i = gtk_drop_down_get_selected (self->set);
  g_autoptr (GError) error = NULL;
  Lut lut;
  if (i == 0 || i == GTK_INVALID_LIST_POSITION)
    return;
  if (lut_colors (self->modules, gtk_string_list_get_string (self->names, i), &lut, &error))
    lut_band_take_stops (self->band, lut_stops_of (&lut));
  else
    gtk_label_set_text (self->says, error->message);
  gtk_drop_down_set_selected (self->set, 0); /* later edits make it another table */
}

static void
on_name (LutEditor *self)
{
  const char *text = gtk_editable_get_text (self->name);
  g_autofree char *name = luts_name (text);
  const gboolean good = *text && !strcmp (text, name) && strcmp (name, EDITED);
  if (good)
    gtk_widget_remove_css_class (GTK_WIDGET (self->name), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->name), "error");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->name),
                               good
                                 ? _ ("Name of the look-up table")
                                 : _ ("Use letters a to z, digits, - _ and . but no name of a built-in look-up table"));
  gtk_widget_set_sensitive (self->save, good);
}

static void
on_save (LutEditor *self)
{
  const char *name = gtk_editable_get_text (self->name);
  g_autoptr (GError) error = NULL;
  if (!luts_keep (name, &self->lut, &error)) {
    gtk_label_set_text (self->says, error->message);
    return;
  }
  self->saved = TRUE;
  set_lut (self, name);
  gtk_window_close (side_window_of (self));
}

/* ---- The widget ---- */

static void
lut_editor_dispose (GObject *object)
{
  LutEditor *self = FOVEA_LUT_EDITOR (object);
  if (self->view && !self->saved)
    set_lut (self, self->before.lut);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (lut_editor_parent_class)->dispose (object);
}

static void
lut_editor_class_init (LutEditorClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lut_editor_dispose;
}

enum { NUMBER_CHARS = 4 };

static void
make_stop (LutEditor *self)
{
  GtkWidget *color = gtk_color_button_new ();
  self->says = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->says, 0);
  gtk_label_set_wrap (self->says, TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->says), TRUE);
  self->at = number_entry_new (0, 255, 1, NUMBER_CHARS, _ ("Position of the stop"),
                               _ ("Position of the stop, from 0 to 255"), G_CALLBACK (on_at), self);
  self->color = GTK_COLOR_CHOOSER (color);
  gtk_widget_set_tooltip_text (color, _ ("The color of the stop"));
  naming_set (color, _ ("Color of the stop"));
  g_signal_connect_object (color, "color-set", G_CALLBACK (on_color), self, G_CONNECT_SWAPPED);
  self->remove = button_with_text (_ ("_Remove"), _ ("The selected stop"), G_CALLBACK (lut_band_remove), self->band);
  gtk_box_append (GTK_BOX (self),
                  widget_line_new (GTK_WIDGET (self->says), GTK_WIDGET (self->at), color,
                                   button_with_text (_ ("_Add"), _ ("Adds a stop halfway to the next one"),
                                                     G_CALLBACK (lut_band_add_beside), self->band),
                                   self->remove, NULL));
}

static void
make_whole (LutEditor *self)
{
  g_auto (GStrv) others = luts_others ();
  self->names = gtk_string_list_new ((const char *const[]){_ ("Set to…"), NULL});
  gtk_string_list_splice (self->names, 1, 0, luts_shipped);
  gtk_string_list_splice (self->names, g_list_model_get_n_items (G_LIST_MODEL (self->names)), 0,
                          (const char *const *) others);
  self->set = GTK_DROP_DOWN (gtk_drop_down_new (G_LIST_MODEL (self->names), NULL));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->set), _ ("Start from another look-up table"));
  naming_set (GTK_WIDGET (self->set), _ ("Set to"));
  g_signal_connect_object (self->set, "notify::selected", G_CALLBACK (on_set), self, G_CONNECT_SWAPPED);
  self->steps = number_entry_new (2, 256, 1, NUMBER_CHARS, _ ("Number of colors"),
                                  _ ("Number of colors, each for an equal part of the values; 256: all"),
                                  G_CALLBACK (on_stops), self);
  gtk_box_append (
    GTK_BOX (self),
    widget_line_new (GTK_WIDGET (self->set),
                     button_with_text (_ ("Re_verse"), _ ("Inverts brightness"), G_CALLBACK (on_reverse), self),
                     button_with_text (_ ("_Invert"), _ ("Inverts each color"), G_CALLBACK (on_invert), self),
                     gtk_label_new (_ ("Colors")), GTK_WIDGET (self->steps), NULL));
}

static void
make_name (LutEditor *self)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("_Name")), *entry = gtk_entry_new ();
  self->name = GTK_EDITABLE (entry);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_editable_set_max_width_chars (self->name, 47);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Name"), -1);
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_name), self, G_CONNECT_SWAPPED);
  self->save = button_with_text (_ ("_Save"), _ ("Adds it to the look-up tables"), G_CALLBACK (on_save), self);
  gtk_widget_add_css_class (self->save, "suggested-action");
  gtk_box_append (GTK_BOX (self), widget_line_new (label, entry, NULL));
}

static void
lut_editor_init (LutEditor *self)
{
  GtkWidget *box = GTK_WIDGET (self);
  self->band = FOVEA_LUT_BAND (lut_band_new ());
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->band));
  make_stop (self);
  self->filling = TRUE;
  make_whole (self);
  make_name (self);
  gtk_widget_set_margin_start (box, 14);
  gtk_widget_set_margin_end (box, 14);
  gtk_widget_set_margin_top (box, 12);
}

/* A name for what is made of that table. */
static char *
own_name (const char *lut)
{
  return g_strv_contains (luts_shipped, lut) ? g_strconcat ("my_", lut, NULL) : g_strdup (lut);
}

void
lut_editor_show (GtkWindow *window, View *view, Modules *modules)
{
  GtkBox *box = side_window_show (window, "edit-lut", _ ("Edit LUT"), 480, 0);
  LutEditor *self = g_object_new (LUT_EDITOR_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 8, NULL);
  GtkWidget *buttons = side_window_buttons ();
  GtkWindow *dialog = side_window_of (box);
  g_autoptr (GError) error = NULL;
  g_autofree char *lut = g_strdup (view_lut (view, view_channel (view))), *name = own_name (lut);
  self->view = g_object_ref (view);
  self->modules = modules;
  self->channel = view_channel (view);
  self->before = *view_look (view, self->channel);
  gtk_box_append (GTK_BOX (buttons), button_with_text (_ ("_Cancel"), NULL, G_CALLBACK (gtk_window_close), dialog));
  gtk_box_append (GTK_BOX (buttons), self->save);
  gtk_box_append (box, GTK_WIDGET (self));
  gtk_box_append (box, buttons);
  gtk_window_set_default_widget (dialog, self->save);
  gtk_window_set_resizable (dialog, FALSE);
  g_signal_connect_object (self->band, "changed", G_CALLBACK (on_stops), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->band, "chosen", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  gtk_spin_button_set_value (self->steps, 256);
  gtk_editable_set_text (self->name, name);
  self->filling = FALSE;
  if (lut_colors (modules, lut, &self->lut, &error))
    lut_band_take_stops (self->band, lut_stops_of (&self->lut));
  else
    gtk_label_set_text (self->says, error->message);
  gtk_widget_grab_focus (GTK_WIDGET (self->band));
}
