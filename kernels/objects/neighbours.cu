/* SPDX-License-Identifier: MIT
 *
 * neighbours on the GPU. Objects are found as regionprops does it; their runs, sorted by row, are the rows in which objects look around them.
 * Whom an object has met is kept in one hash table of pairs, which is made larger until it has room. Centroids and the table are the host's.
 *
 *   key_runs, put_pieces  a thread a run: 32 bytes read, 24 written.
 *   begin_rows            a thread a row.
 *   look_from_objects     a team an object: as in neighbours_search.h; 72 bytes written an object.
 * Between them CUB's radix sort. Synchronizations: those of region_runs.cu, whether the hash table had room (4 bytes), the objects. What has too
 * many pairs is left to the host.
 */
#include <cub/device/device_radix_sort.cuh>

#include "kernels/morphology/distance.h"
#include "kernels/objects/neighbours.h"
#include "kernels/objects/neighbours_search.h"
#include "kernels/regions/region_runs.cuh"

enum {
  X_BITS = 30,
  PAIRS_EACH = 64,      /* room for so many pairs an object at first */
  MOST_PAIRS = 1 << 28, /* room at most */
  PROBES = 64,          /* slots that are tried for a pair */
};

/* ---- Whom objects have met ---- */

/* Of all, and whom this thread has met last, as near and as touching. */
typedef struct edge_meetings {
  unsigned long long *pairs; /* all bits set: none */
  uint32_t mask;
  int32_t *full;
  int32_t last[2];
} edge_meetings;

/* A pair that no thread has met before. */
SEARCH bool
pair_is_new (const edge_meetings *met, unsigned long long pair)
{
  const unsigned long long none = ~0ull;
  uint32_t at = (uint32_t) ((pair * 0x9e3779b97f4a7c15ull) >> 32);
  for (int i = 0; i < PROBES; i++, at++) {
    unsigned long long *slot = met->pairs + (at & met->mask);
    unsigned long long there = *(volatile unsigned long long *) slot;
    if (there == none && (there = atomicCAS (slot, none, pair)) == none)
      return true;
    if (there == pair)
      return false;
  }
  *met->full = 1;
  return false;
}

SEARCH bool
edge_first_met (edge_search *s, int32_t object, bool touches)
{
  int32_t *last = &s->met->last[touches ? 1 : 0];
  if (*last == object)
    return false;
  *last = object;
  return pair_is_new (s->met, (((unsigned long long) s->object << 31) | (unsigned long long) object) << 1
                                | (unsigned long long) touches);
}

/* ---- Rows ---- */

struct key_runs {
  const run *runs;
  int64_t rows;
  uint64_t *keys;
  int32_t *numbers;

  __device__ void operator() (int64_t i) const
  {
    const run r = runs[i];
    keys[i] = (uint64_t) (r.z * rows + r.y) << X_BITS | (uint64_t) r.x0;
    numbers[i] = (int32_t) i;
  }
};

struct put_pieces {
  region_set s;
  const int32_t *numbers;
  row_piece *to;

  __device__ void operator() (int64_t i) const
  {
    const run r = s.runs[numbers[i]];
    to[i] = {r.x0, r.x1, s.owner[numbers[i]]};
  }
};

/* The first piece of each row, and after the last row their number. */
struct begin_rows {
  const uint64_t *keys;
  int64_t n;
  int64_t *first;

  __device__ void operator() (int64_t row) const
  {
    int64_t low = 0, high = n;
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      if ((int64_t) (keys[middle] >> X_BITS) < row)
        low = middle + 1;
      else
        high = middle;
    }
    first[row] = low;
  }
};

static fv_status
rows_make (const fv_call *call, const region_set *s, object_rows *rows, fv_error *error)
{
  const int64_t n = s->n_runs, all = array_planes (call->inputs[0]) * array_rows (call->inputs[0]);
  const int bits = X_BITS + 64 - __builtin_clzll ((uint64_t) all);
  uint64_t *keys[2];
  int32_t *numbers[2];
  cub::DoubleBuffer<uint64_t> key;
  cub::DoubleBuffer<int32_t> number;
  size_t bytes = 0;
  char *temporary;
  fv_status status = FV_OK;
  rows->planes = array_planes (call->inputs[0]), rows->rows = array_rows (call->inputs[0]);
  cub::DeviceRadixSort::SortPairs (nullptr, bytes, key, number, n, 0, bits, cuda_stream (call));
  for (int i = 0; i < 2 && !status; i++)
    if (!(status = cuda_scratch (call, (size_t) n, &keys[i], error)))
      status = cuda_scratch (call, (size_t) n, &numbers[i], error);
  if (!status)
    status = cuda_scratch (call, bytes, &temporary, error);
  if (!status)
    status = cuda_scratch (call, (size_t) n, &rows->pieces, error);
  if (!status)
    status = cuda_scratch (call, (size_t) all + 1, &rows->first, error);
  if (!status)
    status = for_each_item (call, n, key_runs{s->runs, rows->rows, keys[0], numbers[0]}, error);
  if (status)
    return status;
  key = cub::DoubleBuffer<uint64_t> (keys[0], keys[1]);
  number = cub::DoubleBuffer<int32_t> (numbers[0], numbers[1]);
  status = cuda_status (cub::DeviceRadixSort::SortPairs (temporary, bytes, key, number, n, 0, bits, cuda_stream (call)),
                        "Sorting runs", error);
  if (!status)
    status = for_each_item (call, n, put_pieces{*s, number.Current (), rows->pieces}, error);
  return status ? status : for_each_item (call, all + 1, begin_rows{key.Current (), n, rows->first}, error);
}

