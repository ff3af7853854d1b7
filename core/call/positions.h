/* SPDX-License-Identifier: MIT
 *
 * Metadata with positions follows the pixels: pixel sizes, origin, world coordinates, names and colors of channels,
 * labels of planes, intervals, selections. Operations declare the mapping (fv_op.place, fv_op.plane). Only this file
 * applies it, and reports what cannot be mapped.
 */
#ifndef CORE_CALL_POSITIONS_H
#define CORE_CALL_POSITIONS_H

#include "core/data/image.h"
#include "core/ops/module.h"

/* One output of an operation: where its pixels come from. */
typedef struct Positions {
  const Op *op;
  gconstpointer args;
  Image *const *inputs;        /* the first may be NULL: then nothing is to be carried */
  const fv_grid *const *grids; /* of one group of each input */
  const fv_grid *output;       /* of one group */
  guint number;                /* of the output */
} Positions;

/* out: the whole image, a copy of the first input's but for type, sizes and what the grid says. Adds to `left` what could not be carried, if it
 * is not there yet: "sky coordinates, overlay". */
void positions_carry (const Positions *positions, ImageInfo *out, GString *left);

#endif
