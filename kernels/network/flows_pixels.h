/* SPDX-License-Identifier: MIT
 *
 * The passes of flows on either device. A pass is done for items, which are pixels, seeds, boxes or words of bits. Items are independent but for sums,
 * minima and maxima of integers, so that their order is of no account. `from` and `to` are the items of one part.
 */
#ifndef KERNELS_NETWORK_FLOWS_PIXELS_H
#define KERNELS_NETWORK_FLOWS_PIXELS_H

#include "kernels/common/common.h"

enum {
  FLOWS_PEAK = 10,  /* a seed has more ends */
  FLOWS_BASIN = 2,  /* a pixel of a basin has more ends */
  FLOWS_NEAR = 2,   /* pixels on each side among which a seed has the most ends */
  FLOWS_GROWTH = 5, /* how often a seed grows */
  FLOWS_SIDE = 2 * FLOWS_GROWTH + 1
};

/* An object, and what is found of it. */
typedef struct flows_object {
  int64_t pixels, sum_y, sum_x;
  double mean_y, mean_x;             /* from the pixel above and left of the box, as Cellpose rounds it */
  uint64_t nearest;                  /* bits of the least squared distance of a pixel to the mean */
  uint64_t whole, part;              /* the sum of squared differences; part: its fractions, in units of 2^-32 */
  int32_t first;                     /* pixel */
  int32_t top, bottom, left, right;  /* all included */
  int32_t center;                    /* pixel */
  int32_t rounds;                    /* of heat, an even number */
  int32_t label;                     /* of the result; 0: dropped */
  int32_t has_holes, lies_in, holds; /* whether it has holes, lies in those of others, and has others in its own */
} flows_object;

/* The box of an object as bits: rows of words, from word `from` on. */
typedef struct flows_box {
  int64_t from;
  int32_t object, top, left, rows, columns, words; /* words of a row */
} flows_box;

/* All of a plane; memory of the device. */
typedef struct flows_job {
  const void *flow_y, *flow_x, *logit;
  int64_t stride; /* of their rows */
  bool wide;      /* doubles, else floats */
  int32_t *out;
  int64_t out_stride;
  int64_t rows, columns;
  double probability;
  int32_t steps;
  float *field;    /* y and x of each pixel */
  int32_t *end;    /* the pixel where its path ends, -1 outside of cells; later the label of each pixel */
  int32_t *counts; /* of ends; later, at a seed, its number */
  uint64_t *owner; /* of a pixel of a basin: the seed's count and its pixel */
  int32_t *seeds, *n_seeds;
  double *heat[2];
  void *room; /* flows_passes.room bytes */
  flows_object *objects;
  const flows_box *boxes;
  int64_t n_boxes, n_words;
  uint64_t *free,
    *open; /* bits of boxes: pixels not of the object; those of them that are connected to the border of the box */
  int32_t sweeps; /* over a box, at most */
  int32_t *again; /* becomes 1 where they did not do */
} flows_job;

/* ---- Integers that many items change ---- */

#ifdef __CUDA_ARCH__
INLINE int32_t
flows_add (int32_t *to, int32_t n)
{
  return atomicAdd (to, n);
}
INLINE void
flows_add_long (int64_t *to, int64_t n)
{
  atomicAdd ((unsigned long long *) to, (unsigned long long) n);
}
INLINE void
flows_at_most (int32_t *to, int32_t v)
{
  atomicMin (to, v);
}
INLINE void
flows_at_least (int32_t *to, int32_t v)
{
  atomicMax (to, v);
}
INLINE void
flows_at_most_long (uint64_t *to, uint64_t v)
{
  atomicMin ((unsigned long long *) to, (unsigned long long) v);
}
INLINE void
flows_at_least_long (uint64_t *to, uint64_t v)
{
  atomicMax ((unsigned long long *) to, (unsigned long long) v);
}
#else
#define FLOWS_REPLACE(NAME, T, OTHER)                                                                                  \
  INLINE void NAME (T *to, T v)                                                                                        \
  {                                                                                                                    \
    T old = __atomic_load_n (to, __ATOMIC_RELAXED);                                                                    \
    while (v OTHER old && !__atomic_compare_exchange_n (to, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))        \
      ;                                                                                                                \
  }
