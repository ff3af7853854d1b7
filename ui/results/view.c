/* SPDX-License-Identifier: MIT
 *
 * A table with what there is to do with it, and the objects that are its rows.
 */
#include "ui/results/view.h"

#include "ui/form/choice_list.h"
#include "ui/results/column_names.h"
#include "ui/results/distribution.h"
#include "ui/results/export.h"
#include "ui/widgets/folding_row.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/redraw_whole.h"
#include "ui/widgets/steady_text.h"
#include "ui/widgets/style.h"
#include "ui/results/statistics.h"
#include "ui/results/filter.h"
#include "ui/results/grid.h"
#include "ui/results/menu.h"
#include "ui/steps/step_source.h"
#include "ui/results/objects.h"
#include "core/base/text.h"
#include "ui/widgets/times.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

struct _ResultsView {
  GtkBox parent;
  View *view;
  const char *name; /* what the table is */
  ResultsModel *model;
  ResultsGrid *grid;
  ResultsObjects *objects;
  ResultsExport *export;
  GtkInscription *title, *note;
  GtkWidget *show_all, *choose;
  GtkWidget *uses[5]; /* buttons for what there is to do with a table */
  GtkWidget *parts;   /* the table, and beside it or below: */
  GtkWidget *plot, *plot_box, *summary;
  StepInDocument step; /* makes the table */
  ParamSource source;  /* of its parameters */
  GtkWidget *foot;     /* what stands elsewhere */
  GtkInfoBar *bar;
  GtkLabel *message;
};

G_DEFINE_FINAL_TYPE (ResultsView, results_view, GTK_TYPE_BOX)

static guint wanted_signal;

/* ---- Live ---- */

/* Whether it is of steps before they were changed, and that may be for long. */
static gboolean
is_provisional (const ResultsView *self)
{
  const Table *table = results_model_table (self->model);
  return table && table_columns (table) && view_provisional (self->view)
         && table == run_last_table (document_run (view_document (self->view)));
}

/* The one that matters most: "area (µm²): median 312.40". Free with g_free(). */
static char *
figure_of (const ResultsView *self)
{
  double median;
  const TableColumn *column = results_model_median (self->model, &median);
  if (!column)
    return g_strdup ("");
  g_autofree char *header = column_names_header (column), *value = results_model_text (median, FV_COLUMN_FLOAT);
  return g_strdup_printf (_ ("%s: median %s"), header, value);
}

static void
fill_title (ResultsView *self, const Table *table)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  gint64 all = table_rows (table);
  const char *about = is_provisional (self) ? "≈ " : "";
  g_autofree char *text = NULL, *rows = words_count (all, "row", "rows");
  if (!table_columns (table))
    text = g_strdup_printf (_ ("%s: none"), self->name);
  else if (results_model_filtered (self->model))
    text = g_strdup_printf (_ ("%s: %s%u of %s"), self->name, about, n, rows);
  else
    text = g_strdup_printf ("%s: %s%s", self->name, about, rows);
  steady_text_set (self->title, text);
  g_autofree char *figure = figure_of (self);
  steady_text_set (self->note, is_provisional (self) ? _ ("before this change") : figure);
  gtk_widget_set_visible (self->show_all, results_model_filtered (self->model));
}

/* The step that makes the table, and its list of what to measure; NULL when the table is not of a step. */
static const fv_param *
measurements_of (const ResultsView *self, guint *index)
{
  const Document *document = view_document (self->view);
  const Recipe *recipe = document_recipe (document);
  const Table *table = results_model_table (self->model);
  if (table && table_columns (table) && table != run_last_table (document_run (document)))
    return NULL;
  for (*index = recipe_length (recipe); (*index)--;) {
    const Step *step = recipe_step (recipe, *index);
    for (guint i = 0; step->op->fv.kind == FV_TABLE && !step->skipped && i < step->op->n_params; i++)
      if (step->op->fv.params[i].type == FV_SET)
        return &step->op->fv.params[i];
  }
  return NULL;
}

static void
on_provisional (ResultsView *self)
{
  const Table *table = results_model_table (self->model);
  if (table)
    fill_title (self, table);
  style_set_provisional (GTK_WIDGET (results_grid_list (self->grid)), is_provisional (self));
  style_set_provisional (self->summary, is_provisional (self));
}

