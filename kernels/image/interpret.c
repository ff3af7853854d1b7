/* SPDX-License-Identifier: MIT
 *
 * interpret: what the host does to an image that is given where labels or a mask are wanted.
 */
#include "kernels/image/interpret.h"
#include "kernels/common/rows.h"

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

static void
interpret_row (const fv_call *call, const void *rule, int64_t plane, int64_t y)
{
  const fv_array *in = call->inputs[0];
  const void *from = array_row (in, plane, y);
  void *to = array_row (call->outputs[0], plane, y);
  (void) rule;
  if (((const interpret_args *) call->args)->role == INTERPRET_LABELS)
    WITH_TYPE (in->grid->type, labels, from, array_columns (in), in->grid->role == FV_MASK, to)
  else
    WITH_TYPE (in->grid->type, mask, from, array_columns (in), to)
}

static fv_status
interpret_cpu (const fv_call *call, fv_error *error)
{
  return rows_cpu (call, interpret_row, NULL, error);
}

const fv_op fv_op_interpret = {
  FV_OP (interpret_args),
  .key = "interpret",
  .label = "Interpret",
  .help = "Takes an image as labels or as a mask, as is done by itself where one is wanted.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (interpret_args, role), .label = "As",
       .choices =
         (const fv_choice[]){
           {"labels", "Labels",
            "Integers from 0 to 2147483647 are labels and all else is background; a mask is the object 1."},
           {"mask", "Mask", "All that is not 0 is inside."},
           {0}},
       .help = "What the image is taken for."},
      {0}},
  .infer = interpret_infer,
  .run = {[FV_CPU] = interpret_cpu, [FV_CUDA] = FV_CUDA_FN (interpret_cuda)},
};
