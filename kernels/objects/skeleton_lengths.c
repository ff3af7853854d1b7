/* SPDX-License-Identifier: MIT
 *
 * skeleton_lengths: of one object after the other a graph of its pixels, its branches and junctions as disjoint sets of them, and Dijkstra's
 * algorithm from each end.
 */
#include "kernels/objects/skeleton_lengths.h"

#include "kernels/common/union_find.h"

enum { MOST_NEIGHBORS = 26, KINDS = 8 };

/* ---- Pixels that are connected ---- */

/* An object's pixels in their order, and the neighbors of each. */
typedef struct pixel_graph {
  int64_t n;
  int64_t *first;  /* [n + 1] */
  int32_t *to;     /* [first[n]] */
  uint8_t *kind;   /* [first[n]]: of the step there, which axes it goes along: 4 z + 2 y + x */
  int64_t *offset; /* of each run: its first pixel */
} pixel_graph;

typedef struct connected {
  int n;
  int32_t to[MOST_NEIGHBORS];
  uint8_t kind[MOST_NEIGHBORS];
} connected;

/* The first run of a row that does not end before x, or one of a later row. */
static int64_t
run_from (const region *o, int64_t z, int64_t y, int64_t x)
{
  int64_t low = 0, high = o->n_runs;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    const run *r = &o->runs[middle];
    if (r->z < z || (r->z == z && (r->y < y || (r->y == y && r->x1 <= x))))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* offset: of each run; NULL: only their number is wanted. */
static void
connect_pixel (const region *o, const int64_t *offset, bool volume, int64_t z, int64_t y, int64_t x, connected *c)
{
  const int64_t deep = volume ? 1 : 0;
  c->n = 0;
  for (int64_t dz = -deep; dz <= deep; dz++)
    for (int64_t dy = -1; dy <= 1; dy++)
      for (int64_t k = run_from (o, z + dz, y + dy, x - 1); k < o->n_runs; k++) {
        const run *r = &o->runs[k];
        if (r->z != z + dz || r->y != y + dy || r->x0 > x + 1)
          break;
        for (int64_t i = r->x0 > x - 1 ? r->x0 : x - 1; i < r->x1 && i <= x + 1; i++) {
          if (!dz && !dy && i == x)
            continue;
          c->to[c->n] = offset ? (int32_t) (offset[k] + i - r->x0) : 0;
          c->kind[c->n++] = (uint8_t) ((dz ? 4 : 0) + (dy ? 2 : 0) + (i != x));
        }
      }
}

static int64_t
count_steps (const region *o, bool volume)
{
  connected c;
  int64_t n = 0;
  for (int64_t k = 0; k < o->n_runs; k++)
    for (int64_t x = o->runs[k].x0; x < o->runs[k].x1; x++) {
      connect_pixel (o, NULL, volume, o->runs[k].z, o->runs[k].y, x, &c);
      n += c.n;
    }
  return n;
}

static void
make_graph (const region *o, bool volume, pixel_graph *g)
{
  connected c;
  int64_t pixel = 0, step = 0;
  for (int64_t k = 0, n = 0; k < o->n_runs; n += o->runs[k].x1 - o->runs[k].x0, k++)
    g->offset[k] = n;
  for (int64_t k = 0; k < o->n_runs; k++)
    for (int64_t x = o->runs[k].x0; x < o->runs[k].x1; x++) {
      connect_pixel (o, g->offset, volume, o->runs[k].z, o->runs[k].y, x, &c);
      g->first[pixel++] = step;
      memcpy (g->to + step, c.to, (size_t) c.n * sizeof *c.to);
      memcpy (g->kind + step, c.kind, (size_t) c.n);
      step += c.n;
    }
  g->first[pixel] = step;
  g->n = pixel;
}

static int64_t
neighbors_of (const pixel_graph *g, int64_t pixel)
{
  return g->first[pixel + 1] - g->first[pixel];
}

static bool
is_junction (const pixel_graph *g, int64_t pixel)
{
  return neighbors_of (g, pixel) > 2;
}

static bool
is_end (const pixel_graph *g, int64_t pixel)
{
  return neighbors_of (g, pixel) < 2;
}

/* ---- Branches and junctions ---- */

typedef struct lengths {
  int64_t branches, junctions, ends;
  double length, longest_branch, longest_path;
} lengths;

/* link: of all pixels, branches and junctions; of: the length of each branch, at its root. */
static void
measure_parts (const pixel_graph *g, const double *size, int32_t *link, double *of, lengths *l)
{
  for (int64_t i = 0; i < g->n; i++) {
    link[i] = (int32_t) i;
    of[i] = 0;
  }
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
        of[forest_root (link, (int32_t) i)] += size[g->kind[k]];
  }
  for (int64_t i = 0; i < g->n; i++) {
    l->length += of[i];
    l->longest_branch = fmax (l->longest_branch, of[i]);
  }
}

