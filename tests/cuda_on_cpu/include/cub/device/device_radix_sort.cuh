/* SPDX-License-Identifier: MIT
 *
 * Stable sorts by some bits of the keys. What is sorted comes to lie in the other buffer, and the first is spoilt.
 */
#ifndef CUDA_ON_CPU_DEVICE_RADIX_SORT_CUH
#define CUDA_ON_CPU_DEVICE_RADIX_SORT_CUH

#include "cub_temporary.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace cub {

template <typename T> struct DoubleBuffer {
  T *d_buffers[2] = {nullptr, nullptr};
  int selector = 0;

  DoubleBuffer () = default;
  DoubleBuffer (T *current, T *alternate) : d_buffers{current, alternate}
  {
  }
  T *Current () const
  {
    return d_buffers[selector];
  }
  T *Alternate () const
  {
    return d_buffers[selector ^ 1];
  }

  void reorder (const std::vector<size_t> &order)
  {
    for (size_t i = 0; i < order.size (); i++)
      Alternate ()[i] = Current ()[order[i]];
    memset ((void *) Current (), cuda_on_cpu::UNWRITTEN, order.size () * sizeof (T));
    selector ^= 1;
  }
};

struct DeviceRadixSort {
  template <typename K> static std::vector<size_t> order_of (const K *keys, size_t n, int begin, int end)
  {
    const uint64_t bits = end - begin >= 64 ? ~(uint64_t) 0 : ((uint64_t) 1 << (end - begin)) - 1;
    std::vector<size_t> order (n);
    std::iota (order.begin (), order.end (), 0);
    std::stable_sort (order.begin (), order.end (), [=] (size_t a, size_t b) {
      return ((uint64_t) keys[a] >> begin & bits) < ((uint64_t) keys[b] >> begin & bits);
    });
    return order;
  }

  template <typename K, typename V, typename N>
  static cudaError_t SortPairs (void *temporary, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n,
                                int begin = 0, int end = 8 * sizeof (K), cudaStream_t = nullptr)
  {
    if (!cuda_on_cpu::temporary_there (temporary, bytes, (size_t) n))
      return cudaSuccess;
    const std::vector<size_t> order = order_of (keys.Current (), (size_t) n, begin, end);
    keys.reorder (order);
    values.reorder (order);
    return cudaSuccess;
  }

  template <typename K, typename N>
  static cudaError_t SortKeys (void *temporary, size_t &bytes, DoubleBuffer<K> &keys, N n, int begin = 0,
                               int end = 8 * sizeof (K), cudaStream_t = nullptr)
  {
    if (cuda_on_cpu::temporary_there (temporary, bytes, (size_t) n))
      keys.reorder (order_of (keys.Current (), (size_t) n, begin, end));
    return cudaSuccess;
  }
};

}

#endif
