/* SPDX-License-Identifier: MIT
 *
 * expression on the CPU: block by block of a row, small enough for the first cache, one function after the other.
 */
#include "kernels/expression/expression_job.h"
#include "kernels/expression/expression_blocks.h"

#include "kernels/common/row.h"

enum { BLOCK = 1024, BLOCKS_EACH = 16 };

/* Where the values of a block stand. */
typedef struct slots {
  int16_t slot[EXPRESSION_VALUES]; /* -1: none, it is read where it lies */
  int slots;
} slots;

/* A thread's own. */
typedef struct worker {
  const expression_job *job;
  const slots *slots;
  char *room; /* [slots] blocks of double */
  const void *at[EXPRESSION_VALUES];
  int64_t channel, z, y, x;
  int n;
} worker;

/* ---- Slots ---- */

/* A value that a later one needs last there gives its slot to others; uniform ones stay, filled once. */
static void
assign (const expression_program *p, slots *s)
{
  int last[EXPRESSION_VALUES], free_slots[EXPRESSION_VALUES], n_free = 0;
  for (int i = 0; i < p->n; i++) {
    last[i] = i;
    for (int k = 0; k < 3; k++)
      if (p->used[i] && p->values[i].args[k] >= 0)
        last[p->values[i].args[k]] = i;
  }
  last[p->result] = p->n;
  s->slots = 0;
  for (int i = 0; i < p->n; i++) {
    s->slot[i] = -1;
    if (!p->used[i])
      continue;
    s->slot[i] = (int16_t) (n_free && !p->values[i].uniform ? free_slots[--n_free] : s->slots++);
    for (int k = 0; k < 3; k++) {
      int a = p->values[i].args[k];
      if (a >= 0 && last[a] == i && !p->values[a].uniform && s->slot[a] >= 0) {
        free_slots[n_free++] = s->slot[a];
        last[a] = -1; /* once, though it may be two arguments */
      }
    }
  }
}

static void *
room_of (const worker *w, int value)
{
  return w->room + (size_t) w->slots->slot[value] * BLOCK * sizeof (double);
}

/* ---- Values of a block ---- */

static void
fill (const worker *w, void *to, double number)
{
  if (w->job->working == FV_F32)
    for (int i = 0; i < BLOCK; i++)
      ((float *) to)[i] = (float) number;
  else
    for (int i = 0; i < BLOCK; i++)
      ((double *) to)[i] = number;
}

static void
count_up (const worker *w, void *to, int64_t first)
{
  if (w->job->working == FV_F32)
    for (int i = 0; i < w->n; i++)
      ((float *) to)[i] = (float) (first + i);
  else
    for (int i = 0; i < w->n; i++)
      ((double *) to)[i] = (double) (first + i);
}

static void
convert (const worker *w, void *to, const void *from, fv_type type, int64_t n)
{
  if (w->job->working == FV_F32)
    row_to_f32 (to, from, type, n);
  else
    row_to_f64 (to, from, type, n);
}

/* Pixels of a row beyond its ends, one by one. */
static void
fetch_beyond (const worker *w, const char *row, fv_type type, int64_t x, int from, int to, void *room)
{
  const expression_job *j = w->job;
  for (int i = from; i < to; i++) {
    int64_t at = border_index (x + i, j->columns, j->settings.border);
    double pixel = at < 0 ? j->settings.value : pixel_get (row, type, at);
    if (j->working == FV_F32)
      ((float *) room)[i] = (float) pixel;
    else
      ((double *) room)[i] = pixel;
  }
}

/* The block's pixels of an input, where they lie if they can be read there. */
static const void *
fetch (const worker *w, int value)
{
  const expression_job *j = w->job;
  const expression_value *v = &j->program.values[value];
  const expression_array *a = &j->inputs[v->which];
  int64_t y = border_index (w->y + v->dy, j->rows, j->settings.border), x = w->x + v->dx;
  void *room = room_of (w, value);
  size_t bytes = type_bytes (a->type), working = type_bytes (j->working);
  if (y < 0) {
    fill (w, room, j->settings.value);
    return room;
  }
  const char *row = a->data + (w->channel * a->channel + w->z * a->plane + y * a->row) * (int64_t) bytes;
  int64_t left = x < 0 ? -x : 0, right = x + w->n > j->columns ? j->columns - x : w->n;
  if (left == 0 && right == w->n && a->type == j->working)
    return row + x * (int64_t) bytes;
  left = left < w->n ? left : w->n;
  right = right > left ? right : left;
  fetch_beyond (w, row, a->type, x, 0, (int) left, room);
  if (right > left)
    convert (w, (char *) room + (size_t) left * working, row + (x + left) * (int64_t) bytes, a->type, right - left);
  fetch_beyond (w, row, a->type, x, (int) right, w->n, room);
  return room;
}

