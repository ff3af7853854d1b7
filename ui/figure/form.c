/* SPDX-License-Identifier: MIT
 */
#include "ui/figure/form.h"

#include "core/ops/args.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

struct _FigureForm {
  GtkBox parent;
  FigureChoices *choices;
  GArray *rows; /* Row */
  GtkGrid *grids[2];
  gboolean filling;
};

typedef struct {
  FigureForm *form; /* its */
  const fv_param *param;
  GtkWidget *label, *line, *control;
} Row;

G_DEFINE_FINAL_TYPE (FigureForm, figure_form, GTK_TYPE_BOX)

static guint changed_signal;

gboolean
figure_form_has (const char *key)
{
  static const char *const looked_at[] = {"step",  "labels", "part",  "mode",       "channel",
                                          "slice", "frame",  "looks", "selections", NULL};
  return !g_strv_contains (looked_at, key);
}

/* What does not matter as it is now is not shown. */
static void
show_rows (FigureForm *form)
{
  for (guint i = 0; i < form->rows->len; i++) {
    const Row *row = &g_array_index (form->rows, Row, i);
    gboolean shown = args_enabled (figure_op (), form->choices, row->param);
    gtk_widget_set_visible (row->label, shown);
    gtk_widget_set_visible (row->line, shown);
  }
}

/* What cannot be is marked, and says why; the choice stays as it was. */
static void
set_value (const Row *row, const char *text)
{
  FigureForm *form = row->form;
  g_autofree char *word = g_strdup_printf ("%s=%s", row->param->key, text);
  g_autofree FigureChoices *with = g_memdup2 (form->choices, sizeof *with);
  g_autoptr (GError) error = NULL;
  if (form->filling)
    return;
  gboolean good = figure_choices_set (with, (const char *const[]){word, NULL}, &error);
  gtk_widget_set_tooltip_text (row->control, good ? words_shown (row->param->help) : error->message);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row->control), GTK_ACCESSIBLE_STATE_INVALID,
                               good ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE, -1);
  if (!good) {
    gtk_widget_add_css_class (row->control, "error");
    return;
  }
  gtk_widget_remove_css_class (row->control, "error");
  *form->choices = *with;
  show_rows (form);
  g_signal_emit (form, changed_signal, 0);
}

/* ---- Controls ---- */

/* The row of a control. */
static const Row *
row_of (gpointer control, const FigureForm *form)
{
  for (guint i = 0; i < form->rows->len; i++)
    if (g_array_index (form->rows, Row, i).control == control)
      return &g_array_index (form->rows, Row, i);
  g_assert_not_reached ();
}

static void
on_check (GtkCheckButton *check, const FigureForm *form)
{
  set_value (row_of (check, form), gtk_check_button_get_active (check) ? "yes" : "no");
}

static void
on_choice (GtkDropDown *choices, GParamSpec *property, const FigureForm *form)
{
  const Row *row = row_of (choices, form);
  (void) property;
  set_value (row, row->param->choices[gtk_drop_down_get_selected (choices)].key);
}

/* Of a length 0 is the usual one, which is not a number to people. */
static gboolean
is_optional (const fv_param *p)
{
  return (p->type == FV_FLOAT || p->type == FV_INT) && !p->choices && p->def == 0 && p->min == 0;
}

static void
on_entry (GtkEditable *entry, const FigureForm *form)
{
  const Row *row = row_of (entry, form);
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (entry)));
  set_value (row, !*text && is_optional (row->param) ? "0" : text);
}

static GtkWidget *
make_choices (const fv_param *p, const char *value)
{
  GtkStringList *labels = gtk_string_list_new (NULL);
  guint chosen = 0, n = 0;
  for (const fv_choice *c = p->choices; c->key; c++, n++) {
    gtk_string_list_append (labels, words_shown (c->label));
    if (!g_strcmp0 (c->key, value))
      chosen = n;
  }
  GtkWidget *choices = gtk_drop_down_new (G_LIST_MODEL (labels), NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (choices), chosen);
  return choices;
}

