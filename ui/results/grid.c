/* SPDX-License-Identifier: MIT
 *
 * Columns are rebuilt only when they change. Otherwise visible cells read their values again, so that nothing moves
 * while a slider is dragged.
 */
#include "ui/results/grid.h"

#include "ui/results/column_names.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

enum { WIDEST = 40 }; /* characters of a column before one drags it */

struct _ResultsGrid {
  GObject parent;
  ResultsModel *model;
  GtkColumnView *list;
  char *headers;      /* of the columns there are, to tell whether others came */
  GHashTable *hidden; /* keys of columns, interned */
  GHashTable *cells;  /* GtkListItem * -> number of its column; more than can be seen */
  GHashTable *stale;  /* those of them that still show values from before */
  GArray *widths;     /* int for each column: characters of the longest figure shown so far */
  guint filler;       /* fills them when there is nothing else to do */
  guint waker;        /* gives it its rows again when there is nothing else to do */
  int bottom;         /* the last row that was seen before it rested; -1: none */
};

G_DEFINE_FINAL_TYPE (ResultsGrid, results_grid, G_TYPE_OBJECT)

/* ---- Cells ---- */

/* A column is as wide as its longest figure, and never gets narrower while it is there: nothing is cut, and little moves. */
static void
widen (ResultsGrid *self, guint j, int characters)
{
  GHashTableIter iter;
  gpointer item, column;
  g_array_index (self->widths, int, j) = characters;
  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &item, &column))
    if (GPOINTER_TO_UINT (column) == j)
      gtk_inscription_set_min_chars (GTK_INSCRIPTION (gtk_list_item_get_child (item)), (guint) characters);
}

static void
fill_cell (ResultsGrid *self, GtkListItem *item, guint j)
{
  const Table *table = results_model_table (self->model);
  gint64 row = results_model_row (self->model, gtk_list_item_get_position (item));
  g_autofree char *text = NULL;
  if (table && row >= 0 && j < table_columns (table))
    text = results_model_cell (table_column (table, j), row);
  GtkInscription *cell = GTK_INSCRIPTION (gtk_list_item_get_child (item));
  int characters = text ? (int) MIN (g_utf8_strlen (text, -1), WIDEST) : 0;
  if (characters > g_array_index (self->widths, int, j))
    widen (self, j, characters);
  if (g_strcmp0 (text, gtk_inscription_get_text (cell)))
    gtk_inscription_set_text (cell, text);
}

/* Every digit, and what the column is. */
static gboolean
on_tooltip (GtkWidget *cell, int x, int y, gboolean keyboard, GtkTooltip *tooltip, GtkListItem *item)
{
  ResultsGrid *self = g_object_get_data (G_OBJECT (cell), "grid");
  const Table *table = results_model_table (self->model);
  gint64 row = results_model_row (self->model, gtk_list_item_get_position (item));
  guint j = GPOINTER_TO_UINT (g_hash_table_lookup (self->cells, item));
  (void) x, (void) y, (void) keyboard;
  if (!table || row < 0 || j >= table_columns (table))
    return FALSE;
  g_autofree char *value = table_text (table_column (table, j), row);
  g_autofree char *text =
    g_strdup_printf ("%s %s", *value ? value : _ ("Missing value"), *value ? table_column (table, j)->unit : "");
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
on_setup (ResultsGrid *self, GtkListItem *item)
{
  GtkWidget *cell = gtk_inscription_new (NULL);
  g_object_set_data (G_OBJECT (cell), "grid", self);
  g_object_set_data (G_OBJECT (cell), "item", item);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell), GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_widget_add_css_class (cell, "numeric");
  gtk_widget_set_has_tooltip (cell, TRUE);
  g_signal_connect (cell, "query-tooltip", G_CALLBACK (on_tooltip), item);
  gtk_list_item_set_child (item, cell);
}

