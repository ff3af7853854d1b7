/* SPDX-License-Identifier: MIT
 *
 * regionprops: a row of the table for each object of a label image. See properties.h for what is measured.
 */
#ifndef KERNELS_REGIONS_REGIONPROPS_H
#define KERNELS_REGIONS_REGIONPROPS_H

#include "kernels/regions/properties.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef FOVEA_CUDA
fv_status regionprops_cuda (const fv_call *call, fv_error *error);
#endif

#ifdef __cplusplus
}
#endif
#endif
