/* SPDX-License-Identifier: MIT
 *
 * filter_objects: out(p) = in(p) where the table has a row of which `label` is in(p) and the column lies from min to max, both
 * allowed; else 0. Rows of a table that has a column z are of the objects of that slice, from 1. A missing value lies nowhere. The kept labels are set bits, which the host finds and each pixel looks up.
 */
#ifndef KERNELS_MEASURE_FILTER_OBJECTS_H
#define KERNELS_MEASURE_FILTER_OBJECTS_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct filter_objects_args {
  char column[64];
  double min, max;
} filter_objects_args;

/* Bit i of words[i / 32] is label i, up to the largest that is kept; for each slice, or for all of them. */
typedef struct kept_labels {
  const uint32_t *words;
  int64_t n;      /* of bits of a slice, at least 1 */
  int64_t slices; /* 1: one for all */
} kept_labels;

/* Words of a slice. */
INLINE int64_t
kept_words (kept_labels kept)
{
  return kept.n / 32 + 1;
}

INLINE bool
kept_has (kept_labels kept, int64_t plane, int32_t label)
{
  return label > 0 && label < kept.n
         && kept.words[plane % kept.slices * kept_words (kept) + label / 32] >> label % 32 & 1;
}
INLINE size_t
kept_bytes (kept_labels kept)
{
  return (size_t) (kept.slices * kept_words (kept)) * sizeof (uint32_t);
}

/* Those that the call's table and arguments keep; in host scratch. */
fv_status filter_objects_find (const fv_call *call, kept_labels *kept, fv_error *error);

fv_status filter_objects_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
