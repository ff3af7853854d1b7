/* SPDX-License-Identifier: MIT
 *
 * keys.h by type.
 */
#ifndef KERNELS_COMMON_KEYS_CUH
#define KERNELS_COMMON_KEYS_CUH

#include "kernels/common/keys.h"

#include <type_traits>

/* As large as the value. */
template <typename T>
using key_type = std::conditional_t<
  sizeof (T) == 8, uint64_t,
  std::conditional_t<sizeof (T) == 4, uint32_t, std::conditional_t<sizeof (T) == 2, uint16_t, uint8_t>>>;

template <typename T>
__device__ __forceinline__ key_type<T>
key_of (T v)
{
  if constexpr (sizeof (T) == 1)
    return key_u8 (v);
  else if constexpr (sizeof (T) == 2)
    return key_u16 (v);
  else if constexpr (std::is_integral<T>::value)
    return key_i32 (v);
  else if constexpr (sizeof (T) == 4)
    return key_f32 (v);
  else
    return key_f64 (v);
}

template <typename T, typename K>
__device__ __forceinline__ double
value_of_key (K key)
{
  if constexpr (std::is_integral<T>::value)
    return sizeof (T) < 4 ? (double) key : value_i32 ((uint32_t) key);
  else if constexpr (sizeof (T) == 4)
    return value_f32 (key);
  else
    return value_f64 (key);
}

#endif
