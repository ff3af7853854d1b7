/* SPDX-License-Identifier: MIT
 *
 * A codestream of JPEG 2000 in a file: its header, and regions of its resolutions, by OpenJPEG.
 */
#ifndef CORE_FILES_JPEG2000_CODESTREAM_H
#define CORE_FILES_JPEG2000_CODESTREAM_H

#include "core/data/source.h"
#include "core/files/shared/bytes.h"

typedef struct FilesJ2kComponent {
  guint bits; /* 1 to 24 */
  gboolean is_signed;
  guint dx, dy; /* columns and rows of the image for one of its numbers */
} FilesJ2kComponent;

typedef struct FilesJ2k {
  FilesBytes *bytes;
  guint64 at, size;               /* where the codestream is */
  gint64 row, column;             /* of the image, on the grid of the codestream */
  gint64 rows, columns;           /* of the image */
  gint64 tile_row, tile_column;   /* of the first tile, on that grid */
  gint64 tile_rows, tile_columns; /* of a tile */
  guint levels;                   /* resolutions that can be decoded, at least 1 */
  gboolean is_subsampled;         /* some component is; then there is one level */
  gboolean is_whole;              /* it is decoded as a whole, and taken for one tile */
  guint n_components;
  FilesJ2kComponent *components;
} FilesJ2k;

/* Reads the header; `bytes`, `at` and `size` are set. FALSE with *error. Clear the components with g_free() in any case. */
gboolean files_j2k_read (FilesJ2k *self, GError **error);
/* Rows or columns of the image before the one at `at` of the grid, at a level. */
gint64 files_j2k_at_level (gint64 at, guint level);
/* A row of a component, from the first column of the region on; numbers of several pixels are repeated. */
typedef void (*FilesJ2kTake) (gpointer data, guint component, gint64 row, const gint32 *numbers);
/* Decodes a region of a level, row by row from the region's first one. FALSE with *error. Any thread. threads: how many may decode. */
gboolean files_j2k_decode (const FilesJ2k *self, guint level, const ImageRegion *region, guint threads,
                           FilesJ2kTake take, gpointer data, GError **error);

#endif
