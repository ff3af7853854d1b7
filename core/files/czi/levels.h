/* SPDX-License-Identifier: MIT
 *
 * The levels of an image's pyramid, and its planes: which sub-block is where.
 */
#ifndef CORE_FILES_CZI_LEVELS_H
#define CORE_FILES_CZI_LEVELS_H

#include "core/files/czi/directory.h"
#include "fovea-plugin.h"

/* What a pixel of a sub-block is. */
typedef struct FilesCziPixel {
  gint32 number; /* in the file */
  fv_type type;
  guint samples;      /* blue, green, red, alpha; 1: gray */
  const char *source; /* NULL, or the file's name of what cannot be read */
} FilesCziPixel;

/* A sub-block in a level of an image, at a row and column of the level; sorted by plane, and there from the bottom to the top. */
typedef struct FilesCziTile {
  const FilesCziBlock *block;
  gint64 plane, row, column;
} FilesCziTile;

typedef struct FilesCziLevel {
  gint32 factor; /* pixels of the file's plane along a pixel of the level */
  gint64 rows, columns, tile_rows, tile_columns;
  GArray *tiles; /* FilesCziTile */
} FilesCziLevel;

typedef struct FilesCziImage {
  const FilesCziPixel *pixel;
  const FilesCziBlock *first; /* of its sub-blocks */
  gint64 frames, channels, depth, rows, columns;
  gint32 *channel; /* the file's indices of the channels of sub-blocks; of colors there is one */
  gint32 frame;    /* the file's index of frame 0 */
  GArray *levels;  /* FilesCziLevel, at least one */
} FilesCziImage;

/* Sets all of the image but `pixel` from its n sub-blocks, whose pixel type can be read. Level 0 has the sub-blocks with most pixels; further levels
 * are those that show as much. *other: how many sub-blocks are on no level. FALSE when level 0 has none. */
gboolean files_czi_levels_make (FilesCziImage *image, FilesCziBlock *const *blocks, guint n, guint *other);

/* Level n; NULL: there is none. */
const FilesCziLevel *files_czi_level (const FilesCziImage *image, guint n);
/* The tiles of one plane of a level: how many, from the lowest to the one on top. */
guint files_czi_level_tiles (const FilesCziLevel *level, gint64 plane, const FilesCziTile **tiles);

#endif
