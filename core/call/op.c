/* SPDX-License-Identifier: MIT
 */
#include "core/call/op.h"

#include "core/base/error.h"
#include "core/ops/native.h"
#include "core/call/grid.h"
#include "core/call/stored.h"
#include "core/call/take.h"

double
call_op_tolerance (const Op *op, gconstpointer args, Image *const *inputs, const fv_grid *in)
{
  const fv_grid *given[OP_MAX_ARRAYS] = {NULL};
  for (guint i = 0; i < op->n_inputs; i++)
    given[i] = inputs[i] ? &in[i] : NULL;
  return op->fv.exact && op->fv.exact (op->declared, args, given) ? 0 : op->fv.reproducible;
}

static gboolean
take_inputs (const Op *op, Image *const *inputs, Device *device, Progress *progress, Image **taken, GError **error)
{
  for (guint i = 0; i < op->n_inputs; i++)
    if (inputs[i] && !(taken[i] = take_image (&op->fv.inputs[i], inputs[i], op->modules, device, progress, error))) {
      g_prefix_error (error, "%s: %s: ", op->fv.key, op->fv.inputs[i].key);
      return FALSE;
    }
  return TRUE;
}

static gboolean
has_tables (const Op *op, Table *const *tables, GError **error)
{
  for (guint i = 0; i < op->n_inputs; i++) {
    const fv_input *input = &op->fv.inputs[i];
    if (input->types & FV_WANTS_TABLE && !input->optional && !(tables && tables[i])) {
      step_error_set (error, FV_BAD_INPUT, input->key, "%s needs a table, but no earlier step makes one.", op->fv.key);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
call_op_start (const Op *op, gconstpointer args, const CallInputs *inputs, Device *device, const CallTarget *target,
               Progress *progress, CallResult *result, GError **error)
{
  guint64 uploaded = device->uploaded, downloaded = device->downloaded;
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  Image *taken[OP_MAX_ARRAYS] = {NULL};
  gboolean done;
  *result = (CallResult){0};
  if (!op->fv.run[device->fv->kind]) {
    step_error_set (error, FV_UNSUPPORTED, "device", "%s cannot run on %s.", op->fv.key, device->fv->key);
    return FALSE;
  }
  /* Nothing is made for a call that cannot be. */
  done = native_check (op, args, error) && has_tables (op, inputs->tables, error)
         && call_grids (op, args, inputs->images, in, out, error)
         && take_inputs (op, inputs->images, device, progress, taken, error)
         && call_start (op, args, &(CallInputs){taken, inputs->tables}, device, target, progress, result, error);
  if (done && !stored_columns (op, args, inputs, taken, device, target, progress, result, error)) {
    call_result_clear (result);
    done = FALSE;
  }
  for (guint i = 0; i < op->n_inputs; i++)
    image_unref (taken[i]);
  result->uploaded = device->uploaded - uploaded;
  result->downloaded = device->downloaded - downloaded;
  result->tolerance = done ? call_op_tolerance (op, args, inputs->images, in) : 0;
  return done;
}

gboolean
call_op (const Op *op, gconstpointer args, Image *const *inputs, Device *device, Progress *progress, CallResult *result,
         GError **error)
{
  return call_op_start (op, args, &(CallInputs){inputs, NULL}, device, NULL, progress, result, error)
         && call_settle (op, result, error);
}
