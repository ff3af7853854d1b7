/* SPDX-License-Identifier: MIT
 */
#include "core/files/votable.h"

#include "core/base/file_target.h"
#include "core/base/units.h"

#include <math.h>

/* What XML makes of a text. Free with g_free(). */
static char *
escape (const char *text)
{
  g_autofree char *shown = csv_show_controls (text);
  return g_markup_escape_text (shown, -1);
}

static void
add_field (GString *xml, const TableColumn *column)
{
  gboolean missing;
  g_autofree char *name = escape (column->key), *plain = units_ascii (column->unit), *unit = escape (plain),
                  *help = escape (column->help);
  g_string_append_printf (xml, "   <FIELD name=\"%s\" datatype=\"%s\"", name,
                          column->type == FV_COLUMN_TEXT             ? "unicodeChar\" arraysize=\"*"
                          : table_column_is_whole (column, &missing) ? "long"
                                                                     : "double");
  if (*unit)
    g_string_append_printf (xml, " unit=\"%s\"", unit);
  if (*help)
    g_string_append_printf (xml, "><DESCRIPTION>%s</DESCRIPTION></FIELD>\n", help);
  else
    g_string_append (xml, "/>\n");
}

static void
add_row (GString *xml, const Table *table, gint64 row)
{
  g_string_append (xml, "<TR>");
  for (guint j = 0; j < table_columns (table); j++) {
    const TableColumn *column = table_column (table, j);
    g_autofree char *text = table_text (column, row);
    if (column->type == FV_COLUMN_TEXT) {
      g_autofree char *escaped = escape (text);
      g_string_append_printf (xml, "<TD>%s</TD>", escaped);
    } else if (isinf (column->values[row]))
      g_string_append (xml, column->values[row] > 0 ? "<TD>+Inf</TD>" : "<TD>-Inf</TD>");
    else
      g_string_append_printf (xml, "<TD>%s</TD>", text);
  }
  g_string_append (xml, "</TR>\n");
}

static GString *
start (const Table *table)
{
  GString *xml = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<VOTABLE version=\"1.4\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\n"
                               " <RESOURCE type=\"results\">\n");
  g_string_append_printf (xml, "  <TABLE nrows=\"%" G_GINT64_FORMAT "\">\n", table_rows (table));
  for (guint j = 0; j < table_columns (table); j++)
    add_field (xml, table_column (table, j));
  return g_string_append (xml, "   <DATA><TABLEDATA>\n");
}

gboolean
files_votable_save (const Table *table, const char *path, GError **error)
{
  static const char end[] = "   </TABLEDATA></DATA>\n  </TABLE>\n </RESOURCE>\n</VOTABLE>\n";
  g_autoptr (FileTarget) target = file_target_new (path, error);
  g_autoptr (GString) xml = start (table);
  for (gint64 row = 0; target && row < table_rows (table); row++) {
    add_row (xml, table, row);
    if (!file_target_write (target, xml->str, xml->len, error))
      return FALSE;
    g_string_truncate (xml, 0);
  }
  g_string_append (xml, end);
  return target && file_target_write (target, xml->str, xml->len, error)
         && file_target_commit (g_steal_pointer (&target), error);
}
