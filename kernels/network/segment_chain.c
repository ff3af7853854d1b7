/* SPDX-License-Identifier: MIT
 *
 * segment on either device: normalize, tiles through the network, stars of each plane, then watershed and relabel of all planes.
 */
#include "kernels/network/segment_chain.h"

#include "kernels/common/inner_call.h"
#include "kernels/common/scratch_image.h"
#include "kernels/common/text.h"
#include "kernels/common/upload.h"
#include "kernels/contrast/linear.h"
#include "kernels/image/convert.h"
#include "kernels/label/label.h"
#include "kernels/label/relabel.h"
#include "kernels/label/watershed.h"
#include "kernels/network/segment_found.h"
#include "kernels/network/segment_shapes.h"
#include "kernels/network/segment_small.h"
#include "kernels/network/segment_take.h"

#include <stdlib.h>

extern const fv_op fv_op_convert, fv_op_normalize, fv_op_watershed, fv_op_relabel;

/* Pixels of a nucleus's diameter: what other sizes are scaled to, and between which the scale stays 1. */
#define BEST_DIAMETER 28.0
#define LEAST_DIAMETER 14.0
#define MOST_DIAMETER 60.0
enum {
  LIMITS = 2 /* of a plane, that normalize finds */,
  MOST_SCALE = 4,
  LEAST_PIXELS = 12,
  MARGIN = 3 /* pixels outside a star that may be its object's, where the network tells foreground */,
  LEAST_TILE = 256 /* without what is around it, where the scale is still to be found */
};

static const watershed_args flood = {.connectivity = LABEL_4, .invert = true};
static const relabel_args renumber = {.volume = false};
static const label_args number = {.connectivity = LABEL_8};

/* Sides of the largest part of the scaled image that the network gets. */
typedef struct extent {
  int64_t rows, columns;
} extent;

typedef struct worker {
  const fv_call *call;
  const segment_passes *passes;
  const segment_args *args;
  segment_model *model;
  scratch_image normal, level, seeds, mask, flooded;
  scratch_image cores; /* without stars */
  extent extent;
  float *memory;       /* of the network */
  double *limits;      /* of normalize */
  segment_found found; /* of a plane */
  segment_shapes shapes;
  int64_t done;     /* planes */
  int64_t *objects; /* of each plane: how many stars were kept, then how many objects there are; on the host */
  double *scales;   /* of each plane; on the host */
} worker;

/* ---- Sizes ---- */

bool
segment_diameter (const segment_args *a, double *pixels)
{
  *pixels = 0;
  return !strcmp (a->diameter, "auto") || (number_read (a->diameter, pixels) && *pixels >= 2 && *pixels <= 2000);
}

static double
scale_of (double diameter)
{
  const double scale = diameter >= LEAST_DIAMETER && diameter <= MOST_DIAMETER ? 1 : BEST_DIAMETER / diameter;
  return scale > MOST_SCALE ? MOST_SCALE : scale < 1.0 / 64 ? 1.0 / 64 : scale;
}

static int64_t
scaled_size (int64_t n, double scale)
{
  const int64_t size = (int64_t) ceil ((double) n * scale);
  return size < 1 ? 1 : size;
}

/* Of n pixels of a direction, rows (0) or columns (1). */
static int64_t
with_halo (const segment_model *model, int direction, int64_t tile, int64_t n)
{
  return segment_model_side (model, direction, tile, segment_model_whole (model, direction, n));
}

/* Of n pixels. Where the scale is still to be found, at least so many that an enlarged image can be computed in parts. */
static int64_t
side_of (const segment_args *a, const segment_model *model, int direction, int64_t n)
{
  double diameter = 0;
  segment_diameter (a, &diameter);
  if (diameter > 0)
    return with_halo (model, direction, a->tile, scaled_size (n, scale_of (diameter)));
  const int64_t first = with_halo (model, direction, a->tile, n);
  const int64_t least = with_halo (model, direction, LEAST_TILE, (model->head.scales ? MOST_SCALE : 1) * n);
  return first > least ? first : least;
}

