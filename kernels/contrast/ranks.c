/* SPDX-License-Identifier: MIT
 *
 * Values by rank on the CPU: digits of 16 bits, or the one of 8, from the highest. For each rank, each thread counts the pixels whose higher digits
 * are those already found.
 */
#include "kernels/contrast/ranks.h"

#include <float.h>

enum { DIGIT = 16 };

typedef struct digit {
  int shift, tables;
  int64_t bins;               /* of a table */
  uint64_t higher[RANKS_MAX]; /* what stands above the digit */
  int64_t *counts;            /* [threads][RANKS_MAX][bins] */
} digit;

static int64_t
bins_of (fv_type type)
{
  return type == FV_U8 ? 256 : (int64_t) 1 << DIGIT;
}

size_t
ranks_bytes (fv_type type)
{
  return (size_t) (threads_at_most () * RANKS_MAX * bins_of (type)) * sizeof (int64_t);
}

#define DEFINE_COUNT(NAME, T, FINITE)                                                                                  \
  static void count_##NAME (const T *v, int64_t n, const digit *d, int64_t *counts)                                    \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const uint64_t key = (uint64_t) key_##NAME (v[i]) >> d->shift, higher = key >> DIGIT;                            \
      for (int t = 0; t < d->tables && (FINITE); t++)                                                                  \
        counts[t * d->bins + (int64_t) (key & (uint64_t) (d->bins - 1))] += higher == d->higher[t];                    \
    }                                                                                                                  \
  }
DEFINE_COUNT (u8, uint8_t, true)
DEFINE_COUNT (u16, uint16_t, true)
DEFINE_COUNT (i32, int32_t, true)
DEFINE_COUNT (f32, float, fabsf (v[i]) <= FLT_MAX)
DEFINE_COUNT (f64, double, fabs (v[i]) <= DBL_MAX)

/* The counts of all threads go to those of the first. */
static void
count_digit (const pixels *p, const digit *d, progress *progress)
{
  const fv_type type = p->array->grid->type;
  const int64_t threads = threads_at_most (), stride = RANKS_MAX * d->bins;
  memset (d->counts, 0, (size_t) (threads * stride) * sizeof *d->counts);
#pragma omp parallel for schedule(dynamic) if (p->pieces > 1)
  for (int64_t i = 0; i < p->pieces; i++) {
    const piece s = pixels_piece (p, i);
    if (progress_stopped (progress))
      continue;
    for (int64_t y = 0; y < s.rows; y++)
      WITH_TYPE (type, count, pixels_row (p, &s, y), s.columns, d, d->counts + thread_index () * stride)
    progress_step (progress, 0);
  }
  for (int64_t t = 1; t < threads; t++)
    for (int64_t i = 0; i < stride; i++)
      d->counts[i] += d->counts[t * stride + i];
}

/* The digit that contains the rank; the rank becomes that among the pixels with this digit. */
static uint64_t
find_digit (const int64_t *counts, int64_t *rank)
{
  uint64_t at = 0;
  while (*rank >= counts[at])
    *rank -= counts[at++];
  return at;
}

fv_status
ranks_limits (const pixels *p, const ranks_rule *rule, buffer *tables, progress *progress, double limits[2],
              fv_error *error)
{
  const fv_type type = p->array->grid->type;
  const int n = ranks_count (rule);
  digit d = {.shift = 8 * (int) type_bytes (type) - DIGIT, .tables = 1, .bins = bins_of (type)};
  int64_t total = 0, rank[RANKS_MAX];
  double values[RANKS_MAX];
  limits[0] = limits[1] = NAN;
  if (buffer_need (tables, progress->call, ranks_bytes (type), error))
    return error->code;
  d.counts = tables->data;
  for (d.shift = d.shift > 0 ? d.shift : 0; d.shift >= 0; d.shift -= DIGIT) {
    const bool first = d.tables == 1;
    count_digit (p, &d, progress);
    if (progress->stop)
      return cancelled (error);
    for (int64_t i = 0; i < d.bins && first; i++)
      total += d.counts[i];
    if (total == 0)
      return FV_OK;
    for (int i = 0; i < n; i++) {
      rank[i] = first ? rank_at (rule, i, total) : rank[i];
      d.higher[i] = d.higher[i] << DIGIT | find_digit (d.counts + (first ? 0 : i * d.bins), &rank[i]);
    }
    d.tables = n;
  }
  for (int i = 0; i < n; i++)
    values[i] = key_value (type, d.higher[i]);
  for (int i = 0; i < 2; i++)
    limits[i] = ranks_limit (rule, values, i, total);
  return FV_OK;
}
