/* SPDX-License-Identifier: MIT
 *
 * register, transform=rigid: poses are found in the host's memory, pair by pair, whatever the device.
 */
#include "kernels/common/row.h"
#include "kernels/geometry/register.h"
#include "kernels/geometry/rigid.h"
#include "kernels/geometry/rotate.h"

/* Memory of the host for a pair: what rigid_find() takes, a row, and a plane of another device. */
typedef struct rigid_memory {
  double *images, *row;
  void *plane;
} rigid_memory;

static double
degrees (double angle)
{
  return angle * 180 / acos (-1);
}

int64_t
register_rigid_bytes (const fv_grid *in)
{
  return (rigid_numbers (in->shape[1], in->shape[2]) + in->shape[2]) * (int64_t) sizeof (double);
}

/* Of a plane with its padding. */
static int64_t
plane_bytes (const fv_array *a)
{
  return ((array_rows (a) - 1) * a->tensor.strides[1] + array_columns (a)) * (int64_t) type_bytes (a->grid->type);
}

/* Memory of the host. */
static fv_status
take (const fv_call *call, fv_device_kind kind, int64_t bytes, void *memory, fv_error *error)
{
  return (kind == FV_CPU ? call->host->scratch : call->host->host_scratch) (call, (size_t) bytes, memory, error);
}

static fv_status
take_memory (const fv_call *call, fv_device_kind kind, rigid_memory *m, fv_error *error)
{
  const fv_array *image = call->inputs[0], *reference = call->inputs[1];
  int64_t bytes = plane_bytes (image);
  if (reference && plane_bytes (reference) > bytes)
    bytes = plane_bytes (reference);
  *m = (rigid_memory){NULL, NULL, NULL};
  if (take (call, kind, register_rigid_bytes (image->grid), &m->images, error))
    return error->code;
  m->row = m->images + rigid_numbers (array_rows (image), array_columns (image));
  return kind == FV_CPU ? FV_OK : take (call, kind, bytes, &m->plane, error);
}

/* The sum of all slices, NaN where one is not finite. */
static fv_status
load (const fv_call *call, const rigid_memory *m, const register_view *v, double *to, fv_error *error)
{
  const int64_t rows = array_rows (v->array), columns = array_columns (v->array);
  const fv_type type = v->array->grid->type;
  const int64_t pitch = v->array->tensor.strides[1] * (int64_t) type_bytes (type);
  for (int64_t z = 0; z < v->depth; z++) {
    const char *plane = array_row (v->array, v->plane + z, 0);
    if (m->plane && call->host->read (call, m->plane, plane, (size_t) plane_bytes (v->array), error))
      return error->code;
    plane = m->plane ? m->plane : plane;
    for (int64_t y = 0; y < rows; y++) {
      double *row = to + y * columns;
      row_to_f64 (m->row, plane + y * pitch, type, columns);
      for (int64_t x = 0; x < columns; x++)
        row[x] = (z ? row[x] : 0) + (isfinite (m->row[x]) ? m->row[x] : (double) NAN);
    }
  }
  return FV_OK;
}

fv_status
register_rigid (const fv_call *call, fv_device_kind kind, const register_plan *plan, double *moves, affine_map *maps,
                fv_error *error)
{
  const bool join = ((const register_args *) call->args)->to == REGISTER_PREVIOUS && !call->inputs[1];
  const int64_t first = register_first (call), rows = array_rows (call->inputs[0]),
                columns = array_columns (call->inputs[0]);
  const fv_grid *grid = call->inputs[0]->grid;
  rigid_pose pose = {0, 0, 0};
  rigid_memory m;
  if (take_memory (call, kind, &m, error))
    return error->code;
  for (int64_t i = 0; i < plan->count; i++) {
    if (call->host->tick (call, i, plan->count + 1))
      return cancelled (error);
    if (i >= first) {
      register_view pair[2];
      register_pair (call, plan, i - first, pair);
      if (load (call, &m, &pair[0], m.images, error) || load (call, &m, &pair[1], m.images + rows * columns, error))
        return error->code;
      const rigid_pose found = rigid_find (m.images, rows, columns);
      pose = join ? rigid_join (found, pose) : found;
    }
    const rotate_args turn = {.angle = degrees (pose.angle), .x = pose.x, .y = pose.y};
    memcpy (moves + i * REGISTER_MOVES, (double[]){pose.x, pose.y, turn.angle}, REGISTER_MOVES * sizeof *moves);
    maps[i] = rotate_map_of (&turn, grid, grid);
  }
  return FV_OK;
}
