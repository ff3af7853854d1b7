/* SPDX-License-Identifier: MIT */
#include "core/measure/object_table.h"

static gint64
position (const Table *table, const char *key, gint64 row)
{
  const TableColumn *column = table_find_numbers (table, key);
  return column && column->values[row] >= 1 ? (gint64) column->values[row] - 1 : -1;
}

gint64
object_table_slice (const Table *table, gint64 row)
{
  return position (table, "z", row);
}

gint64
object_table_frame (const Table *table, gint64 row)
{
  return position (table, "frame", row);
}

gboolean
object_table_is_of (const Table *table, gint64 row, gint64 slice, gint64 frame)
{
  const gint64 z = object_table_slice (table, row), t = object_table_frame (table, row);
  return (z < 0 || z == slice) && (t < 0 || t == frame);
}

gint64
object_table_row (const Table *table, gint32 label, gint64 slice, gint64 frame)
{
  const TableColumn *labels = table_find_numbers (table, "label");
  for (gint64 i = 0; labels && i < labels->rows; i++)
    if (labels->values[i] == label && object_table_is_of (table, i, slice, frame))
      return i;
  return -1;
}
