/* SPDX-License-Identifier: MIT
 *
 * Which images a FITS file holds: each part (HDU) with pixels is one, also those that were compressed tile by tile, which lie in tables. All
 * sizes are checked before anything is made of them; other tables are left out.
 */
#ifndef CORE_FILES_FITS_LAYOUT_H
#define CORE_FILES_FITS_LAYOUT_H

#include "core/files/fits/file.h"

/* A table whose rows are the tiles of an image. */
typedef struct FilesFitsTable {
  guint64 at, row_bytes, rows; /* where row 0 is */
  guint64 heap, heap_bytes;    /* what rows point to */
} FilesFitsTable;

typedef struct FilesFitsImage {
  guint part;                                     /* 0: the primary one */
  char *cards;                                    /* as stored */
  int bits;                                       /* BITPIX: of an integer, or less than 0: of a float */
  gint64 columns, rows, slices, channels, frames; /* NAXIS1 to 5; all axes behind are frames */
  guint64 at;                                     /* of the pixels */
  FilesFitsTable *tiles;                          /* NULL: they are not compressed */
} FilesFitsImage;

/* Does not change once it is made. */
typedef struct FilesFitsLayout {
  gint references;
  FilesFitsFile *file;
  GPtrArray *images; /* FilesFitsImage, at least one */
  GString *left_out; /* parts that are not images: "part 1 (table)" and so on; "": none */
} FilesFitsLayout;

gboolean files_fits_is (const guint8 *head, gsize n);
FilesFitsLayout *files_fits_layout_new (const char *path, GError **error);
FilesFitsLayout *files_fits_layout_ref (FilesFitsLayout *layout);
void files_fits_layout_unref (FilesFitsLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesFitsLayout, files_fits_layout_unref)

gint64 files_fits_planes (const FilesFitsImage *image);

#endif
