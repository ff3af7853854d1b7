/* SPDX-License-Identifier: MIT
 *
 * Differences of HCOMPRESS_1 that lost their lowest bits, moved towards what their neighbors let expect.
 */
#ifndef CORE_FILES_FITS_H_SMOOTH_H
#define CORE_FILES_FITS_H_SMOOTH_H

#include <glib.h>

/* Squares of 2 × 2 of an array of rows × columns, of which those at the edges may be cut. */
typedef struct FilesFitsSquares {
  gsize rows, columns, down, across; /* across and down: squares */
  const gint64 *sums;                /* of each square, dense */
  gint64 *hx, *hy, *hc;              /* lower less upper row, right less left column, one diagonal less the other; */
  gsize stride;                      /* rows of these are so far apart, and there are those of whole squares */
} FilesFitsSquares;

/* No difference changes by more than `change`; 0: nothing does. */
void files_fits_h_smooth (const FilesFitsSquares *squares, gint64 change);

#endif