/* ---- The longest path ---- */

/* What a thread needs to find its way: how far pixels are, and those that are to be looked at as a heap, the nearest first. Between two
 * searches nothing is near. */
typedef struct ways {
  double *far;
  int32_t *heap, *place; /* place: of a pixel in the heap; -1: not in it */
  int32_t *met;          /* pixels that are not infinitely far */
  int64_t n, n_met;
} ways;

static void
put_at (ways *w, int64_t i, int32_t pixel)
{
  w->heap[i] = pixel;
  w->place[pixel] = (int32_t) i;
}

static void
move_up (ways *w, int64_t i)
{
  const int32_t pixel = w->heap[i];
  for (; i && w->far[pixel] < w->far[w->heap[(i - 1) / 2]]; i = (i - 1) / 2)
    put_at (w, i, w->heap[(i - 1) / 2]);
  put_at (w, i, pixel);
}

static int32_t
take_nearest (ways *w)
{
  const int32_t nearest = w->heap[0], last = w->heap[--w->n];
  int64_t i = 0;
  w->place[nearest] = -1;
  if (!w->n)
    return nearest;
  for (int64_t k = 1; k < w->n; k = 2 * i + 1) {
    k += k + 1 < w->n && w->far[w->heap[k + 1]] < w->far[w->heap[k]];
    if (w->far[last] <= w->far[w->heap[k]])
      break;
    put_at (w, i, w->heap[k]);
    i = k;
  }
  put_at (w, i, last);
  return nearest;
}

/* How far the farthest pixel is that can be reached. */
static double
farthest_from (const pixel_graph *g, const double *size, int32_t source, ways *w)
{
  double farthest = 0;
  w->far[source] = 0;
  w->met[0] = source;
  put_at (w, 0, source);
  for (w->n = w->n_met = 1; w->n;) {
    const int32_t i = take_nearest (w);
    farthest = w->far[i];
    for (int64_t k = g->first[i]; k < g->first[i + 1]; k++) {
      const int32_t to = g->to[k];
      const double far = w->far[i] + size[g->kind[k]];
      if (!(far < w->far[to]))
        continue;
      if (w->far[to] == INFINITY)
        w->met[w->n_met++] = to;
      w->far[to] = far;
      if (w->place[to] < 0)
        put_at (w, w->n++, to);
      move_up (w, w->place[to]);
    }
  }
  for (int64_t i = 0; i < w->n_met; i++)
    w->far[w->met[i]] = INFINITY;
  return farthest;
}

/* ---- The work ---- */

typedef struct skeleton_work {
  const regions *found;
  bool volume;
  double size[KINDS]; /* of steps */
  int64_t pixels;     /* of the largest object */
  pixel_graph graph;
  int32_t *sources, *link;
  double *branch; /* lengths, at the roots of links */
  double *far;    /* of each thread, as what follows */
  int32_t *heap, *place, *met;
  lengths *to;
  progress progress;
} skeleton_work;

static ways
ways_of_thread (const skeleton_work *w)
{
  const int64_t at = thread_index () * w->pixels;
  return (ways){w->far + at, w->heap + at, w->place + at, w->met + at, 0, 0};
}

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

static void
measure_skeleton (skeleton_work *w, int64_t object)
{
  lengths *l = &w->to[object];
  double longest = 0;
  *l = (lengths){0};
  make_graph (&w->found->items[object], w->volume, &w->graph);
  measure_parts (&w->graph, w->size, w->link, w->branch, l);
  const int64_t n = find_sources (&w->graph, w->sources);
#pragma omp parallel for schedule(dynamic) reduction(max : longest) if (n > 64)
  for (int64_t i = 0; i < n; i++) {
    ways own = ways_of_thread (w);
    if (!progress_stopped (&w->progress))
      longest = fmax (longest, farthest_from (&w->graph, w->size, w->sources[i], &own));
    progress_step (&w->progress, 0);
  }
  l->longest_path = longest;
  progress_step (&w->progress, 1);
}

