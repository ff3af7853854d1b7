/* SPDX-License-Identifier: MIT
 *
 * What is asked for (table, sort, filter) is made on a thread by one job at a time, each from the newest request, and shown
 * whole when it is there. Filter and sort are one array of row numbers.
 */
#include "ui/results/model.h"

#include <math.h>
#include <string.h>

struct _ResultsModel {
  GObject parent;
  /* Shown. */
  Table *table;
  GBytes *order;
  guint n;
  GtkBitset *selected; /* rows of the table */
  GtkBitset *reported; /* positions that were selected at the last signal */
  GArray *summaries;
  /* Wished for. */
  Table *next;
  GArray *ranges;
  const char *sort;
  gboolean descending, summarized;
  const TableColumn *figured; /* of the table that is shown, or NULL; its median */
  double median;
  gboolean running, stale, summary_due;
};

enum { CHANGED, RANGES, PICKED, SIGNALS };
static guint signals[SIGNALS];

static void list_interface (GListModelInterface *interface);
static void selection_interface (GtkSelectionModelInterface *interface);
G_DEFINE_FINAL_TYPE_WITH_CODE (ResultsModel, results_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_interface)
                                 G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, selection_interface))

/* ---- A job, on its thread ---- */

typedef struct {
  Table *table;
  GArray *ranges;
  const char *sort;
  gboolean descending, summarized;
  /* Made. */
  GBytes *order;
  GArray *summaries;
  const TableColumn *figured;
  double median;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  table_unref (job->table);
  g_array_unref (job->ranges);
  g_clear_pointer (&job->order, g_bytes_unref);
  g_clear_pointer (&job->summaries, g_array_unref);
  g_free (job);
}

static void
order_in_thread (GTask *task, gpointer model, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  (void) model, (void) cancellable;
  job->order = rows_order (job->table, job->ranges, job->sort, job->descending);
  job->figured = table_find_numbers (job->table, job->sort ? job->sort : "area");
  if (!job->figured && !job->sort)
    job->figured = table_find_numbers (job->table, "volume");
  if (job->figured)
    job->median = summary_median (job->figured, job->order);
  if (job->summarized)
    job->summaries = summary_of_table (job->table, job->order);
  g_task_return_boolean (task, TRUE);
}

/* ---- From the request to what is shown ---- */

/* Notifies only about changes, since GTK rebuilds each row that it is notified about. */
static void
tell_selection (ResultsModel *model)
{
  g_autoptr (GtkBitset) before = model->reported, changed = NULL;
  model->reported = gtk_selection_model_get_selection_in_range (GTK_SELECTION_MODEL (model), 0, model->n);
  changed = gtk_bitset_copy (model->reported);
  gtk_bitset_difference (changed, before);
  gtk_bitset_remove_range (changed, model->n, G_MAXUINT - model->n);
  while (!gtk_bitset_is_empty (changed)) {
    guint first = gtk_bitset_get_minimum (changed), n = 1;
    while (gtk_bitset_contains (changed, first + n))
      n++;
    gtk_bitset_remove_range (changed, first, n);
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (model), first, n);
  }
}

static void
show_job (ResultsModel *model, Job *job)
{
  guint before = model->n;
  if (job->summaries || job->table != model->table)
    g_clear_pointer (&model->summaries, g_array_unref);
  if (job->summaries)
    model->summaries = g_steal_pointer (&job->summaries);
  model->median = job->median;
  model->figured = job->figured;
  if (!model->table || table_rows (job->table) != table_rows (model->table))
    gtk_bitset_remove_all (model->selected);
  g_clear_pointer (&model->table, table_unref);
  model->table = table_ref (job->table);
  g_clear_pointer (&model->order, g_bytes_unref);
  model->order = g_steal_pointer (&job->order);
  model->n =
    model->order ? (guint) (g_bytes_get_size (model->order) / sizeof (guint32)) : (guint) table_rows (model->table);
  if (before != model->n)
    g_list_model_items_changed (G_LIST_MODEL (model), MIN (before, model->n), before > model->n ? before - model->n : 0,
                                model->n > before ? model->n - before : 0);
  tell_selection (model);
  g_signal_emit (model, signals[CHANGED], 0);
}

static void start_job (ResultsModel *model);

static void
made (GObject *source, GAsyncResult *result, gpointer data)
{
  ResultsModel *model = FOVEA_RESULTS_MODEL (source);
  (void) data;
  model->running = FALSE;
  show_job (model, g_task_get_task_data (G_TASK (result)));
  if (model->stale)
    start_job (model);
}

static void
start_job (ResultsModel *model)
{
  g_autoptr (GTask) task = NULL;
  Job *job;
  model->stale = model->running;
  if (model->running)
    return;
  job = g_new (Job, 1);
  *job = (Job){.table = table_ref (model->next),
               .ranges = g_array_copy (model->ranges),
               .sort = model->sort,
               .descending = model->descending,
               .summarized = model->summarized && model->summary_due};
  model->running = TRUE;
  model->summary_due &= !model->summarized;
  task = g_task_new (model, NULL, made, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, order_in_thread);
}

