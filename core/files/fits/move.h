/* SPDX-License-Identifier: MIT
 *
 * The header of a FITS image whose pixels have gone elsewhere: its world coordinates go with them.
 */
#ifndef CORE_FILES_FITS_MOVE_H
#define CORE_FILES_FITS_MOVE_H

#include <glib.h>

enum { FILES_FITS_AXES = 5 /* x, y, slices, channels, frames */ };

/* Where the pixels of a new image lie in that of the header, counted from 0: matrix times the position in the new one, and shift. */
typedef struct FilesFitsMove {
  gboolean affine;                 /* FALSE: x and y follow no such rule, and all of the following is without meaning */
  gboolean known[FILES_FITS_AXES]; /* FALSE: positions along this axis of the header follow no rule */
  double matrix[FILES_FITS_AXES][FILES_FITS_AXES], shift[FILES_FITS_AXES];
} FilesFitsMove;

/* The cards of the new image; new in any case. World coordinates that cannot be told any more are left out: *sky of an image, *axes of
 * further axes alone. Both come as FALSE. */
GRefString *files_fits_moved (const char *cards, const FilesFitsMove *move, gboolean *sky, gboolean *axes);
/* Without the unit of values; *unit becomes TRUE where there was one. */
GRefString *files_fits_without_unit (const char *cards, gboolean *unit);

#endif
