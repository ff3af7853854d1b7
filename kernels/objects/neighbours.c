/* SPDX-License-Identifier: MIT
 *
 * neighbours: each run of an object looks at the rows around it, first at its own, no farther than anything can be that counts; centroids look
 * at each other in their order along y.
 */
#include "kernels/objects/neighbours.h"

#include "kernels/morphology/distance.h"
#include "kernels/objects/object_rows.h"

#include <stdlib.h>

enum { RUNS_BETWEEN_TICKS = 1024 };

/* Another object and its squared distance. */
typedef struct nearest {
  double squared;
  int32_t object; /* -1: none */
} nearest;

typedef struct relations {
  int64_t touching, near;
  nearest by_edge, by_centroid;
} relations;

typedef struct centroid {
  double at[3];
  int32_t object;
} centroid;

typedef struct neighbours_work {
  const regions *found;
  object_rows rows;
  double step[3], limit; /* limit: squared */
  bool volume;
  centroid *centroids; /* in each group by y */
  relations *to;
  int32_t *seen; /* of each thread, of each object: 1 + the one that it was last counted for as touching, and as near */
  progress progress;
} neighbours_work;

/* Objects of a group are in the order of their labels. */
static void
take_nearer (nearest *best, double squared, int32_t object)
{
  if (squared < best->squared || (squared == best->squared && object < best->object))
    *best = (nearest){squared, object};
}

static double
square (double v)
{
  return v * v;
}

/* ---- By edges ---- */

/* What one object looks for. */
typedef struct search {
  const neighbours_work *w;
  int32_t object;
  relations *to;
  int32_t *seen;
} search;

/* How far, squared, it has to look. */
static double
reach_of (const search *s)
{
  return fmax (s->to->by_edge.squared, s->w->limit);
}

/* Whether it is the first time. */
static bool
first_seen (const search *s, int32_t *seen)
{
  const bool first = *seen != s->object + 1;
  *seen = s->object + 1;
  return first;
}

/* A piece of a row, so many pixels away along x; false: nothing farther in its row can count. */
static bool
meet (const search *s, const row_piece *piece, int64_t gap, double aside, bool adjacent)
{
  const double squared = aside + square ((double) gap * s->w->step[2]);
  const bool touches = adjacent && gap <= 1, near = touches || squared <= s->w->limit;
  if (!touches && squared > reach_of (s))
    return false;
  if (piece->object == s->object)
    return true;
  s->to->touching += touches && first_seen (s, &s->seen[2 * piece->object]);
  s->to->near += near && first_seen (s, &s->seen[2 * piece->object + 1]);
  take_nearer (&s->to->by_edge, squared, piece->object);
  return true;
}

/* aside: squared distance of the rows. */
static void
look_along (const search *s, const run *r, int64_t row, double aside, bool adjacent)
{
  const object_rows *rows = &s->w->rows;
  const int64_t from = object_rows_from (rows, row, r->x0);
  for (int64_t i = from; i < rows->first[row + 1]; i++) {
    const int64_t gap = rows->pieces[i].x0 - (r->x1 - 1);
    if (!meet (s, &rows->pieces[i], gap > 0 ? gap : 0, aside, adjacent))
      break;
  }
  for (int64_t i = from - 1; i >= rows->first[row]; i--)
    if (!meet (s, &rows->pieces[i], r->x0 - (rows->pieces[i].x1 - 1), aside, adjacent))
      break;
}

/* The rows of plane z, from y outwards. */
static void
look_around (const search *s, const run *r, int64_t z)
{
  const object_rows *rows = &s->w->rows;
  const int64_t far = llabs (z - r->z);
  const double aside = square ((double) far * s->w->step[0]);
  for (int64_t k = 0; k <= r->y || k < rows->rows - r->y; k++) {
    const double squared = aside + square ((double) k * s->w->step[1]);
    const bool adjacent = far <= 1 && k <= 1;
    if (!adjacent && squared > reach_of (s))
      return;
    if (k <= r->y)
      look_along (s, r, object_row (rows, z, r->y - k), squared, adjacent);
    if (k && k < rows->rows - r->y)
      look_along (s, r, object_row (rows, z, r->y + k), squared, adjacent);
  }
}

