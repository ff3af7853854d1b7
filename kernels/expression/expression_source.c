/* SPDX-License-Identifier: MIT
 *
 * The text has the functions that are used, value() with the formula of one pixel, and a kernel around it. A flat kernel reads and writes
 * packs of 16 bytes, two a thread, all loads first; any other goes by rows, a pixel a thread. No barrier; each pixel is read once for each
 * neighbor that the formula names, and written once.
 */
#include "kernels/expression/expression_source.h"

#include "kernels/common/text.h"

static const char *
c_type (fv_type type)
{
  return type == FV_U8    ? "unsigned char"
         : type == FV_U16 ? "unsigned short"
         : type == FV_I32 ? "int"
         : type == FV_F32 ? "float"
                          : "double";
}

/* ---- The formula ---- */

static void
emit_functions (text *s, const expression_program *p)
{
  static const char *const bodies[] = {
#define FUNCTION(NAME, ARGUMENTS, TRUTH, ...) #__VA_ARGS__,
#include "kernels/expression/expression_functions.h"
#undef FUNCTION
  };
  static const char *const arguments[] = {"T a", "T a, T b", "T a, T b, T c"};
  bool there[FUNCTIONS] = {false};
  for (int i = 0; i < p->n; i++)
    if (p->used[i] && p->values[i].kind == VALUE_FUNCTION && !p->values[i].uniform && !there[p->values[i].which]) {
      int f = p->values[i].which;
      there[f] = true;
      text_add (s, "static __device__ __forceinline__ T fn_%s (%s) { %s }\n", expression_name (f),
                arguments[expression_arguments (f) - 1], bodies[f]);
    }
}

/* Integers are rounded to nearest, ties to even, and clamped; NaN gives 0. */
static void
emit_result (text *s, const expression_job *j)
{
  static const char *const limits[] = {"0", "255", "65535", "-2147483648.", "2147483647."};
  int u8 = j->out.type == FV_U8, u16 = j->out.type == FV_U16;
  const char *low = u8 || u16 ? limits[0] : limits[3], *high = limits[u8 ? 1 : u16 ? 2 : 4];
  text_add (s, "static __device__ __forceinline__ R result (T v) { return ");
  if (j->mask)
    text_add (s, "v != 0 ? 255 : 0; }\n");
  else if (j->out.type == FV_F32 || j->out.type == FV_F64)
    text_add (s, "(R) v; }\n");
  else
    text_add (s, "v >= (T) %s ? (R) %s : v > (T) %s ? (R) rint (v) : v <= (T) %s ? (R) %s : (R) 0; }\n", high, high,
              low, low, low);
}

static bool
is_leaf (const expression_program *p, int i)
{
  return p->used[i] && (p->values[i].kind == VALUE_INPUT || p->values[i].kind == VALUE_COORDINATE);
}

/* The bits, so that no digit is lost and no locale matters. */
static void
emit_constant (text *s, const expression_job *j, int i)
{
  double number = j->uniforms[i];
  float single = (float) number;
  uint64_t bits;
  uint32_t word;
  memcpy (&bits, &number, sizeof bits);
  memcpy (&word, &single, sizeof word);
  if (j->working == FV_F32)
    text_add (s, "  const T v%d = __int_as_float (0x%08x);\n", i, (unsigned) word);
  else
    text_add (s, "  const T v%d = __longlong_as_double (0x%016llxll);\n", i, (unsigned long long) bits);
}

