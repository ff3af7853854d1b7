/* SPDX-License-Identifier: MIT */
#include "kernels/geometry/strided.h"

#define DEFINE_TAKE(T)                                                                                                 \
  VECTORISED static void take_##T (T *restrict to, const T *restrict from, int64_t step, int64_t n)                    \
  {                                                                                                                    \
    if (step == -1)                                                                                                    \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        to[i] = from[-i];                                                                                              \
    else                                                                                                               \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        to[i] = from[i * step];                                                                                        \
  }
DEFINE_TAKE (uint8_t)
DEFINE_TAKE (uint16_t)
DEFINE_TAKE (uint32_t)
DEFINE_TAKE (uint64_t)

void
strided_take (void *to, const void *from, size_t pixel, int64_t step, int64_t n)
{
  if (step == 1)
    memcpy (to, from, (size_t) n * pixel);
  else if (pixel == 1)
    take_uint8_t (to, from, step, n);
  else if (pixel == 2)
    take_uint16_t (to, from, step, n);
  else if (pixel == 4)
    take_uint32_t (to, from, step, n);
  else
    take_uint64_t (to, from, step, n);
}
