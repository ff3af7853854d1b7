/* SPDX-License-Identifier: MIT
 *
 * Where the pixels of a medical image are in the patient or the scanner: kept as the image's origin and as properties.
 */
#ifndef CORE_FILES_SHARED_SPACE_H
#define CORE_FILES_SHARED_SPACE_H

#include "core/files/shared/plain.h"

typedef struct FilesSpace {
  double axes[3][3]; /* [i]: from one pixel to the next along x, y, z of the image, as a vector of the space */
  double first[3];   /* the pixel of column 0, row 0, slice 0 */
  char toward[4];    /* where the coordinates of the space grow, "RAS" or "LPS"; "": unknown */
} FilesSpace;

/* Keeps "orientation" (where columns, rows and slices go, such as "RAS"), "position" of the first pixel and "directions" of the axes, and sets the
 * origin: the position, in pixels, of the space's zero. Values that are not finite mean nothing. */
void files_space_keep (const FilesSpace *space, FilesPlain *to);

#endif
