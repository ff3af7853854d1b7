/* SPDX-License-Identifier: MIT
 *
 * The parts of regionprops on the GPU: each fills its columns of the table in device memory.
 */
#ifndef KERNELS_REGIONS_REGION_MEASURE_CUH
#define KERNELS_REGIONS_REGION_MEASURE_CUH

#include "kernels/regions/region_formulas.h"
#include "kernels/regions/region_runs.cuh"

typedef struct region_measure {
  const fv_call *call;
  const fv_array *labels, *intensity;
  region_set s;
  region_table t; /* values: on the device */
  region_needs need;
} region_measure;

/* Counts, boxes, ellipses, moments; makes s.items first. */
fv_status region_measure_shapes (region_measure *m, fv_error *error);
/* Convex hulls of planes. */
fv_status region_measure_hulls (region_measure *m, fv_error *error);
/* Convex hulls and surfaces of a volume, by the CPU, after the shapes; t: the table on the host. */
fv_status region_measure_solids (const region_measure *m, const region_table *t, fv_error *error);
/* Euler number, perimeters, holes. */
fv_status region_measure_outlines (region_measure *m, fv_error *error);
/* Everything that needs intensities. */
fv_status region_measure_intensities (region_measure *m, fv_error *error);
/* Medians and modes of one channel. range: minimum and maximum of each object. */
fv_status region_measure_ranks (region_measure *m, region_channel channel, const double *range, fv_error *error);

#endif
