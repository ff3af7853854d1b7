/* SPDX-License-Identifier: MIT
 *
 * Kept polygons are found again by cells of 64 pixels that their boxes touch.
 */
#include "kernels/network/star_polygons.h"

#include <stdlib.h>

enum {
  UNIT_BITS = 6 /* 2^6 is STAR_UNIT */,
  CELL = 64,
  TOGETHER = 512 /* stars whose pixels are found at the same time */
};

/* ---- Outlines ---- */

/* 32768 sin (2 pi k / 32). */
static int32_t
sine (int k)
{
  static const int32_t quarter[] = {0, 6393, 12540, 18205, 23170, 27246, 30274, 32138, 32768};
  k &= 31;
  const int32_t v = quarter[k % 16 <= 8 ? k % 16 : 16 - k % 16];
  return k < 16 ? v : -v;
}

star_polygon
star_outline (const star *s, double scale, double factor, double more)
{
  star_polygon p;
  int32_t least = INT32_MAX, most = INT32_MIN;
  for (int k = 0; k < STAR_RAYS; k++) {
    const double reach = s->reach[k] * factor / STAR_UNIT / scale + more;
    const double y = (s->y + 0.5) / scale - 0.5 + reach * sine (k) / 32768,
                 x = (s->x + 0.5) / scale - 0.5 + reach * sine (k + 8) / 32768;
    p.y[k] = (int32_t) nearbyint (y * STAR_UNIT);
    p.x[k] = (int32_t) nearbyint (x * STAR_UNIT);
    least = p.y[k] < least ? p.y[k] : least;
    most = p.y[k] > most ? p.y[k] : most;
  }
  p.top = (int32_t) ceil ((double) least / STAR_UNIT);
  p.bottom = (int32_t) ceil ((double) most / STAR_UNIT) - 1; /* the lowest edge is outside */
  return p;
}

/* ---- Pixels ---- */

typedef struct run {
  int32_t y, from, to; /* columns, `to` not included */
} run;

/* A kept star's runs, in raster order, and the corners of its box. */
typedef struct shape {
  run *runs;
  int64_t n, pixels;
  int32_t top, bottom, left, right; /* all included */
} shape;

/* A shape of a cell, and the next one of the same cell; -1: none. */
typedef struct link {
  int32_t shape, next;
} link;

typedef struct keeper {
  star_kept *kept;
  shape *shapes;
  int64_t n, size;
  link *links;
  int64_t n_links, links_size;
  int32_t *cells; /* the first link of each */
  int64_t down, across;
} keeper;

static void
free_keeper (keeper *k)
{
  for (int64_t i = 0; i < k->n; i++)
    free (k->shapes[i].runs);
  free (k->shapes);
  free (k->links);
  free (k->cells);
}

/* Room for one more element of that size. */
static bool
grow (void *array, int64_t n, int64_t *size, size_t each)
{
  void **at = array;
  if (n < *size)
    return true;
  const int64_t more = *size ? 2 * *size : 64;
  void *larger = realloc (*at, (size_t) more * each);
  if (!larger)
    return false;
  *at = larger;
  *size = more;
  return true;
}

static void
add_run (shape *s, int32_t y, int32_t from, int32_t to)
{
  s->runs[s->n++] = (run){y, from, to};
  s->pixels += to - from;
  s->left = from < s->left ? from : s->left;
  s->right = to - 1 > s->right ? to - 1 : s->right;
}

/* Rows of a shape while its edges are followed: each has up to a crossing for each edge. */
typedef struct crossings {
  int32_t columns[STAR_RAYS];
  int32_t n;
} crossings;

static void
follow_edges (const star_polygon *p, crossings *rows)
{
  for (int i = 0; i < STAR_RAYS; i++) {
    const star_edge e = star_edge_of (p, i);
    int32_t column;
    for (int64_t y = (e.ya + STAR_UNIT - 1) >> UNIT_BITS; star_crossing (&e, y, &column); y++) {
      crossings *row = &rows[y - p->top];
      star_insert (row->columns, row->n++, column);
    }
  }
}

/* runs is NULL where memory is short. */
static shape
shape_of (const star *star)
{
  const star_polygon p = star_outline (star, 1, 1, 0);
  const size_t n = p.bottom >= p.top ? (size_t) p.bottom - (size_t) p.top + 1 : 0;
  crossings *rows = calloc (n + 1, sizeof *rows);
  shape s = {.runs = rows ? malloc ((n * (STAR_RAYS / 2) + 1) * sizeof *s.runs) : NULL,
             .top = p.top,
             .bottom = p.bottom,
             .left = INT32_MAX,
             .right = INT32_MIN};
  if (s.runs)
    follow_edges (&p, rows);
  for (size_t y = 0; s.runs && y < n; y++)
    for (int i = 0; i + 1 < rows[y].n; i += 2)
      if (rows[y].columns[i] < rows[y].columns[i + 1])
        add_run (&s, p.top + (int32_t) y, rows[y].columns[i], rows[y].columns[i + 1]);
  free (rows);
  return s;
}