static void
look_everywhere (const search *s, const run *r)
{
  look_around (s, r, r->z);
  for (int64_t k = 1; s->w->volume && (k <= r->z || k < s->w->rows.planes - r->z); k++) {
    if (k > 1 && square ((double) k * s->w->step[0]) > reach_of (s))
      return;
    if (k <= r->z)
      look_around (s, r, r->z - k);
    if (k < s->w->rows.planes - r->z)
      look_around (s, r, r->z + k);
  }
}

static void
find_by_edge (neighbours_work *w, int64_t object)
{
  const region *o = &w->found->items[object];
  const search s = {w, (int32_t) object, &w->to[object], w->seen + 2 * thread_index () * w->found->n};
  for (int64_t i = 0; i < o->n_runs && !progress_stopped (&w->progress); i++) {
    look_everywhere (&s, &o->runs[i]);
    if (i % RUNS_BETWEEN_TICKS == RUNS_BETWEEN_TICKS - 1)
      progress_step (&w->progress, 0);
  }
}

/* ---- By centroids ---- */

static centroid
centroid_of (const neighbours_work *w, int64_t object)
{
  const region *o = &w->found->items[object];
  double sum[3] = {0, 0, 0};
  for (int64_t i = 0; i < o->n_runs; i++) {
    const run *r = &o->runs[i];
    const double n = r->x1 - r->x0;
    sum[0] += n * r->z;
    sum[1] += n * r->y;
    sum[2] += n * (r->x0 + r->x1 - 1) / 2;
  }
  for (int axis = 0; axis < 3; axis++)
    sum[axis] *= w->step[axis] / (double) o->pixels;
  return (centroid){{sum[0], sum[1], sum[2]}, (int32_t) object};
}

static int
compare_centroids (const void *a, const void *b)
{
  const centroid *p = a, *q = b;
  return (p->at[1] > q->at[1]) - (p->at[1] < q->at[1]);
}

/* i: of centroids first ... end - 1, which are in order. */
static void
find_by_centroid (const neighbours_work *w, int64_t i, int64_t first, int64_t end)
{
  const centroid *own = &w->centroids[i];
  nearest *best = &w->to[own->object].by_centroid;
  for (int side = -1; side <= 1; side += 2)
    for (int64_t j = i + side; j >= first && j < end; j += side) {
      const centroid *c = &w->centroids[j];
      const double along = square (c->at[1] - own->at[1]);
      if (along > best->squared)
        break;
      take_nearer (best, square (c->at[0] - own->at[0]) + along + square (c->at[2] - own->at[2]), c->object);
    }
}

/* ---- The table ---- */

static double
label_of_nearest (const neighbours_work *w, const nearest *n)
{
  return n->object < 0 ? NAN : w->found->items[n->object].label;
}

static double
distance_of_nearest (const nearest *n)
{
  return n->object < 0 ? NAN : sqrt (n->squared);
}

static fv_status
write_table (const fv_call *call, const neighbours_work *w, fv_error *error)
{
  const fv_grid *grid = call->inputs[0]->grid;
  const bool physical = ((const neighbours_args *) call->args)->units == DISTANCE_PHYSICAL;
  const char *unit = physical && *grid->unit ? grid->unit : FV_PIXELS;
  const bool slices = !w->volume && grid->shape[0] > 1;
  const fv_column columns[] = {
    {"z", "", "The slice that the object is in, counted from 1.", FV_COLUMN_INTEGER},
    {"label", "", "The object's label.", FV_COLUMN_INTEGER},
    {"touching", "", "How many objects touch it, corners included.", FV_COLUMN_INTEGER},
    {"near", "", "How many objects touch it or are within the distance, from edge to edge.", FV_COLUMN_INTEGER},
    {"nearest", "", "Label of the object that is the nearest by its edge.", FV_COLUMN_INTEGER},
    {"distance", unit, "How far that is, between the centers of the nearest two pixels.", FV_COLUMN_FLOAT},
    {"nearest_centroid", "", "Label of the object whose centroid is the nearest.", FV_COLUMN_INTEGER},
    {"centroid_distance", unit, "How far that is, between the centroids.", FV_COLUMN_FLOAT},
  };
  enum { COLUMNS = sizeof columns / sizeof *columns };
  const int64_t n = w->found->n;
  double *v;
  fv_status status = call->host->table (call, columns + !slices, COLUMNS - !slices, sizeof *columns, n, &v, error);
  for (int64_t i = 0; i < n && !status; i++) {
    const region *o = &w->found->items[i];
    const relations *r = &w->to[i];
    const double row[COLUMNS] = {o->low[0] + 1,
                                 o->label,
                                 (double) r->touching,
                                 (double) r->near,
                                 label_of_nearest (w, &r->by_edge),
                                 distance_of_nearest (&r->by_edge),
                                 label_of_nearest (w, &r->by_centroid),
                                 distance_of_nearest (&r->by_centroid)};
    for (int64_t j = !slices; j < COLUMNS; j++)
      v[(j - !slices) * n + i] = row[j];
  }
  return status;
}

