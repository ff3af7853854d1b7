/* SPDX-License-Identifier: MIT
 *
 * One event marks first where the work stands, for the copy to wait for, and then the end of the copy. To the device: memory is allocated in the
 * order of the stream, whose earlier work may still use it, so the first piece waits for that. Later work on the device waits for each piece. The
 * host's side is read until transfer_end(): a slot ends it when it goes, before the image gives its host memory back. To the host: each piece waits
 * for the work so far, which makes it. The device's side goes back in the order of the work, which knows nothing of the copy: who lets a slot go ends
 * it first.
 */
#include "core/data/transfer.h"

fv_status
transfer_begin (Transfer *transfer, Device *device, const TransferRows *r, fv_copy direction, fv_error *error)
{
  const fv_device *fv = device->fv;
  void *stream = direction == FV_TO_DEVICE ? device->up : device->down;
  gboolean beside = stream != device->stream;
  /* Later pieces need no more than the first, regardless of the work queued on the device since. */
  gboolean waits = beside && (direction == FV_TO_HOST || !transfer->event);
  fv_status status = transfer->event ? FV_OK : fv->event_new (fv, &transfer->event, error);
  if (!status && waits && !(status = fv->event_record (fv, device->stream, transfer->event, error)))
    status = fv->stream_wait (fv, stream, transfer->event, error);
  if (!status)
    status = fv->copy (fv, stream, r->to, r->to_stride, r->from, r->from_stride, r->bytes, r->rows, direction, error);
  if (!status)
    status = fv->event_record (fv, stream, transfer->event, error);
  if (!status && beside && direction == FV_TO_DEVICE)
    status = fv->stream_wait (fv, device->stream, transfer->event, error);
  if (status) {
    fv_error ignored = FV_ERROR_INIT;
    transfer_end (transfer, device, &ignored);
  } else
    *(direction == FV_TO_DEVICE ? &device->uploaded : &device->downloaded) += r->bytes * r->rows;
  return status;
}

fv_status
transfer_end (Transfer *transfer, Device *device, fv_error *error)
{
  const fv_device *fv = device->fv;
  fv_status status = FV_OK;
  double ms;
  if (!transfer->event)
    return FV_OK;
  status = fv->event_elapsed (fv, transfer->event, transfer->event, &ms, error);
  fv->event_free (fv, transfer->event);
  transfer->event = NULL;
  return status;
}
