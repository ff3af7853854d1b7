/* SPDX-License-Identifier: MIT
 *
 * stars on either device: candidates of bands of rows, those that are kept, and their polygons as labels.
 */
#include "kernels/network/stars.h"

#include "kernels/common/grain.h"
#include "kernels/common/inner_call.h"
#include "kernels/common/scratch_image.h"
#include "kernels/common/upload.h"
#include "kernels/label/relabel.h"
#include "kernels/network/segment_found.h"
#include "kernels/network/segment_shapes.h"
#include "kernels/network/segment_small.h"

#include <stdlib.h>

extern const fv_op fv_op_relabel;

enum {
  CHANNELS = 1 + STAR_RAYS,
  BAND = 1 << 18 /* cells whose stars are found at a time */
};

typedef struct worker {
  const fv_call *call;
  const segment_passes *passes;
  const stars_args *args;
  scratch_image labels; /* with gaps where all of a star is behind others */
  segment_found found;
  segment_shapes shapes;
  int64_t *objects; /* of each slice, on the host */
  int32_t *least;   /* pixels of each slice's objects, on the host */
} worker;

/* Rows of cells in a band. */
static int64_t
band_rows (int64_t rows, int64_t columns)
{
  const int64_t band = BAND / columns + 1;
  return band < rows ? band : rows;
}

/* The network's output for a slice. Its frame is not there, and not read. */
static network_view
view_of (const fv_array *in, int64_t slice)
{
  const int64_t *strides = in->tensor.strides, depth = array_planes (in) / CHANNELS;
  float *first = array_row (in, slice, 0);
  return (network_view){.data = first - strides[1] - 1,
                        .channels = CHANNELS,
                        .rows = array_rows (in),
                        .columns = array_columns (in),
                        .pitch = strides[1],
                        .plane = depth * strides[0]};
}

static segment_plane
plane_of (const worker *w)
{
  const fv_array *labels = &w->labels.array;
  return (segment_plane){.at_probability = 0,
                         .at_rays = 1,
                         .at_foreground = -1,
                         .at_boundary = -1,
                         .rows = array_rows (labels),
                         .columns = array_columns (labels),
                         .scale = 1,
                         .height = array_rows (labels),
                         .width = array_columns (labels),
                         .cell = w->args->grid,
                         .probability = (float) w->args->probability,
                         .every = w->args->candidates == STARS_ALL};
}

static fv_status
find_stars (worker *w, int64_t slice, fv_error *error)
{
  const fv_array *in = w->call->inputs[0];
  const segment_plane p = plane_of (w);
  const network_view view = view_of (in, slice);
  const int64_t band = band_rows (view.rows, view.columns);
  fv_status status = FV_OK;
  w->found.n = 0;
  for (int64_t y = 0; y < view.rows && !status; y += band) {
    const int64_t end = y + band < view.rows ? y + band : view.rows;
    const segment_tile t = {.rows = p.height, .columns = p.width, .y0 = y * p.cell, .y1 = end * p.cell, .x1 = p.width};
    status = segment_found_add (&w->found, w->call, w->passes, &p, &t, &view, error);
  }
  return status;
}

static fv_status
paint_stars (worker *w, int64_t slice, const star_kept *kept, int64_t n, fv_error *error)
{
  const fv_array *labels = &w->labels.array;
  const segment_sizes to = {w->args->part, w->args->part, 0};
  const segment_maps maps = {
    .seeds = array_row (labels, slice, 0), .rows = array_rows (labels), .columns = array_columns (labels)};
  return segment_shapes_paint (&w->shapes, w->call, w->passes, 1, &to, &maps, kept, n, error);
}

static fv_status
run_slice (worker *w, int64_t slice, fv_error *error)
{
  const fv_array *labels = &w->labels.array;
  star_kept *kept = NULL;
  int64_t n = 0;
  if (w->call->host->tick (w->call, slice, array_planes (labels)))
    return cancelled (error);
  fv_status status = find_stars (w, slice, error);
  if (!status)
    status = stars_keep (w->found.stars, w->found.n, array_rows (labels), array_columns (labels), w->args->overlap,
                         &kept, &n, error);
  if (!status)
    status = paint_stars (w, slice, kept, n, error);
  w->objects[slice] = n;
  free (kept);
  return status;
}

static fv_status
take_memory (worker *w, fv_error *error)
{
  const fv_call *call = w->call;
  const fv_array *in = call->inputs[0];
  const int64_t columns = array_columns (in), rows = band_rows (array_rows (in), columns);
  const size_t slices = (size_t) array_planes (call->outputs[0]);
  fv_status status = scratch_image_take (call, call->outputs[0], FV_I32, FV_LABELS, &w->labels, error);
  if (!status)
    status = segment_found_take (&w->found, call, rows * columns, error);
  if (!status)
    status = call->host->host_scratch (call, slices * sizeof *w->objects, (void **) &w->objects, error);
  if (!status)
    status = call->host->host_scratch (call, slices * sizeof *w->least, (void **) &w->least, error);
  for (size_t i = 0; i < slices && !status; i++)
    w->least[i] = 1;
  return status;
}

/* Those with a pixel. */
static fv_status
count_objects (worker *w, fv_error *error)
{
  const fv_array *labels = &w->labels.array;
  double objects = 0;
  const fv_status status = segment_small_drop (w->call, w->passes, labels, w->least, w->objects, error);
  for (int64_t i = 0; i < array_planes (labels); i++)
    objects += (double) w->objects[i];
  return status ? status : upload_now (w->call, w->call->scalars, &objects, sizeof objects, error);
}

