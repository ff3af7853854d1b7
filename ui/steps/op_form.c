/* SPDX-License-Identifier: MIT
 *
 * Rows are rebuilt for another step or operation, and only updated when values change.
 */
#include "ui/steps/op_form.h"

#include "core/ops/args.h"
#include "core/ops/operation_text.h"
#include "core/run/shown.h"
#include "ui/form/param_form.h"
#include "ui/steps/adjustment.h"
#include "ui/steps/input_row.h"
#include "ui/steps/method_values.h"
#include "ui/steps/recipe_list.h"
#include "ui/steps/step_source.h"
#include "ui/steps/threshold_tool.h"
#include "ui/widgets/button.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

enum { MANY = 3 };   /* inputs that are all seen */
enum { LABEL = 11 }; /* letters of a label */

struct _OpForm {
  GtkBox parent;
  View *view;
  GtkBox *head;         /* what the step does */
  GtkWidget *threshold; /* stays while a limit is dragged, when the step becomes another one */
  GtkBox *rows;
  GPtrArray *inputs; /* InputRow, in rows */
  ParamForm *params; /* in rows; NULL without a step */
  gboolean unfolded; /* its "More", from step to step */
  StepInDocument step;
  GtkWidget *found; /* offered when the step has found a threshold */
  const Op *op;     /* that the rows are for; NULL: none */
  gboolean begins;  /* there are no steps */
  int index;
};

G_DEFINE_FINAL_TYPE (OpForm, op_form, GTK_TYPE_BOX)

static guint failed_signal;

static const Step *
step_of (const OpForm *form)
{
  const Recipe *recipe = document_recipe (view_document (form->view));
  int index = view_index (form->view);
  return index >= 0 && index < (int) recipe_length (recipe) ? recipe_step (recipe, (guint) index) : NULL;
}

static gboolean
is_begin (const OpForm *form)
{
  return recipe_length (document_recipe (view_document (form->view))) == 0;
}

/* ---- Rows ---- */

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
  gtk_widget_set_tooltip_text (
    button, _ ("Compare before and after this step (b). Drag the divider in the image, or move it with "
               "[ and ]"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Before and after"), -1);
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
  gtk_widget_set_tooltip_text (button, _ ("Help for this operation (F1)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Help"), -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.help");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", op->fv.key);
  return button;
}

static void
add_header (OpForm *form, const Op *op)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *reset = button_with_icon ("view-refresh-symbolic", _ ("Defaults")),
            *help = gtk_label_new (words_shown (op->fv.help));
  gtk_widget_set_valign (buttons, GTK_ALIGN_START);
  gtk_widget_set_hexpand (help, TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (reset), "win.reset-step");
  gtk_label_set_wrap (GTK_LABEL (help), TRUE);
  gtk_label_set_xalign (GTK_LABEL (help), 0);
  gtk_widget_add_css_class (help, "dim-label");
  gtk_widget_add_css_class (help, "caption");
  if (op->n_outputs)
    gtk_box_append (GTK_BOX (buttons), make_compare (form));
  if (op->n_params)
    gtk_box_append (GTK_BOX (buttons), reset);
  gtk_box_append (GTK_BOX (buttons), make_help (op));
  gtk_box_append (GTK_BOX (line), help);
  gtk_box_append (GTK_BOX (line), buttons);
  gtk_box_append (form->head, line);
}

/* ---- A formula ---- */

static void
add_save (OpForm *form)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("Save as _Operation…"));
  gtk_widget_set_tooltip_text (button, _ ("Makes an operation of your own from it, with its sliders"));
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.save-operation");
  gtk_box_append (form->rows, button);
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
  gtk_widget_set_visible (form->found, adjustment_found (form->view));
}

static void
add_found (OpForm *form)
{
  form->found = button_with_text (_ ("Adjust by _Hand"),
                                  _ ("Converts it to a manual threshold with sliders, starting at this value"),
                                  G_CALLBACK (on_adjust), form);
  gtk_widget_set_halign (form->found, GTK_ALIGN_START);
  gtk_box_append (form->rows, form->found);
  show_found (form);
}

static void
add_hint (OpForm *form)
{
  GtkWidget *hint = gtk_label_new (_ ("Choose a step to change it, or add one from the menus."));
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_box_append (form->rows, hint);
}

/* ---- Parameters ---- */

static void
add_params (OpForm *form, const Op *op)
{
  const fv_param *method = op_has_trait (op, FV_THRESHOLDS) ? args_param (op, "method") : NULL;
  form->step = (StepInDocument){view_document (form->view), (guint) form->index};
  const ParamSource source = step_source (&form->step);
  GtkWidget *params = param_form_new (&source, LABEL, LABEL);
  form->params = FOVEA_PARAM_FORM (params);
  param_form_unfold (form->params, form->unfolded);
  param_form_add (form->params, op->fv.params, op->n_params);
  if (method)
    method_values_offer (form->view, param_form_control (form->params, method), method);
  gtk_box_append (form->rows, params);
}

static void
on_failed (OpForm *form, const char *text)
{
  g_signal_emit (form, failed_signal, 0, text);
}

