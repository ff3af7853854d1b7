/* SPDX-License-Identifier: MIT
 *
 * Tables as FITS: a binary table behind a primary header without pixels. A row has a big-endian f64 for each number, an i64 where all of a
 * column are integers, and as many characters as the longest text of the column.
 */
#ifndef CORE_FILES_FITS_TABLE_H
#define CORE_FILES_FITS_TABLE_H

#include "core/data/table.h"

/* Missing numbers are NaN, of integers TNULLn; missing texts are empty. FITS has ASCII alone: where a text or the key of a
 * column is not, all are percent-encoded, as in URIs, and a COMMENT says so. */
gboolean files_fits_save_table (const Table *table, const char *path, GError **error);

#endif
