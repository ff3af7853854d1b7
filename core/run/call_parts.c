/* SPDX-License-Identifier: MIT
 *
 * Parts are halved until one fits with what the operation needs besides.
 */
#include "core/run/call_parts.h"

#include "core/base/error.h"

#include <string.h>

/* What a part writes, and the rows that it reads for that. */
typedef struct {
  gint64 plane, planes, row, rows, first, end;
} Part;

typedef struct {
  CallContext *c;
  gint64 planes, rows, halo; /* of the whole group; of rows */
  gboolean whole_planes;     /* planes are independent: cut between them */
  const char *in[OP_MAX_ARRAYS];
  char *out[OP_MAX_ARRAYS];
} Parts;

/* Whether all arrays have the same planes and rows, so that they can be cut alike. */
static gboolean
can_be_cut (const CallContext *c)
{
  const gint64 *shape = c->in[0].shape;
  gboolean alike = (c->op->fv.kind == FV_POINT || c->op->fv.kind == FV_LOCAL) && !c->op->n_scalars && c->op->n_inputs;
  for (guint i = 0; i < c->op->n_inputs && alike; i++)
    alike = !c->inputs[i] || !memcmp (c->in[i].shape, shape, 2 * sizeof *shape);
  for (guint i = 0; i < c->op->n_outputs && alike; i++)
    alike = !memcmp (c->out[i].shape, shape, 2 * sizeof *shape);
  return alike;
}

/* ---- Bytes ---- */

/* Copies the rows of a part between a whole group on the host and an array on the device, plane by plane. */
static fv_status
copy_rows (const Parts *p, const Part *part, const CallArray *array, char *host, gint64 first, gint64 end,
           fv_copy direction, fv_error *fault)
{
  Device *device = p->c->device;
  const fv_grid *grid = &array->grid;
  gsize row_bytes = (gsize) grid->shape[2] * array->array.tensor.dtype.bits / 8,
        bytes = (gsize) (end - first) * row_bytes;
  fv_status status = FV_OK;
  for (gint64 z = 0; z < part->planes && !status; z++) {
    char *there = (char *) array->array.tensor.data + (gsize) (z * grid->shape[1] + first - part->first) * row_bytes;
    char *here = host + (gsize) ((part->plane + z) * p->rows + first) * row_bytes;
    status = device->fv->copy (device->fv, device->stream, direction == FV_TO_DEVICE ? there : here, bytes,
                               direction == FV_TO_DEVICE ? here : there, bytes, bytes, 1, direction, fault);
    *(direction == FV_TO_DEVICE ? &device->uploaded : &device->downloaded) += bytes;
  }
  return status;
}

/* Device memory for one array of a part. */
static fv_status
take_array (const Parts *p, const Part *part, const fv_grid *whole, CallArray *array, fv_error *fault)
{
  fv_grid grid = *whole;
  void *memory;
  grid.shape[0] = part->planes;
  grid.shape[1] = part->end - part->first;
  fv_status status = device_take (p->c->device, call_grid_bytes (&grid), &memory, fault);
  if (!status)
    call_array_set (array, &grid, p->c->device, memory);
  return status;
}

static void
give_array (const Parts *p, CallArray *array)
{
  if (array->array.tensor.data)
    device_give (p->c->device, array->array.tensor.data, call_grid_bytes (&array->grid));
}

/* ---- Running ---- */

