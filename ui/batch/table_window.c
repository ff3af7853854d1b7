/* SPDX-License-Identifier: MIT
 */
#include "ui/batch/table_window.h"

#include "ui/batch/plate_heat.h"
#include "core/base/text.h"
#include "core/measure/object_table.h"
#include "ui/results/column_names.h"
#include "ui/results/distribution.h"
#include "ui/results/statistics.h"
#include "ui/results/filter.h"
#include "ui/results/grid.h"
#include "ui/results/output.h"
#include "ui/widgets/folding_row.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

#define BATCH_TABLE_TYPE (batch_table_get_type ())
G_DECLARE_FINAL_TYPE (BatchTable, batch_table, FOVEA, BATCH_TABLE, GtkBox)

struct _BatchTable {
  GtkBox parent;
  Viewer *viewer;
  char *name, *folder, *steps; /* of the file; of the images; that made it */
  GHashTable *odd_names;       /* see runner.h */
  ResultsModel *model;
  ResultsGrid *grid;
  GtkLabel *title, *note;
  GtkWidget *show_all, *across, *summary, *plate, *heat;
};

G_DEFINE_FINAL_TYPE (BatchTable, batch_table, GTK_TYPE_BOX)

/* ---- Rows ---- */

static void
on_picked (BatchTable *self)
{
  const Table *table = results_model_table (self->model);
  gint64 row = results_model_selected (self->model);
  const TableColumn *file = table_find (table, "file"), *series = table_find_numbers (table, "series"),
                    *label = table_find_numbers (table, "label");
  if (row < 0 || !file || !file->texts)
    return;
  g_autofree char *shown = table_text (file, row);
  const char *odd = g_hash_table_lookup (self->odd_names, shown);
  g_autofree char *path = g_strconcat (self->folder, odd ? odd : shown, NULL);
  viewer_show (self->viewer,
               &(ViewerWish){.path = path,
                             .steps = self->steps,
                             .series = series && series->values[row] > 0 ? (guint) series->values[row] : 0,
                             .label = label && label->values[row] > 0 ? (int) label->values[row] : 0,
                             .channel = -1,
                             .slice = object_table_slice (table, row),
                             .frame = object_table_frame (table, row)});
}

static void
on_changed (BatchTable *self)
{
  const Table *table = results_model_table (self->model);
  gboolean filtered = results_model_filtered (self->model);
  g_autofree char *rows = words_count (table_rows (table), "row", "rows"),
                  *text = filtered ? g_strdup_printf (_ ("%s: %u of %s"), self->name,
                                                      g_list_model_get_n_items (G_LIST_MODEL (self->model)), rows)
                                   : g_strdup_printf ("%s: %s", self->name, rows);
  results_grid_update (self->grid);
  gtk_label_set_text (self->title, text);
  gtk_widget_set_visible (self->show_all, filtered);
  gtk_widget_set_visible (self->plate, plate_heat_suits (table));
}

static void
on_names (BatchTable *self)
{
  if (results_model_table (self->model))
    g_signal_emit_by_name (self->model, "changed");
}

/* ---- What there is to do ---- */

static void
on_copied (GObject *object, GAsyncResult *result, gpointer data)
{
  BatchTable *self = FOVEA_BATCH_TABLE (object);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = results_output_finish (result, &error);
  (void) data;
  if (gtk_widget_get_root (GTK_WIDGET (self)))
    gtk_label_set_text (self->note, text ? text : error->message);
}

/* The chosen rows, or all. */
static void
copy (BatchTable *self)
{
  gboolean chosen = results_model_selected (self->model) != -1;
  g_autoptr (GBytes) rows = results_model_rows (self->model, chosen);
  gtk_label_set_text (self->note, _ ("Copying…"));
  results_output_copy (results_model_table (self->model), rows, gtk_widget_get_clipboard (GTK_WIDGET (self)), on_copied,
                       self);
}

static gboolean
on_copy_key (GtkWidget *list, GVariant *arguments, gpointer self)
{
  (void) list, (void) arguments;
  copy (self);
  return TRUE;
}

static void
show_all (BatchTable *self)
{
  results_model_clear_ranges (self->model);
}

static void
on_summary (BatchTable *self, GtkToggleButton *button)
{
  gboolean active = gtk_toggle_button_get_active (button);
  gtk_widget_set_visible (self->summary, active);
  results_model_set_summarized (self->model, active);
}

static void
open_filter (GtkMenuButton *button, gpointer model)
{
  GtkWidget *popover = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (popover), results_filter_new (model));
  gtk_menu_button_set_popover (button, popover);
}

/* ---- Layout ---- */

/* label: with a mnemonic. */
static GtkWidget *
dress (GtkWidget *button, const char *icon, const char *label, const char *help)
{
  folding_row_dress (button, icon, label, help);
  return button;
}

static GtkWidget *
make_distribution (BatchTable *self)
{
  GtkWidget *button = dress (gtk_menu_button_new (), "table-plot-symbolic", _ ("_Distribution…"),
                             _ ("Histogram of a column, or scatter plot of two"));
  GtkWidget *popover = gtk_popover_new (), *plot = distribution_new (self->model);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (plot), GTK_ORIENTATION_VERTICAL);
  gtk_popover_set_child (GTK_POPOVER (popover), plot);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  return button;
}

/* The first row of a well is selected, which opens its image. */
static void
on_well (BatchTable *self, const char *well)
{
  const TableColumn *wells = table_find (results_model_table (self->model), "well");
  for (gint64 row = 0; row < wells->rows; row++)
    if (wells->values[row] >= 0 && !strcmp (wells->texts->pdata[(guint) wells->values[row]], well)) {
      results_model_select_row (self->model, row);
      on_picked (self);
      return;
    }
}