static void
on_changed (ResultsView *self)
{
  const Table *table = results_model_table (self->model);
  guint index;
  results_grid_update (self->grid);
  fill_title (self, table);
  times_event ("table", table_rows (table));
  gtk_widget_set_visible (self->choose, measurements_of (self, &index) != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (self->uses); i++)
    gtk_widget_set_sensitive (self->uses[i], table_columns (table) > 0);
}

/* Columns have other names: all that shows them hears of it. */
static void
on_names (ResultsView *self)
{
  if (results_model_table (self->model))
    g_signal_emit_by_name (self->model, "changed");
}

void
results_view_set_table (ResultsView *self, Table *table)
{
  results_model_set_table (self->model, table);
}

gboolean
results_view_settled (const ResultsView *self)
{
  return results_model_settled (self->model);
}

/* ---- Copy and export ---- */

static void
on_said (ResultsView *self, const char *text)
{
  steady_text_set (self->note, text);
  gtk_info_bar_set_revealed (self->bar, FALSE);
}

static void
on_failed (ResultsView *self, const char *text)
{
  steady_text_set (self->note, "");
  gtk_label_set_text (self->message, text);
  gtk_info_bar_set_revealed (self->bar, TRUE);
}

static void
on_copy (ResultsView *self)
{
  results_export_copy (self->export);
}

static gboolean
on_copy_key (GtkWidget *list, GVariant *arguments, gpointer self)
{
  (void) list, (void) arguments;
  on_copy (self);
  return TRUE;
}

static void
on_export (ResultsView *self)
{
  results_export_ask (self->export);
}

/* ---- The same as actions, for the menus over the table ---- */

static void
copy_rows (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  (void) action, (void) parameter;
  on_copy (self);
}

static void
export_rows (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  (void) action, (void) parameter;
  on_export (self);
}

static void
open_filter_of (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  (void) action, (void) parameter;
  gtk_menu_button_popup (GTK_MENU_BUTTON (FOVEA_RESULTS_VIEW (self)->uses[0]));
}

/* Of a column. */
static void
open_distribution (GSimpleAction *action, GVariant *key, gpointer data)
{
  ResultsView *self = data;
  (void) action;
  distribution_choose (FOVEA_DISTRIBUTION (self->plot), g_variant_get_string (key, NULL));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->uses[1]), TRUE);
}

static void
add_menus (ResultsView *self)
{
  static const GActionEntry entries[] = {
    {.name = "copy", .activate = copy_rows},
    {.name = "export", .activate = export_rows},
    {.name = "filter", .activate = open_filter_of},
    {.name = "distribution", .activate = open_distribution, .parameter_type = "s"},
  };
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  results_menu_add (GTK_WIDGET (self), G_ACTION_MAP (actions), self->grid, self->model);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "table", G_ACTION_GROUP (actions));
}

/* ---- Layout ---- */

static GtkWidget *
make_button (ResultsView *self, const char *icon, const char *label, const char *help, void (*clicked) (ResultsView *))
{
  GtkWidget *button = gtk_button_new ();
  folding_row_dress (button, icon, label, help);
  g_signal_connect_object (button, "clicked", G_CALLBACK (clicked), self, G_CONNECT_SWAPPED);
  return button;
}

static GtkWidget *
make_popover (GtkWidget *child)
{
  GtkWidget *popover = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (popover), child);
  return popover;
}

static GtkWidget *
make_menu (const char *icon, const char *label, const char *help)
{
  GtkWidget *button = gtk_menu_button_new ();
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  folding_row_dress (button, icon, label, help);
  return button;
}

/* What is to be measured, of the step as it is now. */
static void
open_choices (GtkMenuButton *button, gpointer view)
{
  ResultsView *self = view;
  self->step.document = view_document (self->view);
  const fv_param *param = measurements_of (self, &self->step.index);
  if (!param)
    return;
  self->source = step_source (&self->step);
  GtkWidget *popover = choice_list_popover_new (&self->source, param, GTK_WIDGET (button));
  GtkWidget *list = gtk_popover_get_child (GTK_POPOVER (popover));
  g_signal_connect_object (self->step.document, "steps", G_CALLBACK (choice_list_refresh), list, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->step.document, "results", G_CALLBACK (choice_list_refresh), list, G_CONNECT_SWAPPED);
  gtk_menu_button_set_popover (button, popover);
}

