/* SPDX-License-Identifier: MIT
 *
 * The source has the user's texts unchanged, each behind a #line that gives it its parameter's name, so that compilers report the user's
 * own lines and columns.
 */
#include "kernels/native/source.h"

#include "kernels/native/complaint.h"
#include "kernels/native/guard.h"
#include "kernels/native/loops.h"
#include "kernels/native/prelude.h"
#include "kernels/native/source_c.h"

#include <stdlib.h>

/* ---- What a task holds ---- */

static void
fill_array (kernel_array *to, const fv_array *from, const int64_t shape[3], bool raw)
{
  to->data = from->tensor.data;
  for (int axis = 0; axis < 3; axis++) {
    to->shape[axis] = from->tensor.shape[axis];
    to->stride[axis] = raw || to->shape[axis] == shape[axis] ? from->tensor.strides[axis] : 0;
  }
}

fv_status
kernel_prepare (const fv_call *call, const kernel_settings *settings, kernel_plan *plan, kernel_task *task,
                fv_error *error)
{
  const fv_grid *grids[KERNEL_IMAGES];
  for (int k = 0; k < settings->n_images; k++)
    grids[k] = call->inputs[k] ? call->inputs[k]->grid : NULL;
  if (kernel_plan_make (settings, grids, plan, error))
    return error->code;
  *task = (kernel_task){0};
  memcpy (task->shape, plan->shape, sizeof task->shape);
  memcpy (task->numbers, plan->numbers, sizeof task->numbers);
  for (int k = 0; k < plan->in.n; k++)
    if (!plan->in.at[k].number)
      fill_array (&task->arrays[plan->array[k]], call->inputs[plan->array[k]], plan->shape, plan->in.at[k].raw);
  for (int k = 0; k < plan->out.n; k++)
    fill_array (&task->arrays[KERNEL_IMAGES + k], call->outputs[k], plan->shape, plan->out.at[k].raw);
  return FV_OK;
}

/* ---- Text ---- */

/* Whether its elements lie one behind the other. */
static bool
is_dense (const kernel_array *a)
{
  return (a->shape[1] == 1 || a->stride[1] == a->shape[2])
         && (a->shape[0] == 1 || a->stride[0] == a->shape[1] * a->shape[2]);
}

/* Whether element i of the loop is element i of the array. */
static bool
is_flat (const kernel_array *a, const int64_t shape[3])
{
  return !memcmp (a->shape, shape, sizeof a->shape) && is_dense (a);
}

/* "T x": how the body sees a parameter. */
static void
add_formal (text *s, const kernel_param *p, bool output)
{
  char letter[2];
  const char *type = kernel_word (p, letter);
  if (p->raw)
    text_add (s, ",\n#line 1 \"%s\"\n fovea_%s<%s> %s", output ? "out_params" : "in_params",
              output ? "output" : "input", type, p->name);
  else
    text_add (s, ",\n#line 1 \"%s\"\n %s%s %s%s", output ? "out_params" : "in_params", output ? "" : "const ", type,
              output ? "&" : "", p->name);
}

static void
add_types (text *s, const kernel_plan *plan)
{
  const kernel_params *all[] = {&plan->in, &plan->out};
  for (int side = 0; side < 2; side++)
    for (const kernel_param *p = all[side]->at; p < all[side]->at + all[side]->n; p++)
      if (p->placeholder)
        text_add (s, "typedef %s %c;\n", p->type->c, p->placeholder);
}

/* For each type of raw arrays, the error where a function of the user takes another: it names the arrays. */
static void
add_errors (text *s, const kernel_plan *plan)
{
  const kernel_param *raw[KERNEL_IMAGES + KERNEL_RESULTS];
  int n = 0;
  for (int k = 0; k < plan->in.n; k++)
    if (plan->in.at[k].raw)
      raw[n++] = &plan->in.at[k];
  const int inputs = n;
  for (int k = 0; k < plan->out.n; k++)
    if (plan->out.at[k].raw)
      raw[n++] = &plan->out.at[k];
  for (int k = 0; k < n; k++) {
    const kernel_type *type = raw[k]->type;
    int first = 0;
    while (raw[first]->type != type)
      first++;
    if (first < k)
      continue;
    text_add (
      s,
      "#line 1 \"%s\"\ntemplate <> struct fovea_taken<%s> { template <class U> static FOVEA_MEMBER void as () { "
      "static_assert (sizeof (U) == 0, \"" KERNEL_SAYS "A function takes %s",
      k < inputs ? "in_params" : "out_params", type->c, raw[k]->name);
    for (int j = k + 1; j < n; j++)
      if (raw[j]->type == type)
        text_add (s, ", %s", raw[j]->name);
    text_add (s, " (raw %s, 3 dimensions) as CArray<%s, 3> &.\"); } };\n", type->name, type->c);
  }
}

