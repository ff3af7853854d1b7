/* SPDX-License-Identifier: MIT
 *
 * Parts are halved until one fits together with the operation's scratch.
 */
#include "core/call/parts.h"

#include "core/base/error.h"
#include "core/call/each.h"

/* What a part writes, and the rows that it reads for that. planes: where they are cut; else all that an array has. */
typedef struct {
  gint64 plane, planes, row, rows, first, end;
} Part;

/* Where an input or output of a group is. */
typedef struct {
  char *host;   /* in host memory; NULL: the input is not given, or */
  Image *image; /* is read from its file */
  gint64 plane; /* from this plane on */
} Location;

typedef struct {
  CallContext *c;
  gint64 planes, rows, halo; /* of the whole group; of rows */
  gboolean whole_planes;     /* planes are independent: cut between them */
  Location in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  GError *fault; /* of reading a file */
} Parts;

/* ---- What can be cut ---- */

typedef struct {
  const Op *op;
  gconstpointer args;
  Image *const *inputs;
  const fv_grid *in, *out;
} Cut;

/* Calls f for the grid of each array that is given, until it says FALSE. */
static gboolean
each_grid (const Cut *cut, gboolean (*f) (const Cut *, const fv_grid *))
{
  gboolean all = TRUE;
  for (guint i = 0; i < cut->op->n_inputs && all; i++)
    all = !cut->inputs[i] || f (cut, &cut->in[i]);
  for (guint i = 0; i < cut->op->n_outputs && all; i++)
    all = f (cut, &cut->out[i]);
  return all;
}

static gboolean
has_rows (const Cut *cut, const fv_grid *grid)
{
  return grid->shape[1] == cut->in[0].shape[1];
}

static gboolean
has_planes (const Cut *cut, const fv_grid *grid)
{
  return grid->shape[0] == cut->in[0].shape[0];
}

/* Whether all arrays have the same rows, and where neighbors in other planes count the same planes, so that they can be cut alike. */
static gboolean
can_be_cut (const Cut *cut)
{
  const Op *op = cut->op;
  if ((op->fv.kind != FV_POINT && op->fv.kind != FV_LOCAL) || op->n_scalars || !op->n_inputs)
    return FALSE;
  return each_grid (cut, has_rows) && (op->fv.kind == FV_POINT || each_grid (cut, has_planes));
}

static gboolean
cuts_planes (const Cut *cut)
{
  return call_grain (cut->op, cut->args) == FV_PLANES && each_grid (cut, has_planes);
}

static gint64
halo_of (const Cut *cut)
{
  gint64 halo[3] = {0};
  if (cut->op->fv.halo)
    cut->op->fv.halo (cut->op->declared, cut->args, &cut->in[0], halo);
  return CLAMP (halo[1], 0, cut->in[0].shape[1]);
}

/* Bytes of a row of all arrays, and of the scratch that goes with it: of one plane where planes can be cut. */
static double
row_bytes (const Cut *cut)
{
  const fv_grid *in_at[OP_MAX_ARRAYS] = {NULL};
  double bytes = 0, share = cuts_planes (cut) ? (double) cut->in[0].shape[0] : 1;
  for (guint i = 0; i < cut->op->n_inputs; i++)
    if (cut->inputs[i]) {
      in_at[i] = &cut->in[i];
      bytes += (double) call_grid_bytes (&cut->in[i]);
    }
  for (guint i = 0; i < cut->op->n_outputs; i++)
    bytes += (double) call_grid_bytes (&cut->out[i]);
  if (cut->op->fv.scratch)
    bytes += (double) MAX (0, cut->op->fv.scratch (cut->op->declared, cut->args, in_at));
  return bytes / share / (double) cut->in[0].shape[1];
}

gint64
call_parts_rows (const Op *op, gconstpointer args, Image *const *inputs, const fv_grid *in, const fv_grid *out,
                 gsize bytes)
{
  const Cut cut = {op, args, inputs, in, out};
  gint64 rows, halo;
  if (!can_be_cut (&cut))
    return 0;
  halo = halo_of (&cut);
  rows = (gint64) ((double) bytes / row_bytes (&cut)) - 2 * halo;
  return rows < 1 || rows < 2 * halo ? 0 : MIN (rows, in[0].shape[1]);
}

/* ---- Bytes ---- */

