/* SPDX-License-Identifier: MIT
 *
 * A stable sort of what the threads of a block have, a few each, by some bits of the keys.
 */
#ifndef CUDA_ON_CPU_BLOCK_RADIX_SORT_CUH
#define CUDA_ON_CPU_BLOCK_RADIX_SORT_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace cub {

template <typename K, int THREADS, int ITEMS, typename V> class BlockRadixSort {
public:
  struct TempStorage {
    K keys[THREADS * ITEMS];
    V values[THREADS * ITEMS];
  };

  explicit BlockRadixSort (TempStorage &storage) : s (storage)
  {
  }

  void Sort (K (&keys)[ITEMS], V (&values)[ITEMS], int begin = 0, int end = 8 * sizeof (K))
  {
    const int at = (int) threadIdx.x * ITEMS;
    for (int i = 0; i < ITEMS; i++) {
      s.keys[at + i] = keys[i];
      s.values[at + i] = values[i];
    }
    __syncthreads ();
    if (threadIdx.x == 0)
      sort (begin, end);
    __syncthreads ();
    for (int i = 0; i < ITEMS; i++) {
      keys[i] = s.keys[at + i];
      values[i] = s.values[at + i];
    }
  }

private:
  TempStorage &s;

  void sort (int begin, int end)
  {
    const uint64_t bits = end - begin >= 64 ? ~(uint64_t) 0 : ((uint64_t) 1 << (end - begin)) - 1;
    std::vector<std::pair<K, V>> all (THREADS * ITEMS);
    for (size_t i = 0; i < all.size (); i++)
      all[i] = {s.keys[i], s.values[i]};
    std::stable_sort (all.begin (), all.end (), [=] (const std::pair<K, V> &a, const std::pair<K, V> &b) {
      return ((uint64_t) a.first >> begin & bits) < ((uint64_t) b.first >> begin & bits);
    });
    for (size_t i = 0; i < all.size (); i++) {
      s.keys[i] = all[i].first;
      s.values[i] = all[i].second;
    }
  }
};

}

#endif
