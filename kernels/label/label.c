/* SPDX-License-Identifier: MIT
 *
 * label: connected components. Each row becomes bits, 64 pixels a word: foreground, and where runs start. Runs are
 * counted, so that a run's index is the number of starts before it; a union-find over runs joins those that touch runs
 * of the rows before, in strips of rows and then strip to strip; roots, which are first runs, get the numbers.
 * Nothing outside the image is connected. Foreground is x < 0 or x > 0: neither NaN nor -0.
 * Runs: L. He, Y. Chao, K. Suzuki, IEEE Trans. Image Process. 17 (2008) 749.
 */
#include "kernels/label/label.h"

#include "kernels/common/union_find.h"

enum {
  CHUNK = 64,         /* words of a row that are compared at once */
  LANES = 16,         /* labels that are stored at once */
  MANY = 6,           /* starts and ends of runs in a word */
  STRIP = 1 << 17,    /* pixels of a strip, about */
  TOGETHER = 1 << 22, /* pixels of planes that are done together, about */
};

/* 64 pixels of a row; bit i is pixel i. */
typedef struct word {
  uint64_t on, start; /* foreground; its first pixels of runs */
} word;

/* bits: which of n pixels have a[i] == b[i] and are foreground; n / 64 + 1 words. */
typedef void equal_fn (const void *a, const void *b, int64_t n, uint64_t *bits);

/* A neighbouring row that comes earlier. */
typedef struct neighbour {
  int64_t back; /* rows before */
  int dz, dy, reach;
} neighbour;

/* Planes that are labelled together. Rows are counted through all of them. */
typedef struct sheet {
  const label_args *args;
  const fv_array *in, *out;
  int64_t first, planes, rows, columns; /* first: of the planes in the arrays */
  int64_t all_rows, row_words, strip;   /* strip: rows */
  size_t pixel_bytes;
  equal_fn *equal;
  neighbour neighbours[4];
  int n_neighbours;
  word *words;    /* [all_rows][row_words] */
  int32_t *runs;  /* [all_rows + 1]: runs before each row */
  int32_t *roots; /* [all_rows + 1]: objects that start before each row, in all planes */
  int32_t *link;  /* [runs]: the forest; later, in place of each root, ~label */
  int64_t *sizes; /* [objects + 1] */
  int64_t link_room, size_room;
  progress *p;
} sheet;

/* ---- Rows to bits ---- */

/* Eight bytes, each 0 or 1, to eight bits; the first byte is the lowest bit. */
INLINE uint64_t
pack_bytes (const uint8_t *hits)
{
  uint64_t bytes = 0;
  for (int i = 0; i < 8; i++)
    bytes |= (uint64_t) hits[i] << 8 * i;
  return (bytes * 0x0102040810204080u) >> 56;
}

/* Eight bits to eight bytes, each 0 or 1. */
INLINE uint64_t
spread_byte (uint64_t bits)
{
  uint64_t apart = (bits & 255) * 0x0101010101010101u & 0x8040201008040201u;
  return ((apart + 0x7f7f7f7f7f7f7f7fu) | apart) >> 7 & 0x0101010101010101u;
}

#define DEFINE_EQUAL(NAME, T)                                                                                          \
  VECTORISED static void equal_##NAME (const void *first, const void *second, int64_t n, uint64_t *bits)               \
  {                                                                                                                    \
    for (int64_t x = 0; x <= n; x += 64) {                                                                             \
      const T *a = (const T *) first + x, *b = (const T *) second + x;                                                 \
      uint8_t hits[64] = {0};                                                                                          \
      if (n - x >= 64)                                                                                                 \
        for (int i = 0; i < 64; i++)                                                                                   \
          hits[i] = (a[i] == b[i]) & (a[i] != 0);                                                                      \
      else                                                                                                             \
        for (int i = 0; i < n - x; i++)                                                                                \
          hits[i] = (a[i] == b[i]) & (a[i] != 0);                                                                      \
      uint64_t all = 0;                                                                                                \
      for (int i = 0; i < 8; i++)                                                                                      \
        all |= pack_bytes (hits + 8 * i) << 8 * i;                                                                     \
      *bits++ = all;                                                                                                   \
    }                                                                                                                  \
  }
DEFINE_EQUAL (u8, uint8_t)
DEFINE_EQUAL (u16, uint16_t)
DEFINE_EQUAL (i32, int32_t)
DEFINE_EQUAL (f32, float)
DEFINE_EQUAL (f64, double)

