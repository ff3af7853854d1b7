/* SPDX-License-Identifier: MIT */
#ifndef CUDA_ON_CPU_COUNTING_ITERATOR_H
#define CUDA_ON_CPU_COUNTING_ITERATOR_H

#include <stdint.h>

namespace thrust {

template <typename T> struct counting_iterator {
  T first;
  explicit counting_iterator (T first) : first (first)
  {
  }
  T operator[] (int64_t i) const
  {
    return (T) (first + i);
  }
};

}

#endif
