/* SPDX-License-Identifier: MIT
 */
#include "kernels/native/settings.h"

#include "kernels/common/own_slot.h"

static void
read_own (const fv_op *op, const void *args, kernel_settings *s)
{
  const kernel_own *own = op->user;
  *s = (kernel_settings){.code = own->code, .n_numbers = own->n_numbers};
  while (op->inputs[s->n_images].key)
    s->n_images++;
  while (op->outputs[s->n_results].key)
    s->n_results++;
  for (int i = 0; i < s->n_numbers; i++) {
    s->numbers[i] = own->numbers[i];
    s->values[i] = own_number (op, args, i);
  }
}

void
kernel_read (const fv_op *op, const void *args, kernel_settings *s)
{
  const kernel_args *a = args;
  if (op->user) {
    read_own (op, args, s);
    return;
  }
  *s =
    (kernel_settings){{a->in_params, a->out_params, a->operation, a->preamble, a->size, 1, 1, a->check, a->time_limit},
                      KERNEL_IMAGES,
                      KERNEL_RESULTS,
                      4,
                      {"p", "q", "r", "s"},
                      {a->p, a->q, a->r, a->s}};
}

fv_status
kernel_blame (const fv_op *op, fv_status status, fv_error *error)
{
  char text[sizeof error->text];
  if (!status || status == FV_CANCELLED || !op->user || !*error->field)
    return status;
  snprintf (text, sizeof text, "%s", error->text);
  return fail (error, status, "", "In %s.operation: %s", op->key, text);
}