static equal_fn *
equal_for (fv_type type)
{
  switch (type) {
  case FV_U8: return equal_u8;
  case FV_U16: return equal_u16;
  case FV_I32: return equal_i32;
  case FV_F32: return equal_f32;
  default: return equal_f64;
  }
}

static const char *
sheet_pixels (const sheet *s, int64_t row)
{
  return array_row (s->in, s->first + row / s->rows, row % s->rows);
}

INLINE int
count_bits (uint64_t bits)
{
  return __builtin_popcountll (bits);
}

/* Words from foreground bits and from bits that say which pixels go on in the next one. Returns the runs. */
VECTORISED static int64_t
make_words (const uint64_t *on, const uint64_t *next, int64_t n, uint64_t *carry, word *to)
{
  int64_t runs = 0;
  for (int64_t k = 0; k < n; k++) {
    to[k] = (word){on[k], on[k] & ~(next[k] << 1 | *carry)};
    *carry = next[k] >> 63;
    runs += count_bits (to[k].start);
  }
  return runs;
}

static int64_t
row_to_words (const sheet *s, int64_t row)
{
  const char *pixels = sheet_pixels (s, row);
  word *to = s->words + row * s->row_words;
  uint64_t on[CHUNK + 1], next[CHUNK + 1], carry = 0;
  bool equal = s->args->values == LABEL_EQUAL;
  int64_t runs = 0;

  for (int64_t k = 0; k < s->row_words; k += CHUNK) {
    int64_t left = s->columns - 64 * k, n = left < 64 * CHUNK ? left : 64 * CHUNK;
    const char *at = pixels + 64 * k * (int64_t) s->pixel_bytes;
    s->equal (at, at, n, on);
    if (equal)
      s->equal (at, at + s->pixel_bytes, n < left ? n : n - 1, next);
    runs += make_words (on, equal ? next : on, (n + 63) / 64, &carry, to + k);
  }
  return runs;
}

/* ---- Joining runs of two rows ----
 *
 * a and b are words of the earlier and the later row, ia and ib the indices of the last runs that started before them.
 * Two runs meet in one interval, which begins where one of them does: so each pair is found once, as one bit. */

/* Joins the last runs that start up to each bit of `meet`. */
INLINE void
join_bits (uint64_t meet, const word *a, const word *b, int32_t *link, int32_t ia, int32_t ib)
{
  for (; meet; meet &= meet - 1) {
    uint64_t upto = meet ^ (meet - 1);
    forest_unite (link, ia + count_bits (a->start & upto), ib + count_bits (b->start & upto));
  }
}

/* Foreground touches foreground. With reach, pixel x covers the corners x and x + 1, and runs that share one touch. */
VECTORISED static void
join_masks (const word *a, const word *b, int64_t n, int reach, int32_t *link, int32_t ia, int32_t ib)
{
  uint64_t carry_a = 0, carry_b = 0, wide = reach ? ~(uint64_t) 0 : 0;
  for (int64_t k = 0; k < n; k++) {
    uint64_t more_a = (a[k].on << 1 | carry_a) & wide, more_b = (b[k].on << 1 | carry_b) & wide;
    uint64_t meet = (a[k].on | more_a) & (b[k].on | more_b) & (a[k].start | b[k].start);
    join_bits (meet, a + k, b + k, link, ia, ib);
    carry_a = a[k].on >> 63;
    carry_b = b[k].on >> 63;
    ia += count_bits (a[k].start);
    ib += count_bits (b[k].start);
  }
}

/* Which pixels equal the one across, (x, x), and those at the diagonals, (x, x + 1) and (x + 1, x). A diagonal is
 * needed only where x differs across, and then its pixel at x + 1 starts a run. */
typedef struct matches {
  uint64_t across[CHUNK + 1], right[CHUNK + 1], left[CHUNK + 1];
} matches;

VECTORISED static void
join_matches (const word *a, const word *b, const matches *m, int64_t n, int32_t *link, int32_t *ia, int32_t *ib)
{
  for (int64_t k = 0; k < n; k++) {
    join_bits (m->across[k] & (a[k].start | b[k].start), a + k, b + k, link, *ia, *ib);
    join_bits (m->right[k] & ~m->across[k], a + k, b + k, link, *ia, *ib + 1);
    join_bits (m->left[k] & ~m->across[k], a + k, b + k, link, *ia + 1, *ib);
    *ia += count_bits (a[k].start);
    *ib += count_bits (b[k].start);
  }
}

