/* SPDX-License-Identifier: MIT
 *
 * convex_hull: the CPU version. Objects are lists of runs, their hulls are made at once and painted one after the other.
 */
#include "kernels/measure/convex_hull.h"

#include "kernels/regions/region_hull.h"

/* ---- Labels ---- */

label_args
convex_hull_labels (const void *args)
{
  return (label_args){.connectivity = ((const convex_hull_args *) args)->connectivity};
}

VECTORISED static void
one_object_row (int32_t *to, const uint8_t *from, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    to[x] = from[x] != 0;
}

static fv_status
find_objects (const fv_call *call, regions *found, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t rows = array_rows (in);
  const bool each = ((const convex_hull_args *) call->args)->method == CONVEX_HULL_OBJECTS;
  const label_args args = convex_hull_labels (call->args);
  scratch_image labels;
  fv_status status = each ? label_image (call, FV_CPU, in, &args, &labels, error)
                          : scratch_image_take (call, in, FV_I32, FV_LABELS, &labels, error);
  if (!each && !status)
#pragma omp parallel for schedule(static, 64)
    for (int64_t i = 0; i < array_planes (in) * rows; i++)
      one_object_row (array_row (&labels.array, i / rows, i % rows), array_row (in, i / rows, i % rows),
                      array_columns (in));
  return status ? status : regions_find (call, &labels.array, false, found, error);
}

/* ---- Hulls ---- */

/* A hull, and the pixels in it. */
typedef struct hull_memory {
  hull hull;
  run *fill;
} hull_memory;

static size_t
memory_bytes (int64_t rows)
{
  return (size_t) (2 * hull_room (rows)) * sizeof (hull_point) + (size_t) (rows + 1) * sizeof (run);
}

static hull_memory
memory_at (char *at, int64_t rows)
{
  hull_point *left = (hull_point *) at;
  return (hull_memory){{.left = left, .right = left + hull_room (rows)}, (run *) (left + 2 * hull_room (rows))};
}

static void
paint_hull (const fv_array *out, const region *o, const run *fill)
{
  for (const run *r = fill; r < fill + (o->high[1] - o->low[1]); r++)
    memset ((uint8_t *) array_row (out, o->low[0], o->low[1] + r->y) + o->low[2] + r->x0, 255,
            (size_t) (r->x1 - r->x0));
}

static fv_status
paint_hulls (const fv_call *call, const regions *found, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  int64_t rows = array_rows (out);
  progress p = {call, .total = found->n};
  char *memory;
  fv_status status = scratch_items (call, threads_at_most (), memory_bytes (rows), &memory, error);
  if (status)
    return status;
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 0; i < found->n; i++) {
    hull_memory m = memory_at (memory + (size_t) thread_index () * memory_bytes (rows), rows);
    const region *o = found->items + i;
    if (progress_stopped (&p))
      continue;
    hull_build (&m.hull, o->runs, o->n_runs, o->low, HULL_DIAMOND);
    hull_fill (&m.hull, o->high[1] - o->low[1], m.fill);
#pragma omp critical(convex_hull)
    paint_hull (out, o, m.fill);
    progress_step (&p, 1);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

/* ---- The operation ---- */

static fv_status
convex_hull_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  regions found;
  fv_status status = find_objects (call, &found, error);
  for (int64_t i = 0; i < array_planes (out) * array_rows (out); i++)
    memset (array_row (out, i / array_rows (out), i % array_rows (out)), 0, (size_t) array_columns (out));
  return status ? status : paint_hulls (call, &found, error);
}

static int64_t
convex_hull_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const label_args inner = convex_hull_labels (args);
  (void) op;
  return label_image_bytes (in[0], &inner);
}

static fv_status
convex_hull_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op;
  out[0]->role = FV_MASK;
  out[0]->dense = false;
  for (int i = 0; i < 3; i++)
    if (in[0]->shape[i] >= REGIONS_MAX_SIDE)
      return fail (error, FV_BAD_INPUT, "image", "The mask has a side of %lld pixels; it must be below %lld.",
                   (long long) in[0]->shape[i], (long long) REGIONS_MAX_SIDE);
  return label_check_connectivity (((const convex_hull_args *) args)->connectivity, false, error);
}

static const fv_choice methods[] = {
  {"objects", "Each object", "The hull of each connected object of a plane; hulls may overlap."},
  {"all", "All together", "One hull of all foreground of a plane."},
  {0}};

static const fv_choice connectivities[] = {{"auto", "All neighbors", "8 neighbors."},
                                           {"4", "4", "Pixels that share an edge."},
                                           {"8", "8", "Pixels that share an edge or a corner."},
                                           {0}};

const fv_op fv_op_convex_hull = {
  FV_OP (convex_hull_args),
  .key = "convex_hull",
  .menu = "Process/Binary",
  .label = "Convex Hull...",
  .search = "envelope solidity rubber band",
  .help = "Fills the convex hulls of objects.",
  .cite = "A. M. Andrew, Inf. Process. Lett. 9 (1979) 216",
  .kind = FV_GLOBAL,
  .reads_back = true, /* how many runs and objects there are */
  .inputs = (const fv_input[]){{"image", "Image", "The mask.", FV_U8 | FV_WANTS_MASK, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (convex_hull_args, method), .label = "Of", .choices = methods, .help = "What gets a hull."},
      {FV_FIELD (convex_hull_args, connectivity), .label = "Connectivity", .advanced = true, .choices = connectivities,
       .help = "How many neighbors of a pixel are connected to it."},
      {0}},
  .infer = convex_hull_infer,
  .scratch = convex_hull_scratch,
  .run = {[FV_CPU] = convex_hull_cpu, [FV_CUDA] = FV_CUDA_FN (convex_hull_cuda)},
  .part = FV_PART_ALIKE,
};