static void
open_filter (GtkMenuButton *button, gpointer model)
{
  gtk_menu_button_set_popover (button, make_popover (results_filter_new (model)));
}

static void
on_summary (GtkToggleButton *button, ResultsView *self)
{
  gboolean active = gtk_toggle_button_get_active (button);
  gtk_widget_set_visible (self->summary, active);
  results_model_set_summarized (self->model, active);
  if (active)
    g_signal_emit (self, wanted_signal, 0);
}

static void
on_distribution (GtkToggleButton *button, ResultsView *self)
{
  const gboolean active = gtk_toggle_button_get_active (button);
  gtk_widget_set_visible (self->plot_box, active);
  if (active)
    g_signal_emit (self, wanted_signal, 0);
}

static void
show_all (ResultsView *self)
{
  results_model_clear_ranges (self->model);
}

static GtkWidget *
make_title (ResultsView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->title = steady_text_new (TRUE);
  steady_text_set (self->title, self->name);
  self->note = steady_text_new (FALSE);
  steady_text_tell_all (self->note);
  gtk_widget_add_css_class (GTK_WIDGET (self->title), "heading");
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "dim-label");
  gtk_widget_set_hexpand (GTK_WIDGET (self->note), TRUE);
  gtk_widget_set_margin_start (GTK_WIDGET (self->note), 16);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->note));
  return box;
}

static GtkWidget *
make_header (ResultsView *self)
{
  GtkWidget *row = folding_row_new (), *summary = gtk_toggle_button_new (), *distribution = gtk_toggle_button_new ();
  GtkWidget *filter = make_menu ("table-filter-symbolic", _ ("Fi_lter…"), _ ("Show only rows with values in a range"));
  self->choose = make_menu ("table-columns-symbolic", _ ("_Measurements…"), _ ("Choose what is measured"));
  self->show_all = make_button (self, "edit-clear-all-symbolic", _ ("Show _All"), _ ("No filter"), show_all);
  gtk_widget_set_visible (self->show_all, FALSE);
  folding_row_dress (distribution, "table-plot-symbolic", _ ("_Distribution"),
                     _ ("Histogram of a column, or scatter plot of two"));
  g_signal_connect_object (distribution, "toggled", G_CALLBACK (on_distribution), self, 0);
  folding_row_dress (summary, "table-summary-symbolic", _ ("_Summary"),
                     _ ("Count, mean, standard deviation, extremes and median of each column"));
  g_signal_connect_object (summary, "toggled", G_CALLBACK (on_summary), self, 0);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->choose), open_choices, self, NULL);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (filter), open_filter, self->model, NULL);
  self->uses[0] = filter;
  self->uses[1] = distribution;
  self->uses[2] = summary;
  self->uses[3] = make_button (self, "edit-copy-symbolic", _ ("_Copy"),
                               _ ("Copy the selected rows, or all, as text (Ctrl+C)"), on_copy);
  self->uses[4] = make_button (self, "document-save-symbolic", _ ("E_xport CSV…"),
                               _ ("Save the rows shown as a CSV file"), on_export);
  gtk_box_append (GTK_BOX (row), make_title (self));
  gtk_box_append (GTK_BOX (row), self->show_all);
  gtk_box_append (GTK_BOX (row), self->choose);
  for (guint i = 0; i < G_N_ELEMENTS (self->uses); i++) {
    gtk_widget_set_sensitive (self->uses[i], FALSE);
    gtk_box_append (GTK_BOX (row), self->uses[i]);
  }
  return row;
}

static void
on_bar_response (GtkInfoBar *bar)
{
  gtk_info_bar_set_revealed (bar, FALSE);
}

static GtkWidget *
make_bar (ResultsView *self)
{
  self->bar = GTK_INFO_BAR (gtk_info_bar_new ());
  self->message = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_xalign (self->message, 0);
  gtk_info_bar_add_child (self->bar, GTK_WIDGET (self->message));
  gtk_info_bar_set_message_type (self->bar, GTK_MESSAGE_ERROR);
  gtk_info_bar_set_show_close_button (self->bar, TRUE);
  naming_set (GTK_WIDGET (self->bar), _ ("Close the message"));
  gtk_info_bar_set_revealed (self->bar, FALSE);
  g_signal_connect (self->bar, "response", G_CALLBACK (on_bar_response), NULL);
  return GTK_WIDGET (self->bar);
}

