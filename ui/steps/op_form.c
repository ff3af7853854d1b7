/* SPDX-License-Identifier: MIT
 *
 * Rows are made anew for another step or operation, and only filled in anew when values change.
 */
#include "ui/steps/op_form.h"

#include "core/ops/args.h"
#include "ui/steps/adjustment.h"
#include "ui/widgets/button.h"
#include "ui/widgets/naming.h"
#include "ui/steps/param_row.h"

#include <string.h>

struct _OpForm {
  GtkBox parent;
  View *view;
  GtkBox *rows;
  GPtrArray *params; /* ParamRow, in rows or below "More" */
  gboolean more;     /* that is unfolded */
  GtkWidget *found;  /* offered when the step has found a threshold */
  const Op *op;      /* that the rows are for; NULL: none */
  int place;
};

G_DEFINE_FINAL_TYPE (OpForm, op_form, GTK_TYPE_BOX)

static const Step *
step_of (const OpForm *form)
{
  const Recipe *recipe = document_recipe (view_document (form->view));
  int place = view_place (form->view);
  return place >= 0 && place < (int) recipe_length (recipe) ? recipe_step (recipe, (guint) place) : NULL;
}

/* ---- Other images that the step takes ---- */

/* What an item of the drop-down of input i stands for. */
typedef struct {
  OpForm *form;
  guint input;
} Source;

static gboolean
is_table (const Step *step, guint input)
{
  return (step->op->fv.inputs[input].types & FV_WANTS_TABLE) != 0;
}

/* Items are: nothing (if optional), the opened image, then each image that an earlier step makes; or for a table the last one (or
 * nothing, if optional), then each table. How many stand before those of earlier steps. */
static guint
leading_items (const Step *step, guint input)
{
  return is_table (step, input) ? 1 : step->op->fv.inputs[input].optional + 1u;
}

/* Results of a step that can be chosen: the first of them, and how many. */
static guint
choosable (const Op *op, gboolean table, guint *first)
{
  *first = table ? op->n_outputs : 0;
  return table ? step_results (op) - op->n_outputs : op->n_outputs;
}

/* The n-th of them, from 0. FALSE: there is none. */
static gboolean
result_at (const Recipe *recipe, guint n, gboolean table, guint *place, guint *result)
{
  for (*place = 0; *place < recipe_length (recipe); ++*place) {
    guint first, count = choosable (recipe_step (recipe, *place)->op, table, &first);
    if (n < count) {
      *result = first + n;
      return TRUE;
    }
    n -= count;
  }
  return FALSE;
}

static void
on_source (GtkDropDown *choice, GParamSpec *property, Source *source)
{
  OpForm *form = source->form;
  Document *document = view_document (form->view);
  const Step *step = step_of (form);
  gboolean table = is_table (step, source->input);
  guint i = gtk_drop_down_get_selected (choice), leading = leading_items (step, source->input), place, result;
  const char *name = "";
  (void) property;
  if (i >= leading)
    name = result_at (document_recipe (document), i - leading, table, &place, &result)
             ? document_name_result (document, place, result, NULL)
             : NULL;
  else if (!table && i + 1 == leading)
    name = RECIPE_SOURCE;
  if (name)
    document_set_value (document, (guint) view_place (form->view), step->op->fv.inputs[source->input].key, name, NULL);
}

static guint
selected_source (const OpForm *form, const Step *step, guint input)
{
  const Recipe *recipe = document_recipe (view_document (form->view));
  gboolean table = is_table (step, input);
  guint leading = leading_items (step, input), place, result, first, n = 0;
  const char *name = step->inputs[input];
  if (!name)
    return 0;
  if (step_input_is_selection (name)) /* stands after all others */
    return G_MAXUINT;
  if (!strcmp (name, RECIPE_SOURCE))
    return leading - 1;
  if (!recipe_find (recipe, (guint) form->place, name, &place, &result))
    return 0;
  for (guint k = 0; k < place; k++)
    n += choosable (recipe_step (recipe, k)->op, table, &first);
  choosable (recipe_step (recipe, place)->op, table, &first);
  return leading + n + result - first;
}

static void
free_source (gpointer source, GClosure *closure)
{
  (void) closure;
  g_free (source);
}

/* "2 Otsu", and where there are several "2 Split: Nuclei". */
static void
append_results (GtkStringList *names, guint place, const Op *op, gboolean table)
{
  g_autofree char *title = op_title (op);
  guint first, n = choosable (op, table, &first);
  for (guint i = first; i < first + n; i++) {
    g_autofree char *name =
      g_strdup_printf ("%u %s%s%s", place + 1, title, n == 1 ? "" : ": ", n == 1 ? "" : step_result_label (op, i));
    gtk_string_list_append (names, name);
  }
}

