/* SPDX-License-Identifier: MIT
 *
 * pad: out(p, y, x) = in(p, y - top, x - left), and outside the image what the border says. NaN is copied.
 */
#ifndef KERNELS_GEOMETRY_PAD_H
#define KERNELS_GEOMETRY_PAD_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pad_args {
  int32_t left, right, top, bottom; /* pixels that are added */
  int32_t border;                   /* border */
  double value;                     /* outside, with the border constant */
} pad_args;

fv_status pad_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
