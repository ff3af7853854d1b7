/* SPDX-License-Identifier: MIT
 *
 * Inputs that must be as large as another one.
 */
#ifndef KERNELS_COMMON_ALIKE_H
#define KERNELS_COMMON_ALIKE_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far. Rows and columns are equal in each. */
typedef enum alike_rule {
  ALIKE,              /* as many planes in as many channels */
  ALIKE_IN_CHANNEL,   /* as many planes in each channel, in any number of channels */
  ALIKE_OR_ONE_PLANE, /* as ALIKE, or one plane for all */
  ALIKE_OR_ONE        /* as many planes or one, in as many channels or one */
} alike_rule;

/* Whether an input, called `key`, is as large as the `image`, called `name` in the error. NULL is. FV_BAD_INPUT says both sizes. */
fv_status check_alike (const fv_grid *input, const char *key, const fv_grid *image, const char *name, alike_rule rule,
                       fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
