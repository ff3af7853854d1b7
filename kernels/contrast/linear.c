/* SPDX-License-Identifier: MIT
 *
 * contrast and normalize on the CPU: limits, then one pass, some of a row at a time in double.
 */
#include "kernels/contrast/linear.h"
#include "kernels/common/row.h"

#include <float.h>

enum { BLOCK = 1024 };

linear_rule
linear_rule_of (const fv_op *op, const void *args)
{
  const contrast_args *c = args;
  const normalize_args *n = args;
  if (op->user)
    return (linear_rule){LINEAR_SATURATED, {true, c->saturated, 0}, true, c->over};
  return (linear_rule){n->method, {false, n->low, n->high}, n->method == LINEAR_PERCENTILE && n->clip, n->over};
}

/* ---- Limits ---- */

#define DEFINE_SQUARES(NAME, T)                                                                                        \
  VECTORISED static double squares_##NAME (const T *v, int64_t n, double mean)                                         \
  {                                                                                                                    \
    double sum = 0;                                                                                                    \
    _Pragma ("omp simd reduction(+ : sum)") for (int64_t i = 0; i < n; i++)                                            \
    {                                                                                                                  \
      const double d = (double) v[i] - mean;                                                                           \
      sum += fabs (d) <= DBL_MAX ? d * d : 0;                                                                          \
    }                                                                                                                  \
    return sum;                                                                                                        \
  }
DEFINE_SQUARES (u8, uint8_t)
DEFINE_SQUARES (u16, uint16_t)
DEFINE_SQUARES (i32, int32_t)
DEFINE_SQUARES (f32, float)
DEFINE_SQUARES (f64, double)

/* The mean, and what is a standard deviation more; summed piece by piece. */
static fv_status
deviation_limits (const pixels *p, buffer *partial, progress *progress, double limits[2], fv_error *error)
{
  const fv_type type = p->array->grid->type;
  moments m;
  double sum = 0;
  if (pixels_moments (p, 0, HUGE_VAL, partial, progress, &m, error)
      || buffer_need (partial, progress->call, (size_t) p->pieces * sizeof (double), error))
    return error->code;
  const double mean = m.sum[0] / m.n[0];
  double *parts = partial->data;
#pragma omp parallel for schedule(dynamic) if (p->pieces > 1)
  for (int64_t i = 0; i < p->pieces; i++) {
    const piece s = pixels_piece (p, i);
    double part = 0, *to = &part;
    if (progress_stopped (progress))
      continue;
    for (int64_t y = 0; y < s.rows; y++)
      WITH_TYPE (type, *to += squares, pixels_row (p, &s, y), s.columns, mean)
    parts[i] = part;
    progress_step (progress, 0);
  }
  for (int64_t i = 0; i < p->pieces && !progress->stop; i++)
    sum += parts[i];
  limits[0] = mean;
  limits[1] = mean + sqrt (sum / m.n[0]);
  return progress->stop ? cancelled (error) : FV_OK;
}

static fv_status
find_limits (const pixels *p, const linear_rule *rule, buffer *memory, progress *progress, double limits[2],
             fv_error *error)
{
  switch (rule->method) {
  case LINEAR_RANGE: return pixels_range (p, memory, progress, &limits[0], &limits[1], error);
  case LINEAR_ZSCORE: return deviation_limits (p, memory, progress, limits, error);
  default: return ranks_limits (p, &rule->ranks, memory, progress, limits, error);
  }
}

/* ---- Pixels ---- */

VECTORISED static void
map_block (double *v, int64_t n, const linear_map *map, bool whole)
{
  const linear_map m = *map;
  for (int64_t i = 0; i < n; i++)
    v[i] = linear_value (v[i], &m);
  for (int64_t i = 0; i < n && whole; i++)
    v[i] = floor (v[i]);
}

static void
map_row (const fv_array *in, const fv_array *out, int64_t plane, int64_t y, const linear_map *map)
{
  const fv_type from = in->grid->type, to = out->grid->type;
  const int64_t columns = array_columns (in);
  double values[BLOCK];
  for (int64_t x = 0, n; x < columns; x += n) {
    n = columns - x < BLOCK ? columns - x : BLOCK;
    row_to_f64 (values, (const char *) array_row (in, plane, y) + x * (int64_t) type_bytes (from), from, n);
    map_block (values, n, map, to & FV_INTEGERS);
    row_from_f64 ((char *) array_row (out, plane, y) + x * (int64_t) type_bytes (to), to, values, n);
  }
}

static void
map_planes (const pixels *p, const fv_array *out, const linear_map *map, progress *progress)
{
  const int64_t rows = array_rows (out);
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t z = 0; z < p->planes; z++)
    for (int64_t y = 0; y < rows; y++) {
      if (progress_stopped (progress))
        continue;
      map_row (p->array, out, p->first + z, y, map);
      progress_step (progress, 1);
    }
}

fv_status
linear_cpu (const fv_call *call, fv_error *error)
{
  const linear_rule rule = linear_rule_of (call->op, call->args);
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t planes = array_planes (in), together = rule.over == LINEAR_PLANE ? 1 : planes;
  progress progress = {call, .total = 2 * planes * array_rows (in)};
  buffer memory = {0};
  for (int64_t first = 0; first < planes; first += together) {
    const pixels p = pixels_of (in, first, together);
    double *limits = call->scalars + 2 * (first / together);
    if (!call->given && find_limits (&p, &rule, &memory, &progress, limits, error))
      return error->code;
    const linear_map map = linear_map_of (&rule, limits, out->grid->type);
    map_planes (&p, out, &map, &progress);
    if (progress.stop)
      return cancelled (error);
  }
  return FV_OK;
}

int64_t
linear_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const linear_rule rule = linear_rule_of (op, args);
  return rule.method == LINEAR_RANGE || rule.method == LINEAR_ZSCORE ? 0 : (int64_t) ranks_bytes (in[0]->type);
}
