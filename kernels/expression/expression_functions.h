/* SPDX-License-Identifier: MIT
 *
 * FUNCTION (name, arguments, whether it is a truth value, body): what expressions can call, under NumPy's names, and their operators. The bodies are
 * compiled here, for float and for double, and go as text to the compiler of a GPU. T is the type of the computation, and a, b and c are the
 * arguments. Functions of <math.h> have the names for double, which are used for both. Truth values are 0 and 1. Bits are those of numbers that an
 * int32 holds, and NaN of others. From `power` on they take many sums' time.
 */
FUNCTION (add, 2, false, return a + b;)
FUNCTION (subtract, 2, false, return a - b;)
FUNCTION (multiply, 2, false, return a * b;)
FUNCTION (divide, 2, false, return a / b;)
FUNCTION (negative, 1, false, return -a;)
FUNCTION (less, 2, true, return a < b;)
FUNCTION (less_equal, 2, true, return a <= b;)
FUNCTION (greater, 2, true, return a > b;)
FUNCTION (greater_equal, 2, true, return a >= b;)
FUNCTION (equal, 2, true, return a == b;)
FUNCTION (not_equal, 2, true, return a != b;)
FUNCTION (logical_and, 2, true, return (a != 0) & (b != 0);)
FUNCTION (logical_or, 2, true, return (a != 0) | (b != 0);)
FUNCTION (logical_xor, 2, true, return (a != 0) != (b != 0);)
FUNCTION (logical_not, 1, true, return a == 0;)
FUNCTION (where, 3, false, return a != 0 ? b : c;)
FUNCTION (minimum, 2, false, return ((a <= b) | (a != a)) ? a : b;)
FUNCTION (maximum, 2, false, return ((a >= b) | (a != a)) ? a : b;)
FUNCTION (bitwise_and, 2, false, const T most = (T) 2147483648., zero = 0;
          bool whole = (a == rint (a)) & (b == rint (b)) & (a >= -most) & (a < most) & (b >= -most) & (b < most);
          int m = (int) (whole ? a : zero), n = (int) (whole ? b : zero); return whole ? (T) (m & n) : zero / zero;)
FUNCTION (bitwise_or, 2, false, const T most = (T) 2147483648., zero = 0;
          bool whole = (a == rint (a)) & (b == rint (b)) & (a >= -most) & (a < most) & (b >= -most) & (b < most);
          int m = (int) (whole ? a : zero), n = (int) (whole ? b : zero); return whole ? (T) (m | n) : zero / zero;)
FUNCTION (bitwise_xor, 2, false, const T most = (T) 2147483648., zero = 0;
          bool whole = (a == rint (a)) & (b == rint (b)) & (a >= -most) & (a < most) & (b >= -most) & (b < most);
          int m = (int) (whole ? a : zero), n = (int) (whole ? b : zero); return whole ? (T) (m ^ n) : zero / zero;)
FUNCTION (isnan, 1, true, return a != a;)
FUNCTION (isinf, 1, true, return (a == a) & (a - a != 0);)
FUNCTION (isfinite, 1, true, return a - a == 0;)
FUNCTION (sqrt, 1, false, return sqrt (a);)
FUNCTION (abs, 1, false, return fabs (a);)
FUNCTION (sign, 1, false, return a != a ? a : (T) ((a > 0) - (a < 0));)
FUNCTION (floor, 1, false, return floor (a);)
FUNCTION (ceil, 1, false, return ceil (a);)
FUNCTION (trunc, 1, false, return trunc (a);)
FUNCTION (rint, 1, false, return rint (a);)
FUNCTION (power, 2, false, return pow (a, b);)
FUNCTION (mod, 2, false, T r = fmod (a, b); return r == 0 ? copysign ((T) 0, b) : (r < 0) != (b < 0) ? r + b : r;)
FUNCTION (floor_divide, 2, false, T r = fmod (a, b), q = (a - r) / b; q = r != 0 && (r < 0) != (b < 0) ? q - 1 : q;
          T f = floor (q); f = q - f > (T) 0.5 ? f + 1 : f; return b == 0   ? a / b
                                                                   : q == 0 ? copysign ((T) 0, a / b)
                                                                            : f;)
FUNCTION (fmod, 2, false, return fmod (a, b);)
FUNCTION (cbrt, 1, false, return cbrt (a);)
FUNCTION (exp, 1, false, return exp (a);)
FUNCTION (exp2, 1, false, return exp2 (a);)
FUNCTION (expm1, 1, false, return expm1 (a);)
FUNCTION (log, 1, false, return log (a);)
FUNCTION (log2, 1, false, return log2 (a);)
FUNCTION (log10, 1, false, return log10 (a);)
FUNCTION (log1p, 1, false, return log1p (a);)
FUNCTION (sin, 1, false, return sin (a);)
FUNCTION (cos, 1, false, return cos (a);)
FUNCTION (tan, 1, false, return tan (a);)
FUNCTION (arcsin, 1, false, return asin (a);)
FUNCTION (arccos, 1, false, return acos (a);)
FUNCTION (arctan, 1, false, return atan (a);)
FUNCTION (arctan2, 2, false, return atan2 (a, b);)
FUNCTION (sinh, 1, false, return sinh (a);)
FUNCTION (cosh, 1, false, return cosh (a);)
FUNCTION (tanh, 1, false, return tanh (a);)
FUNCTION (hypot, 2, false, return hypot (a, b);)
