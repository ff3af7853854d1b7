/* SPDX-License-Identifier: MIT
 *
 * regionprops on the GPU: objects, table, then the parts that the asked properties need, each in kernels of its own
 * file (region_*.cu), which say what they read and write. The table is filled in on the device and comes back
 * in one piece.
 *
 * Synchronisations: the number of runs (24 bytes), the number of objects (8 bytes), the table; the height of the
 * tallest object (4 bytes) for feret_diameter_max. The convex hull of a volume is left to the CPU, which gets the
 * runs, not the pixels. The host's own memory is the host's scratch.
 */
#include "kernels/regions/region_measure.cuh"

#include "kernels/regions/region_hull.h"
#include "kernels/regions/regionprops.h"

/* ---- Convex hulls of volumes, by the CPU ---- */

typedef struct hull3_work {
  run *runs;
  region *items;
  char *memory; /* of all threads */
  size_t bytes; /* of one */
} hull3_work;

static fv_status
fetch_objects (const region_measure *m, hull3_work *w, fv_error *error)
{
  const fv_host *host = m->call->host;
  size_t runs = (size_t) m->s.n_runs * sizeof *w->runs, items = (size_t) m->s.n * sizeof *w->items;
  fv_status status = host->host_scratch (m->call, runs, (void **) &w->runs, error);
  if (!status)
    status = host->host_scratch (m->call, items, (void **) &w->items, error);
  if (!status)
    status = host->read (m->call, w->runs, m->s.runs, runs, error);
  if (!status)
    status = host->read (m->call, w->items, m->s.items, items, error);
  for (int64_t i = 0; i < m->s.n && !status; i++) {
    region *o = w->items + i;
    int32_t size[3];
    for (int a = 0; a < 3; a++)
      size[a] = o->high[a] - o->low[a];
    if ((status = hull3_check (size, error)))
      break;
    size_t bytes = (hull3_bytes (size) + 127) / 128 * 128;
    w->bytes = bytes > w->bytes ? bytes : w->bytes;
    o->runs = w->runs + o->first_run;
  }
  return status ? status
                : host->host_scratch (m->call, w->bytes * (size_t) threads_at_most (), (void **) &w->memory, error);
}

/* t: the table on the host. */
static fv_status
put_hulls3 (const region_measure *m, const region_table *t, const hull3_work *w, fv_error *error)
{
  progress p = {m->call, m->s.n, 0, 0};
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < m->s.n; i++) {
    const region *o = w->items + i;
    double feret = 0;
    if (progress_stopped (&p))
      continue;
    int64_t voxels =
      hull3_volume (o, w->memory + (size_t) thread_index () * w->bytes, t->spacing, m->need.feret ? &feret : NULL);
    put (t, P_area_convex, i, 0, (double) voxels * pixel_size (t));
    put (t, P_solidity, i, 0, (double) o->pixels / (double) voxels);
    put (t, P_feret_diameter_max, i, 0, feret);
    progress_step (&p, 1);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_status
measure_hulls3 (const region_measure *m, const region_table *t, fv_error *error)
{
  hull3_work w = {NULL, NULL, NULL, 0};
  fv_status status = fetch_objects (m, &w, error);
  return status ? status : put_hulls3 (m, t, &w, error);
}

/* ---- The order of the work ---- */

static fv_status
measure (region_measure *m, uint32_t columns, double *values, fv_error *error)
{
  static fv_status (*const parts[]) (region_measure *, fv_error *) = {
    region_measure_shapes, region_measure_hulls, region_measure_outlines, region_measure_intensities};
  enum { PARTS = sizeof parts / sizeof *parts };
  const fv_call *call = m->call;
  region_table on_host = m->t;
  bool hulls_on_host = m->t.volume && m->need.convex;
  fv_status status = cuda_scratch (call, m->s.n * columns, &m->t.values, error);
  if (!status) /* NaN: what no part writes is missing */
    status =
      cuda_status (cudaMemsetAsync (m->t.values, 0xff, (size_t) m->s.n * columns * sizeof *values, cuda_stream (call)),
                   "Measuring objects", error);
  for (int i = 0; i < PARTS && !status; i++) {
    if (call->host->tick (call, i, PARTS))
      return cancelled (error);
    if (parts[i] != region_measure_hulls || !m->t.volume)
      status = parts[i](m, error);
  }
  if (!status)
    status = call->host->read (call, values, m->t.values, (size_t) m->s.n * columns * sizeof *values, error);
  on_host.values = values;
  return status || !hulls_on_host ? status : measure_hulls3 (m, &on_host, error);
}

extern "C" fv_status
regionprops_cuda (const fv_call *call, fv_error *error)
{
  const regionprops_args *a = (const regionprops_args *) call->args;
  region_measure m = {};
  region_columns columns;
  double *values;
  void *memory;
  m.call = call, m.labels = call->inputs[0], m.intensity = call->inputs[1];
  const fv_grid *weights = m.intensity ? m.intensity->grid : NULL;
  fv_status status = call->host->host_scratch (call, region_columns_bytes (a, weights), &memory, error);
  if (status)
    return status;
  region_columns_make (&columns, &m.t, a, m.labels->grid, weights, memory);
  m.need = region_needs_of (&m.t);
  status = region_set_find (call, m.labels, a->volume, &m.s, error);
  m.t.rows = m.s.n;
  if (!status)
    status = call->host->table (call, columns.columns, columns.n, sizeof (fv_column), m.s.n, &values, error);
  if (!status && m.s.n)
    status = measure (&m, columns.n, values, error);
  return status;
}
