/* SPDX-License-Identifier: MIT
 *
 * neighbours: edges as in neighbours_search.h, a thread an object; centroids look at each other in their order along y.
 */
#include "kernels/objects/neighbours.h"

#include "kernels/common/grain.h"
#include "kernels/morphology/distance.h"
#include "kernels/objects/neighbours_search.h"

#include <stdlib.h>

enum { RUNS_BETWEEN_TICKS = 1024 };

/* ---- By edges ---- */

/* Of each object: 1 + the one that it was last counted for, as near and as touching. */
typedef struct edge_meetings {
  int32_t last[2];
} edge_meetings;

static inline bool
edge_first_met (edge_search *s, int32_t object, bool touches)
{
  int32_t *last = &s->met[object].last[touches];
  const bool first = *last != s->object + 1;
  *last = s->object + 1;
  return first;
}

typedef struct neighbours_work {
  const regions *found;
  edge_space space;
  neighbor_object *to;
  edge_meetings *met; /* of each thread, with each object */
  progress progress;
} neighbours_work;

static void
find_by_edge (neighbours_work *w, int64_t object)
{
  const region *o = &w->found->items[object];
  edge_search s = {&w->space, (int32_t) object, w->to[object].by_edge, w->met + thread_index () * w->found->n};
  for (int64_t i = 0; i < o->n_runs && !progress_stopped (&w->progress); i++) {
    edge_look_everywhere (&s, o->runs, i, o->n_runs);
    if (i % RUNS_BETWEEN_TICKS == RUNS_BETWEEN_TICKS - 1)
      progress_step (&w->progress, 0);
  }
  w->to[object].by_edge = s.found;
}

static neighbor_object
object_alone (const neighbours_work *w, const region *o)
{
  neighbor_object to = {o->low[0], o->label, {0, 0, 0}, {0, 0, {INFINITY, -1}}};
  for (int64_t i = 0; i < o->n_runs; i++)
    centroid_add (&o->runs[i], to.centroid);
  for (int axis = 0; axis < 3; axis++)
    to.centroid[axis] *= w->space.step[axis] / (double) o->pixels;
  return to;
}

/* The objects of a plane, or of the volume. */
static void
relate_group (neighbours_work *w, int64_t first, int64_t end)
{
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = first; i < end; i++) {
    if (progress_stopped (&w->progress))
      continue;
    w->to[i] = object_alone (w, &w->found->items[i]);
    if (end - first > 1)
      find_by_edge (w, i);
    progress_step (&w->progress, 1);
  }
}

/* ---- By centroids ---- */

typedef struct centroid {
  double at[3];
  int32_t object;
} centroid;

static int
compare_centroids (const void *a, const void *b)
{
  const centroid *p = a, *q = b;
  return (p->at[1] > q->at[1]) - (p->at[1] < q->at[1]);
}

/* i: of n centroids, which are in order. */
static nearest_object
find_by_centroid (const centroid *all, int64_t i, int64_t n)
{
  const centroid *own = &all[i];
  nearest_object best = {INFINITY, -1};
  for (int side = -1; side <= 1; side += 2)
    for (int64_t j = i + side; j >= 0 && j < n; j += side) {
      const centroid *c = &all[j];
      const double along = edge_square (c->at[1] - own->at[1]);
      if (along > best.squared)
        break;
      take_nearer (&best, edge_square (c->at[0] - own->at[0]) + along + edge_square (c->at[2] - own->at[2]), c->object);
    }
  return best;
}

/* Of the objects of a group. */
static void
relate_centroids (const neighbor_object *objects, int64_t first, int64_t end, centroid *work, nearest_object *to)
{
  const int64_t n = end - first;
  for (int64_t i = 0; i < n; i++) {
    work[i].object = (int32_t) (first + i);
    memcpy (work[i].at, objects[first + i].centroid, sizeof work[i].at);
  }
  qsort (work, (size_t) n, sizeof *work, compare_centroids);
#pragma omp parallel for schedule(dynamic, 64)
  for (int64_t i = 0; i < n; i++)
    to[work[i].object] = find_by_centroid (work, i, n);
}

static fv_status
find_by_centroids (const fv_call *call, const neighbor_object *objects, int64_t n, nearest_object **to, fv_error *error)
{
  const bool volume = ((const neighbours_args *) call->args)->volume;
  centroid *work;
  fv_status status = host_items (call, n, sizeof *work, &work, error);
  if (!status)
    status = host_items (call, n, sizeof **to, to, error);
  for (int64_t first = 0, end; first < n && !status; first = end) {
    for (end = first + 1; end < n && (volume || objects[end].z == objects[first].z);)
      end++;
    relate_centroids (objects, first, end, work, *to);
    if (call->host->tick (call, end, n))
      return cancelled (error);
  }
  return status;
}

