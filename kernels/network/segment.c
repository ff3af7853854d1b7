/* SPDX-License-Identifier: MIT
 *
 * segment: the declaration, and the passes on the CPU.
 */
#include "kernels/network/segment.h"

#include "kernels/common/imagej.h"
#include "kernels/common/rows.h"
#include "kernels/network/model_card.h"
#include "kernels/network/segment_chain.h"
#include "kernels/network/segment_model.h"

/* ---- Passes over rows ---- */

typedef struct job {
  const segment_plane *plane;
  const segment_tile *tile;
  const network_view *view;
  const segment_maps *maps;
  int64_t from, to; /* columns of the plane */
  int64_t first;    /* row of the plane */
  star *stars;
  int32_t *n;
} job;

static void
fill (const fv_call *call, const void *rule, int64_t channel, int64_t y)
{
  const job *j = rule;
  float *to = network_row (j->view, channel, y);
  (void) call;
  for (int64_t x = 0; x < j->tile->columns; x++)
    to[x] = segment_input (j->plane, channel, j->tile->top + y, j->tile->left + x);
}

static void
find (const fv_call *call, const void *rule, int64_t none, int64_t y)
{
  const job *j = rule;
  const segment_tile *t = j->tile;
  const int64_t cell = j->plane->cell, row = t->y0 / cell + y - t->top / cell;
  const int64_t first = t->x0 / cell - t->left / cell, end = segment_cells (t->x1, cell) - t->left / cell;
  (void) call;
  (void) none;
  for (int64_t x = first; x < end; x++)
    if (segment_is_star (j->plane, t, j->view, row, x))
      segment_take_star (j->plane, t, j->view, row, x, &j->stars[__atomic_fetch_add (j->n, 1, __ATOMIC_RELAXED)]);
}

static void
spread (const fv_call *call, const void *rule, int64_t none, int64_t y)
{
  const job *j = rule;
  (void) call;
  (void) none;
  for (int64_t x = j->from; x < j->to; x++)
    segment_spread (j->plane, j->tile, j->view, j->maps, j->first + y, x);
}

