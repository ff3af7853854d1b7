/* SPDX-License-Identifier: MIT
 *
 * erosion: out(p) = min over o in F of in(p + o), for the footprint F, `iterations` times.
 * Border, NaN rule and reference: common_morphology.h.
 */
#ifndef KERNELS_EROSION_H
#define KERNELS_EROSION_H

#include "common_morphology.h"

typedef morphology_args erosion_args;

#endif