static GtkWidget *
make_entry (const fv_param *p, const char *value)
{
  GtkWidget *entry = gtk_entry_new ();
  if (is_optional (p))
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("automatic"));
  gtk_editable_set_text (GTK_EDITABLE (entry), is_optional (p) && !strcmp (value, "0") ? "" : value);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), p->type == FV_TEXT ? 14 : 10);
  gtk_widget_set_hexpand (entry, p->type == FV_TEXT);
  if (p->type != FV_TEXT)
    gtk_widget_add_css_class (entry, "numeric");
  return entry;
}

static void
make_control (FigureForm *form, Row *row)
{
  const fv_param *p = row->param;
  g_autofree char *value = args_get (form->choices, p);
  if (p->type == FV_BOOL) {
    row->control = gtk_check_button_new_with_label (words_shown (p->label));
    gtk_check_button_set_active (GTK_CHECK_BUTTON (row->control), !g_strcmp0 (value, "yes"));
    g_signal_connect_object (row->control, "toggled", G_CALLBACK (on_check), form, 0);
  } else if (p->choices) {
    row->control = make_choices (p, value);
    g_signal_connect_object (row->control, "notify::selected", G_CALLBACK (on_choice), form, 0);
  } else {
    row->control = make_entry (p, value);
    g_signal_connect_object (row->control, "changed", G_CALLBACK (on_entry), form, 0);
  }
  gtk_widget_set_tooltip_text (row->control, words_shown (p->help));
  naming_set (row->control, words_shown (p->label));
}

static void
add_row (FigureForm *form, const fv_param *p)
{
  Row row = {form, p, gtk_label_new (p->type == FV_BOOL ? NULL : words_shown (p->label)),
             gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), NULL};
  make_control (form, &row);
  gtk_label_set_xalign (GTK_LABEL (row.label), 0);
  gtk_widget_add_css_class (row.label, "dim-label");
  gtk_box_append (GTK_BOX (row.line), row.control);
  if (p->unit) {
    GtkWidget *unit = gtk_label_new (words_shown (p->unit));
    gtk_widget_add_css_class (unit, "dim-label");
    gtk_box_append (GTK_BOX (row.line), unit);
  }
  gtk_grid_attach (form->grids[p->advanced], row.label, 0, (int) form->rows->len, 1, 1);
  gtk_grid_attach (form->grids[p->advanced], row.line, 1, (int) form->rows->len, 1, 1);
  g_array_append_val (form->rows, row);
}

/* ---- The widget ---- */

static GtkGrid *
make_grid (void)
{
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  return GTK_GRID (grid);
}

static void
figure_form_finalize (GObject *object)
{
  g_array_unref (FOVEA_FIGURE_FORM (object)->rows);
  G_OBJECT_CLASS (figure_form_parent_class)->finalize (object);
}

static void
figure_form_class_init (FigureFormClass *class)
{
  G_OBJECT_CLASS (class)->finalize = figure_form_finalize;
  changed_signal = g_signal_new ("changed", FIGURE_FORM_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
figure_form_init (FigureForm *form)
{
  GtkWidget *more = gtk_expander_new_with_mnemonic (_ ("Mor_e"));
  form->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  for (int i = 0; i < 2; i++)
    form->grids[i] = make_grid ();
  gtk_widget_set_margin_top (GTK_WIDGET (form->grids[1]), 6);
  gtk_expander_set_child (GTK_EXPANDER (more), GTK_WIDGET (form->grids[1]));
  gtk_widget_set_tooltip_text (more, _ ("Advanced parameters"));
  gtk_box_append (GTK_BOX (form), GTK_WIDGET (form->grids[0]));
  gtk_box_append (GTK_BOX (form), more);
}

GtkWidget *
figure_form_new (FigureChoices *choices)
{
  FigureForm *form = g_object_new (FIGURE_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 12, NULL);
  const Op *op = figure_op ();
  form->choices = choices;
  form->filling = TRUE;
  for (guint i = 0; i < op->n_params; i++)
    if (figure_form_has (op->fv.params[i].key))
      add_row (form, &op->fv.params[i]);
  form->filling = FALSE;
  show_rows (form);
  return GTK_WIDGET (form);
}
