/* SPDX-License-Identifier: MIT
 *
 * Euler number: sum over the grid's vertices of 1 - edges/2 + faces/4 - cubes/8 of the closed pixels around each.
 * Crofton: pi/4 (H + V + (D1 + D2)/sqrt 2), the object's exits along rows, columns and diagonals. Perimeter: let a border pixel have a border pixels
 * among its 4 neighbors and d on its diagonals.
 * - It counts 1 for a = 2, 3 and d <= 2.
 * - It counts sqrt 2 for (a, d) = (0, 2), (1, 3).
 * - It counts (1 + sqrt 2)/2 for (1, 1), (1, 2).
 */
#include "kernels/regions/region_outline.h"
#include "kernels/regions/outline_walk.h"
#include "kernels/regions/region_rows.h"
#include "kernels/common/union_find.h"

/* ---- Patterns ---- */

region_patterns
region_patterns_plane (const region *o)
{
  static const offset pair[] = {{0, -1}, {0, 0}};
  int64_t count[16] = {0}, euler = 0, straight = 0, diagonal = 0;
  rows r = rows_of (o, 2, pair);
  while (rows_next (&r)) {
    columns c = columns_of (2, r.row);
    while (columns_next (&c)) {
      count[c.state | c.after << 2]++;
      if (c.state)
        count[c.state | c.state << 2] += c.x1 - c.x0 - 1;
    }
  }
  for (unsigned p = 1; p < 16; p++) {
    euler += count[p] * vertex_euler (p);
    straight += count[p] * vertex_straight (p);
    diagonal += count[p] * vertex_diagonal (p);
  }
  return (region_patterns){euler / 4, crofton_perimeter (straight, diagonal)};
}

int64_t
region_euler_volume (const region *o)
{
  static const offset four[] = {{-1, -1}, {-1, 0}, {0, -1}, {0, 0}};
  static const uint8_t voxel[16] = {0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
                                    0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55};
  int64_t sum = 0;
  rows r = rows_of (o, 4, four);
  while (rows_next (&r)) {
    columns c = columns_of (4, r.row);
    while (columns_next (&c)) {
      sum += vertex_euler_volume (voxel[c.state] | (unsigned) voxel[c.after] << 1);
      if (c.state)
        sum += (c.x1 - c.x0 - 1) * vertex_euler_volume (voxel[c.state] * 3u);
    }
  }
  return sum / 8;
}

/* ---- Perimeter by neighborhoods ---- */

enum { ABOVE = 1, SELF = 2, BELOW = 4, ALL = 7 };

static void
add_border (row *list, run *start, int64_t x0, int64_t x1)
{
  run *last = start + (list->end - list->at) - 1;
  if (last >= start && x0 <= last->x1)
    last->x1 = (int32_t) x1;
  else {
    last[1] = (run){.x0 = (int32_t) x0, .x1 = (int32_t) x1};
    list->end++;
  }
}

/* Border pixels of the middle row: those with one of four neighbors outside. */
static row
border_row (const row *three, run *start)
{
  row list = {start, start};
  columns c = columns_of (3, three);
  while (columns_next (&c)) {
    if (!(c.state & SELF))
      continue;
    if (c.state != ALL)
      add_border (&list, start, c.x0, c.x1);
    else if (!(c.before & SELF))
      add_border (&list, start, c.x0, c.x0 + 1);
    if (!(c.after & SELF))
      add_border (&list, start, c.x1 - 1, c.x1);
  }
  return list;
}

static inline void
count_border (border_counts *n, unsigned left, unsigned here, unsigned right, int64_t times)
{
  int beside = bits_set (left & SELF) + bits_set (right & SELF) + bits_set (here & (ABOVE | BELOW));
  int across = bits_set (left & (ABOVE | BELOW)) + bits_set (right & (ABOVE | BELOW));
  border_count (n, beside, across, times);
}

static void
count_border_row (border_counts *n, const row *three)
{
  columns c = columns_of (3, three);
  while (columns_next (&c)) {
    int64_t length = c.x1 - c.x0;
    if (!(c.state & SELF))
      continue;
    if (length == 1) {
      count_border (n, c.before, c.state, c.after, 1);
      continue;
    }
    count_border (n, c.before, c.state, c.state, 1);
    count_border (n, c.state, c.state, c.state, length - 2);
    count_border (n, c.state, c.state, c.after, 1);
  }
}

double
region_perimeter (const region *o, run *border)
{
  static const offset three[] = {{0, -1}, {0, 0}, {0, 1}};
  int64_t room = region_border_runs (o->high[2] - o->low[2]);
  border_counts n = {0};
  row list[3] = {{0}}; /* borders of the last three rows */
  rows r = rows_of (o, 3, three);
  int slot = 0;
  /* Rows next to the object's are visited too, so a row with its border always has its neighbors in the list. */
  while (rows_next (&r)) {
    list[0] = list[1], list[1] = list[2];
    list[2] = border_row (r.row, border + slot * room);
    slot = (slot + 1) % 3;
    count_border_row (&n, list);
  }
  return border_length (&n);
}

