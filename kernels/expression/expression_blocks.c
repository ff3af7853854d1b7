/* SPDX-License-Identifier: MIT
 *
 * For each function, and float and double: one value, and a block in a loop that the compiler vectorizes. Mathematical functions come from the
 * vectors of the C library where it has them. Their results then differ from its scalar ones by some units in the last digit; NaN and infinities do
 * not.
 */
/* Code does not read errno or the flags of exceptions, which would keep loops scalar. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-math-errno", "no-trapping-math")
#endif
#include "kernels/expression/expression_blocks.h"

#include <tgmath.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__clang__)                          \
  && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if __GLIBC_PREREQ(2, 35)
#define IN_VECTORS __attribute__ ((simd ("notinbranch"), const, nothrow))
#define UNARY_IN_VECTORS(F)                                                                                            \
  extern float F##f (float) IN_VECTORS;                                                                                \
  extern double (F) (double) IN_VECTORS;
#define BINARY_IN_VECTORS(F)                                                                                           \
  extern float F##f (float, float) IN_VECTORS;                                                                         \
  extern double (F) (double, double) IN_VECTORS;
UNARY_IN_VECTORS (exp)
UNARY_IN_VECTORS (exp2)
UNARY_IN_VECTORS (expm1)
UNARY_IN_VECTORS (log)
UNARY_IN_VECTORS (log2)
UNARY_IN_VECTORS (log10)
UNARY_IN_VECTORS (log1p)
UNARY_IN_VECTORS (sin)
UNARY_IN_VECTORS (cos)
UNARY_IN_VECTORS (tan)
UNARY_IN_VECTORS (asin)
UNARY_IN_VECTORS (acos)
UNARY_IN_VECTORS (atan)
UNARY_IN_VECTORS (sinh)
UNARY_IN_VECTORS (cosh)
UNARY_IN_VECTORS (tanh)
UNARY_IN_VECTORS (cbrt)
BINARY_IN_VECTORS (atan2)
BINARY_IN_VECTORS (pow)
BINARY_IN_VECTORS (hypot)
#endif
#endif

#define ONE(TYPE, NAME, SUFFIX, ...)                                                                                   \
  INLINE TYPE one_##NAME##_##SUFFIX (TYPE a, TYPE b, TYPE c)                                                           \
  {                                                                                                                    \
    typedef TYPE T;                                                                                                    \
    (void) b, (void) c, (void) (T) 0;                                                                                  \
    __VA_ARGS__                                                                                                        \
  }
#define BLOCK(TYPE, NAME, SUFFIX, ARGUMENTS)                                                                           \
  VECTORISED static void block_##NAME##_##SUFFIX (TYPE *to, const TYPE *a, const TYPE *b, const TYPE *c, int n)        \
  {                                                                                                                    \
    _Pragma ("GCC ivdep") for (int i = 0; i < n; i++) to[i] =                                                          \
      one_##NAME##_##SUFFIX (a[i], ARGUMENTS > 1 ? b[i] : 0, ARGUMENTS > 2 ? c[i] : 0);                                \
  }
#define FUNCTION(NAME, ARGUMENTS, TRUTH, ...)                                                                          \
  ONE (float, NAME, f32, __VA_ARGS__)                                                                                  \
  BLOCK (float, NAME, f32, ARGUMENTS)                                                                                  \
  ONE (double, NAME, f64, __VA_ARGS__)                                                                                 \
  BLOCK (double, NAME, f64, ARGUMENTS)
#include "kernels/expression/expression_functions.h"
#undef FUNCTION

double
expression_scalar (int function, double a, double b, double c)
{
  switch (function) {
#define FUNCTION(NAME, ARGUMENTS, TRUTH, ...)                                                                          \
  case FN_##NAME:                                                                                                      \
    return one_##NAME##_f64 (a, b, c);
#include "kernels/expression/expression_functions.h"
#undef FUNCTION
  default: return NAN;
  }
}

/* fmod() of the C library takes a value at a time. Where no quotient of a block is large, the remainder is exact by other means. The product of
 * quotient and divisor is exact: in double for float, and by a fused sum for double. A quotient that was rounded up gives a remainder of the other
 * sign. */
INLINE float
short_fmod_f32 (float a, float b)
{
  double r = (double) a - trunc ((double) a / (double) b) * (double) b;
  return (float) copysign ((r < 0) != (a < 0) && r != 0 ? r + ((r < 0) != (b < 0) ? b : -b) : r, (double) a);
}

