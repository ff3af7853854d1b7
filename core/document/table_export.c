/* SPDX-License-Identifier: MIT
 */
#include "core/document/table_export.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/recipe/macro_text.h"

#include <math.h>
#include <string.h>

TableExport *
table_export_new (void)
{
  TableExport *e = g_new0 (TableExport, 1);
  e->ranges = g_array_new (FALSE, FALSE, sizeof (RowRange));
  return e;
}

void
table_export_free (TableExport *e)
{
  g_array_unref (e->ranges);
  g_free (e);
}

/* ---- As text ---- */

/* keep=[KEY LOW HIGH], with=[KEY PART] */
static void
add_range (GString *s, const RowRange *range)
{
  g_autofree char *key = text_quote (range->key), *part = range->part ? text_quote (range->part) : NULL;
  g_autoptr (GString) value = g_string_new (key);
  g_string_append_c (value, ' ');
  if (part)
    g_string_append (value, part);
  else {
    text_add_number (value, range->low);
    g_string_append_c (value, ' ');
    text_add_number (value, range->high);
  }
  macro_text_append (s, part ? "with" : "keep", value->str);
}

char *
table_export_format (const TableExport *e)
{
  GString *s = g_string_new (NULL);
  if (e->semicolon)
    macro_text_append (s, "separator", "semicolon");
  if (e->image)
    macro_text_append (s, "image", "yes");
  if (e->imagej)
    macro_text_append (s, "names", "imagej");
  if (e->sort)
    macro_text_append (s, "sort", e->sort);
  if (e->sort && e->descending)
    macro_text_append (s, "descending", "yes");
  for (guint i = 0; i < e->ranges->len; i++)
    add_range (s, &g_array_index (e->ranges, RowRange, i));
  return g_string_free (s, FALSE);
}

static gboolean
read_range (TableExport *e, const char *text, gboolean with)
{
  g_auto (GStrv) words = text_words (text, NULL);
  RowRange range = {.low = -INFINITY, .high = INFINITY};
  if (!words || g_strv_length (words) != (with ? 2 : 3))
    return FALSE;
  range.key = g_intern_string (words[0]);
  if (with)
    range.part = g_intern_string (words[1]);
  else if (!text_to_number_or_infinity (words[1], &range.low) || !text_to_number_or_infinity (words[2], &range.high))
    return FALSE;
  g_array_append_val (e->ranges, range);
  return TRUE;
}

gboolean
table_export_read (TableExport *e, const char *word, GError **error)
{
  if (!strcmp (word, "separator=semicolon"))
    e->semicolon = TRUE;
  else if (!strcmp (word, "image=yes"))
    e->image = TRUE;
  else if (!strcmp (word, "names=imagej"))
    e->imagej = TRUE;
  else if (!strcmp (word, "descending=yes"))
    e->descending = TRUE;
  else if (g_str_has_prefix (word, "sort="))
    e->sort = g_intern_string (word + strlen ("sort="));
  else if (!(g_str_has_prefix (word, "keep=") && read_range (e, word + strlen ("keep="), FALSE))
           && !(g_str_has_prefix (word, "with=") && read_range (e, word + strlen ("with="), TRUE))) {
    step_error_set (error, FV_BAD_ARGUMENT, NULL,
                    "Unknown table option. Use separator=semicolon, image=yes, names=imagej, sort=COLUMN, "
                    "descending=yes, keep=[COLUMN LOW HIGH] and with=[COLUMN TEXT], not '%s'.",
                    word);
    return FALSE;
  }
  return TRUE;
}

/* ---- Rows ---- */

static gboolean
has_column (const Table *table, const char *key, GError **error)
{
  gboolean has = table_find (table, key) != NULL;
  if (!has)
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "The table has no column '%s'.", key);
  return has;
}

Table *
table_export_pick (const TableExport *e, const Table *table, GError **error)
{
  if (e->sort && !has_column (table, e->sort, error))
    return NULL;
  for (guint i = 0; i < e->ranges->len; i++)
    if (!has_column (table, g_array_index (e->ranges, RowRange, i).key, error))
      return NULL;
  g_autoptr (GBytes) rows = rows_order (table, e->ranges, e->sort, e->descending);
  return rows_pick (table, rows, e->imagej);
}
