/* SPDX-License-Identifier: MIT
 *
 * The table of objects that is filled in, and its columns.
 */
#ifndef KERNELS_REGIONS_REGION_COLUMNS_H
#define KERNELS_REGIONS_REGION_COLUMNS_H

#include "kernels/regions/properties.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct region_columns {
  fv_column *columns;
  uint32_t n;
} region_columns;

/* The table that is filled in, on either device, and what its numbers are scaled with. */
typedef struct region_table {
  int32_t at[PROPERTIES], plane; /* first column of each property, and the column z, or -1 */
  bool volume;
  double spacing[3];
  int64_t rows;
  double *values; /* column by column */
} region_table;

/* Columns of one property without the channels. */
int region_property_columns (property p, bool volume);

/* Makes the columns in host memory `memory` of region_columns_bytes, and a table that points to them but has no rows yet. */
size_t region_columns_bytes (const regionprops_args *a, const fv_grid *intensity);
void region_columns_make (region_columns *c, region_table *t, const regionprops_args *a, const fv_grid *labels,
                          const fv_grid *intensity, void *memory);

#ifdef __cplusplus
}
#endif
#endif