fv_status
stars_run (const fv_call *call, const segment_passes *passes, fv_error *error)
{
  static const relabel_args renumber = {.volume = false};
  worker w = {.call = call, .passes = passes, .args = call->args};
  const fv_array *labels = &w.labels.array;
  fv_status status = take_memory (&w, error);
  for (int64_t i = 0; !status && i < array_planes (labels); i++)
    status = run_slice (&w, i, error);
  free (w.found.stars);
  if (!status)
    status = count_objects (&w, error);
  return status ? status
                : run_inner (call, passes->kind, &fv_op_relabel, &renumber, &labels, call->outputs, NULL, error);
}

static fv_status
stars_cpu (const fv_call *call, fv_error *error)
{
  return stars_run (call, &segment_on_cpu, error);
}

/* ---- The operation ---- */

static fv_status
stars_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const stars_args *a = args;
  (void) op;
  if (in[0]->channels != CHANNELS)
    return fail (error, FV_BAD_INPUT, "image",
                 "The output of such a network has %d channels, the probability and %d distances; here are %lld. "
                 "hyperstack channels=%d makes channels of slices.",
                 CHANNELS, STAR_RAYS, (long long) in[0]->channels, CHANNELS);
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = true;
  out[0]->channels = 1;
  out[0]->channel_names = NULL;
  out[0]->shape[0] = grid_depth (in[0]);
  for (int i = 1; i < 3; i++) {
    if (in[0]->shape[i] > INT32_MAX / STAR_UNIT / a->grid)
      return fail (error, FV_BAD_ARGUMENT, "grid", "An image of %lld x %lld pixels is too large for outlines of stars.",
                   (long long) in[0]->shape[1] * a->grid, (long long) in[0]->shape[2] * a->grid);
    out[0]->shape[i] = in[0]->shape[i] * a->grid;
    out[0]->spacing[i] = in[0]->spacing[i] / a->grid;
  }
  return FV_OK;
}

/* A cell's star is at its first pixel. */
static void
stars_transform (const fv_op *op, const void *args, const fv_grid *const *in, const fv_grid *out, uint32_t number,
                 fv_place *transform)
{
  const stars_args *a = args;
  (void) op, (void) in, (void) out, (void) number;
  transform->matrix[1][1] = transform->matrix[2][2] = 1.0 / a->grid;
}

static int64_t
stars_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const stars_args *a = args;
  const int64_t rows = in[0]->shape[1], columns = in[0]->shape[2];
  const int64_t labels = grid_depth (in[0]) * rows * a->grid * columns * a->grid;
  (void) op;
  return labels * (int64_t) sizeof (int32_t) + band_rows (rows, columns) * columns * (int64_t) sizeof (star);
}

static const fv_choice candidates[] = {
  {"peaks", "Peaks", "Cells with the greatest probability among the 5 x 5 around them."},
  {"all", "All", "All cells above the probability, as StarDist takes them. Slower, and rarely another result."},
  {0}};

const fv_op fv_op_stars = {
  FV_OP (stars_args),
  .key = "stars",
  .menu = "Process/Binary",
  .label = "Find Objects by Star Shapes...",
  .search = "stardist star convex polygons non-maximum suppression nms network labels rays distances",
  .help = "Labels the objects that a network of StarDist predicts, from its probability and its distances to outlines.",
  .cite = "U. Schmidt, M. Weigert, C. Broaddus, G. Myers, MICCAI 2018, LNCS 11071, 265",
  .kind = FV_GLOBAL,
  .reads_back = true,
  .inputs = (const fv_input[]){{"image", "Network output",
                                "33 channels: the probability of an object, and the distances to its outline along 32 "
                                "rays, in pixels. The first ray goes to the right, the ninth down.",
                                FV_F32, false},
                               {0}},
  .outputs = (const fv_output[]){{"labels", "Labels"}, {0}},
  .scalars = (const fv_scalar[]){{"objects", "Objects", "How many objects there are.", FV_COLUMN_INTEGER}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (stars_args, probability), .label = "Probability", .def = 0.5, .max = 1,
       .help = "Smallest probability of an object. Lower finds dimmer objects, and more that are none."},
      {FV_FIELD (stars_args, overlap), .label = "Overlap", .def = 0.3, .max = 1,
       .help =
         "Of two objects that share more than this fraction of the smaller one, only the more probable one is kept."},
      {FV_FIELD (stars_args, grid), .label = "Grid", .def = 1, .min = 1, .max = 16,
       .help = "Pixels of the image from one result of the network to the next. It is the \"grid\" of the model's "
               "settings, often 2."},
      {FV_FIELD (stars_args, candidates), .label = "Candidates", .choices = candidates, .advanced = true,
       .help = "From which results of the network an object can begin."},
      {FV_FIELD (stars_args, part), .label = "Size", .def = 1, .min = 0.05, .max = 2, .advanced = true,
       .help = "Part of the distances up to which an object is painted. 0.5 makes seeds for watershed."},
      {0}},
  .grain = grain_frame,
  .infer = stars_infer,
  .place = stars_transform,
  .scratch = stars_scratch,
  .run = {[FV_CPU] = stars_cpu, [FV_CUDA] = FV_CUDA_FN (stars_cuda)},
  .part = FV_PART_OTHER,
};