static void
on_plate (BatchTable *self, GtkToggleButton *button)
{
  gtk_widget_set_visible (self->heat, gtk_toggle_button_get_active (button));
}

static GtkWidget *
make_title (BatchTable *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->title = GTK_LABEL (gtk_label_new (NULL));
  self->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->title), "heading");
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "dim-label");
  gtk_label_set_ellipsize (self->title, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_ellipsize (self->note, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->note, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->note), TRUE);
  gtk_widget_set_margin_start (box, 6);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->note));
  return box;
}

static GtkWidget *
make_header (BatchTable *self)
{
  GtkWidget *row = folding_row_new ();
  GtkWidget *filter = dress (gtk_menu_button_new (), "table-filter-symbolic", _ ("Fi_lter…"),
                             _ ("Show only rows with values in a range"));
  GtkWidget *summary = dress (gtk_toggle_button_new (), "table-summary-symbolic", _ ("_Summary"),
                              _ ("Count, mean, standard deviation, extremes and median of each column"));
  GtkWidget *copied = dress (gtk_button_new (), "edit-copy-symbolic", _ ("_Copy"),
                             _ ("Copy the selected rows, or all, as text (Ctrl+C)"));
  self->plate = dress (gtk_toggle_button_new (), "view-grid-symbolic", _ ("_Plate"),
                       _ ("Heat map of a column over the wells of the plate"));
  gtk_widget_set_visible (self->plate, FALSE);
  self->show_all = dress (gtk_button_new (), "edit-clear-all-symbolic", _ ("Show _All"), _ ("No filter"));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (filter), open_filter, self->model, NULL);
  g_signal_connect_object (summary, "toggled", G_CALLBACK (on_summary), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plate, "toggled", G_CALLBACK (on_plate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (copied, "clicked", G_CALLBACK (copy), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->show_all, "clicked", G_CALLBACK (show_all), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (row, "toolbar");
  gtk_box_append (GTK_BOX (row), make_title (self));
  gtk_box_append (GTK_BOX (row), self->show_all);
  gtk_box_append (GTK_BOX (row), filter);
  gtk_box_append (GTK_BOX (row), make_distribution (self));
  gtk_box_append (GTK_BOX (row), self->plate);
  gtk_box_append (GTK_BOX (row), summary);
  gtk_box_append (GTK_BOX (row), copied);
  return row;
}

static GtkWidget *
make_list (BatchTable *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *list = GTK_WIDGET (results_grid_list (self->grid));
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("<Control>c"),
                                                          gtk_callback_action_new (on_copy_key, self, NULL)));
  gtk_widget_add_controller (list, keys);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Results of the batch"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_min_content_width (GTK_SCROLLED_WINDOW (scroller), 140); /* beside the summary */
  gtk_widget_set_hexpand (scroller, TRUE);
  return scroller;
}

/* ---- The object ---- */

static void
batch_table_dispose (GObject *object)
{
  g_clear_object (&FOVEA_BATCH_TABLE (object)->grid);
  G_OBJECT_CLASS (batch_table_parent_class)->dispose (object);
}

static void
batch_table_finalize (GObject *object)
{
  BatchTable *self = FOVEA_BATCH_TABLE (object);
  g_object_unref (self->viewer);
  g_object_unref (self->model);
  g_free (self->name);
  g_free (self->folder);
  g_free (self->steps);
  g_hash_table_unref (self->odd_names);
  G_OBJECT_CLASS (batch_table_parent_class)->finalize (object);
}

static void
batch_table_class_init (BatchTableClass *class)
{
  G_OBJECT_CLASS (class)->dispose = batch_table_dispose;
  G_OBJECT_CLASS (class)->finalize = batch_table_finalize;
}

static void
batch_table_init (BatchTable *self)
{
  GtkWidget *across = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->model = results_model_new ();
  self->grid = results_grid_new (self->model);
  self->summary = results_statistics_new (self->model);
  gtk_widget_set_visible (self->summary, FALSE);
  gtk_box_append (GTK_BOX (across), make_list (self));
  gtk_box_append (GTK_BOX (across), self->summary);
  gtk_widget_set_vexpand (across, TRUE);
  self->across = across;
  gtk_box_append (GTK_BOX (self), make_header (self));
  gtk_box_append (GTK_BOX (self), across);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "picked", G_CALLBACK (on_picked), self, G_CONNECT_SWAPPED);
  column_names_connect (G_CALLBACK (on_names), self);
}

void
table_window_show (GtkWindow *parent, Runner *runner, Viewer *viewer)
{
  const RunnerTask *task = runner_task (runner);
  GtkBox *box = side_window_show (parent, "batch-table", _ ("Results of the Batch"), 860, 480);
  BatchTable *self = g_object_new (BATCH_TABLE_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  self->heat = plate_heat_new (self->model, shell_modules (FOVEA_SHELL (parent)));
  gtk_widget_set_visible (self->heat, FALSE);
  gtk_box_append (GTK_BOX (self->across), self->heat);
  g_signal_connect_object (self->heat, "chosen", G_CALLBACK (on_well), self, G_CONNECT_SWAPPED);
  self->viewer = g_object_ref (viewer);
  self->name = g_filename_display_basename (task->table);
  self->folder = g_strdup (runner_input_folder (runner));
  self->steps = recipe_format (task->recipe);
  self->odd_names = g_hash_table_ref (runner_odd_names (runner));
  gtk_box_append (box, GTK_WIDGET (self));
  results_model_set_table (self->model, runner_table (runner));
}
