/* SPDX-License-Identifier: MIT
 *
 * Joining the runs that touch: within strips of rows, then strip to strip.
 */
#ifndef KERNELS_LABEL_JOIN_H
#define KERNELS_LABEL_JOIN_H

#include "kernels/label/planes.h"

/* Joins the rows within a strip. */
void label_join_strip (const plane_group *s, int64_t from, int64_t to);
/* Joins all strips. False when the work is to stop. */
bool label_join_seams (const plane_group *s);

#endif