FLOWS_REPLACE (flows_at_most, int32_t, <)
FLOWS_REPLACE (flows_at_least, int32_t, >)
FLOWS_REPLACE (flows_at_most_long, uint64_t, <)
FLOWS_REPLACE (flows_at_least_long, uint64_t, >)
INLINE int32_t
flows_add (int32_t *to, int32_t n)
{
  return __atomic_fetch_add (to, n, __ATOMIC_RELAXED);
}
INLINE void
flows_add_long (int64_t *to, int64_t n)
{
  __atomic_fetch_add (to, n, __ATOMIC_RELAXED);
}
#endif

/* Any item may set it. */
INLINE void
flows_set (int32_t *to)
{
  flows_at_least (to, 1);
}

/* ---- Paths ---- */

/* A flow for a step, in float as Cellpose has it; not finite: 0. */
INLINE float
flows_step_of (const void *row, int64_t x, bool wide)
{
  const float v = wide ? (float) ((const double *) row)[x] : ((const float *) row)[x];
  return v - v == 0 ? v / 5 : 0;
}

INLINE const void *
flows_row (const flows_job *j, const void *plane, int64_t y)
{
  return (const char *) plane + y * j->stride * (int64_t) (j->wide ? sizeof (double) : sizeof (float));
}

INLINE void
flows_prepare (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++) {
    const int64_t y = i / j->columns, x = i - y * j->columns;
    const void *logit = flows_row (j, j->logit, y);
    const double v = j->wide ? ((const double *) logit)[x] : (double) ((const float *) logit)[x];
    const bool is_cell = v > j->probability;
    j->field[2 * i] = is_cell ? flows_step_of (flows_row (j, j->flow_y, y), x, j->wide) : 0;
    j->field[2 * i + 1] = is_cell ? flows_step_of (flows_row (j, j->flow_x, y), x, j->wide) : 0;
    j->end[i] = is_cell ? 0 : -1;
    j->counts[i] = 0;
    j->owner[i] = 0;
  }
}

/* A coordinate in an image of n rows or columns, from 0 on. */
INLINE float
flows_moved (float at, double by, int64_t n)
{
  const float v = at + (float) by, last = (float) (n - 1);
  return v > last ? last : v > 0 ? v : 0;
}

/* Linearly between four pixels. Cellpose's compiler takes `1 - y` for a double and `y` for a float, and so what they are multiplied with. */
INLINE double
flows_between (float a, float b, float c, float d, float y, float x)
{
  const double above = 1 - (double) y, before = 1 - (double) x;
  return (double) a * above * before + (double) b * above * (double) x + (double) (c * y) * before
         + (double) (d * y * x);
}

INLINE void
flows_move (const flows_job *j, float *y, float *x)
{
  const int64_t top = (int64_t) *y, left = (int64_t) *x;
  const float v = *y - (float) top, u = *x - (float) left;
  const float *a = j->field + 2 * (top * j->columns + left), *b = a + (left + 1 < j->columns ? 2 : 0);
  const int64_t down = top + 1 < j->rows ? 2 * j->columns : 0;
  const double by_y = flows_between (a[0], b[0], a[down], b[down], v, u);
  const double by_x = flows_between (a[1], b[1], a[down + 1], b[down + 1], v, u);
  *y = flows_moved (*y, by_y, j->rows);
  *x = flows_moved (*x, by_x, j->columns);
}

