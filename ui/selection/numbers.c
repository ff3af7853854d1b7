/* SPDX-License-Identifier: MIT
 *
 * Of the box around it. Fractions are shown only where there are some.
 */
#include "ui/selection/numbers.h"

#include "ui/selection/handles.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <math.h>

enum { X, Y, WIDTH, HEIGHT, NUMBERS };

struct _SelectionNumbers {
  GtkGrid parent;
  Selections *selections;
  GtkLabel *shape;
  GtkSpinButton *spins[NUMBERS];
  gboolean filling; /* changes are ours, not the user's */
};

G_DEFINE_FINAL_TYPE (SelectionNumbers, selection_numbers, GTK_TYPE_GRID)

static void
fill_numbers (SelectionNumbers *self)
{
  const Selection *s;
  SelectionPoint low = {0, 0}, high = {0, 0};
  if (!self->selections)
    return;
  s = selections_current (self->selections);
  if (s)
    selection_bounds (s, &low, &high);
  const double numbers[NUMBERS] = {low.x, low.y, high.x - low.x, high.y - low.y};
  self->filling = TRUE;
  for (int i = 0; i < NUMBERS; i++) {
    gtk_spin_button_set_digits (self->spins[i], numbers[i] == floor (numbers[i]) ? 0 : 2);
    gtk_spin_button_set_value (self->spins[i], numbers[i]);
    gtk_widget_set_sensitive (GTK_WIDGET (self->spins[i]),
                              s && !selections_drawing (self->selections) && (i <= Y || s->shape != SELECTION_POINT));
  }
  self->filling = FALSE;
  gtk_label_set_text (self->shape, s ? words_shown (selection_shape_name (s->shape)) : _ ("none"));
}

static void
on_value (SelectionNumbers *self)
{
  const Selection *current = selections_current (self->selections);
  double numbers[NUMBERS];
  SelectionPoint low, high;
  if (self->filling || !current)
    return;
  Selection *s = selection_copy (current);
  for (int i = 0; i < NUMBERS; i++)
    numbers[i] = gtk_spin_button_get_value (self->spins[i]);
  selection_bounds (s, &low, &high);
  if (numbers[X] != low.x || numbers[Y] != low.y)
    selection_move (s, numbers[X] - low.x, numbers[Y] - low.y);
  if (numbers[WIDTH] != high.x - low.x || numbers[HEIGHT] != high.y - low.y)
    selection_stretch (s, (SelectionPoint){numbers[X], numbers[Y]},
                       (SelectionPoint){numbers[X] + MAX (numbers[WIDTH], selection_is_area (s)),
                                        numbers[Y] + MAX (numbers[HEIGHT], selection_is_area (s))});
  selections_reshape (self->selections, s);
}

static void
add_spin (SelectionNumbers *self, int i, const char *text, const char *help)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);
  GtkWidget *spin = gtk_spin_button_new_with_range (i <= Y ? -1e6 : 0, 1e6, 1);
  self->spins[i] = GTK_SPIN_BUTTON (spin);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), spin);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_spin_button_set_numeric (self->spins[i], TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 4);
  gtk_widget_set_hexpand (spin, TRUE);
  gtk_widget_set_tooltip_text (spin, help);
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (on_value), self, G_CONNECT_SWAPPED);
  gtk_grid_attach (GTK_GRID (self), label, 0, i + 1, 1, 1);
  gtk_grid_attach (GTK_GRID (self), spin, 1, i + 1, 1, 1);
}

static void
selection_numbers_dispose (GObject *object)
{
  g_clear_object (&FOVEA_SELECTION_NUMBERS (object)->selections);
  G_OBJECT_CLASS (selection_numbers_parent_class)->dispose (object);
}

static void
selection_numbers_class_init (SelectionNumbersClass *class)
{
  G_OBJECT_CLASS (class)->dispose = selection_numbers_dispose;
}

static void
selection_numbers_init (SelectionNumbers *self)
{
  GtkWidget *label = gtk_label_new (_ ("Current"));
  self->shape = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_xalign (self->shape, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->shape), "dim-label");
  gtk_grid_set_row_spacing (GTK_GRID (self), 4);
  gtk_grid_set_column_spacing (GTK_GRID (self), 8);
  gtk_grid_attach (GTK_GRID (self), label, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (self), GTK_WIDGET (self->shape), 1, 0, 1, 1);
  add_spin (self, X, _ ("_X"), _ ("Left edge, in pixels"));
  add_spin (self, Y, _ ("_Y"), _ ("Top edge, in pixels"));
  add_spin (self, WIDTH, _ ("W_idth"), _ ("Width, in pixels"));
  add_spin (self, HEIGHT, _ ("Hei_ght"), _ ("Height, in pixels"));
}

GtkWidget *
selection_numbers_new (Selections *selections)
{
  SelectionNumbers *self = g_object_new (SELECTION_NUMBERS_TYPE, NULL);
  self->selections = g_object_ref (selections);
  g_signal_connect_object (selections, "current", G_CALLBACK (fill_numbers), self, G_CONNECT_SWAPPED);
  fill_numbers (self);
  return GTK_WIDGET (self);
}
