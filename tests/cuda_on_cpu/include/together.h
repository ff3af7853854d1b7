/* SPDX-License-Identifier: MIT
 *
 * What the threads of a block, and the lanes of a warp, do together.
 */
#ifndef CUDA_ON_CPU_TOGETHER_H
#define CUDA_ON_CPU_TOGETHER_H

#include "engine.h"

#include <string.h>
#include <type_traits>

static inline void
__syncthreads ()
{
  cuda_on_cpu::meet_block (false);
}
static inline int
__syncthreads_count (int yes)
{
  return cuda_on_cpu::meet_block (yes);
}
static inline int
__syncthreads_or (int yes)
{
  return cuda_on_cpu::meet_block (yes) > 0;
}
/* Only the lane itself is sure to be there. */
static inline unsigned
__activemask ()
{
  return 1u << cuda_on_cpu::self->lane;
}

namespace cuda_on_cpu {

template <typename F>
static inline void
each_lane (thread *const *lanes, F f)
{
  for (int i = 0; i < WARP; i++)
    if (lanes[i])
      f (*lanes[i]);
}

/* The lane gets the value of lane `from`; that of a missing lane is undefined. */
static inline void
take (thread *const *lanes, thread &t, int from)
{
  t.result = 0;
  if (lanes[from])
    t.result = lanes[from]->value;
  else
    memset (&t.result, UNWRITTEN, sizeof t.result);
}

enum shuffle { INDEX, UP, DOWN, XOR };

template <shuffle KIND>
static inline void
shuffled (thread *const *lanes, unsigned)
{
  each_lane (lanes, [=] (thread &t) {
    const int begin = t.lane & ~(t.width - 1), end = begin + t.width;
    int from = KIND == INDEX  ? begin + (t.argument & (t.width - 1))
               : KIND == UP   ? t.lane - t.argument
               : KIND == DOWN ? t.lane + t.argument
                              : t.lane ^ t.argument;
    if (from < begin || from >= end) /* of an earlier group the xor may read */
      from = KIND == XOR && from < begin ? from : t.lane;
    take (lanes, t, from);
  });
}

template <shuffle KIND, typename T>
static inline T
shuffle_of (unsigned mask, T v, int argument, int width)
{
  static_assert (sizeof (T) <= 8, "a number");
  uint64_t word = 0;
  memcpy (&word, &v, sizeof v);
  word = meet (shuffled<KIND>, mask, word, argument, width);
  memcpy (&v, &word, sizeof v);
  return v;
}

static inline void
balloted (thread *const *lanes, unsigned)
{
  uint64_t yes = 0;
  each_lane (lanes, [&] (thread &t) { yes |= t.value << t.lane; });
  each_lane (lanes, [=] (thread &t) { t.result = yes; });
}

static inline void
together_only (thread *const *, unsigned)
{
}

struct sum {
  template <typename T> T operator() (T a, T b) const
  {
    return (T) ((unsigned) a + (unsigned) b);
  }
};
struct min {
  template <typename T> T operator() (T a, T b) const
  {
    return a < b ? a : b;
  }
};
struct max {
  template <typename T> T operator() (T a, T b) const
  {
    return a > b ? a : b;
  }
};

template <typename T, typename F>
static inline void
reduced (thread *const *lanes, unsigned)
{
  T all = 0;
  bool first = true;
  each_lane (lanes, [&] (thread &t) {
    all = first ? (T) t.value : F () (all, (T) t.value);
    first = false;
  });
  each_lane (lanes, [=] (thread &t) { t.result = (uint64_t) all; });
}

}

template <typename T>
static inline T
__shfl_sync (unsigned mask, T v, int lane, int width = 32)
{
  return cuda_on_cpu::shuffle_of<cuda_on_cpu::INDEX> (mask, v, lane, width);
}

template <typename T>
static inline T
__shfl_up_sync (unsigned mask, T v, unsigned by, int width = 32)
{
  return cuda_on_cpu::shuffle_of<cuda_on_cpu::UP> (mask, v, (int) by, width);
}

template <typename T>
static inline T
__shfl_down_sync (unsigned mask, T v, unsigned by, int width = 32)
{
  return cuda_on_cpu::shuffle_of<cuda_on_cpu::DOWN> (mask, v, (int) by, width);
}

template <typename T>
static inline T
__shfl_xor_sync (unsigned mask, T v, int by, int width = 32)
{
  return cuda_on_cpu::shuffle_of<cuda_on_cpu::XOR> (mask, v, by, width);
}

static inline void
__syncwarp (unsigned mask = ~0u)
{
  cuda_on_cpu::meet (cuda_on_cpu::together_only, mask, 0);
}

static inline unsigned
__ballot_sync (unsigned mask, int yes)
{
  return (unsigned) cuda_on_cpu::meet (cuda_on_cpu::balloted, mask, yes != 0);
}

static inline int
__any_sync (unsigned mask, int yes)
{
  return __ballot_sync (mask, yes) != 0;
}
static inline int
__all_sync (unsigned mask, int yes)
{
  return __ballot_sync (mask, !yes) == 0;
}

template <typename T>
static inline T
__reduce_add_sync (unsigned mask, T v)
{
  return (T) cuda_on_cpu::meet (cuda_on_cpu::reduced<T, cuda_on_cpu::sum>, mask, (uint64_t) v);
}

template <typename T>
static inline T
__reduce_min_sync (unsigned mask, T v)
{
  return (T) cuda_on_cpu::meet (cuda_on_cpu::reduced<T, cuda_on_cpu::min>, mask, (uint64_t) v);
}

template <typename T>
static inline T
__reduce_max_sync (unsigned mask, T v)
{
  return (T) cuda_on_cpu::meet (cuda_on_cpu::reduced<T, cuda_on_cpu::max>, mask, (uint64_t) v);
}

#endif
