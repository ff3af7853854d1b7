/* SPDX-License-Identifier: MIT
 */
#include "ui/form/param_form.h"

#include "core/ops/args.h"
#include "ui/form/param_kinds.h"
#include "ui/widgets/naming.h"

#include <glib/gi18n.h>
#include <string.h>

struct _ParamForm {
  GtkBox parent;
  ParamSource source;
  GPtrArray *labels;    /* GtkLabel, of one width: */
  int letters, most;    /* those of the longest one, but at most */
  GPtrArray *rows;      /* ParamRow */
  GtkBox *lines, *rare; /* rare: below "More" */
  GtkWidget *more;
  gboolean unfolded;
};

G_DEFINE_FINAL_TYPE (ParamForm, param_form, GTK_TYPE_BOX)

/* ---- Lines ---- */

/* Makes all labels as wide as this one, if that is wider. */
static void
fit_label (ParamForm *form, GtkLabel *label)
{
  form->letters = CLAMP ((int) g_utf8_strlen (gtk_label_get_text (label), -1), form->letters, form->most);
  for (guint i = 0; i < form->labels->len; i++) {
    gtk_label_set_width_chars (form->labels->pdata[i], form->letters);
    gtk_label_set_max_width_chars (form->labels->pdata[i], form->letters);
  }
}

static void
add_label (ParamForm *form, GtkLabel *label)
{
  gtk_label_set_xalign (label, 0);
  gtk_label_set_wrap (label, TRUE);
  g_ptr_array_add (form->labels, label);
  fit_label (form, label);
}

void
param_form_add_line (ParamForm *form, const char *label, GtkWidget *control)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *name = gtk_label_new (label);
  add_label (form, GTK_LABEL (name));
  gtk_label_set_mnemonic_widget (GTK_LABEL (name), control);
  gtk_widget_set_hexpand (control, TRUE);
  gtk_box_append (GTK_BOX (line), name);
  gtk_box_append (GTK_BOX (line), control);
  gtk_box_append (form->lines, line);
}

static void
add_row (ParamForm *form, GtkBox *lines, const fv_param *param)
{
  GtkWidget *row = param_row_new (&form->source, param, param_kind (&form->source, param));
  add_label (form, GTK_LABEL (FOVEA_PARAM_ROW (row)->label));
  g_ptr_array_add (form->rows, row);
  gtk_box_append (lines, row);
}

static gboolean
is_changed (const ParamForm *form, const fv_param *param)
{
  g_autofree char *value = form->source.get (form->source.self, param), *usual = args_default (param);
  return strcmp (value, usual) != 0;
}

/* Shows "More" if something in it matters. TRUE: something that matters there is not at its default. */
static gboolean
show_more (ParamForm *form)
{
  gboolean any = FALSE, changed = FALSE;
  for (guint i = 0; i < form->rows->len; i++) {
    const ParamRow *row = form->rows->pdata[i];
    const gboolean rare = row->param->advanced && gtk_widget_get_visible (GTK_WIDGET (row));
    any |= rare;
    changed |= rare && is_changed (form, row->param);
  }
  gtk_widget_set_visible (form->more, any);
  return changed;
}

void
param_form_add (ParamForm *form, const fv_param *params, guint n)
{
  const gboolean unfolded = form->unfolded;
  for (guint i = 0; i < n; i++)
    add_row (form, params[i].advanced ? form->rare : form->lines, &params[i]);
  param_form_unfold (form, show_more (form) || unfolded);
  form->unfolded = unfolded;
}

static void
on_more (ParamForm *form, GParamSpec *property, GtkExpander *more)
{
  (void) property;
  form->unfolded = gtk_expander_get_expanded (more);
}

gboolean
param_form_unfolded (const ParamForm *form)
{
  return form->unfolded;
}

void
param_form_unfold (ParamForm *form, gboolean unfolded)
{
  gtk_expander_set_expanded (GTK_EXPANDER (form->more), unfolded);
}

/* ---- Rows ---- */

static ParamRow *
find_row (const ParamForm *form, const fv_param *param)
{
  for (guint i = 0; i < form->rows->len; i++)
    if (((const ParamRow *) form->rows->pdata[i])->param == param)
      return form->rows->pdata[i];
  return NULL;
}

void
param_form_rename (ParamForm *form, const fv_param *param, const char *label)
{
  ParamRow *row = find_row (form, param);
  gtk_label_set_text (GTK_LABEL (row->label), label);
  naming_set (row->control, label);
  fit_label (form, GTK_LABEL (row->label));
}

void
param_form_refresh (ParamForm *form)
{
  for (guint i = 0; i < form->rows->len; i++)
    param_row_refresh (form->rows->pdata[i]);
  show_more (form);
}

void
param_form_mark (ParamForm *form)
{
  for (guint i = 0; i < form->rows->len; i++)
    param_row_mark (form->rows->pdata[i]);
}

gboolean
param_form_check (ParamForm *form)
{
  for (guint i = 0; i < form->rows->len; i++) {
    const ParamRow *row = form->rows->pdata[i];
    if (row->bad && gtk_widget_get_visible (GTK_WIDGET (row))) {
      gtk_widget_grab_focus (row->control);
      return FALSE;
    }
  }
  return TRUE;
}

GtkWidget *
param_form_control (const ParamForm *form, const fv_param *param)
{
  const ParamRow *row = find_row (form, param);
  return row ? row->control : NULL;
}

/* ---- The widget ---- */

static void
param_form_finalize (GObject *object)
{
  ParamForm *form = FOVEA_PARAM_FORM (object);
  g_ptr_array_unref (form->labels);
  g_ptr_array_unref (form->rows);
  G_OBJECT_CLASS (param_form_parent_class)->finalize (object);
}

static void
param_form_class_init (ParamFormClass *class)
{
  G_OBJECT_CLASS (class)->finalize = param_form_finalize;
}

static void
param_form_init (ParamForm *form)
{
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *rare = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  form->labels = g_ptr_array_new ();
  form->rows = g_ptr_array_new ();
  form->lines = GTK_BOX (lines);
  form->rare = GTK_BOX (rare);
  form->more = gtk_expander_new_with_mnemonic (_ ("Mor_e"));
  gtk_widget_set_margin_top (rare, 6);
  gtk_widget_set_visible (form->more, FALSE);
  gtk_widget_set_tooltip_text (form->more, _ ("Advanced parameters"));
  gtk_expander_set_child (GTK_EXPANDER (form->more), rare);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (form), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (form), 6);
  gtk_box_append (GTK_BOX (form), lines);
  gtk_box_append (GTK_BOX (form), form->more);
  g_signal_connect_object (form->more, "notify::expanded", G_CALLBACK (on_more), form, G_CONNECT_SWAPPED);
}

GtkWidget *
param_form_new (const ParamSource *source, int least, int most)
{
  ParamForm *form = g_object_new (PARAM_FORM_TYPE, NULL);
  form->source = *source;
  form->letters = least;
  form->most = most;
  return GTK_WIDGET (form);
}
