/* SPDX-License-Identifier: MIT
 *
 * Kappa-sigma clipping, for both devices: of the finite pixels those with |v - median| < kappa sigma are kept, and median and
 * sigma taken again, until none goes. Bounds only shrink, so what is kept is an interval of keys: integers in the order of the pixels'
 * values. The median is found by counting keys in bins, and again in the bin that holds it, until a bin is one key. The last pass also sums
 * (spread.h). Its center is the first key of the median's bin of the very first pass, or the median of the round before. So results do
 * not depend on the passes that a device takes. What follows from a pass is decided here: clip_after().
 */
#ifndef KERNELS_SKY_CLIP_H
#define KERNELS_SKY_CLIP_H

#include "kernels/common/keys.h"
#include "kernels/sky/spread.h"

#include <float.h>

enum { CLIP_BINS = 4096 };

typedef struct clip {
  fv_type type;
  double kappa;
  int64_t max_iterations; /* 0: no limit */
  uint64_t low, high;     /* keys of the kept pixels */
  uint64_t first, last;   /* keys that the next pass counts, in bins of 1 << shift */
  int shift;
  bool sums; /* the next pass sums, and finds ends */
  bool done;
  int64_t rank; /* of the lower median among the pixels from `first` on; -1 before the first pass of a round */
  spread about; /* of the kept pixels */
  uint64_t middle,
    next; /* keys of the lower median and of the pixel after it, when a bin was one key before the last pass */
  bool found;
  double mean, median, sigma, minimum, maximum; /* of the kept pixels */
  int64_t kept, iterations;
} clip;

/* What a pass finds in the bins: all that it counted, and the bin in which the wanted pixel lies. */
typedef struct clip_bin {
  int64_t all, before, count; /* before: in earlier bins */
  int64_t bin, next;          /* next: the bin after it that is not empty, or -1 */
} clip_bin;

/* What a pass finds in the pixels. */
typedef struct clip_sums {
  spread_sums sums;
  uint64_t low, high, above; /* smallest and largest key; smallest above `last`, UINT64_MAX: none */
} clip_sums;

/* ---- Keys ---- */

/* The smallest key of float or double whose value is v or above, or above v; is: v as that type has it, and its key. */
INLINE uint64_t
clip_key_from (double v, double is, uint64_t key, bool above)
{
  if (is == 0 && v == 0) /* two keys have this value */
    return above ? key + (signbit (is) ? 2 : 1) : key - (signbit (is) ? 0 : 1);
  return is < v || (above && is == v) ? key + 1 : key;
}

/* Of the keys from low to high, whose values rise: how many have a value below v, or up to it. v is not NaN. */
INLINE uint64_t
clip_rank (fv_type type, uint64_t low, uint64_t high, double v, bool equal)
{
  uint64_t key;
  if (type == FV_F32)
    key = clip_key_from (v, (double) (float) v, key_f32 ((float) v), equal);
  else if (type == FV_F64)
    key = clip_key_from (v, v, key_f64 (v), equal);
  else {
    const double from = (equal ? floor (v) + 1 : ceil (v)) - key_value (type, 0);
    key = from > 0 ? from < 0x1p32 ? (uint64_t) from : UINT64_MAX : 0;
  }
  return key <= low ? 0 : key > high ? high - low + 1 : key - low;
}

/* ---- Rounds ---- */

INLINE void
clip_count_next (clip *c, uint64_t first, uint64_t last)
{
  c->first = first;
  c->last = last;
  for (c->shift = 0; (last - first) >> c->shift >= CLIP_BINS;)
    c->shift++;
}

/* In later rounds it is known about what to sum. */
INLINE void
clip_begin_round (clip *c)
{
  c->found = false;
  c->rank = -1;
  clip_count_next (c, c->low, c->high);
  c->sums = c->iterations && !c->shift;
}

/* After the first pass of all: which bins have pixels, and the median's. */
INLINE void
clip_first_bins (clip *c, int64_t lowest, int64_t middle, int64_t highest)
{
  const uint64_t low = c->first + ((uint64_t) lowest << c->shift), center = c->first + ((uint64_t) middle << c->shift),
                 high = c->first + ((uint64_t) highest << c->shift) + (((uint64_t) 1 << c->shift) - 1);
  spread_begin (&c->about, key_value (c->type, low), key_value (c->type, high < c->last ? high : c->last),
                key_value (c->type, center));
}

