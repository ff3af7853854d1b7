/* SPDX-License-Identifier: MIT
 *
 * All in integers, so that nothing depends on rounding: coordinates are at most 1e9, and products of two differences fit.
 */
#include "kernels/edit/edit_shapes.h"

#include <stdlib.h>

enum { TICK = 4096 }; /* rows, runs or pixels between questions whether to stop */

static fv_status
ask (const edit_job *job, int64_t *turns, fv_error *error)
{
  if (++*turns % TICK)
    return FV_OK;
  return edit_tick (job, error);
}

/* ---- Lines ---- */

/* A line from `start`, so many steps along its longer axis. */
typedef struct track {
  bool steep;
  int64_t start[2], sign[2], steps, rise; /* longer axis, other axis */
} track;

static track
track_of (const edit_position *a, const edit_position *b)
{
  const int64_t dx = b->x - a->x, dy = b->y - a->y, x = llabs (dx), y = llabs (dy);
  const bool steep = y > x;
  return (track){.steep = steep,
                 .start = {steep ? a->y : a->x, steep ? a->x : a->y},
                 .sign = {(steep ? dy : dx) > 0 ? 1 : -1, (steep ? dx : dy) > 0 ? 1 : -1},
                 .steps = steep ? y : x,
                 .rise = steep ? x : y};
}

/* How far it has gone aside after i steps. */
static int64_t
aside (const track *t, int64_t i)
{
  return t->steps ? (2 * t->rise * i + t->steps) / (2 * t->steps) : 0;
}

static fv_status
touch (edit_pen *pen, const track *t, int64_t i, int64_t off, fv_error *error)
{
  const edit_box *box = &pen->view->box;
  const int64_t along = t->start[0] + t->sign[0] * i, other = t->start[1] + t->sign[1] * off;
  const int64_t y = t->steep ? along : other, x = t->steep ? other : along;
  if (y < box->from[1] || y >= box->to[1] || x < box->from[2] || x >= box->to[2])
    return FV_OK;
  return pen->touch (pen, y, x, error);
}

static fv_status
line (edit_pen *pen, const edit_position *a, const edit_position *b, bool apart, int64_t *turns, fv_error *error)
{
  const track t = track_of (a, b);
  const edit_box *box = &pen->view->box;
  const int axis = t.steep ? 1 : 2;
  /* Only the steps in which it can be in the box. */
  const int64_t low = t.sign[0] > 0 ? box->from[axis] - t.start[0] : t.start[0] - (box->to[axis] - 1);
  const int64_t high = t.sign[0] > 0 ? box->to[axis] - 1 - t.start[0] : t.start[0] - box->from[axis];
  fv_status status = FV_OK;
  for (int64_t i = low > 0 ? low : 0; i <= high && i <= t.steps && !status; i++) {
    const int64_t off = aside (&t, i), before = i ? aside (&t, i - 1) : off;
    if (apart && off != before)
      status = touch (pen, &t, i, before, error);
    if (!status)
      status = touch (pen, &t, i, off, error);
    if (!status)
      status = ask (pen->job, turns, error);
  }
  return status;
}

fv_status
edit_lines (edit_pen *pen, const edit_position *positions, int64_t n, bool closed, bool apart, fv_error *error)
{
  const int64_t lines = n == 1 || (closed && n > 2) ? n : n - 1;
  int64_t turns = 0;
  fv_status status = FV_OK;
  for (int64_t i = 0; i < lines && !status; i++)
    status = line (pen, positions + i, positions + (i + 1) % n, apart, &turns, error);
  return status;
}

/* ---- Polygons ---- */

/* The first integer that is not below n / d; d > 0. */
static int64_t
ceiling (int64_t n, int64_t d)
{
  return n / d + (n % d > 0);
}

/* The first column that does not lie left of the edge in the row; FALSE: the edge does not cross it. */
static bool
crossing (const edit_position *a, const edit_position *b, int64_t y, int64_t *x)
{
  if ((a->y <= y) == (b->y <= y))
    return false;
  if (a->y > b->y) {
    const edit_position *c = a;
    a = b;
    b = c;
  }
  *x = a->x + ceiling ((y - a->y) * (b->x - a->x), b->y - a->y);
  return true;
}

/* turns: a byte for each column of the view and one more; 1: there it goes in or out. */
static fv_status
inside_row (edit_pen *pen, const edit_position *positions, int64_t n, int64_t y, uint8_t *turns, fv_error *error)
{
  const edit_box *box = &pen->view->box;
  const int64_t columns = edit_extent (box, 2);
  fv_status status = FV_OK;
  bool in = false;
  memset (turns, 0, (size_t) columns + 1);
  for (int64_t i = 0; i < n; i++) {
    int64_t x;
    if (!crossing (positions + i, positions + (i + 1) % n, y, &x))
      continue;
    x -= box->from[2];
    turns[x < 0 ? 0 : x > columns ? columns : x] ^= 1;
  }
  for (int64_t x = 0; x < columns && !status; x++)
    if ((in ^= turns[x]))
      status = pen->touch (pen, y, box->from[2] + x, error);
  return status;
}

