/* SPDX-License-Identifier: MIT
 */
#include "core/run/column_order.h"

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
