/* SPDX-License-Identifier: MIT
 *
 * colocalize: how two channels go together, over the pixels where both are finite, and inside the mask. With means a', b' and sums over pixels:
 * - pearson = sum (a - a')(b - b') / sqrt (sum (a - a')^2 sum (b - b')^2).
 * - overlap = sum ab / sqrt (sum a^2 sum b^2), k1 = sum ab / sum a^2, k2 = sum ab / sum b^2.
 * - m1 = sum of a where b > 0 / sum a, m2 likewise (Manders).
 * - icq = share of (a - a')(b - b') > 0, less 1/2 (Li).
 * With thresholds A and B: tm1 = sum of a where b > B / sum a, tm2 likewise. Costes' thresholds lie on the orthogonal regression line b = slope a +
 * intercept. Bisection finds A such that Pearson's coefficient of the pixels with a <= A or b <= B is not positive, but is at A + 1. It searches the
 * integers between the smallest and the largest a or, where these are more than 2^16 and for floats, as many steps. Costes' randomization puts blocks
 * of b in random order, and compares Pearson's coefficient of all whole blocks with that of the shuffled.
 * References: E. M. M. Manders et al., J. Microsc. 169 (1993) 375; S. V. Costes et al., Biophys. J. 86 (2004) 3993; Q. Li et al., J. Neurosci.
 * 24 (2004) 4070.
 */
#ifndef KERNELS_MEASURE_COLOCALIZE_H
#define KERNELS_MEASURE_COLOCALIZE_H

#include "kernels/measure/pixel_sums.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum colocalize_method { COLOCALIZE_COSTES, COLOCALIZE_MANUAL } colocalize_method;

typedef struct colocalize_args {
  int32_t channel_a, channel_b;
  int32_t method; /* colocalize_method */
  double threshold_a, threshold_b;
  int32_t shuffles, block, seed;
} colocalize_args;

enum { COLOCALIZE_IMAGE, COLOCALIZE_SECOND, COLOCALIZE_MASK }; /* inputs */

/* What one pass over the pixels adds up. */
typedef enum colocalize_pass {
  COLOCALIZE_RANGE,   /* ends */
  COLOCALIZE_MEAN,    /* n, a and b above the smallest */
  COLOCALIZE_MOMENTS, /* squares and product about the means; concordant; a where b > 0, b where a > 0 */
  COLOCALIZE_BELOW,   /* n, a, b, squares and product about the means, below the thresholds */
  COLOCALIZE_ABOVE,   /* a where b, and b where a, is above the threshold; both */
} colocalize_pass;

enum { COLOCALIZE_LEVELS = 1 << 16, COLOCALIZE_HALVINGS = 16 };

typedef struct colocalize_pair {
  stack_view a, b, mask;
  int64_t depth, rows, columns;
  bool integers; /* a */
} colocalize_pair;

typedef struct colocalize_state {
  double n, low[2], high[2], mean[2];
  double squares[2], product, concordant, m[2]; /* m: sums, as tm */
  double slope, intercept, step, threshold[2], tm[2], both;
  int64_t lower, upper; /* steps above the smallest a */
  bool found;           /* the thresholds */
} colocalize_state;

colocalize_pair colocalize_pair_of (const fv_call *call);

/* ---- Pixels ---- */

INLINE void
colocalize_add_moments (const double mean[2], double a, double b, double v[PIXEL_SUMS])
{
  const double x = a - mean[0], y = b - mean[1];
  v[0] += 1;
  v[1] += x;
  v[2] += y;
  v[3] += x * x;
  v[4] += y * y;
  v[5] += x * y;
}

INLINE void
colocalize_add (const colocalize_state *s, colocalize_pass pass, double a, double b, double v[PIXEL_SUMS])
{
  if (pass == COLOCALIZE_MEAN) {
    v[0] += 1;
    v[1] += a - s->low[0];
    v[2] += b - s->low[1];
  } else if (pass == COLOCALIZE_MOMENTS) {
    const double x = a - s->mean[0], y = b - s->mean[1];
    v[0] += x * x;
    v[1] += y * y;
    v[2] += x * y;
    v[3] += x * y > 0 ? 1 : 0;
    v[4] += b > 0 ? a : 0;
    v[5] += a > 0 ? b : 0;
  } else if (pass == COLOCALIZE_ABOVE) {
    v[0] += b > s->threshold[1] ? a : 0;
    v[1] += a > s->threshold[0] ? b : 0;
    v[2] += a > s->threshold[0] && b > s->threshold[1] ? 1 : 0;
  }
}

INLINE bool
colocalize_is_below (const colocalize_state *s, double a, double b)
{
  return a <= s->threshold[0] || b <= s->threshold[1];
}

/* Of what colocalize_add_moments() has added up; NaN where a side has one value only. */
INLINE double
colocalize_pearson (const double v[PIXEL_SUMS])
{
  const double a = v[3] - v[1] * v[1] / v[0], b = v[4] - v[2] * v[2] / v[0], product = v[5] - v[1] * v[2] / v[0];
  const double least = 1e-12; /* of what was added up: less is rounding */
  return a > least * v[3] && b > least * v[4] ? product / sqrt (a * b) : NAN;
}

