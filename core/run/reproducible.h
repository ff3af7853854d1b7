/* SPDX-License-Identifier: MIT
 *
 * Which results may differ between devices, and by how much: see fv_op.reproducible.
 */
#ifndef CORE_RUN_REPRODUCIBLE_H
#define CORE_RUN_REPRODUCIBLE_H

#include "core/run/run.h"

/* Appends a sentence for each step of the run that has a tolerance, unless the text has the sentence already. */
void reproducible_add (GString *text, const Run *run);

#endif