/* Copies rows between a whole group on the host and an array on the device, plane by plane. */
static fv_status
copy_rows (const Parts *p, const Part *part, const CallArray *array, char *host, gint64 first, gint64 end,
           fv_copy direction, fv_error *fault)
{
  Device *device = p->c->device;
  const fv_grid *grid = &array->grid;
  gsize row_bytes = call_grid_bytes (grid) / (gsize) (grid->shape[0] * grid->shape[1]),
        bytes = (gsize) (end - first) * row_bytes;
  fv_status status = FV_OK;
  for (gint64 z = 0; z < grid->shape[0] && !status; z++) {
    char *there = (char *) array->array.tensor.data + (gsize) (z * grid->shape[1] + first - part->first) * row_bytes;
    char *here = host + (gsize) ((part->plane + z) * p->rows + first) * row_bytes;
    status = device->fv->copy (device->fv, device->stream, direction == FV_TO_DEVICE ? there : here, bytes,
                               direction == FV_TO_DEVICE ? here : there, bytes, bytes, 1, direction, fault);
    if (device->discrete)
      *(direction == FV_TO_DEVICE ? &device->uploaded : &device->downloaded) += bytes;
  }
  return status;
}

/* Reads the rows of a part from a file into dense memory. */
static fv_status
read_rows (Parts *p, const Part *part, const Location *target, const fv_grid *grid, char *to)
{
  gsize bytes = call_grid_bytes (grid) / (gsize) grid->shape[0];
  const ImageRegion region = {part->first, 0, grid->shape[1], grid->shape[2]};
  for (gint64 z = 0; z < grid->shape[0]; z++)
    if (!image_read (target->image, 0, target->plane + part->plane + z, &region, to + (gsize) z * bytes,
                     bytes / (gsize) grid->shape[1], &p->fault))
      return FV_BAD_INPUT;
  return FV_OK;
}

/* The same into an array on the device. */
static fv_status
load_rows (Parts *p, const Part *part, const Location *target, const CallArray *array, fv_error *fault)
{
  Device *device = p->c->device;
  gsize bytes = call_grid_bytes (&array->grid);
  void *memory = array->array.tensor.data, *host;
  fv_status status;
  if (!device->discrete)
    return read_rows (p, part, target, &array->grid, memory);
  if ((status = device_take_host (device, bytes, &host, fault)))
    return status;
  if (!(status = read_rows (p, part, target, &array->grid, host))
      && !(status =
             device->fv->copy (device->fv, device->stream, memory, bytes, host, bytes, bytes, 1, FV_TO_DEVICE, fault)))
    status = device->fv->synchronize (device->fv, device->stream, fault);
  device->uploaded += bytes;
  device_give_host (device, host, bytes);
  return status;
}

/* Device memory for one array of a part. */
static fv_status
take_array (const Parts *p, const Part *part, const fv_grid *whole, CallArray *array, fv_error *fault)
{
  fv_grid grid = *whole;
  void *memory;
  grid.shape[0] = p->whole_planes ? part->planes : whole->shape[0];
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
run_part (Parts *p, const Part *part, fv_error *fault)
{
  CallContext *c = p->c;
  CallArray in[OP_MAX_ARRAYS] = {0}, out[OP_MAX_ARRAYS] = {0};
  fv_status status = FV_OK;
  for (guint i = 0; i < c->op->n_inputs && !status; i++)
    if (c->inputs[i] && !(status = take_array (p, part, &c->in[i], &in[i], fault)))
      status = p->in[i].image ? load_rows (p, part, &p->in[i], &in[i], fault)
                              : copy_rows (p, part, &in[i], p->in[i].host, part->first, part->end, FV_TO_DEVICE, fault);
  for (guint i = 0; i < c->op->n_outputs && !status; i++)
    status = take_array (p, part, &c->out[i], &out[i], fault);
  if (!status)
    status = call_context_run (c, in, out, NULL, fault);
  for (guint i = 0; i < c->op->n_outputs && !status; i++)
    status = copy_rows (p, part, &out[i], p->out[i].host, part->row, part->row + part->rows, FV_TO_HOST, fault);
  if (!status)
    status = c->device->fv->synchronize (c->device->fv, c->device->stream, fault);
  for (guint i = 0; i < c->op->n_inputs; i++)
    give_array (p, &in[i]);
  for (guint i = 0; i < c->op->n_outputs; i++)
    give_array (p, &out[i]);
  return status;
}

/* Halves the planes or rows of a part. FALSE when that is impossible. */
static gboolean
halve (const Parts *p, gint64 *planes, gint64 *rows)
{
  gint64 *cut = p->whole_planes && *planes > 1 ? planes : rows;
  if (*cut == 1)
    return FALSE;
  *cut = (*cut + 1) / 2;
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
      if (!status) {
        y += height;
        p->c->part += n * height;
      } else if (status != FV_NO_MEMORY || !halve (p, planes, rows))
        return status;
      n = MIN (n, *planes);
    }
  }
  return FV_OK;
}

