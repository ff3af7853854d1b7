/* SPDX-License-Identifier: MIT
 *
 * dilation: out(p) = max over o in F of in(p + o), for the footprint F, `iterations` times.
 * Border, NaN rule and reference: common_morphology.h.
 */
#ifndef KERNELS_DILATION_H
#define KERNELS_DILATION_H

#include "common_morphology.h"

typedef morphology_args dilation_args;

#endif
