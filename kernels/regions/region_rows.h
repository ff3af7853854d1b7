/* SPDX-License-Identifier: MIT
 *
 * Walks neighboring rows of one object together. It goes from one position (z, y) to the next at which at least one of k rows has runs. There it goes
 * along the columns from one stretch with the same rows inside the object to the next. This is how a neighborhood is looked at without a mask.
 */
#ifndef KERNELS_REGIONS_REGION_ROWS_H
#define KERNELS_REGIONS_REGION_ROWS_H

#include "kernels/regions/regions.h"

#define ROWS_MAX 5

typedef struct offset {
  int32_t z, y;
} offset;

typedef struct row {
  const run *at, *end;
} row;

typedef struct rows {
  int k;
  const offset *offsets;
  row row[ROWS_MAX]; /* runs of the rows (z, y) + offsets[i] at the current position */
  const run *next[ROWS_MAX], *stop;
} rows;

static inline rows
rows_of (const region *o, int k, const offset *offsets)
{
  rows r = {.k = k, .offsets = offsets, .stop = o->runs + o->n_runs};
  for (int i = 0; i < k; i++)
    r.next[i] = o->runs;
  return r;
}

/* Position at which row i comes next, as one number. */
static inline int64_t
rows_position (const rows *r, int i)
{
  const run *n = r->next[i];
  return n == r->stop ? INT64_MAX : (int64_t) (n->z - r->offsets[i].z) * ((int64_t) 1 << 32) + (n->y - r->offsets[i].y);
}

/* Goes to the next position; false after the last. */
static inline bool
rows_next (rows *r)
{
  int64_t position = INT64_MAX;
  for (int i = 0; i < r->k; i++) {
    int64_t p = rows_position (r, i);
    position = p < position ? p : position;
  }
  if (position == INT64_MAX)
    return false;
  for (int i = 0; i < r->k; i++) {
    const run *n = r->next[i], *at = n;
    if (rows_position (r, i) == position)
      while (n < r->stop && n->y == at->y && n->z == at->z)
        n++;
    r->row[i] = (row){at, n};
    r->next[i] = n;
  }
  return true;
}

/* A stretch of columns x0 ... x1 - 1 in which the rows of the bits in `state` are inside; `before` and `after` are the
 * states of the columns next to it. The first stretch begins far to the left, the last is before the empty rest. */
typedef struct columns {
  int k;
  row row[ROWS_MAX];
  int64_t x0, x1;
  unsigned before, state, after;
} columns;

static inline columns
columns_of (int k, const row *list)
{
  columns c = {.k = k, .x1 = INT32_MIN};
  for (int i = 0; i < k; i++)
    c.row[i] = list[i];
  return c;
}

static inline bool
columns_next (columns *c)
{
  int64_t x = INT64_MAX;
  c->before = c->state, c->state = c->after, c->x0 = c->x1;
  for (int i = 0; i < c->k; i++)
    if (c->row[i].at < c->row[i].end) {
      int64_t change = c->state >> i & 1 ? c->row[i].at->x1 : c->row[i].at->x0;
      x = change < x ? change : x;
    }
  if (x == INT64_MAX)
    return false;
  c->x1 = x;
  for (int i = 0; i < c->k; i++)
    if (c->row[i].at < c->row[i].end) {
      if (c->state >> i & 1) {
        if (c->row[i].at->x1 == x) {
          c->after &= ~(1u << i);
          c->row[i].at++;
        }
      } else if (c->row[i].at->x0 == x)
        c->after |= 1u << i;
    }
  return true;
}

#endif
