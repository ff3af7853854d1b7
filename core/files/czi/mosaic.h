/* SPDX-License-Identifier: MIT
 *
 * What is seen of tiles that overlap: the one on top hides those below it.
 */
#ifndef CORE_FILES_CZI_MOSAIC_H
#define CORE_FILES_CZI_MOSAIC_H

#include "core/data/source.h"
#include "core/files/czi/levels.h"

/* A part of a region, in pixels of the level. */
typedef struct FilesCziPart {
  const FilesCziTile *tile; /* that is seen there; NULL: none */
  ImageRegion seen;
} FilesCziPart;

/* GArray of FilesCziPart: all of the region, each pixel once, parts of the same tile one behind the other, those without a tile at the end. The n tiles
 * go from the lowest to the one on top. */
GArray *files_czi_mosaic (const FilesCziTile *tiles, guint n, const ImageRegion *region);

#endif
