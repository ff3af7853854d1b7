/* SPDX-License-Identifier: MIT
 *
 * skeleton_lengths: each object has a graph of its pixels; branches and junctions are disjoint sets of them. From each end a queue has the pixels
 * whose distances decrease, until none does. Threads take an object each, of one with many ways an end each.
 */
#include "kernels/skeletons/skeleton_lengths.h"

#include "kernels/common/grain.h"
#include "kernels/common/union_find.h"
#include "kernels/skeletons/skeleton_graph.h"

enum {
  LARGE_OBJECT = 1 << 20, /* pixels; and pixels times ends: objects with more are followed one after the other */
  MANY_WAYS = 1 << 20,
};

/* Planes have no steps along z. */
static int
kinds_of (bool volume)
{
  return volume ? SKELETON_KINDS : SKELETON_KINDS / 2;
}

/* ---- Branches and junctions ---- */

/* link: of all pixels, branches and junctions; steps: of each branch, at its root, how many of each kind. Lengths follow from these, so that
 * they do not depend on the order of the pixels. */
static void
measure_parts (const pixel_graph *g, const double *size, int kinds, int32_t *link, int32_t *steps, skeleton_parts *l)
{
  int64_t all[SKELETON_KINDS] = {0};
  for (int64_t i = 0; i < g->n; i++)
    link[i] = (int32_t) i;
  memset (steps, 0, (size_t) (g->n * kinds) * sizeof *steps);
  for (int64_t i = 0; i < g->n; i++)
    for (int64_t k = g->first[i]; k < g->first[i + 1]; k++)
      if (g->to[k] < i && is_junction (g, i) == is_junction (g, g->to[k]))
        forest_unite (link, g->to[k], (int32_t) i);
  for (int64_t i = 0; i < g->n; i++) {
    l->ends += is_end (g, i);
    l->junctions += is_junction (g, i) && link[i] == i;
    l->branches += !is_junction (g, i) && link[i] == i && neighbors_of (g, i);
    for (int64_t k = g->first[i]; k < g->first[i + 1] && !is_junction (g, i); k++)
      if (g->to[k] < i || is_junction (g, g->to[k]))
        steps[forest_root (link, (int32_t) i) * (int64_t) kinds + g->kind[k]]++;
  }
  for (int64_t i = 0; i < g->n; i++) {
    double length = 0;
    for (int kind = 1; kind < kinds; kind++) {
      all[kind] += steps[i * kinds + kind];
      length += steps[i * kinds + kind] * size[kind];
    }
    l->longest_branch = fmax (l->longest_branch, length);
  }
  for (int kind = 1; kind < kinds; kind++)
    l->length += (double) all[kind] * size[kind];
}

/* ---- The longest path ---- */

/* What a thread needs to find its way: how far pixels are, and those whose neighbors are to be looked at. Between two searches nothing is
 * near. */
typedef struct ways {
  double *far;
  int32_t *queue; /* a ring of as many as there are pixels */
  bool *waiting;  /* in the queue */
  int32_t *met;   /* pixels that are not infinitely far */
} ways;

/* How far the farthest pixel is that can be reached. */
static double
farthest_from (const pixel_graph *g, const double *size, int32_t source, ways *w)
{
  double farthest = 0;
  int64_t n_met = 1, next = 0, n = 1;
  w->far[source] = 0;
  w->queue[0] = w->met[0] = source;
  for (; n; n--) {
    const int32_t i = w->queue[next];
    next = next + 1 < g->n ? next + 1 : 0;
    w->waiting[i] = false;
    for (int64_t k = g->first[i]; k < g->first[i + 1]; k++) {
      const int32_t to = g->to[k];
      const double far = w->far[i] + size[g->kind[k]];
      if (!(far < w->far[to]))
        continue;
      if (w->far[to] == INFINITY)
        w->met[n_met++] = to;
      w->far[to] = far;
      if (w->waiting[to])
        continue;
      const int64_t last = next + n - 1; /* the pixel that was taken counts until the end of its turn */
      w->queue[last < g->n ? last : last - g->n] = to;
      w->waiting[to] = true;
      n++;
    }
  }
  for (int64_t i = 0; i < n_met; i++) {
    farthest = fmax (farthest, w->far[w->met[i]]);
    w->far[w->met[i]] = INFINITY;
  }
  return farthest;
}