static void
add_source (OpForm *form, const Step *step, guint input)
{
  const fv_input *declared = &step->op->fv.inputs[input];
  const Recipe *recipe = document_recipe (view_document (form->view));
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (declared->label);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  Source *source = g_new (Source, 1);
  gboolean table = is_table (step, input);
  if (declared->optional)
    gtk_string_list_append (names, "(none)");
  if (!table || !declared->optional)
    gtk_string_list_append (names, table ? "Last table" : "Opened image");
  for (int k = 0; k < view_place (form->view); k++)
    append_results (names, (guint) k, recipe_step (recipe, (guint) k)->op, table);
  guint selected = selected_source (form, step, input);
  if (selected == G_MAXUINT) {
    gtk_string_list_append (names, step->inputs[input]);
    selected = g_list_model_get_n_items (G_LIST_MODEL (names)) - 1;
  }
  GtkWidget *choice = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&names)), NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), selected);
  *source = (Source){form, input};
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 11);
  gtk_widget_set_hexpand (choice, TRUE);
  gtk_widget_set_tooltip_text (choice, declared->help);
  naming_set (choice, declared->label);
  g_signal_connect_data (choice, "notify::selected", G_CALLBACK (on_source), source, free_source, 0);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), choice);
  gtk_box_append (form->rows, line);
}

/* ---- Rows ---- */

static void
on_reset (OpForm *form)
{
  Document *document = view_document (form->view);
  const Op *op = form->op;
  for (guint i = 0; i < op->n_params; i++) {
    g_autofree char *value = args_default (&op->fv.params[i]);
    document_set_value (document, (guint) form->place, op->fv.params[i].key, value, NULL);
  }
}

static void
on_compare (GtkToggleButton *button, OpForm *form)
{
  view_set_compare (form->view, gtk_toggle_button_get_active (button));
}

static void
show_compare (GtkToggleButton *button)
{
  const OpForm *form = FOVEA_OP_FORM (gtk_widget_get_ancestor (GTK_WIDGET (button), OP_FORM_TYPE));
  if (form)
    gtk_toggle_button_set_active (button, view_compare (form->view));
}

static GtkWidget *
make_compare (OpForm *form)
{
  GtkWidget *button = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (button), "fovea-compare-symbolic");
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button,
                               "Before and after this step (b); drag the line in the image, or move it by [ and ]");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Before and after", -1);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), view_compare (form->view));
  g_signal_connect_object (button, "toggled", G_CALLBACK (on_compare), form, 0);
  g_signal_connect_object (form->view, "look", G_CALLBACK (show_compare), button, G_CONNECT_SWAPPED);
  return button;
}

static GtkWidget *
make_help (const Op *op)
{
  GtkWidget *button = gtk_button_new_with_label ("?");
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, "Help on this operation (F1)");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Help", -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.help");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", op->fv.key);
  return button;
}

static void
add_header (OpForm *form, const Op *op)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *title;
  g_autofree char *text = op_title (op);
  GtkWidget *reset = button_with_icon ("view-refresh-symbolic", "Defaults"), *help = gtk_label_new (op->fv.help);
  title = gtk_label_new (text);
  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  g_signal_connect_object (reset, "clicked", G_CALLBACK (on_reset), form, G_CONNECT_SWAPPED);
  gtk_label_set_wrap (GTK_LABEL (help), TRUE);
  gtk_label_set_xalign (GTK_LABEL (help), 0);
  gtk_widget_add_css_class (help, "dim-label");
  gtk_widget_add_css_class (help, "caption");
  gtk_box_append (GTK_BOX (line), title);
  if (op->n_outputs)
    gtk_box_append (GTK_BOX (line), make_compare (form));
  if (op->n_params)
    gtk_box_append (GTK_BOX (line), reset);
  gtk_box_append (GTK_BOX (line), make_help (op));
  gtk_box_append (form->rows, line);
  gtk_box_append (form->rows, help);
}

/* ---- A threshold that was found ---- */

static void
on_adjust (OpForm *form)
{
  adjustment_take (form->view, NULL);
}

static void
show_found (OpForm *form)
{
  double threshold;
  gtk_widget_set_visible (form->found, adjustment_found (form->view, &threshold));
}

static void
add_found (OpForm *form)
{
  GtkWidget *button = gtk_button_new_with_mnemonic ("Adjust by _Hand");
  gtk_widget_set_tooltip_text (button, "Makes it a threshold with sliders, at the value that was found");
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_adjust), form, G_CONNECT_SWAPPED);
  form->found = button;
  gtk_box_append (form->rows, button);
  show_found (form);
}

