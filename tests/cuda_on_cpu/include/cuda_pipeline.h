/* SPDX-License-Identifier: MIT
 *
 * Copies that are under way: nothing is there before it was waited for.
 */
#ifndef CUDA_ON_CPU_CUDA_PIPELINE_H
#define CUDA_ON_CPU_CUDA_PIPELINE_H

#include "engine.h"

static inline void
__pipeline_memcpy_async (void *to, const void *from, size_t bytes)
{
  cuda_on_cpu::copy_later (to, from, bytes);
}

static inline void
__pipeline_commit ()
{
  cuda_on_cpu::copies_together ();
}

static inline void
__pipeline_wait_prior (size_t all_but)
{
  cuda_on_cpu::copies_now (all_but);
}

#endif
