/* SPDX-License-Identifier: MIT
 *
 * expression on the GPU: a kernel for each formula and types, made at run time; numbers of parameters are its arguments, so that a
 * slider needs no new one.
 */
#include "kernels/expression/expression_source.h"

#include "plugin/nvrtc.h"

enum { MOST_ARGUMENTS = EXPRESSION_INPUTS * 4 + 16 + EXPRESSION_VALUES };

typedef union number {
  float f32;
  double f64;
} number;

/* The arguments of a kernel: where each lies. */
typedef struct arguments {
  void *at[MOST_ARGUMENTS];
  number uniforms[EXPRESSION_VALUES];
  int n;
} arguments;

static void
add (arguments *a, const void *value)
{
  a->at[a->n++] = (void *) value;
}

static void
add_uniforms (arguments *a, const expression_job *j)
{
  for (int i = 0; i < j->program.n; i++)
    if (expression_is_argument (&j->program, i)) {
      if (j->working == FV_F32)
        a->uniforms[i].f32 = (float) j->uniforms[i];
      else
        a->uniforms[i].f64 = j->uniforms[i];
      add (a, &a->uniforms[i]);
    }
}

/* How many pixels of all arrays lie together in packs of 16 bytes of the largest type. */
static int
pack_of (const expression_job *j)
{
  size_t largest = type_bytes (j->out.type);
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    if (j->inputs[i].data && type_bytes (j->inputs[i].type) > largest)
      largest = type_bytes (j->inputs[i].type);
  size_t pack = 16 / largest;
  bool aligned = (uintptr_t) j->out.data % (pack * type_bytes (j->out.type)) == 0;
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    aligned = aligned && (uintptr_t) j->inputs[i].data % (pack * type_bytes (j->inputs[i].type)) == 0;
  return aligned ? (int) pack : 1;
}

static fv_status
start (const fv_call *call, const expression_job *j, int pack, int64_t blocks, arguments *a, fv_error *error)
{
  char text[EXPRESSION_SOURCE], log[512];
  if (!expression_source (j, pack, text, sizeof text))
    return fail (error, FV_UNSUPPORTED, "expression", "The expression is too long for a GPU.");
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = nvrtc_launch (call, &(nvrtc_source){text, "expression", "expression", NULL},
                                   &(nvrtc_grid){(unsigned) blocks, EXPRESSION_THREADS, a->at}, log, sizeof log, error);
  return status == FV_BAD_ARGUMENT ? (error->code = FV_DEVICE_FAULT) : status; /* it is our text, not the user's */
}

static fv_status
run_flat (const fv_call *call, const expression_job *j, fv_error *error)
{
  arguments a = {.n = 0};
  int pack = pack_of (j);
  int64_t each = (int64_t) pack * EXPRESSION_PACKS * EXPRESSION_THREADS, blocks = (j->columns + each - 1) / each;
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    if (j->inputs[i].data)
      add (&a, &j->inputs[i].data);
  add (&a, &j->out.data);
  add (&a, &j->columns);
  add_uniforms (&a, j);
  return start (call, j, pack, blocks, &a, error);
}

static void
add_array (arguments *a, const expression_array *array)
{
  add (a, &array->data);
  add (a, &array->channel);
  add (a, &array->plane);
  add (a, &array->row);
}

static fv_status
run_rows (const fv_call *call, const expression_job *j, fv_error *error)
{
  enum { MOST_BLOCKS = 1 << 16 };
  arguments a = {.n = 0};
  int32_t depth = (int32_t) j->depth, rows = (int32_t) j->rows, columns = (int32_t) j->columns;
  int64_t lines = j->channels * j->depth * j->rows, pieces = lines * ((columns - 1) / EXPRESSION_THREADS + 1);
  if (j->rows >= INT32_MAX / 2 || j->columns >= INT32_MAX / 2)
    return fail (error, FV_UNSUPPORTED, "", "An image of %lld x %lld is too large for this on a GPU.",
                 (long long) j->columns, (long long) j->rows);
  for (int i = 0; i < EXPRESSION_INPUTS; i++)
    if (j->inputs[i].data)
      add_array (&a, &j->inputs[i]);
  add_array (&a, &j->out);
  add (&a, &depth);
  add (&a, &rows);
  add (&a, &columns);
  add (&a, &lines);
  add (&a, &j->settings.value);
  add_uniforms (&a, j);
  return start (call, j, 0, pieces < MOST_BLOCKS ? pieces : MOST_BLOCKS, &a, error);
}

fv_status
expression_cuda (const fv_call *call, fv_error *error)
{
  expression_job j;
  if (expression_begin (call, &j, error))
    return error->code;
  return j.flat ? run_flat (call, &j, error) : run_rows (call, &j, error);
}
