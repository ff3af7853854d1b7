/* SPDX-License-Identifier: MIT
 *
 * interpret: what the host does to an image that is given where labels or a mask are wanted.
 */
#include "kernels/image/interpret.h"

static fv_status
interpret_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const interpret_args *a = args;
  (void) op, (void) error;
  out[0]->type = a->role == INTERPRET_LABELS ? FV_I32 : FV_U8;
  out[0]->role = a->role == INTERPRET_LABELS ? FV_LABELS : FV_MASK;
  out[0]->dense = a->role == INTERPRET_LABELS && in[0]->role == FV_MASK; /* the one object */
  return FV_OK;
}

#define DEFINE_ROWS(NAME, T)                                                                                           \
  VECTORISED static void labels_##NAME (const T *restrict in, int64_t n, bool from_mask, int32_t *restrict out)        \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = to_label ((double) in[i], from_mask);                                                                   \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void mask_##NAME (const T *restrict in, int64_t n, uint8_t *restrict out)                          \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = to_mask ((double) in[i]);                                                                               \
  }
DEFINE_ROWS (u8, uint8_t)
DEFINE_ROWS (u16, uint16_t)
DEFINE_ROWS (i32, int32_t)
DEFINE_ROWS (f32, float)
DEFINE_ROWS (f64, double)

static fv_status
interpret_cpu (const fv_call *call, fv_error *error)
{
  const interpret_args *a = call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t planes = array_planes (in), rows = array_rows (in), n = array_columns (in);
  bool from_mask = in->grid->role == FV_MASK;
  progress p = {call, .total = planes * rows};

#pragma omp parallel for collapse(2) schedule(static, 64)
  for (int64_t plane = 0; plane < planes; plane++)
    for (int64_t y = 0; y < rows; y++) {
      if (progress_stopped (&p))
        continue;
      const void *from = array_row (in, plane, y);
      void *to = array_row (out, plane, y);
      if (a->role == INTERPRET_LABELS)
        WITH_TYPE (in->grid->type, labels, from, n, from_mask, to)
      else
        WITH_TYPE (in->grid->type, mask, from, n, to)
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

const fv_op fv_op_interpret = {
  FV_OP (interpret_args),
  .key = "interpret",
  .label = "Interpret",
  .help = "Takes an image as labels or as a mask, as is done by itself where one is wanted.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (interpret_args, role), .label = "As",
                                .choices = (const fv_choice[]){{"labels", "Labels",
                                                                "Whole numbers from 0 to 2147483647 are labels and "
                                                                "all else is background; a mask is the object 1."},
                                                               {"mask", "Mask", "All that is not 0 is inside."},
                                                               {0}},
                                .help = "What the image is taken for."},
                               {0}},
  .infer = interpret_infer,
  .run = {[FV_CPU] = interpret_cpu, [FV_CUDA] = FV_CUDA_FN (interpret_cuda)},
};