/* Where the path of a pixel ends. A path that meets a position again repeats what comes between: then only the rest is walked. */
INLINE int32_t
flows_end (const flows_job *j, int64_t i)
{
  float y = (float) (i / j->columns), x = (float) (i % j->columns), old_y = y, old_x = x;
  int32_t since = 0, limit = 1, left = j->steps;
  bool repeats = false;
  while (left > 0) {
    flows_move (j, &y, &x);
    left--;
    since++;
    if (repeats)
      continue;
    if (y == old_y && x == old_x) {
      left %= since;
      repeats = true;
    } else if (since == limit) {
      old_y = y;
      old_x = x;
      since = 0;
      limit *= 2;
    }
  }
  return (int32_t) ((int64_t) y * j->columns + (int64_t) x);
}

INLINE void
flows_count_ends (const flows_job *j, int64_t from, int64_t to)
{
  int32_t last = -1, n = 0; /* neighbors often end in the same pixel */
  for (int64_t i = from; i < to; i++) {
    const int32_t end = j->end[i];
    if (end != last && last >= 0)
      flows_add (&j->counts[last], n);
    n = end == last ? n + 1 : 1;
    last = end;
  }
  if (last >= 0)
    flows_add (&j->counts[last], n);
}

INLINE void
flows_follow (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++)
    if (j->end[i] >= 0)
      j->end[i] = flows_end (j, i);
  flows_count_ends (j, from, to);
}

/* ---- Seeds ---- */

/* 0 outside of the image. */
INLINE int32_t
flows_count (const flows_job *j, int64_t y, int64_t x)
{
  return y < 0 || y >= j->rows || x < 0 || x >= j->columns ? 0 : j->counts[y * j->columns + x];
}

INLINE bool
flows_is_seed (const flows_job *j, int64_t i)
{
  const int32_t n = j->counts[i];
  const int64_t y = i / j->columns, x = i - y * j->columns;
  bool is_most = true;
  if (n <= FLOWS_PEAK)
    return false;
  for (int64_t v = y - FLOWS_NEAR; v <= y + FLOWS_NEAR; v++)
    for (int64_t u = x - FLOWS_NEAR; u <= x + FLOWS_NEAR; u++)
      is_most = is_most && flows_count (j, v, u) <= n;
  return is_most;
}

/* Their order in the list is that in which they are found. */
INLINE void
flows_find_seeds (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++)
    if (flows_is_seed (j, i))
      j->seeds[flows_add (j->n_seeds, 1)] = (int32_t) i;
}

/* The pixels of a row of a basin, and their neighbors to the left and right. */
INLINE uint32_t
flows_wider (uint32_t row)
{
  return row | row << 1 | row >> 1;
}

INLINE void
flows_grow_seed (const flows_job *j, int32_t seed)
{
  const int64_t top = seed / j->columns - FLOWS_GROWTH, left = seed % j->columns - FLOWS_GROWTH;
  const uint64_t key = (uint64_t) j->counts[seed] << 32 | (uint32_t) seed;
  uint32_t may[FLOWS_SIDE], has[FLOWS_SIDE];
  for (int y = 0; y < FLOWS_SIDE; y++) {
    may[y] = 0;
    for (int x = 0; x < FLOWS_SIDE; x++)
      may[y] |= (uint32_t) (flows_count (j, top + y, left + x) > FLOWS_BASIN) << x;
    has[y] = y == FLOWS_GROWTH ? 1u << FLOWS_GROWTH : 0;
  }
  for (int n = 0; n < FLOWS_GROWTH; n++) {
    uint32_t above = 0;
    for (int y = 0; y < FLOWS_SIDE; y++) {
      const uint32_t row = has[y];
      has[y] = flows_wider (above | row | (y + 1 < FLOWS_SIDE ? has[y + 1] : 0)) & may[y];
      above = row;
    }
  }
  for (int y = 0; y < FLOWS_SIDE; y++)
    for (int x = 0; x < FLOWS_SIDE; x++)
      if (has[y] >> x & 1)
        flows_at_least_long (&j->owner[(top + y) * j->columns + left + x], key);
}