/* ---- The table ---- */

static double
label_of_nearest (const neighbor_object *objects, const nearest_object *n)
{
  return n->object < 0 ? NAN : objects[n->object].label;
}

static double
distance_of_nearest (const nearest_object *n)
{
  return n->object < 0 ? NAN : sqrt (n->squared);
}

fv_status
neighbours_table (const fv_call *call, const neighbor_object *objects, int64_t n, fv_error *error)
{
  const neighbours_args *a = call->args;
  const fv_grid *grid = call->inputs[0]->grid;
  const char *unit = a->units == DISTANCE_PHYSICAL && *grid->unit ? grid->unit : FV_PIXELS;
  const bool slices = !a->volume && grid->shape[0] > 1;
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
  nearest_object *by_centroid;
  double *v;
  fv_status status = find_by_centroids (call, objects, n, &by_centroid, error);
  if (!status)
    status = call->host->table (call, columns + !slices, COLUMNS - !slices, sizeof *columns, n, &v, error);
  for (int64_t i = 0; i < n && !status; i++) {
    const neighbor_object *o = &objects[i];
    const double row[COLUMNS] = {o->z + 1,
                                 o->label,
                                 (double) o->by_edge.touching,
                                 (double) o->by_edge.near,
                                 label_of_nearest (objects, &o->by_edge.nearest),
                                 distance_of_nearest (&o->by_edge.nearest),
                                 label_of_nearest (objects, &by_centroid[i]),
                                 distance_of_nearest (&by_centroid[i])};
    for (int64_t j = !slices; j < COLUMNS; j++)
      v[(j - !slices) * n + i] = row[j];
  }
  return status;
}

/* ---- The work ---- */

double
neighbours_limit (const fv_call *call)
{
  const double distance = ((const neighbours_args *) call->args)->distance;
  return distance > 0 ? edge_square (distance) : -1;
}

fv_status
neighbours_measure (const fv_call *call, const regions *found, fv_error *error)
{
  const neighbours_args *a = call->args;
  const int64_t met = threads_at_most () * found->n;
  neighbours_work w = {.found = found, .space = {.limit = neighbours_limit (call), .volume = a->volume}};
  distance_steps (&(distance_args){.units = a->units}, call->inputs[0]->grid, w.space.step);
  w.progress = (progress){call, .total = found->n};
  fv_status status = object_rows_make (call, call->inputs[0], found, &w.space.rows, error);
  if (!status)
    status = host_items (call, found->n, sizeof *w.to, &w.to, error);
  if (!status)
    status = host_items (call, met, sizeof *w.met, &w.met, error);
  if (!status)
    memset (w.met, 0, (size_t) met * sizeof *w.met);
  for (int64_t g = 0; g < found->n_groups && !status; g++)
    relate_group (&w, found->group[g], found->group[g + 1]);
  if (w.progress.stop)
    return cancelled (error);
  return status ? status : neighbours_table (call, w.to, found->n, error);
}

static fv_status
neighbours_cpu (const fv_call *call, fv_error *error)
{
  regions found;
  fv_status status =
    regions_find (call, call->inputs[0], ((const neighbours_args *) call->args)->volume, &found, error);
  return status ? status : neighbours_measure (call, &found, error);
}

/* ---- The operation ---- */

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
  .search = "neighbor touching contact distance nearest density clustering crowding adjacent packing nnd",
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
       .help = "Objects up to this distance count as near, from edge to edge; 0: only those that touch."},
      {FV_FIELD (neighbours_args, units), .label = "Units", .def = DISTANCE_PHYSICAL,
       .choices = (const fv_choice[]){{"pixel", "Pixels", "A pixel is one long, high and deep."},
                                      {"physical", "Scaled units", "A pixel is as large as the image says."},
                                      {0}},
       .help = "Whether distances count pixels or are lengths in the image's unit."},
      {FV_FIELD (neighbours_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume, not each plane by itself."},
      {0}},
  .grain = grain_frame,
  .infer = neighbours_infer,
  .run = {[FV_CPU] = neighbours_cpu, [FV_CUDA] = FV_CUDA_FN (neighbours_cuda)},
};
