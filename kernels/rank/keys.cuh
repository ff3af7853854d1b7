/* SPDX-License-Identifier: MIT
 *
 * keys: integers without sign of the same order as pixels; a NaN is the greatest.
 */
#ifndef KERNELS_RANK_KEYS_CUH
#define KERNELS_RANK_KEYS_CUH

#include "kernels/common/common.cuh"

#include <type_traits>

template <typename T> struct rank_key {
  static constexpr bool real = !std::is_integral<T>::value;
  typedef std::conditional_t<
    sizeof (T) == 1, uint8_t,
    std::conditional_t<sizeof (T) == 2, uint16_t, std::conditional_t<sizeof (T) == 4, uint32_t, uint64_t>>>
    type;
  static constexpr type top = std::is_signed<T>::value || real ? (type) ((type) 1 << (8 * sizeof (T) - 1)) : 0;
  static constexpr type nan = (type) ~(type) 0;

  __device__ type operator() (T v) const
  {
    type bits;
    memcpy (&bits, &v, sizeof v);
    if (real)
      return v != v ? nan : bits & top ? (type) ~bits : (type) (bits | top);
    return bits ^ top;
  }

  static __device__ T pixel (type key)
  {
    T v;
    type bits = real && !(key & top) ? (type) ~key : (type) (key ^ top);
    memcpy (&v, &bits, sizeof v);
    return v;
  }
};

#endif
