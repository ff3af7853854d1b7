/* SPDX-License-Identifier: MIT
 *
 * Rows are made anew when the steps change, and only filled in anew when results come.
 */
#include "ui/steps/steps_panel.h"

#include "core/base/error.h"
#include "ui/view/shown_value.h"
#include "ui/widgets/steady_text.h"
#include "ui/widgets/style.h"
#include "core/base/text.h"

#include <string.h>

struct _StepsPanel {
  GtkBox parent;
  View *view;
  GtkListBox *list; /* row 0 is the opened image */
  gboolean filling; /* selections are ours, not the user's */
};

G_DEFINE_FINAL_TYPE (StepsPanel, steps_panel, GTK_TYPE_BOX)

static guint failed_signal;

/* What a row shows. */
typedef struct {
  GtkLabel *title, *fault;
  GtkInscription *result, *time;
  GtkInscription *values;  /* other values need no other place, so that nothing moves while a slider is dragged */
  GtkWidget *eye, *repair; /* repair: a button that mends the fault */
  char *path;              /* of the opened image, or NULL */
  Step *step;              /* whose title and arguments it shows, or NULL */
} Parts;

static void
parts_free (gpointer data)
{
  Parts *parts = data;
  g_free (parts->path);
  g_clear_pointer (&parts->step, step_unref);
  g_free (parts);
}

static Document *
document_of (const StepsPanel *panel)
{
  return view_document (panel->view);
}

/* Takes the error. */
static void
say (StepsPanel *panel, GError *error)
{
  if (error)
    g_signal_emit (panel, failed_signal, 0, error->message);
  g_clear_error (&error);
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
    g_autofree char *count = text_count ((gint64) sum, op->fv.scalars[i].key);
    g_string_append (s, count);
  } else if (low < high)
    g_string_append_printf (s, "%s %.6g … %.6g", op->fv.scalars[i].key, low, high);
  else
    g_string_append_printf (s, "%s %.6g", op->fv.scalars[i].key, low);
}

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

/* Without the operation and the input, which the row and the sentence say. */
static const char *
fault_text (const Op *op, const GError *error)
{
  const char *text = error->message, *const words[] = {op->fv.key, step_error_field (error)};
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    gsize length = strlen (words[i]);
    if (length && !strncmp (text, words[i], length) && g_str_has_prefix (text + length, ": "))
      text += length + 2;
  }
  return text;
}

/* The result of step i, when the last run had the same steps up to there. */
static const RunStep *
result_of (const StepsPanel *panel, guint i)
{
  const Recipe *recipe = document_recipe (document_of (panel));
  const Run *run = document_run (document_of (panel));
  if (i >= run_length (run) || run_result (run, i)->step->op != recipe_step (recipe, i)->op)
    return NULL;
  return run_result (run, i);
}

/* ---- Rows ---- */

static void
on_eye (GtkToggleButton *eye, StepsPanel *panel)
{
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (eye), GTK_TYPE_LIST_BOX_ROW);
  guint place = (guint) gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)) - 1;
  document_skip_step (document_of (panel), place, !gtk_toggle_button_get_active (eye));
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
add_figures (GtkWidget *box, gboolean whole)
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
  g_autofree char *title = op_title (step->op), *name = g_strdup_printf ("%s is %s", title, on ? "on" : "off");
  if (gtk_button_get_icon_name (GTK_BUTTON (eye)) && gtk_widget_has_css_class (row, "off") == !on)
    return;
  gtk_button_set_icon_name (GTK_BUTTON (eye), on ? "view-reveal-symbolic" : "view-conceal-symbolic");
  gtk_widget_set_tooltip_text (eye, on ? "Skip this step" : "Do this step again");
  gtk_accessible_update_property (GTK_ACCESSIBLE (eye), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (on)
    gtk_widget_remove_css_class (row, "off");
  else
    gtk_widget_add_css_class (row, "off");
}

static GtkWidget *
make_eye (StepsPanel *panel, const Step *step)
{
  GtkWidget *eye = gtk_toggle_button_new ();
  gtk_button_set_has_frame (GTK_BUTTON (eye), FALSE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (eye), !step->skipped);
  gtk_widget_set_valign (eye, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (eye, "step-eye");
  g_signal_connect (eye, "toggled", G_CALLBACK (on_eye), panel);
  return eye;
}

/* All of what may be cut off. Tooltips that are set and not asked for make GTK ask the display where the pointer is. */
static gboolean
on_tooltip (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip, const Parts *parts)
{
  const char *text = label == GTK_WIDGET (parts->values) ? gtk_inscription_get_text (parts->values) : parts->path;
  (void) x, (void) y, (void) keyboard;
  gtk_tooltip_set_text (tooltip, text);
  return text && *text;
}

static void
add_tooltip (GtkWidget *label, Parts *parts)
{
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (on_tooltip), parts);
}

