/* SPDX-License-Identifier: MIT
 *
 * Takes pixels off the masks of planes step by step, until nothing changes: what `thin` and `skeleton` share on the CPU. Masks are words, see
 * bits.h.
 */
#ifndef KERNELS_MORPHOLOGY_PEEL_H
#define KERNELS_MORPHOLOGY_PEEL_H

#include "kernels/common/bits.h"

/* Makes n words of a row in a step of these, from those above, its own and those below. Whether anything changes. */
typedef bool peel_row (uint64_t *restrict to, const uint64_t *up, const uint64_t *own, const uint64_t *down, int64_t n,
                       int step);

typedef struct peel_rule {
  peel_row *row;
  int sides; /* the steps repeat after as many; when nothing has changed in as many nothing more will */
} peel_rule;

/* Bytes of scratch. */
int64_t peel_bytes (int64_t rows, int64_t columns);

/* The result is a mask. */
fv_status peel_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                      fv_error *error);

/* The operation: steps until nothing changes, `most` of them unless that is 0. */
fv_status peel_masks (const fv_call *call, const peel_rule *rule, int64_t most, fv_error *error);

#endif
