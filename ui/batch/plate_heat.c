/* SPDX-License-Identifier: MIT
 *
 * The rows are counted on a thread (core/measure/by_text.h). All rows count, filtered or not.
 */
#include "ui/batch/plate_heat.h"

#include "core/figure/lut_colors.h"
#include "core/files/plate/index.h"
#include "core/measure/by_text.h"
#include "ui/plot/plate_grid.h"
#include "ui/results/column_names.h"
#include "ui/widgets/naming.h"

#include <glib/gi18n.h>
#include <math.h>

#define COLORS "viridis"

struct _PlateHeat {
  GtkBox parent;
  ResultsModel *model;
  Modules *modules;
  GtkDropDown *column, *kind;
  GArray *columns; /* guint: those to choose from */
  char *headers;   /* of these */
  PlateGrid *grid;
  GtkLabel *legend;
  gboolean running, stale;
};

G_DEFINE_FINAL_TYPE (PlateHeat, plate_heat, GTK_TYPE_BOX)

static guint chosen_signal;

static const TableColumn *
wells_of (const Table *table)
{
  const TableColumn *wells = table ? table_find (table, "well") : NULL;
  return wells && wells->texts && wells->texts->len ? wells : NULL;
}

gboolean
plate_heat_suits (const Table *table)
{
  const TableColumn *wells = wells_of (table);
  gint row, column;
  for (guint i = 0; wells && i < wells->texts->len; i++)
    if (plate_well_parse (wells->texts->pdata[i], &row, &column))
      return TRUE;
  return FALSE;
}

/* ---- Counting, on its thread ---- */

typedef struct {
  Table *table;
  const TableColumn *wells, *values;
  ByTextKind kind;
  Modules *modules;
  double *numbers; /* made: for each text of the wells */
  Lut lut;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  table_unref (job->table);
  g_free (job->numbers);
  g_free (job);
}

static void
count_in_thread (GTask *task, gpointer self, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  (void) self, (void) cancellable;
  job->numbers = by_text (job->wells, job->values, job->kind);
  lut_colors (job->modules, COLORS, &job->lut, NULL);
  g_task_return_boolean (task, TRUE);
}

/* ---- Showing ---- */

typedef struct {
  int rows, columns;
  double low, high;
} Extent;

static Extent
extent_of (const Job *job)
{
  Extent e = {8, 12, INFINITY, -INFINITY};
  for (guint i = 0; i < job->wells->texts->len; i++) {
    gint row, column;
    if (!plate_well_parse (job->wells->texts->pdata[i], &row, &column))
      continue;
    if (row >= e.rows || column >= e.columns) {
      e.rows = row >= 16 || column >= 24 ? 32 : 16;
      e.columns = e.rows * 3 / 2;
    }
    if (isfinite (job->numbers[i])) {
      e.low = MIN (e.low, job->numbers[i]);
      e.high = MAX (e.high, job->numbers[i]);
    }
  }
  return e;
}

static void
show (PlateHeat *self, const Job *job)
{
  const Extent e = extent_of (job);
  g_autofree double *values = g_new (double, e.rows *e.columns);
  g_autofree char *legend = e.low <= e.high ? g_strdup_printf ("%.5g … %.5g", e.low, e.high) : g_strdup ("");
  for (int i = 0; i < e.rows * e.columns; i++)
    values[i] = NAN;
  plate_grid_set_size (self->grid, e.rows, e.columns);
  for (guint i = 0; i < job->wells->texts->len; i++) {
    gint row, column;
    if (!plate_well_parse (job->wells->texts->pdata[i], &row, &column))
      continue;
    g_autofree char *number = isfinite (job->numbers[i]) ? g_strdup_printf ("%.6g", job->numbers[i]) : NULL;
    values[row * e.columns + column] = job->numbers[i];
    plate_grid_set_well (self->grid, row, column, number);
  }
  plate_grid_set_values (self->grid, values, e.low, e.high, &job->lut);
  gtk_label_set_text (self->legend, legend);
}

static void start_counting (PlateHeat *self);

static void
counted (GObject *source, GAsyncResult *result, gpointer unused)
{
  PlateHeat *self = FOVEA_PLATE_HEAT (source);
  (void) unused;
  self->running = FALSE;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (self->stale)
    start_counting (self);
  else
    show (self, g_task_get_task_data (G_TASK (result)));
}

