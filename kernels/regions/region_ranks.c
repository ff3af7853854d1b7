/* SPDX-License-Identifier: MIT
 *
 * Values become unsigned keys in the same order. Keys over a small range are counted; others are put in order bit by
 * bit, from the highest that differs, only as far as the wanted ranks need it.
 */
#include "kernels/regions/region_ranks.h"

#include "kernels/common/keys.h"

enum { MAX_BINS = 1 << 16, FLOAT_BINS = 256 };

/* ---- Keys ---- */

static const uint64_t integer_zero = (uint64_t) 1 << 31;

static double
value_of_key (fv_type type, uint64_t k)
{
  return type & FV_FLOATS ? value_f64 (k) : (double) ((int64_t) k - (int64_t) integer_zero);
}

#define DEFINE_KEYS(NAME, T, KEY)                                                                                      \
  static uint64_t *keys_##NAME (const T *row, int64_t x0, int64_t x1, uint64_t *to)                                    \
  {                                                                                                                    \
    for (int64_t x = x0; x < x1; x++)                                                                                  \
      *to++ = KEY;                                                                                                     \
    return to;                                                                                                         \
  }                                                                                                                    \
                                                                                                                       \
  static void count_##NAME (const T *row, int64_t x0, int64_t x1, uint64_t low, uint32_t *count)                       \
  {                                                                                                                    \
    for (int64_t x = x0; x < x1; x++)                                                                                  \
      count[(KEY) -low]++;                                                                                             \
  }
DEFINE_KEYS (u8, uint8_t, row[x] + integer_zero)
DEFINE_KEYS (u16, uint16_t, row[x] + integer_zero)
DEFINE_KEYS (i32, int32_t, (uint64_t) ((int64_t) row[x] + (int64_t) integer_zero))
DEFINE_KEYS (f32, float, key_f64 (row[x] + 0.0))
DEFINE_KEYS (f64, double, key_f64 (row[x] + 0.0))

typedef struct ranked {
  const region *region;
  const fv_array *image;
  int64_t first_plane;
  fv_type type;
  uint64_t low, high; /* keys of the smallest and the largest value */
} ranked;

static void
gather (const ranked *s, uint64_t *keys)
{
  for (const run *r = s->region->runs; r < s->region->runs + s->region->n_runs; r++) {
    const void *row = array_row (s->image, s->first_plane + r->z, r->y);
    WITH_TYPE (s->type, keys = keys, row, r->x0, r->x1, keys);
  }
}

static void
count (const ranked *s, uint32_t *bins)
{
  memset (bins, 0, (size_t) (s->high - s->low + 1) * sizeof *bins);
  for (const run *r = s->region->runs; r < s->region->runs + s->region->n_runs; r++) {
    const void *row = array_row (s->image, s->first_plane + r->z, r->y);
    WITH_TYPE (s->type, count, row, r->x0, r->x1, s->low, bins);
  }
}

/* ---- By counting ---- */

static region_ranks
ranks_by_counting (const ranked *s, uint32_t *bins)
{
  int64_t n = s->region->pixels, below = 0, lower = -1, upper = -1, fullest = 0;
  count (s, bins);
  for (int64_t b = 0; b <= (int64_t) (s->high - s->low); b++) {
    below += bins[b];
    if (lower < 0 && below > (n - 1) / 2)
      lower = b;
    if (upper < 0 && below > n / 2)
      upper = b;
    if (bins[b] > bins[fullest])
      fullest = b;
  }
  double low = value_of_key (s->type, s->low);
  return (region_ranks){low + 0.5 * (double) (lower + upper), low + (double) upper, low + (double) fullest};
}

/* ---- By ordering ---- */

/* Puts keys with that bit 0 first; returns how many they are. */
static inline int64_t
split (uint64_t *keys, int64_t n, int bit)
{
  int64_t zeros = 0;
  for (int64_t i = 0; i < n; i++) {
    uint64_t k = keys[i];
    keys[i] = keys[zeros];
    keys[zeros] = k;
    zeros += !(k >> bit & 1);
  }
  return zeros;
}

static inline int
highest_bit (uint64_t difference)
{
  return difference ? 63 - __builtin_clzll (difference) : -1;
}

/* The key of rank k from 0; only moves keys. */
static uint64_t
select_key (uint64_t *keys, int64_t n, int64_t k, int bit)
{
  for (; bit >= 0 && n > 1; bit--) {
    int64_t zeros = split (keys, n, bit);
    if (k < zeros)
      n = zeros;
    else
      keys += zeros, n -= zeros, k -= zeros;
  }
  return keys[k];
}

static void
sort_keys (uint64_t *keys, int64_t n, int bit)
{
  if (n <= 16) {
    for (int64_t i = 1; i < n; i++) {
      uint64_t k = keys[i];
      int64_t at = i;
      for (; at > 0 && keys[at - 1] > k; at--)
        keys[at] = keys[at - 1];
      keys[at] = k;
    }
    return;
  }
  if (bit < 0)
    return;
  int64_t zeros = split (keys, n, bit);
  sort_keys (keys, zeros, bit - 1);
  sort_keys (keys + zeros, n - zeros, bit - 1);
}

