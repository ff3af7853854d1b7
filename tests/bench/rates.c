/* SPDX-License-Identifier: MIT
 *
 * The best of several large copies between two events.
 */
#include "tests/bench/rates.h"

#include "core/base/error.h"

enum { RUNS = 8 };
static const gsize device_bytes = 1 << 30, host_bytes = 256 << 20;

/* 0 with *fault when a copy fails. */
static double
copy_rate (const Device *device, void *to, const void *from, gsize bytes, fv_copy direction, fv_error *fault)
{
  const fv_device *fv = device->fv;
  void *start = NULL, *end = NULL;
  double best = 0, ms;
  fv_status status = fv->event_new (fv, &start, fault);
  if (status == FV_OK)
    status = fv->event_new (fv, &end, fault);
  for (int run = 0; run < RUNS && status == FV_OK; run++)
    if (!(status = fv->event_record (fv, device->stream, start, fault))
        && !(status = fv->copy (fv, device->stream, to, bytes, from, bytes, bytes, 1, direction, fault))
        && !(status = fv->event_record (fv, device->stream, end, fault))
        && !(status = fv->event_elapsed (fv, start, end, &ms, fault)))
      best = MAX (best, (double) bytes / ms / 1e6);
  if (start)
    fv->event_free (fv, start);
  if (end)
    fv->event_free (fv, end);
  return status == FV_OK ? best : 0;
}

gboolean
rates_measure (const Device *device, Rates *rates, GError **error)
{
  const fv_device *fv = device->fv;
  fv_error fault = FV_ERROR_INIT;
  void *a = NULL, *b = NULL, *host = NULL;
  gboolean well = fv->alloc (fv, device->stream, device_bytes, &a, &fault) == FV_OK
                  && fv->alloc (fv, device->stream, device_bytes, &b, &fault) == FV_OK
                  && fv->host_alloc (fv, host_bytes, &host, &fault) == FV_OK;
  well = well && (rates->copy = 2 * copy_rate (device, b, a, device_bytes, FV_ON_DEVICE, &fault)) > 0
         && (rates->upload = copy_rate (device, a, host, host_bytes, FV_TO_DEVICE, &fault)) > 0
         && (rates->download = copy_rate (device, host, a, host_bytes, FV_TO_HOST, &fault)) > 0;
  if (!well)
    step_error_set_from_plugin (error, fv->key, &fault);
  if (a)
    fv->free (fv, device->stream, a);
  if (b)
    fv->free (fv, device->stream, b);
  if (host)
    fv->host_free (fv, host);
  return well;
}
