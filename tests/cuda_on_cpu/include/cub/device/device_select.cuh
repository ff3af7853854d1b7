/* SPDX-License-Identifier: MIT */
#ifndef CUDA_ON_CPU_DEVICE_SELECT_CUH
#define CUDA_ON_CPU_DEVICE_SELECT_CUH

#include "cub_temporary.h"

namespace cub {

struct DeviceSelect {
  template <typename In, typename Flags, typename Out, typename Found, typename N>
  static cudaError_t Flagged (void *temporary, size_t &bytes, In in, Flags flags, Out out, Found found, N n,
                              cudaStream_t = nullptr)
  {
    if (!cuda_on_cpu::temporary_there (temporary, bytes, (size_t) n))
      return cudaSuccess;
    N kept = 0;
    for (N i = 0; i < n; i++)
      if (flags[i])
        out[kept++] = in[i];
    *found = kept;
    return cudaSuccess;
  }

  template <typename In, typename Out, typename Found, typename N, typename F>
  static cudaError_t If (void *temporary, size_t &bytes, In in, Out out, Found found, N n, F is, cudaStream_t = nullptr)
  {
    if (!cuda_on_cpu::temporary_there (temporary, bytes, (size_t) n))
      return cudaSuccess;
    N kept = 0;
    for (N i = 0; i < n; i++)
      if (is (in[i]))
        out[kept++] = in[i];
    *found = kept;
    return cudaSuccess;
  }
};

}

#endif
