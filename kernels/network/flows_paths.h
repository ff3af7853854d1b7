/* SPDX-License-Identifier: MIT
 */
#ifndef KERNELS_NETWORK_FLOWS_PATHS_H
#define KERNELS_NETWORK_FLOWS_PATHS_H

#include "kernels/network/flows_pixels.h"

/* flows_follow() with vectors of the CPU. */
void flows_follow_cpu (const flows_job *j, int64_t from, int64_t to);

#endif