static void
add_code (text *s, const char *code, const char *preamble, kernel_text how)
{
  if (how == KERNEL_CHECKED)
    text_add_with_checks (s, code, preamble);
  else if (how == KERNEL_GUARDED)
    text_add_guarded (s, code, code + strlen (code));
  else
    text_add (s, "%s", code);
}

static void
add_body (text *s, const kernel_code *code, const kernel_plan *plan, kernel_text how)
{
  text_add (s, "FOVEA_INLINE void fovea_operation (const ptrdiff_t i, const fovea_index &_ind");
  for (int k = 0; k < plan->in.n; k++)
    add_formal (s, &plan->in.at[k], false);
  for (int k = 0; k < plan->out.n; k++)
    add_formal (s, &plan->out.at[k], true);
  /* `continue` and `return` end one element. What lacks its end is noticed in the line behind the last. */
  text_add (s, ")\n{ do {\n#line %d \"operation\"\n", code->operation_line);
  add_code (s, code->operation, code->preamble, how);
  text_add (s, "\n} while (0); }\n#line 1 \"fovea\"\n");
}

/* Where the element lies in an array that is not raw: `at` of a flat loop, of others its plane z, row y, column x. */
static void
add_offset (text *s, const kernel_task *task, int array, bool flat)
{
  const kernel_array *a = &task->arrays[array];
  if (flat)
    text_add (s, "[i]");
  else
    text_add (s, "[z * t.arrays[%d].stride[0] + y * t.arrays[%d].stride[1]%s]", array, array,
              a->stride[2] ? " + x" : "");
}

static void
add_raw (text *s, const kernel_param *p, const kernel_task *task, int array)
{
  char letter[2];
  text_add (s, ", FOVEA_RAW (%d, %d, %s)", array, is_dense (&task->arrays[array]), kernel_word (p, letter));
}

/* The call of the body for element i. */
static void
add_element (text *s, const kernel_plan *plan, const kernel_task *task, bool flat)
{
  char letter[2];
  for (int k = 0; k < plan->out.n; k++)
    if (!plan->out.at[k].raw)
      text_add (s, "    %s fovea_out_%d = 0;\n", kernel_word (&plan->out.at[k], letter), k);
  text_add (s, "    fovea_operation (i, _ind");
  for (int k = 0; k < plan->in.n; k++) {
    const kernel_param *p = &plan->in.at[k];
    if (p->raw)
      add_raw (s, p, task, plan->array[k]);
    else if (p->number)
      text_add (s, ", (%s) t.numbers[%d]", kernel_word (p, letter), plan->array[k]);
    else {
      text_add (s, ", (%s) fovea_in_%d", kernel_word (p, letter), k);
      add_offset (s, task, plan->array[k], flat);
    }
  }
  for (int k = 0; k < plan->out.n; k++)
    if (plan->out.at[k].raw)
      add_raw (s, &plan->out.at[k], task, KERNEL_IMAGES + k);
    else
      text_add (s, ", FOVEA_RESULT (fovea_out_%d)", k);
  text_add (s, ");\n");
  for (int k = 0; k < plan->out.n; k++)
    if (!plan->out.at[k].raw) {
      text_add (s, "    fovea_to_%d", k);
      add_offset (s, task, KERNEL_IMAGES + k, flat);
      text_add (s, plan->out.at[k].type->truth ? " = fovea_out_%d ? 255 : 0;\n" : " = fovea_out_%d;\n", k);
    }
}

/* Pointers to what is not raw. Results overlap nothing. */
static void
add_pointers (text *s, const kernel_plan *plan)
{
  for (int k = 0; k < plan->in.n; k++) {
    const kernel_param *p = &plan->in.at[k];
    const char *pixels = p->raw || p->number ? NULL : plan->memory[plan->array[k]]->c;
    if (pixels)
      text_add (s, "  const %s *fovea_in_%d = (const %s *) t.arrays[%d].data;\n", pixels, k, pixels, plan->array[k]);
  }
  for (int k = 0; k < plan->out.n; k++) {
    const char *pixels = plan->out.at[k].type->truth ? "uint8_t" : plan->out.at[k].type->c;
    if (!plan->out.at[k].raw)
      text_add (s, "  %s *__restrict__ fovea_to_%d = (%s *) t.arrays[%d].data;\n", pixels, k, pixels,
                KERNEL_IMAGES + k);
  }
}

