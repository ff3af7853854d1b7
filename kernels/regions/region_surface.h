/* SPDX-License-Identifier: MIT
 *
 * The surfaces of all objects of a volume, on the threads of the host for any device.
 *
 * A cell has its corners at the centers of 2 x 2 x 2 voxels. Marching cubes of a mask puts triangles into each cell that follow from which of
 * its corners are in the object alone, and their own corners lie half-way between voxels. So the area of a surface is a sum over the 256 kinds
 * of cells: how many there are, times the area of their triangles.
 */
#ifndef KERNELS_REGIONS_REGION_SURFACE_H
#define KERNELS_REGIONS_REGION_SURFACE_H

#include "kernels/regions/region_formulas.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills surface_area and sphericity of the table, which is in host memory, as are the objects and their runs. */
fv_status region_surfaces (const fv_call *call, const region *items, int64_t n, const region_table *t, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