static void
start_counting (PlateHeat *self)
{
  Table *table = results_model_table (self->model);
  const TableColumn *wells = wells_of (table);
  const guint n = gtk_drop_down_get_selected (self->column);
  self->stale = self->running;
  if (self->running || !wells || n >= self->columns->len || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  Job *job = g_new0 (Job, 1);
  *job = (Job){table_ref (table),
               wells,
               table_column (table, g_array_index (self->columns, guint, n)),
               (ByTextKind) MIN (gtk_drop_down_get_selected (self->kind), BY_TEXT_KINDS - 1),
               self->modules,
               NULL,
               {{{0}}}};
  g_autoptr (GTask) task = g_task_new (self, NULL, counted, NULL);
  self->running = TRUE;
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, count_in_thread);
}

/* ---- Columns ---- */

static void
on_changed (PlateHeat *self)
{
  const Table *table = results_model_table (self->model);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *headers = NULL;
  guint first = 0;
  g_array_set_size (self->columns, 0);
  for (guint j = 0; table && j < table_columns (table); j++) {
    const TableColumn *column = table_column (table, j);
    if (column->type == FV_COLUMN_TEXT)
      continue;
    if (!first && self->columns->len && g_strcmp0 (column->key, "series") && g_strcmp0 (column->key, "frame")
        && g_strcmp0 (column->key, "label"))
      first = self->columns->len;
    g_ptr_array_add (names, column_names_header (column));
    g_array_append_val (self->columns, j);
  }
  g_ptr_array_add (names, NULL);
  headers = g_strjoinv ("\t", (char **) names->pdata);
  if (g_strcmp0 (headers, self->headers)) {
    g_autoptr (GtkStringList) list = gtk_string_list_new ((const char *const *) names->pdata);
    g_free (self->headers);
    self->headers = g_steal_pointer (&headers);
    gtk_drop_down_set_model (self->column, G_LIST_MODEL (list));
    gtk_drop_down_set_selected (self->column, first);
  }
  start_counting (self);
}

static void
on_chosen (PlateHeat *self, int row, int column)
{
  const TableColumn *wells = wells_of (results_model_table (self->model));
  for (guint i = 0; wells && i < wells->texts->len; i++) {
    gint y, x;
    if (plate_well_parse (wells->texts->pdata[i], &y, &x) && y == row && x == column) {
      g_signal_emit (self, chosen_signal, 0, wells->texts->pdata[i]);
      return;
    }
  }
}

/* ---- The object ---- */

static void
plate_heat_finalize (GObject *object)
{
  PlateHeat *self = FOVEA_PLATE_HEAT (object);
  g_array_unref (self->columns);
  g_free (self->headers);
  g_object_unref (self->model);
  G_OBJECT_CLASS (plate_heat_parent_class)->finalize (object);
}

static void
plate_heat_class_init (PlateHeatClass *class)
{
  G_OBJECT_CLASS (class)->finalize = plate_heat_finalize;
  chosen_signal =
    g_signal_new ("chosen", PLATE_HEAT_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
plate_heat_init (PlateHeat *self)
{
  self->columns = g_array_new (FALSE, FALSE, sizeof (guint));
}

static GtkDropDown *
add_choice (PlateHeat *self, GtkWidget *row, const char *label, const char *help, const char *const *names)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings (names);
  gtk_widget_set_tooltip_text (choice, help);
  naming_set (choice, label);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (start_counting), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), choice);
  return GTK_DROP_DOWN (choice);
}

GtkWidget *
plate_heat_new (ResultsModel *model, Modules *modules)
{
  /* As ByTextKind. */
  const char *const kinds[] = {_ ("Mean"), _ ("Median"), _ ("Standard deviation"), _ ("Number of rows"), NULL},
                    *const none[] = {NULL};
  PlateHeat *self = g_object_new (PLATE_HEAT_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *grid = plate_grid_new (24, 18),
            *legend = gtk_label_new (NULL);
  self->model = g_object_ref (model);
  self->modules = modules;
  self->column = add_choice (self, row, _ ("Column"), _ ("Column of the heat map"), none);
  self->kind = add_choice (self, row, _ ("Value of a well"), _ ("What is shown of the rows of each well"), kinds);
  self->grid = FOVEA_PLATE_GRID (grid);
  self->legend = GTK_LABEL (legend);
  gtk_widget_set_vexpand (grid, TRUE);
  gtk_widget_set_margin_start (GTK_WIDGET (self), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self), 12);
  gtk_widget_set_margin_top (GTK_WIDGET (self), 6);
  gtk_widget_add_css_class (legend, "dim-label");
  gtk_box_append (GTK_BOX (self), row);
  gtk_box_append (GTK_BOX (self), grid);
  gtk_box_append (GTK_BOX (self), legend);
  g_signal_connect_object (grid, "chosen", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (start_counting), NULL);
  on_changed (self);
  return GTK_WIDGET (self);
}
