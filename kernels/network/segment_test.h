/* SPDX-License-Identifier: MIT
 *
 * Whether a network makes the test output of its package.
 */
#ifndef KERNELS_NETWORK_SEGMENT_TEST_H
#define KERNELS_NETWORK_SEGMENT_TEST_H

#include "kernels/network/segment_model.h"

/* Runs it on the test input, on the CPU, unless it has passed before. weights: on the host. FV_BAD_ARGUMENT with *error: more than 100 numbers of a million differ
 * by more than 1e-4 and a thousandth. */
fv_status segment_model_test (const fv_call *call, segment_model *model, const float *weights, fv_error *error);

#endif