/* A first step that takes one channel; which one can be changed in its form, which comes up. */
static void
on_repair (StepsPanel *panel)
{
  g_autofree char *step = g_strdup_printf ("channel index=%" G_GINT64_FORMAT, view_channel (panel->view));
  GError *error = NULL;
  if (document_add_step (document_of (panel), 0, step, &error))
    view_set_place (panel->view, 0);
  say (panel, error);
}

static GtkWidget *
make_repair (StepsPanel *panel)
{
  GtkWidget *button = gtk_button_new_with_label ("Use One Channel");
  gtk_widget_set_tooltip_text (button, "Adds a first step that takes one channel of the image");
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_set_margin_bottom (button, 4);
  gtk_widget_set_visible (button, FALSE);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_repair), panel, G_CONNECT_SWAPPED);
  return button;
}

/* Whether step i may have failed because nobody chose a channel. */
static gboolean
wants_channel (const StepsPanel *panel, guint i, const GError *error)
{
  const Recipe *recipe = document_recipe (document_of (panel));
  if (!g_error_matches (error, STEP_ERROR, FV_BAD_INPUT)
      || image_info (document_source (document_of (panel)))->channels < 2)
    return FALSE;
  for (guint k = 0; k <= i; k++)
    if (!strcmp (recipe_step (recipe, k)->op->fv.key, "channel"))
      return FALSE;
  return TRUE;
}

/* step: NULL for the opened image. */
static void
add_row (StepsPanel *panel, const Step *step)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  Parts *parts = g_new0 (Parts, 1);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (texts), line);
  parts->title = add_label (line, NULL, step ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_MIDDLE);
  parts->result = add_figures (line, FALSE); /* longer numbers widen no panel, which moves the image */
  parts->values = add_values (line);
  add_tooltip (GTK_WIDGET (parts->title), parts);
  add_tooltip (GTK_WIDGET (parts->values), parts);
  parts->fault = add_label (texts, "caption", PANGO_ELLIPSIZE_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (parts->fault), "error");
  gtk_label_set_wrap (parts->fault, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (parts->fault), FALSE);
  gtk_box_append (GTK_BOX (texts), parts->repair = make_repair (panel));
  if (step) {
    parts->eye = make_eye (panel, step);
    gtk_box_append (GTK_BOX (box), parts->eye);
  }
  gtk_box_append (GTK_BOX (box), texts);
  parts->time = add_figures (box, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (parts->time), "numeric");
  gtk_widget_set_margin_start (box, step ? 4 : 10);
  gtk_widget_set_margin_end (box, 10);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "parts", parts, parts_free);
  gtk_list_box_append (panel->list, row);
}

static Parts *
parts_of (const StepsPanel *panel, int i)
{
  return g_object_get_data (G_OBJECT (gtk_list_box_get_row_at_index (panel->list, i)), "parts");
}

