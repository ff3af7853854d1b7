/* SPDX-License-Identifier: MIT
 */
#include "kernels/network/flows_worker.h"

#include "kernels/common/upload.h"

#include <stdlib.h>

fv_status
flows_each (const flows_worker *w, flows_pass pass, int64_t n, int64_t work, fv_error *error)
{
  return n ? w->passes->each (w->call, pass, &w->job, n, work, &w->share, error) : FV_OK;
}

fv_status
flows_tell (const flows_worker *w, fv_error *error)
{
  return upload_now (w->call, w->job.objects, w->objects, (size_t) w->n * sizeof *w->objects, error);
}

fv_status
flows_ask (const flows_worker *w, fv_error *error)
{
  return w->call->host->read (w->call, w->objects, w->job.objects, (size_t) w->n * sizeof *w->objects, error);
}

fv_status
flows_reset (const flows_worker *w, fv_error *error)
{
  static const int32_t none = 0;
  return upload_now (w->call, w->flag, &none, sizeof none, error);
}

fv_status
flows_read (const flows_worker *w, int32_t *flag, fv_error *error)
{
  return w->call->host->read (w->call, flag, w->flag, sizeof *flag, error);
}

static int
by_number (const void *one, const void *other)
{
  const uint64_t a = *(const uint64_t *) one, b = *(const uint64_t *) other;
  return (a > b) - (a < b);
}

int64_t
flows_sort (flows_worker *w)
{
  int64_t n = 0;
  for (int64_t i = 0; i < w->n; i++)
    if (w->objects[i].label)
      w->order[n++] = (uint64_t) w->objects[i].first << 32 | (uint64_t) i;
  qsort (w->order, (size_t) n, sizeof *w->order, by_number);
  return n;
}