/* Equal touches equal. */
static void
join_equals (const sheet *s, int64_t row_a, int64_t row_b, int reach, int32_t ia, int32_t ib)
{
  const char *a = sheet_pixels (s, row_a), *b = sheet_pixels (s, row_b);
  const word *words_a = s->words + row_a * s->row_words, *words_b = s->words + row_b * s->row_words;
  int64_t bytes = (int64_t) s->pixel_bytes;
  matches m;

  memset (&m, 0, sizeof m);
  for (int64_t k = 0; k < s->row_words; k += CHUNK) {
    int64_t left = s->columns - 64 * k, n = left < 64 * CHUNK ? left : 64 * CHUNK, x = 64 * k * bytes;
    s->equal (a + x, b + x, n, m.across);
    if (reach) {
      s->equal (a + x, b + x + bytes, n < left ? n : n - 1, m.right);
      s->equal (a + x + bytes, b + x, n < left ? n : n - 1, m.left);
    }
    join_matches (words_a + k, words_b + k, &m, (n + 63) / 64, s->link, &ia, &ib);
  }
}

/* Joins a row to its earlier neighbours from row `from` to row `to` - 1. */
static void
join_row (const sheet *s, int64_t row, int64_t from, int64_t to)
{
  int64_t z = row / s->rows, y = row % s->rows;
  if (s->runs[row] == s->runs[row + 1])
    return;
  for (int i = 0; i < s->n_neighbours; i++) {
    const neighbour *n = &s->neighbours[i];
    int64_t other = row - n->back;
    if (z + n->dz < 0 || y + n->dy < 0 || y + n->dy >= s->rows || other < from || other >= to)
      continue;
    if (s->args->values == LABEL_EQUAL)
      join_equals (s, other, row, n->reach, s->runs[other] - 1, s->runs[row] - 1);
    else
      join_masks (s->words + other * s->row_words, s->words + row * s->row_words, s->row_words, n->reach, s->link,
                  s->runs[other] - 1, s->runs[row] - 1);
  }
}

/* ---- The passes: each goes through strips of rows ---- */

/* False when the work is to stop. */
static bool
each_strip (const sheet *s, void (*work) (const sheet *, int64_t from, int64_t to))
{
#pragma omp parallel for schedule(dynamic, 1) if (s->all_rows > s->strip)
  for (int64_t from = 0; from < s->all_rows; from += s->strip) {
    if (progress_stopped (s->p))
      continue;
    int64_t to = from + s->strip < s->all_rows ? from + s->strip : s->all_rows;
    work (s, from, to);
    progress_step (s->p, to - from);
  }
  return !s->p->stop;
}

/* Counts are left one row ahead, for sums_of(). */
static void
find_runs (const sheet *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++) {
    int64_t runs = row_to_words (s, row);
    s->runs[row + 1] = runs > INT32_MAX ? -1 : (int32_t) runs;
  }
}

/* Turns counts into sums of all before; -1 when they, or one of them, are too many. */
static int64_t
sums_of (int32_t *counts, int64_t n)
{
  int64_t sum = 0;
  counts[0] = 0;
  for (int64_t i = 1; i <= n; i++) {
    sum += counts[i];
    if (counts[i] < 0 || sum > INT32_MAX)
      return -1;
    counts[i] = (int32_t) sum;
  }
  return sum;
}

/* Joins the rows within a strip. */
static void
join_strip (const sheet *s, int64_t from, int64_t to)
{
  for (int32_t i = s->runs[from]; i < s->runs[to]; i++)
    s->link[i] = i;
  for (int64_t row = from; row < to; row++)
    join_row (s, row, from, row);
  forest_flatten (s->link, s->runs[from], s->runs[to]);
}

/* Joins the rows from `middle` on to those before it, within `span` rows on both sides. */
static void
join_seam (const sheet *s, int64_t middle, int64_t span)
{
  int64_t farthest = s->neighbours[s->n_neighbours - 1].back;
  int64_t to = middle + (farthest < span ? farthest : span);
  to = to < s->all_rows ? to : s->all_rows;
  for (int64_t row = middle; row < to && !progress_stopped (s->p); row++) {
    join_row (s, row, middle - span, middle);
    if ((row - middle) % s->strip == 0)
      progress_step (s->p, 0);
  }
}