INLINE void
flows_grow (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t s = from; s < to; s++)
    flows_grow_seed (j, j->seeds[s]);
}

INLINE void
flows_number (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t s = from; s < to; s++)
    j->counts[j->seeds[s]] = (int32_t) s;
}

/* ---- Objects ---- */

/* From ends to labels, 1 and more: the number of the seed. */
INLINE void
flows_take (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++) {
    const int32_t end = j->end[i];
    const uint64_t owner = end < 0 ? 0 : j->owner[end];
    j->end[i] = owner ? j->counts[(uint32_t) owner] + 1 : 0;
  }
}

/* Adds n pixels of a row, from pixel i on. */
INLINE void
flows_add_run (const flows_job *j, int32_t label, int64_t i, int64_t n)
{
  flows_object *o = &j->objects[label - 1];
  const int64_t y = i / j->columns, x = i - y * j->columns;
  flows_add_long (&o->pixels, n);
  flows_add_long (&o->sum_y, n * y);
  flows_add_long (&o->sum_x, n * x + n * (n - 1) / 2);
  flows_at_most (&o->first, (int32_t) i);
  flows_at_most (&o->top, (int32_t) y);
  flows_at_least (&o->bottom, (int32_t) y);
  flows_at_most (&o->left, (int32_t) x);
  flows_at_least (&o->right, (int32_t) (x + n - 1));
}

INLINE void
flows_measure (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from, n; i < to; i += n) {
    const int32_t label = j->end[i];
    const int64_t end_of_row = (i / j->columns + 1) * j->columns, end = end_of_row < to ? end_of_row : to;
    for (n = 1; i + n < end && j->end[i + n] == label;)
      n++;
    if (label)
      flows_add_run (j, label, i, n);
  }
}

/* Labels of dropped objects become 0. */
INLINE void
flows_drop (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++)
    if (j->end[i] && !j->objects[j->end[i] - 1].label)
      j->end[i] = 0;
}

INLINE void
flows_write (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++) {
    const int64_t y = i / j->columns, x = i - y * j->columns;
    j->out[y * j->out_stride + x] = j->end[i] ? j->objects[j->end[i] - 1].label : 0;
  }
}

/* ---- Heat ---- */

/* Bits of the squared distance of a pixel to the mean of its object; they have the order of the numbers. */
INLINE uint64_t
flows_distance (const flows_job *j, const flows_object *o, int64_t i)
{
  const int64_t y = i / j->columns, x = i - y * j->columns;
  const double v = (double) (y - o->top + 1) - o->mean_y, u = (double) (x - o->left + 1) - o->mean_x;
  const double square = u * u + v * v;
  uint64_t bits;
  memcpy (&bits, &square, sizeof bits);
  return bits;
}

INLINE void
flows_near (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++)
    if (j->end[i]) {
      flows_object *o = &j->objects[j->end[i] - 1];
      flows_at_most_long (&o->nearest, flows_distance (j, o, i));
    }
}

INLINE void
flows_center (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++)
    if (j->end[i]) {
      flows_object *o = &j->objects[j->end[i] - 1];
      if (flows_distance (j, o, i) == o->nearest)
        flows_at_most (&o->center, (int32_t) i);
    }
}

INLINE void
flows_cold (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++)
    j->heat[0][i] = 0;
}

/* A neighbor's heat; 0 outside of the object. */
INLINE double
flows_heat_at (const flows_job *j, const double *heat, int64_t i, int dy, int dx)
{
  const int64_t y = i / j->columns + dy, x = i % j->columns + dx, k = i + dy * j->columns + dx;
  return y < 0 || y >= j->rows || x < 0 || x >= j->columns || j->end[k] != j->end[i] ? 0 : heat[k];
}

