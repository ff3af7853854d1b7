/* SPDX-License-Identifier: MIT
 *
 * Vectors of numbers, aligned as a GPU needs them.
 */
#ifndef CUDA_ON_CPU_DEVICE_TYPES_H
#define CUDA_ON_CPU_DEVICE_TYPES_H

#define CUDA_ON_CPU_VECTORS(NAME, T)                                                                                   \
  struct alignas (2 * sizeof (T)) NAME##2                                                                              \
  {                                                                                                                    \
    T x, y;                                                                                                            \
  };                                                                                                                   \
  struct alignas (4 * sizeof (T)) NAME##4                                                                              \
  {                                                                                                                    \
    T x, y, z, w;                                                                                                      \
  };                                                                                                                   \
  static inline NAME##2 make_##NAME##2(T x, T y)                                                                       \
  {                                                                                                                    \
    return {x, y};                                                                                                     \
  }                                                                                                                    \
  static inline NAME##4 make_##NAME##4(T x, T y, T z, T w)                                                             \
  {                                                                                                                    \
    return {x, y, z, w};                                                                                               \
  }

CUDA_ON_CPU_VECTORS (int, int)
CUDA_ON_CPU_VECTORS (uint, unsigned)
CUDA_ON_CPU_VECTORS (float, float)

#undef CUDA_ON_CPU_VECTORS

#endif
