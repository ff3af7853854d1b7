/* SPDX-License-Identifier: MIT
 *
 * Distance and length give width and height; a typed width gives the length. Errors are shown below and disable the
 * button.
 */
#include "ui/look/set_scale.h"

#include "ui/widgets/button.h"
#include "ui/widgets/side_window.h"
#include "core/base/text.h"

#include <glib/gi18n.h>

#define SCALE_FORM_TYPE (scale_form_get_type ())
G_DECLARE_FINAL_TYPE (ScaleForm, scale_form, FOVEA, SCALE_FORM, GtkBox)

struct _ScaleForm {
  GtkBox parent;
  View *view;
  GtkEditable *distance, *length, *width, *height, *depth, *unit;
  GtkLabel *says;
  GtkWidget *apply;
  GtkGrid *grid;
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (ScaleForm, scale_form, GTK_TYPE_BOX)

/* ---- Numbers ---- */

/* FALSE, and the field shows it, when it is not a number above 0. */
static gboolean
read_size (GtkEditable *field, double *size)
{
  gboolean good = text_to_number (gtk_editable_get_text (field), size) && *size > 0;
  if (good)
    gtk_widget_remove_css_class (GTK_WIDGET (field), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (field), "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (field), GTK_ACCESSIBLE_STATE_INVALID,
                               good ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE, -1);
  return good;
}

static void
write_size (ScaleForm *self, GtkEditable *field, double size)
{
  g_autofree char *text = g_strdup_printf ("%.10g", size);
  self->filling = TRUE;
  gtk_editable_set_text (field, text);
  self->filling = FALSE;
}

/* What the fields say: z, y, x. */
static gboolean
read_all (const ScaleForm *self, double spacing[3])
{
  gboolean x = read_size (self->width, &spacing[2]), y = read_size (self->height, &spacing[1]);
  return read_size (self->depth, &spacing[0]) && x && y;
}

static char *
read_unit (const ScaleForm *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (self->unit)));
}

static void
check (ScaleForm *self)
{
  double spacing[3];
  g_autofree char *unit = read_unit (self), *text = NULL;
  gboolean good = read_all (self, spacing);
  if (!good)
    text = g_strdup (_ ("Enter sizes above 0, with a decimal point."));
  else if (!*unit && (spacing[0] != 1 || spacing[1] != 1 || spacing[2] != 1)) {
    text = g_strdup (_ ("Enter a unit such as µm."));
    good = FALSE;
  } else if (!*unit)
    text = g_strdup (_ ("Not calibrated: lengths are in pixels."));
  else
    text = g_strdup_printf (_ ("%.6g pixels per %s"), 1 / spacing[2], unit);
  gtk_label_set_text (self->says, text);
  gtk_widget_set_sensitive (self->apply, good);
}

/* ---- Typing ---- */

static void
on_distance (ScaleForm *self)
{
  double distance, length;
  if (self->filling)
    return;
  if (read_size (self->distance, &distance) && read_size (self->length, &length)) {
    write_size (self, self->width, length / distance);
    write_size (self, self->height, length / distance);
    if (image_info (view_image (self->view))->depth == 1)
      write_size (self, self->depth, length / distance);
  }
  check (self);
}

static void
on_width (ScaleForm *self)
{
  double distance, width;
  if (self->filling)
    return;
  if (read_size (self->width, &width) && read_size (self->distance, &distance))
    write_size (self, self->length, width * distance);
  check (self);
}

static void
on_other (ScaleForm *self)
{
  if (!self->filling)
    check (self);
}

static void
remove_scale (ScaleForm *self)
{
  GtkEditable *const fields[] = {self->width, self->height, self->depth};
  double distance;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    write_size (self, fields[i], 1);
  if (read_size (self->distance, &distance))
    write_size (self, self->length, distance);
  gtk_editable_set_text (self->unit, "");
  check (self);
}

static void
apply_scale (ScaleForm *self)
{
  double spacing[3];
  g_autofree char *unit = read_unit (self);
  g_autoptr (GError) error = NULL;
  if (!gtk_widget_get_sensitive (self->apply) || !read_all (self, spacing))
    return;
  if (document_set_calibration (view_document (self->view), spacing, unit, &error))
    gtk_window_close (side_window_of (self));
  else
    gtk_label_set_text (self->says, error->message);
}

/* ---- The widget ---- */