/* ---- What threads work in ---- */

/* How large the largest objects are. */
typedef struct object_size {
  int64_t pixels, runs, steps;
} object_size;

/* What the graph of an object needs; several lie after each other. */
typedef struct graph_room {
  pixel_graph graph;
  int32_t *sources, *link;
  int32_t *branch; /* steps of each kind, at the roots of links */
} graph_room;

typedef struct skeleton_work {
  const regions *found;
  bool volume;
  double size[SKELETON_KINDS];
  object_size each, all; /* of objects that threads take each, of all */
  graph_room of_threads, of_large;
  ways ways; /* of each thread */
  skeleton_parts *to;
  progress progress;
} skeleton_work;

static fv_status
rooms_take (const fv_call *call, int64_t n, const object_size *size, int kinds, graph_room *r, fv_error *error)
{
  const struct {
    void *memory;
    int64_t n;
    size_t size;
  } wanted[] = {
    {&r->graph.first, size->pixels + 1, sizeof *r->graph.first},
    {&r->graph.offset, size->runs, sizeof *r->graph.offset},
    {&r->graph.to, size->steps, sizeof *r->graph.to},
    {&r->graph.kind, size->steps, sizeof *r->graph.kind},
    {&r->sources, size->pixels, sizeof *r->sources},
    {&r->link, size->pixels, sizeof *r->link},
    {&r->branch, size->pixels * kinds, sizeof *r->branch},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (host_items (call, n * wanted[i].n, wanted[i].size, wanted[i].memory, error))
      return error->code;
  return FV_OK;
}

static fv_status
ways_take (const fv_call *call, skeleton_work *w, fv_error *error)
{
  const int64_t n = w->all.pixels, threads = threads_at_most ();
  fv_status status = host_items (call, threads * n, sizeof *w->ways.far, &w->ways.far, error);
  if (!status)
    status = host_items (call, threads * n, sizeof *w->ways.queue, &w->ways.queue, error);
  if (!status)
    status = host_items (call, threads * n, sizeof *w->ways.waiting, &w->ways.waiting, error);
  if (!status)
    status = host_items (call, threads * n, sizeof *w->ways.met, &w->ways.met, error);
  if (status)
    return status;
#pragma omp parallel for
  for (int64_t i = 0; i < threads * n; i++) {
    w->ways.far[i] = INFINITY;
    w->ways.waiting[i] = false;
  }
  return FV_OK;
}

static graph_room
room_of_thread (const skeleton_work *w)
{
  const int64_t i = thread_index ();
  graph_room r = w->of_threads;
  r.graph.first += i * (w->each.pixels + 1);
  r.graph.offset += i * w->each.runs;
  r.graph.to += i * w->each.steps;
  r.graph.kind += i * w->each.steps;
  r.sources += i * w->each.pixels;
  r.link += i * w->each.pixels;
  r.branch += i * w->each.pixels * kinds_of (w->volume);
  return r;
}

static ways
ways_of_thread (const skeleton_work *w)
{
  const int64_t at = thread_index () * w->all.pixels;
  return (ways){w->ways.far + at, w->ways.queue + at, w->ways.waiting + at, w->ways.met + at};
}

/* ---- The work ---- */

/* Pixels from which ways begin. */
static int64_t
find_sources (const pixel_graph *g, int32_t *sources)
{
  int64_t n = 0;
  for (int64_t i = 0; i < g->n; i++)
    if (is_end (g, i))
      sources[n++] = (int32_t) i;
  if (!n)
    sources[n++] = 0;
  return n;
}

/* Returns how many sources there are. */
static int64_t
measure_object (skeleton_work *w, int64_t object, graph_room *r)
{
  skeleton_parts *l = &w->to[object];
  *l = (skeleton_parts){0};
  graph_make (&w->found->items[object], w->volume, &r->graph);
  measure_parts (&r->graph, w->size, kinds_of (w->volume), r->link, r->branch, l);
  return find_sources (&r->graph, r->sources);
}

/* By one thread; false when it would take long. */
static bool
follow_object (skeleton_work *w, int64_t object)
{
  graph_room r = room_of_thread (w);
  ways own = ways_of_thread (w);
  if (w->found->items[object].pixels > LARGE_OBJECT)
    return false;
  const int64_t n = measure_object (w, object, &r);
  if (n > 1 && n * r.graph.n > MANY_WAYS)
    return false;
  for (int64_t i = 0; i < n; i++)
    w->to[object].longest_path =
      fmax (w->to[object].longest_path, farthest_from (&r.graph, w->size, r.sources[i], &own));
  return true;
}

/* By all threads. */
static void
follow_large_object (skeleton_work *w, int64_t object)
{
  const graph_room *r = &w->of_large;
  double longest = 0;
  const int64_t n = measure_object (w, object, &w->of_large);
#pragma omp parallel for schedule(dynamic) reduction(max : longest)
  for (int64_t i = 0; i < n; i++) {
    ways own = ways_of_thread (w);
    if (!progress_stopped (&w->progress))
      longest = fmax (longest, farthest_from (&r->graph, w->size, r->sources[i], &own));
    progress_step (&w->progress, 0);
  }
  w->to[object].longest_path = longest;
}

static void
follow_objects (skeleton_work *w, bool *left)
{
  const int64_t n = w->found->n;
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 0; i < n; i++) {
    if (progress_stopped (&w->progress))
      continue;
    left[i] = !follow_object (w, i);
    progress_step (&w->progress, !left[i]);
  }
  for (int64_t i = 0; i < n && !progress_stopped (&w->progress); i++)
    if (left[i]) {
      follow_large_object (w, i);
      progress_step (&w->progress, 1);
    }
}

