/* SPDX-License-Identifier: MIT
 *
 * What is typed goes to the document as text, so that a form can do nothing that the command line cannot. What cannot be read
 * stays in the entry with the reason below it, and the step keeps its last good value.
 */
#include "ui/steps/param_row.h"

#include "core/base/error.h"
#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/ops/native.h"
#include "ui/steps/code_entry.h"
#include "ui/widgets/choice_list.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/narrow_choice.h"
#include "ui/view/shown_value.h"
#include "core/base/text.h"
#include "core/view/value_range.h"
#include "ui/widgets/words.h"

#include <float.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { CODE_BYTES = 1024 }; /* a text with more room has lines */

struct _ParamRow {
  GtkBox parent;
  Document *document;
  guint index;
  const fv_param *param;
  GtkWidget *control; /* check button, drop-down, entry or menu button */
  GtkRange *slider;   /* or NULL */
  double end;         /* of the slider */
  gboolean whole;     /* its values */
  GtkLabel *fault;
  gboolean filling, bad; /* the change is ours; the text of the entry is invalid */
  guint moved;           /* the slider, which is about to be heard */
};

G_DEFINE_FINAL_TYPE (ParamRow, param_row, GTK_TYPE_BOX)

static const Step *
step_of (const ParamRow *row)
{
  return recipe_step (document_recipe (row->document), row->index);
}

/* One for each axis counts, too: mostly all of them are the same. */
static gboolean
is_number (const fv_param *p)
{
  return (p->type == FV_FLOAT || p->type == FV_INT || p->type == FV_AXES) && !p->choices;
}

/* What the last run found wrong with this parameter, or NULL. */
static const GError *
fault_of_run (const ParamRow *row)
{
  guint index;
  const GError *error = document_error (row->document, &index);
  return error && index == row->index && !strcmp (step_error_field (error), row->param->key) ? error : NULL;
}

static void
mark (ParamRow *row)
{
  gboolean wrong = row->bad || fault_of_run (row);
  if (wrong)
    gtk_widget_add_css_class (row->control, "error");
  else
    gtk_widget_remove_css_class (row->control, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (row->control), GTK_ACCESSIBLE_STATE_INVALID,
                               wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static void
set_fault (ParamRow *row, const char *text)
{
  row->bad = text != NULL;
  gtk_label_set_text (row->fault, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (row->fault), text != NULL);
  mark (row);
}

static void
set_number (ParamRow *row, double number)
{
  g_autoptr (GError) error = NULL;
  document_set_number (row->document, row->index, row->param, number, &error);
  set_fault (row, error ? error->message : NULL);
}

/* What is typed here is the user's own: code that comes of what is allowed by that is allowed. */
static void
allow_typed (const ParamRow *row, const char *text)
{
  const Step *step = step_of (row);
  if (!step->op->fv.native || !native_is_allowed (step->op, step->args))
    return;
  g_autoptr (Recipe) with = recipe_with_text (document_recipe (row->document), row->index, row->param->key, text, NULL);
  g_autofree char *code = with ? native_code (step->op, recipe_step (with, row->index)->args) : NULL;
  if (code)
    native_allow (document_modules (row->document), code);
}

static void
set_value (ParamRow *row, const char *text)
{
  g_autoptr (GError) error = NULL;
  double number;
  if (row->filling)
    return;
  if (row->param->ordinal && text_to_number (text, &number) && number < row->param->min) {
    set_fault (row, _ ("The first one is 1."));
    return;
  }
  allow_typed (row, text);
  document_set_value (row->document, row->index, row->param->key, text, &error);
  set_fault (row, error ? error->message : NULL);
}

/* ---- Sliders: positions are the value, or its logarithm ---- */

static double
to_position (const fv_param *p, double value)
{
  return p->scale == FV_LOG ? log (MAX (value, 1e-300)) : value;
}

static double
from_position (const fv_param *p, double position)
{
  double value = p->scale == FV_LOG ? exp (position) : position;
  if (p->type == FV_INT)
    return round (value);
  /* three digits are as fine as a hand is */
  double unit = value != 0 ? pow (10, floor (log10 (fabs (value))) - 2) : 1;
  return p->scale == FV_LOG ? round (value / unit) * unit : value;
}

/* As few digits as a hand can set; "" for no limit. */
static char *
shown_number (const fv_param *p, double value)
{
  if (isinf (value))
    return g_strdup ("");
  g_autofree char *text = g_strdup_printf ("%.6g", value);
  return shown_from_value (p, text);
}

/* The slider's value, with the shown digits. */
static double
slider_value (const ParamRow *row)
{
  double position = gtk_range_get_value (row->slider), value = from_position (row->param, position);
  if (row->param->def == INFINITY && position >= row->end)
    return INFINITY;
  return row->whole ? round (value) : row->param->type == FV_INT ? value : text_round (value, 6);
}

static gboolean
take_slider (gpointer data)
{
  ParamRow *row = data;
  double value = slider_value (row);
  row->moved = 0;
  g_autofree char *shown = shown_number (row->param, value);
  row->filling = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (row->control), shown);
  row->filling = FALSE;
  set_number (row, value);
  return G_SOURCE_REMOVE;
}

/* The mouse moves it just before a frame is drawn; what that means is done after the frame. */
static void
on_slider (ParamRow *row)
{
  if (!row->filling && !row->moved)
    row->moved = g_idle_add_full (G_PRIORITY_DEFAULT, take_slider, row, NULL);
}

static void
soft_range (ParamRow *row, double *low, double *high)
{
  const fv_param *p = row->param;
  Image *image = document_image (row->document, (int) row->index - 1);
  if (p->open && value_range (image, low, high)) { /* a value of the image, such as a threshold */
    row->whole = !pixel_type_is_float (image_info (image)->type);
    return;
  }
  *low = p->soft_min;
  *high = p->soft_max;
  if (*low == 0 && *high == 0) {
    *low = p->min;
    *high = p->max;
  }
  if (p->scale == FV_LOG && *low <= 0)
    *low = *high / 1000;
}

static void
add_slider (ParamRow *row, GtkWidget *line)
{
  double low, high;
  soft_range (row, &low, &high);
  if (!(high > low) || !isfinite (high - low))
    return;
  low = to_position (row->param, low);
  high = to_position (row->param, high);
  double step = row->param->type == FV_INT && row->param->scale != FV_LOG ? 1 : (high - low) / 200;
  GtkWidget *slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, low, high, step);
  row->slider = GTK_RANGE (slider);
  row->end = high;
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_widget_set_hexpand (slider, TRUE);
  gtk_widget_set_tooltip_text (slider, words_shown (row->param->help));
  gtk_accessible_update_property (GTK_ACCESSIBLE (slider), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  words_shown (row->param->label), -1);
  gtk_box_append (GTK_BOX (line), slider);
  g_signal_connect_object (slider, "value-changed", G_CALLBACK (on_slider), row, G_CONNECT_SWAPPED);
}