static fv_status
run_rows (const fv_call *call, int64_t planes, int64_t rows, row_pass pass, const job *j, fv_error *error)
{
  progress p = {call, .total = planes * rows};
  rows_each (call, planes, rows, pass, j, &p);
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_status
fill_cpu (const fv_call *call, const segment_plane *p, const segment_tile *t, const network_view *input,
          fv_error *error)
{
  const job j = {.plane = p, .tile = t, .view = input};
  return run_rows (call, input->channels, t->rows, fill, &j, error);
}

static fv_status
run_network_cpu (const fv_call *call, const network *net, const network_plan *plan, const float *weights, float *memory,
                 fv_error *error)
{
  progress p = {call, .total = network_work (net, plan)};
  return network_cpu (call, net, plan, weights, memory, &p, error);
}

static fv_status
find_cpu (const fv_call *call, const segment_plane *p, const segment_tile *t, const network_view *out, star *stars,
          int32_t *n, fv_error *error)
{
  const job j = {.plane = p, .tile = t, .view = out, .stars = stars, .n = n};
  return run_rows (call, 1, segment_cells (t->y1, p->cell) - t->y0 / p->cell, find, &j, error);
}

static fv_status
spread_cpu (const fv_call *call, const segment_plane *p, const segment_tile *t, const network_view *out,
            const segment_maps *maps, fv_error *error)
{
  int64_t end;
  job j = {.plane = p, .tile = t, .view = out, .maps = maps};
  segment_range (p->scale, t->x0, t->x1, p->columns, &j.from, &j.to);
  segment_range (p->scale, t->y0, t->y1, p->rows, &j.first, &end);
  return run_rows (call, 1, end - j.first, spread, &j, error);
}

/* ---- Shapes ---- */

typedef void (*run_pass) (void *data, int64_t y, int64_t first, int64_t end);

/* Calls it with the columns from `first` to `end` - 1 of a row that lie in the polygon and the plane. */
static void
each_run (const star_polygon *p, const segment_maps *maps, run_pass pass, void *data)
{
  const int32_t top = p->top < 0 ? 0 : p->top, bottom = p->bottom < maps->rows ? p->bottom : (int32_t) maps->rows - 1;
  for (int32_t y = top; y <= bottom; y++) {
    int32_t columns[STAR_RAYS];
    const int n = star_crossings (p, y, columns);
    for (int i = 0; i + 1 < n; i += 2)
      pass (data, y, columns[i] < 0 ? 0 : columns[i], columns[i + 1] < maps->columns ? columns[i + 1] : maps->columns);
  }
}

typedef struct painter {
  const segment_maps *maps;
  int32_t label;
} painter;

static void
paint_reach (void *data, int64_t y, int64_t first, int64_t end)
{
  const painter *to = data;
  for (int64_t x = first; x < end; x++)
    to->maps->mask[y * to->maps->columns + x] |= 2;
}

static void
paint_seed (void *data, int64_t y, int64_t first, int64_t end)
{
  const painter *to = data;
  for (int64_t x = first; x < end; x++)
    to->maps->seeds[y * to->maps->columns + x] = to->label;
}

/* From the last shape to the first, so that the first one stays. */
static fv_status
paint_cpu (const fv_call *call, const segment_shape *shapes, int64_t n, const segment_maps *maps, fv_error *error)
{
  const int64_t pixels = maps->rows * maps->columns;
  (void) call;
  (void) error;
  memset (maps->seeds, 0, (size_t) pixels * sizeof *maps->seeds);
  for (int64_t i = n; i > 0; i--) {
    const segment_shape *s = &shapes[i - 1];
    painter to = {maps, s->label};
    if (maps->mask)
      each_run (&s->reach, maps, paint_reach, &to);
    each_run (&s->seed, maps, paint_seed, &to);
    if (s->y >= 0 && s->y < maps->rows && s->x >= 0 && s->x < maps->columns)
      maps->seeds[s->y * maps->columns + s->x] = s->label;
  }
  for (int64_t i = 0; maps->mask && i < pixels; i++)
    maps->mask[i] = maps->mask[i] == 3 || maps->seeds[i] ? 255 : 0;
  return FV_OK;
}

typedef struct summer {
  const segment_plane *plane;
  const segment_maps *maps;
  segment_sums *sums;
} summer;

static void
sum_around (void *data, int64_t y, int64_t first, int64_t end)
{
  const summer *of = data;
  for (int64_t x = first; x < end; x++)
    segment_add_around (of->sums, of->plane, of->maps, y, x);
}

static void
sum_inside (void *data, int64_t y, int64_t first, int64_t end)
{
  const summer *of = data;
  for (int64_t x = first; x < end; x++)
    segment_add_inside (of->sums, of->plane, of->maps, y, x);
}

static fv_status
sum_cpu (const fv_call *call, const segment_plane *p, const segment_shape *shapes, int64_t n, const segment_maps *maps,
         segment_sums *sums, fv_error *error)
{
  (void) call;
  (void) error;
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t i = 0; i < n; i++) {
    summer of = {p, maps, &sums[i]};
    each_run (&shapes[i].reach, maps, sum_around, &of);
    each_run (&shapes[i].seed, maps, sum_inside, &of);
  }
  return FV_OK;
}

static fv_status
count_cpu (const fv_call *call, const int32_t *labels, int64_t n, int32_t *pixels, fv_error *error)
{
  (void) call;
  (void) error;
  for (int64_t i = 0; i < n; i++)
    pixels[labels[i]]++;
  return FV_OK;
}

static fv_status
drop_cpu (const fv_call *call, int32_t *labels, int64_t n, const int32_t *pixels, int32_t least, fv_error *error)
{
  (void) call;
  (void) error;
  for (int64_t i = 0; i < n; i++)
    labels[i] = pixels[labels[i]] >= least ? labels[i] : 0;
  return FV_OK;
}

const segment_passes segment_on_cpu = {FV_CPU,  fill_cpu,  run_network_cpu, find_cpu, spread_cpu,
                                       sum_cpu, paint_cpu, count_cpu,       drop_cpu};

static fv_status
segment_cpu (const fv_call *call, fv_error *error)
{
  return segment_run (call, &segment_on_cpu, error);
}

/* ---- The operation ---- */

/* Another program computes some networks, on any number of threads. */
static bool
segment_exact (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const segment_args *a = args;
  segment_model model;
  fv_error error = FV_ERROR_INIT;
  (void) op;
  (void) in;
  return !strcmp (a->model, "nuclei") || (!segment_model_read (a->model, &model, &error) && !model.elsewhere);
}

/* The channels that the model takes together; 0: it cannot be read. */
static int32_t
inputs_of (const segment_args *a)
{
  segment_model model;
  fv_error error = FV_ERROR_INIT;
  return !strcmp (a->model, "nuclei") ? 1 : segment_model_read (a->model, &model, &error) ? 0 : model.head.inputs;
}

static fv_grain
segment_grain (const fv_op *op, const void *args)
{
  (void) op;
  return inputs_of (args) > 1 ? FV_FRAME : FV_PLANES;
}

static int64_t
segment_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  return segment_bytes (args, in[0]);
}

