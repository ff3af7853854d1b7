/* SPDX-License-Identifier: MIT
 *
 * Each run of an object looks which others lie in its row.
 */
#include "kernels/objects/overlaps.h"

fv_status
overlaps_make (const fv_call *call, const fv_array *labels, const regions *others, overlaps *to, fv_error *error)
{
  const int64_t rooms = threads_at_most () * others->n;
  to->others = others;
  fv_status status = object_rows_make (call, labels, others, &to->rows, error);
  if (!status)
    status = host_items (call, rooms, sizeof *to->met, &to->met, error);
  if (!status)
    status = host_items (call, rooms, sizeof *to->pixels, &to->pixels, error);
  if (!status)
    memset (to->pixels, 0, (size_t) rooms * sizeof *to->pixels);
  return status;
}

static void
add_run (const overlaps *o, const run *r, overlaps_met *to)
{
  const int64_t row = object_row (&o->rows, r->z, r->y), end = o->rows.first[row + 1];
  for (int64_t i = object_rows_from (&o->rows, row, r->x0); i < end && o->rows.pieces[i].x0 < r->x1; i++) {
    const row_piece *p = &o->rows.pieces[i];
    if (!to->pixels[p->object])
      to->met[to->n++] = p->object;
    to->pixels[p->object] += (p->x1 < r->x1 ? p->x1 : r->x1) - (p->x0 > r->x0 ? p->x0 : r->x0);
  }
}

overlaps_met
overlaps_of (const overlaps *o, const region *object)
{
  const int64_t room = thread_index () * o->others->n;
  overlaps_met to = {0, o->pixels + room, o->met + room};
  for (int64_t i = 0; i < object->n_runs; i++)
    add_run (o, &object->runs[i], &to);
  return to;
}
