/* SPDX-License-Identifier: MIT
 *
 * A function for each piece of PTX in kernels/; compile.py calls them by the names of the instructions.
 */
#ifndef CUDA_ON_CPU_PTX_H
#define CUDA_ON_CPU_PTX_H

#include "engine.h"

namespace cuda_on_cpu {

/* What others write is waited for with these: they let the others run. */
template <typename T>
static inline void
load (T &to, const T *at)
{
  step_back ();
  __atomic_load (at, &to, __ATOMIC_SEQ_CST);
}

}

template <typename T>
static inline void
ptx_ld_acquire_gpu_u32 (T &to, const T *at)
{
  cuda_on_cpu::load (to, at);
}
template <typename T>
static inline void
ptx_ld_acquire_gpu_s32 (T &to, const T *at)
{
  cuda_on_cpu::load (to, at);
}
template <typename T>
static inline void
ptx_ld_relaxed_gpu_u64 (T &to, const T *at)
{
  __atomic_load (at, &to, __ATOMIC_SEQ_CST);
}
template <typename T>
static inline void
ptx_st_relaxed_gpu_u64 (T *at, T v)
{
  __atomic_store (at, &v, __ATOMIC_SEQ_CST);
}
template <typename T>
static inline void
ptx_st_release_gpu_s32 (T *at, T v)
{
  __atomic_store (at, &v, __ATOMIC_SEQ_CST);
}

static inline void
ptx_griddepcontrol_launch_dependents ()
{
}
static inline void
ptx_griddepcontrol_wait ()
{
}

struct alignas (8) cuda_on_cpu_words2 {
  uint32_t v[2];
};
struct alignas (16) cuda_on_cpu_words4 {
  uint32_t v[4];
};
static inline void
ptx_st_u32 (void *to, uint32_t a)
{
  *(uint32_t *) to = a;
}
static inline void
ptx_st_v2_u32 (void *to, uint32_t a, uint32_t b)
{
  *(cuda_on_cpu_words2 *) to = {{a, b}};
}
static inline void
ptx_st_v4_u32 (void *to, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  *(cuda_on_cpu_words4 *) to = {{a, b, c, d}};
}

/* Addresses of shared memory count from the beginning of what the launch asked for. */
static inline size_t
__cvta_generic_to_shared (const void *at)
{
  return (size_t) ((const char *) at - (const char *) cuda_on_cpu::dynamic_shared ());
}

/* Reads a byte, adds 1 and writes it. */
static inline void
ptx_ld_shared_u8_add_u32_st_shared_u8 (uint32_t at)
{
  if (at >= cuda_on_cpu::dynamic_bytes ())
    cuda_on_cpu::stop ("byte %u of %zu of shared memory", at, cuda_on_cpu::dynamic_bytes ());
  ++((uint8_t *) cuda_on_cpu::dynamic_shared ())[at];
}

/* What a lane has of d += a b, of 16 x 32 and 32 x 8 bytes. */
struct cuda_on_cpu_product {
  int *d[4];
  uint32_t a[4], b[2];
};

/* Lane l has bytes 4 (l % 4) ... + 3, and those 16 further, of rows l / 4 and l / 4 + 8 of a and of column l / 4 of b. Of d it has columns 2 (l % 4)
 * and the next of both rows. */
static inline void
cuda_on_cpu_multiply (cuda_on_cpu::thread *const *lanes, unsigned)
{
  const cuda_on_cpu_product *of[32];
  for (int l = 0; l < 32; l++) {
    if (!lanes[l])
      cuda_on_cpu::stop ("a product of matrices without lane %d", l);
    of[l] = (const cuda_on_cpu_product *) lanes[l]->value;
  }
  for (int row = 0; row < 16; row++)
    for (int column = 0; column < 8; column++) {
      int &d = *of[row % 8 * 4 + column / 2]->d[row / 8 * 2 + column % 2];
      for (int k = 0; k < 32; k++) {
        const uint32_t a = of[row % 8 * 4 + k % 16 / 4]->a[k / 16 * 2 + row / 8],
                       b = of[column * 4 + k % 16 / 4]->b[k / 16];
        d += (int) ((a >> k % 4 * 8 & 255) * (b >> k % 4 * 8 & 255));
      }
    }
}

static inline void
ptx_mma_sync_aligned_m16n8k32_row_col_s32_u8_u8_s32 (int &d0, int &d1, int &d2, int &d3, uint32_t a0, uint32_t a1,
                                                     uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1)
{
  const cuda_on_cpu_product mine = {{&d0, &d1, &d2, &d3}, {a0, a1, a2, a3}, {b0, b1}};
  cuda_on_cpu::meet (cuda_on_cpu_multiply, ~0u, (uint64_t) &mine);
}

#endif