/* The sum of AT (y, x) in the order of Cellpose: the pixel, those above, below, left and right of it, then the corners. */
#define FLOWS_SUM(AT)                                                                                                  \
  (AT (0, 0) + AT (-1, 0) + AT (1, 0) + AT (0, -1) + AT (0, 1) + AT (-1, -1) + AT (-1, 1) + AT (1, -1) + AT (1, 1))

/* A pixel after a round of heat. */
INLINE double
flows_spread (const flows_job *j, const double *heat, int64_t i)
{
#define AT(DY, DX) flows_heat_at (j, heat, i, DY, DX)
  return 1 / 9.0 * FLOWS_SUM (AT);
#undef AT
}

/* Adds a number that is not below 0. */
INLINE void
flows_add_square (flows_object *o, double v)
{
  const double most = 4294967296.0, whole = floor (v < most ? v : most);
  flows_add_long ((int64_t *) &o->whole, (int64_t) whole);
  flows_add_long ((int64_t *) &o->part, v < most ? (int64_t) rint ((v - whole) * most) : 0);
}

INLINE void
flows_compare (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++) {
    if (!j->end[i])
      continue;
    const double y = flows_heat_at (j, j->heat[0], i, 1, 0) - flows_heat_at (j, j->heat[0], i, -1, 0);
    const double x = flows_heat_at (j, j->heat[0], i, 0, 1) - flows_heat_at (j, j->heat[0], i, 0, -1);
    const double length = 1e-60 + sqrt (y * y + x * x);
    const double v = y / length - (double) j->field[2 * i], u = x / length - (double) j->field[2 * i + 1];
    flows_add_square (&j->objects[j->end[i] - 1], v * v + u * u);
  }
}

/* ---- Holes ---- */

/* The box of a word of bits. */
INLINE const flows_box *
flows_box_of (const flows_job *j, int64_t word)
{
  int64_t low = 0, high = j->n_boxes;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    if (j->boxes[middle].from <= word)
      low = middle;
    else
      high = middle;
  }
  return &j->boxes[low];
}

/* What is not of the object in the columns of a word; and what of it lies at the border of the box. */
INLINE void
flows_bits (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++) {
    const flows_box *b = flows_box_of (j, i);
    const int64_t y = (i - b->from) / b->words, k = (i - b->from) % b->words, left = b->columns - 64 * k;
    const int n = left < 64 ? (int) left : 64;
    const int32_t *row = j->end + (b->top + y) * j->columns + b->left + 64 * k;
    uint64_t free = 0;
    for (int x = 0; x < n; x++)
      free |= (uint64_t) (row[x] != b->object + 1) << x;
    const uint64_t ends = (uint64_t) (k == 0) | (uint64_t) (k + 1 == b->words) << (n - 1);
    j->free[i] = free;
    j->open[i] = y == 0 || y + 1 == b->rows ? free : free & ends;
  }
}

/* Bits that are connected to `open` in `free`. */
INLINE uint64_t
flows_along (uint64_t open, uint64_t free)
{
  uint64_t up = open, down = open, left = free, right = free;
  for (int n = 1; n < 64; n *= 2) {
    up |= left & up << n;
    left &= left << n;
    down |= right & down >> n;
    right &= right >> n;
  }
  return up | down;
}

/* A row opens next to the open bits of the row before; whether anything does. */
INLINE bool
flows_open_row (uint64_t *open, const uint64_t *free, const uint64_t *before, int32_t words)
{
  bool changes = false;
  uint64_t carry = 0;
  for (int32_t k = 0; k < words; k++) {
    const uint64_t old = open[k];
    const uint64_t now = flows_along (old | (((before ? before[k] : 0) | carry) & free[k]), free[k]);
    changes = changes || now != old;
    open[k] = now;
    carry = now >> 63;
  }
  carry = 0;
  for (int32_t k = words; k-- > 0;) {
    const uint64_t now = flows_along (open[k] | (carry & free[k]), free[k]);
    changes = changes || now != open[k];
    open[k] = now;
    carry = now << 63;
  }
  return changes;
}