/* Those after the first, of which there can be many: each that is taken offers one more. */
static void
show_inputs (OpForm *form, const Step *step)
{
  gboolean offered = TRUE;
  for (guint i = 1; i < step->op->n_inputs && step->op->n_inputs > MANY; i++) {
    const gboolean optional = step->op->fv.inputs[i].optional, taken = step->inputs[i] && *step->inputs[i];
    gtk_widget_set_visible (form->inputs->pdata[i - 1], !optional || taken || offered);
    offered = !optional || taken;
  }
}

static void
add_input (OpForm *form, guint input)
{
  GtkWidget *row = input_row_new (form->view, (guint) form->index, input);
  g_signal_connect_object (row, "failed", G_CALLBACK (on_failed), form, G_CONNECT_SWAPPED);
  g_ptr_array_add (form->inputs, row);
  gtk_box_append (form->rows, row);
}

static void
empty (GtkBox *box)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))))
    gtk_box_remove (box, child);
}

/* Of what goes the focus must not be looked for elsewhere, where it would choose another step: it stays in the form. */
static gboolean
hold_focus (OpForm *form)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (form));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  if (!focus || !gtk_widget_is_ancestor (focus, GTK_WIDGET (form)))
    return FALSE;
  gtk_widget_set_focusable (GTK_WIDGET (form), TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (form));
  return TRUE;
}

static void
pass_focus (OpForm *form)
{
  gtk_widget_child_focus (GTK_WIDGET (form), GTK_DIR_TAB_FORWARD);
  gtk_widget_set_focusable (GTK_WIDGET (form), FALSE);
}

static void
fill (OpForm *form, const Step *step)
{
  if (form->params)
    form->unfolded = param_form_unfolded (form->params);
  form->params = NULL;
  g_ptr_array_set_size (form->inputs, 0);
  empty (form->head);
  empty (form->rows);
  if (form->begins)
    gtk_box_append (form->rows, recipe_list_new ());
  else if (!step)
    add_hint (form);
  if (!step)
    return;
  add_header (form, step->op);
  for (guint i = 1; i < step->op->n_inputs; i++)
    add_input (form, i);
  show_inputs (form, step);
  add_params (form, step->op);
  if (operation_text_can (step->op))
    add_save (form);
  add_found (form);
}

static void
rebuild (OpForm *form)
{
  const Step *step = step_of (form);
  const gboolean focused = hold_focus (form);
  form->op = step ? step->op : NULL;
  form->index = view_index (form->view);
  form->begins = is_begin (form);
  fill (form, step);
  if (focused)
    pass_focus (form);
}

static void
refresh (OpForm *form)
{
  const Step *step = step_of (form);
  if ((step ? step->op : NULL) != form->op || view_index (form->view) != form->index
      || is_begin (form) != form->begins) {
    rebuild (form);
    return;
  }
  for (guint i = 0; i < form->inputs->len; i++)
    input_row_refresh (form->inputs->pdata[i]);
  if (step)
    show_inputs (form, step);
  if (form->params)
    param_form_refresh (form->params);
}

static void
on_results (OpForm *form)
{
  if (!form->op)
    return;
  show_found (form);
  param_form_mark (form->params);
}

/* ---- The widget ---- */

static void
op_form_dispose (GObject *object)
{
  G_OBJECT_CLASS (op_form_parent_class)->dispose (object); /* the rows look into the document of the view */
  g_clear_object (&FOVEA_OP_FORM (object)->view);
}

static void
op_form_finalize (GObject *object)
{
  g_ptr_array_unref (FOVEA_OP_FORM (object)->inputs);
  G_OBJECT_CLASS (op_form_parent_class)->finalize (object);
}

static void
op_form_class_init (OpFormClass *class)
{
  G_OBJECT_CLASS (class)->finalize = op_form_finalize;
  G_OBJECT_CLASS (class)->dispose = op_form_dispose;
  failed_signal =
    g_signal_new ("failed", OP_FORM_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static GtkBox *
add_box (OpForm *form)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_box_append (GTK_BOX (form), box);
  return GTK_BOX (box);
}

static void
op_form_init (OpForm *form)
{
  GtkWidget *widget = GTK_WIDGET (form);
  form->inputs = g_ptr_array_new ();
  gtk_widget_set_margin_start (widget, 10);
  gtk_widget_set_margin_end (widget, 10);
  gtk_widget_set_margin_top (widget, 8);
  gtk_widget_set_margin_bottom (widget, 8);
}

GtkWidget *
op_form_new (View *view)
{
  OpForm *form = g_object_new (OP_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  form->view = g_object_ref (view);
  form->head = add_box (form);
  form->threshold = threshold_tool_new (view);
  gtk_box_append (GTK_BOX (form), form->threshold);
  form->rows = add_box (form);
  g_signal_connect_object (form->threshold, "failed", G_CALLBACK (on_failed), form, G_CONNECT_SWAPPED);
  g_signal_connect_object (view_document (view), "steps", G_CALLBACK (refresh), form, G_CONNECT_SWAPPED);
  g_signal_connect_object (view_document (view), "results", G_CALLBACK (on_results), form, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "index", G_CALLBACK (refresh), form, G_CONNECT_SWAPPED);
  rebuild (form);
  return GTK_WIDGET (form);
}
