/* SPDX-License-Identifier: MIT
 *
 * label: connected components. Each row becomes bits, 64 pixels a word: foreground, and where runs start. The index of a run is the number of starts
 * before it. A union-find over runs joins those that touch runs of the rows before, in strips of rows and then strip to strip. Roots, which are first
 * runs, get the numbers. Nothing outside the image is connected. Foreground is x < 0 or x > 0: neither NaN nor -0.
 * Runs: L. He, Y. Chao, K. Suzuki, IEEE Trans. Image Process. 17 (2008) 749.
 */
#include "kernels/label/label.h"

#include "kernels/label/drop.h"
#include "kernels/label/join.h"
#include "kernels/label/numbers.h"
#include "kernels/label/runs.h"

enum {
  STRIP = 1 << 17,    /* pixels of a strip, about */
  TOGETHER = 1 << 22, /* pixels of planes that are done together, about */
};

/* ---- The passes: each goes through strips of rows ---- */

bool
label_each_strip (const plane_group *s, label_pass *pass)
{
#pragma omp parallel for schedule(dynamic, 1) if (s->all_rows > s->strip)
  for (int64_t from = 0; from < s->all_rows; from += s->strip) {
    if (progress_stopped (s->p))
      continue;
    int64_t to = from + s->strip < s->all_rows ? from + s->strip : s->all_rows;
    pass (s, from, to);
    progress_step (s->p, to - from);
  }
  return !s->p->stop;
}

/* Turns counts into sums of all before; -1 when they, or one of them, are too many. */
static int64_t
sums_of (int32_t *counts, int64_t n)
{
  int64_t sum = 0;
  counts[0] = 0;
  for (int64_t i = 1; i <= n; i++) {
    sum += counts[i];
    if (counts[i] < 0 || sum > INT32_MAX)
      return -1;
    counts[i] = (int32_t) sum;
  }
  return sum;
}

/* Makes runs link to their roots, upwards, so that those that link into the strip need one step; the others climb
 * through strips that are changed meanwhile, always to the same root. Counts the roots of each row. */
static void
find_roots (const plane_group *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++) {
    int32_t roots = 0;
    for (int32_t i = s->runs[row]; i < s->runs[row + 1]; i++) {
      int32_t up = s->link[i];
      if (up >= s->runs[from])
        up = s->link[up];
      else
        for (int32_t next; (next = __atomic_load_n (&s->link[up], __ATOMIC_RELAXED)) != up;)
          up = next;
      __atomic_store_n (&s->link[i], up, __ATOMIC_RELAXED);
      roots += up == i;
    }
    s->roots[row + 1] = roots;
  }
}

/* Replaces roots by ~label. */
static void
number_roots (const plane_group *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++) {
    int32_t label = s->roots[row] - roots_before (s, row);
    for (int32_t i = s->runs[row]; i < s->runs[row + 1]; i++) {
      bool root = s->link[i] == i;
      label += root;
      s->link[i] = root ? ~label : s->link[i];
    }
  }
}

/* ---- The operation ---- */

static bool
drops_objects (const label_args *a)
{
  return a->min_size > 1 || a->max_size > 0 || a->exclude_border;
}

/* Room for n elements. The next is at least twice the last, so that little is lost in all. */
static fv_status
make_room (const plane_group *s, void **memory, int64_t *room, int64_t n, size_t bytes, fv_error *error)
{
  const fv_call *call = s->p->call;
  if (n <= *room)
    return FV_OK;
  *room = n > 2 * *room ? n : 2 * *room;
  return call->host->scratch (call, (size_t) *room * bytes, memory, error);
}

static fv_status
make_links (plane_group *s, fv_error *error)
{
  int64_t runs = sums_of (s->runs, s->all_rows);
  void *memory = s->link;
  if (runs < 0)
    return label_too_many (s->args, error);
  fv_status status = make_room (s, &memory, &s->link_room, runs, sizeof *s->link, error);
  s->link = memory;
  return status;
}