/* Joins strips to pairs, these to fours and so on: seams of one round touch different sets, so that they run at once.
 * Static: the last seam, which is alone, is the first thread's, which asks the host. Few seams of one row each are
 * sooner joined than threads are gathered. */
static bool
join_seams (const sheet *s)
{
#pragma omp parallel if (s->args->volume || s->all_rows > 64 * s->strip)
  for (int64_t span = s->strip; span < s->all_rows; span *= 2) {
#pragma omp for schedule(static, 1)
    for (int64_t middle = span; middle < s->all_rows; middle += 2 * span)
      join_seam (s, middle, span);
  }
  return !s->p->stop;
}

/* Makes runs link to their roots, upwards, so that those that link into the strip need one step; the others climb
 * through strips that are changed meanwhile, always to the same root. Counts the roots of each row. */
static void
find_roots (const sheet *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++) {
    int32_t roots = 0;
    for (int32_t i = s->runs[row]; i < s->runs[row + 1]; i++) {
      int32_t up = s->link[i];
      if (up >= s->runs[from])
        up = s->link[up];
      else
        for (int32_t next; (next = __atomic_load_n (&s->link[up], __ATOMIC_RELAXED)) != up;)
          up = next;
      __atomic_store_n (&s->link[i], up, __ATOMIC_RELAXED);
      roots += up == i;
    }
    s->roots[row + 1] = roots;
  }
}

/* Objects before the first of the plane, or of the volume, that the row is in. */
static int32_t
roots_before (const sheet *s, int64_t row)
{
  return s->args->volume ? 0 : s->roots[row - row % s->rows];
}

/* In place of roots, ~label. */
static void
number_roots (const sheet *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++) {
    int32_t label = s->roots[row] - roots_before (s, row);
    for (int32_t i = s->runs[row]; i < s->runs[row + 1]; i++) {
      bool root = s->link[i] == i;
      label += root;
      s->link[i] = root ? ~label : s->link[i];
    }
  }
}

INLINE int32_t
label_of (const int32_t *link, int32_t run)
{
  int32_t up = link[run];
  return up < 0 ? ~up : ~link[up];
}

/* Fills out[from ... to-1], and what comes after it where there is room: it is filled later. */
INLINE void
fill_labels (int32_t *out, int64_t from, int64_t to, int64_t columns, int32_t label)
{
  if (to + LANES <= columns)
    for (; from < to; from += LANES)
      for (int i = 0; i < LANES; i++)
        out[from + i] = label;
  else
    for (; from < to; from++)
      out[from] = label;
}

/* 64 labels of a word in which many runs turn. `label` is that of the run that comes in from the word before; returns
 * that of the run that goes on. Byte arithmetic: a spread byte times 0x01...01 is its prefix sums, so that eight ranks
 * come at once; rank 0 is the background, 1 the run that comes in, 2 ... the runs that start here. */
INLINE int32_t
write_word (const word *w, const int32_t *link, int32_t run, int32_t label, int32_t *out)
{
  const uint64_t ones = 0x0101010101010101u;
  int32_t labels[66] = {0, label};
  int n = count_bits (w->start);

  for (int i = 0; i < n; i++)
    labels[2 + i] = label_of (link, run + i);
  uint64_t base = ones;
  for (int i = 0; i < 8; i++) {
    uint64_t rank = base + spread_byte (w->start >> 8 * i) * ones;
    base = (rank >> 56) * ones;
    rank &= spread_byte (w->on >> 8 * i) * 255;
    for (int j = 0; j < 8; j++, rank >>= 8)
      *out++ = labels[rank & 255];
  }
  return out[-1];
}

VECTORISED static void
write_row (const word *w, int64_t n, int64_t columns, const int32_t *link, int32_t run, int32_t *out)
{
  int64_t from = 0;
  int32_t label = 0;
  uint64_t carry = 0;
  for (int64_t k = 0; k < n; k++) {
    uint64_t on = w[k].on, turns = w[k].start | (~on & (on << 1 | carry));
    carry = on >> 63;
    if (count_bits (turns) > MANY && 64 * (k + 1) <= columns) {
      fill_labels (out, from, 64 * k, columns, label);
      label = write_word (w + k, link, run, label, out + 64 * k);
      run += count_bits (w[k].start);
      from = 64 * (k + 1);
      continue;
    }
    for (; turns; turns &= turns - 1) {
      int bit = __builtin_ctzll (turns);
      fill_labels (out, from, 64 * k + bit, columns, label);
      from = 64 * k + bit;
      label = on >> bit & 1 ? label_of (link, run++) : 0;
    }
  }
  fill_labels (out, from, columns, columns, label);
}