static fv_status
prepare (const fv_call *call, skeleton_work *w, fv_error *error)
{
  const regions *found = w->found;
  int64_t pixels = 0, runs = 0, steps = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(max : pixels, runs, steps)
  for (int64_t i = 0; i < found->n; i++) {
    const int64_t own = count_steps (&found->items[i], w->volume);
    pixels = found->items[i].pixels > pixels ? found->items[i].pixels : pixels;
    runs = found->items[i].n_runs > runs ? found->items[i].n_runs : runs;
    steps = own > steps ? own : steps;
  }
  if (pixels >= INT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "An object has %lld pixels, and at most %d can be followed.",
                 (long long) pixels, INT32_MAX - 1);
  w->pixels = pixels;
  const int64_t all = threads_at_most () * pixels;
  const struct {
    void *memory;
    int64_t n;
    size_t size;
  } wanted[] = {
    {&w->graph.first, pixels + 1, sizeof *w->graph.first},
    {&w->graph.offset, runs, sizeof *w->graph.offset},
    {&w->graph.to, steps, sizeof *w->graph.to},
    {&w->graph.kind, steps, sizeof *w->graph.kind},
    {&w->sources, pixels, sizeof *w->sources},
    {&w->link, pixels, sizeof *w->link},
    {&w->branch, pixels, sizeof *w->branch},
    {&w->far, all, sizeof *w->far},
    {&w->heap, all, sizeof *w->heap},
    {&w->place, all, sizeof *w->place},
    {&w->met, all, sizeof *w->met},
    {&w->to, found->n, sizeof *w->to},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (host_items (call, wanted[i].n, wanted[i].size, wanted[i].memory, error))
      return error->code;
  for (int64_t i = 0; i < all; i++) {
    w->far[i] = INFINITY;
    w->place[i] = -1;
  }
  return FV_OK;
}

static fv_status
write_table (const fv_call *call, const skeleton_work *w, fv_error *error)
{
  const fv_grid *grid = call->inputs[0]->grid;
  const bool slices = !w->volume && grid->shape[0] > 1;
  const fv_column columns[] = {
    {"z", "", "The slice that the object is in, counted from 1.", FV_COLUMN_INTEGER},
    {"label", "", "The object's label.", FV_COLUMN_INTEGER},
    {"branches", "", "How many branches it has.", FV_COLUMN_INTEGER},
    {"junctions", "", "At how many places branches meet.", FV_COLUMN_INTEGER},
    {"ends", "", "How many ends it has.", FV_COLUMN_INTEGER},
    {"length", grid->unit, "Length of all branches.", FV_COLUMN_FLOAT},
    {"longest_branch", grid->unit, "Length of the longest branch.", FV_COLUMN_FLOAT},
    {"longest_path", grid->unit, "The longest of the shortest ways from an end to another pixel.", FV_COLUMN_FLOAT},
  };
  enum { COLUMNS = sizeof columns / sizeof *columns };
  const int64_t n = w->found->n;
  double *v;
  fv_status status = call->host->table (call, columns + !slices, COLUMNS - !slices, sizeof *columns, n, &v, error);
  for (int64_t i = 0; i < n && !status; i++) {
    const region *o = &w->found->items[i];
    const lengths *l = &w->to[i];
    const double row[COLUMNS] = {o->low[0] + 1,    o->label,  (double) l->branches, (double) l->junctions,
                                 (double) l->ends, l->length, l->longest_branch,    l->longest_path};
    for (int64_t j = !slices; j < COLUMNS; j++)
      v[(j - !slices) * n + i] = row[j];
  }
  return status;
}

fv_status
skeleton_lengths_table (const fv_call *call, const regions *found, fv_error *error)
{
  skeleton_work w = {.found = found, .volume = ((const skeleton_lengths_args *) call->args)->volume};
  const double *spacing = call->inputs[0]->grid->spacing;
  for (int kind = 0; kind < KINDS; kind++) {
    const double z = kind & 4 ? spacing[0] : 0, y = kind & 2 ? spacing[1] : 0, x = kind & 1 ? spacing[2] : 0;
    w.size[kind] = sqrt (z * z + y * y + x * x);
  }
  w.progress = (progress){call, .total = found->n};
  fv_status status = prepare (call, &w, error);
  if (status)
    return status;
  for (int64_t i = 0; i < found->n && !progress_stopped (&w.progress); i++)
    measure_skeleton (&w, i);
  return w.progress.stop ? cancelled (error) : write_table (call, &w, error);
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

static fv_grain
skeleton_lengths_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_FRAME;
}

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
  .grain = skeleton_lengths_grain,
  .infer = skeleton_lengths_infer,
  .run = {[FV_CPU] = skeleton_lengths_cpu, [FV_CUDA] = FV_CUDA_FN (skeleton_lengths_cuda)},
};