static fv_status
run_part (const Parts *p, const Part *part, fv_error *fault)
{
  CallContext *c = p->c;
  CallArray in[OP_MAX_ARRAYS] = {0}, out[OP_MAX_ARRAYS] = {0};
  fv_status status = FV_OK;
  for (guint i = 0; i < c->op->n_inputs && !status; i++)
    if (p->in[i] && !(status = take_array (p, part, &c->in[i], &in[i], fault)))
      status = copy_rows (p, part, &in[i], (char *) p->in[i], part->first, part->end, FV_TO_DEVICE, fault);
  for (guint i = 0; i < c->op->n_outputs && !status; i++)
    status = take_array (p, part, &c->out[i], &out[i], fault);
  if (!status)
    status = call_context_run (c, in, out, NULL, fault);
  for (guint i = 0; i < c->op->n_outputs && !status; i++)
    status = copy_rows (p, part, &out[i], p->out[i], part->row, part->row + part->rows, FV_TO_HOST, fault);
  if (!status)
    status = c->device->fv->synchronize (c->device->fv, c->device->stream, fault);
  for (guint i = 0; i < c->op->n_inputs; i++)
    give_array (p, &in[i]);
  for (guint i = 0; i < c->op->n_outputs; i++)
    give_array (p, &out[i]);
  return status;
}

/* Half as many planes or rows a part; FALSE when that is not possible. */
static gboolean
halve (const Parts *p, gint64 *planes, gint64 *rows)
{
  gint64 *what = p->whole_planes && *planes > 1 ? planes : rows;
  if (*what == 1)
    return FALSE;
  *what = (*what + 1) / 2;
  return TRUE;
}

/* Cuts one group. planes, rows: of a part; they shrink as needed. */
static fv_status
run_group (Parts *p, gint64 *planes, gint64 *rows, fv_error *fault)
{
  for (gint64 z = 0, n; z < p->planes; z += n) {
    n = MIN (*planes, p->planes - z);
    for (gint64 y = 0; y < p->rows;) {
      gint64 height = MIN (*rows, p->rows - y);
      Part part = {z, n, y, height, MAX (0, y - p->halo), MIN (p->rows, y + height + p->halo)};
      fv_status status = run_part (p, &part, fault);
      if (!status)
        y += height;
      else if (status != FV_NO_MEMORY || !halve (p, planes, rows))
        return status;
      n = MIN (n, *planes);
    }
  }
  return FV_OK;
}

static gboolean
run_groups (Parts *p, GError **error)
{
  CallContext *c = p->c;
  gint64 planes = p->planes, rows = p->rows;
  c->parts = c->groups;
  if (!call_context_mark (c, 0, error))
    return FALSE;
  for (c->group = c->part = 0; c->group < c->groups; c->part = ++c->group) {
    fv_error fault = FV_ERROR_INIT;
    Parts group = *p;
    for (guint i = 0; i < c->op->n_inputs; i++)
      if (p->in[i])
        group.in[i] = p->in[i] + (gsize) call_input_group (c, i) * call_grid_bytes (&c->in[i]);
    for (guint i = 0; i < c->op->n_outputs; i++)
      group.out[i] = p->out[i] + (gsize) c->group * call_grid_bytes (&c->out[i]);
    if (run_group (&group, &planes, &rows, &fault)) {
      step_error_set_from_plugin (error, c->op->fv.key, &fault);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
call_parts_run (CallContext *c, const ImageInfo *infos, GError **error)
{
  Parts p = {.c = c, .planes = c->in[0].shape[0], .rows = c->in[0].shape[1]};
  gint64 halo[3] = {0};
  if (!can_be_cut (c)) {
    step_error_set (error, FV_NO_MEMORY, NULL, "%s cannot be done part by part.", c->op->fv.key);
    return FALSE;
  }
  if (c->op->fv.halo)
    c->op->fv.halo (c->op->declared, c->call.args, &c->in[0], halo);
  p.halo = CLAMP (halo[1], 0, p.rows);
  p.whole_planes = call_grain (c->op, c->call.args) == FV_PLANES;
  for (guint i = 0; i < c->op->n_inputs; i++)
    if (c->inputs[i] && !(p.in[i] = image_on_host (c->inputs[i], c->progress, error)))
      return FALSE;
  for (guint i = 0; i < c->op->n_outputs; i++) {
    if (!(c->result->images[i] = image_new (&infos[i], error)))
      return FALSE;
    c->result->n_images++;
    p.out[i] = image_pixels (c->result->images[i]);
  }
  return run_groups (&p, error);
}
