/* SPDX-License-Identifier: MIT
 *
 * What the parts of regionprops on the CPU share: the objects and the table that they fill in.
 */
#ifndef KERNELS_REGIONS_REGION_SHAPE_H
#define KERNELS_REGIONS_REGION_SHAPE_H

#include "kernels/regions/region_formulas.h"

typedef struct region_job {
  const fv_call *call;
  const fv_array *labels, *intensity;
  regions found;
  region_table t;
} region_job;

fv_status region_shapes (const region_job *j, fv_error *error);
fv_status region_intensities (const region_job *j, fv_error *error);

#endif
