/* SPDX-License-Identifier: MIT
 */
#include "kernels/common/rows.h"

#include "kernels/common/row.h"

enum { BLOCK = 1024, MOST_ROWS = 64, TURNS = 8 };

static inline void
one_row (const fv_call *call, row_pass pass, const void *rule, int64_t plane, int64_t y, progress *p)
{
  if (p && progress_stopped (p))
    return;
  pass (call, rule, plane, y);
  if (p)
    progress_step (p, 1);
}

/* Rows that a thread takes at a time: each thread has several turns, also in small images. */
static int
rows_together (int64_t rows)
{
  const int64_t n = rows / (TURNS * threads_at_most ());
  return (int) (n < 1 ? 1 : n < MOST_ROWS ? n : MOST_ROWS);
}

void
rows_each (const fv_call *call, int64_t planes, int64_t rows, row_pass pass, const void *rule, progress *p)
{
  const int together = rows_together (planes * rows);
#pragma omp parallel for collapse(2) schedule(dynamic, together)
  for (int64_t plane = 0; plane < planes; plane++)
    for (int64_t y = 0; y < rows; y++)
      one_row (call, pass, rule, plane, y, p);
}

fv_status
rows_of (const fv_call *call, const fv_array *over, row_pass pass, const void *rule, fv_error *error)
{
  progress p = {call, .total = array_planes (over) * array_rows (over)};
  rows_each (call, array_planes (over), array_rows (over), pass, rule, &p);
  return p.stop ? cancelled (error) : FV_OK;
}

fv_status
rows_cpu (const fv_call *call, row_pass pass, const void *rule, fv_error *error)
{
  return rows_of (call, call->outputs[0], pass, rule, error);
}

void
point_row (const fv_array *out, const fv_array *in, int64_t plane, int64_t y, point_map map, const void *rule)
{
  const fv_type from = in->grid->type, to = out->grid->type;
  double values[BLOCK];
  for (int64_t x = 0, n; x < array_columns (in); x += n) {
    n = array_columns (in) - x < BLOCK ? array_columns (in) - x : BLOCK;
    row_to_f64 (values, (const char *) array_row (in, plane, y) + x * (int64_t) type_bytes (from), from, n);
    if (map)
      map (values, n, rule);
    row_from_f64 ((char *) array_row (out, plane, y) + x * (int64_t) type_bytes (to), to, values, n);
  }
}

typedef struct point_job {
  int64_t first;
  point_map map;
  const void *rule;
} point_job;

static void
point_pass (const fv_call *call, const void *rule, int64_t plane, int64_t y)
{
  const point_job *j = rule;
  point_row (call->outputs[0], call->inputs[0], j->first + plane, y, j->map, j->rule);
}

void
point_planes (const fv_call *call, int64_t first, int64_t planes, point_map map, const void *rule, progress *p)
{
  const point_job job = {first, map, rule};
  rows_each (call, planes, array_rows (call->outputs[0]), point_pass, &job, p);
}

fv_status
point_cpu (const fv_call *call, point_map map, const void *rule, fv_error *error)
{
  return rows_cpu (call, point_pass, &(point_job){0, map, rule}, error);
}