static void
emit_value (text *s, const expression_job *j)
{
  const expression_program *p = &j->program;
  const char *comma = "";
  text_add (s, "static __device__ __forceinline__ R value (");
  for (int i = 0; i < p->n; i++)
    if (is_leaf (p, i) || expression_is_argument (p, i)) {
      text_add (s, "%sT v%d", comma, i);
      comma = ", ";
    }
  text_add (s, ")\n{\n");
  for (int i = 0; i < p->n; i++) {
    const expression_value *v = &p->values[i];
    if (!p->used[i] || is_leaf (p, i) || expression_is_argument (p, i))
      continue;
    if (v->kind == VALUE_CONSTANT) {
      emit_constant (s, j, i);
      continue;
    }
    text_add (s, "  const T v%d = fn_%s (v%d", i, expression_name (v->which), v->args[0]);
    for (int k = 1; k < expression_arguments (v->which); k++)
      text_add (s, ", v%d", v->args[k]);
    text_add (s, ");\n");
  }
  text_add (s, "  return result (v%d);\n}\n", p->result);
}

/* The arguments of value(), a leaf as the format says it: with the number of its input, or its value's. */
static void
emit_call (text *s, const expression_job *j, void (*leaf) (text *, const expression_job *, int))
{
  const expression_program *p = &j->program;
  const char *comma = "";
  text_add (s, "value (");
  for (int i = 0; i < p->n; i++)
    if (is_leaf (p, i) || expression_is_argument (p, i)) {
      text_add (s, "%s", comma);
      if (is_leaf (p, i))
        leaf (s, j, i);
      else
        text_add (s, "v%d", i);
      comma = ", ";
    }
  text_add (s, ")");
}

static void
emit_uniform_parameters (text *s, const expression_program *p)
{
  for (int i = 0; i < p->n; i++)
    if (expression_is_argument (p, i))
      text_add (s, ", T v%d", i);
  text_add (s, ")\n{\n");
}

/* ---- Flat ---- */

static void
leaf_in_pack (text *s, const expression_job *j, int i)
{
  text_add (s, "a%d[k].v[i]", j->program.values[i].which);
}

static void
leaf_alone (text *s, const expression_job *j, int i)
{
  text_add (s, "in%d[rest]", j->program.values[i].which);
}

static void
emit_flat (text *s, const expression_job *j, int pack)
{
  text_add (s, "enum { V = %d, U = %d, THREADS = %d };\n", pack, EXPRESSION_PACKS, EXPRESSION_THREADS);
  text_add (s, "template <typename P> struct alignas (sizeof (P) * V) pack { P v[V]; };\n"
               "extern \"C\" __global__ void __launch_bounds__ (THREADS)\nexpression (");
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    if (j->inputs[i].data)
      text_add (s, "const P%d *__restrict__ in%d, ", i, i);
  text_add (s, "R *__restrict__ out, I n");
  emit_uniform_parameters (s, &j->program);
  text_add (
    s,
    "  const I packs = n / V, first = (I) blockIdx.x * (THREADS * U) + threadIdx.x, rest = packs * V + threadIdx.x;\n");
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    if (j->inputs[i].data)
      text_add (s, "  pack<P%d> a%d[U];\n", i, i);
  text_add (s, "#pragma unroll\n  for (int k = 0; k < U; k++)\n    if (first + k * THREADS < packs) {\n");
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    if (j->inputs[i].data)
      text_add (s, "      a%d[k] = ((const pack<P%d> *) in%d)[first + k * THREADS];\n", i, i, i);
  text_add (s, "    }\n#pragma unroll\n  for (int k = 0; k < U; k++)\n    if (first + k * THREADS < packs) {\n"
               "      pack<R> r;\n#pragma unroll\n      for (int i = 0; i < V; i++)\n        r.v[i] = ");
  emit_call (s, j, leaf_in_pack);
  text_add (s, ";\n      ((pack<R> *) out)[first + k * THREADS] = r;\n    }\n  if (blockIdx.x == 0 && rest < n)\n    "
               "out[rest] = ");
  emit_call (s, j, leaf_alone);
  text_add (s, ";\n}\n");
}

/* ---- By rows ---- */

