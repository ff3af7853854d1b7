/* SPDX-License-Identifier: MIT
 *
 * closing: dilations with the footprint F, then as many erosions with F mirrored: gaps that F does not fit into go.
 * Border, NaN rule and reference: common_morphology.h.
 */
#ifndef KERNELS_CLOSING_H
#define KERNELS_CLOSING_H

#include "common_morphology.h"

typedef morphology_args closing_args;

#endif
