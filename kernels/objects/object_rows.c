/* SPDX-License-Identifier: MIT
 *
 * Runs are counted, dealt to their rows, and sorted in each.
 */
#include "kernels/objects/object_rows.h"

#include <stdlib.h>

static int
compare_pieces (const void *a, const void *b)
{
  const row_piece *p = a, *q = b;
  return (p->x0 > q->x0) - (p->x0 < q->x0);
}

static void
deal_pieces (const regions *found, object_rows *to, int64_t *next)
{
  for (int64_t i = 0; i < found->n; i++)
    for (int64_t k = 0; k < found->items[i].n_runs; k++) {
      const run *r = &found->items[i].runs[k];
      to->pieces[next[object_row (to, r->z, r->y)]++] = (row_piece){r->x0, r->x1, (int32_t) i};
    }
}

fv_status
object_rows_make (const fv_call *call, const fv_array *labels, const regions *found, object_rows *to, fv_error *error)
{
  const int64_t n = array_planes (labels) * array_rows (labels);
  int64_t *next;
  to->planes = array_planes (labels);
  to->rows = array_rows (labels);
  fv_status status = host_items (call, found->n_runs, sizeof *to->pieces, &to->pieces, error);
  if (!status)
    status = host_items (call, n + 1, sizeof *to->first, &to->first, error);
  if (!status)
    status = host_items (call, n, sizeof *next, &next, error);
  if (status)
    return status;
  memset (to->first, 0, (size_t) (n + 1) * sizeof *to->first);
  for (int64_t i = 0; i < found->n_runs; i++)
    to->first[object_row (to, found->runs[i].z, found->runs[i].y) + 1]++;
  for (int64_t row = 0; row < n; row++)
    to->first[row + 1] += to->first[row];
  memcpy (next, to->first, (size_t) n * sizeof *next);
  deal_pieces (found, to, next);
#pragma omp parallel for schedule(dynamic, 64)
  for (int64_t row = 0; row < n; row++)
    qsort (to->pieces + to->first[row], (size_t) (to->first[row + 1] - to->first[row]), sizeof *to->pieces,
           compare_pieces);
  return FV_OK;
}
