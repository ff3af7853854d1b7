/* SPDX-License-Identifier: MIT
 *
 * hat: an opening or a closing into the output, then the difference over it.
 */
#include "kernels/morphology/hat.h"
#include "kernels/common/rows.h"

#include "kernels/common/inner_call.h"

extern const fv_op fv_op_opening, fv_op_closing;

static const fv_op *
inner_of (const fv_op *op)
{
  return (intptr_t) op->user == HAT_WHITE ? &fv_op_opening : &fv_op_closing;
}

int64_t
hat_scratch (const fv_op *op, const void *args, const fv_grid *const *inputs)
{
  return morphology_scratch (inner_of (op), args, inputs);
}

void
hat_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  morphology_halo (inner_of (op), args, input, halo);
}

fv_status
hat_prepare (const fv_call *call, fv_device_kind kind, fv_error *error)
{
  return run_inner (call, kind, inner_of (call->op), call->args, call->inputs, call->outputs, NULL, error);
}

/* out = high - low, where `out` is one of them. */
#define DEFINE_SUBTRACT(NAME, T, DIFFERENCE)                                                                           \
  VECTORISED static void subtract_##NAME (void *out, const void *high, const void *low, int64_t n)                     \
  {                                                                                                                    \
    T *o = out;                                                                                                        \
    const T *h = high, *l = low;                                                                                       \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      o[i] = (T) DIFFERENCE (h[i], l[i]);                                                                              \
  }
#define LEFT(A, B) ((A) - (B)) /* high is never less than low */
#define LEFT_MASK(A, B) ((A) && !(B) ? 255 : 0)
#define LEFT_I32(A, B) ((int64_t) (A) - (B) > INT32_MAX ? INT32_MAX : (int32_t) ((int64_t) (A) - (B)))

DEFINE_SUBTRACT (mask, uint8_t, LEFT_MASK)
DEFINE_SUBTRACT (u8, uint8_t, LEFT)
DEFINE_SUBTRACT (u16, uint16_t, LEFT)
DEFINE_SUBTRACT (i32, int32_t, LEFT_I32)
DEFINE_SUBTRACT (f32, float, LEFT)
DEFINE_SUBTRACT (f64, double, LEFT)

static void
subtract_row (const fv_call *call, const void *rule, int64_t z, int64_t y)
{
  const fv_array *in = call->inputs[0];
  const bool white = (intptr_t) call->op->user == HAT_WHITE;
  void *to = array_row (call->outputs[0], z, y);
  const void *own = array_row (in, z, y), *high = white ? own : to, *low = white ? to : own;
  (void) rule;
  if (in->grid->role == FV_MASK && in->grid->type == FV_U8)
    subtract_mask (to, high, low, array_columns (in));
  else
    WITH_TYPE (in->grid->type, subtract, to, high, low, array_columns (in));
}

fv_status
hat_cpu (const fv_call *call, fv_error *error)
{
  if (hat_prepare (call, FV_CPU, error))
    return error->code;
  rows_each (call, array_planes (call->inputs[0]), array_rows (call->inputs[0]), subtract_row, NULL, NULL);
  return FV_OK;
}