static const void *
coordinate (const worker *w, int value)
{
  const int64_t at[COORDINATES] = {w->x, w->y, w->z, w->channel};
  int which = w->job->program.values[value].which;
  void *room = room_of (w, value);
  if (which == COORDINATE_X)
    count_up (w, room, w->x);
  else
    fill (w, room, (double) at[which]);
  return room;
}

static void
apply (const worker *w, const expression_value *v, void *to)
{
  const void *args[3] = {NULL, NULL, NULL};
  for (int k = 0; k < 3; k++)
    if (v->args[k] >= 0)
      args[k] = w->at[v->args[k]];
  if (w->job->working == FV_F32)
    expression_block_f32 (v->which, to, args[0], args[1], args[2], w->n);
  else
    expression_block_f64 (v->which, to, args[0], args[1], args[2], w->n);
}

/* ---- The result ---- */

VECTORISED static void
mask_f32 (uint8_t *restrict to, const float *restrict from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] = from[i] != 0 ? 255 : 0;
}

VECTORISED static void
mask_f64 (uint8_t *restrict to, const double *restrict from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] = from[i] != 0 ? 255 : 0;
}

static void
write (const worker *w, void *to, const void *from)
{
  const expression_job *j = w->job;
  if (to == from)
    return;
  if (j->mask)
    j->working == FV_F32 ? mask_f32 (to, from, w->n) : mask_f64 (to, from, w->n);
  else if (j->working == FV_F32)
    row_from_f32 (to, j->out.type, from, w->n);
  else
    row_from_f64 (to, j->out.type, from, w->n);
}

static void
run_block (worker *w)
{
  const expression_job *j = w->job;
  const expression_program *p = &j->program;
  char *out = j->out.data
              + (w->channel * j->out.channel + w->z * j->out.plane + w->y * j->out.row + w->x)
                  * (int64_t) type_bytes (j->out.type);
  for (int i = 0; i < p->n; i++) {
    const expression_value *v = &p->values[i];
    if (!p->used[i] || v->uniform)
      continue;
    if (v->kind == VALUE_INPUT)
      w->at[i] = fetch (w, i);
    else if (v->kind == VALUE_COORDINATE)
      w->at[i] = coordinate (w, i);
    else {
      void *to = i == p->result && j->out.type == j->working ? (void *) out : room_of (w, i);
      apply (w, v, to);
      w->at[i] = to;
    }
  }
  write (w, out, w->at[p->result]);
}

/* ---- All of it ---- */

static void
run_piece (worker *w, int64_t piece, int64_t pieces_each)
{
  const expression_job *j = w->job;
  int64_t line = piece / pieces_each, first = (piece - line * pieces_each) * BLOCK * BLOCKS_EACH;
  int64_t end = first + BLOCK * BLOCKS_EACH < j->columns ? first + BLOCK * BLOCKS_EACH : j->columns;
  w->y = line % j->rows, w->z = line / j->rows % j->depth, w->channel = line / j->rows / j->depth;
  for (w->x = first; w->x < end; w->x += BLOCK) {
    w->n = (int) (end - w->x < BLOCK ? end - w->x : BLOCK);
    run_block (w);
  }
}

static void
begin (worker *w)
{
  const expression_program *p = &w->job->program;
  for (int i = 0; i < p->n; i++)
    if (p->used[i] && p->values[i].uniform) {
      fill (w, room_of (w, i), w->job->uniforms[i]);
      w->at[i] = room_of (w, i);
    }
}

fv_status
expression_cpu (const fv_call *call, fv_error *error)
{
  expression_job j;
  slots s;
  char *room;
  if (expression_begin (call, &j, error))
    return error->code;
  assign (&j.program, &s);
  size_t each = (size_t) s.slots * BLOCK * sizeof (double);
  if (call->host->scratch (call, each * (size_t) threads_at_most (), (void **) &room, error))
    return error->code;
  int64_t across = (j.columns + BLOCK * BLOCKS_EACH - 1) / (BLOCK * BLOCKS_EACH);
  int64_t pieces = across * j.rows * j.depth * j.channels;
  progress done = {call, .total = pieces};

#pragma omp parallel
  {
    worker w = {.job = &j, .slots = &s, .room = room + each * (size_t) thread_index ()};
    begin (&w);
#pragma omp for schedule(dynamic, 1)
    for (int64_t piece = 0; piece < pieces; piece++)
      if (!progress_stopped (&done)) {
        run_piece (&w, piece, across);
        progress_step (&done, 1);
      }
  }
  return done.stop ? cancelled (error) : FV_OK;
}
