/* SPDX-License-Identifier: MIT
 *
 * erosion: out(p) = min over o in F of in(p + o), for the footprint F, `iterations` times.
 * Border, NaN rule and reference: common_morphology.h.
 */
#ifndef KERNELS_MORPHOLOGY_EROSION_H
#define KERNELS_MORPHOLOGY_EROSION_H

#include "kernels/morphology/morphology.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef morphology_args erosion_args;

fv_status erosion_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