/* The rows that are shown become others. */
static void
start_anew (ResultsModel *model)
{
  model->summary_due = TRUE;
  start_job (model);
}

void
results_model_set_table (ResultsModel *model, Table *table)
{
  if (table && table == model->next)
    return;
  Table *next = table ? table_ref (table) : table_new ();
  table_unref (model->next);
  model->next = next;
  start_anew (model);
}

void
results_model_sort (ResultsModel *model, const char *key, gboolean descending)
{
  key = g_intern_string (key);
  if (key == model->sort && descending == model->descending)
    return;
  model->sort = key;
  model->descending = descending;
  start_job (model);
}

const char *
results_model_sorted (const ResultsModel *model, gboolean *descending)
{
  *descending = model->descending;
  return model->sort;
}

const RowRange *
results_model_range (const ResultsModel *model, const char *key)
{
  for (guint i = 0; i < model->ranges->len; i++)
    if (!strcmp (g_array_index (model->ranges, RowRange, i).key, key))
      return &g_array_index (model->ranges, RowRange, i);
  return NULL;
}

static void
set_range (ResultsModel *model, const RowRange *range)
{
  const RowRange *old = results_model_range (model, range->key);
  gboolean none = range->low == -INFINITY && range->high == INFINITY && !range->part;
  if (old ? old->low == range->low && old->high == range->high && old->part == range->part : none)
    return;
  if (old)
    g_array_remove_index (model->ranges, (guint) (old - (const RowRange *) model->ranges->data));
  if (!none)
    g_array_append_val (model->ranges, *range);
  start_anew (model);
  g_signal_emit (model, signals[RANGES], 0);
}

void
results_model_set_range (ResultsModel *model, const char *key, double low, double high)
{
  set_range (model, &(RowRange){g_intern_string (key), low, high, NULL});
}

void
results_model_set_part (ResultsModel *model, const char *key, const char *part)
{
  set_range (model, &(RowRange){g_intern_string (key), -INFINITY, INFINITY, *part ? g_intern_string (part) : NULL});
}

void
results_model_clear_ranges (ResultsModel *model)
{
  if (!model->ranges->len)
    return;
  g_array_set_size (model->ranges, 0);
  start_anew (model);
  g_signal_emit (model, signals[RANGES], 0);
}

gboolean
results_model_filtered (const ResultsModel *model)
{
  return model->ranges->len > 0;
}

void
results_model_set_summarized (ResultsModel *model, gboolean summarized)
{
  model->summarized = summarized;
  if (summarized && model->summary_due)
    start_job (model);
}

/* ---- What is shown ---- */

gboolean
results_model_settled (const ResultsModel *model)
{
  return !model->running;
}

Table *
results_model_table (const ResultsModel *model)
{
  return model->table;
}

GBytes *
results_model_order (const ResultsModel *model)
{
  return model->order;
}

const TableColumn *
results_model_median (const ResultsModel *model, double *median)
{
  *median = model->median;
  return model->n > 1 ? model->figured : NULL;
}

const GArray *
results_model_summaries (const ResultsModel *model)
{
  return model->summaries;
}

gint64
results_model_row (const ResultsModel *model, guint position)
{
  if (position >= model->n)
    return -1;
  return model->order ? ((const guint32 *) g_bytes_get_data (model->order, NULL))[position] : position;
}

/* A sky position to some thousandths of an arc second, as in catalogs. */
static char *
degrees_text (double degrees)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_strdup (isnan (degrees) ? "" : g_ascii_formatd (text, sizeof text, "%.6f", degrees));
}

char *
results_model_cell (const TableColumn *column, gint64 row)
{
  if (column->type == FV_COLUMN_TEXT)
    return table_text (column, row);
  return !strcmp (column->unit, "deg") ? degrees_text (column->values[row])
                                       : results_model_text (column->values[row], column->type);
}

char *
results_model_text (double value, fv_column_type type)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE], format[8] = "%.4e";
  double size = fabs (value);
  if (isnan (value))
    return g_strdup ("");
  if (value == 0 || (type == FV_COLUMN_INTEGER && size < 0x1p53))
    strcpy (format, "%.0f");
  else if (size >= 1e-4 && size < 1e9)
    g_snprintf (format, sizeof format, "%%.%df", MAX (0, 4 - (int) floor (log10 (size))));
  return g_strdup (g_ascii_formatd (text, sizeof text, format, value));
}