/* The objects of a plane, or of the volume. */
static void
relate_group (neighbours_work *w, int64_t first, int64_t end)
{
  const nearest none = {INFINITY, -1};
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = first; i < end; i++) {
    w->to[i] = (relations){0, 0, none, none};
    w->centroids[i] = centroid_of (w, i);
  }
  qsort (w->centroids + first, (size_t) (end - first), sizeof *w->centroids, compare_centroids);
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = first; i < end; i++) {
    if (progress_stopped (&w->progress) || end - first == 1)
      continue;
    find_by_edge (w, i);
    find_by_centroid (w, i, first, end);
    progress_step (&w->progress, 1);
  }
}

fv_status
neighbours_table (const fv_call *call, const regions *found, fv_error *error)
{
  const neighbours_args *a = call->args;
  neighbours_work w = {.found = found, .limit = a->distance > 0 ? square (a->distance) : -1, .volume = a->volume};
  distance_steps (&(distance_args){.units = a->units}, call->inputs[0]->grid, w.step);
  w.progress = (progress){call, .total = found->n};
  fv_status status = object_rows_make (call, call->inputs[0], found, &w.rows, error);
  if (!status)
    status = host_items (call, found->n, sizeof *w.centroids, &w.centroids, error);
  if (!status)
    status = host_items (call, found->n, sizeof *w.to, &w.to, error);
  if (!status)
    status = host_items (call, threads_at_most () * found->n, 2 * sizeof *w.seen, &w.seen, error);
  if (!status)
    memset (w.seen, 0, (size_t) (threads_at_most () * found->n) * 2 * sizeof *w.seen);
  for (int64_t g = 0; g < found->n_groups && !status; g++)
    relate_group (&w, found->group[g], found->group[g + 1]);
  if (w.progress.stop)
    return cancelled (error);
  return status ? status : write_table (call, &w, error);
}

static fv_status
neighbours_cpu (const fv_call *call, fv_error *error)
{
  regions found;
  fv_status status =
    regions_find (call, call->inputs[0], ((const neighbours_args *) call->args)->volume, &found, error);
  return status ? status : neighbours_table (call, &found, error);
}

/* ---- The operation ---- */

static fv_grain
neighbours_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_FRAME;
}

static fv_status
neighbours_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) out;
  return regions_check_image (in[0], error);
}

const fv_op fv_op_neighbours = {
  FV_OP (neighbours_args),
  .key = "neighbours",
  .menu = "Analyze",
  .label = "Neighbors...",
  .help = "Counts for each object those that touch it or are near, and finds the nearest, by edges and by centroids.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){{"image", "Labels", "The label image: 0 is background, and each other value is an object.",
                        FV_INTEGERS | FV_WANTS_LABELS, false},
                       {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (neighbours_args, distance), .label = "Distance", .max = 1e9, .soft_max = 50,
       .help = "Objects up to so far away count as near, from edge to edge; 0: only those that touch."},
      {FV_FIELD (neighbours_args, units), .label = "Units", .def = DISTANCE_PHYSICAL,
       .choices = (const fv_choice[]){{"pixel", "Pixels", "A pixel is one long, high and deep."},
                                      {"physical", "Scaled units", "A pixel is as large as the image says."},
                                      {0}},
       .help = "Whether distances count pixels or are lengths in the image's unit."},
      {FV_FIELD (neighbours_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume, not each plane by itself."},
      {0}},
  .grain = neighbours_grain,
  .infer = neighbours_infer,
  .run = {[FV_CPU] = neighbours_cpu, [FV_CUDA] = FV_CUDA_FN (neighbours_cuda)},
};
