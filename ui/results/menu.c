/* SPDX-License-Identifier: MIT
 *
 * An item carries what it is about: the key of its column, and a value.
 */
#include "ui/results/menu.h"

#include "ui/results/column_names.h"
#include "ui/widgets/context_menu.h"

#include <glib/gi18n.h>
#include <math.h>

typedef struct {
  GtkWidget *pane;
  GActionMap *actions;
  ResultsGrid *grid;
  ResultsModel *model;
} Menu;

/* ---- Actions ---- */

static void
sort (GSimpleAction *action, GVariant *by, gpointer data)
{
  const char *key;
  gboolean descending;
  (void) action;
  g_variant_get (by, "(&sb)", &key, &descending);
  results_grid_sort (((Menu *) data)->grid, *key ? key : NULL, descending);
}

static void
hide_column (GSimpleAction *action, GVariant *key, gpointer data)
{
  (void) action;
  results_grid_hide (((Menu *) data)->grid, g_variant_get_string (key, NULL));
}

static void
show_columns (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void) action, (void) parameter;
  results_grid_show_all (((Menu *) data)->grid);
}

/* One limit changes, the other stays. */
static void
limit (const Menu *m, GVariant *by, gboolean upper)
{
  const char *key;
  double value;
  g_variant_get (by, "(&sd)", &key, &value);
  const RowRange *range = results_model_range (m->model, key);
  results_model_set_range (m->model, key, upper ? range ? range->low : -INFINITY : value,
                           upper   ? value
                           : range ? range->high
                                   : INFINITY);
}

static void
keep_above (GSimpleAction *action, GVariant *by, gpointer data)
{
  (void) action;
  limit (data, by, FALSE);
}

static void
keep_below (GSimpleAction *action, GVariant *by, gpointer data)
{
  (void) action;
  limit (data, by, TRUE);
}

static void
keep_text (GSimpleAction *action, GVariant *by, gpointer data)
{
  const char *key, *text;
  (void) action;
  g_variant_get (by, "(&s&s)", &key, &text);
  results_model_set_part (((Menu *) data)->model, key, text);
}

static void
show_rows (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void) action, (void) parameter;
  results_model_clear_ranges (((Menu *) data)->model);
}

static const GActionEntry entries[] = {
  {.name = "sort", .activate = sort, .parameter_type = "(sb)"},
  {.name = "hide-column", .activate = hide_column, .parameter_type = "s"},
  {.name = "show-columns", .activate = show_columns},
  {.name = "keep-above", .activate = keep_above, .parameter_type = "(sd)"},
  {.name = "keep-below", .activate = keep_below, .parameter_type = "(sd)"},
  {.name = "keep-text", .activate = keep_text, .parameter_type = "(ss)"},
  {.name = "show-rows", .activate = show_rows},
};

/* ---- Menus ---- */

static GMenu *
section (GMenu *menu)
{
  g_autoptr (GMenu) part = g_menu_new ();
  g_menu_append_section (menu, NULL, G_MENU_MODEL (part));
  return part;
}

/* target: floating. */
static void
add (GMenu *part, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (part, item);
}

/* An underscore is not a mnemonic. */
static char *
escaped (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);
  return g_strjoinv ("__", parts);
}

static void
add_limits (GMenu *part, const TableColumn *column, gint64 row)
{
  g_autofree char *value = results_model_cell (column, row), *header = column_names_header (column);
  g_autofree char *about = escaped (column->texts ? value : header);
  if (column->texts) {
    g_autofree char *only = g_strdup_printf (_ ("Only “%s”"), about);
    add (part, only, "table.keep-text", g_variant_new ("(ss)", column->key, value));
  } else if (!isnan (column->values[row])) {
    g_autofree char *above = g_strdup_printf (_ ("Only %s ≥ %s"), about, value),
                    *below = g_strdup_printf (_ ("Only %s ≤ %s"), about, value);
    add (part, above, "table.keep-above", g_variant_new ("(sd)", column->key, column->values[row]));
    add (part, below, "table.keep-below", g_variant_new ("(sd)", column->key, column->values[row]));
  }
}

static void
add_rows (GMenu *menu)
{
  GMenu *part = section (menu);
  g_autoptr (GMenuItem) copy = g_menu_item_new (_ ("_Copy Rows"), "table.copy");
  add (part, _ ("_Filter…"), "table.filter", NULL);
  add (part, _ ("Show _All Rows"), "table.show-rows", NULL);
  add (part, _ ("Sho_w All Columns"), "table.show-columns", NULL);
  part = section (menu);
  g_menu_item_set_attribute (copy, "accel", "s", "<Control>c");
  g_menu_append_item (part, copy);
  add (part, _ ("E_xport CSV…"), "table.export", NULL);
}

static GMenuModel *
of_row (const Menu *m, const ResultsTarget *at)
{
  GMenu *menu = g_menu_new ();
  add (section (menu), _ ("Zoom to _Object"), "win.zoom-object", NULL);
  if (at) {
    const Table *table = results_model_table (m->model);
    if (!gtk_selection_model_is_selected (GTK_SELECTION_MODEL (m->model), at->position))
      gtk_selection_model_select_item (GTK_SELECTION_MODEL (m->model), at->position, TRUE);
    add_limits (section (menu), table_column (table, at->column), results_model_row (m->model, at->position));
  }
  add_rows (menu);
  return G_MENU_MODEL (menu);
}

static GMenuModel *
of_header (const TableColumn *column)
{
  GMenu *menu = g_menu_new (), *part = section (menu);
  add (part, _ ("Sort _Ascending"), "table.sort", g_variant_new ("(sb)", column->key, FALSE));
  add (part, _ ("Sort _Descending"), "table.sort", g_variant_new ("(sb)", column->key, TRUE));
  add (part, _ ("_Not Sorted"), "table.sort", g_variant_new ("(sb)", "", FALSE));
  part = section (menu);
  if (!column->texts)
    add (part, _ ("Dis_tribution"), "table.distribution", g_variant_new_string (column->key));
  add (part, _ ("_Filter…"), "table.filter", NULL);
  part = section (menu);
  add (part, _ ("_Hide Column"), "table.hide-column", g_variant_new_string (column->key));
  add (part, _ ("Sho_w All Columns"), "table.show-columns", NULL);
  return G_MENU_MODEL (menu);
}

static void
enable (const Menu *m, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (m->actions, name)), enabled);
}

static GMenuModel *
menu_of (gpointer data, gboolean pointed, GdkRectangle *box)
{
  const Menu *m = data;
  const Table *table = results_model_table (m->model);
  ResultsTarget at;
  gboolean found = pointed && results_grid_find (m->grid, m->pane, box->x, box->y, &at);
  if (!table || !table_columns (table) || (found && at.column >= table_columns (table)))
    return NULL;
  enable (m, "show-columns", results_grid_hides (m->grid));
  enable (m, "show-rows", results_model_filtered (m->model));
  if (found && at.position == GTK_INVALID_LIST_POSITION)
    return of_header (table_column (table, at.column));
  return of_row (m, found ? &at : NULL);
}

void
results_menu_add (GtkWidget *pane, GActionMap *actions, ResultsGrid *grid, ResultsModel *model)
{
  Menu *m = g_new (Menu, 1);
  *m = (Menu){pane, actions, grid, model};
  g_object_set_data_full (G_OBJECT (pane), "menu", m, g_free);
  g_action_map_add_action_entries (actions, entries, G_N_ELEMENTS (entries), m);
  context_menu_add (pane, menu_of, m);
}
