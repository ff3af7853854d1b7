/* SPDX-License-Identifier: MIT
 *
 * The run of segment with the passes of either device.
 */
#ifndef KERNELS_NETWORK_SEGMENT_CHAIN_H
#define KERNELS_NETWORK_SEGMENT_CHAIN_H

#include "kernels/network/segment_passes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct segment_args {
  char model[1024];
  double probability, overlap, foreground, contrast;
  char diameter[32]; /* "auto" or pixels */
  bool dark;
  int32_t tile;
} segment_args;

fv_status segment_run (const fv_call *call, const segment_passes *passes, fv_error *error);
/* Bytes of scratch. */
int64_t segment_bytes (const segment_args *a, const fv_grid *in);
/* "auto" is 0. FALSE: it is neither that nor a number of pixels. */
bool segment_diameter (const segment_args *a, double *pixels);

#ifdef __cplusplus
}
#endif

#endif
