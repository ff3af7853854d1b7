/* SPDX-License-Identifier: MIT
 *
 * The triangles that a surface has in a cell of 2 x 2 x 2 voxels.
 */
#ifndef KERNELS_REGIONS_REGION_SURFACE_CELLS_H
#define KERNELS_REGIONS_REGION_SURFACE_CELLS_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SURFACE_CELLS = 256 }; /* bit 4 dx + 2 dz + dy: the corner there is in the object */

/* The triangles of each kind of cell, three characters each: 'a' + 9 z + 3 y + x for a corner at z, y, x in half voxels. */
extern const char *const surface_triangles[SURFACE_CELLS];

#ifdef __cplusplus
}
#endif

#endif