static extent
extent_of (const segment_args *a, const segment_model *model, const int64_t *shape)
{
  return (extent){side_of (a, model, 0, shape[1]), side_of (a, model, 1, shape[2])};
}

/* From one part to the next, in a direction of n scaled pixels. */
static int64_t
step_of (const segment_model *model, int direction, int64_t side, int64_t n)
{
  return segment_model_whole (model, direction, n) <= side ? n : side - 2 * model->halo;
}

/* The part from `start` on with what is around it: from *first on. Another program gets parts of one size alone. */
static int64_t
tile_side (const segment_model *model, int direction, int64_t side, int64_t step, int64_t start, int64_t n,
           int64_t *first)
{
  const int64_t all = segment_model_whole (model, direction, n), end = start + step + model->halo;
  *first = start > model->halo ? start - model->halo : 0;
  if (!model->elsewhere)
    return (end < all ? end : all) - *first;
  const int64_t size = side < all ? side : all;
  *first = *first + size > all ? all - size : *first;
  return size;
}

/* At most one star in each 3 x 3 cells. */
static int64_t
most_found (const extent *e)
{
  return (e->rows / 3 + 1) * (e->columns / 3 + 1);
}

/* ---- Memory ---- */

static void
shape_grid (fv_grid *to, const fv_grid *in, fv_type type, fv_role role)
{
  *to = *in;
  to->type = type;
  to->role = role;
}

static fv_type
normal_type (const fv_grid *in)
{
  return in->type == FV_F64 ? FV_F64 : FV_F32;
}

static bool
has_stars (const segment_model *model)
{
  return model->head.probability >= 0;
}

static fv_status
take_memory (worker *w, fv_error *error)
{
  const fv_call *call = w->call;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const size_t planes = (size_t) array_planes (in), slices = (size_t) array_planes (out);
  w->extent = extent_of (w->args, w->model, out->tensor.shape);
  const network_plan plan = network_plan_of (&w->model->net, w->extent.rows, w->extent.columns);
  fv_status status = scratch_image_take (call, in, normal_type (in->grid), FV_IMAGE, &w->normal, error);
  if (!status)
    status = scratch_image_take (call, out, FV_F32, FV_IMAGE, &w->level, error);
  if (!status)
    status = scratch_image_take (call, out, FV_I32, FV_LABELS, &w->seeds, error);
  if (!status)
    status = scratch_image_take (call, out, FV_U8, FV_MASK, &w->mask, error);
  if (!status)
    status = scratch_image_take (call, out, FV_I32, FV_LABELS, &w->flooded, error);
  if (!status && !has_stars (w->model))
    status = scratch_image_take (call, out, FV_U8, FV_MASK, &w->cores, error);
  if (!status)
    status = call->host->scratch (call, (size_t) plan.floats * sizeof *w->memory, (void **) &w->memory, error);
  if (!status)
    status = call->host->scratch (call, planes * LIMITS * sizeof *w->limits, (void **) &w->limits, error);
  if (!status)
    status = segment_found_take (&w->found, call, most_found (&w->extent), error);
  if (!status)
    status = call->host->host_scratch (call, slices * sizeof *w->objects, (void **) &w->objects, error);
  return status ? status : call->host->host_scratch (call, slices * sizeof *w->scales, (void **) &w->scales, error);
}

/* ---- Stars of a plane ---- */

static segment_maps
maps_of (const worker *w, int64_t plane)
{
  const fv_array *level = &w->level.array;
  return (segment_maps){array_row (level, plane, 0),
                        array_row (&w->seeds.array, plane, 0),
                        array_row (&w->mask.array, plane, 0),
                        has_stars (w->model) ? NULL : array_row (&w->cores.array, plane, 0),
                        array_rows (level),
                        array_columns (level)};
}

