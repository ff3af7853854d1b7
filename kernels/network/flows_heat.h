/* SPDX-License-Identifier: MIT
 */
#ifndef KERNELS_NETWORK_FLOWS_HEAT_H
#define KERNELS_NETWORK_FLOWS_HEAT_H

#include "kernels/network/flows_passes.h"

/* flows_passes.heat on the CPU, and its room. */
fv_status flows_heat_cpu (const fv_call *call, const flows_job *job, const flows_object *objects, int64_t n,
                          const flows_share *share, fv_error *error);
size_t flows_heat_room (void);

#endif