static void
join_sizes (object_size *size, int64_t pixels, int64_t runs, int64_t steps)
{
  size->pixels = pixels > size->pixels ? pixels : size->pixels;
  size->runs = runs > size->runs ? runs : size->runs;
  size->steps = steps > size->steps ? steps : size->steps;
}

static fv_status
prepare (const fv_call *call, skeleton_work *w, fv_error *error)
{
  const regions *found = w->found;
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t i = 0; i < found->n; i++)
    w->to[i].branches = graph_steps (&found->items[i], w->volume);
  for (int64_t i = 0; i < found->n; i++) {
    const region *o = &found->items[i];
    join_sizes (&w->all, o->pixels, o->n_runs, w->to[i].branches);
    if (o->pixels <= LARGE_OBJECT)
      join_sizes (&w->each, o->pixels, o->n_runs, w->to[i].branches);
  }
  if (w->all.pixels >= INT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "An object has %lld pixels, and at most %d can be followed.",
                 (long long) w->all.pixels, INT32_MAX - 1);
  fv_status status = rooms_take (call, threads_at_most (), &w->each, kinds_of (w->volume), &w->of_threads, error);
  if (!status)
    status = rooms_take (call, 1, &w->all, kinds_of (w->volume), &w->of_large, error);
  return status ? status : ways_take (call, w, error);
}

/* ---- The table ---- */

