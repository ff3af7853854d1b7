/* SPDX-License-Identifier: MIT
 *
 * opening: erosions with the footprint F, then as many dilations with F mirrored: what F fits into stays.
 * Border, NaN rule and reference: common_morphology.h.
 */
#ifndef KERNELS_MORPHOLOGY_OPENING_H
#define KERNELS_MORPHOLOGY_OPENING_H

#include "kernels/morphology/morphology.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef morphology_args opening_args;

fv_status opening_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