static void
write_labels (const sheet *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++)
    write_row (s->words + row * s->row_words, s->row_words, s->columns, s->link, s->runs[row],
               array_row (s->out, s->first + row / s->rows, row % s->rows));
}

/* ---- Dropping objects ---- */

static bool
drops_objects (const label_args *a)
{
  return a->min_size > 1 || a->max_size > 0 || a->exclude_border;
}

/* Adds the lengths of a row's runs to sizes[label]. Runs of one object that follow each other are summed first: adding
 * to one place in memory again and again is slow. */
VECTORISED static void
measure_row (const word *w, int64_t n, const int32_t *link, int32_t run, int64_t *sizes)
{
  int64_t size = 0;
  int32_t last = 0;
  for (int64_t k = 0; k < n; k++) {
    uint64_t starts = w[k].start, on = w[k].on;
    size += count_bits (on & (starts - 1) & ~starts);
    for (; starts; starts &= starts - 1) {
      uint64_t rest = starts & (starts - 1), from = -(starts & -starts), to = rest ? (rest & -rest) - 1 : ~(uint64_t) 0;
      int32_t label = label_of (link, run++);
      if (label != last) {
        sizes[last] += size;
        size = 0;
        last = label;
      }
      size += count_bits (on & from & to);
    }
  }
  sizes[last] += size;
}

/* Gives the objects of a row that touch the border a size that stays below zero. */
static void
mark_border (const sheet *s, int64_t row, int64_t *sizes)
{
  const word *w = s->words + row * s->row_words;
  int64_t z = row / s->rows, y = row % s->rows, last = s->columns - 1;
  int32_t from = s->runs[row], to = s->runs[row + 1];
  bool whole = y == 0 || y == s->rows - 1 || (s->args->volume && (z == 0 || z == s->planes - 1));
  for (int32_t run = from; whole && run < to; run++)
    sizes[label_of (s->link, run)] = INT64_MIN;
  if (w[0].on & 1)
    sizes[label_of (s->link, from)] = INT64_MIN;
  if (w[last / 64].on >> last % 64 & 1)
    sizes[label_of (s->link, to - 1)] = INT64_MIN;
}

/* Turns sizes[1 ... n] into new labels, 0 for what is dropped, and counts those left. */
static int32_t
renumber (const label_args *a, int64_t *sizes, int64_t n)
{
  int64_t most = a->max_size > 0 ? a->max_size : INT64_MAX, least = a->min_size > 1 ? a->min_size : 1;
  int32_t label = 0;
  for (int64_t i = 1; i <= n; i++)
    sizes[i] = sizes[i] >= least && sizes[i] <= most ? ++label : 0;
  return label;
}

/* Sizes of the objects of all rows; one plane's, or the volume's, from sizes + roots_before () on. */
static void
measure_rows (const sheet *s)
{
  memset (s->sizes, 0, ((size_t) s->roots[s->all_rows] + 1) * sizeof *s->sizes);
  for (int64_t row = 0; row < s->all_rows && !progress_stopped (s->p); row++) {
    int64_t *sizes = s->sizes + roots_before (s, row);
    if (s->args->exclude_border)
      mark_border (s, row, sizes);
    measure_row (s->words + row * s->row_words, s->row_words, s->link, s->runs[row], sizes);
    if (row % s->strip == 0)
      progress_step (s->p, 0);
  }
}

/* Puts the new labels, which sizes has become, in place of the old ones. */
static void
renumber_roots (const sheet *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++) {
    const int64_t *labels = s->sizes + roots_before (s, row);
    for (int32_t i = s->runs[row]; i < s->runs[row + 1]; i++)
      if (s->link[i] < 0)
        s->link[i] = ~(int32_t) labels[~s->link[i]];
  }
}

/* ---- The operation ---- */