static segment_plane
plane_of (const worker *w, int64_t plane, double scale)
{
  const fv_array *normal = &w->normal.array;
  const network *net = &w->model->net;
  const model_head *head = &w->model->head;
  segment_plane p = {.pixels = array_row (normal, plane, 0),
                     .apart = array_planes (&w->level.array) * array_rows (normal) * array_columns (normal),
                     .wide = normal->grid->type == FV_F64,
                     .dark = w->args->dark,
                     .top = head->statistic == MODEL_ZSCORE ? 0 : 1,
                     .n_before = head->n_before,
                     .at_probability = head->probability,
                     .at_rays = head->rays,
                     .at_foreground = head->foreground,
                     .at_boundary = head->boundary,
                     .rows = array_rows (normal),
                     .columns = array_columns (normal),
                     .scale = scale,
                     .height = scaled_size (array_rows (normal), scale),
                     .width = scaled_size (array_columns (normal), scale),
                     .cell = (int64_t) 1 << net->tensors[net->output].shrink,
                     .probability = (float) w->args->probability,
                     .foreground = (float) w->args->foreground};
  memcpy (p.before, head->before, sizeof p.before);
  return p;
}

/* Between a tensor, without its frames, and memory of the host without gaps. */
static fv_status
copy_rows (const fv_call *call, const network_view *view, float *host, fv_copy direction, fv_error *error)
{
  const fv_device *device = call->device;
  const size_t row = (size_t) view->columns * sizeof *host, pitch = (size_t) view->pitch * sizeof *host;
  fv_status status = FV_OK;
  for (int64_t c = 0; c < view->channels && !status; c++, host += view->rows * view->columns) {
    float *there = network_row (view, c, 0);
    status =
      direction == FV_TO_HOST
        ? device->copy (device, call->stream, host, row, there, pitch, row, (size_t) view->rows, direction, error)
        : device->copy (device, call->stream, there, pitch, host, row, row, (size_t) view->rows, direction, error);
  }
  return status ? status : device->synchronize (device, call->stream, error);
}

/* By another program, which has memory of the host. */
static fv_status
run_elsewhere (worker *w, const network_view *in, const network_view *out, fv_error *error)
{
  const int64_t pixels = in->channels * in->rows * in->columns;
  float *shared = model_process_memory (w->model->process, pixels + out->channels * out->rows * out->columns, error);
  fv_status status = shared ? copy_rows (w->call, in, shared, FV_TO_HOST, error) : error->code;
  if (!status)
    status = model_process_run (w->call, w->model->process, in->rows, in->columns, error);
  return status ? status : copy_rows (w->call, out, shared + pixels, FV_TO_DEVICE, error);
}

static fv_status
run_tile (worker *w, const segment_plane *p, const segment_tile *t, const segment_maps *maps, fv_error *error)
{
  const network *net = &w->model->net;
  const segment_passes *passes = w->passes;
  const network_plan plan = network_plan_of (net, t->rows, t->columns);
  const network_view in = network_view_of (net, &plan, w->memory, net->input);
  const network_view out = network_view_of (net, &plan, w->memory, net->output);
  if (w->call->host->tick (w->call, w->done, array_planes (&w->level.array)))
    return cancelled (error);
  fv_status status = passes->fill (w->call, p, t, &in, error);
  if (!status)
    status = w->model->elsewhere ? run_elsewhere (w, &in, &out, error)
                                 : passes->network (w->call, net, &plan, w->model->weights, w->memory, error);
  if (!status)
    status = passes->spread (w->call, p, t, &out, maps, error);
  return status || !has_stars (w->model) ? status : segment_found_add (&w->found, w->call, passes, p, t, &out, error);
}

