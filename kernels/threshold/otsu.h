/* SPDX-License-Identifier: MIT
 *
 * otsu: out = 255 where in > t, else 0; t maximises the variance between the pixels at or below t and those above.
 */
#ifndef KERNELS_THRESHOLD_OTSU_H
#define KERNELS_THRESHOLD_OTSU_H

#include "kernels/threshold/methods.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct otsu_args {
  int32_t bins;
  bool volume;
} otsu_args;

fv_status otsu_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
