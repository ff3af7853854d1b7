/* SPDX-License-Identifier: MIT
 *
 * The OpenMP functions for GCC that openmp_clang.c needs, and further ones for clang.
 */
#ifndef PLUGIN_OPENMP_GCC_H
#define PLUGIN_OPENMP_GCC_H

#include <stdbool.h>

void GOMP_parallel (void (*work) (void *), void *data, unsigned wanted, unsigned flags);
void GOMP_barrier (void);
bool GOMP_loop_nonmonotonic_dynamic_start (long first, long last, long step, long chunk, long *begin, long *end);
bool GOMP_loop_nonmonotonic_dynamic_next (long *begin, long *end);
void GOMP_loop_end_nowait (void);
void GOMP_critical_name_start (void **name);
void GOMP_critical_name_end (void **name);

/* Whether the dynamic loop that the thread is in ends with this chunk. */
bool openmp_is_end (long end);
/* From now on the thread is as in an inner region of one thread, until the end of it. */
void openmp_alone_begin (void);
void openmp_alone_end (void);

#endif