static void
on_bind (ResultsGrid *self, GtkListItem *item, GtkListItemFactory *factory)
{
  guint j = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "column"));
  GtkInscription *cell = GTK_INSCRIPTION (gtk_list_item_get_child (item));
  gtk_inscription_set_xalign (cell, g_object_get_data (G_OBJECT (factory), "texts") ? 0 : 1);
  gtk_inscription_set_min_chars (cell, (guint) g_array_index (self->widths, int, j));
  g_hash_table_insert (self->cells, item, GUINT_TO_POINTER (j));
  g_hash_table_remove (self->stale, item);
  fill_cell (self, item, j);
}

static void
on_unbind (ResultsGrid *self, GtkListItem *item)
{
  g_hash_table_remove (self->cells, item);
  g_hash_table_remove (self->stale, item);
}

/* GTK has two hundred rows at hand, of which ten are seen: those at once, the others bit by bit. */
static gboolean
fill_stale (gpointer data)
{
  ResultsGrid *self = data;
  GHashTableIter iter;
  gpointer item;
  g_hash_table_iter_init (&iter, self->stale);
  for (int i = 0; i < 200 && g_hash_table_iter_next (&iter, &item, NULL); i++) {
    g_hash_table_iter_remove (&iter);
    fill_cell (self, item, GPOINTER_TO_UINT (g_hash_table_lookup (self->cells, item)));
  }
  if (g_hash_table_size (self->stale))
    return G_SOURCE_CONTINUE;
  self->filler = 0;
  return G_SOURCE_REMOVE;
}

/* All rows are as high as the first one with an allocation; 0 if none has one. */
static double
row_height (const ResultsGrid *self)
{
  GHashTableIter iter;
  gpointer item;
  int height = 0;
  g_hash_table_iter_init (&iter, self->cells);
  while (!height && g_hash_table_iter_next (&iter, &item, NULL))
    height = gtk_widget_get_height (gtk_widget_get_parent (gtk_widget_get_parent (gtk_list_item_get_child (item))));
  return height;
}

static void
fill_cells (ResultsGrid *self)
{
  GtkAdjustment *at = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  double row = row_height (self), top = gtk_adjustment_get_value (at) - row;
  double bottom = top + gtk_adjustment_get_page_size (at) + 2 * row;
  GHashTableIter iter;
  gpointer item, j;
  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &item, &j)) {
    double y = gtk_list_item_get_position (item) * row;
    if (y >= top && y <= bottom)
      fill_cell (self, item, GPOINTER_TO_UINT (j));
    else
      g_hash_table_add (self->stale, item);
  }
  if (g_hash_table_size (self->stale) && !self->filler)
    self->filler = g_idle_add_full (G_PRIORITY_LOW, fill_stale, self, NULL);
}

/* ---- Columns ---- */

/* The sorter of each column: says that it was asked, and that the first of two is smaller. */
static int
answer_probe (gconstpointer first, gconstpointer second, gpointer column)
{
  (void) second;
  g_object_set_data ((GObject *) first, "column", column);
  return -1;
}

/* GTK 4.8 tells which header was clicked only by how the sorter of the whole view compares. */
static void
on_sorter (ResultsGrid *self, GtkSorterChange change, GtkSorter *sorter)
{
  g_autoptr (GObject) first = g_object_new (G_TYPE_OBJECT, NULL), second = g_object_new (G_TYPE_OBJECT, NULL);
  gboolean descending = gtk_sorter_compare (sorter, first, second) == GTK_ORDERING_LARGER;
  GObject *column = g_object_get_data (first, "column");
  (void) change;
  results_model_sort (self->model, column ? g_object_get_data (column, "key") : NULL, descending);
}

static void
add_column (ResultsGrid *self, const TableColumn *column, guint j)
{
  g_autofree char *header = column_names_header (column);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) made = gtk_column_view_column_new (header, factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (answer_probe, made, NULL));
  g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (j));
  g_object_set_data (G_OBJECT (factory), "texts", column->texts);
  g_object_set_data (G_OBJECT (made), "key", (gpointer) g_intern_string (column->key));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, G_CONNECT_SWAPPED);
  gtk_column_view_column_set_sorter (made, sorter);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_column_set_visible (made, !g_hash_table_contains (self->hidden, g_intern_string (column->key)));
  gtk_column_view_append_column (self->list, made);
}

