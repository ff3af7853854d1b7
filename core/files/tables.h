/* SPDX-License-Identifier: MIT
 *
 * Tables as files, of the kind that the ending of their name says: .csv, .tsv and .jsonl are text, .fits, .vot and .parquet have columns of types.
 */
#ifndef CORE_FILES_TABLES_H
#define CORE_FILES_TABLES_H

#include "core/data/table.h"

/* Sets *format, which begins as that of .csv, to what a text file of that name needs. FALSE with *error when no table has that ending, or when the
 * separator ';' is set for another one than .csv. */
gboolean files_table_format (const char *path, CsvFormat *format, GError **error);
/* Whether the file stores the types of columns, so that only files_table_save() writes it. */
gboolean files_table_is_typed (const char *path);
/* Saves it, whole or not at all. image: a first column "image" with this text in every row, or NULL. */
gboolean files_table_save (const Table *table, const char *path, CsvFormat format, const char *image, GError **error);

#endif