static bool
all_flat (const kernel_plan *plan, const kernel_task *task)
{
  for (int k = 0; k < plan->in.n; k++)
    if (!plan->in.at[k].raw && !plan->in.at[k].number && !is_flat (&task->arrays[plan->array[k]], plan->shape))
      return false;
  for (int k = 0; k < plan->out.n; k++)
    if (!plan->out.at[k].raw && !is_flat (&task->arrays[KERNEL_IMAGES + k], plan->shape))
      return false;
  return true;
}

static bool
any_raw (const kernel_params *params)
{
  for (int k = 0; k < params->n; k++)
    if (params->at[k].raw)
      return true;
  return false;
}

static void
add_cpu_loop (text *s, const kernel_plan *plan, const kernel_task *task)
{
  text_add (s, "FOVEA_EXPORT void\n" KERNEL_FUNCTION
               " (const fovea_task *task, int64_t z, int64_t y, int64_t begin, int64_t end)\n{\n"
               "  const fovea_task t = *task;\n"
               "  const int64_t first = (z * t.shape[1] + y) * t.shape[2];\n");
  add_pointers (s, plan);
  if (!any_raw (&plan->out))
    text_add (s, "#ifdef __clang__\n#pragma clang loop vectorize(assume_safety)\n#elif !defined __TINYC__\n#pragma GCC "
                 "ivdep\n#endif\n");
  text_add (s, "  for (int64_t x = begin; x < end; x++) {\n"
               "    const ptrdiff_t i = first + x;\n"
               "    const fovea_index _ind = FOVEA_INDEX (z, y, x);\n");
  add_element (s, plan, task, false);
  text_add (s, "  }\n}\n");
}

static void
add_card_loop (text *s, const kernel_plan *plan, const kernel_task *task)
{
  text_add (s,
            "extern \"C\" __global__ void\n" KERNEL_FUNCTION " (const __grid_constant__ fovea_task t)\n{\n"
            "  const int64_t size = t.shape[0] * t.shape[1] * t.shape[2], step = (int64_t) gridDim.x * blockDim.x;\n");
  add_pointers (s, plan);
  text_add (s, "  fovea_begin (t.stop);\n"
               "  for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < size; i += step) {\n"
               "    const int64_t line = i / t.shape[2], x = i - line * t.shape[2];\n"
               "    const int64_t z = line / t.shape[1], y = line - z * t.shape[1];\n"
               "    const fovea_index _ind = FOVEA_INDEX (z, y, x);\n");
  add_element (s, plan, task, all_flat (plan, task));
  text_add (s, "  }\n}\n");
}

char *
kernel_source (const kernel_code *code, const kernel_plan *plan, const kernel_task *task, kernel_language language,
               kernel_text how, fv_error *error)
{
  const bool c = language == KERNEL_C;
  const char *const parts[] = {c ? kernel_mathematics_c : kernel_mathematics, kernel_structs,
                               c ? kernel_prelude_c : kernel_prelude, c ? "" : kernel_arithmetic,
                               language == KERNEL_CUDA ? kernel_checks : ""};
  enum { PARTS = sizeof parts / sizeof *parts };
  text s = {.size = 8 * sizeof (kernel_args) + GUARD_GROWTH * (strlen (code->operation) + strlen (code->preamble))
                    + 1024 * (KERNEL_PARAMS + KERNEL_RESULTS)};
  for (int i = 0; i < PARTS; i++)
    s.size += strlen (parts[i]);
  if (!(s.at = malloc (s.size))) {
    fail (error, FV_NO_MEMORY, "", "Not enough memory for the source of a kernel.");
    return NULL;
  }
  text_add (&s, "#define FOVEA_ARRAYS %d\n#define FOVEA_NUMBERS %d\n#define FOVEA_CHECK %d\n#define FOVEA_THREADS %d\n",
            KERNEL_IMAGES + KERNEL_RESULTS, KERNEL_NUMBERS, code->check, KERNEL_THREADS);
  for (int i = 0; i < PARTS; i++)
    text_add (&s, "%s", parts[i]);
  add_types (&s, plan);
  if (!c)
    add_errors (&s, plan);
  text_add (&s, "#line %d \"preamble\"\n", code->preamble_line);
  add_code (&s, code->preamble, code->preamble, c ? KERNEL_PLAIN : how);
  text_add (&s, "\n\n#line 1 \"fovea\"\n");
  if (c)
    add_body_c (&s, code, plan);
  else
    add_body (&s, code, plan, how);
  if (language == KERNEL_CUDA)
    add_card_loop (&s, plan, task);
  else
    add_cpu_loop (&s, plan, task);
  return s.at;
}
