/* SPDX-License-Identifier: MIT
 *
 * CUB's functions are called twice: for the size of the memory that they need, and with it.
 */
#ifndef CUDA_ON_CPU_CUB_TEMPORARY_H
#define CUDA_ON_CPU_CUB_TEMPORARY_H

#include <cuda_runtime.h>

namespace cuda_on_cpu {

/* False: bytes was asked for. All of them are written to, as CUB may do. */
static inline bool
temporary_there (void *temporary, size_t &bytes, size_t n)
{
  const size_t needed = 1024 + n / 16;
  if (!temporary) {
    bytes = needed;
    return false;
  }
  if (bytes < needed)
    stop ("%zu bytes of temporary memory, %zu are needed", bytes, needed);
  memset (temporary, UNWRITTEN, needed);
  return true;
}

}

#endif
