/* SPDX-License-Identifier: MIT
 *
 * From pixels to runs: each row becomes bits, 64 pixels a word, that say what is foreground and where runs start.
 */
#ifndef KERNELS_LABEL_RUNS_H
#define KERNELS_LABEL_RUNS_H

#include "kernels/label/planes.h"

enum { RUNS_CHUNK = 64 }; /* words of a row that are compared at once */

equal_fn *label_equal_for (fv_type type);
/* Fills in the words of some rows, and counts their runs, one row ahead: s->runs[row + 1]; -1: too many. */
void label_find_runs (const plane_group *s, int64_t from, int64_t to);

#endif
