/* SPDX-License-Identifier: MIT
 *
 * Convex hulls and surfaces of volumes: the CPU makes them. Hulls are made of the ends of each object's rows: the GPU joins the runs of a row, which
 * are many in an object with holes, so that no more comes back than those ends. Surfaces need all runs.
 *
 *   join_rows    a thread a run: 28 bytes read, at most 20 written.
 * Before it CUB's scan numbers the rows. Synchronizations: the number of rows (4 bytes), the rows or runs, their numbers, the objects.
 */
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "kernels/regions/region_measure.cuh"
#include "kernels/regions/region_solids.h"
#include "kernels/regions/region_surface.h"

/* 1 for the first run of each row of each object. */
struct begins_row {
  const run *runs;
  const int32_t *owner;

  __host__ __device__ int32_t operator() (int32_t i) const
  {
    return i == 0 || owner[i] != owner[i - 1] || runs[i].y != runs[i - 1].y || runs[i].z != runs[i - 1].z;
  }
};

/* number: of each run's row, from 1. first: row of each object. */
struct join_rows {
  begins_row begins;
  const int32_t *number;
  int64_t n;
  run *rows;
  int32_t *first;

  __device__ void operator() (int64_t i) const
  {
    run r = begins.runs[i], *row = rows + (number[i] - 1);
    if (begins ((int32_t) i))
      row->label = r.label, row->z = r.z, row->y = r.y, row->x0 = r.x0;
    if (i + 1 == n || number[i + 1] != number[i])
      row->x1 = r.x1;
    if (i == 0 || begins.owner[i] != begins.owner[i - 1])
      first[begins.owner[i]] = number[i] - 1;
  }
};

/* Rows on the device. */
static fv_status
find_object_rows (const region_measure *m, run **rows, int32_t **first, int32_t *n_rows, fv_error *error)
{
  const fv_call *call = m->call;
  const region_set *s = &m->s;
  begins_row begins = {s->runs, s->owner};
  auto flags = thrust::make_transform_iterator (thrust::counting_iterator<int32_t> (0), begins);
  int32_t *number;
  char *temporary;
  size_t bytes = 0;
  cub::DeviceScan::InclusiveSum (nullptr, bytes, flags, (int32_t *) nullptr, s->n_runs, cuda_stream (call));
  fv_status status = cuda_scratch (call, s->n_runs, &number, error);
  if (!status)
    status = cuda_scratch (call, s->n, first, error);
  if (!status)
    status = cuda_scratch (call, (int64_t) bytes, &temporary, error);
  if (!status)
    status =
      cuda_status (cub::DeviceScan::InclusiveSum (temporary, bytes, flags, number, s->n_runs, cuda_stream (call)),
                   "Finding rows", error);
  if (!status)
    status = call->host->read (call, n_rows, number + s->n_runs - 1, sizeof *n_rows, error);
  if (!status)
    status = cuda_scratch (call, *n_rows, rows, error);
  return status ? status : for_each_item (call, s->n_runs, join_rows{begins, number, s->n_runs, *rows, *first}, error);
}

template <typename T>
static fv_status
bring_home (const fv_call *call, const T *from, int64_t n, T **to, fv_error *error)
{
  fv_status status = host_items (call, n, sizeof (T), to, error);
  return status ? status : call->host->read (call, *to, from, (size_t) n * sizeof (T), error);
}

/* The objects on the host, with runs, or rows, that are brought there. */
static fv_status
bring_objects (const region_measure *m, const run *from, int64_t n_runs, const int32_t *from_first, region **items,
               fv_error *error)
{
  const fv_call *call = m->call;
  const int64_t n = m->s.n;
  run *runs;
  int32_t *first;
  fv_status status = bring_home (call, from, n_runs, &runs, error);
  if (!status)
    status = bring_home (call, from_first, n, &first, error);
  if (!status)
    status = bring_home (call, m->s.items, n, items, error);
  for (int64_t i = 0; i < n && !status; i++) {
    region *o = *items + i;
    o->runs = runs + first[i], o->first_run = first[i];
    o->n_runs = (i + 1 < n ? first[i + 1] : n_runs) - first[i];
  }
  return status;
}

static fv_status
measure_hulls (const region_measure *m, const region_table *t, fv_error *error)
{
  run *rows;
  int32_t *first, n_rows;
  region *items;
  fv_status status = find_object_rows (m, &rows, &first, &n_rows, error);
  if (!status)
    status = bring_objects (m, rows, n_rows, first, &items, error);
  return status ? status : region_solids (m->call, items, m->s.n, t, error);
}

static fv_status
measure_surfaces (const region_measure *m, const region_table *t, fv_error *error)
{
  region *items;
  fv_status status = bring_objects (m, m->s.runs, m->s.n_runs, m->s.first, &items, error);
  return status ? status : region_surfaces (m->call, items, m->s.n, t, error);
}

fv_status
region_measure_solids (const region_measure *m, const region_table *t, fv_error *error)
{
  fv_status status = m->need.convex ? measure_hulls (m, t, error) : FV_OK;
  return status || !m->need.surface ? status : measure_surfaces (m, t, error);
}
