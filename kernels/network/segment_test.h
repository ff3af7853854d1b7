/* SPDX-License-Identifier: MIT
 *
 * Whether a network makes the test output of its package.
 */
#ifndef KERNELS_NETWORK_SEGMENT_TEST_H
#define KERNELS_NETWORK_SEGMENT_TEST_H

#include "kernels/network/segment_model.h"

/* Runs the model, which has its process or its weights on the host, on the test input of its package, if it has one. report: n bytes for what agrees, a
 * sentence; or NULL. FV_BAD_ARGUMENT with *error: more than 100 numbers of a million differ by more than 1e-4 and a thousandth. */
fv_status segment_model_test (const fv_call *call, segment_model *model, char *report, size_t n, fv_error *error);

#endif
