/* SPDX-License-Identifier: MIT
 */
#ifndef PLUGIN_OPENMP_H
#define PLUGIN_OPENMP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on the calling thread computes with no more than that many threads; 0: as many as OMP_NUM_THREADS says, or there are cores. */
void openmp_limit (int32_t threads);
/* Whether the thread is one that called an operation, and none that helps it. Its index in a region may be any. */
bool openmp_is_caller (void);

#ifdef __cplusplus
}
#endif

#endif
