/* SPDX-License-Identifier: MIT
 *
 * Disjoint sets, see union_find.h, by any number of threads at once: a link only ever goes down within the set.
 */
#ifndef KERNELS_LABEL_LINKS_CUH
#define KERNELS_LABEL_LINKS_CUH

#include "kernels/common/common.cuh"

template <typename K> struct atomic_of;
template <> struct atomic_of<uint32_t> {
  typedef unsigned type;
};
template <> struct atomic_of<uint64_t> {
  typedef unsigned long long type;
};

/* Links in global memory. */
template <typename K> struct links {
  K *link;

  __device__ K get (K i) const
  {
    return ((volatile K *) link)[i];
  }

  __device__ void skip (K i, K to) const
  {
    ((volatile K *) link)[i] = to;
  }

  __device__ K lower (K i, K to) const
  {
    typedef typename atomic_of<K>::type atomic;
    return (K) atomicMin ((atomic *) link + i, (atomic) to);
  }
};

/* Links in shared memory, by atomics alone. */
struct tile_links {
  uint32_t *link;

  __device__ uint32_t get (uint32_t i) const
  {
    return atomicOr (link + i, 0u);
  }

  __device__ void skip (uint32_t i, uint32_t to) const
  {
    atomicMin (link + i, to);
  }

  __device__ uint32_t lower (uint32_t i, uint32_t to) const
  {
    return atomicMin (link + i, to);
  }
};

template <typename LINKS, typename K>
__device__ static K
root_of (const LINKS &l, K i)
{
  K up = l.get (i);
  while (up != i) {
    K next = l.get (up);
    if (next == up)
      return up;
    l.skip (i, next);
    i = next;
    up = l.get (i);
  }
  return i;
}

template <typename LINKS, typename K>
__device__ static void
unite (const LINKS &l, K a, K b)
{
  for (;;) {
    a = root_of (l, a);
    b = root_of (l, b);
    if (a == b)
      return;
    if (a > b) {
      K c = a;
      a = b;
      b = c;
    }
    K old = l.lower (b, a);
    if (old == b)
      return;
    b = old;
  }
}

#endif
