/* SPDX-License-Identifier: MIT
 *
 * flows on either device, plane by plane: the passes of flows_pixels.h in their order, and what is decided of objects between them, on the host.
 */
#include "kernels/network/flows_chain.h"

#include "kernels/common/upload.h"
#include "kernels/network/flows_holes.h"

#define LARGEST_PART 0.4 /* of a plane that an object may have */
enum {
  FIELD = 8,    /* bytes of a pixel, as its end takes 4 */
  SHARE = 1000, /* of a plane in the progress */
  SHARE_PATHS = 600,
  SHARE_HEAT = 250
};

/* ---- Passes ---- */

static int64_t
pixels_of (const flows_worker *w)
{
  return w->job.rows * w->job.columns;
}

static fv_status
each_pixel (const flows_worker *w, flows_pass pass, fv_error *error)
{
  return flows_each (w, pass, pixels_of (w), 1, error);
}

/* The following passes have no share in the progress. */
static void
end_share (flows_worker *w)
{
  w->share.done += w->share.share;
  w->share.share = 0;
}

/* ---- Memory ---- */

static fv_status
take_memory (flows_worker *w, fv_error *error)
{
  const fv_array *in = w->call->inputs[0];
  const fv_host *host = w->call->host;
  w->job.rows = array_rows (in);
  w->job.columns = array_columns (in);
  const size_t pixels = (size_t) pixels_of (w);
  fv_status status = host->scratch (w->call, pixels * FIELD, (void **) &w->job.field, error);
  if (!status)
    status = host->scratch (w->call, pixels * sizeof *w->job.end, (void **) &w->job.end, error);
  if (!status)
    status = host->scratch (w->call, pixels * FLOWS_SHARED, (void **) &w->shared, error);
  if (!status && w->passes->room)
    status = host->scratch (w->call, w->passes->room, &w->job.room, error);
  return status ? status : host->scratch (w->call, sizeof *w->flag, (void **) &w->flag, error);
}

int64_t
flows_bytes (const fv_grid *in)
{
  return in->shape[1] * in->shape[2] * (FIELD + (int64_t) sizeof (int32_t) + FLOWS_SHARED);
}

/* Room for n objects. */
static fv_status
take_objects (flows_worker *w, int64_t n, fv_error *error)
{
  const fv_host *host = w->call->host;
  const size_t size = (size_t) (n > 2 * w->size ? n : 2 * w->size);
  w->n = n;
  if (n <= w->size)
    return FV_OK;
  fv_status status = host->scratch (w->call, size * sizeof *w->objects, (void **) &w->job.objects, error);
  if (!status)
    status = host->scratch (w->call, size * sizeof *w->boxes, (void **) &w->boxes_there, error);
  if (!status)
    status = host->host_scratch (w->call, size * sizeof *w->objects, (void **) &w->objects, error);
  if (!status)
    status = host->host_scratch (w->call, size * sizeof *w->boxes, (void **) &w->boxes, error);
  if (!status)
    status = host->host_scratch (w->call, size * sizeof *w->order, (void **) &w->order, error);
  w->size = (int64_t) size;
  return status;
}

/* ---- Objects ---- */

/* What pixels each object has now. One without has no label. */
static fv_status
measure (flows_worker *w, fv_error *error)
{
  static const flows_object none = {.nearest = UINT64_MAX,
                                    .first = INT32_MAX,
                                    .top = INT32_MAX,
                                    .bottom = -1,
                                    .left = INT32_MAX,
                                    .right = -1,
                                    .center = INT32_MAX};
  for (int64_t i = 0; i < w->n; i++)
    w->objects[i] = none;
  fv_status status = flows_tell (w, error);
  if (!status)
    status = each_pixel (w, FLOWS_MEASURE, error);
  if (!status)
    status = flows_ask (w, error);
  for (int64_t i = 0; !status && i < w->n; i++)
    w->objects[i].label = w->objects[i].pixels > 0;
  return status;
}

/* Whether there are objects of fewer or more pixels, which lose their labels. */
static bool
drop_by_size (const flows_worker *w, int64_t least, double most)
{
  bool some = false;
  for (int64_t i = 0; i < w->n; i++) {
    flows_object *o = &w->objects[i];
    const bool drops = o->label && (o->pixels < least || (double) o->pixels > most);
    o->label = o->label && !drops;
    some |= drops;
  }
  return some;
}

/* The pixels of objects without a label become background. */
static fv_status
drop_pixels (const flows_worker *w, fv_error *error)
{
  const fv_status status = flows_tell (w, error);
  return status ? status : each_pixel (w, FLOWS_DROP, error);
}

/* ---- The error of the flows ---- */

/* Its mean, and for how long heat spreads. */
static void
prepare_heat (flows_object *o)
{
  o->mean_y = (double) (o->sum_y - o->pixels * (o->top - 1)) / (double) o->pixels;
  o->mean_x = (double) (o->sum_x - o->pixels * (o->left - 1)) / (double) o->pixels;
  o->rounds = 2 * (o->bottom - o->top + o->right - o->left + 6);
}

static fv_status
heat (flows_worker *w, fv_error *error)
{
  fv_status status = flows_ask (w, error);
  w->share.share = SHARE_HEAT;
  if (!status)
    status = w->passes->heat (w->call, &w->job, w->objects, w->n, &w->share, error);
  end_share (w);
  return status;
}