/* What the row says, for those who hear it. */
static void
name_row (const StepsPanel *panel, int i, const char *title, const char *numbers)
{
  g_autofree char *name = g_strdup_printf ("%s%s%s", title, numbers && *numbers ? " " : "", numbers ? numbers : "");
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (panel->list, i);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
fill_source (StepsPanel *panel)
{
  const ImageInfo *info = image_info (document_source (document_of (panel)));
  g_autofree char *text = image_info_text (info);
  Parts *parts = parts_of (panel, 0);
  gtk_label_set_text (parts->title, info->name);
  gtk_inscription_set_text (parts->values, text);
  name_row (panel, 0, info->name, NULL);
  const char *path = document_path (document_of (panel));
  g_autofree char *shown = path ? g_filename_display_name (path) : NULL;
  g_free (parts->path);
  parts->path = g_steal_pointer (&shown);
}

/* What the step itself says: nothing to do for one that is shown already. */
static void
fill_values (StepsPanel *panel, guint i)
{
  const Step *step = recipe_step (document_recipe (document_of (panel)), i);
  Parts *parts = parts_of (panel, (int) i + 1);
  if (parts->step == step)
    return;
  g_autofree char *title = op_title (step->op), *values = shown_args (step->op, step->args);
  if (!parts->step)
    name_row (panel, (int) i + 1, title, NULL);
  g_clear_pointer (&parts->step, step_unref);
  parts->step = step_ref (step);
  gtk_label_set_text (parts->title, title);
  gtk_inscription_set_text (parts->values, values);
  show_on (GTK_WIDGET (gtk_list_box_get_row_at_index (panel->list, (int) i + 1)), parts->eye, step);
}

/* Whether the row's numbers are those of steps before they were changed, and that may be for long. */
static gboolean
is_provisional (const StepsPanel *panel, guint i)
{
  const Recipe *recipe = document_recipe (document_of (panel));
  const Run *run = document_run (document_of (panel));
  for (guint k = 0; k <= i && view_provisional (panel->view); k++)
    if (k >= run_length (run) || run_result (run, k)->step != recipe_step (recipe, k))
      return TRUE;
  return FALSE;
}

/* What the step has given, as far as that is known: "≈ 4928 objects"; NULL when it has not. */
static char *
numbers_of (const StepsPanel *panel, guint i)
{
  const RunStep *result = result_of (panel, i);
  g_autofree char *numbers = result && result->done ? result_text (result) : NULL;
  return numbers && *numbers && is_provisional (panel, i) ? g_strconcat ("≈ ", numbers, NULL)
                                                          : g_steal_pointer (&numbers);
}

static void
fill_step (StepsPanel *panel, guint i, const GError *error)
{
  const Step *step = recipe_step (document_recipe (document_of (panel)), i);
  const RunStep *result = result_of (panel, i);
  Parts *parts = parts_of (panel, (int) i + 1);
  g_autofree char *numbers = numbers_of (panel, i), *time = NULL;
  if (result && result->done && !error)
    time = text_from_ms (result->result.ms);
  fill_values (panel, i);
  if (g_strcmp0 (gtk_inscription_get_text (parts->result), numbers ? numbers : ""))
    name_row (panel, (int) i + 1, gtk_label_get_text (parts->title), numbers);
  steady_text_set (parts->result, numbers ? numbers : "");
  gtk_widget_set_visible (GTK_WIDGET (parts->result), numbers && *numbers);
  style_set_provisional (GTK_WIDGET (parts->result), is_provisional (panel, i));
  style_set_provisional (GTK_WIDGET (parts->time), is_provisional (panel, i));
  steady_text_set (parts->time, time ? time : "");
  gtk_label_set_text (parts->fault, error ? fault_text (step->op, error) : "");
  gtk_widget_set_visible (GTK_WIDGET (parts->fault), error != NULL);
  gtk_widget_set_visible (parts->repair, error && wants_channel (panel, i, error));
}

static void
fill_rows (StepsPanel *panel)
{
  guint n = recipe_length (document_recipe (document_of (panel))), place;
  const GError *error = document_error (document_of (panel), &place);
  fill_source (panel);
  for (guint i = 0; i < n; i++)
    fill_step (panel, i, i == place ? error : NULL);
}

/* Once the rows have their places: brings the selected one into view. */
static gboolean
scroll_to_selected (gpointer data)
{
  StepsPanel *panel = data;
  GtkListBoxRow *row = panel->view ? gtk_list_box_get_selected_row (panel->list) : NULL;
  GtkAdjustment *adjustment = gtk_list_box_get_adjustment (panel->list);
  graphene_rect_t box;
  if (row && adjustment && gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (panel->list), &box))
    gtk_adjustment_clamp_page (adjustment, (double) box.origin.y, (double) (box.origin.y + box.size.height));
  g_object_unref (panel);
  return G_SOURCE_REMOVE;
}

static void
select_place (StepsPanel *panel)
{
  panel->filling = TRUE;
  gtk_list_box_select_row (panel->list, gtk_list_box_get_row_at_index (panel->list, view_place (panel->view) + 1));
  panel->filling = FALSE;
  g_timeout_add (50, scroll_to_selected, g_object_ref (panel));
}

static void
rebuild (StepsPanel *panel)
{
  const Recipe *recipe = document_recipe (document_of (panel));
  GtkListBoxRow *row;
  panel->filling = TRUE;
  while ((row = gtk_list_box_get_row_at_index (panel->list, 0)))
    gtk_list_box_remove (panel->list, GTK_WIDGET (row));
  panel->filling = FALSE;
  add_row (panel, NULL);
  for (guint i = 0; i < recipe_length (recipe); i++)
    add_row (panel, recipe_step (recipe, i));
  fill_rows (panel);
  select_place (panel);
}

/* Values of the same steps need no new rows. */
static void
on_steps (StepsPanel *panel)
{
  const Recipe *recipe = document_recipe (document_of (panel));
  guint n = recipe_length (recipe);
  gboolean same =
    gtk_list_box_get_row_at_index (panel->list, (int) n) && !gtk_list_box_get_row_at_index (panel->list, (int) n + 1);
  for (guint i = 0; i < n && same; i++) {
    const Step *step = recipe_step (recipe, i);
    const Parts *parts = parts_of (panel, (int) i + 1);
    same =
      parts->step->op == step->op && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (parts->eye)) == !step->skipped;
  }
  if (!same)
    rebuild (panel);
  for (guint i = 0; i < n && same; i++)
    fill_values (panel, i);
}

