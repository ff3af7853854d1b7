/* SPDX-License-Identifier: MIT
 *
 * A grid of labels: a line for each column of the table. Lines are made when there are more or fewer; else texts change.
 */
#include "ui/results/statistics.h"

#include "ui/results/column_names.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

enum { STATISTICS = 6 };

static GtkLabel *
label_at (GtkGrid *grid, int x, int y)
{
  GtkWidget *label = gtk_grid_get_child_at (grid, x, y);
  if (label)
    return GTK_LABEL (label);
  label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), x ? 1 : 0);
  gtk_widget_add_css_class (label, x && y ? "numeric" : "dim-label");
  gtk_grid_attach (grid, label, x, y, 1, 1);
  return GTK_LABEL (label);
}

static void
fill_line (GtkGrid *grid, int y, const TableColumn *column, const Summary *s)
{
  const Statistics *v = &s->statistics;
  const double values[STATISTICS] = {(double) v->count, v->mean, v->sd, v->min, s->median, v->max};
  g_autofree char *header = column_names_header (column);
  gtk_label_set_text (label_at (grid, 0, y), header);
  for (int x = 0; x < STATISTICS; x++) {
    gboolean whole = x == 0 || ((x == 3 || x == 5) && column->type == FV_COLUMN_INTEGER);
    g_autofree char *text = results_model_text (values[x], whole ? FV_COLUMN_INTEGER : FV_COLUMN_FLOAT);
    gtk_label_set_text (label_at (grid, x + 1, y), text);
  }
}

static void
on_changed (GtkGrid *grid, ResultsModel *model)
{
  const Table *table = results_model_table (model);
  const GArray *summaries = results_model_summaries (model);
  if (!summaries)
    return;
  for (guint j = 0; j < summaries->len; j++)
    fill_line (grid, (int) j + 1, table_column (table, j), &g_array_index (summaries, Summary, j));
  while (gtk_grid_get_child_at (grid, 0, (int) summaries->len + 1))
    gtk_grid_remove_row (grid, (int) summaries->len + 1);
}

GtkWidget *
results_statistics_new (ResultsModel *model)
{
  static const struct {
    const char *name, *help;
  } heads[] = {{N_ ("Count"), N_ ("Rows with a value")},
               {N_ ("Mean"), NULL},
               {N_ ("SD"), N_ ("Standard deviation of the sample")},
               {N_ ("Min"), NULL},
               {N_ ("Median"), NULL},
               {N_ ("Max"), NULL}};
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *scroller = gtk_scrolled_window_new ();
  GtkWidget *grid = gtk_grid_new ();
  for (int x = 0; x < STATISTICS; x++) {
    GtkLabel *label = label_at (GTK_GRID (grid), x + 1, 0);
    gtk_label_set_text (label, _ (heads[x].name));
    gtk_widget_set_tooltip_text (GTK_WIDGET (label), words_shown (heads[x].help));
  }
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_widget_set_margin_start (grid, 9);
  gtk_widget_set_margin_end (grid, 12);
  gtk_widget_set_margin_top (grid, 3);
  gtk_widget_set_margin_bottom (grid, 3);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_min_content_width (GTK_SCROLLED_WINDOW (scroller), 120);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), grid);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (box), scroller);
  g_signal_connect_object (model, "changed", G_CALLBACK (on_changed), grid, G_CONNECT_SWAPPED);
  return box;
}
