/* SPDX-License-Identifier: MIT
 */
#include "core/data/arrival.h"

#include "core/data/transfer.h"

/* end: beyond what was sent. */
static fv_status
send (Arrival *a, gsize end, fv_error *error)
{
  gsize bytes = end - a->sent;
  const TransferRows rows = {a->memory + a->sent, bytes, a->pixels + a->sent, bytes, bytes, 1};
  fv_status status = transfer_begin (&a->transfer, a->device, &rows, FV_TO_DEVICE, error);
  if (!status)
    a->sent = end;
  return status;
}

fv_status
arrival_send (Arrival *a, gsize end, fv_error *error)
{
  return end < a->sent + TRANSFER_MIN ? FV_OK : send (a, end, error);
}

fv_status
arrival_advance (Arrival *a, gsize end, fv_error *error)
{
  gsize left = a->bytes - a->sent;
  if (end <= a->sent)
    return FV_OK;
  /* Half of the rest: few pieces, and a small last one, since nothing overlaps with that one. */
  return send (a, left < 2 * TRANSFER_MIN ? a->bytes : MAX (end, a->sent + left / 2), error);
}

void
arrival_undo (Arrival *a)
{
  fv_error fault = FV_ERROR_INIT;
  transfer_end (&a->transfer, a->device, &fault);
  device_give (a->device, a->memory, a->bytes);
}
