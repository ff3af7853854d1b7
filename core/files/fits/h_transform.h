/* SPDX-License-Identifier: MIT
 *
 * The H-transform of HCOMPRESS_1, backwards: from sums and differences of ever larger squares to numbers.
 */
#ifndef CORE_FILES_FITS_H_TRANSFORM_H
#define CORE_FILES_FITS_H_TRANSFORM_H

#include <glib.h>

/* The absolute value of a coefficient is at most this; that of 32-bit integers of up to 2^20 × 2^20 is. */
#define FILES_FITS_H_MAX (G_GINT64_CONSTANT (1) << 52)

/* rows × columns coefficients, which change, to as many numbers. room: for a quarter as many, rounded up on both axes. change: how far
 * coefficients may be moved to make a smooth image, 0: not. */
void files_fits_h_transform (gint64 *coefficients, gsize rows, gsize columns, gint64 change, gint64 *room, gint64 *to);

#endif
