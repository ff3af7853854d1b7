/* SPDX-License-Identifier: MIT
 *
 * slide: what enters and leaves, the sort of a tile, and the walk over it.
 */
#include "kernels/rank/slide.h"

/* ---- What enters and leaves ---- */

static void
add (slide_list *list, int64_t offset, bool wanted)
{
  list->at[list->n] = offset;
  list->n += wanted;
}

void
slide_footprint_make (slide_footprint *f, const neighborhood *b, const neighborhood_run *runs, int64_t n_runs,
                      int64_t *offsets, void *memory)
{
  char *inside = (char *) memory + b->pitch;
  int64_t n = 0;
  memset (memory, 0, (size_t) (b->all + 2 * b->pitch));
  for (const neighborhood_run *r = runs; r < runs + n_runs; r++) {
    memset (inside + neighborhood_offset (b, r->dz, r->dy, r->first), 1, (size_t) (r->last - r->first + 1));
    n += r->last - r->first + 1;
  }
  *f =
    (slide_footprint){{0, offsets}, {0, offsets + n}, {0, offsets + 2 * n}, {0, offsets + 3 * n}, {0, offsets + 4 * n}};
  for (const neighborhood_run *r = runs; r < runs + n_runs; r++)
    for (int32_t dx = r->first; dx <= r->last; dx++) {
      int64_t at = neighborhood_offset (b, r->dz, r->dy, dx);
      add (&f->all, at, true);
      add (&f->left, at, !inside[at - 1]);
      add (&f->right, at, !inside[at + 1]);
      add (&f->top, at, !inside[at - b->pitch]);
      add (&f->bottom, at, !inside[at + b->pitch]);
    }
}

/* ---- The sort ---- */

typedef struct sorting {
  uint64_t *key[2];
  uint32_t *index[2];
  uint32_t *order; /* index of each pixel of the tile among the values */
  uint32_t *count; /* of each value, in the window */
  uint64_t *value;
  int64_t values;
} sorting;

int64_t
slide_bytes (const neighborhood *b)
{
  return b->all * (int64_t) (3 * sizeof (uint64_t) + 4 * sizeof (uint32_t)) + 2 * b->pitch;
}

static sorting
sorting_in (void *memory, int64_t all)
{
  uint64_t *wide = memory;
  uint32_t *narrow = (uint32_t *) (wide + 3 * all);
  return (sorting){{wide, wide + all}, {narrow, narrow + all}, narrow + 2 * all, narrow + 3 * all, wide + 2 * all, 0};
}

/* By one byte of the keys from [from] into the other; false: that byte is the same in all, nothing is done. */
static bool
sort_byte (sorting *s, int from, int64_t n, int shift)
{
  const uint64_t *key = s->key[from];
  int64_t begin[257] = {0};
  for (int64_t i = 0; i < n; i++)
    begin[1 + (key[i] >> shift & 255)]++;
  if (begin[1 + (key[0] >> shift & 255)] == n)
    return false;
  for (int i = 0; i < 256; i++)
    begin[i + 1] += begin[i];
  for (int64_t i = 0; i < n; i++) {
    int64_t to = begin[key[i] >> shift & 255]++;
    s->key[1 - from][to] = key[i];
    s->index[1 - from][to] = s->index[from][i];
  }
  return true;
}

/* Fills order, value and values, and clears count. */
static void
sort_tile (sorting *s, const slide *slide, const neighborhood_tile *t, const void *keys)
{
  const neighborhood *b = slide->b;
  int64_t n = 0;
  int from = 0;
  for (int64_t z = 0; z <= b->high[0] - b->low[0]; z++)
    for (int64_t y = 0; y < t->height + b->high[1] - b->low[1]; y++)
      for (int64_t x = 0; x < t->width + b->high[2] - b->low[2]; x++, n++) {
        s->index[0][n] = (uint32_t) (z * b->slice + y * b->pitch + x);
        s->key[0][n] = slide->type->order (keys, s->index[0][n]);
      }
  for (int byte = 0; byte < slide->type->bytes; byte++)
    from ^= sort_byte (s, from, n, 8 * byte);
  s->values = 0;
  for (int64_t i = 0; i < n; i++) {
    if (i == 0 || s->key[from][i] != s->key[from][i - 1])
      s->value[s->values++] = s->key[from][i];
    s->order[s->index[from][i]] = (uint32_t) (s->values - 1);
  }
  memset (s->count, 0, (size_t) s->values * sizeof *s->count);
}

/* ---- The walk ---- */

typedef struct window {
  const uint32_t *order;
  uint32_t *count;
  int64_t now, less; /* a value, and how many in the window are less */
} window;

INLINE void
enter (window *w, const slide_list *list, int64_t at)
{
  const uint32_t *order = w->order + at;
  for (int64_t i = 0; i < list->n; i++) {
    uint32_t v = order[list->at[i]];
    w->count[v]++;
    w->less += v < w->now;
  }
}

INLINE void
leave (window *w, const slide_list *list, int64_t at)
{
  const uint32_t *order = w->order + at;
  for (int64_t i = 0; i < list->n; i++) {
    uint32_t v = order[list->at[i]];
    w->count[v]--;
    w->less -= v < w->now;
  }
}

/* Until `now` is the value of the rank. */
INLINE void
find (window *w, int64_t rank)
{
  while (w->less > rank)
    w->less -= w->count[--w->now];
  while (w->less + w->count[w->now] <= rank)
    w->less += w->count[w->now++];
}

void
slide_tile (const slide *s, const neighborhood_tile *t, const void *keys, void *result, void *memory, progress *p)
{
  const slide_footprint *f = s->footprint;
  const int64_t pitch = s->b->pitch;
  sorting sorted = sorting_in (memory, s->b->all);
  sort_tile (&sorted, s, t, keys);
  window w = {sorted.order, sorted.count, 0, 0};
  enter (&w, &f->all, 0);
  for (int64_t y = 0, x = 0; y < t->height && !progress_stopped (p); y++) {
    int64_t step = y % 2 ? -1 : 1;
    if (y) {
      leave (&w, &f->top, (y - 1) * pitch + x);
      enter (&w, &f->bottom, y * pitch + x);
    }
    for (int64_t i = 0; i < t->width; i++) {
      if (i) {
        leave (&w, step > 0 ? &f->left : &f->right, y * pitch + x);
        x += step;
        enter (&w, step > 0 ? &f->right : &f->left, y * pitch + x);
      }
      find (&w, s->rank);
      bool nan = s->has_nan && w.count[sorted.values - 1];
      s->type->put (result, y * s->b->width + x, sorted.value[nan ? sorted.values - 1 : w.now]);
    }
    progress_step (p, 0);
  }
}
