/* SPDX-License-Identifier: MIT
 *
 * contrast and normalize on the CPU: limits, then one pass, some of a row at a time in double.
 */
#include "kernels/contrast/linear.h"
#include "kernels/common/rows.h"

#include <float.h>

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

/* SUMMED: of d. */
#define DEFINE_SUM(NAME, T, SCALE, SUMMED)                                                                             \
  VECTORISED static void NAME (const T *v, int64_t n, const exact_about *about, linear_sum *to)                        \
  {                                                                                                                    \
    const double unit = about->unit, center = about->center, scale = about->SCALE;                                     \
    for (int64_t end; n > 0; v += end, n -= end) {                                                                     \
      uint64_t counted = 0, sum = 0;                                                                                   \
      end = n < EXACT_TERMS ? n : EXACT_TERMS;                                                                         \
      _Pragma ("omp simd reduction(+ : counted, sum)") for (int64_t i = 0; i < end; i++)                               \
      {                                                                                                                \
        const double d = (double) v[i] * unit - center;                                                                \
        const uint64_t finite = fabs (d) <= DBL_MAX ? ~UINT64_C (0) : 0;                                               \
        counted -= finite;                                                                                             \
        sum += exact_term ((SUMMED) *scale) & finite;                                                                  \
      }                                                                                                                \
      to->n += (int64_t) counted;                                                                                      \
      exact_add (&to->sum, sum, (int64_t) counted);                                                                    \
    }                                                                                                                  \
  }
DEFINE_SUM (values_u8, uint8_t, value, d)
DEFINE_SUM (squares_u8, uint8_t, square, d *d)
DEFINE_SUM (values_u16, uint16_t, value, d)
DEFINE_SUM (squares_u16, uint16_t, square, d *d)
DEFINE_SUM (values_i32, int32_t, value, d)
DEFINE_SUM (squares_i32, int32_t, square, d *d)
DEFINE_SUM (values_f32, float, value, d)
DEFINE_SUM (squares_f32, float, square, d *d)
DEFINE_SUM (values_f64, double, value, d)
DEFINE_SUM (squares_f64, double, square, d *d)

static fv_status
sum_all (const pixels *p, const exact_about *about, bool squares, buffer *partial, progress *progress, linear_sum *all,
         fv_error *error)
{
  const fv_type type = p->array->grid->type;
  if (buffer_need (partial, progress->call, (size_t) p->pieces * sizeof (linear_sum), error))
    return error->code;
  linear_sum *parts = partial->data;
  *all = (linear_sum){0};
#pragma omp parallel for schedule(dynamic) if (p->pieces > 1)
  for (int64_t i = 0; i < p->pieces; i++) {
    const piece s = pixels_piece (p, i);
    if (progress_stopped (progress))
      continue;
    parts[i] = (linear_sum){0};
    for (int64_t y = 0; y < s.rows; y++)
      if (squares)
        WITH_TYPE (type, squares, pixels_row (p, &s, y), s.columns, about, &parts[i])
      else
        WITH_TYPE (type, values, pixels_row (p, &s, y), s.columns, about, &parts[i])
    progress_step (progress, 0);
  }
  for (int64_t i = 0; i < p->pieces && !progress->stop; i++)
    *all = linear_join (*all, parts[i]);
  return progress->stop ? cancelled (error) : FV_OK;
}

/* The mean, and what is a standard deviation more. */
static fv_status
deviation_limits (const pixels *p, buffer *partial, progress *progress, double limits[2], fv_error *error)
{
  double low, high;
  linear_sum all;
  if (pixels_range (p, partial, progress, &low, &high, error))
    return error->code;
  exact_about about = exact_about_center (low, high, 0);
  if (sum_all (p, &about, false, partial, progress, &all, error))
    return error->code;
  limits[0] = exact_mean (&about, all.sum, (double) all.n);
  about = exact_about_center (low, high, limits[0]);
  if (sum_all (p, &about, true, partial, progress, &all, error))
    return error->code;
  limits[1] = limits[0] + linear_deviation_of (&about, &all);
  return FV_OK;
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

DEFINE_POINT_MAP (map_floats, linear_map, linear_value)

VECTORISED static void
map_integers (double *v, int64_t n, const void *map)
{
  const linear_map m = *(const linear_map *) map;
  for (int64_t i = 0; i < n; i++)
    v[i] = floor (linear_value (v[i], &m));
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
    point_planes (call, first, together, out->grid->type & FV_INTEGERS ? map_integers : map_floats, &map, &progress);
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