static void
leaf_of_rows (text *s, const expression_job *j, int i)
{
  static const char *const coordinates[COORDINATES] = {"x", "y", "z", "ch"};
  const expression_value *v = &j->program.values[i];
  if (v->kind == VALUE_COORDINATE)
    text_add (s, "(T) %s", coordinates[v->which]);
  else if (!v->dx && !v->dy)
    text_add (s, "(T) p%d[(I) y * r%d + x]", v->which, v->which);
  else
    text_add (s, "near (p%d, r%d, y + (%d), x + (%d), rows, columns, (T) outside)", v->which, v->which, (int) v->dy,
              (int) v->dx);
}

static void
emit_border (text *s, border b)
{
  static const char *const outside[] = {
    [BORDER_NEAREST] = "return i < 0 ? 0 : n - 1;",
    [BORDER_REFLECT] = "i %= 2 * n; i = i < 0 ? i + 2 * n : i; return i < n ? i : 2 * n - 1 - i;",
    [BORDER_MIRROR] =
      "if (n == 1) return 0; i %= 2 * n - 2; i = i < 0 ? i + 2 * n - 2 : i; return i < n ? i : 2 * n - 2 - i;",
    [BORDER_WRAP] = "i %= n; return i < 0 ? i + n : i;",
    [BORDER_CONSTANT] = "return -1;",
  };
  text_add (s, "static __device__ __forceinline__ I border (I i, I n) { if (i >= 0 && i < n) return i; %s }\n",
            outside[b]);
  text_add (s, "template <typename P> static __device__ __forceinline__ T\n"
               "near (const P *p, I row, int y, int x, int rows, int columns, T outside)\n"
               "{\n  const I up = border (y, rows), at = border (x, columns);\n"
               "  return up < 0 || at < 0 ? outside : (T) p[up * row + at];\n}\n");
}

static void
emit_rows (text *s, const expression_job *j)
{
  if (j->program.reach_x || j->program.reach_y)
    emit_border (s, j->settings.border);
  text_add (s, "extern \"C\" __global__ void __launch_bounds__ (%d)\nexpression (", EXPRESSION_THREADS);
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    if (j->inputs[i].data)
      text_add (s, "const P%d *__restrict__ in%d, I c%d, I z%d, I r%d, ", i, i, i, i, i);
  text_add (s, "R *__restrict__ out, I oc, I oz, I orow, int depth, int rows, int columns, I lines, double outside");
  emit_uniform_parameters (s, &j->program);
  text_add (s,
            "  const int chunks = (columns - 1) / %d + 1;\n"
            "  for (I item = blockIdx.x; item < lines * chunks; item += gridDim.x) {\n"
            "    const I line = item / chunks, plane = line / rows;\n"
            "    const int x = (int) (item - line * chunks) * %d + threadIdx.x, y = (int) (line - plane * rows);\n"
            "    const int ch = (int) (plane / depth), z = (int) (plane - (I) ch * depth);\n"
            "    if (x >= columns)\n      continue;\n",
            EXPRESSION_THREADS, EXPRESSION_THREADS);
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    if (j->inputs[i].data)
      text_add (s, "    const P%d *const p%d = in%d + ch * c%d + z * z%d;\n", i, i, i, i, i);
  text_add (s, "    out[ch * oc + z * oz + (I) y * orow + x] = ");
  emit_call (s, j, leaf_of_rows);
  text_add (s, ";\n  }\n}\n");
}

/* ---- The whole ---- */

bool
expression_source (const expression_job *j, int pack, char *to, size_t size)
{
  text s = {to, 0, size};
  text_add (&s, "typedef long long I;\ntypedef %s T;\ntypedef %s R;\n", c_type (j->working), c_type (j->out.type));
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    if (j->inputs[i].data)
      text_add (&s, "typedef %s P%d;\n", c_type (j->inputs[i].type), i);
  emit_functions (&s, &j->program);
  emit_result (&s, j);
  emit_value (&s, j);
  if (pack)
    emit_flat (&s, j, pack);
  else
    emit_rows (&s, j);
  return s.used < size;
}
