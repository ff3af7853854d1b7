/* SPDX-License-Identifier: MIT
 *
 * The layers on the CPU, one after the other, each row by row on all threads.
 */
#include "kernels/common/rows.h"
#include "kernels/network/network_layers.h"

/* The blocks of a row follow each other, so that the rows that they take stay in the cache. */
static void
conv (const fv_call *call, const void *step, int64_t y, int64_t block)
{
  (void) call;
  network_conv_row (step, block, y);
}

static void
pool (const fv_call *call, const void *step, int64_t channel, int64_t y)
{
  const network_step *s = step;
  const float *up = network_row (&s->from, channel, 2 * y), *down = up + s->from.pitch;
  float *to = network_row (&s->to, channel, y);
  (void) call;
  for (int64_t x = 0; x < s->to.columns; x++)
    to[x] =
      network_greater (network_greater (up[2 * x], up[2 * x + 1]), network_greater (down[2 * x], down[2 * x + 1]));
}

static void
enlarge (const fv_call *call, const void *step, int64_t channel, int64_t y)
{
  const network_step *s = step;
  const float *from = network_row (&s->from, channel, y / 2);
  float *to = network_row (&s->to, channel, y);
  (void) call;
  for (int64_t x = 0; x < s->to.columns; x++)
    to[x] = from[x / 2];
}

VECTORISED static void
sigmoid_row (float *restrict to, const float *restrict from, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    to[x] = network_sigmoid (from[x]);
}

static void
map (const fv_call *call, const void *step, int64_t channel, int64_t y)
{
  const network_step *s = step;
  const float *from = network_row (&s->from, channel, y),
              factor = s->layer->kind == NETWORK_SCALE ? s->layer->factor : 1;
  float *to = network_row (&s->to, channel, y);
  (void) call;
  if (s->layer->kind == NETWORK_SIGMOID)
    sigmoid_row (to, from, s->to.columns);
  else
    for (int64_t x = 0; x < s->to.columns; x++)
      to[x] = from[x] * factor;
}

/* The frame of a tensor that a layer is the first to write. */
static void
frame (const fv_call *call, const void *view, int64_t channel, int64_t y)
{
  const network_view *v = view;
  float *row = network_row (v, channel, y - 1) - 1;
  const bool outside = y == 0 || y == v->rows + 1;
  (void) call;
  memset (row, 0, (outside ? (size_t) v->pitch : 1) * sizeof (float));
  if (!outside)
    memset (row + 1 + v->columns, 0, (size_t) (v->pitch - v->columns - 1) * sizeof (float));
}

static void
clear_frames (const fv_call *call, const network *net, const network_plan *plan, float *memory, int layer, progress *p)
{
  for (int i = 0; i < net->n_tensors; i++)
    if (net->tensors[i].parent < 0 && net->tensors[i].written == layer) {
      const network_view v = network_view_of (net, plan, memory, i);
      rows_each (call, v.channels, v.rows + 2, frame, &v, p);
    }
}

static row_pass
pass_of (network_kind kind)
{
  switch (kind) {
  case NETWORK_POOL: return pool;
  case NETWORK_DOUBLE: return enlarge;
  default: return map;
  }
}

fv_status
network_cpu (const fv_call *call, const network *net, const network_plan *plan, const float *weights, float *memory,
             progress *p, fv_error *error)
{
  for (int i = 0; i < net->n_layers && !progress_stopped (p); i++) {
    const network_step s = network_step_of (net, plan, weights, memory, i);
    const int64_t channels = s.to.channels;
    clear_frames (call, net, plan, memory, i, p);
    if (s.layer->kind == NETWORK_CONV)
      rows_each (call, s.to.rows, network_blocks (channels), conv, &s, p);
    else
      rows_each (call, channels, s.to.rows, pass_of (s.layer->kind), &s, p);
  }
  return progress_stopped (p) ? cancelled (error) : FV_OK;
}

int64_t
network_work (const network *net, const network_plan *plan)
{
  int64_t steps = 0;
  for (int i = 0; i < net->n_layers; i++) {
    const network_view v = network_shape_of (net, plan, net->layers[i].to);
    steps += (net->layers[i].kind == NETWORK_CONV ? network_blocks (v.channels) : v.channels) * v.rows;
  }
  for (int i = 0; i < net->n_tensors; i++)
    if (net->tensors[i].parent < 0 && net->tensors[i].written >= 0) {
      const network_view v = network_shape_of (net, plan, i);
      steps += v.channels * (v.rows + 2);
    }
  return steps;
}
