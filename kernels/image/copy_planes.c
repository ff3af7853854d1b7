/* SPDX-License-Identifier: MIT
 *
 * Planes that are copied.
 */
#include "kernels/image/copy_planes.h"
#include "kernels/common/rows.h"

static char *
source_row (const plane_source *s, int64_t y)
{
  return (char *) array_row (s->array, s->plane, s->row + y) + s->column * (int64_t) type_bytes (s->array->grid->type);
}

static void
copy_row (const fv_call *call, const void *find, int64_t plane, int64_t y)
{
  const fv_array *out = call->outputs[0];
  const plane_source from = (*(const find_source *) find) (call, plane);
  memcpy (array_row (out, plane, y), source_row (&from, y),
          (size_t) array_columns (out) * type_bytes (out->grid->type));
}

/* How many planes from that one on follow each other as their rows do, where they are and where they come from. */
static int64_t
planes_together (const fv_call *call, find_source find, int64_t plane)
{
  const fv_array *out = call->outputs[0];
  const plane_source first = find (call, plane);
  const int64_t *to = out->tensor.strides, *from = first.array->tensor.strides, rows = array_rows (out);
  int64_t n = 1;
  while (to[0] == rows * to[1] && from[0] == rows * from[1] && plane + n < array_planes (out)) {
    const plane_source next = find (call, plane + n);
    if (next.array != first.array || next.plane != first.plane + n)
      break;
    n++;
  }
  return n;
}

/* Parts of some megabytes, as copies with too long rows are refused. */
static fv_status
copy_on_device (const fv_call *call, find_source find, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  const fv_device *device = call->device;
  const size_t pixel = type_bytes (out->grid->type), bytes = (size_t) array_columns (out) * pixel;
  const int64_t planes = array_planes (out), rows = array_rows (out),
                part = (int64_t) (((size_t) 64 << 20) / bytes) + 1;
  for (int64_t plane = 0, together; plane < planes; plane += together) {
    const plane_source from = find (call, plane);
    together = planes_together (call, find, plane);
    for (int64_t y = 0; y < together * rows; y += part) {
      const int64_t n = together * rows - y < part ? together * rows - y : part;
      if (call->host->tick (call, plane * rows + y, planes * rows))
        return cancelled (error);
      if (device->copy (device, call->stream, array_row (out, plane, y), (size_t) out->tensor.strides[1] * pixel,
                        source_row (&from, y), (size_t) from.array->tensor.strides[1] * pixel, bytes, (size_t) n,
                        FV_ON_DEVICE, error))
        return error->code;
    }
  }
  return FV_OK;
}

fv_status
copy_planes (const fv_call *call, find_source find, fv_error *error)
{
  return call->device->kind == FV_CPU ? rows_cpu (call, copy_row, &find, error) : copy_on_device (call, find, error);
}

static plane_source
named_plane (const fv_call *call, int64_t plane)
{
  const fv_grid *inputs[COPY_PLANES_INPUTS];
  uint32_t input = 0;
  for (int i = 0; i < COPY_PLANES_INPUTS && call->op->inputs[i].key; i++)
    inputs[i] = call->inputs[i] ? call->inputs[i]->grid : NULL;
  const int64_t from = call->op->plane (call->op, call->args, inputs, call->outputs[0]->grid, plane, &input);
  return (plane_source){call->inputs[input], from, 0, 0};
}

fv_status
copy_named_planes (const fv_call *call, fv_error *error)
{
  return copy_planes (call, named_plane, error);
}