/* Headers above their numbers, with the columns' help; GTK has no call for either. */
static void
dress_headers (ResultsGrid *self, const Table *table)
{
  GtkWidget *header = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (self->list)));
  for (guint j = 0; header && j < table_columns (table); j++, header = gtk_widget_get_next_sibling (header)) {
    const TableColumn *column = table_column (table, j);
    if (gtk_widget_get_first_child (header))
      gtk_widget_set_halign (gtk_widget_get_first_child (header),
                             column->type == FV_COLUMN_TEXT ? GTK_ALIGN_START : GTK_ALIGN_END);
    gtk_widget_set_tooltip_text (header, *column->help ? words_shown (column->help) : NULL);
  }
}

static char *
headers_of (const Table *table)
{
  GString *s = g_string_new (NULL);
  for (guint j = 0; j < table_columns (table); j++) {
    g_autofree char *header = column_names_header (table_column (table, j));
    g_string_append_printf (s, "%s\t", header);
  }
  return g_string_free (s, FALSE);
}

static GtkColumnViewColumn *
column_of_key (GListModel *columns, const char *key)
{
  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    if (g_object_get_data (G_OBJECT (column), "key") == key)
      return column;
  }
  return NULL;
}

/* Before a figure was shown: a number of objects, or one of about five digits. */
static void
begin_widths (ResultsGrid *self, const Table *table)
{
  g_array_set_size (self->widths, 0);
  for (guint j = 0; j < table_columns (table); j++) {
    int characters = table_column (table, j)->type == FV_COLUMN_INTEGER ? 4 : 7;
    g_array_append_val (self->widths, characters);
  }
}

static void
make_columns (ResultsGrid *self, const Table *table)
{
  GListModel *columns = gtk_column_view_get_columns (self->list);
  gboolean descending;
  const char *sort = results_model_sorted (self->model, &descending);
  while (g_list_model_get_n_items (columns)) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);
    gtk_column_view_remove_column (self->list, column);
  }
  begin_widths (self, table);
  for (guint j = 0; j < table_columns (table); j++)
    add_column (self, table_column (table, j), j);
  dress_headers (self, table);
  GtkColumnViewColumn *sorted = column_of_key (columns, sort);
  if (sorted)
    gtk_column_view_sort_by_column (self->list, sorted, descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

/* Columns may have come, and others gone: of those that are there. */
gboolean
results_grid_hides (const ResultsGrid *self)
{
  const Table *table = results_model_table (self->model);
  for (guint j = 0; table && j < table_columns (table); j++)
    if (g_hash_table_contains (self->hidden, g_intern_string (table_column (table, j)->key)))
      return TRUE;
  return FALSE;
}

static void
show_columns (ResultsGrid *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->list);
  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    gboolean hidden = g_hash_table_contains (self->hidden, g_object_get_data (G_OBJECT (column), "key"));
    gtk_column_view_column_set_visible (column, !hidden);
  }
}

void
results_grid_hide (ResultsGrid *self, const char *key)
{
  g_hash_table_add (self->hidden, (gpointer) g_intern_string (key));
  show_columns (self);
}

void
results_grid_show_all (ResultsGrid *self)
{
  g_hash_table_remove_all (self->hidden);
  show_columns (self);
}

void
results_grid_sort (ResultsGrid *self, const char *key, gboolean descending)
{
  GListModel *columns = gtk_column_view_get_columns (self->list);
  GtkColumnViewColumn *column = key ? column_of_key (columns, g_intern_string (key)) : NULL;
  gtk_column_view_sort_by_column (self->list, column, descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

/* Which of the headers has the widget in it; -1: none. */
static int
header_of (const ResultsGrid *self, GtkWidget *under)
{
  GtkWidget *header = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (self->list)));
  for (int j = 0; header; j++, header = gtk_widget_get_next_sibling (header))
    if (under == header || gtk_widget_is_ancestor (under, header))
      return j;
  return -1;
}

