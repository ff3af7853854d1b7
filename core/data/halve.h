/* SPDX-License-Identifier: MIT
 *
 * The next smaller level of a pyramid.
 */
#ifndef CORE_FILES_TIFF_HALVE_H
#define CORE_FILES_TIFF_HALVE_H

#include "core/data/image.h"

/* Makes a plane of (rows + 1) / 2 by (columns + 1) / 2 pixels: each the mean of up to four, whole numbers rounded to the nearest and
 * halves up, or, nearest, the first of them. On all cores. FALSE with *error when the work shall stop. */
gboolean files_tiff_halve (fv_type type, gboolean nearest, gint64 rows, gint64 columns, const void *from, void *to,
                           GError **error);

#endif