/* ---- Changing ---- */

static void
on_selected (StepsPanel *panel, GtkListBoxRow *row)
{
  if (row && !panel->filling)
    view_set_place (panel->view, gtk_list_box_row_get_index (row) - 1);
}

/* A row is chosen when it is pressed: by the release it may have gone, or the pointer may have left it. Its buttons are not the
 * row, and a finger may be about to scroll. */
static void
on_pressed (StepsPanel *panel, int presses, double x, double y, GtkGesture *click)
{
  GtkWidget *under = gtk_widget_pick (GTK_WIDGET (panel->list), x, y, GTK_PICK_DEFAULT);
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (panel->list, (int) y);
  (void) presses;
  if (row && under && !gtk_widget_get_ancestor (under, GTK_TYPE_BUTTON)
      && !gtk_gesture_single_get_current_sequence (GTK_GESTURE_SINGLE (click)))
    gtk_list_box_select_row (panel->list, row);
}

static void
move_step (StepsPanel *panel, int by)
{
  int place = view_place (panel->view), n = (int) recipe_length (document_recipe (document_of (panel)));
  GError *error = NULL;
  if (place < 0 || place + by < 0 || place + by >= n)
    return;
  if (document_move_step (document_of (panel), (guint) place, (guint) (place + by), &error))
    view_set_place (panel->view, place + by);
  say (panel, error);
}

static void
delete_step (StepsPanel *panel)
{
  int place = view_place (panel->view);
  GError *error = NULL;
  if (place >= 0)
    document_remove_step (document_of (panel), (guint) place, &error);
  say (panel, error);
}

static gboolean
on_key (StepsPanel *panel, guint key, guint code, GdkModifierType state)
{
  (void) code;
  if (key == GDK_KEY_Delete)
    delete_step (panel);
  else if (key == GDK_KEY_Up && state & GDK_ALT_MASK)
    move_step (panel, -1);
  else if (key == GDK_KEY_Down && state & GDK_ALT_MASK)
    move_step (panel, 1);
  else
    return FALSE;
  return TRUE;
}

static void
on_up (StepsPanel *panel)
{
  move_step (panel, -1);
}

static void
on_down (StepsPanel *panel)
{
  move_step (panel, 1);
}

/* ---- The widget ---- */

static void
add_button (GtkWidget *box, const char *icon, const char *help, GCallback clicked, StepsPanel *panel)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, help, -1);
  g_signal_connect_object (button, "clicked", clicked, panel, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), button);
}

static GtkWidget *
make_footer (StepsPanel *panel)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *add = gtk_button_new_with_mnemonic ("+ _Add a step…");
  gtk_button_set_has_frame (GTK_BUTTON (add), FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (add), "win.find-command");
  gtk_widget_set_hexpand (add, TRUE);
  gtk_widget_set_halign (add, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), add);
  add_button (box, "go-up-symbolic", "Move the step up (Alt+Up)", G_CALLBACK (on_up), panel);
  add_button (box, "go-down-symbolic", "Move the step down (Alt+Down)", G_CALLBACK (on_down), panel);
  add_button (box, "user-trash-symbolic", "Delete the step (Delete)", G_CALLBACK (delete_step), panel);
  return box;
}

static void
steps_panel_dispose (GObject *object)
{
  g_clear_object (&FOVEA_STEPS_PANEL (object)->view);
  G_OBJECT_CLASS (steps_panel_parent_class)->dispose (object);
}

static void
steps_panel_class_init (StepsPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = steps_panel_dispose;
  failed_signal =
    g_signal_new ("failed", STEPS_PANEL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
steps_panel_init (StepsPanel *panel)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *list = gtk_list_box_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  panel->list = GTK_LIST_BOX (list);
  gtk_widget_add_css_class (list, "steps");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, "Steps", -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (panel), scroller);
  gtk_box_append (GTK_BOX (panel), make_footer (panel));
  g_signal_connect_object (list, "row-selected", G_CALLBACK (on_selected), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (key, "key-pressed", G_CALLBACK (on_key), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (click, "pressed", G_CALLBACK (on_pressed), panel, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (list, key);
  gtk_widget_add_controller (list, GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
steps_panel_new (View *view)
{
  StepsPanel *panel = g_object_new (STEPS_PANEL_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  Document *document = view_document (view);
  panel->view = g_object_ref (view);
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (fill_rows), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "provisional", G_CALLBACK (fill_rows), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "place", G_CALLBACK (select_place), panel, G_CONNECT_SWAPPED);
  rebuild (panel);
  return GTK_WIDGET (panel);
}