/* ---- Edges ---- */

struct takes_nearest {
  __device__ nearest_object operator() (nearest_object a, const nearest_object &b) const
  {
    take_nearer (&a, b.squared, b.object);
    return a;
  }
};

struct look_from_objects {
  region_set s;
  edge_space space;
  edge_meetings met;
  neighbor_object *to;

  __device__ int32_t plane (int64_t i) const
  {
    return s.runs[s.first[i]].z;
  }

  /* Whether no other object is in its group. */
  __device__ bool is_alone (int64_t i) const
  {
    const bool before = i > 0 && (space.volume || plane (i - 1) == plane (i));
    return !before && !(i + 1 < s.n && (space.volume || plane (i + 1) == plane (i)));
  }

  template <typename TEAM> __device__ neighbor_counts look (TEAM &t, int64_t i, const run *runs, int64_t n) const
  {
    edge_meetings own = met;
    edge_search search = {&space, (int32_t) i, {0, 0, {INFINITY, -1}}, &own};
    for (int64_t k = 0; k < n; k += TEAM::size) {
      if (k + t.rank < n)
        edge_look_everywhere (&search, runs, k + t.rank, n);
      search.found.nearest = t.reduce (search.found.nearest, takes_nearest ());
    }
    search.found.touching = team_sum (t, search.found.touching);
    search.found.near = team_sum (t, search.found.near);
    return search.found;
  }

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i, int64_t) const
  {
    const run *runs = s.runs + s.first[i];
    const int64_t n = region_end (s, i) - s.first[i];
    neighbor_object own = {runs->z, runs->label, {0, 0, 0}, {0, 0, {INFINITY, -1}}};
    int64_t pixels = 0;
    for (int64_t k = t.rank; k < n; k += TEAM::size) {
      centroid_add (&runs[k], own.centroid);
      pixels += runs[k].x1 - runs[k].x0;
    }
    pixels = team_sum (t, pixels);
    for (int axis = 0; axis < 3; axis++)
      own.centroid[axis] = team_sum (t, own.centroid[axis]) * (space.step[axis] / (double) pixels);
    if (!is_alone (i))
      own.by_edge = look (t, i, runs, n);
    if (t.rank == 0)
      to[i] = own;
  }
};

template <> struct blocks_that_fit<look_from_objects> {
  enum { value = 3 };
};

/* Room for that many pairs, a power of two. */
static fv_status
meetings_take (const fv_call *call, int64_t room, edge_meetings *met, fv_error *error)
{
  met->mask = (uint32_t) (room - 1);
  met->last[0] = met->last[1] = -1;
  fv_status status = cuda_scratch (call, (size_t) room, &met->pairs, error);
  if (!status)
    status = cuda_scratch (call, 1, &met->full, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (met->pairs, 0xff, (size_t) room * sizeof *met->pairs, cuda_stream (call)),
                          "Finding neighbors", error);
  return status ? status
                : cuda_status (cudaMemsetAsync (met->full, 0, sizeof *met->full, cuda_stream (call)),
                               "Finding neighbors", error);
}

/* *full: there are too many pairs. */
static fv_status
look_for_edges (const fv_call *call, const region_set *s, look_from_objects *body, int32_t *full, fv_error *error)
{
  int64_t room = 1024;
  fv_status status = FV_OK;
  while (room < PAIRS_EACH * s->n)
    room *= 2;
  for (*full = 1; *full && room <= MOST_PAIRS && !status; room *= 8) {
    status = meetings_take (call, room, &body->met, error);
    if (!status)
      status = for_each_object (call, s, s->n, *body, error);
    if (!status)
      status = call->host->read (call, full, body->met.full, sizeof *full, error);
  }
  return status;
}

/* ---- The work ---- */

static fv_status
measure_on_host (const fv_call *call, fv_error *error)
{
  region_set s;
  regions found;
  fv_status status =
    region_set_fetch (call, call->inputs[0], ((const neighbours_args *) call->args)->volume, &s, &found, error);
  return status ? status : neighbours_measure (call, &found, error);
}

extern "C" fv_status
neighbours_cuda (const fv_call *call, fv_error *error)
{
  const neighbours_args *a = (const neighbours_args *) call->args;
  const distance_args units = {.units = a->units};
  look_from_objects body = {};
  neighbor_object *objects;
  int32_t full = 0;
  body.space.limit = neighbours_limit (call), body.space.volume = a->volume;
  distance_steps (&units, call->inputs[0]->grid, body.space.step);
  if (call->host->tick (call, 0, 2))
    return cancelled (error);
  fv_status status = region_set_find (call, call->inputs[0], a->volume, &body.s, error);
  if (status || !body.s.n)
    return status ? status : neighbours_table (call, NULL, 0, error);
  if (call->host->tick (call, 1, 2))
    return cancelled (error);
  const size_t bytes = (size_t) body.s.n * sizeof *objects;
  status = rows_make (call, &body.s, &body.space.rows, error);
  if (!status)
    status = cuda_scratch (call, (size_t) body.s.n, &body.to, error);
  if (!status)
    status = look_for_edges (call, &body.s, &body, &full, error);
  if (status || full)
    return status ? status : measure_on_host (call, error);
  status = call->host->host_scratch (call, bytes, (void **) &objects, error);
  if (!status)
    status = call->host->read (call, objects, body.to, bytes, error);
  return status ? status : neighbours_table (call, objects, body.s.n, error);
}
