/* SPDX-License-Identifier: MIT
 *
 * Random smooth fields on the CPU.
 */
#include "kernels/fields/field.h"

spline_rule
field_spline (const field_rule *f)
{
  return (spline_rule){f->order, SPLINE_MIRROR, 0, true, false};
}

void
field_nodes (const field_rule *f, const int64_t shape[3], int64_t nodes[3])
{
  for (int axis = 0; axis < 3; axis++)
    nodes[axis] = (int64_t) ceil ((double) (shape[axis] - 1) / f->distance) + 1;
  if (!f->volume)
    nodes[0] = 1;
}

void
field_array_init (field_array *a, const fv_call *call, fv_type type, const int64_t shape[3], void *memory)
{
  *a = (field_array){.grid = {.size = sizeof (fv_grid), .type = type, .channels = 1}};
  memcpy (a->shape, shape, sizeof a->shape);
  memcpy (a->grid.shape, shape, sizeof a->shape);
  a->strides[0] = shape[1] * shape[2];
  a->strides[1] = shape[2];
  a->strides[2] = 1;
  a->array = (fv_array){.size = sizeof (fv_array),
                        .grid = &a->grid,
                        .tensor = {.data = memory,
                                   .device = call->device ? call->device->dl : (DLDevice){kDLCPU, 0},
                                   .ndim = 3,
                                   .dtype = {kDLFloat, (uint8_t) (8 * type_bytes (type)), 1},
                                   .shape = a->shape,
                                   .strides = a->strides}};
}

static int64_t
bytes_of (fv_type type, const int64_t shape[3])
{
  return shape[0] * shape[1] * shape[2] * (int64_t) type_bytes (type);
}

int64_t
field_scratch (const field_rule *f, fv_type type, const int64_t shape[3])
{
  spline_rule spline = field_spline (f);
  int64_t nodes[3];
  field_nodes (f, shape, nodes);
  return bytes_of (type, nodes) + spline_scratch (&spline, nodes, shape, f->volume, type);
}

fv_status
field_cpu (const fv_call *call, const field_rule *f, const fv_array *out, fv_error *error)
{
  spline_rule spline = field_spline (f);
  fv_type type = out->grid->type;
  int64_t nodes[3];
  field_array grid;
  void *values;
  field_nodes (f, out->tensor.shape, nodes);
  if (call->host->scratch (call, (size_t) bytes_of (type, nodes), &values, error))
    return error->code;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < nodes[0] * nodes[1] * nodes[2]; i++)
    if (type == FV_F32)
      ((float *) values)[i] = (float) field_node (f, i);
    else
      ((double *) values)[i] = field_node (f, i);
  field_array_init (&grid, call, type, nodes, values);
  return spline_resample (call, &spline, &grid.array, out, f->volume, type, error);
}
