/* SPDX-License-Identifier: MIT */
#ifndef CUDA_ON_CPU_DEVICE_SCAN_CUH
#define CUDA_ON_CPU_DEVICE_SCAN_CUH

#include "cub_temporary.h"

namespace cub {

struct DeviceScan {
  template <bool INCLUSIVE, typename In, typename Out, typename N>
  static cudaError_t scan (void *temporary, size_t &bytes, In in, Out out, N n)
  {
    if (!cuda_on_cpu::temporary_there (temporary, bytes, (size_t) n))
      return cudaSuccess;
    std::decay_t<decltype (in[0])> sum = 0;
    for (N i = 0; i < n; i++) {
      const auto v = in[i];
      out[i] = INCLUSIVE ? sum + v : sum;
      sum += v;
    }
    return cudaSuccess;
  }

  template <typename In, typename Out, typename N>
  static cudaError_t ExclusiveSum (void *temporary, size_t &bytes, In in, Out out, N n, cudaStream_t = nullptr)
  {
    return scan<false> (temporary, bytes, in, out, n);
  }

  template <typename In, typename Out, typename N>
  static cudaError_t InclusiveSum (void *temporary, size_t &bytes, In in, Out out, N n, cudaStream_t = nullptr)
  {
    return scan<true> (temporary, bytes, in, out, n);
  }
};

}

#endif