/* The network's results of a plane at that scale. */
static fv_status
run_plane (worker *w, int64_t plane, double scale, fv_error *error)
{
  const segment_plane p = plane_of (w, plane, scale);
  const segment_maps maps = maps_of (w, plane);
  const extent *e = &w->extent;
  const int64_t down = step_of (w->model, 0, e->rows, p.height), across = step_of (w->model, 1, e->columns, p.width);
  fv_status status = FV_OK;
  w->found.n = 0;
  w->scales[plane] = scale;
  for (int64_t y = 0; !status && y < p.height; y += down)
    for (int64_t x = 0; !status && x < p.width; x += across) {
      segment_tile t = {.y0 = y, .x0 = x};
      t.rows = tile_side (w->model, 0, e->rows, down, y, p.height, &t.top);
      t.columns = tile_side (w->model, 1, e->columns, across, x, p.width, &t.left);
      t.y1 = y + down < p.height ? y + down : p.height;
      t.x1 = x + across < p.width ? x + across : p.width;
      status = run_tile (w, &p, &t, &maps, error);
    }
  return status;
}

/* The median of the diameters of circles with as many pixels, 0 where there are none. */
static fv_status
median_diameter (const star_kept *kept, int64_t n, double *median, fv_error *error)
{
  double *diameters = malloc ((size_t) (n + 1) * sizeof *diameters);
  if (!diameters)
    return fail (error, FV_NO_MEMORY, "", "Memory is short: %lld diameters do not fit.", (long long) n);
  for (int64_t i = 0; i < n; i++)
    diameters[i] = 2 * sqrt ((double) kept[i].pixels / M_PI);
  *median = segment_median (diameters, n);
  free (diameters);
  return FV_OK;
}

static fv_status
keep_stars (worker *w, int64_t plane, star_kept **kept, int64_t *n, fv_error *error)
{
  const fv_array *level = &w->level.array;
  const double scale = w->scales[plane];
  return stars_keep (w->found.stars, w->found.n, scaled_size (array_rows (level), scale),
                     scaled_size (array_columns (level), scale), w->args->overlap, kept, n, error);
}

/* The kept stars of a plane, whose size is found at the scale 1 where it is not given. */
static fv_status
find_stars (worker *w, int64_t plane, star_kept **kept, int64_t *n, fv_error *error)
{
  double diameter = 0;
  const bool given = segment_diameter (w->args, &diameter) && diameter > 0;
  fv_status status = run_plane (w, plane, given ? scale_of (diameter) : 1, error);
  if (!status)
    status = keep_stars (w, plane, kept, n, error);
  if (status || given || !w->model->head.scales)
    return status;
  status = median_diameter (*kept, *n, &diameter, error);
  if (status || !*n || scale_of (diameter) == 1)
    return status;
  free (*kept);
  *kept = NULL;
  status = run_plane (w, plane, scale_of (diameter), error);
  return status ? status : keep_stars (w, plane, kept, n, error);
}

/* Those of the *n stars that stand out of the background become seeds. */
static fv_status
paint_stars (worker *w, int64_t plane, star_kept *kept, int64_t *n, fv_error *error)
{
  const model_head *head = &w->model->head;
  const double scale = w->scales[plane], least = w->args->contrast;
  const segment_sizes to = {0.5, 1, head->foreground < 0 ? 0 : MARGIN};
  const segment_maps maps = maps_of (w, plane);
  const segment_plane p = plane_of (w, plane, scale);
  fv_status status = FV_OK;
  if (least > 0 && head->inputs == 1)
    status = segment_shapes_keep (&w->shapes, w->call, w->passes, &p, &maps, least, kept, n, error);
  return status ? status : segment_shapes_paint (&w->shapes, w->call, w->passes, scale, &to, &maps, kept, *n, error);
}

static fv_status
segment_one (worker *w, int64_t plane, fv_error *error)
{
  star_kept *kept = NULL;
  int64_t n = 0;
  if (!has_stars (w->model)) {
    w->done = plane;
    return run_plane (w, plane, 1, error);
  }
  fv_status status = find_stars (w, plane, &kept, &n, error);
  if (!status)
    status = paint_stars (w, plane, kept, &n, error);
  w->objects[plane] = n;
  w->done = plane + 1;
  free (kept);
  return status;
}

/* ---- Labels ---- */