fv_status
edit_inside (edit_pen *pen, const edit_position *positions, int64_t n, fv_error *error)
{
  const edit_box *box = &pen->view->box;
  edit_job *job = pen->job;
  fv_status status = edit_grow (job, &job->map, (size_t) edit_extent (box, 2) + 1, 0, error);
  for (int64_t y = box->from[1]; y < box->to[1] && !status; y++) {
    status = inside_row (pen, positions, n, y, job->map.at, error);
    if (!status)
      status = edit_tick (job, error);
  }
  return status;
}

/* ---- What hangs together ---- */

int64_t
edit_order (const edit_view *v, int64_t z, int64_t y, int64_t x)
{
  const edit_box *box = &v->box;
  return ((z - box->from[0]) * edit_extent (box, 1) + (y - box->from[1])) * edit_extent (box, 2) + (x - box->from[2]);
}

int32_t *
edit_ordered (const edit_view *v, int64_t order)
{
  const int64_t columns = edit_extent (&v->box, 2), rows = edit_extent (&v->box, 1), line = order / columns;
  return v->pixels + line / rows * v->plane + line % rows * v->row + order % columns;
}

/* Pixels still to be visited, as indices of the view. */
typedef struct flood {
  edit_job *job;
  const edit_view *view;
  int64_t rows, columns, n; /* n: on the stack */
  int32_t from;
} flood;

static fv_status
push (flood *f, int64_t order, fv_error *error)
{
  edit_memory *stack = &f->job->stack;
  const size_t used = (size_t) f->n * sizeof (int64_t);
  if (edit_grow (f->job, stack, used + sizeof (int64_t), used, error))
    return error->code;
  ((int64_t *) stack->at)[f->n++] = order;
  return FV_OK;
}

/* The beginnings of runs in columns x0 ... x1 of a row, which are cut to it. */
static fv_status
push_runs (flood *f, int64_t z, int64_t y, int64_t x0, int64_t x1, fv_error *error)
{
  const int64_t line = z * f->rows + y, last = x1 < f->columns ? x1 : f->columns - 1;
  const int32_t *row = f->view->pixels + z * f->view->plane + y * f->view->row;
  bool before = false;
  for (int64_t x = x0 > 0 ? x0 : 0; x <= last; x++) {
    const bool here = row[x] == f->from;
    if (here && !before && push (f, line * f->columns + x, error))
      return error->code;
    before = here;
  }
  return FV_OK;
}

/* In the rows around that of the run from x0 to x1. */
static fv_status
push_around (flood *f, int64_t z, int64_t y, int64_t x0, int64_t x1, bool corners, fv_error *error)
{
  const int64_t planes = edit_extent (&f->view->box, 0);
  for (int64_t dz = -1; dz <= 1; dz++)
    for (int64_t dy = -1; dy <= 1; dy++) {
      if ((dz == 0 && dy == 0) || (!corners && dz && dy) || z + dz < 0 || z + dz >= planes || y + dy < 0
          || y + dy >= f->rows)
        continue;
      if (push_runs (f, z + dz, y + dy, x0 - corners, x1 + corners, error))
        return error->code;
    }
  return FV_OK;
}

fv_status
edit_flood (edit_job *job, const edit_view *v, int32_t to, bool corners, edit_part *part, fv_error *error)
{
  flood f = {job, v, edit_extent (&v->box, 1), edit_extent (&v->box, 2), 0, *edit_ordered (v, part->seed)};
  int64_t turns = 0;
  fv_status status = f.from == to ? FV_OK : push (&f, part->seed, error);
  part->first = part->seed;
  part->size = 0;
  while (f.n && !status) {
    const int64_t order = ((const int64_t *) job->stack.at)[--f.n], line = order / f.columns, z = line / f.rows;
    int32_t *row = v->pixels + z * v->plane + line % f.rows * v->row;
    int64_t x0 = order % f.columns, x1 = x0;
    if (row[x0] != f.from)
      continue;
    while (x0 > 0 && row[x0 - 1] == f.from)
      x0--;
    while (x1 + 1 < f.columns && row[x1 + 1] == f.from)
      x1++;
    for (int64_t x = x0; x <= x1; x++)
      row[x] = to;
    part->size += x1 - x0 + 1;
    part->first = line * f.columns + x0 < part->first ? line * f.columns + x0 : part->first;
    status = push_around (&f, z, line % f.rows, x0, x1, corners, error);
    if (!status)
      status = ask (job, &turns, error);
  }
  return status;
}
