/* SPDX-License-Identifier: MIT
 *
 * The table in which the tiles of a compressed FITS image lie.
 */
#ifndef CORE_FILES_FITS_TILE_TABLE_H
#define CORE_FILES_FITS_TILE_TABLE_H

#include "core/files/fits/layout.h"

/* A column. */
typedef struct FilesFitsColumn {
  char type;   /* 0: there is none; 'P', 'Q': bytes in the heap; else a number */
  guint bytes; /* of an element there */
  guint64 at;  /* in a row */
} FilesFitsColumn;

/* The column of that name. */
FilesFitsColumn files_fits_column (const FilesFitsImage *image, const char *name);
/* A number of a row: of type 'D', 'E', 'J' or 'I'; 0 for others. */
double files_fits_column_number (const FilesFitsColumn *column, const guint8 *row);
/* Where the bytes are that a row points to; *bytes is 0 where there are none. FALSE: outside the heap. */
gboolean files_fits_column_range (const FilesFitsColumn *column, const guint8 *row, const FilesFitsTable *table,
                                  guint64 *at, guint64 *bytes);

#endif
