/* SPDX-License-Identifier: MIT
 *
 * regionprops on the GPU: objects, table, then the parts that the asked properties need, each in kernels of its own
 * file (region_*.cu), which say what they read and write. The table is filled in on the device and comes back
 * in one piece.
 *
 * Synchronization: the number of runs (24 bytes), the number of objects (8 bytes), the table; the height of the tallest object (4 bytes) for
 * feret_diameter_max. For the convex hulls and surfaces of a volume see region_solids.cu. The host's own memory is the host's scratch.
 */
#include "kernels/regions/region_measure.cuh"

#include "kernels/regions/regionprops.h"

/* ---- The order of the work ---- */

static fv_status
measure (region_measure *m, uint32_t columns, double *values, fv_error *error)
{
  static fv_status (*const parts[]) (region_measure *, fv_error *) = {
    region_measure_shapes, region_measure_hulls, region_measure_outlines, region_measure_intensities};
  enum { PARTS = sizeof parts / sizeof *parts };
  const fv_call *call = m->call;
  region_table on_host = m->t;
  bool some_on_host = m->t.volume && (m->need.convex || m->need.surface);
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
  return status || !some_on_host ? status : region_measure_solids (m, &on_host, error);
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