/* ---- Controls ---- */

static void
on_entry (ParamRow *row)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row->control))));
  g_autofree char *open = text_from_number (row->param->def), *value = shown_to_value (row->param, text);
  set_value (row, !*text && isinf (row->param->def) ? open : value);
}

static void
on_check (ParamRow *row)
{
  set_value (row, gtk_check_button_get_active (GTK_CHECK_BUTTON (row->control)) ? "yes" : "no");
}

static void
on_choice (ParamRow *row)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (row->control));
  if (i != GTK_INVALID_LIST_POSITION)
    set_value (row, row->param->choices[i].key);
}

static GtkWidget *
make_choices (ParamRow *row)
{
  GtkStringList *labels = gtk_string_list_new (NULL);
  for (const fv_choice *c = row->param->choices; c->key; c++)
    gtk_string_list_append (labels, words_shown (c->label));
  GtkWidget *choices = narrow_choice_new (labels);
  gtk_widget_set_hexpand (choices, TRUE);
  g_signal_connect_object (choices, "notify::selected", G_CALLBACK (on_choice), row, G_CONNECT_SWAPPED);
  return choices;
}

static void
open_set (GtkMenuButton *button, gpointer data)
{
  ParamRow *row = data;
  gtk_menu_button_set_popover (button,
                               choice_list_popover_new (row->document, row->index, row->param, GTK_WIDGET (button)));
}

static GtkWidget *
make_set (ParamRow *row)
{
  GtkWidget *button = gtk_menu_button_new ();
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), open_set, row, NULL);
  gtk_widget_set_hexpand (button, TRUE);
  return button;
}

/* ---- Code ---- */

/* Whether it is a text in the lines of a language; those that fit into an entry are not. */
static gboolean
is_code (const ParamRow *row)
{
  return row->param->type == FV_TEXT && row->param->capacity > CODE_BYTES && step_of (row)->op->fv.native;
}

static void
on_code (ParamRow *row)
{
  g_autofree char *text = code_entry_text (FOVEA_CODE_ENTRY (row->control));
  set_value (row, text);
}

/* Where the compiler found fault with this text, "line 2, column 7: ..." */
static void
mark_code (ParamRow *row)
{
  int line = 0, column = 0;
  const GError *error = fault_of_run (row);
  const char *at = error ? strstr (error->message, "line ") : NULL;
  if (at && sscanf (at, "line %d, column %d:", &line, &column) < 1)
    line = 0;
  code_entry_mark (FOVEA_CODE_ENTRY (row->control), line, column);
}

static GtkWidget *
make_code (ParamRow *row)
{
  GtkWidget *entry = code_entry_new (words_shown (row->param->label));
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_code), row, G_CONNECT_SWAPPED);
  g_signal_connect_object (row->document, "results", G_CALLBACK (mark_code), row, G_CONNECT_SWAPPED);
  return entry;
}

static GtkWidget *
make_entry (ParamRow *row)
{
  GtkWidget *entry = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), is_number (row->param) ? 7 : 12);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), is_number (row->param) ? 7 : 40);
  gtk_widget_set_hexpand (entry, !is_number (row->param));
  gtk_editable_set_alignment (GTK_EDITABLE (entry), is_number (row->param) ? 1 : 0);
  if (row->param->open)
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("no limit"));
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_entry), row, G_CONNECT_SWAPPED);
  return entry;
}