static GtkWidget *
make_list (ResultsView *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();
  GtkWidget *list;
  self->grid = results_grid_new (self->model);
  list = GTK_WIDGET (results_grid_list (self->grid));
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, self->name, -1);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_c, GDK_CONTROL_MASK),
                                                          gtk_callback_action_new (on_copy_key, self, NULL)));
  gtk_widget_add_controller (list, keys);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_min_content_width (GTK_SCROLLED_WINDOW (scroller), 140); /* beside the summary */
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static GtkWidget *
make_plot (ResultsView *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  self->plot = distribution_new (self->model);
  g_signal_connect_object (self->plot, "said", G_CALLBACK (on_said), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (self->plot, "beside-table");
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_min_content_width (GTK_SCROLLED_WINDOW (scroller), 120);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->plot);
  gtk_widget_set_visible (scroller, FALSE);
  return scroller;
}

static void
lay_out_results (ResultsView *self)
{
  self->parts = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append (GTK_BOX (self->parts), make_list (self));
  self->plot_box = make_plot (self);
  gtk_box_append (GTK_BOX (self->parts), self->plot_box);
  self->summary = results_statistics_new (self->model);
  gtk_widget_set_visible (self->summary, FALSE);
  gtk_box_append (GTK_BOX (self->parts), self->summary);
  gtk_widget_set_vexpand (self->parts, TRUE);
  gtk_box_append (GTK_BOX (self), self->parts);
  self->foot = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (GTK_BOX (self->foot), make_bar (self));
  gtk_box_append (GTK_BOX (self->foot), make_header (self));
}

void
results_view_rest (ResultsView *self, gboolean resting)
{
  results_grid_rest (self->grid, resting);
}

void
results_view_set_high (ResultsView *self, gboolean high)
{
  const GtkOrientation orientation = high ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->parts), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->plot), orientation);
}

GtkWidget *
results_view_foot (ResultsView *self)
{
  return self->foot;
}

/* ---- The object ---- */

static void
results_view_dispose (GObject *object)
{
  ResultsView *self = FOVEA_RESULTS_VIEW (object);
  g_clear_object (&self->foot);
  g_clear_object (&self->objects);
  g_clear_object (&self->export);
  g_clear_object (&self->grid);
  G_OBJECT_CLASS (results_view_parent_class)->dispose (object);
}

static void
results_view_finalize (GObject *object)
{
  ResultsView *self = FOVEA_RESULTS_VIEW (object);
  g_object_unref (self->view);
  g_object_unref (self->model);
  G_OBJECT_CLASS (results_view_parent_class)->finalize (object);
}

static void
results_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  redraw_whole (widget, snapshot);
  GTK_WIDGET_CLASS (results_view_parent_class)->snapshot (widget, snapshot);
}

static void
results_view_class_init (ResultsViewClass *class)
{
  GTK_WIDGET_CLASS (class)->snapshot = results_view_snapshot;
  G_OBJECT_CLASS (class)->dispose = results_view_dispose;
  G_OBJECT_CLASS (class)->finalize = results_view_finalize;
  wanted_signal = g_signal_new ("wanted", RESULTS_VIEW_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
results_view_init (ResultsView *self)
{
  self->model = results_model_new ();
}

GtkWidget *
results_view_new (View *view, const char *title)
{
  ResultsView *self = g_object_new (RESULTS_VIEW_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  self->view = g_object_ref (view);
  self->name = g_intern_string (title);
  lay_out_results (self);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "provisional", G_CALLBACK (on_provisional), self, G_CONNECT_SWAPPED);
  self->objects = results_objects_new (view, self->model, results_grid_list (self->grid));
  self->export = results_export_new (GTK_WIDGET (self), view, self->model, self->name);
  g_signal_connect_object (self->export, "said", G_CALLBACK (on_said), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->export, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  add_menus (self);
  column_names_connect (G_CALLBACK (on_names), self);
  return GTK_WIDGET (self);
}
