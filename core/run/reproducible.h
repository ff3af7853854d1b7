/* SPDX-License-Identifier: MIT
 *
 * Which results may differ between devices, and by how much: see fv_op.reproducible.
 */
#ifndef CORE_RUN_REPRODUCIBLE_H
#define CORE_RUN_REPRODUCIBLE_H

#include "core/run/run.h"

/* The tolerance of a call with these arguments, for inputs whose grids are `in`; 0: it gives the same bits on every device. */
double reproducible_to (const Op *op, gconstpointer args, Image *const *inputs, const fv_grid *in);
/* Appends a sentence for each step of the run that has a tolerance, unless the text has the sentence already. */
void reproducible_add (GString *text, const Run *run);

#endif
