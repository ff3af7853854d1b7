/* SPDX-License-Identifier: MIT
 *
 * The levels in which a large image is looked at. Level k shows it at about 1 / 2^k of its size: a level of the file's pyramid, or
 * one that is halved so many times, tile by tile.
 */
#ifndef CORE_VIEW_TILE_LEVELS_H
#define CORE_VIEW_TILE_LEVELS_H

#include "core/data/image.h"

enum { TILE_LEVELS = 12 };

typedef struct TileLevel {
  guint file, halvings;             /* a level of the file, and how often it is halved */
  double factor;                    /* pixels of the image in each direction for one of this level */
  gint64 rows, columns;             /* of all of it */
  gint64 file_rows, file_columns;   /* of the file's level */
  gint64 block_rows, block_columns; /* what is read for a tile, in pixels of the file's level: powers of two */
} TileLevel;

/* Fills levels from 0 on; how many there are. */
guint tile_levels_of (Image *image, TileLevel levels[TILE_LEVELS]);
/* Where tile (y, x) is in its level. */
ImageRegion tile_slot (const TileLevel *level, gint64 y, gint64 x);
/* Reads a tile of a plane into dense pixels. numbers: object numbers, which cannot be averaged, regardless of the
 * image's role. FALSE with *error. */
gboolean tile_read (const TileLevel *level, Image *image, gint64 plane, gint64 y, gint64 x, gboolean numbers, void *to,
                    GError **error);
/* Whether a tile of the level is one of `finer`, the level before, halved. */
gboolean tile_is_half (const TileLevel *level, const TileLevel *finer);
/* Makes it of that one's pixels. FALSE with *error. */
gboolean tile_halve (const TileLevel *finer, const ImageInfo *info, gint64 y, gint64 x, gboolean numbers,
                     const void *pixels, void *to, GError **error);

#endif
