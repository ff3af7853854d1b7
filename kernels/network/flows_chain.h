/* SPDX-License-Identifier: MIT
 *
 * The run of flows with the passes of either device.
 */
#ifndef KERNELS_NETWORK_FLOWS_CHAIN_H
#define KERNELS_NETWORK_FLOWS_CHAIN_H

#include "kernels/network/flows_passes.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status flows_run (const fv_call *call, const flows_passes *passes, fv_error *error);
/* Bytes of scratch. */
int64_t flows_bytes (const fv_grid *in);

#ifdef __cplusplus
}
#endif

#endif
