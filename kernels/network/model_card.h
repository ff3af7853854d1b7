/* SPDX-License-Identifier: MIT
 *
 * The models of segment as the host shows them: their cards, and their tests.
 */
#ifndef KERNELS_NETWORK_MODEL_CARD_H
#define KERNELS_NETWORK_MODEL_CARD_H

#include "kernels/common/common.h"

extern const fv_models segment_models;

#endif