INLINE double
short_fmod_f64 (double a, double b)
{
  double r = __builtin_fma (-trunc (a / b), b, a);
  return copysign ((r < 0) != (a < 0) && r != 0 ? r + ((r < 0) != (b < 0) ? b : -b) : r, a);
}

#define SHORT_BLOCK(TYPE, NAME, SUFFIX, ...)                                                                           \
  VECTORISED static void short_##NAME##_##SUFFIX (TYPE *to, const TYPE *a_, const TYPE *b_, int n)                     \
  {                                                                                                                    \
    _Pragma ("GCC ivdep") for (int i = 0; i < n; i++)                                                                  \
    {                                                                                                                  \
      const TYPE a = a_[i], b = b_[i], r = short_fmod_##SUFFIX (a, b);                                                 \
      to[i] = __VA_ARGS__;                                                                                             \
    }                                                                                                                  \
  }
#define SHORT_REMAINDERS(TYPE, SUFFIX)                                                                                 \
  VECTORISED static bool is_short_##SUFFIX (const TYPE *a, const TYPE *b, int n)                                       \
  {                                                                                                                    \
    int long_ones = 0;                                                                                                 \
    for (int i = 0; i < n; i++)                                                                                        \
      long_ones += !(fabs (a[i] / b[i]) < (TYPE) 0x1p22) | !(fabs (b[i]) < (TYPE) INFINITY);                           \
    return !long_ones;                                                                                                 \
  }                                                                                                                    \
  /* (a - r) / b is whole but for rounding that is far below a half. */                                                \
  INLINE TYPE whole_##SUFFIX (TYPE a, TYPE b, TYPE r)                                                                  \
  {                                                                                                                    \
    TYPE q = rint ((a - r) / b) - (r != 0 && (r < 0) != (b < 0) ? 1 : 0);                                              \
    return q == 0 ? copysign ((TYPE) 0, a / b) : q;                                                                    \
  }                                                                                                                    \
  SHORT_BLOCK (TYPE, fmods, SUFFIX, r)                                                                                 \
  SHORT_BLOCK (TYPE, mods, SUFFIX, r == 0 ? copysign ((TYPE) 0, b) : (r < 0) != (b < 0) ? r + b : r)                   \
  SHORT_BLOCK (TYPE, wholes, SUFFIX, whole_##SUFFIX (a, b, r))
SHORT_REMAINDERS (float, f32)
SHORT_REMAINDERS (double, f64)

void
expression_block_f32 (int function, float *to, const float *a, const float *b, const float *c, int n)
{
  static void (*const blocks[]) (float *, const float *, const float *, const float *, int) = {
#define FUNCTION(NAME, ARGUMENTS, TRUTH, ...) block_##NAME##_f32,
#include "kernels/expression/expression_functions.h"
#undef FUNCTION
  };
  if (function == FN_mod && is_short_f32 (a, b, n))
    short_mods_f32 (to, a, b, n);
  else if (function == FN_floor_divide && is_short_f32 (a, b, n))
    short_wholes_f32 (to, a, b, n);
  else if (function == FN_fmod && is_short_f32 (a, b, n))
    short_fmods_f32 (to, a, b, n);
  else
    blocks[function](to, a, b, c, n);
}

void
expression_block_f64 (int function, double *to, const double *a, const double *b, const double *c, int n)
{
  static void (*const blocks[]) (double *, const double *, const double *, const double *, int) = {
#define FUNCTION(NAME, ARGUMENTS, TRUTH, ...) block_##NAME##_f64,
#include "kernels/expression/expression_functions.h"
#undef FUNCTION
  };
  if (function == FN_mod && is_short_f64 (a, b, n))
    short_mods_f64 (to, a, b, n);
  else if (function == FN_floor_divide && is_short_f64 (a, b, n))
    short_wholes_f64 (to, a, b, n);
  else if (function == FN_fmod && is_short_f64 (a, b, n))
    short_fmods_f64 (to, a, b, n);
  else
    blocks[function](to, a, b, c, n);
}

static const struct {
  const char *name;
  int arguments;
  bool truth;
} functions[] = {
#define FUNCTION(NAME, ARGUMENTS, TRUTH, ...) {#NAME, ARGUMENTS, TRUTH},
#include "kernels/expression/expression_functions.h"
#undef FUNCTION
};

int
expression_arguments (int function)
{
  return functions[function].arguments;
}

bool
expression_is_truth (int function)
{
  return functions[function].truth;
}

const char *
expression_name (int function)
{
  return functions[function].name;
}
