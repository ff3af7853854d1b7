/* SPDX-License-Identifier: MIT
 *
 * From a label image on the device to its objects as lists of runs.
 */
#ifndef KERNELS_REGIONS_REGION_RUNS_CUH
#define KERNELS_REGIONS_REGION_RUNS_CUH

#include "kernels/regions/region_team.cuh"

/* Finds the runs and the objects; s->items is not filled in yet. Reads back twice: 24 and 8 bytes. */
fv_status region_set_find (const fv_call *call, const fv_array *labels, bool volume, region_set *s, fv_error *error);

/* The same, and brings the objects to the host, in the order that they have in the set. Reads the runs back, too. */
fv_status region_set_fetch (const fv_call *call, const fv_array *labels, bool volume, region_set *s, regions *found,
                            fv_error *error);

#endif
