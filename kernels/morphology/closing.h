/* SPDX-License-Identifier: MIT
 *
 * closing: dilations with the footprint F, then as many erosions with F mirrored: gaps that F does not fit into go.
 * Border, NaN rule and reference: common_morphology.h.
 */
#ifndef KERNELS_MORPHOLOGY_CLOSING_H
#define KERNELS_MORPHOLOGY_CLOSING_H

#include "kernels/morphology/morphology.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef morphology_args closing_args;

fv_status closing_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
