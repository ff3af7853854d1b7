/* SPDX-License-Identifier: MIT
 */
#include "kernels/network/segment_found.h"

#include "kernels/common/upload.h"

#include <stdlib.h>

fv_status
segment_found_take (segment_found *f, const fv_call *call, int64_t most, fv_error *error)
{
  const fv_status status = call->host->scratch (call, (size_t) most * sizeof *f->tile, (void **) &f->tile, error);
  return status ? status : call->host->scratch (call, sizeof *f->n_tile, (void **) &f->n_tile, error);
}

/* Room for n more. */
static bool
grow (segment_found *f, int64_t n)
{
  if (f->n + n <= f->size)
    return true;
  const int64_t size = 2 * (f->n + n);
  star *larger = realloc (f->stars, (size_t) size * sizeof *larger);
  if (!larger)
    return false;
  f->stars = larger;
  f->size = size;
  return true;
}

fv_status
segment_found_add (segment_found *f, const fv_call *call, const segment_passes *passes, const segment_plane *p,
                   const segment_tile *t, const network_view *out, fv_error *error)
{
  int32_t n = 0;
  fv_status status = upload_now (call, f->n_tile, &n, sizeof n, error);
  if (!status)
    status = passes->find (call, p, t, out, f->tile, f->n_tile, error);
  if (!status)
    status = call->host->read (call, &n, f->n_tile, sizeof n, error);
  if (status || !n)
    return status;
  if (!grow (f, n))
    return fail (error, FV_NO_MEMORY, "", "Memory is short: %lld candidates do not fit.", (long long) (f->n + n));
  status = call->host->read (call, f->stars + f->n, f->tile, (size_t) n * sizeof *f->stars, error);
  f->n += n;
  return status;
}