/* The part to begin with. */
static void
first_part (const Parts *p, const Cut *cut, gint64 *planes, gint64 *rows)
{
  const CallContext *c = p->c;
  ImageLevel level;
  *planes = p->planes;
  *rows = p->rows;
  if (!c->target.strip)
    return;
  *rows = MAX (1, call_parts_rows (c->op, cut->args, c->inputs, c->in, c->out, c->target.strip));
  if (p->whole_planes)
    *planes =
      *rows < p->rows ? 1 : CLAMP ((gint64) ((double) c->target.strip / row_bytes (cut)) / p->rows, 1, p->planes);
  for (guint i = 0; i < c->op->n_inputs; i++)
    if (p->in[i].image && image_level (p->in[i].image, 0, &level) && *rows<p->rows && * rows> level.tile_rows)
      *rows -= *rows % level.tile_rows; /* no tile is decoded twice */
}

static gboolean
run_groups (const Parts *p, Cut *cut, GError **error)
{
  CallContext *c = p->c;
  gint64 planes, rows;
  first_part (p, cut, &planes, &rows);
  c->parts = c->groups * p->planes * p->rows;
  if (!call_context_mark (c, 0, error))
    return FALSE;
  for (c->group = c->part = 0; c->group < c->groups; c->group++) {
    fv_error fault = FV_ERROR_INIT;
    Parts group = *p;
    call_each_group (c);
    cut->args = c->call.args;
    group.halo = halo_of (cut);
    for (guint i = 0; i < c->op->n_inputs; i++) {
      gint64 number = c->inputs[i] ? call_input_group (c, i) : 0;
      group.in[i].plane = number * c->in[i].shape[0];
      if (p->in[i].host)
        group.in[i].host += (gsize) number * call_grid_bytes (&c->in[i]);
    }
    for (guint i = 0; i < c->op->n_outputs; i++)
      group.out[i].host += (gsize) c->group * call_grid_bytes (&c->out[i]);
    if (run_group (&group, &planes, &rows, &fault)) {
      if (group.fault)
        g_propagate_prefixed_error (error, group.fault, "%s: ", c->op->fv.key);
      else
        step_error_set_from_plugin (error, c->op->fv.key, &fault);
      return FALSE;
    }
  }
  return TRUE;
}

/* ---- The images ---- */

static gboolean
find_input (Parts *p, guint i, GError **error)
{
  CallContext *c = p->c;
  if (!c->inputs[i])
    return TRUE;
  if (c->target.strip && image_can_stream (c->inputs[i])) {
    p->in[i].image = c->inputs[i];
    return TRUE;
  }
  return (p->in[i].host = image_on_host (c->inputs[i], c->progress, error)) != NULL;
}

static gboolean
make_output (Parts *p, guint i, const ImageInfo *info, GError **error)
{
  CallContext *c = p->c;
  Image *image;
  if (c->device->discrete) {
    if ((image = image_new (info, error)))
      p->out[i].host = image_pixels (image);
  } else
    image = image_new_on_device (info, c->device, c->target.on_disk[i], (void **) &p->out[i].host, error);
  if (!(c->result->images[i] = image))
    return FALSE;
  c->result->n_images++;
  return TRUE;
}

gboolean
call_parts_run (CallContext *c, const ImageInfo *infos, GError **error)
{
  Cut cut = {c->op, c->call.args, c->inputs, c->in, c->out};
  Parts p = {.c = c, .planes = c->in[0].shape[0], .rows = c->in[0].shape[1]};
  gboolean done = TRUE;
  if (!can_be_cut (&cut)) {
    step_error_set (error, FV_NO_MEMORY, NULL, "%s cannot be processed in parts.", c->op->fv.key);
    return FALSE;
  }
  p.whole_planes = cuts_planes (&cut);
  for (guint i = 0; i < c->op->n_inputs && done; i++)
    done = find_input (&p, i, error);
  for (guint i = 0; i < c->op->n_outputs && done; i++)
    done = make_output (&p, i, &infos[i], error);
  done = done && run_groups (&p, &cut, error);
  for (guint i = 0; i < c->result->n_images && !c->device->discrete; i++)
    image_off_device (c->result->images[i], c->device);
  return done;
}