static fv_status
drop_inconsistent (flows_worker *w, fv_error *error)
{
  bool some = false;
  for (int64_t i = 0; i < w->n; i++) {
    flows_object *o = &w->objects[i];
    const double sum = (double) o->whole + (double) o->part / 4294967296.0;
    const bool drops = o->label && sum / (double) o->pixels > w->args->flow_error;
    o->label = o->label && !drops;
    some |= drops;
  }
  return some ? drop_pixels (w, error) : FV_OK;
}

static fv_status
check_flows (flows_worker *w, fv_error *error)
{
  for (int64_t i = 0; i < w->n; i++)
    if (w->objects[i].label)
      prepare_heat (&w->objects[i]);
  fv_status status = flows_tell (w, error);
  if (!status)
    status = each_pixel (w, FLOWS_NEAR_MEAN, error);
  if (!status)
    status = each_pixel (w, FLOWS_CENTER, error);
  if (!status)
    status = each_pixel (w, FLOWS_COLD, error);
  if (!status)
    status = heat (w, error);
  if (!status)
    status = each_pixel (w, FLOWS_COMPARE, error);
  if (!status)
    status = flows_ask (w, error);
  return status ? status : drop_inconsistent (w, error);
}

/* ---- A plane ---- */

static void
set_plane (flows_worker *w, int64_t plane)
{
  const fv_array *in = w->call->inputs[0], *out = w->call->outputs[0];
  const int64_t depth = grid_depth (in->grid), pixels = pixels_of (w);
  flows_job *j = &w->job;
  j->flow_y = array_row (in, plane, 0);
  j->flow_x = array_row (in, depth + plane, 0);
  j->logit = array_row (in, 2 * depth + plane, 0);
  j->stride = in->tensor.strides[1];
  j->wide = in->grid->type == FV_F64;
  j->out = array_row (out, plane, 0);
  j->out_stride = out->tensor.strides[1];
  j->probability = w->args->probability;
  j->steps = w->args->steps;
  j->owner = (uint64_t *) (void *) w->shared;
  j->counts = (int32_t *) (void *) (w->shared + 8 * pixels);
  j->seeds = j->counts + pixels;
  j->n_seeds = w->flag;
  j->heat[0] = (double *) (void *) w->shared;
  j->heat[1] = j->heat[0] + pixels;
}

/* The labels become the numbers of seeds, 1 and more. */
static fv_status
find_objects (flows_worker *w, fv_error *error)
{
  int32_t n = 0;
  fv_status status = flows_reset (w, error);
  if (!status)
    status = each_pixel (w, FLOWS_PREPARE, error);
  w->share.share = SHARE_PATHS;
  if (!status)
    status = flows_each (w, FLOWS_FOLLOW, pixels_of (w), w->args->steps, error);
  end_share (w);
  if (!status)
    status = each_pixel (w, FLOWS_SEEDS, error);
  if (!status)
    status = flows_read (w, &n, error);
  if (!status)
    status = flows_each (w, FLOWS_GROW, n, FLOWS_SIDE * FLOWS_SIDE, error);
  if (!status)
    status = flows_each (w, FLOWS_NUMBER, n, 1, error);
  if (!status)
    status = each_pixel (w, FLOWS_TAKE, error);
  return status ? status : take_objects (w, n, error);
}

static fv_status
choose_objects (flows_worker *w, fv_error *error)
{
  fv_status status = measure (w, error);
  if (!status && drop_by_size (w, 0, (double) pixels_of (w) * LARGEST_PART))
    status = drop_pixels (w, error);
  if (!status && w->args->flow_error > 0)
    status = check_flows (w, error);
  if (!status && drop_by_size (w, w->args->min_size, INFINITY))
    status = drop_pixels (w, error);
  if (!status)
    status = flows_fill_holes (w, error);
  if (!status)
    status = measure (w, error);
  if (status)
    return status;
  drop_by_size (w, w->args->min_size, INFINITY);
  w->n_kept = flows_sort (w);
  for (int64_t i = 0; i < w->n_kept; i++)
    w->objects[flows_at (w, i)].label = (int32_t) (i + 1);
  return flows_tell (w, error);
}

static fv_status
one_plane (flows_worker *w, int64_t plane, fv_error *error)
{
  w->share.done = plane * SHARE;
  w->n_kept = 0;
  set_plane (w, plane);
  fv_status status = find_objects (w, error);
  if (!status && w->n)
    status = choose_objects (w, error);
  w->all += w->n_kept;
  return status ? status : each_pixel (w, FLOWS_WRITE, error);
}

fv_status
flows_run (const fv_call *call, const flows_passes *passes, fv_error *error)
{
  const int64_t planes = grid_depth (call->inputs[0]->grid);
  flows_worker w = {.call = call, .passes = passes, .args = call->args, .share.total = planes * SHARE};
  fv_status status = take_memory (&w, error);
  for (int64_t i = 0; !status && i < planes; i++)
    status = one_plane (&w, i, error);
  const double objects = (double) w.all;
  return status ? status : upload_now (call, call->scalars, &objects, sizeof objects, error);
}
