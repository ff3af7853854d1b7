/* SPDX-License-Identifier: MIT
 *
 * How a table is written as CSV: what a person chooses in the window, and what run("Save Results...", …) of a macro takes.
 */
#ifndef CORE_DOCUMENT_TABLE_EXPORT_H
#define CORE_DOCUMENT_TABLE_EXPORT_H

#include "core/measure/rows.h"

typedef struct TableExport {
  gboolean semicolon; /* between columns, not a comma */
  gboolean image;     /* a first column with the name of the image */
  gboolean imagej;    /* ImageJ's names of columns */
  const char *sort;   /* see rows_order(); interned */
  gboolean descending;
  GArray *ranges; /* RowRange */
} TableExport;

TableExport *table_export_new (void);
void table_export_free (TableExport *choices);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TableExport, table_export_free)

/* What differs from a plain file: "separator=semicolon image=yes names=imagej sort=area descending=yes keep=[area 10 inf] with=[name cell]", or
 * "". Free with g_free(). */
char *table_export_format (const TableExport *choices);
/* Reads one such word, without its brackets. FALSE with *error. */
gboolean table_export_read (TableExport *choices, const char *word, GError **error);
/* A table of these rows, in this order, with the chosen column names. NULL with *error when a column does not exist. */
Table *table_export_pick (const TableExport *choices, const Table *table, GError **error);

#endif
