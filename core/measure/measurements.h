/* SPDX-License-Identifier: MIT
 *
 * A table of measurements of selections, with ImageJ's definitions. Area is that of the selected pixels, std has n - 1; a line is measured along its
 * profile, each point is a row, an angle has no values. NaN pixels count for the area only.
 */
#ifndef CORE_MEASURE_MEASUREMENTS_H
#define CORE_MEASURE_MEASUREMENTS_H

#include "core/base/progress.h"
#include "core/data/plane.h"
#include "core/data/table.h"
#include "core/selection/selection.h"

/* Measures each selection in its own plane of the image if it has one, otherwise in `position`. Lengths are in the
 * unit of the image. Selections have the element type Selection. NULL with *error, also when progress, which may be
 * NULL, requests a stop. Any thread. */
Table *measurements_make (Image *image, PlanePosition position, const GPtrArray *selections, Progress *progress,
                          GError **error);
/* A table of the rows of both, numbered on and in the units of the first, which may be NULL. NULL with *error when the unit of one
 * cannot be had from that of the other. */
Table *measurements_join (const Table *before, Table *more, GError **error);

/* A table of measurements as text, for measurements_parse(): the same bits of each value. Free with g_free(). */
char *measurements_format (const Table *table);
/* NULL with *error when that is not such a text. */
Table *measurements_parse (const char *text, GError **error);

#endif
