/* SPDX-License-Identifier: MIT
 *
 * Tables as files, of the kind that the ending of their name says: .csv, .tsv and .jsonl are text, .fits, .vot and .parquet have columns of types.
 */
#ifndef CORE_FILES_TABLES_H
#define CORE_FILES_TABLES_H

#include "core/data/table.h"

/* How a file of that name is written where it is text; *format: as .csv would be. FALSE with *error when a table has no such ending, or ';' is for another than .csv. */
gboolean files_table_format (const char *path, CsvFormat *format, GError **error);
/* Whether it has columns of types, and so is written by files_table_save() alone. */
gboolean files_table_is_typed (const char *path);
/* Saves it, whole or not at all. image: a first column "image" with this text in every row, or NULL. */
gboolean files_table_save (const Table *table, const char *path, CsvFormat format, const char *image, GError **error);

#endif
