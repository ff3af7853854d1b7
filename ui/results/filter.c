/* SPDX-License-Identifier: MIT
 *
 * One line for each column. An empty field sets no limit and shows the range of values as a hint. Columns of strings
 * have one field for a substring.
 */
#include "ui/results/filter.h"

#include "ui/results/column_names.h"
#include "core/base/text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <math.h>

typedef struct {
  ResultsModel *model;
  const char *key;
  GtkEditable *low, *high; /* or */
  GtkEditable *part;
} Line;

static void
line_free (gpointer data)
{
  Line *line = data;
  g_object_unref (line->model);
  g_free (line);
}

/* FALSE, and the field shows it, when it is neither a number nor empty. */
static gboolean
read_limit (GtkEditable *field, double none, double *limit)
{
  const char *text = gtk_editable_get_text (field);
  gboolean good = TRUE;
  *limit = none;
  if (*text)
    good = text_to_number (text, limit);
  if (good)
    gtk_widget_remove_css_class (GTK_WIDGET (field), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (field), "error");
  gtk_widget_set_tooltip_text (GTK_WIDGET (field), good ? NULL : _ ("A number with a decimal point, such as 12.5"));
  gtk_accessible_update_state (GTK_ACCESSIBLE (field), GTK_ACCESSIBLE_STATE_INVALID,
                               good ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE, -1);
  return good;
}

static void
on_edited (Line *line)
{
  double low, high;
  if (line->part) {
    results_model_set_part (line->model, line->key, gtk_editable_get_text (line->part));
    return;
  }
  gboolean good = read_limit (line->low, -INFINITY, &low);
  if (read_limit (line->high, INFINITY, &high) && good)
    results_model_set_range (line->model, line->key, low, high);
}

static void
clear_line (Line *line)
{
  if (line->part)
    gtk_editable_set_text (line->part, "");
  else {
    gtk_editable_set_text (line->low, "");
    gtk_editable_set_text (line->high, "");
  }
}

static void
clear_all (GPtrArray *lines)
{
  for (guint i = 0; i < lines->len; i++)
    clear_line (lines->pdata[i]);
}

static void
find_extremes (const TableColumn *column, double *low, double *high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (gint64 i = 0; i < column->rows; i++) {
    double value = column->values[i];
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
  }
}

/* text: what is in it. */
static GtkEditable *
make_field (const char *name, const char *text, const char *hint, const TableColumn *column)
{
  GtkWidget *field = gtk_entry_new ();
  g_autofree char *label = g_strdup_printf (_ ("%s of %s"), name, column->key);
  gtk_editable_set_text (GTK_EDITABLE (field), text);
  gtk_entry_set_placeholder_text (GTK_ENTRY (field), hint);
  gtk_editable_set_width_chars (GTK_EDITABLE (field), 10);
  gtk_accessible_update_property (GTK_ACCESSIBLE (field), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return GTK_EDITABLE (field);
}

static GtkEditable *
make_limit (const char *name, double limit, double hint, const TableColumn *column)
{
  g_autofree char *text = isfinite (limit) ? text_from_number (limit) : g_strdup ("");
  g_autofree char *placeholder = isfinite (hint) ? results_model_text (hint, column->type) : g_strdup (name);
  GtkEditable *field = make_field (name, text, placeholder, column);
  gtk_widget_add_css_class (GTK_WIDGET (field), "numeric");
  return field;
}

static void
make_fields (Line *line, const TableColumn *column, GtkGrid *grid, int y)
{
  const RowRange *range = results_model_range (line->model, column->key);
  double low, high;
  if (column->type == FV_COLUMN_TEXT) {
    line->part = make_field (_ ("Part"), range && range->part ? range->part : "", _ ("A part of the text"), column);
    gtk_grid_attach (grid, GTK_WIDGET (line->part), 1, y, 3, 1);
    g_signal_connect_swapped (line->part, "changed", G_CALLBACK (on_edited), line);
    return;
  }
  find_extremes (column, &low, &high);
  line->low = make_limit (_ ("Least"), range ? range->low : NAN, low, column);
  line->high = make_limit (_ ("Most"), range ? range->high : NAN, high, column);
  gtk_grid_attach (grid, GTK_WIDGET (line->low), 1, y, 1, 1);
  gtk_grid_attach (grid, gtk_label_new ("…"), 2, y, 1, 1);
  gtk_grid_attach (grid, GTK_WIDGET (line->high), 3, y, 1, 1);
  g_signal_connect_swapped (line->low, "changed", G_CALLBACK (on_edited), line);
  g_signal_connect_swapped (line->high, "changed", G_CALLBACK (on_edited), line);
}

static Line *
make_line (ResultsModel *model, const TableColumn *column, GtkGrid *grid, int y)
{
  Line *line = g_new (Line, 1);
  g_autofree char *header = column_names_header (column), *help = g_strdup_printf (_ ("No limits for %s"), column->key);
  GtkWidget *name = gtk_label_new (header), *clear = button_with_icon ("edit-clear-symbolic", help);
  *line = (Line){.model = g_object_ref (model), .key = g_intern_string (column->key)};
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_tooltip_text (name, *column->help ? words_shown (column->help) : NULL);
  gtk_grid_attach (grid, name, 0, y, 1, 1);
  make_fields (line, column, grid, y);
  gtk_grid_attach (grid, clear, 4, y, 1, 1);
  g_signal_connect_swapped (clear, "clicked", G_CALLBACK (clear_line), line);
  return line;
}

GtkWidget *
results_filter_new (ResultsModel *model)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *scroller = gtk_scrolled_window_new ();
  GtkWidget *grid = gtk_grid_new (), *clear = gtk_button_new_with_mnemonic (_ ("Clear _All"));
  GtkWidget *title = gtk_label_new (_ ("Show only rows with values in these ranges"));
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);
  Table *table = results_model_table (model);
  for (guint j = 0; table && j < table_columns (table); j++)
    g_ptr_array_add (lines, make_line (model, table_column (table, j), GTK_GRID (grid), (int) j));
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "dim-label");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 420);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), grid);
  gtk_widget_set_halign (clear, GTK_ALIGN_END);
  g_signal_connect_swapped (clear, "clicked", G_CALLBACK (clear_all), lines);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), clear);
  g_object_set_data_full (G_OBJECT (box), "lines", lines, (GDestroyNotify) g_ptr_array_unref);
  return box;
}
