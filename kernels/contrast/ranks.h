/* SPDX-License-Identifier: MIT
 *
 * Values of pixels by rank, exactly, of whichever type: keys in the order of the values, found digit by digit. NaN and infinities are
 * left out.
 */
#ifndef KERNELS_CONTRAST_RANKS_H
#define KERNELS_CONTRAST_RANKS_H

#include "kernels/common/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RANKS_MAX = 4 };

/* Two limits of n pixels in order. saturated: so many percent lie outside, half of them below: the pixels at n saturated / 200, cut to whole, from either
 * end. Else the percentiles `low` and `high`, between two pixels in proportion, as numpy.percentile. */
typedef struct ranks_rule {
  bool saturated;
  double low, high; /* percent; low alone with `saturated` */
} ranks_rule;

INLINE int
ranks_count (const ranks_rule *r)
{
  return r->saturated ? 2 : RANKS_MAX;
}

/* Rank i of n > 0 pixels. */
INLINE int64_t
rank_at (const ranks_rule *r, int i, int64_t n)
{
  if (r->saturated) {
    const int64_t cut = (int64_t) ((double) n * r->low / 200);
    return i == 0 ? cut : n - 1 - cut;
  }
  const int64_t rank = (int64_t) ((i < 2 ? r->low : r->high) / 100 * (double) (n - 1)) + i % 2;
  return rank < n - 1 ? rank : n - 1;
}

/* Limit 0 or 1 of n pixels, of the values at the ranks. */
INLINE double
ranks_limit (const ranks_rule *r, const double *values, int i, int64_t n)
{
  if (r->saturated)
    return values[i];
  const double at = (i ? r->high : r->low) / 100 * (double) (n - 1), part = at - (double) (int64_t) at;
  return values[2 * i] * (1 - part) + values[2 * i + 1] * part;
}

/* ---- Keys: unsigned, in the order of the values ---- */

INLINE uint64_t
ranks_key_u8 (uint8_t v)
{
  return v;
}
INLINE uint64_t
ranks_key_u16 (uint16_t v)
{
  return v;
}
INLINE uint64_t
ranks_key_i32 (int32_t v)
{
  return (uint32_t) v ^ 0x80000000u;
}
INLINE uint64_t
ranks_key_f32 (float v)
{
  uint32_t bits;
  memcpy (&bits, &v, sizeof bits);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}
INLINE uint64_t
ranks_key_f64 (double v)
{
  uint64_t bits;
  memcpy (&bits, &v, sizeof bits);
  return bits >> 63 ? ~bits : bits | (uint64_t) 1 << 63;
}

/* The value of a key. */
INLINE double
ranks_value (fv_type type, uint64_t key)
{
  if (type == FV_I32)
    return (int32_t) ((uint32_t) key ^ 0x80000000u);
  if (type == FV_F32) {
    const uint32_t bits = (uint32_t) (key >> 31 ? key ^ 0x80000000u : ~key);
    float v;
    memcpy (&v, &bits, sizeof v);
    return (double) v;
  }
  if (type == FV_F64) {
    const uint64_t bits = key >> 63 ? key ^ (uint64_t) 1 << 63 : ~key;
    double v;
    memcpy (&v, &bits, sizeof v);
    return v;
  }
  return (double) key;
}

/* The limits, NaN where no pixel is finite. */
fv_status ranks_limits (const pixels *p, const ranks_rule *rule, buffer *tables, progress *progress, double limits[2],
                        fv_error *error);
/* Bytes of `tables`. */
size_t ranks_bytes (fv_type type);

#ifdef __cplusplus
}
#endif

#endif