/* Down and up a box. */
INLINE bool
flows_sweep_box (const flows_job *j, const flows_box *b)
{
  uint64_t *open = j->open + b->from;
  const uint64_t *free = j->free + b->from;
  bool changes = false;
  for (int64_t y = 0; y < b->rows; y++)
    changes |=
      flows_open_row (open + y * b->words, free + y * b->words, y ? open + (y - 1) * b->words : NULL, b->words);
  for (int64_t y = b->rows - 1; y-- > 0;)
    changes |= flows_open_row (open + y * b->words, free + y * b->words, open + (y + 1) * b->words, b->words);
  return changes;
}

INLINE void
flows_sweep (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++) {
    int32_t n = 0;
    while (n < j->sweeps && flows_sweep_box (j, &j->boxes[i]))
      n++;
    if (n == j->sweeps)
      flows_set (j->again);
  }
}

/* Calls it with the index of each pixel of a word of holes. */
#define FLOWS_EACH_HOLE(J, I, B, PIXEL, ...)                                                                           \
  do {                                                                                                                 \
    const int64_t y = (I - (B)->from) / (B)->words, k = (I - (B)->from) % (B)->words;                                  \
    const uint64_t holes = (J)->free[I] & ~(J)->open[I];                                                               \
    for (int n = 0; n < 64 && holes >> n; n++)                                                                         \
      if (holes >> n & 1) {                                                                                            \
        int32_t *PIXEL = &(J)->end[((B)->top + y) * (J)->columns + (B)->left + 64 * k + n];                            \
        __VA_ARGS__                                                                                                    \
      }                                                                                                                \
  } while (0)

/* Which objects have holes, and which lie in those of others. */
INLINE void
flows_look (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++) {
    const flows_box *b = flows_box_of (j, i);
    FLOWS_EACH_HOLE (j, i, b, pixel, {
      flows_set (&j->objects[b->object].has_holes);
      if (*pixel) {
        flows_set (&j->objects[b->object].holds);
        flows_set (&j->objects[*pixel - 1].lies_in);
      }
    });
  }
}

INLINE void
flows_fill (const flows_job *j, int64_t from, int64_t to)
{
  for (int64_t i = from; i < to; i++) {
    const flows_box *b = flows_box_of (j, i);
    FLOWS_EACH_HOLE (j, i, b, pixel, { *pixel = b->object + 1; });
  }
}

/* ---- All of them ---- */

/* NAME (KEY, function) for each pass. */
#define FLOWS_PASSES(NAME)                                                                                             \
  NAME (PREPARE, flows_prepare)                                                                                        \
  NAME (FOLLOW, flows_follow)                                                                                          \
  NAME (SEEDS, flows_find_seeds)                                                                                       \
  NAME (GROW, flows_grow)                                                                                              \
  NAME (NUMBER, flows_number)                                                                                          \
  NAME (TAKE, flows_take)                                                                                              \
  NAME (MEASURE, flows_measure)                                                                                        \
  NAME (DROP, flows_drop)                                                                                              \
  NAME (NEAR_MEAN, flows_near)                                                                                         \
  NAME (CENTER, flows_center)                                                                                          \
  NAME (COLD, flows_cold)                                                                                              \
  NAME (COMPARE, flows_compare)                                                                                        \
  NAME (BITS, flows_bits)                                                                                              \
  NAME (SWEEP, flows_sweep)                                                                                            \
  NAME (LOOK, flows_look)                                                                                              \
  NAME (FILL, flows_fill)                                                                                              \
  NAME (WRITE, flows_write)

typedef enum flows_pass {
#define FLOWS_KEY(KEY, FUNCTION) FLOWS_##KEY,
  FLOWS_PASSES (FLOWS_KEY)
#undef FLOWS_KEY
    FLOWS_PASS_COUNT
} flows_pass;

#endif