/* Drops objects and counts those left in each plane, or in the volume. */
static fv_status
drop_objects (plane_group *s, int64_t rows, double *counts, fv_error *error)
{
  void *memory = s->sizes;
  fv_status status =
    make_room (s, &memory, &s->size_room, (int64_t) s->roots[s->all_rows] + 1, sizeof *s->sizes, error);
  if (status)
    return status;
  s->sizes = memory;
  label_measure (s);
  for (int64_t row = 0; row < s->all_rows; row += rows)
    counts[row / rows] = label_renumber (s->args, s->sizes + s->roots[row], s->roots[row + rows] - s->roots[row]);
  return label_each_strip (s, label_renumber_roots) ? FV_OK : cancelled (error);
}

/* All but the pixels. */
static fv_status
number_group (plane_group *s, double *counts, fv_error *error)
{
  s->all_rows = s->planes * s->rows;
  if (!label_each_strip (s, label_find_runs))
    return cancelled (error);
  fv_status status = make_links (s, error);
  if (status)
    return status;
  if (!label_each_strip (s, label_join_strip) || !label_join_seams (s) || !label_each_strip (s, find_roots))
    return cancelled (error);
  sums_of (s->roots, s->all_rows);
  if (!label_each_strip (s, number_roots))
    return cancelled (error);
  int64_t rows = s->args->volume ? s->all_rows : s->rows;
  for (int64_t row = 0; row < s->all_rows; row += rows)
    counts[row / rows] = s->roots[row + rows] - s->roots[row];
  if (drops_objects (s->args) && (status = drop_objects (s, rows, counts, error)))
    return status;
  for (int64_t row = 0; row < s->all_rows; row += rows)
    if (counts[row / rows] > (double) label_most (s->args))
      return label_too_many (s->args, error);
  return FV_OK;
}

/* The rows before a row that have neighbors of its pixels, nearest first. */
static void
find_neighbors (plane_group *s)
{
  static const int before[][2] = {{0, -1}, {-1, 1}, {-1, 0}, {-1, -1}};
  for (int i = 0; i < 4; i++) {
    int dz = before[i][0], dy = before[i][1], reach = label_reach (s->args, dz, dy);
    if (reach >= 0)
      s->neighbors[s->n_neighbors++] = (neighbor){-dz * s->rows - dy, dz, dy, reach};
  }
}

/* How many planes make a group. */
static int64_t
planes_together (const label_args *args, const int64_t shape[3])
{
  int64_t together = args->volume ? shape[0] : 1 + TOGETHER / shape[2] / shape[1];
  return together < shape[0] ? together : shape[0];
}

/* Without the links of runs, which are as many as the pixels have it. */
static int64_t
label_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  const int64_t *shape = in[0]->shape, rows = planes_together (args, shape) * shape[1];
  return rows * ((shape[2] + 63) / 64) * (int64_t) sizeof (word) + 2 * (rows + 1) * (int64_t) sizeof (int32_t);
}

static fv_status
group_scratch (plane_group *s, fv_error *error)
{
  const fv_call *call = s->p->call;
  size_t rows = (size_t) (s->planes * s->rows), words = rows * (size_t) s->row_words;
  void *memory;
  fv_status status =
    call->host->scratch (call, words * sizeof (word) + 2 * (rows + 1) * sizeof (int32_t), &memory, error);
  if (status)
    return status;
  s->words = memory;
  s->runs = (int32_t *) (s->words + words);
  s->roots = s->runs + rows + 1;
  return FV_OK;
}

fv_status
label_groups (const fv_call *call, const fv_array *in, const fv_array *out, const label_args *args, double *counts,
              label_then *then, void *user, fv_error *error)
{
  int64_t planes = array_planes (in), rows = array_rows (in), columns = array_columns (in);
  int64_t strip = 1 + STRIP / columns;
  progress p = {call, .total = (drops_objects (args) ? 6 : 5) * planes * rows};
  plane_group s = {.args = args,
                   .in = in,
                   .out = out,
                   .rows = rows,
                   .columns = columns,
                   .row_words = (columns + 63) / 64,
                   .strip = strip,
                   .pixel_bytes = type_bytes (in->grid->type),
                   .equal = label_equal_for (in->grid->type),
                   .p = &p};

  s.planes = planes_together (args, in->tensor.shape);
  find_neighbors (&s);
  fv_status status = group_scratch (&s, error);
  for (; !status && s.first < planes; s.first += s.planes) {
    if (s.planes > planes - s.first)
      s.planes = planes - s.first;
    status = number_group (&s, counts + (args->volume ? 0 : s.first), error);
    if (!status)
      status = then (&s, user, error);
  }
  return status;
}