guint
results_model_position (const ResultsModel *model, gint64 row)
{
  for (guint i = 0; i < model->n; i++)
    if (results_model_row (model, i) == row)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

gint64
results_model_selected (const ResultsModel *model)
{
  guint64 n = gtk_bitset_get_size (model->selected);
  if (n == 1)
    return gtk_bitset_get_minimum (model->selected);
  return n ? -2 : -1;
}

void
results_model_select_row (ResultsModel *model, gint64 row)
{
  gtk_bitset_remove_all (model->selected);
  if (row >= 0)
    gtk_bitset_add (model->selected, (guint) row);
  tell_selection (model);
}

GBytes *
results_model_rows (const ResultsModel *model, gboolean selected)
{
  guint32 *rows = g_new (guint32, model->n);
  guint n = 0;
  for (guint i = 0; i < model->n; i++) {
    rows[n] = (guint32) results_model_row (model, i);
    n += !selected || gtk_bitset_contains (model->selected, rows[n]);
  }
  return g_bytes_new_take (rows, n * sizeof *rows);
}

/* ---- As a list ---- */

static GType
item_type (GListModel *list)
{
  (void) list;
  return G_TYPE_OBJECT;
}

static guint
item_count (GListModel *list)
{
  return FOVEA_RESULTS_MODEL (list)->n;
}

static gpointer
make_item (GListModel *list, guint position)
{
  return position < FOVEA_RESULTS_MODEL (list)->n ? g_object_new (G_TYPE_OBJECT, NULL) : NULL;
}

static void
list_interface (GListModelInterface *interface)
{
  interface->get_item_type = item_type;
  interface->get_n_items = item_count;
  interface->get_item = make_item;
}

/* ---- As a selection ---- */

static gboolean
is_selected (GtkSelectionModel *selection, guint position)
{
  ResultsModel *model = FOVEA_RESULTS_MODEL (selection);
  gint64 row = results_model_row (model, position);
  return row >= 0 && gtk_bitset_contains (model->selected, (guint) row);
}

static GtkBitset *
selection_in_range (GtkSelectionModel *selection, guint position, guint n)
{
  ResultsModel *model = FOVEA_RESULTS_MODEL (selection);
  GtkBitset *set = gtk_bitset_new_empty ();
  guint end = n < model->n - MIN (position, model->n) ? position + n : model->n;
  if (gtk_bitset_is_empty (model->selected))
    return set;
  for (guint i = position; i < end; i++)
    if (is_selected (selection, i))
      gtk_bitset_add (set, i);
  return set;
}

static gboolean
set_selection (GtkSelectionModel *selection, GtkBitset *selected, GtkBitset *mask)
{
  ResultsModel *model = FOVEA_RESULTS_MODEL (selection);
  GtkBitsetIter iter;
  guint i;
  if (gtk_bitset_contains (mask, 0) && gtk_bitset_get_size_in_range (mask, 0, MAX (model->n, 1) - 1) == model->n)
    gtk_bitset_remove_all (model->selected); /* those that are filtered out, too */
  else
    for (gboolean more = gtk_bitset_iter_init_first (&iter, mask, &i); more && i < model->n;
         more = gtk_bitset_iter_next (&iter, &i))
      gtk_bitset_remove (model->selected, (guint) results_model_row (model, i));
  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &i); more && i < model->n;
       more = gtk_bitset_iter_next (&iter, &i))
    if (gtk_bitset_contains (mask, i))
      gtk_bitset_add (model->selected, (guint) results_model_row (model, i));
  tell_selection (model);
  g_signal_emit (model, signals[PICKED], 0);
  return TRUE;
}

static void
selection_interface (GtkSelectionModelInterface *interface)
{
  interface->is_selected = is_selected;
  interface->get_selection_in_range = selection_in_range;
  interface->set_selection = set_selection;
}

/* ---- The object ---- */

static void
results_model_finalize (GObject *object)
{
  ResultsModel *model = FOVEA_RESULTS_MODEL (object);
  table_unref (model->table);
  table_unref (model->next);
  g_clear_pointer (&model->order, g_bytes_unref);
  g_clear_pointer (&model->summaries, g_array_unref);
  gtk_bitset_unref (model->selected);
  gtk_bitset_unref (model->reported);
  g_array_unref (model->ranges);
  G_OBJECT_CLASS (results_model_parent_class)->finalize (object);
}

static void
results_model_class_init (ResultsModelClass *class)
{
  static const char *const names[] = {"changed", "ranges", "picked"};
  G_OBJECT_CLASS (class)->finalize = results_model_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new (names[i], RESULTS_MODEL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
results_model_init (ResultsModel *model)
{
  model->selected = gtk_bitset_new_empty ();
  model->reported = gtk_bitset_new_empty ();
  model->next = table_new ();
  model->ranges = g_array_new (FALSE, FALSE, sizeof (RowRange));
  model->summary_due = TRUE;
}

ResultsModel *
results_model_new (void)
{
  return g_object_new (RESULTS_MODEL_TYPE, NULL);
}
