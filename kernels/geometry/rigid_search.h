/* SPDX-License-Identifier: MIT
 *
 * The angle and the shift, roughly, on a small level of the pyramid; see rigid.h.
 */
#ifndef KERNELS_GEOMETRY_RIGID_SEARCH_H
#define KERNELS_GEOMETRY_RIGID_SEARCH_H

#include "kernels/geometry/rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* memory: so many numbers, for any size. */
int64_t rigid_search_numbers (void);
rigid_pose rigid_search (const rigid_level *l, const float *fixed, const float *moving, double *memory);

#ifdef __cplusplus
}
#endif

#endif