static fv_status
by_strips (const plane_group *s, void *user, fv_error *error)
{
  label_pass *const *last = user;
  return label_each_strip (s, *last) ? FV_OK : cancelled (error);
}

fv_status
label_planes (const fv_call *call, const fv_array *in, const fv_array *out, const label_args *args, double *counts,
              label_pass *last, fv_error *error)
{
  return label_groups (call, in, out, args, counts, by_strips, &last, error);
}

static fv_status
label_cpu (const fv_call *call, fv_error *error)
{
  return label_planes (call, call->inputs[0], call->outputs[0], call->args, call->scalars, label_write, error);
}

static fv_grain
label_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const label_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
label_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const label_args *a = args;
  (void) op, (void) in;
  if (label_check_connectivity (a->connectivity, a->volume, error))
    return error->code;
  if (a->max_size > 0 && a->max_size < a->min_size)
    return fail (error, FV_BAD_ARGUMENT, "max_size",
                 "No object has at least %d and at most %d pixels: max_size must not be below min_size (0: no limit).",
                 a->min_size, a->max_size);
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = true;
  return FV_OK;
}

const fv_choice label_connectivities[] = {{"auto", "All neighbors", "8 neighbors in planes, 26 in volumes."},
                                          {"4", "4", "In planes: pixels that share an edge."},
                                          {"8", "8", "In planes: pixels that share an edge or a corner."},
                                          {"6", "6", "In volumes: voxels that share a face."},
                                          {"18", "18", "In volumes: voxels that share a face or an edge."},
                                          {"26", "26", "In volumes: voxels that share a face, an edge or a corner."},
                                          {0}};

static const fv_choice values[] = {{"nonzero", "Not zero", "Neighbors belong together when neither is zero."},
                                   {"equal", "Equal", "Neighbors belong together when they are equal and not zero."},
                                   {0}};

const fv_op fv_op_label = {
  FV_OP (label_args),
  .key = "label",
  .menu = "Analyze",
  .label = "Label Objects...",
  .search = "count analyze particles analyse particles connected components segment segmentation objects cells nuclei "
            "blobs find",
  .help = "Numbers the connected objects of a mask in the order of their first pixels.",
  .kind = FV_GLOBAL,
  .reads_back = true, /* only where there can be more objects than labels */
  .inputs =
    (const fv_input[]){
      {"image", "Image", "A mask or a label image: what is not zero is foreground.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"labels", "Labels"}, {0}},
  .scalars = (const fv_scalar[]){{"objects", "Objects", "How many objects there are.", FV_COLUMN_INTEGER}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (label_args, connectivity), .label = "Connectivity", .advanced = true, .choices = label_connectivities,
       .help = "How many neighbors of a pixel are connected to it."},
      {FV_FIELD (label_args, values), .label = "Join", .advanced = true, .choices = values,
       .help = "Which neighbors belong to one object."},
      {FV_FIELD (label_args, min_size), .label = "Smallest size", .unit = FV_PIXEL_COUNT, .max = INT32_MAX,
       .soft_max = 10000, .help = "Objects of fewer pixels are dropped."},
      {FV_FIELD (label_args, max_size), .label = "Largest size", .unit = FV_PIXEL_COUNT, .max = INT32_MAX,
       .soft_max = 1000000, .help = "Objects of more pixels are dropped; 0: no limit."},
      {FV_FIELD (label_args, exclude_border), .label = "Exclude objects at the border",
       .help = "Drops objects that touch the border of the image or, in 3-D, its first or last slice."},
      {FV_FIELD (label_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume and connects objects across them."},
      {0}},
  .grain = label_grain,
  .infer = label_infer,
  .scratch = label_scratch,
  .run = {[FV_CPU] = label_cpu, [FV_CUDA] = FV_CUDA_FN (label_cuda)},
  .part = FV_PART_ALIKE,
};
