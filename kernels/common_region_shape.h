/* SPDX-License-Identifier: MIT
 *
 * What regionprops' parts share: the objects, the table that they fill in, and where each property's columns are.
 */
#ifndef KERNELS_COMMON_REGION_SHAPE_H
#define KERNELS_COMMON_REGION_SHAPE_H

#include "common_regions.h"
#include "regionprops.h"

typedef struct region_job {
  const fv_call *call;
  const fv_array *labels, *intensity;
  bool volume;
  double spacing[3];
  regions found;
  region_columns columns;
  double *values; /* the table, column by column */
} region_job;

static inline bool
wants (const region_job *j, property p)
{
  return j->columns.at[p] >= 0;
}

/* Sets column k of a property in row i, if the property is asked for. */
static inline void
put (const region_job *j, property p, int64_t i, int64_t k, double value)
{
  if (j->columns.at[p] >= 0)
    j->values[(j->columns.at[p] + k) * j->found.n + i] = value;
}

/* Size of a pixel: area or volume. */
static inline double
pixel_size (const region_job *j)
{
  return j->spacing[1] * j->spacing[2] * (j->volume ? j->spacing[0] : 1);
}

fv_status region_shapes (const region_job *j, fv_error *error);
fv_status region_intensities (const region_job *j, fv_error *error);

#endif
