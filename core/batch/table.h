/* SPDX-License-Identifier: MIT
 *
 * The one table of a batch, read back to be looked at.
 */
#ifndef CORE_BATCH_TABLE_H
#define CORE_BATCH_TABLE_H

#include "core/data/table.h"

/* What batch_folder_save_table() has saved with commas. like: a table that the same steps have made of one image, from which columns of its
 * names have their types and help, or NULL; others hold numbers when all that stands in them are, else texts. NULL with *error, also when
 * there is no room for it. */
Table *batch_table_read (const char *path, const Table *like, GError **error);
/* The same of lines that are written raw, with commas. path: for errors; texts: names of columns that hold texts. Columns in which all numbers are integers
 * are of integers. */
Table *batch_table_of_lines (const GString *lines, const char *path, const GPtrArray *texts, GError **error);

#endif
