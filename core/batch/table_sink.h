/* SPDX-License-Identifier: MIT
 *
 * Where a table of a batch goes, line by line: into a file of text, or, for a file that has columns of types, into memory until all lines are there.
 */
#ifndef CORE_BATCH_TABLE_SINK_H
#define CORE_BATCH_TABLE_SINK_H

#include "core/data/csv.h"

typedef struct TableSink TableSink;

/* A sink for a file of that name. *format: as a .csv would be written; becomes how lines are to be written. NULL with *error. */
TableSink *table_sink_new (const char *path, CsvFormat *format, GError **error);
gboolean table_sink_write (TableSink *sink, gconstpointer bytes, gsize n, GError **error);
/* Saves the file and frees the sink in any case. texts: names of columns that hold texts, even if these look like numbers or are all missing. */
gboolean table_sink_commit (TableSink *sink, const GPtrArray *texts, GError **error);
void table_sink_abandon (TableSink *sink);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TableSink, table_sink_abandon)

#endif