/* Room for n elements. The next is at least twice the last, so that little is lost in all. */
static fv_status
make_room (const sheet *s, void **memory, int64_t *room, int64_t n, size_t bytes, fv_error *error)
{
  const fv_call *call = s->p->call;
  if (n <= *room)
    return FV_OK;
  *room = n > 2 * *room ? n : 2 * *room;
  return call->host->scratch (call, (size_t) *room * bytes, memory, error);
}

static fv_status
make_links (sheet *s, fv_error *error)
{
  int64_t runs = sums_of (s->runs, s->all_rows);
  void *memory = s->link;
  if (runs < 0)
    return label_too_many (s->args, error);
  fv_status status = make_room (s, &memory, &s->link_room, runs, sizeof *s->link, error);
  s->link = memory;
  return status;
}

/* Drops objects and counts those left in each plane, or in the volume. */
static fv_status
drop_objects (sheet *s, int64_t rows, double *counts, fv_error *error)
{
  void *memory = s->sizes;
  fv_status status =
    make_room (s, &memory, &s->size_room, (int64_t) s->roots[s->all_rows] + 1, sizeof *s->sizes, error);
  if (status)
    return status;
  s->sizes = memory;
  measure_rows (s);
  for (int64_t row = 0; row < s->all_rows; row += rows)
    counts[row / rows] = renumber (s->args, s->sizes + s->roots[row], s->roots[row + rows] - s->roots[row]);
  return each_strip (s, renumber_roots) ? FV_OK : cancelled (error);
}

static fv_status
label_sheet (sheet *s, double *counts, fv_error *error)
{
  s->all_rows = s->planes * s->rows;
  if (!each_strip (s, find_runs))
    return cancelled (error);
  fv_status status = make_links (s, error);
  if (status)
    return status;
  if (!each_strip (s, join_strip) || !join_seams (s) || !each_strip (s, find_roots))
    return cancelled (error);
  sums_of (s->roots, s->all_rows);
  if (!each_strip (s, number_roots))
    return cancelled (error);
  int64_t rows = s->args->volume ? s->all_rows : s->rows;
  for (int64_t row = 0; row < s->all_rows; row += rows)
    counts[row / rows] = s->roots[row + rows] - s->roots[row];
  if (drops_objects (s->args) && (status = drop_objects (s, rows, counts, error)))
    return status;
  for (int64_t row = 0; row < s->all_rows; row += rows)
    if (counts[row / rows] > (double) label_most (s->args))
      return label_too_many (s->args, error);
  return each_strip (s, write_labels) ? FV_OK : cancelled (error);
}

/* The rows before a row that have neighbours of its pixels, nearest first. */
static void
find_neighbours (sheet *s)
{
  static const int before[][2] = {{0, -1}, {-1, 1}, {-1, 0}, {-1, -1}};
  for (int i = 0; i < 4; i++) {
    int dz = before[i][0], dy = before[i][1], reach = label_reach (s->args, dz, dy);
    if (reach >= 0)
      s->neighbours[s->n_neighbours++] = (neighbour){-dz * s->rows - dy, dz, dy, reach};
  }
}

/* How many planes make a sheet. */
static int64_t
planes_together (const label_args *args, const int64_t shape[3])
{
  int64_t together = args->volume ? shape[0] : 1 + TOGETHER / shape[2] / shape[1];
  return together < shape[0] ? together : shape[0];
}

/* Without the links of runs, which are as many as the pixels have it. */
static int64_t
label_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  const int64_t *shape = in[0]->shape, rows = planes_together (args, shape) * shape[1];
  return rows * ((shape[2] + 63) / 64) * (int64_t) sizeof (word) + 2 * (rows + 1) * (int64_t) sizeof (int32_t);
}

static fv_status
sheet_scratch (sheet *s, fv_error *error)
{
  const fv_call *call = s->p->call;
  size_t rows = (size_t) (s->planes * s->rows), words = rows * (size_t) s->row_words;
  void *memory;
  fv_status status =
    call->host->scratch (call, words * sizeof (word) + 2 * (rows + 1) * sizeof (int32_t), &memory, error);
  if (status)
    return status;
  s->words = memory;
  s->runs = (int32_t *) (s->words + words);
  s->roots = s->runs + rows + 1;
  return FV_OK;
}

