/* SPDX-License-Identifier: MIT
 */
#include "ui/steps/step_row.h"

#include "core/base/error.h"
#include "core/run/missed.h"
#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/ops/native.h"
#include "ui/view/shown_value.h"
#include "ui/widgets/steady_text.h"
#include "ui/widgets/style.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

enum { EDGE = 10 };

struct _StepRow {
  GtkListBoxRow parent;
  View *view;
  GtkLabel *title, *fault;
  GtkInscription *result, *time;
  GtkInscription *values; /* reserves room for other values, so that nothing moves while a slider is dragged */
  GtkWidget *eye;
  GtkBox *column;              /* the line, and what stands below it */
  GtkWidget *repair, *consent; /* buttons that mend the fault */
  char *path;                  /* of the opened image, or NULL */
  Step *step;                  /* whose title and arguments it shows; NULL: the opened image */
};

G_DEFINE_FINAL_TYPE (StepRow, step_row, GTK_TYPE_LIST_BOX_ROW)

static guint failed_signal;

static Document *
document_of (const StepRow *row)
{
  return view_document (row->view);
}

/* Of the step; -1: the opened image. */
static int
index_of (StepRow *row)
{
  return gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)) - 1;
}

/* ---- Texts ---- */

/* A count is that of all planes: "4928 objects"; of other numbers the least and the greatest: "threshold 1023.5". */
static void
append_scalar (GString *s, const CallResult *r, const Op *op, guint i)
{
  double sum = 0, low = r->scalars[i], high = low;
  for (gint64 row = 0; row < r->scalar_rows; row++) {
    double v = r->scalars[row * op->n_scalars + i];
    sum += v;
    low = MIN (low, v);
    high = MAX (high, v);
  }
  g_string_append (s, s->len ? "   " : "");
  if (op->fv.scalars[i].type == FV_COLUMN_INTEGER) {
    g_autofree char *count = words_scalar (&op->fv.scalars[i], (gint64) sum);
    g_string_append (s, count);
  } else if (low < high)
    g_string_append_printf (s, "%s %.6g … %.6g", words_shown (op->fv.scalars[i].key), low, high);
  else
    g_string_append_printf (s, "%s %.6g", words_shown (op->fv.scalars[i].key), low);
}

/* Takes the text. */
/* The numbers that the step gave; of a table its size, "4928 × 9". */
static char *
result_text (const RunStep *step)
{
  const CallResult *r = &step->result;
  GString *s = g_string_new (NULL);
  if (r->table)
    g_string_append_printf (s, "%" G_GINT64_FORMAT " × %u", table_rows (r->table), table_columns (r->table));
  for (guint i = 0; r->scalars && i < step->step->op->n_scalars; i++)
    append_scalar (s, r, step->step->op, i);
  return g_string_free (s, FALSE);
}

/* Without the operation and the input, which the row and the sentence say; short where a button says the rest. */
static const char *
fault_text (const Step *step, const GError *error)
{
  const char *text = error->message, *const words[] = {step->op->fv.key, step_error_field (error)};
  if (!native_is_allowed (step->op, step->args))
    return _ ("Its code is not allowed to run.");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    gsize length = strlen (words[i]);
    if (length && !strncmp (text, words[i], length) && g_str_has_prefix (text + length, ": "))
      text += length + 2;
  }
  return text;
}

/* The result of step i, when the last run had the same steps up to there. */
static const RunStep *
result_of (const StepRow *row, guint i)
{
  const Recipe *recipe = document_recipe (document_of (row));
  const Run *run = document_run (document_of (row));
  if (i >= run_length (run) || run_result (run, i)->step->op != recipe_step (recipe, i)->op)
    return NULL;
  return run_result (run, i);
}

/* ---- Layout ---- */

static void
on_eye (StepRow *row, GtkToggleButton *eye)
{
  const gboolean off = !gtk_toggle_button_get_active (eye);
  if (row->step && row->step->skipped != off) /* not when the row is filled in */
    document_skip_step (document_of (row), (guint) index_of (row), off);
}

static GtkLabel *
add_label (GtkWidget *box, const char *class, PangoEllipsizeMode ellipsize)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), ellipsize);
  if (class)
    gtk_widget_add_css_class (label, class);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static GtkInscription *
