/* SPDX-License-Identifier: MIT
 */
#include "kernels/display/stretch.h"

const char *const stretch_names[STRETCHES] = {"linear", "log", "asinh", "sqrt", "power"};

stretch_kind
stretch_find (const char *name, size_t n)
{
  int kind = 0;
  while (kind < STRETCHES && (strncmp (stretch_names[kind], name, n) || stretch_names[kind][n]))
    kind++;
  return (stretch_kind) kind;
}

bool
stretch_range (stretch_kind kind, double *least, double *most, double *usual)
{
  static const struct {
    double least, most, usual;
  } ranges[STRETCHES] = {
    [STRETCH_LOG] = {0.01, 1e9, 1000}, [STRETCH_ASINH] = {1e-6, 1000, 0.1}, [STRETCH_POWER] = {0.01, 100, 2}};
  *least = ranges[kind].least;
  *most = ranges[kind].most;
  *usual = ranges[kind].usual;
  return *usual > 0;
}

stretch
stretch_make (stretch_kind kind, double a)
{
  double least, most, usual;
  stretch s = {.kind = kind, .whole = 1};
  if (!stretch_range (kind, &least, &most, &usual))
    return s;
  s.a = (float) (a == 0 ? usual : a);
  s.whole = kind == STRETCH_LOG ? logf (1 + s.a) : asinhf (1 / s.a);
  return s;
}

/* Inlined where `kind` is a constant. */
INLINE void
levels_of (int32_t kind, const stretch *s, const double *v, int64_t n, double low, double scale, int32_t most,
           int32_t *restrict k)
{
  const float a = s->a, whole = s->whole, all = (float) most, part = 1 / all;
  for (int64_t i = 0; i < n; i++) {
    double t = (v[i] - low) * scale;
    t = t > 0 ? t : 0;
    t = t < (double) most ? t : (double) most;
    k[i] = (int32_t) (stretch_value (kind, a, whole, (float) t * part) * all + 0.5f);
  }
}

VECTORISED void
stretch_levels (const stretch *s, const double *v, int64_t n, double low, double scale, int32_t most, int32_t *k)
{
  if (s->kind == STRETCH_LOG)
    levels_of (STRETCH_LOG, s, v, n, low, scale, most, k);
  else if (s->kind == STRETCH_ASINH)
    levels_of (STRETCH_ASINH, s, v, n, low, scale, most, k);
  else
    levels_of (STRETCH_SQRT, s, v, n, low, scale, most, k);
}
