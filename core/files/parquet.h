/* SPDX-License-Identifier: MIT
 *
 * Tables as Apache Parquet: one row group, columns as they are (PLAIN, not compressed), in pages of about 1 MiB.
 */
#ifndef CORE_FILES_PARQUET_H
#define CORE_FILES_PARQUET_H

#include "core/data/table.h"

/* Columns are called as in CSV, "area (µm²)", because Parquet has no units. Missing values are null. */
gboolean files_parquet_save (const Table *table, const char *path, GError **error);

#endif
