/* SPDX-License-Identifier: MIT
 *
 * The convex hulls of all objects of a volume, on the threads of the host for any device.
 */
#ifndef KERNELS_REGIONS_REGION_SOLIDS_H
#define KERNELS_REGIONS_REGION_SOLIDS_H

#include "kernels/regions/region_formulas.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills area_convex, solidity and feret_diameter_max of the table, which is in host memory, as are the objects and their runs. */
fv_status region_solids (const fv_call *call, const region *items, int64_t n, const region_table *t, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
