/* SPDX-License-Identifier: MIT
 *
 * A results table as a list to show: sorted, filtered and with selected rows. The items of the list are empty; what a row
 * shows is asked for by its position, so that a million rows cost nothing until they are seen.
 */
#ifndef UI_RESULTS_MODEL_H
#define UI_RESULTS_MODEL_H

#include "core/measure/summary.h"
#include "core/measure/rows.h"

#include <gtk/gtk.h>

#define RESULTS_MODEL_TYPE (results_model_get_type ())
/* A GtkSelectionModel. Sorting and filtering happen on a thread: "changed" comes when table, order or summary have become
 * others, after the list has said how many rows it lost or won at its end. "ranges" comes at once when a filter changes,
 * "picked" when the user has selected something. */
G_DECLARE_FINAL_TYPE (ResultsModel, results_model, FOVEA, RESULTS_MODEL, GObject)

ResultsModel *results_model_new (void);

/* Sort, filter and, when there are as many rows, the selection stay. NULL: no rows. */
void results_model_set_table (ResultsModel *model, Table *table);
/* Whether what is shown is all that was wished for. */
gboolean results_model_settled (const ResultsModel *model);
/* The table that is shown, NULL before the first, and where its row of a position is; -1: beyond the end. */
Table *results_model_table (const ResultsModel *model);
gint64 results_model_row (const ResultsModel *model, guint position);
/* GTK_INVALID_LIST_POSITION when the row is filtered out. */
guint results_model_position (const ResultsModel *model, gint64 row);
/* A value in about five digits, with a decimal point. Free with g_free(). */
char *results_model_text (double value, fv_column_type type);
/* The same for a row of the table; a text as it is. */
char *results_model_cell (const TableColumn *column, gint64 row);
/* guint32 rows in the order shown; NULL: all as they come. */
GBytes *results_model_order (const ResultsModel *model);

/* Missing values last. key: NULL for as they come. */
void results_model_sort (ResultsModel *model, const char *key, gboolean descending);
/* By which column, interned; NULL: none. */
const char *results_model_sorted (const ResultsModel *model, gboolean *descending);
/* NULL when that column is not filtered. */
const RowRange *results_model_range (const ResultsModel *model, const char *key);
/* From -INFINITY to INFINITY: no filter. */
void results_model_set_range (ResultsModel *model, const char *key, double low, double high);
/* For a column of strings, case-insensitive. "": no filter. */
void results_model_set_part (ResultsModel *model, const char *key, const char *part);
void results_model_clear_ranges (ResultsModel *model);
gboolean results_model_filtered (const ResultsModel *model);

/* Whether summaries are made; and those of all columns of the table, Summary, or NULL: none yet. */
void results_model_set_summarized (ResultsModel *model, gboolean summarized);
const GArray *results_model_summaries (const ResultsModel *model);

/* The median of the column that the rows are sorted by, or else of the areas, as the rows are shown; NULL: of none, or there
 * are not two rows. */
const TableColumn *results_model_median (const ResultsModel *model, double *median);

/* The one selected row of the table; -1: none, -2: several. */
gint64 results_model_selected (const ResultsModel *model);
/* -1: none. */
void results_model_select_row (ResultsModel *model, gint64 row);

/* The rows shown, or the selected ones of them, as guint32 in the order shown. */
GBytes *results_model_rows (const ResultsModel *model, gboolean selected);

#endif
