/* SPDX-License-Identifier: MIT
 */
#include "core/call/each.h"

#include "core/base/error.h"
#include "core/ops/args.h"

#include <string.h>

static gboolean
is_same_grid (const fv_grid *a, const fv_grid *b)
{
  return !memcmp (a->shape, b->shape, sizeof a->shape) && !memcmp (a->spacing, b->spacing, sizeof a->spacing)
         && a->type == b->type && a->role == b->role && a->channels == b->channels && a->frames == b->frames
         && a->dense == b->dense;
}

static fv_place
mapping_of (const CallContext *c, gconstpointer args, guint i)
{
  const fv_grid *in_at[OP_MAX_ARRAYS] = {NULL};
  fv_place mapping = {.size = sizeof mapping, .affine = true, .values = c->op->fv.values};
  for (int axis = 0; axis < 3; axis++)
    mapping.matrix[axis][axis] = 1;
  for (guint k = 0; k < c->op->n_inputs; k++)
    in_at[k] = c->inputs[k] ? &c->in[k] : NULL;
  if (c->op->fv.place)
    c->op->fv.place (c->op->declared, args, in_at, &c->out[i], i, &mapping);
  return mapping;
}

static gboolean
is_same_mapping (const fv_place *a, const fv_place *b)
{
  return a->affine == b->affine && a->values == b->values && !memcmp (a->matrix, b->matrix, sizeof a->matrix);
}

/* Whether the outputs of the group's arguments are like those of the first. */
static gboolean
is_alike (const CallContext *c, gconstpointer first, GError **error)
{
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  if (!call_grids (c->op, c->own_args, c->inputs, in, out, error))
    return FALSE;
  for (guint i = 0; i < c->op->n_outputs; i++) {
    const fv_place before = mapping_of (c, first, i), now = mapping_of (c, c->own_args, i);
    if (is_same_grid (&c->out[i], &out[i]) && is_same_mapping (&before, &now))
      continue;
    step_error_set (error, FV_BAD_ARGUMENT, c->target.each->params[0]->key,
                    "%s: planes of one image would get different types, sizes or positions. Give all planes the same "
                    "value.",
                    c->op->fv.key);
    return FALSE;
  }
  return TRUE;
}

/* Each plane is a group. */
static void
split (CallContext *c)
{
  c->groups = c->target.each->planes;
  c->by_plane = TRUE;
  for (guint i = 0; i < c->op->n_inputs; i++)
    if (c->inputs[i])
      c->in[i].shape[0] = 1;
  for (guint i = 0; i < c->op->n_outputs; i++)
    c->out[i].shape[0] = 1;
}

gboolean
call_each_begin (CallContext *c, GError **error)
{
  gconstpointer first = c->call.args;
  const gboolean planes = call_grain (c->op, first) == FV_PLANES;
  if (!c->target.each)
    return TRUE;
  c->own_args = args_copy (c->op, first);
  const gint64 groups = planes ? c->target.each->planes : c->groups;
  for (c->group = 0; c->group < groups; c->group++) {
    call_each_group (c);
    if (!is_alike (c, first, error))
      return FALSE;
  }
  if (planes)
    split (c);
  return TRUE;
}

void
call_each_group (CallContext *c)
{
  const CallEach *each = c->target.each;
  if (!each)
    return;
  const gint64 groups = call_grain (c->op, c->call.args) == FV_PLANES ? each->planes : c->groups;
  const double *values = each->values + c->group * (each->planes / groups) * each->n;
  for (guint k = 0; k < each->n; k++)
    args_put_number (c->own_args, each->params[k], values[k], NULL);
  c->call.args = c->own_args;
}
