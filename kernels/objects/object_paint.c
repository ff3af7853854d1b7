/* SPDX-License-Identifier: MIT
 */
#include "kernels/objects/object_paint.h"
#include "kernels/common/rows.h"

static void
clear_row (const fv_call *call, const void *out, int64_t z, int64_t y)
{
  (void) call;
  memset (array_row (out, z, y), 0, (size_t) array_columns (out) * sizeof (int32_t));
}

fv_status
object_paint_cpu (const fv_call *call, const regions *found, const int32_t *to, const fv_array *out, fv_error *error)
{
  progress p = {call, .total = found->n};
  rows_each (call, array_planes (out), array_rows (out), clear_row, out, NULL);
#pragma omp parallel for schedule(dynamic, 64)
  for (int64_t i = 0; i < found->n; i++) {
    if (progress_stopped (&p))
      continue;
    for (int64_t k = 0; k < found->items[i].n_runs; k++) {
      const run *r = &found->items[i].runs[k];
      int32_t *row = array_row (out, r->z, r->y);
      for (int32_t x = r->x0; x < r->x1; x++)
        row[x] = to[i];
    }
    progress_step (&p, 1);
  }
  return p.stop ? cancelled (error) : FV_OK;
}
