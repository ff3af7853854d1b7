/* SPDX-License-Identifier: MIT
 *
 * threshold: out = 255 where lower <= in <= upper (manual), in > t, or in <= t on a bright background; else 0.
 * The argument struct and the methods that find t are in common_threshold.h.
 */
#ifndef KERNELS_THRESHOLD_THRESHOLD_H
#define KERNELS_THRESHOLD_THRESHOLD_H

#include "kernels/threshold/methods.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status threshold_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
