/* SPDX-License-Identifier: MIT
 */
#include "core/data/arrival.h"

#include "core/data/transfer.h"

fv_status
arrival_advance (Arrival *a, gsize end, fv_error *error)
{
  gsize left = a->bytes - a->sent;
  TransferRows rows = {.to = a->memory + a->sent, .from = a->pixels + a->sent, .rows = 1};
  fv_status status;
  if (end <= a->sent)
    return FV_OK;
  /* Half of what is left: few pieces, and a small one last, after which nothing goes on meanwhile. */
  end = left < 2 * TRANSFER_LEAST ? a->bytes : MAX (end, a->sent + left / 2);
  rows.bytes = rows.to_stride = rows.from_stride = end - a->sent;
  status = transfer_begin (&a->transfer, a->device, &rows, FV_TO_DEVICE, error);
  if (!status)
    a->sent = end;
  return status;
}

void
arrival_undo (Arrival *a)
{
  fv_error fault = FV_ERROR_INIT;
  transfer_end (&a->transfer, a->device, &fault);
  device_give (a->device, a->memory, a->bytes);
}
