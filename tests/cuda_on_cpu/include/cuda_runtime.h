/* SPDX-License-Identifier: MIT
 *
 * Replaces CUDA's header: as much of CUDA as kernels/ and plugin/ use, with CUDA threads as stacks of this processor.
 */
#ifndef CUDA_ON_CPU_CUDA_RUNTIME_H
#define CUDA_ON_CPU_CUDA_RUNTIME_H

#include "engine.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ /* headers of C++ have it within their own attributes */
#define __grid_constant__
#define __align__(N) __attribute__ ((aligned (N)))

#include "device_math.h"
#include "device_types.h"
#include "device_words.h"
#include "memory_access.h"
#include "ptx.h"
#include "runtime.h"
#include "together.h"

#endif