/* ---- Between passes ---- */

/* In single precision, so that how sums were rounded does not tell where pixels on the line are. */
INLINE void
colocalize_set_level (colocalize_state *s, int64_t level)
{
  s->threshold[0] = s->low[0] + (double) level * s->step;
  s->threshold[1] = (double) (float) (s->slope * s->threshold[0] + s->intercept);
}

/* The line, and the first thresholds to try; none where the channels do not rise together. */
INLINE void
colocalize_begin_search (colocalize_state *s, bool integers)
{
  const double span = s->high[0] - s->low[0], more = s->squares[1] - s->squares[0], twice = 2 * s->product;
  s->threshold[0] = s->threshold[1] = s->slope = s->intercept = NAN;
  s->found = !(s->product > 1e-9 * sqrt (s->squares[0] * s->squares[1]));
  if (s->found)
    return;
  s->slope = (more + sqrt (more * more + twice * twice)) / twice;
  s->intercept = s->mean[1] - s->slope * s->mean[0];
  s->lower = 0;
  s->upper = integers && span < COLOCALIZE_LEVELS ? (int64_t) span : (int64_t) COLOCALIZE_LEVELS;
  s->step = span / (double) s->upper;
  s->found = s->upper < 2;
  colocalize_set_level (s, s->found ? 0 : (s->lower + s->upper) / 2);
}

INLINE void
colocalize_halve (colocalize_state *s, const double below[PIXEL_SUMS])
{
  const int64_t middle = (s->lower + s->upper) / 2;
  if (colocalize_pearson (below) > 1e-9)
    s->upper = middle;
  else
    s->lower = middle;
  s->found = s->upper - s->lower < 2;
  colocalize_set_level (s, s->found ? s->lower : (s->lower + s->upper) / 2);
}

/* Takes the sums of all pixels. */
INLINE void
colocalize_after (colocalize_state *s, colocalize_pass pass, const colocalize_args *args, bool integers,
                  const pixel_sums *sums)
{
  const double *v = sums->v;
  switch (pass) {
  case COLOCALIZE_RANGE:
    for (int i = 0; i < 2; i++) {
      s->low[i] = sums->low[i];
      s->high[i] = sums->high[i];
    }
    break;
  case COLOCALIZE_MEAN:
    s->n = v[0];
    for (int i = 0; i < 2; i++)
      s->mean[i] = s->low[i] + v[1 + i] / v[0];
    break;
  case COLOCALIZE_MOMENTS:
    s->squares[0] = v[0];
    s->squares[1] = v[1];
    s->product = v[2];
    s->concordant = v[3];
    s->m[0] = v[4];
    s->m[1] = v[5];
    if (args->method == COLOCALIZE_COSTES)
      colocalize_begin_search (s, integers);
    else {
      s->threshold[0] = args->threshold_a;
      s->threshold[1] = args->threshold_b;
      s->slope = s->intercept = NAN;
      s->found = true;
    }
    break;
  case COLOCALIZE_BELOW: colocalize_halve (s, v); break;
  case COLOCALIZE_ABOVE:
    s->tm[0] = v[0];
    s->tm[1] = v[1];
    s->both = v[2];
  }
}

/* ---- Blocks in random order ---- */

/* Square blocks of all planes, as far as they are whole. */
typedef struct colocalize_blocks {
  int64_t side, across, down, count;
  int bits; /* the order is made of numbers of twice as many bits */
  uint32_t seed;
} colocalize_blocks;

colocalize_blocks colocalize_blocks_of (const colocalize_pair *p, const colocalize_args *args);

/* The block at index i in the order of the turn: a Feistel network of four rounds, gone through until the number is one of a block. In turn 0 each
 * is at its own index. */
INLINE int64_t
colocalize_shuffled (const colocalize_blocks *o, int64_t i, uint32_t turn)
{
  const uint32_t all = (uint32_t) (((uint64_t) 1 << o->bits) - 1);
  uint64_t block = (uint64_t) i;
  if (!turn)
    return i;
  do {
    uint32_t left = (uint32_t) (block >> o->bits), right = (uint32_t) block & all;
    for (uint32_t round = 0; round < 4; round++) {
      uint32_t h = right * 0x9E3779B1u ^ o->seed * 0x85EBCA77u ^ (turn * 4 + round) * 0xC2B2AE3Du, next;
      h = (h ^ h >> 15) * 0x2C1B3C6Du;
      h = (h ^ h >> 12) * 0x297A2D39u;
      next = left ^ ((h ^ h >> 15) & all);
      left = right;
      right = next;
    }
    block = (uint64_t) left << o->bits | right;
  } while (block >= (uint64_t) o->count);
  return (int64_t) block;
}

/* ---- The table ---- */

/* pearson: [shuffles + 1], of whole blocks, first in their own order. */
fv_status colocalize_table (const fv_call *call, const colocalize_state *s, const double *pearson, fv_error *error);

fv_status colocalize_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