static void
add_hint (OpForm *form)
{
  GtkWidget *hint = gtk_label_new ("Choose a step to change it, or add one from the menus.");
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_box_append (form->rows, hint);
}

/* ---- Parameters ---- */

static void
on_more (GtkExpander *expander, GParamSpec *property, OpForm *form)
{
  (void) property;
  form->more = gtk_expander_get_expanded (expander);
}

/* Where parameters go that are rarely changed: folded away, unless one of them is changed. */
static GtkBox *
add_more (OpForm *form, const Step *step)
{
  GtkWidget *expander = gtk_expander_new_with_mnemonic ("Mor_e"), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  g_autofree gpointer defaults = args_new (step->op, NULL);
  gboolean changed = FALSE;
  for (guint i = 0; i < step->op->n_params; i++) {
    const fv_param *p = &step->op->fv.params[i];
    g_autofree char *value = args_get (step->args, p), *usual = args_get (defaults, p);
    changed |= p->advanced && strcmp (value, usual);
  }
  gtk_widget_set_margin_top (box, 6);
  gtk_expander_set_child (GTK_EXPANDER (expander), box);
  gtk_expander_set_expanded (GTK_EXPANDER (expander), form->more || changed);
  gtk_widget_set_tooltip_text (expander, "What is rarely changed");
  g_signal_connect_object (expander, "notify::expanded", G_CALLBACK (on_more), form, 0);
  gtk_box_append (form->rows, expander);
  return GTK_BOX (box);
}

static void
add_params (OpForm *form, const Step *step)
{
  GtkBox *more = NULL;
  for (int advanced = 0; advanced <= 1; advanced++)
    for (guint i = 0; i < step->op->n_params; i++) {
      const fv_param *p = &step->op->fv.params[i];
      if (p->advanced != advanced)
        continue;
      if (advanced && !more)
        more = add_more (form, step);
      GtkWidget *row = param_row_new (view_document (form->view), (guint) form->place, p);
      g_ptr_array_add (form->params, row);
      gtk_box_append (advanced ? more : form->rows, row);
    }
}

static void
rebuild (OpForm *form)
{
  const Step *step = step_of (form);
  GtkWidget *child;
  g_ptr_array_set_size (form->params, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (form->rows))))
    gtk_box_remove (form->rows, child);
  form->op = step ? step->op : NULL;
  form->place = view_place (form->view);
  if (!step) {
    add_hint (form);
    return;
  }
  add_header (form, step->op);
  for (guint i = 1; i < step->op->n_inputs; i++)
    add_source (form, step, i);
  add_params (form, step);
  add_found (form);
}

static void
refresh (OpForm *form)
{
  const Step *step = step_of (form);
  if ((step ? step->op : NULL) != form->op || view_place (form->view) != form->place) {
    rebuild (form);
    return;
  }
  for (guint i = 0; i < form->params->len; i++)
    param_row_refresh (form->params->pdata[i]);
}

static void
on_results (OpForm *form)
{
  if (form->op)
    show_found (form);
}

/* ---- The widget ---- */

static void
op_form_dispose (GObject *object)
{
  g_clear_object (&FOVEA_OP_FORM (object)->view);
  G_OBJECT_CLASS (op_form_parent_class)->dispose (object);
}

static void
op_form_finalize (GObject *object)
{
  g_ptr_array_unref (FOVEA_OP_FORM (object)->params);
  G_OBJECT_CLASS (op_form_parent_class)->finalize (object);
}

static void
op_form_class_init (OpFormClass *class)
{
  G_OBJECT_CLASS (class)->finalize = op_form_finalize;
  G_OBJECT_CLASS (class)->dispose = op_form_dispose;
}

static void
op_form_init (OpForm *form)
{
  GtkWidget *rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  form->rows = GTK_BOX (rows);
  form->params = g_ptr_array_new ();
  gtk_widget_set_hexpand (rows, TRUE);
  gtk_widget_set_margin_start (rows, 10);
  gtk_widget_set_margin_end (rows, 10);
  gtk_widget_set_margin_top (rows, 8);
  gtk_widget_set_margin_bottom (rows, 8);
  gtk_box_append (GTK_BOX (form), rows);
}

GtkWidget *
op_form_new (View *view)
{
  OpForm *form = g_object_new (OP_FORM_TYPE, NULL);
  form->view = g_object_ref (view);
  g_signal_connect_object (view_document (view), "steps", G_CALLBACK (refresh), form, G_CONNECT_SWAPPED);
  g_signal_connect_object (view_document (view), "results", G_CALLBACK (on_results), form, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "place", G_CALLBACK (refresh), form, G_CONNECT_SWAPPED);
  rebuild (form);
  return GTK_WIDGET (form);
}