gboolean
results_grid_find (const ResultsGrid *self, GtkWidget *widget, double x, double y, ResultsTarget *target)
{
  GtkWidget *under = gtk_widget_pick (widget, x, y, GTK_PICK_DEFAULT);
  int header = under ? header_of (self, under) : -1;
  if (header >= 0) {
    *target = (ResultsTarget){GTK_INVALID_LIST_POSITION, (guint) header};
    return TRUE;
  }
  if (under && !GTK_IS_INSCRIPTION (under)) /* beside the text of a cell */
    under = gtk_widget_get_first_child (under);
  GtkListItem *item = under ? g_object_get_data (G_OBJECT (under), "item") : NULL;
  if (!item || !g_hash_table_contains (self->cells, item))
    return FALSE;
  *target =
    (ResultsTarget){gtk_list_item_get_position (item), GPOINTER_TO_UINT (g_hash_table_lookup (self->cells, item))};
  return TRUE;
}

/* ---- The object ---- */

GtkColumnView *
results_grid_list (const ResultsGrid *self)
{
  return self->list;
}

static void
scroll_to (ResultsGrid *self, guint position)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->list)); child;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

/* Two hundred rows take GTK longer than a frame: the image comes first. */
static gboolean
wake (gpointer data)
{
  ResultsGrid *self = data;
  self->waker = 0;
  gtk_column_view_set_model (self->list, GTK_SELECTION_MODEL (self->model));
  if (self->bottom >= 0)
    scroll_to (self, (guint) self->bottom);
  return G_SOURCE_REMOVE;
}

void
results_grid_rest (ResultsGrid *self, gboolean resting)
{
  GtkAdjustment *at = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  const double row = row_height (self), top = gtk_adjustment_get_value (at);
  if (!resting) {
    self->waker = g_idle_add_full (G_PRIORITY_LOW, wake, self, NULL);
    return;
  }
  if (gtk_column_view_get_model (self->list))
    self->bottom = row > 0 && top > 0 ? (int) ((top + gtk_adjustment_get_page_size (at)) / row) - 1 : -1;
  g_clear_handle_id (&self->waker, g_source_remove);
  gtk_column_view_set_model (self->list, NULL);
}

void
results_grid_update (ResultsGrid *self)
{
  const Table *table = results_model_table (self->model);
  g_autofree char *headers = headers_of (table);
  if (*headers && g_strcmp0 (headers, self->headers)) {
    g_free (self->headers);
    self->headers = g_steal_pointer (&headers);
    make_columns (self, table);
  }
  fill_cells (self);
}

static void
results_grid_finalize (GObject *object)
{
  ResultsGrid *self = FOVEA_RESULTS_GRID (object);
  g_clear_handle_id (&self->filler, g_source_remove);
  g_clear_handle_id (&self->waker, g_source_remove);
  g_hash_table_unref (self->hidden);
  g_hash_table_unref (self->cells);
  g_hash_table_unref (self->stale);
  g_array_unref (self->widths);
  g_object_unref (self->list);
  g_object_unref (self->model);
  g_free (self->headers);
  G_OBJECT_CLASS (results_grid_parent_class)->finalize (object);
}

static void
results_grid_class_init (ResultsGridClass *class)
{
  G_OBJECT_CLASS (class)->finalize = results_grid_finalize;
}

static void
results_grid_init (ResultsGrid *self)
{
  self->hidden = g_hash_table_new (NULL, NULL);
  self->cells = g_hash_table_new (NULL, NULL);
  self->stale = g_hash_table_new (NULL, NULL);
  self->widths = g_array_new (FALSE, TRUE, sizeof (int));
}

ResultsGrid *
results_grid_new (ResultsModel *model)
{
  ResultsGrid *self = g_object_new (RESULTS_GRID_TYPE, NULL);
  self->model = g_object_ref (model);
  self->list = g_object_ref_sink (GTK_COLUMN_VIEW (gtk_column_view_new (NULL)));
  gtk_column_view_set_model (self->list, GTK_SELECTION_MODEL (model));
  gtk_column_view_set_show_column_separators (self->list, TRUE);
  gtk_column_view_set_reorderable (self->list, FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "data-table");
  g_signal_connect_object (gtk_column_view_get_sorter (self->list), "changed", G_CALLBACK (on_sorter), self,
                           G_CONNECT_SWAPPED);
  return self;
}