/* Of each slice; of a frame where its channels are taken together. */
static fv_status
send_counts (worker *w, int64_t slices, fv_error *error)
{
  const bool joined = w->model->head.inputs > 1;
  double objects = 0;
  fv_status status = FV_OK;
  for (int64_t i = 0; i < slices && !status; i++) {
    objects = (joined ? objects : 0) + (double) w->objects[i];
    status = upload_now (w->call, w->call->scalars + (joined ? 0 : i), &objects, sizeof objects, error);
  }
  return status;
}

static fv_status
drop_small (worker *w, fv_error *error)
{
  const fv_array *labels = &w->flooded.array;
  const int64_t planes = array_planes (labels);
  int32_t *least;
  fv_status status = w->call->host->host_scratch (w->call, (size_t) planes * sizeof *least, (void **) &least, error);
  for (int64_t i = 0; i < planes && !status; i++)
    least[i] = (int32_t) ceil (LEAST_PIXELS / (w->scales[i] * w->scales[i]));
  if (!status)
    status = segment_small_drop (w->call, w->passes, labels, least, w->objects, error);
  return status ? status : send_counts (w, planes, error);
}

/* Seeds of a network without stars: connected cores, of which each plane has so many objects. */
static fv_status
number_cores (worker *w, fv_error *error)
{
  const fv_array *cores = &w->cores.array, *seeds = &w->seeds.array;
  const int64_t planes = array_planes (cores);
  double *counts, *found;
  fv_status status = w->call->host->scratch (w->call, (size_t) planes * sizeof *counts, (void **) &counts, error);
  if (!status)
    status = w->call->host->host_scratch (w->call, (size_t) planes * sizeof *found, (void **) &found, error);
  if (!status)
    status = run_inner (w->call, w->passes->kind, &fv_op_label, &number, &cores, &seeds, counts, error);
  if (!status)
    status = w->call->host->read (w->call, found, counts, (size_t) planes * sizeof *found, error);
  for (int64_t i = 0; i < planes && !status; i++)
    w->objects[i] = (int64_t) found[i];
  return status;
}

/* Dark objects: as of the negative image. */
static normalize_args
normal_of (const model_head *head, bool dark)
{
  return (normalize_args){.method = head->statistic == MODEL_ZSCORE ? LINEAR_ZSCORE : LINEAR_PERCENTILE,
                          .low = dark ? 100 - head->high : head->low,
                          .high = dark ? 100 - head->low : head->high,
                          .over = head->together ? LINEAR_SERIES : LINEAR_PLANE};
}

/* The channels of a slice, as an image. */
static void
take_slice (scratch_image *to, const fv_array *all, int64_t slice, int64_t slices)
{
  *to = (scratch_image){.array = *all, .grid = *all->grid};
  memcpy (to->grid.shape, all->tensor.shape, sizeof to->grid.shape);
  memcpy (to->strides, all->tensor.strides, sizeof to->strides);
  to->grid.shape[0] /= slices;
  to->strides[0] *= slices;
  to->array.grid = &to->grid;
  to->array.tensor.data = array_row (all, slice, 0);
  to->array.tensor.shape = to->grid.shape;
  to->array.tensor.strides = to->strides;
}

/* The limits of all channels of a slice are those of each. */
static fv_status
normalize_together (worker *w, const normalize_args *args, fv_error *error)
{
  const int64_t slices = array_planes (w->call->outputs[0]);
  fv_status status = FV_OK;
  for (int64_t i = 0; i < slices && !status; i++) {
    scratch_image from, to;
    take_slice (&from, w->call->inputs[0], i, slices);
    take_slice (&to, &w->normal.array, i, slices);
    const fv_array *in = &from.array, *out = &to.array;
    status = run_inner (w->call, w->passes->kind, &fv_op_normalize, args, &in, &out, w->limits, error);
  }
  return status;
}

