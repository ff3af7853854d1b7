/* SPDX-License-Identifier: MIT
 *
 * register with transform=rigid, on each device; see rigid.h.
 */
#ifndef KERNELS_GEOMETRY_REGISTER_RIGID_H
#define KERNELS_GEOMETRY_REGISTER_RIGID_H

#include "kernels/geometry/affine.h"
#include "kernels/geometry/rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Moves of each in turn, and maps, in memory of the host; search: rigid_search_numbers() of it. */
fv_status register_rigid (const fv_call *call, const register_plan *plan, const rigid_device *d, double *search,
                          double *moves, affine_map *maps, fv_error *error);
fv_status register_rigid_cpu (const fv_call *call, const register_plan *plan, double *moves, affine_map *maps,
                              fv_error *error);
fv_status register_rigid_cuda (const fv_call *call, const register_plan *plan, double *moves, affine_map *maps,
                               fv_error *error);
/* Scratch that grows with the image: most of it is the pyramids. */
int64_t register_rigid_bytes (const fv_grid *in);

#ifdef __cplusplus
}
#endif

#endif
