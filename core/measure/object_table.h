/* SPDX-License-Identifier: MIT
 *
 * What image an object's row of a table is about: operations that go through planes or volumes one by one say so in columns z, which
 * counts from 1, and frame, which counts from 0.
 */
#ifndef CORE_MEASURE_OBJECT_TABLE_H
#define CORE_MEASURE_OBJECT_TABLE_H

#include "core/data/table.h"

/* From 0; -1: the table does not tell slices, or frames, apart. */
gint64 object_table_slice (const Table *table, gint64 row);
gint64 object_table_frame (const Table *table, gint64 row);
/* Whether the row is about that slice and that frame, from 0. */
gboolean object_table_is_of (const Table *table, gint64 row, gint64 slice, gint64 frame);
/* The row of the object with that label there; -1 when there is none. */
gint64 object_table_row (const Table *table, gint32 label, gint64 slice, gint64 frame);

#endif
