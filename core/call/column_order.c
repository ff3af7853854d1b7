/* SPDX-License-Identifier: MIT
 */
#include "core/call/column_order.h"

#include <string.h>

static gboolean
belongs (const TableColumn *column, const fv_choice *choice)
{
  return choice->help && !strcmp (column->help, choice->help);
}

void
column_order (Table *table, const Op *op, gconstpointer args, const ArgsAsked *asked)
{
  const fv_param *set = args_set_param (op);
  if (!set || !asked || !*asked->order)
    return;
  g_autoptr (GArray) chosen = args_chosen (set, args, asked);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint k = 0; k < chosen->len; k++)
    for (guint j = 0; j < table_columns (table); j++)
      if (belongs (table_column (table, j), &set->choices[g_array_index (chosen, guint, k)]))
        g_array_append_val (order, j);
  table_order_columns (table, (const guint *) (gconstpointer) order->data, order->len);
}

static gboolean
is_there (const Table *table, const fv_choice *choice)
{
  for (guint j = 0; j < table_columns (table); j++)
    if (belongs (table_column (table, j), choice))
      return TRUE;
  return FALSE;
}

gboolean
column_order_missing (const Table *table, const Op *op, gconstpointer args, char **missing, char **instead)
{
  const fv_param *set = args_set_param (op);
  if (!set)
    return FALSE;
  g_autoptr (GArray) chosen = args_chosen (set, args, NULL);
  g_autoptr (GString) gone = g_string_new (NULL), come = g_string_new (NULL);
  guint next = 0, all = 0;
  for (const fv_choice *choice = set->choices; choice->key; choice++, all++) {
    const gboolean asked = next < chosen->len && g_array_index (chosen, guint, next) == all;
    next += asked;
    if (is_there (table, choice) != asked) {
      GString *to = asked ? gone : come;
      g_string_append_printf (to, "%s%s", to->len ? ", " : "", choice->key);
    }
  }
  if (!gone->len || chosen->len == all)
    return FALSE;
  *missing = g_strdup (gone->str);
  *instead = g_strdup (come->str);
  return TRUE;
}