/* The most frequent of sorted keys, the smallest of several. */
static uint64_t
mode_key (const uint64_t *keys, int64_t n)
{
  int64_t most = 0;
  uint64_t mode = keys[0];
  for (int64_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && keys[end] == keys[i];)
      end++;
    if (end - i > most)
      most = end - i, mode = keys[i];
  }
  return mode;
}

static double
binned_mode (const ranked *s, const uint64_t *keys)
{
  int64_t bins[FLOAT_BINS] = {0}, n = s->region->pixels;
  double low = value_f64 (s->low), width = (value_f64 (s->high) - low) / FLOAT_BINS;
  int fullest = 0;
  if (!(width > 0) || isinf (width))
    return width == 0 ? low : NAN;
  for (int64_t i = 0; i < n; i++) {
    int b = (int) ((value_f64 (keys[i]) - low) * (1 / width));
    bins[b < FLOAT_BINS ? b : FLOAT_BINS - 1]++;
  }
  for (int b = 1; b < FLOAT_BINS; b++)
    if (bins[b] > bins[fullest])
      fullest = b;
  return low + (fullest + 0.5) * width;
}

static region_ranks
ranks_by_order (const ranked *s, uint64_t *keys)
{
  int64_t n = s->region->pixels;
  int bit = highest_bit (s->low ^ s->high);
  region_ranks ranks;
  gather (s, keys);
  if (s->type & FV_FLOATS)
    ranks.mode = binned_mode (s, keys);
  else {
    sort_keys (keys, n, bit);
    ranks.mode = value_of_key (s->type, mode_key (keys, n));
  }
  double lower = value_of_key (s->type, select_key (keys, n, (n - 1) / 2, bit));
  double upper = n % 2 ? lower : value_of_key (s->type, select_key (keys, n, n / 2, bit));
  ranks.median = n % 2 ? lower : 0.5 * (lower + upper);
  ranks.upper_median = s->type & FV_FLOATS ? ranks.median : upper;
  return ranks;
}

/* ---- All regions ---- */

static bool
by_counting (const ranked *s)
{
  uint64_t bins = s->high - s->low + 1;
  return !(s->type & FV_FLOATS) && bins <= MAX_BINS && bins <= 16 * (uint64_t) s->region->pixels
         && s->region->pixels < UINT32_MAX;
}

static ranked
ranked_of (const region *o, const fv_array *image, int64_t first_plane, const double range[2])
{
  ranked s = {.region = o, .image = image, .first_plane = first_plane, .type = image->grid->type};
  if (s.type & FV_FLOATS)
    s.low = key_f64 (range[0] + 0.0), s.high = key_f64 (range[1] + 0.0);
  else
    s.low = (uint64_t) ((int64_t) range[0] + (int64_t) integer_zero),
    s.high = (uint64_t) ((int64_t) range[1] + (int64_t) integer_zero);
  return s;
}

fv_status
region_ranks_of (const fv_call *call, const regions *r, const fv_array *image, int64_t first_plane, const double *range,
                 const int64_t *first, region_ranks *ranks, fv_error *error)
{
  const int64_t chunk = 32;
  int64_t *at, most = 0; /* where the keys of a region are; most in a group */
  uint32_t *bins;
  uint64_t *keys;
  progress done = {call, .total = r->n};
  fv_status status = scratch_items (call, r->n, sizeof *at, &at, error);
  for (int64_t g = 0; !status && g < r->n_groups; g++) {
    int64_t pixels = 0;
    for (int64_t i = r->group[g]; i < r->group[g + 1]; i++) {
      ranked s = ranked_of (r->items + i, image, first_plane, range + 2 * first[i]);
      at[i] = pixels;
      pixels += by_counting (&s) ? 0 : r->items[i].pixels;
    }
    most = pixels > most ? pixels : most;
  }
  if (!status)
    status = scratch_items (call, most, sizeof *keys, &keys, error);
  if (!status)
    status = scratch_items (call, threads_at_most () * MAX_BINS, sizeof *bins, &bins, error);
  if (status)
    return status;
  for (int64_t g = 0; g < r->n_groups; g++) {
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t start = r->group[g]; start < r->group[g + 1]; start += chunk) {
      int64_t end = start + chunk < r->group[g + 1] ? start + chunk : r->group[g + 1];
      if (progress_stopped (&done))
        continue;
      for (int64_t i = start; i < end; i++) {
        ranked s = ranked_of (r->items + i, image, first_plane, range + 2 * first[i]);
        ranks[i] = isnan (range[2 * first[i]]) ? (region_ranks){NAN, NAN, NAN}
                   : by_counting (&s)          ? ranks_by_counting (&s, bins + thread_index () * MAX_BINS)
                                               : ranks_by_order (&s, keys + at[i]);
      }
      progress_step (&done, end - start);
    }
  }
  return done.stop ? cancelled (error) : FV_OK;
}