/* How many pixels two shapes share. */
static int64_t
shared_pixels (const shape *a, const shape *b)
{
  int64_t sum = 0;
  for (int64_t i = 0, j = 0; i < a->n && j < b->n;) {
    const run *r = &a->runs[i], *q = &b->runs[j];
    const int32_t from = r->from > q->from ? r->from : q->from, to = r->to < q->to ? r->to : q->to;
    if (r->y == q->y && from < to)
      sum += to - from;
    if (r->y < q->y || (r->y == q->y && r->to <= q->to))
      i++;
    else
      j++;
  }
  return sum;
}

/* ---- Keeping ---- */

static int64_t
cell_of (int32_t v, int64_t n)
{
  const int64_t cell = v / CELL;
  return v < 0 ? 0 : cell < n ? cell : n - 1;
}

static bool
covers (const shape *s, const shape *other, double overlap)
{
  if (s->top > other->bottom || other->top > s->bottom || s->left > other->right || other->left > s->right)
    return false;
  const int64_t smaller = s->pixels < other->pixels ? s->pixels : other->pixels;
  return (double) shared_pixels (s, other) > overlap * (double) smaller;
}

static bool
is_covered (const keeper *k, const shape *s, double overlap)
{
  for (int64_t y = cell_of (s->top, k->down); y <= cell_of (s->bottom, k->down); y++)
    for (int64_t x = cell_of (s->left, k->across); x <= cell_of (s->right, k->across); x++)
      for (int32_t i = k->cells[y * k->across + x]; i >= 0; i = k->links[i].next)
        if (covers (s, &k->shapes[k->links[i].shape], overlap))
          return true;
  return false;
}

/* The shape becomes the keeper's. */
static bool
keep (keeper *k, const star *star, shape *s)
{
  int64_t size = k->size;
  if (!grow (&k->shapes, k->n, &size, sizeof *k->shapes) || !grow (&k->kept, k->n, &k->size, sizeof *k->kept))
    return false;
  for (int64_t y = cell_of (s->top, k->down); y <= cell_of (s->bottom, k->down); y++)
    for (int64_t x = cell_of (s->left, k->across); x <= cell_of (s->right, k->across); x++) {
      if (!grow (&k->links, k->n_links, &k->links_size, sizeof *k->links))
        return false;
      k->links[k->n_links] = (link){(int32_t) k->n, k->cells[y * k->across + x]};
      k->cells[y * k->across + x] = (int32_t) k->n_links++;
    }
  k->kept[k->n] = (star_kept){*star, s->pixels};
  k->shapes[k->n++] = *s;
  s->runs = NULL;
  return true;
}

/* Those of the next n stars that are not covered; n is at most TOGETHER. */
static bool
keep_some (keeper *k, const star *stars, int64_t n, double overlap)
{
  shape shapes[TOGETHER];
  bool fits = true;
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 0; i < n; i++)
    shapes[i] = shape_of (&stars[i]);
  for (int64_t i = 0; i < n; i++) {
    shape *s = &shapes[i];
    fits = fits && s->runs && (!s->pixels || is_covered (k, s, overlap) || keep (k, &stars[i], s));
    free (s->runs);
  }
  return fits;
}

static int
by_probability (const void *one, const void *other)
{
  const star *a = one, *b = other;
  if (a->probability != b->probability)
    return a->probability > b->probability ? -1 : 1;
  if (a->y != b->y)
    return a->y < b->y ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

fv_status
stars_keep (star *stars, int64_t n, int64_t rows, int64_t columns, double overlap, star_kept **kept, int64_t *n_kept,
            fv_error *error)
{
  keeper k = {.down = rows / CELL + 1, .across = columns / CELL + 1};
  k.cells = malloc ((size_t) (k.down * k.across) * sizeof *k.cells);
  bool fits = n < INT32_MAX && k.cells;
  for (int64_t i = 0; fits && i < k.down * k.across; i++)
    k.cells[i] = -1;
  if (n > 1)
    qsort (stars, (size_t) n, sizeof *stars, by_probability);
  for (int64_t i = 0; fits && i < n; i += TOGETHER)
    fits = keep_some (&k, stars + i, n - i < TOGETHER ? n - i : TOGETHER, overlap);
  *kept = k.kept;
  *n_kept = k.n;
  free_keeper (&k);
  if (fits)
    return FV_OK;
  free (k.kept);
  *kept = NULL;
  return fail (error, FV_NO_MEMORY, "", "Memory is short: the outlines of %lld candidates do not fit.", (long long) n);
}