static fv_status
join_channels (const model_head *head, const fv_grid *in, fv_grid *out, fv_error *error)
{
  if (head->inputs == 1)
    return FV_OK;
  if (in->channels != head->inputs)
    return fail (
      error, FV_BAD_INPUT, "image",
      "The model takes %d channels together, and the image has %lld. Where they are slices, make channels of "
      "them first: hyperstack channels=%d.",
      (int) head->inputs, (long long) in->channels, (int) head->inputs);
  out->channels = 1;
  out->channel_names = NULL;
  out->shape[0] = in->shape[0] / in->channels;
  return FV_OK;
}

static fv_status
segment_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const segment_args *a = args;
  segment_model model;
  double diameter;
  (void) op;
  if (!segment_diameter (a, &diameter))
    return fail (error, FV_BAD_ARGUMENT, "diameter",
                 "The diameter '%s' is neither \"auto\" nor a number of 2 to 2000 pixels.", a->diameter);
  if (a->tile % 256)
    return fail (error, FV_BAD_ARGUMENT, "tile", "Tiles of %d pixels are not possible: take a multiple of 256.",
                 (int) a->tile);
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = true;
  if (segment_model_read (a->model, &model, error))
    return segment_model_fault (a->model, error);
  if (diameter > 0 && !model.head.scales)
    return fail (
      error, FV_BAD_ARGUMENT, "diameter",
      "The model does not say for which sizes it is. Leave diameter=auto, and scale the image first: resize.");
  return join_channels (&model.head, in[0], out[0], error);
}

const fv_op fv_op_segment = {
  FV_OP (segment_args),
  .key = "segment",
  .menu = "Process/Binary",
  .label = "Find Nuclei by a Network...",
  .search = "segment nuclei cells deep learning neural network stardist cellpose instance AI machine model",
  .help = "Labels bright nuclei on a dark background, also where they touch, with a small neural network.",
  .cite = "U. Schmidt, M. Weigert, C. Broaddus, G. Myers, MICCAI 2018, LNCS 11071, 265",
  .kind = FV_GLOBAL,
  .reads_back = true,
  .inputs = (const fv_input[]){{"image", "Image",
                                "One channel of fluorescence: bright nuclei on a dark background. A model that was "
                                "added may take others, or several together.",
                                FV_ANY_TYPE, false},
                               {0}},
  .outputs = (const fv_output[]){{"labels", "Labels"}, {0}},
  .scalars = (const fv_scalar[]){{"objects", "Objects", "How many objects there are.", FV_COLUMN_INTEGER}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (segment_args, model), .label = "Model", .def_text = "nuclei", .file = true, .models = &segment_models,
       .help = "\"nuclei\", which comes with Fovea, a model that was added, an ONNX file, or a package of the BioImage "
               "Model Zoo."},
      {FV_FIELD (segment_args, probability), .label = "Probability", .def = 0.5, .min = 0.01, .max = 0.99,
       .help = "Smallest probability of an object. Lower finds dimmer nuclei, and more that are none."},
      {FV_FIELD (segment_args, overlap), .label = "Overlap", .def = 0.3, .max = 1,
       .help =
         "Of two objects that share more than this fraction of the smaller one, only the more probable one is kept."},
      {FV_FIELD (segment_args, foreground), .label = "Foreground", .def = 0.5, .min = 0.01, .max = 0.99,
       .help = "Smallest probability of the pixels of objects. Lower makes objects larger."},
      {FV_FIELD (segment_args, contrast), .label = "Contrast", .def = 0.1, .max = 1, .advanced = true,
       .help = "Objects less bright above the background around them than this part of the median of all are dropped; "
               "0: none. "
               "Only for models of one channel that tell the foreground."},
      {FV_FIELD (segment_args, diameter), .label = "Diameter", .unit = FV_PIXELS, .def_text = "auto",
       .help = "Mean diameter of the nuclei in pixels; \"auto\" finds it."},
      {FV_FIELD (segment_args, dark), .label = "Dark objects", .help = "The nuclei are dark on a bright background."},
      {FV_FIELD (segment_args, tile), .label = "Tile", .unit = FV_PIXELS, .def = 1024, .min = 256, .max = 8192,
       .advanced = true,
       .help = "Side of the parts that the network gets at a time. Smaller needs less memory; the result is the same."},
      {0}},
  .grain = segment_grain,
  .infer = segment_infer,
  .scratch = segment_scratch,
  .reproducible = 1e-3,
  .exact = segment_exact,
  .run = {[FV_CPU] = segment_cpu, [FV_CUDA] = FV_CUDA_FN (segment_cuda)},
  .part = FV_PART_OTHER,
};
