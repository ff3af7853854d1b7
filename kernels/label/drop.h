/* SPDX-License-Identifier: MIT
 *
 * Dropping objects by their size, or because they touch the border.
 */
#ifndef KERNELS_LABEL_DROP_H
#define KERNELS_LABEL_DROP_H

#include "kernels/label/planes.h"

/* Sizes of the objects of all rows; one plane's, or the volume's, from s->sizes + roots_before () on. */
void label_measure (const plane_group *s);
/* Turns sizes[1 ... n] into new labels, 0 for what is dropped, and counts those left. */
int32_t label_renumber (const label_args *a, int64_t *sizes, int64_t n);
/* Puts the new labels, which sizes has become, in place of the old ones. */
void label_renumber_roots (const plane_group *s, int64_t from, int64_t to);

#endif