add_values (GtkWidget *box)
{
  GtkWidget *values = gtk_inscription_new (NULL);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (values), 0);
  gtk_inscription_set_yalign (GTK_INSCRIPTION (values), 0.5F);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (values), GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_widget_set_hexpand (values, TRUE);
  gtk_widget_add_css_class (values, "caption");
  gtk_widget_add_css_class (values, "dim-label");
  gtk_box_append (GTK_BOX (box), values);
  return GTK_INSCRIPTION (values);
}

static GtkInscription *
add_number (GtkWidget *box, gboolean whole)
{
  GtkInscription *line = steady_text_new (whole);
  gtk_widget_add_css_class (GTK_WIDGET (line), "caption");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (line));
  return line;
}

/* Whether a step is on is seen at its switch and its name. */
static void
show_on (GtkWidget *row, GtkWidget *eye, const Step *step)
{
  gboolean on = !step->skipped;
  g_autofree char *title = words_title (step->op),
                  *name = g_strdup_printf (on ? _ ("%s is on") : _ ("%s is off"), title);
  if (gtk_button_get_icon_name (GTK_BUTTON (eye)) && gtk_widget_has_css_class (row, "off") == !on)
    return;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (eye), on);
  gtk_button_set_icon_name (GTK_BUTTON (eye), on ? "view-reveal-symbolic" : "view-conceal-symbolic");
  gtk_widget_set_tooltip_text (eye, on ? _ ("Skip this step") : _ ("Enable this step again"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (eye), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (on)
    gtk_widget_remove_css_class (row, "off");
  else
    gtk_widget_add_css_class (row, "off");
}

static GtkWidget *
make_eye (StepRow *row)
{
  GtkWidget *eye = gtk_toggle_button_new ();
  gtk_button_set_has_frame (GTK_BUTTON (eye), FALSE);
  gtk_widget_set_valign (eye, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (eye, "step-eye");
  g_signal_connect_object (eye, "toggled", G_CALLBACK (on_eye), row, G_CONNECT_SWAPPED);
  return eye;
}

/* All of what may be cut off. Tooltips that are set and not asked for make GTK ask the display where the pointer is. */
static gboolean
on_tooltip (StepRow *row, int x, int y, gboolean keyboard, GtkTooltip *tooltip, GtkWidget *label)
{
  const char *text = GTK_IS_INSCRIPTION (label) ? gtk_inscription_get_text (GTK_INSCRIPTION (label)) : row->path;
  (void) x, (void) y, (void) keyboard;
  gtk_tooltip_set_text (tooltip, text);
  return text && *text;
}

static void
add_tooltip (StepRow *row, gpointer label)
{
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect_object (label, "query-tooltip", G_CALLBACK (on_tooltip), row, G_CONNECT_SWAPPED);
}

/* A first step that takes one channel; which one can be changed in its form, which comes up. */
static void
on_repair (StepRow *row)
{
  g_autofree char *step = g_strdup_printf ("channel index=%" G_GINT64_FORMAT, view_channel (row->view));
  g_autoptr (GError) error = NULL;
  if (document_add_step (document_of (row), 0, step, &error))
    view_set_index (row->view, 0);
  else
    g_signal_emit (row, failed_signal, 0, error->message);
}

/* Under the fault; seen when it is of that kind. */
static GtkWidget *
add_mending (GtkWidget *texts, const char *label, const char *help)
{
  GtkWidget *button = gtk_button_new_with_label (label);
  gtk_widget_set_tooltip_text (button, help);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_set_margin_bottom (button, 4);
  gtk_widget_set_visible (button, FALSE);
  gtk_box_append (GTK_BOX (texts), button);
  return button;
}

static void
add_mendings (StepRow *row, GtkWidget *texts)
{
  row->repair = add_mending (texts, _ ("Use One Channel"), _ ("Adds a first step that takes one channel of the image"));
  g_signal_connect_object (row->repair, "clicked", G_CALLBACK (on_repair), row, G_CONNECT_SWAPPED);
  row->consent = add_mending (texts, _ ("Run Its Code…"), _ ("Shows the code, and asks whether it may run"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row->consent), "win.ask-code");
}

/* Whether step i may have failed because no channel was selected. */
static gboolean
wants_channel (const StepRow *row, guint i, const GError *error)
{
  const Recipe *recipe = document_recipe (document_of (row));
  if (!g_error_matches (error, STEP_ERROR, FV_BAD_INPUT)
      || image_info (document_source (document_of (row)))->channels < 2)
    return FALSE;
  for (guint k = 0; k <= i; k++)
    if (op_has_trait (recipe_step (recipe, k)->op, FV_PICKS_CHANNEL))
      return FALSE;
  return TRUE;
}

static void
lay_out_row (StepRow *row, gboolean of_image)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (texts), line);
  row->title = add_label (line, NULL, of_image ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE);
  row->result = add_number (line, FALSE); /* longer numbers widen no panel, which moves the image */
  row->values = add_values (line);
  add_tooltip (row, row->title);
  add_tooltip (row, row->result);
  add_tooltip (row, row->values);
  row->fault = add_label (texts, "caption", PANGO_ELLIPSIZE_NONE);
  gtk_label_set_wrap (row->fault, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (row->fault), FALSE);
  add_mendings (row, texts);
  if (!of_image) {
    row->eye = make_eye (row);
    gtk_widget_set_margin_start (row->eye, EDGE - 2); /* off what is dragged to make the panel wider */
    gtk_box_append (GTK_BOX (box), row->eye);
  }
  gtk_box_append (GTK_BOX (box), texts);
  row->time = add_number (box, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (row->time), "numeric");
  gtk_widget_set_margin_start (texts, of_image ? EDGE : 0);
  gtk_widget_set_margin_end (GTK_WIDGET (row->time), EDGE);
  gtk_widget_add_css_class (box, of_image ? "image-line" : "step-line");
  row->column = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (row->column, box);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), GTK_WIDGET (row->column));
}