fv_status
skeleton_make_table (const fv_call *call, int64_t rows, double **v, fv_error *error)
{
  const char *unit = call->inputs[0]->grid->unit;
  const fv_column columns[] = {
    {"z", "", "The slice that the object is in, counted from 1.", FV_COLUMN_INTEGER},
    {"label", "", "The object's label.", FV_COLUMN_INTEGER},
    {"branches", "", "How many branches it has.", FV_COLUMN_INTEGER},
    {"junctions", "", "Points where branches meet.", FV_COLUMN_INTEGER},
    {"ends", "", "How many ends it has.", FV_COLUMN_INTEGER},
    {"length", unit, "Length of all branches.", FV_COLUMN_FLOAT},
    {"longest_branch", unit, "Length of the longest branch.", FV_COLUMN_FLOAT},
    {"longest_path", unit, "The longest of the shortest ways from an end to another pixel.", FV_COLUMN_FLOAT},
  };
  return call->host->table (call, columns + !skeleton_has_slices (call), skeleton_columns (call), sizeof *columns, rows,
                            v, error);
}

void
skeleton_step_sizes (const fv_call *call, double size[SKELETON_KINDS])
{
  const double *spacing = call->inputs[0]->grid->spacing;
  for (int kind = 0; kind < SKELETON_KINDS; kind++) {
    const double z = kind & 4 ? spacing[0] : 0, y = kind & 2 ? spacing[1] : 0, x = kind & 1 ? spacing[2] : 0;
    size[kind] = sqrt (z * z + y * y + x * x);
  }
}

fv_status
skeleton_lengths_table (const fv_call *call, const regions *found, fv_error *error)
{
  skeleton_work w = {.found = found, .volume = ((const skeleton_lengths_args *) call->args)->volume};
  bool *left;
  double *v;
  skeleton_step_sizes (call, w.size);
  w.progress = (progress){call, .total = found->n};
  fv_status status = host_items (call, found->n, sizeof *w.to, &w.to, error);
  if (!status)
    status = host_items (call, found->n, sizeof *left, &left, error);
  if (!status)
    status = prepare (call, &w, error);
  if (status)
    return status;
  follow_objects (&w, left);
  if (w.progress.stop)
    return cancelled (error);
  status = skeleton_make_table (call, found->n, &v, error);
  for (int64_t i = 0; i < found->n && !status; i++)
    skeleton_put_row (&w.to[i], found->items[i].runs, skeleton_has_slices (call), i, found->n, v);
  return status;
}

static fv_status
skeleton_lengths_cpu (const fv_call *call, fv_error *error)
{
  regions found;
  fv_status status =
    regions_find (call, call->inputs[0], ((const skeleton_lengths_args *) call->args)->volume, &found, error);
  return status ? status : skeleton_lengths_table (call, &found, error);
}

/* ---- The operation ---- */

static fv_status
skeleton_lengths_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                        fv_error *error)
{
  (void) op, (void) args, (void) out;
  return regions_check_image (in[0], error);
}

const fv_op fv_op_skeleton_lengths = {
  FV_OP (skeleton_lengths_args),
  .key = "skeleton_lengths",
  .menu = "Analyze",
  .label = "Skeleton Lengths...",
  .search = "analyze skeleton branches junctions neurites neurons vessels network filaments tortuosity",
  .columns = (const fv_column_name[]){{"length", "Length"}, {0}},
  .help = "Measures the skeletons in a label image: their branches, junctions and ends, their length and longest path.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){{"image", "Labels",
                        "The label image of skeletons, as skeleton and label make it; all of a mask is one object.",
                        FV_INTEGERS | FV_WANTS_LABELS, false},
                       {0}},
  .params =
    (const fv_param[]){{FV_FIELD (skeleton_lengths_args, volume), .label = "3-D (whole stack)",
                        .help = "Follows skeletons through the planes of a stack, not in each plane by itself."},
                       {0}},
  .grain = grain_frame,
  .infer = skeleton_lengths_infer,
  .run = {[FV_CPU] = skeleton_lengths_cpu, [FV_CUDA] = FV_CUDA_FN (skeleton_lengths_cuda)},
};
