/* SPDX-License-Identifier: MIT
 *
 * The table of all images of a batch, read from its file to be shown.
 */
#ifndef CORE_BATCH_TABLE_H
#define CORE_BATCH_TABLE_H

#include "core/data/table.h"

/* The table that batch_folder_save_table() saved with commas. like: a table of the same steps for one image, which
 * gives columns of the same name their types and help, or NULL. Other columns are numbers if all their values are,
 * otherwise strings. NULL with *error, also when there is not enough memory. */
Table *batch_table_read (const char *path, const Table *like, GError **error);
/* The same of lines that are written raw, with commas. path: for errors; texts: names of columns that hold texts. Columns in which all numbers are integers
 * are of integers. */
Table *batch_table_of_lines (const GString *lines, const char *path, const GPtrArray *texts, GError **error);

#endif
