/* SPDX-License-Identifier: MIT
 *
 * relabel: out(p) = how many different labels of the plane, or of the volume, there are up to in(p); 0 where in(p) is 0. So labels
 * become 1 ... n in their order. A bit for each label up to the largest says whether it occurs, and a count for each 64 of
 * them how many do before. Reference: skimage.segmentation.relabel_sequential.
 */
#ifndef KERNELS_LABEL_RELABEL_H
#define KERNELS_LABEL_RELABEL_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct relabel_args {
  bool volume;
} relabel_args;

/* Labels that occur: bit label % 64 of bits[label / 64]; how many before each word. */
typedef struct relabel_ranks {
  uint64_t *bits;  /* [words] */
  int32_t *before; /* [words] */
  int64_t words;
} relabel_ranks;

static inline int64_t
relabel_words (int32_t highest)
{
  return highest / 64 + 1;
}

static inline size_t
relabel_bytes (int64_t words)
{
  return (size_t) words * (sizeof (uint64_t) + sizeof (int32_t));
}

INLINE int
relabel_count (uint64_t bits)
{
#ifdef __CUDA_ARCH__
  return __popcll (bits);
#else
  return __builtin_popcountll (bits);
#endif
}

INLINE int32_t
relabel_rank (const relabel_ranks *r, int32_t label)
{
  const uint64_t up_to = ~(uint64_t) 0 >> (63 - label % 64);
  return label ? r->before[label / 64] + relabel_count (r->bits[label / 64] & up_to) : 0;
}

fv_status relabel_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
