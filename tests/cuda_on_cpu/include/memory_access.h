/* SPDX-License-Identifier: MIT
 *
 * Loads, stores and atomics. A thread may be interrupted anywhere but in these.
 */
#ifndef CUDA_ON_CPU_MEMORY_ACCESS_H
#define CUDA_ON_CPU_MEMORY_ACCESS_H

#include "engine.h"

#include <string.h>

template <typename T>
static inline T
__ldg (const T *at)
{
  return *at;
}
template <typename T>
static inline T
__ldcg (const T *at)
{
  return *at;
}
template <typename T>
static inline void
__stcg (T *at, T v)
{
  *at = v;
}

static inline void
__threadfence ()
{
}
static inline void
__threadfence_block ()
{
}
static inline void
__nanosleep (unsigned)
{
  cuda_on_cpu::step_back ();
}

namespace cuda_on_cpu {

template <typename T> struct same_type {
  typedef T type;
};
template <typename T> using same = typename same_type<T>::type;

/* *at = f (*at); what was there. */
template <typename T, typename F>
static inline T
change (T *at, F f)
{
  T old, now;
  __atomic_load (at, &old, __ATOMIC_SEQ_CST);
  do
    now = f (old);
  while (!__atomic_compare_exchange (at, &old, &now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}

}

template <typename T>
static inline T
atomicAdd (T *at, cuda_on_cpu::same<T> v)
{
  return cuda_on_cpu::change (
    at, [v] (T old) { return std::is_integral_v<T> ? (T) ((uint64_t) old + (uint64_t) v) : old + v; });
}

template <typename T>
static inline T
atomicMin (T *at, cuda_on_cpu::same<T> v)
{
  return cuda_on_cpu::change (at, [v] (T old) { return v < old ? v : old; });
}

template <typename T>
static inline T
atomicMax (T *at, cuda_on_cpu::same<T> v)
{
  return cuda_on_cpu::change (at, [v] (T old) { return v > old ? v : old; });
}

template <typename T>
static inline T
atomicAnd (T *at, cuda_on_cpu::same<T> v)
{
  return cuda_on_cpu::change (at, [v] (T old) { return old & v; });
}

template <typename T>
static inline T
atomicOr (T *at, cuda_on_cpu::same<T> v)
{
  return cuda_on_cpu::change (at, [v] (T old) { return old | v; });
}

template <typename T>
static inline T
atomicXor (T *at, cuda_on_cpu::same<T> v)
{
  return cuda_on_cpu::change (at, [v] (T old) { return old ^ v; });
}

template <typename T>
static inline T
atomicExch (T *at, cuda_on_cpu::same<T> v)
{
  return cuda_on_cpu::change (at, [v] (T) { return v; });
}

template <typename T>
static inline T
atomicCAS (T *at, cuda_on_cpu::same<T> expected, cuda_on_cpu::same<T> v)
{
  return cuda_on_cpu::change (at, [=] (T old) { return old == expected ? v : old; });
}

#endif
