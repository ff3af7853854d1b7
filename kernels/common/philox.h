/* SPDX-License-Identifier: MIT
 *
 * Random numbers that depend on a counter and a key alone: Philox4x32-10, the same on every device and however many threads there are.
 * Reference: J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011.
 */
#ifndef KERNELS_COMMON_PHILOX_H
#define KERNELS_COMMON_PHILOX_H

#include "kernels/common/common.h"
#include "kernels/common/defined.h"

/* Four words of a counter, with `more` above its 64 bits. */
INLINE void
philox (uint64_t counter, uint32_t more, uint32_t key, uint32_t v[4])
{
  uint32_t keys[2] = {key, 0};
  v[0] = (uint32_t) counter, v[1] = (uint32_t) (counter >> 32), v[2] = more, v[3] = 0;
  for (int round = 0; round < 10; round++) {
    uint64_t a = (uint64_t) 0xD2511F53u * v[0], b = (uint64_t) 0xCD9E8D57u * v[2];
    uint32_t v1 = v[1], v3 = v[3];
    v[0] = (uint32_t) (b >> 32) ^ v1 ^ keys[0];
    v[1] = (uint32_t) b;
    v[2] = (uint32_t) (a >> 32) ^ v3 ^ keys[1];
    v[3] = (uint32_t) a;
    keys[0] += 0x9E3779B9u;
    keys[1] += 0xBB67AE85u;
  }
}

/* Between 0 and 1, neither of them. */
INLINE double
philox_uniform (uint32_t word)
{
  return (word + 0.5) * (1 / 4294967296.0);
}

/* Mean 0, standard deviation 1, of the first two words, by Box and Muller. */
INLINE double
philox_normal (const uint32_t v[4])
{
  return sqrt (-2 * defined_log (philox_uniform (v[0])))
         * defined_cos (6.283185307179586476925 * philox_uniform (v[1]));
}

#endif