static fv_status
label_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const label_args *args = call->args;
  int64_t planes = array_planes (in), rows = array_rows (in), columns = array_columns (in);
  int64_t strip = 1 + STRIP / columns;
  progress p = {call, .total = (drops_objects (args) ? 6 : 5) * planes * rows};
  sheet s = {.args = args,
             .in = in,
             .out = call->outputs[0],
             .rows = rows,
             .columns = columns,
             .row_words = (columns + 63) / 64,
             .strip = strip,
             .pixel_bytes = type_bytes (in->grid->type),
             .equal = equal_for (in->grid->type),
             .p = &p};

  s.planes = planes_together (args, in->tensor.shape);
  find_neighbours (&s);
  fv_status status = sheet_scratch (&s, error);
  for (; !status && s.first < planes; s.first += s.planes) {
    if (s.planes > planes - s.first)
      s.planes = planes - s.first;
    status = label_sheet (&s, call->scalars + (args->volume ? 0 : s.first), error);
  }
  return status;
}

static fv_grain
label_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const label_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
label_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const label_args *a = args;
  bool flat = a->connectivity == LABEL_4 || a->connectivity == LABEL_8;
  (void) op, (void) in;
  if (a->connectivity != LABEL_AUTO && flat && a->volume)
    return fail (error, FV_BAD_ARGUMENT, "connectivity",
                 "Connectivity 4 and 8 are for planes; with volume=yes use 6, 18 or 26.");
  if (a->connectivity != LABEL_AUTO && !flat && !a->volume)
    return fail (error, FV_BAD_ARGUMENT, "connectivity",
                 "Connectivity 6, 18 and 26 are for volumes: use 4 or 8, or set volume=yes.");
  if (a->max_size > 0 && a->max_size < a->min_size)
    return fail (error, FV_BAD_ARGUMENT, "max_size",
                 "No object has at least %d and at most %d pixels: max_size must not be below min_size (0: no limit).",
                 a->min_size, a->max_size);
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = true;
  return FV_OK;
}

static const fv_choice connectivities[] = {{"auto", "All neighbors", "8 neighbors in planes, 26 in volumes."},
                                           {"4", "4", "In planes: pixels that share an edge."},
                                           {"8", "8", "In planes: pixels that share an edge or a corner."},
                                           {"6", "6", "In volumes: voxels that share a face."},
                                           {"18", "18", "In volumes: voxels that share a face or an edge."},
                                           {"26", "26", "In volumes: voxels that share a face, an edge or a corner."},
                                           {0}};

static const fv_choice values[] = {{"nonzero", "Not zero", "Neighbors belong together when neither is zero."},
                                   {"equal", "Equal", "Neighbors belong together when they are equal and not zero."},
                                   {0}};

const fv_op fv_op_label = {
  FV_OP (label_args),
  .key = "label",
  .menu = "Analyze",
  .label = "Label Objects...",
  .help = "Numbers the connected objects of a mask in the order of their first pixels.",
  .kind = FV_GLOBAL,
  .reads_back = true, /* only where there can be more objects than labels */
  .inputs =
    (const fv_input[]){
      {"image", "Image", "A mask or a label image: what is not zero is foreground.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"labels", "Labels"}, {0}},
  .scalars = (const fv_scalar[]){{"objects", "Objects", "How many objects there are.", FV_COLUMN_INTEGER}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (label_args, connectivity), .label = "Connectivity", .advanced = true, .choices = connectivities,
       .help = "How many neighbors of a pixel are connected to it."},
      {FV_FIELD (label_args, values), .label = "Join", .advanced = true, .choices = values,
       .help = "Which neighbors belong to one object."},
      {FV_FIELD (label_args, min_size), .label = "Smallest size", .unit = FV_PIXELS, .max = INT32_MAX,
       .soft_max = 10000, .step = 1, .help = "Objects of fewer pixels are dropped."},
      {FV_FIELD (label_args, max_size), .label = "Largest size", .unit = FV_PIXELS, .max = INT32_MAX,
       .soft_max = 1000000, .step = 1, .help = "Objects of more pixels are dropped; 0 is no limit."},
      {FV_FIELD (label_args, exclude_border), .label = "Exclude objects at the border",
       .help = "Drops objects that touch the border of the image or, in 3-D, its first or last slice."},
      {FV_FIELD (label_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume and connects objects across them."},
      {0}},
  .grain = label_grain,
  .infer = label_infer,
  .scratch = label_scratch,
  .run = {[FV_CPU] = label_cpu, [FV_CUDA] = FV_CUDA_FN (label_cuda)},
};
