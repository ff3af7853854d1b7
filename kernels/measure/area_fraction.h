/* SPDX-License-Identifier: MIT
 *
 * area_fraction: for each plane the number of pixels in a mask, that number times the area of a pixel, and its percentage of the pixels that count:
 * all, or those inside a second mask. Of none it is NaN.
 */
#ifndef KERNELS_MEASURE_AREA_FRACTION_H
#define KERNELS_MEASURE_AREA_FRACTION_H

#include "kernels/measure/pixel_sums.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { AREA_MASK, AREA_INSIDE }; /* inputs */

/* Of a plane. */
typedef struct area_counts {
  double taken, all;
} area_counts;

/* The table, from the counts of all planes; and how much of all of them together that is. */
fv_status area_fraction_table (const fv_call *call, const area_counts *planes, double *percent, fv_error *error);

fv_status area_fraction_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
