/* SPDX-License-Identifier: MIT
 *
 * Planes that are copied.
 */
#include "kernels/image/copy_planes.h"

static char *
place_of (const plane_source *s, int64_t y)
{
  return (char *) array_row (s->array, s->plane, s->row + y) + s->column * (int64_t) type_bytes (s->array->grid->type);
}

plane_source
copy_planes_named (const fv_call *call, int64_t plane)
{
  const fv_grid *inputs[COPY_PLANES_INPUTS];
  uint32_t input = 0;
  for (int i = 0; i < COPY_PLANES_INPUTS && call->op->inputs[i].key; i++)
    inputs[i] = call->inputs[i] ? call->inputs[i]->grid : NULL;
  const int64_t from = call->op->plane (call->op, call->args, inputs, call->outputs[0]->grid, plane, &input);
  return (plane_source){call->inputs[input], from, 0, 0};
}

fv_status
copy_planes_cpu (const fv_call *call, find_source find, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  int64_t planes = array_planes (out), rows = array_rows (out);
  size_t bytes = (size_t) array_columns (out) * type_bytes (out->grid->type);
  progress p = {call, .total = planes * rows};

#pragma omp parallel for collapse(2) schedule(static, 64)
  for (int64_t plane = 0; plane < planes; plane++)
    for (int64_t y = 0; y < rows; y++) {
      if (progress_stopped (&p))
        continue;
      plane_source from = find (call, plane);
      memcpy (array_row (out, plane, y), place_of (&from, y), bytes);
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

/* Parts of some megabytes, as copies with too long rows are refused. */
fv_status
copy_planes_on_device (const fv_call *call, find_source find, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  const fv_device *device = call->device;
  size_t pixel = type_bytes (out->grid->type), bytes = (size_t) array_columns (out) * pixel;
  int64_t planes = array_planes (out), rows = array_rows (out), part = (int64_t) (((size_t) 64 << 20) / bytes) + 1;
  for (int64_t plane = 0; plane < planes; plane++) {
    plane_source from = find (call, plane);
    for (int64_t y = 0; y < rows; y += part) {
      int64_t n = rows - y < part ? rows - y : part;
      if (call->host->tick (call, plane * rows + y, planes * rows))
        return cancelled (error);
      if (device->copy (device, call->stream, array_row (out, plane, y), (size_t) out->tensor.strides[1] * pixel,
                        place_of (&from, y), (size_t) from.array->tensor.strides[1] * pixel, bytes, (size_t) n,
                        FV_ON_DEVICE, error))
        return error->code;
    }
  }
  return FV_OK;
}
