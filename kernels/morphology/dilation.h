/* SPDX-License-Identifier: MIT
 *
 * dilation: out(p) = max over o in F of in(p + o), for the footprint F, `iterations` times.
 * Border, NaN rule and reference: common_morphology.h.
 */
#ifndef KERNELS_MORPHOLOGY_DILATION_H
#define KERNELS_MORPHOLOGY_DILATION_H

#include "kernels/morphology/morphology.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef morphology_args dilation_args;

fv_status dilation_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
