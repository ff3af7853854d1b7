/* SPDX-License-Identifier: MIT
 *
 * What is typed goes to the source as text, so that a form can do nothing that the command line cannot.
 */
#include "ui/form/param_row.h"

#include "core/base/text.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (ParamRow, param_row, GTK_TYPE_BOX)

const char *
param_row_words (const ParamRow *row, const char *text)
{
  return row->source->verbatim ? text : words_shown (text);
}

/* What a computed value came to. */
static void
show_computed (ParamRow *row)
{
  const ParamSource *source = row->source;
  g_autofree char *number = source->computed ? source->computed (source->self, row->param) : NULL,
                  *text = number ? g_strdup_printf ("= %s", number) : g_strdup ("");
  gtk_label_set_text (row->computed, text);
  gtk_widget_set_visible (GTK_WIDGET (row->computed), number && !row->bad);
}

void
param_row_mark (ParamRow *row)
{
  show_computed (row);
  const char *fault = row->source->fault ? row->source->fault (row->source->self, row->param) : NULL;
  const gboolean wrong = row->bad || fault;
  if (wrong)
    gtk_widget_add_css_class (row->control, "error");
  else
    gtk_widget_remove_css_class (row->control, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (row->control), GTK_ACCESSIBLE_STATE_INVALID,
                               wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  if (row->kind->mark)
    row->kind->mark (row, fault);
}

/* NULL: nothing is wrong. */
static void
set_fault (ParamRow *row, const char *text)
{
  row->bad = text != NULL;
  gtk_label_set_text (row->fault, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (row->fault), text != NULL);
  param_row_mark (row);
}

void
param_row_set (ParamRow *row, const char *value)
{
  g_autoptr (GError) error = NULL;
  double number;
  if (row->filling)
    return;
  if (row->param->ordinal && text_to_number (value, &number) && number < row->param->min) {
    set_fault (row, _ ("The first one is 1."));
    return;
  }
  row->source->set (row->source->self, row->param, value, &error);
  set_fault (row, error ? error->message : NULL);
}

void
param_row_set_number (ParamRow *row, double number)
{
  g_autoptr (GError) error = NULL;
  if (!row->source->set_number) {
    g_autofree char *text = text_from_number (number);
    param_row_set (row, text);
    return;
  }
  row->source->set_number (row->source->self, row->param, number, &error);
  set_fault (row, error ? error->message : NULL);
}

void
param_row_refresh (ParamRow *row)
{
  const ParamSource *source = row->source;
  g_autofree char *value = source->get (source->self, row->param);
  row->filling = TRUE;
  row->kind->fill (row, value);
  row->filling = FALSE;
  show_computed (row);
  gtk_widget_set_visible (GTK_WIDGET (row), !source->enabled || source->enabled (source->self, row->param));
}

/* ---- The widget ---- */

static void
param_row_class_init (ParamRowClass *class)
{
  (void) class;
}

static void
param_row_init (ParamRow *row)
{
  row->line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  row->label = gtk_label_new (NULL);
  row->computed = GTK_LABEL (gtk_label_new (NULL));
  row->fault = GTK_LABEL (gtk_label_new (NULL));
  gtk_orientable_set_orientation (GTK_ORIENTABLE (row), GTK_ORIENTATION_VERTICAL);
  gtk_label_set_xalign (row->computed, 1);
  gtk_widget_add_css_class (GTK_WIDGET (row->computed), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (row->computed), "caption");
  gtk_widget_set_visible (GTK_WIDGET (row->computed), FALSE);
  gtk_label_set_wrap (row->fault, TRUE);
  gtk_label_set_xalign (row->fault, 0);
  gtk_widget_add_css_class (GTK_WIDGET (row->fault), "error");
  gtk_widget_add_css_class (GTK_WIDGET (row->fault), "caption");
  gtk_widget_set_visible (GTK_WIDGET (row->fault), FALSE);
  gtk_box_append (GTK_BOX (row->line), row->label);
  gtk_box_append (GTK_BOX (row), row->line);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (row->computed));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (row->fault));
}

/* A check button has its label itself. */
static void
add_control (ParamRow *row)
{
  const char *label = param_row_words (row, row->param->label), *help = param_row_words (row, row->param->help);
  if (row->param->type != FV_BOOL)
    gtk_label_set_text (GTK_LABEL (row->label), label);
  row->control = row->kind->make (row);
  if (!GTK_IS_BOX (row->control)) /* which names what it is made of */
    naming_set (row->control, label);
  gtk_widget_set_tooltip_text (row->label, help);
  gtk_widget_set_tooltip_text (row->control, help);
  gtk_box_append (GTK_BOX (row->line), row->control);
  if (row->kind->behind)
    gtk_box_append (GTK_BOX (row->line), row->kind->behind (row));
}

GtkWidget *
param_row_new (const ParamSource *source, const fv_param *param, const ParamKind *kind)
{
  ParamRow *row = g_object_new (PARAM_ROW_TYPE, NULL);
  row->source = source;
  row->param = param;
  row->kind = kind;
  add_control (row);
  if (param->unit) {
    GtkWidget *unit = gtk_label_new (param_row_words (row, param->unit));
    gtk_widget_add_css_class (unit, "dim-label");
    gtk_box_append (GTK_BOX (row->line), unit);
  }
  param_row_refresh (row);
  param_row_mark (row);
  return GTK_WIDGET (row);
}