static fv_status
normalize_planes (worker *w, fv_error *error)
{
  const fv_array *normal = &w->normal.array;
  const model_head *head = &w->model->head;
  const normalize_args args = normal_of (head, w->args->dark);
  const convert_args plain = {.type = normal->grid->type == FV_F64 ? CONVERT_F64 : CONVERT_F32, .scale = CONVERT_KEPT};
  if (head->statistic == MODEL_AS_IS && w->args->dark)
    return fail (error, FV_BAD_ARGUMENT, "dark",
                 "This model takes values as they are, of which no negative is known. Invert the image first: invert.");
  if (head->together && head->statistic != MODEL_AS_IS)
    return normalize_together (w, &args, error);
  return head->statistic == MODEL_AS_IS
           ? run_inner (w->call, w->passes->kind, &fv_op_convert, &plain, w->call->inputs, &normal, NULL, error)
           : run_inner (w->call, w->passes->kind, &fv_op_normalize, &args, w->call->inputs, &normal, w->limits, error);
}

static fv_status
segment_planes (worker *w, fv_error *error)
{
  const fv_call *call = w->call;
  const fv_device_kind kind = w->passes->kind;
  const fv_array *flooded = &w->flooded.array;
  const fv_array *arrays[] = {&w->level.array, &w->seeds.array, &w->mask.array};
  fv_status status = take_memory (w, error);
  if (!status)
    status = normalize_planes (w, error);
  for (int64_t i = 0; i < array_planes (flooded) && !status; i++)
    status = segment_one (w, i, error);
  if (!status && !has_stars (w->model))
    status = number_cores (w, error);
  if (!status)
    status = run_inner (call, kind, &fv_op_watershed, &flood, arrays, &flooded, NULL, error);
  if (!status)
    status = drop_small (w, error);
  return status ? status : run_inner (call, kind, &fv_op_relabel, &renumber, &flooded, call->outputs, NULL, error);
}

fv_status
segment_run (const fv_call *call, const segment_passes *passes, fv_error *error)
{
  const segment_args *args = call->args;
  worker w = {.call = call, .passes = passes, .args = args};
  fv_status status = segment_model_take (call, args->model, &w.model, error);
  if (!status) {
    status = segment_planes (&w, error);
    segment_model_leave (call, args->model, w.model);
    free (w.found.stars);
  }
  return status ? segment_model_fault (args->model, error) : FV_OK;
}

/* ---- Before it runs ---- */

static int64_t
bytes_of (const fv_op *op, const void *args, const fv_grid *const *in)
{
  return op->scratch ? op->scratch (op, args, in) : 0;
}

int64_t
segment_bytes (const segment_args *a, const fv_grid *in)
{
  segment_model model;
  fv_error error = FV_ERROR_INIT;
  fv_grid level, seeds, mask;
  const fv_grid *flooded[] = {&level, &seeds, &mask}, *labels = &seeds, *cores = &mask;
  if (segment_model_read (a->model, &model, &error) || in->shape[0] % model.head.inputs)
    return 0;
  const int64_t all = in->shape[0] * in->shape[1] * in->shape[2], pixels = all / model.head.inputs;
  const extent e = extent_of (a, &model, in->shape);
  const normalize_args normalized = normal_of (&model.head, a->dark);
  shape_grid (&level, in, FV_F32, FV_IMAGE);
  shape_grid (&seeds, in, FV_I32, FV_LABELS);
  shape_grid (&mask, in, FV_U8, FV_MASK);
  level.shape[0] = seeds.shape[0] = mask.shape[0] = in->shape[0] / model.head.inputs;
  return all * (int64_t) type_bytes (normal_type (in)) + pixels * (int64_t) (sizeof (float) + 2 * sizeof (int32_t) + 1)
         + network_plan_of (&model.net, e.rows, e.columns).floats * (int64_t) sizeof (float)
         + most_found (&e) * (int64_t) sizeof (star) + bytes_of (&fv_op_normalize, &normalized, &in)
         + (has_stars (&model) ? 0 : pixels + bytes_of (&fv_op_label, &number, &cores))
         + bytes_of (&fv_op_watershed, &flood, flooded) + bytes_of (&fv_op_relabel, &renumber, &labels);
}
