/* SPDX-License-Identifier: MIT
 *
 * The visible part of a large image, no larger than a screen can show, read without the rest: from the levels of the pyramid in its file, and further
 * ones made of what is read. Tiles that were seen last are kept, a bounded number of them.
 */
#ifndef CORE_VIEW_TILES_H
#define CORE_VIEW_TILES_H

#include "core/data/image.h"

typedef struct Tiles Tiles;

Tiles *tiles_new (void);
void tiles_free (Tiles *tiles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tiles, tiles_free)

/* Whether a plane is better looked at in this way than as a whole: its file has a pyramid, or it is large, not in memory, and its
 * file can be read in parts. May wait for a device. */
gboolean tiles_suit (Image *image, gint64 plane);

/* What is looked at. */
typedef struct TilesLook {
  Image *image;
  gint64 frame, slice;
  gboolean numbers;           /* object numbers, which cannot be averaged, regardless of the image's role */
  const gboolean *seen;       /* of each channel; what is not seen is not read, and 0; NULL: all are */
  double x, y, width, height; /* in pixels of the image; may reach beyond it */
  double zoom;                /* screen pixels for each of them */
  gint64 until; /* g_get_monotonic_time() after which no more tiles are read; 0: no limit. One is always read. */
} TilesLook;

/* What there is of it: pixel (0, 0) of `image` is pixel (x, y) of a level of which each pixel is `factor` times as wide and high
 * as one of the whole. At most two of them in each direction for a screen pixel, where the file's levels are halves. */
typedef struct TilesPart {
  Image *image;
  double factor;
  gint64 x, y;
  gboolean complete; /* else some tiles are not read yet: coarser ones replace them, or 0 */
  GError *fault;     /* NULL, or why a tile could not be read now; its pixels are 0 */
} TilesPart;

/* A part with at least one pixel; FALSE with *error, and no part. The caller unrefs its image and frees its fault. */
gboolean tiles_part (Tiles *tiles, const TilesLook *look, TilesPart *part, GError **error);
/* Bytes of the tiles that are kept. */
gsize tiles_bytes (const Tiles *tiles);

#endif
