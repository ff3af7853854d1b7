/* SPDX-License-Identifier: MIT
 *
 * The next smaller level of a pyramid.
 */
#ifndef CORE_DATA_HALVE_H
#define CORE_DATA_HALVE_H

#include "fovea-plugin.h"

#include <glib.h>

/* A plane, and its half. */
typedef struct Halving {
  fv_type type;
  gboolean nearest; /* the first of each four pixels, as labels and masks need it; else their mean */
  gint64 rows, columns;
  gint64 half_rows, half_columns; /* half as many, an odd one more or less */
} Halving;

/* Makes the smaller plane of dense pixels: each the mean of up to four, whole numbers rounded to the nearest and halves up. On all
 * cores. FALSE with *error when the work shall stop. */
gboolean halve_plane (const Halving *halving, const void *from, void *to, GError **error);

#endif