static void
make_control (ParamRow *row, GtkWidget *line)
{
  const fv_param *p = row->param;
  if (p->type == FV_BOOL) {
    row->control = gtk_check_button_new_with_label (words_shown (p->label));
    g_signal_connect_object (row->control, "toggled", G_CALLBACK (on_check), row, G_CONNECT_SWAPPED);
  } else if (p->type == FV_SET)
    row->control = make_set (row);
  else if (p->choices)
    row->control = make_choices (row);
  else if (is_code (row))
    row->control = make_code (row);
  else {
    if (is_number (p))
      add_slider (row, line);
    row->control = make_entry (row);
  }
  gtk_widget_set_tooltip_text (row->control, words_shown (p->help));
  if (!is_code (row))
    naming_set (row->control, words_shown (p->label));
  gtk_box_append (GTK_BOX (line), row->control);
}

/* ---- Values ---- */

static void
fill_set (ParamRow *row, const char *value)
{
  g_autofree char *summary = choice_list_summary (row->param, value);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (row->control), summary);
}

static void
fill_choice (ParamRow *row, const char *value)
{
  for (guint i = 0; row->param->choices[i].key; i++)
    if (!strcmp (row->param->choices[i].key, value))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (row->control), i);
}

/* What says so already is left alone, as the slider that is dragged; the entry, too, while the user types in it. */
static void
fill_entry (ParamRow *row, const char *value)
{
  double number;
  if (row->slider && text_to_number_or_infinity (value, &number) && slider_value (row) != number
      && !(fabs (slider_value (row) - number) <= 5e-6 * fmin (fabs (number), DBL_MAX))) /* it gives six figures */
    gtk_range_set_value (row->slider,
                         to_position (row->param, CLAMP (number, -DBL_MAX, DBL_MAX))); /* no limit: its end */
  if (gtk_widget_get_state_flags (row->control) & GTK_STATE_FLAG_FOCUS_WITHIN)
    return;
  gboolean open = text_to_number_or_infinity (value, &number) && isinf (number);
  g_autofree char *shown = open ? g_strdup ("") : shown_from_value (row->param, value);
  if (strcmp (shown, gtk_editable_get_text (GTK_EDITABLE (row->control))))
    gtk_editable_set_text (GTK_EDITABLE (row->control), shown);
}

GtkWidget *
param_row_control (ParamRow *row)
{
  return row->control;
}

void
param_row_refresh (ParamRow *row)
{
  const Step *step = step_of (row);
  g_autofree char *value = args_get (step->args, row->param);
  row->filling = TRUE;
  if (row->param->type == FV_BOOL)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (row->control), !strcmp (value, "yes"));
  else if (row->param->type == FV_SET)
    fill_set (row, value);
  else if (row->param->choices)
    fill_choice (row, value);
  else if (is_code (row)) {
    if (!(gtk_widget_get_state_flags (row->control) & GTK_STATE_FLAG_FOCUS_WITHIN))
      code_entry_set_text (FOVEA_CODE_ENTRY (row->control), value);
  } else
    fill_entry (row, value);
  row->filling = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (row), args_enabled (step->op, step->args, row->param));
}

/* ---- The widget ---- */

static void
param_row_dispose (GObject *object)
{
  ParamRow *row = FOVEA_PARAM_ROW (object);
  g_clear_handle_id (&row->moved, g_source_remove);
  g_clear_object (&row->document);
  G_OBJECT_CLASS (param_row_parent_class)->dispose (object);
}

static void
param_row_class_init (ParamRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = param_row_dispose;
}

static void
param_row_init (ParamRow *row)
{
  (void) row;
}

GtkWidget *
param_row_new (Document *document, guint index, const fv_param *param)
{
  ParamRow *row = g_object_new (PARAM_ROW_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (NULL), *unit;
  row->document = g_object_ref (document);
  row->index = index;
  row->param = param;
  if (param->type != FV_BOOL)
    gtk_label_set_text (GTK_LABEL (label), words_shown (param->label));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 11);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 11);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_tooltip_text (label, words_shown (param->help));
  gtk_box_append (GTK_BOX (line), label);
  row->fault = GTK_LABEL (gtk_label_new (NULL));
  make_control (row, line);
  if (param->unit) {
    unit = gtk_label_new (words_shown (param->unit));
    gtk_widget_add_css_class (unit, "dim-label");
    gtk_box_append (GTK_BOX (line), unit);
  }
  gtk_label_set_wrap (row->fault, TRUE);
  gtk_label_set_xalign (row->fault, 0);
  gtk_widget_add_css_class (GTK_WIDGET (row->fault), "error");
  gtk_widget_add_css_class (GTK_WIDGET (row->fault), "caption");
  gtk_widget_set_visible (GTK_WIDGET (row->fault), FALSE);
  gtk_box_append (GTK_BOX (row), line);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (row->fault));
  g_signal_connect_object (document, "results", G_CALLBACK (mark), row, G_CONNECT_SWAPPED);
  param_row_refresh (row);
  mark (row);
  return GTK_WIDGET (row);
}