/* ---- What it shows ---- */

/* What the row says, for those who hear it. */
static void
name_row (StepRow *row, const char *title, const char *numbers)
{
  g_autofree char *name = g_strdup_printf ("%s%s%s", title, numbers && *numbers ? " " : "", numbers ? numbers : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
fill_source (StepRow *row)
{
  const ImageInfo *info = image_info (document_source (document_of (row)));
  const char *path = document_path (document_of (row));
  g_autofree char *text = info == image_info (run_nothing ()) ? g_strdup ("") : shown_image (info);
  gtk_label_set_text (row->title, info->name);
  gtk_inscription_set_text (row->values, text);
  name_row (row, info->name, NULL);
  g_free (row->path);
  row->path = path ? g_filename_display_name (path) : NULL;
}

void
step_row_fill_values (StepRow *row)
{
  const Step *step = recipe_step (document_recipe (document_of (row)), (guint) index_of (row));
  if (row->step == step)
    return;
  g_autofree char *title = words_title (step->op), *values = shown_step (step);
  if (!row->step || row->step->op != step->op) {
    name_row (row, title, NULL);
    steady_text_set (row->result, "");
  }
  g_clear_pointer (&row->step, step_unref);
  row->step = step_ref (step);
  gtk_label_set_text (row->title, title);
  gtk_inscription_set_text (row->values, values);
  show_on (GTK_WIDGET (row), row->eye, step);
}

gboolean
step_row_is_of (const StepRow *row, const Step *step)
{
  return row->step && row->step->op == step->op && row->step->skipped == step->skipped;
}

/* Whether the row's numbers are those of steps before they were changed, and that may be for long. */
static gboolean
is_provisional (const StepRow *row, guint i)
{
  const Recipe *recipe = document_recipe (document_of (row));
  const Run *run = document_run (document_of (row));
  for (guint k = 0; k <= i && view_provisional (row->view); k++)
    if (k >= run_length (run) || run_result (run, k)->step != recipe_step (recipe, k))
      return TRUE;
  return FALSE;
}

/* What the step has given, as far as that is known: "≈ 4928 objects"; NULL when it has not. */
static char *
numbers_of (const StepRow *row, guint i)
{
  const RunStep *result = result_of (row, i);
  g_autofree char *numbers = result && result->done ? result_text (result) : NULL;
  return numbers && *numbers && is_provisional (row, i) ? g_strconcat ("≈ ", numbers, NULL)
                                                        : g_steal_pointer (&numbers);
}

/* Why the step failed, or else what it has left out. */
static void
say_fault (StepRow *row, const Step *step, const GError *error, const char *missed)
{
  const char *text = error ? fault_text (step, error) : missed ? missed : "";
  gtk_label_set_text (row->fault, text);
  gtk_widget_set_visible (GTK_WIDGET (row->fault), *text);
  if (error)
    gtk_widget_add_css_class (GTK_WIDGET (row->fault), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (row->fault), "error");
}

static void
fill_step (StepRow *row, guint i, const GError *error)
{
  const Step *step = recipe_step (document_recipe (document_of (row)), i);
  const RunStep *result = result_of (row, i);
  const gboolean provisional = is_provisional (row, i);
  g_autofree char *numbers = numbers_of (row, i), *time = NULL,
                  *missed = result ? missed_of_step (document_run (document_of (row)), i) : NULL;
  if (result && result->done && !error)
    time = text_from_ms (result->result.ms);
  step_row_fill_values (row);
  if (g_strcmp0 (gtk_inscription_get_text (row->result), numbers ? numbers : ""))
    name_row (row, gtk_label_get_text (row->title), numbers);
  steady_text_set (row->result, numbers ? numbers : "");
  gtk_widget_set_visible (GTK_WIDGET (row->result), numbers && *numbers);
  style_set_provisional (GTK_WIDGET (row->result), provisional);
  style_set_provisional (GTK_WIDGET (row->time), provisional);
  steady_text_set (row->time, time ? time : "");
  say_fault (row, step, error, missed);
  gtk_widget_set_visible (row->repair, error && wants_channel (row, i, error));
  gtk_widget_set_visible (row->consent, error && !native_is_allowed (step->op, step->args));
}

void
step_row_fill (StepRow *row, const GError *error)
{
  int index = index_of (row);
  if (index < 0)
    fill_source (row);
  else
    fill_step (row, (guint) index, error);
}

void
step_row_look_chosen (StepRow *row, gboolean chosen)
{
  GtkWidget *line = gtk_widget_get_first_child (GTK_WIDGET (row->column));
  if (chosen)
    gtk_widget_set_state_flags (line, GTK_STATE_FLAG_SELECTED, FALSE);
  else
    gtk_widget_unset_state_flags (line, GTK_STATE_FLAG_SELECTED);
}

void
step_row_set_below (StepRow *row, GtkWidget *below)
{
  GtkWidget *was = gtk_widget_get_next_sibling (gtk_widget_get_first_child (GTK_WIDGET (row->column)));
  if (was)
    gtk_box_remove (row->column, was);
  if (below)
    gtk_box_append (row->column, below);
}

/* ---- The widget ---- */

static void
step_row_dispose (GObject *object)
{
  g_clear_object (&FOVEA_STEP_ROW (object)->view);
  G_OBJECT_CLASS (step_row_parent_class)->dispose (object);
}

static void
step_row_finalize (GObject *object)
{
  StepRow *row = FOVEA_STEP_ROW (object);
  g_free (row->path);
  g_clear_pointer (&row->step, step_unref);
  G_OBJECT_CLASS (step_row_parent_class)->finalize (object);
}

static void
step_row_class_init (StepRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = step_row_dispose;
  G_OBJECT_CLASS (class)->finalize = step_row_finalize;
  failed_signal =
    g_signal_new ("failed", STEP_ROW_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

/* Marks only the line of a selected row. The theme would give other colors to the whole row, with the form in it. */
static void
on_state (GtkWidget *row)
{
  if (gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_SELECTED)
    gtk_widget_unset_state_flags (row, GTK_STATE_FLAG_SELECTED);
}

static void
step_row_init (StepRow *row)
{
  g_signal_connect (row, "state-flags-changed", G_CALLBACK (on_state), NULL);
}

GtkWidget *
step_row_new (View *view, gboolean of_image)
{
  StepRow *row = g_object_new (STEP_ROW_TYPE, NULL);
  row->view = g_object_ref (view);
  lay_out_row (row, of_image);
  return GTK_WIDGET (row);
}
