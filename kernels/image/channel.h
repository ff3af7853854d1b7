/* SPDX-License-Identifier: MIT
 *
 * channel: out(z, y, x) = in(c, z, y, x) for one channel c.
 */
#ifndef KERNELS_IMAGE_CHANNEL_H
#define KERNELS_IMAGE_CHANNEL_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct channel_args {
  int32_t index; /* from 0 */
  char name[64]; /* when given, it wins over index */
} channel_args;

/* Position of the channel that the arguments name, or -1. */
int64_t channel_position (const channel_args *args, const fv_grid *in);
fv_status channel_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