INLINE void
clip_begin (clip *c, fv_type type, double kappa, int64_t max_iterations)
{
  memset (c, 0, sizeof *c);
  c->type = type;
  c->kappa = kappa;
  c->max_iterations = max_iterations;
  c->low = type == FV_F32 ? key_f32 (-FLT_MAX) : type == FV_F64 ? key_f64 (-DBL_MAX) : 0;
  c->high = type == FV_U8    ? 255
            : type == FV_U16 ? 65535
            : type == FV_I32 ? UINT32_MAX
            : type == FV_F32 ? key_f32 (FLT_MAX)
                             : key_f64 (DBL_MAX);
  clip_begin_round (c);
}

/* No pixel is kept. */
INLINE void
clip_none (clip *c)
{
  c->done = true;
  c->kept = 0;
  c->mean = c->median = c->sigma = c->minimum = c->maximum = (double) NAN;
}

/* False: the sums are to be taken again. */
INLINE bool
clip_take_sums (clip *c, const clip_sums *s)
{
  return spread_take (&c->about, &s->sums, (double) c->kept, key_value (c->type, s->low), key_value (c->type, s->high));
}

/* Takes the numbers of the kept pixels, and clips. */
INLINE void
clip_end_round (clip *c, const clip_sums *s)
{
  c->median = key_value (c->type, c->middle) / 2 + key_value (c->type, c->next) / 2;
  c->mean = c->about.mean;
  c->minimum = key_value (c->type, s->low);
  c->maximum = key_value (c->type, s->high);
  c->sigma = c->about.sigma;
  double below = c->median - c->kappa * c->sigma, above = c->median + c->kappa * c->sigma;
  c->done = c->sigma == 0 || (c->minimum > below && c->maximum < above)
            || (c->max_iterations && c->iterations == c->max_iterations);
  if (c->done)
    return;
  uint64_t not_above = clip_rank (c->type, s->low, s->high, below, true),
           kept_end = clip_rank (c->type, s->low, s->high, above, false);
  c->iterations++;
  if (not_above >= kept_end) {
    clip_none (c);
    return;
  }
  c->high = s->low + kept_end - 1;
  c->low = s->low + not_above;
  spread_begin (&c->about, key_value (c->type, c->low), key_value (c->type, c->high), c->median);
  clip_begin_round (c);
}

/* Which of the pixels that a pass counts in bins is wanted, when these are `all`. */
INLINE int64_t
clip_wanted (const clip *c, int64_t all)
{
  return c->rank < 0 ? (all - 1) / 2 : c->rank;
}

/* The median's bin is one key, or is to be counted in bins itself. */
INLINE void
clip_enter_bin (clip *c, const clip_bin *b, uint64_t above)
{
  uint64_t at = c->first + ((uint64_t) b->bin << c->shift), end = at + ((uint64_t) 1 << c->shift) - 1;
  if (c->shift == 0) {
    bool last_of_bin = c->rank + 1 == b->before + b->count;
    c->middle = c->next = at;
    if (c->kept % 2 == 0 && last_of_bin)
      c->next = b->next >= 0 ? c->first + (uint64_t) b->next : above;
    c->found = true;
    return;
  }
  c->rank -= b->before;
  clip_count_next (c, at, end < c->last ? end : c->last);
}

/* After a pass: says what the next one is to do, or that all is done. */
INLINE void
clip_after (clip *c, const clip_bin *b, const clip_sums *s)
{
  if (c->rank < 0) {
    c->rank = clip_wanted (c, b->all);
    c->kept = b->all;
  }
  if (!c->kept) {
    clip_none (c);
    return;
  }
  if (!c->found)
    clip_enter_bin (c, b, s->above);
  if (!c->sums)
    c->sums = c->found || c->shift == 0;
  else if (clip_take_sums (c, s))
    clip_end_round (c, s);
}

#endif
