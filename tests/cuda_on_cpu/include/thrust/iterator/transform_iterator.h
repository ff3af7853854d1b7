/* SPDX-License-Identifier: MIT */
#ifndef CUDA_ON_CPU_TRANSFORM_ITERATOR_H
#define CUDA_ON_CPU_TRANSFORM_ITERATOR_H

#include <stdint.h>

namespace thrust {

template <typename In, typename F> struct transform_iterator {
  In in;
  F f;
  auto operator[] (int64_t i) const
  {
    return f (in[i]);
  }
};

template <typename In, typename F>
transform_iterator<In, F>
make_transform_iterator (In in, F f)
{
  return {in, f};
}

}

#endif
