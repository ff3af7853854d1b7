/* SPDX-License-Identifier: MIT
 *
 * A number that is none keeps the dialog open, with the focus where it stands.
 */
#include "ui/macro/dialog.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "ui/form/param_form.h"

#include <glib/gi18n.h>

enum { LABEL = 30 }; /* letters of a label */
enum { MANY = 10 };  /* fields: more are scrolled, fewer let the window grow when it says that a number is wrong */

typedef struct {
  GPtrArray *fields;  /* MacroField */
  GArray *params;     /* fv_param of each */
  GPtrArray *choices; /* fv_choice lists of some */
  ParamForm *form;
  MacroAnswered answered;
  gpointer data;
  gboolean accepted;
} Dialog;

/* ---- Fields as parameters ---- */

static MacroField *
field_of (const Dialog *d, const fv_param *param)
{
  return d->fields->pdata[param - &g_array_index (d->params, fv_param, 0)];
}

static char *
get_field (gpointer d, const fv_param *param)
{
  return g_strdup (field_of (d, param)->value ? field_of (d, param)->value : "");
}

static gboolean
set_field (gpointer d, const fv_param *param, const char *value, GError **error)
{
  MacroField *field = field_of (d, param);
  double number;
  if (field->kind == MACRO_NUMBER && !text_to_number (value, &number)) {
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "%s", _ ("This is not a number"));
    return FALSE;
  }
  g_free (field->value);
  field->value = g_strdup (value);
  return TRUE;
}

/* Free with g_free(); NULL: it is not one of some. */
static fv_choice *
choices_of (const MacroField *field)
{
  const guint n = field->choices ? g_strv_length (field->choices) : 0;
  fv_choice *choices = n ? g_new0 (fv_choice, n + 1) : NULL;
  for (guint i = 0; i < n; i++)
    choices[i].key = choices[i].label = field->choices[i];
  return choices;
}

static void
add_params (Dialog *d)
{
  static const fv_param_type types[] = {
    [MACRO_NUMBER] = FV_FLOAT, [MACRO_TEXT] = FV_TEXT, [MACRO_CHECKBOX] = FV_BOOL, [MACRO_CHOICE] = FV_INT};
  for (guint i = 0; i < d->fields->len; i++) {
    const MacroField *field = d->fields->pdata[i];
    fv_choice *choices = choices_of (field);
    g_ptr_array_add (d->choices, choices);
    g_array_append_val (d->params, ((fv_param){.type = types[field->kind], .label = field->label, .choices = choices}));
  }
}

/* ---- The dialog ---- */

static void
on_accept (GtkWindow *window)
{
  Dialog *d = g_object_get_data (G_OBJECT (window), "dialog");
  if (!param_form_check (d->form))
    return;
  d->accepted = TRUE;
  gtk_window_destroy (window);
}

/* However it has ended. */
static void
on_gone (GtkWindow *window)
{
  Dialog *d = g_object_steal_data (G_OBJECT (window), "dialog");
  d->answered (d->data, d->accepted);
  g_array_unref (d->params);
  g_ptr_array_unref (d->choices);
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
  const ParamSource source = {.self = d, .get = get_field, .set = set_field, .verbatim = TRUE};
  const fv_param *params = &g_array_index (d->params, fv_param, 0);
  GtkWidget *form = param_form_new (&source, 0, LABEL), *scroller = gtk_scrolled_window_new ();
  d->form = FOVEA_PARAM_FORM (form);
  param_form_add (d->form, params, d->params->len);
  for (guint i = 0; i < d->params->len; i++) {
    GtkWidget *control = param_form_control (d->form, &params[i]);
    if (GTK_IS_ENTRY (control))
      gtk_entry_set_activates_default (GTK_ENTRY (control), TRUE);
  }
  g_object_set (form, "margin-start", 12, "margin-end", 12, "margin-top", 12, "margin-bottom", 12, NULL);
  g_object_set (scroller, "child", form, "propagate-natural-height", TRUE, "propagate-natural-width", TRUE,
                "max-content-height", 480, "hscrollbar-policy", GTK_POLICY_NEVER, "vscrollbar-policy",
                d->params->len > MANY ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER, "vexpand", TRUE, NULL);
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
  *d = (Dialog){.fields = fields,
                .params = g_array_new (FALSE, FALSE, sizeof (fv_param)),
                .choices = g_ptr_array_new_with_free_func (g_free),
                .answered = answered,
                .data = data};
  add_params (d);
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