/* ---- Holes ---- */

/* A gap is what lies left of a run of its row: after the run before it, or from far away, which is outside, as is what
 * lies right of the last run. Gaps are numbered as their runs, outside is 0: the very first run has no other gap. */
static inline int64_t
gap_start (row r, const run *right)
{
  return right == r.at ? INT64_MIN : right[-1].x1;
}

static inline int64_t
gap_end (row r, const run *right)
{
  return right == r.end ? INT64_MAX : right->x0;
}

static inline int32_t
gap_number (const region *o, row r, const run *right)
{
  return right == r.at || right == r.end ? 0 : (int32_t) (right - o->runs);
}

static void
unite_gaps (const region *o, row a, row b, int32_t *link)
{
  const run *i = a.at, *j = b.at;
  if (a.end - a.at < 2 && b.end - b.at < 2)
    return;
  for (;;) {
    if (gap_start (a, i) <= gap_end (b, j) && gap_start (b, j) <= gap_end (a, i))
      forest_unite (link, gap_number (o, a, i), gap_number (o, b, j));
    if (i == a.end && j == b.end)
      return;
    if (j == b.end || (i != a.end && gap_end (a, i) < gap_end (b, j)))
      i++;
    else
      j++;
  }
}

int64_t
region_filled (const region *o, bool volume, int32_t *link)
{
  static const offset around[] = {{0, 0}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
  int k = volume ? 5 : 2;
  bool gaps = false;
  int64_t filled = o->pixels;
  for (int32_t i = 0; i < o->n_runs; i++) {
    link[i] = i;
    gaps |= i && o->runs[i].y == o->runs[i - 1].y && o->runs[i].z == o->runs[i - 1].z;
  }
  if (!gaps)
    return filled;
  rows r = rows_of (o, k, around);
  while (rows_next (&r))
    for (int i = 1; i < k; i++)
      unite_gaps (o, r.row[0], r.row[i], link);
  forest_flatten (link, 0, (int32_t) o->n_runs);
  for (int64_t i = 1; i < o->n_runs; i++)
    if (link[i] && o->runs[i].y == o->runs[i - 1].y && o->runs[i].z == o->runs[i - 1].z)
      filled += o->runs[i].x0 - o->runs[i - 1].x1;
  return filled;
}

/* ---- ImageJ's perimeter ---- */

static void
link_parts (const region *o, int32_t *link)
{
  static const offset pair[] = {{0, 0}, {0, -1}};
  rows r = rows_of (o, 2, pair);
  for (int32_t i = 0; i < o->n_runs; i++)
    link[i] = i;
  while (rows_next (&r)) {
    const run *a = r.row[0].at, *b = r.row[1].at;
    while (a < r.row[0].end && b < r.row[1].end) {
      if (a->x0 <= b->x1 && b->x0 <= a->x1)
        forest_unite (link, (int32_t) (a - o->runs), (int32_t) (b - o->runs));
      if (a->x1 < b->x1)
        a++;
      else
        b++;
    }
  }
  forest_flatten (link, 0, (int32_t) o->n_runs);
}

/* A plane of labels; the stride is in pixels. */
typedef struct label_plane {
  const void *data;
  fv_type type;
  int64_t rows, columns, stride;
} label_plane;

static inline bool
has_label (const label_plane *l, int64_t y, int64_t x, int32_t label)
{
  int64_t at = y * l->stride + x;
  if (y < 0 || x < 0 || y >= l->rows || x >= l->columns)
    return false;
  switch (l->type) {
  case FV_U8: return ((const uint8_t *) l->data)[at] == label;
  case FV_U16: return ((const uint16_t *) l->data)[at] == label;
  default: return ((const int32_t *) l->data)[at] == label;
  }
}

static void
trace_part (const label_plane *l, const run *part, outline *sum)
{
  outline_walk w = outline_start (part);
  do {
    outline_go (&w, 1, sum);
    int d = w.direction, middle = d == 1 || d == 2 ? -1 : 0;
    bool left = has_label (l, w.y + (d > 1 ? -1 : 0), w.x + middle, part->label);
    bool right = has_label (l, w.y + middle, w.x + (d < 2 ? -1 : 0), part->label);
    outline_turn (&w, left, right, sum);
  } while (!outline_closed (&w, part));
}

double
region_traced_perimeter (const region *o, const fv_array *labels, double dy, double dx, int32_t *link)
{
  outline sum = {0};
  const DLTensor *t = &labels->tensor;
  label_plane l = {array_row (labels, o->low[0], 0), labels->grid->type, t->shape[1], t->shape[2], t->strides[1]};
  link_parts (o, link);
  for (int32_t i = 0; i < o->n_runs; i++)
    if (link[i] == i)
      trace_part (&l, o->runs + i, &sum);
  return outline_length (&sum, dy, dx);
}