static GtkEditable *
add_field (ScaleForm *self, GtkGrid *grid, int y, const char *name, const char *help, void (*changed) (ScaleForm *))
{
  GtkWidget *entry = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 12);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_set_tooltip_text (entry, help);
  gtk_widget_add_css_class (entry, "numeric");
  side_window_line (grid, y, name, entry);
  g_signal_connect_object (entry, "changed", G_CALLBACK (changed), self, G_CONNECT_SWAPPED);
  return GTK_EDITABLE (entry);
}

static void
scale_form_dispose (GObject *object)
{
  g_clear_object (&FOVEA_SCALE_FORM (object)->view);
  G_OBJECT_CLASS (scale_form_parent_class)->dispose (object);
}

static void
scale_form_class_init (ScaleFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = scale_form_dispose;
}

static void
scale_form_init (ScaleForm *self)
{
  GtkWidget *grid = gtk_grid_new (), *line = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  GtkGrid *g = GTK_GRID (grid);
  self->grid = g;
  self->filling = TRUE;
  self->distance =
    add_field (self, g, 0, _ ("_Distance in pixels"), _ ("Length of something in the image"), on_distance);
  self->length = add_field (self, g, 1, _ ("_Known length"), _ ("Length in the unit below"), on_distance);
  self->unit = add_field (self, g, 2, _ ("_Unit"), _ ("µm (or um), nm, mm, …; empty for pixels"), on_other);
  gtk_grid_attach (g, line, 0, 3, 2, 1);
  self->width = add_field (self, g, 4, _ ("Pixel _width"), _ ("Size of a pixel along x"), on_width);
  self->height = add_field (self, g, 5, _ ("Pixel _height"), _ ("Size of a pixel along y"), on_other);
  self->depth = add_field (self, g, 6, _ ("_Voxel depth"), _ ("Slice spacing"), on_other);
  self->says = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->says, 0);
  gtk_label_set_yalign (self->says, 0);
  gtk_label_set_wrap (self->says, TRUE);
  /* Two lines: the window need not grow while one types. */
  gtk_widget_set_size_request (GTK_WIDGET (self->says), -1, 36);
  gtk_grid_attach (g, GTK_WIDGET (self->says), 0, 7, 2, 1);
  gtk_grid_set_column_spacing (g, 18);
  gtk_grid_set_row_spacing (g, 6);
  gtk_widget_set_margin_start (grid, 14);
  gtk_widget_set_margin_end (grid, 14);
  gtk_widget_set_margin_top (grid, 12);
  gtk_box_append (GTK_BOX (self), grid);
  self->filling = FALSE;
}

/* As the image that is shown has it. */
static void
fill_form (ScaleForm *self, double distance)
{
  const ImageInfo *info = image_info (view_image (self->view));
  distance = distance > 0 ? distance : 1;
  write_size (self, self->distance, distance);
  write_size (self, self->length, distance * info->spacing[2]);
  write_size (self, self->width, info->spacing[2]);
  write_size (self, self->height, info->spacing[1]);
  write_size (self, self->depth, info->spacing[0]);
  gtk_editable_set_text (self->unit, info->units[2]);
  for (int column = 0; column < 2; column++)
    gtk_widget_set_visible (gtk_grid_get_child_at (self->grid, column, 6), info->depth > 1);
  check (self);
}

void
set_scale_show (GtkWindow *window, View *view, double distance)
{
  GtkBox *box = side_window_show (window, "set-scale", _ ("Set Scale"), 360, 0);
  ScaleForm *self = g_object_new (SCALE_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  GtkWidget *buttons = side_window_buttons ();
  GtkWindow *dialog = side_window_of (box);
  self->view = g_object_ref (view);
  self->apply = button_with_text (_ ("_Set"), _ ("Calibrates the image, as a step that can be undone"),
                                  G_CALLBACK (apply_scale), self);
  gtk_widget_add_css_class (self->apply, "suggested-action");
  gtk_box_append (GTK_BOX (buttons),
                  button_with_text (_ ("_Remove Scale"), _ ("Pixels"), G_CALLBACK (remove_scale), self));
  gtk_box_append (GTK_BOX (buttons), button_with_text (_ ("_Cancel"), NULL, G_CALLBACK (gtk_window_close), dialog));
  gtk_box_append (GTK_BOX (buttons), self->apply);
  gtk_box_append (box, GTK_WIDGET (self));
  gtk_box_append (box, buttons);
  gtk_window_set_default_widget (dialog, self->apply);
  gtk_window_set_resizable (dialog, FALSE);
  fill_form (self, distance);
  gtk_widget_grab_focus (GTK_WIDGET (self->length));
}
