/* SPDX-License-Identifier: MIT
 */
#include "kernels/network/segment_small.h"

#include "kernels/common/upload.h"

/* Of one plane. pixels: of each label, on the device, 0 at first; counted: the same on the host. */
static fv_status
drop_of_plane (const fv_call *call, const segment_passes *passes, const fv_array *labels, int64_t plane, int32_t least,
               int32_t *pixels, int32_t *counted, int64_t *objects, fv_error *error)
{
  const int64_t n = array_rows (labels) * array_columns (labels), most = *objects;
  int32_t *first = array_row (labels, plane, 0);
  fv_status status = passes->count (call, first, n, pixels, error);
  if (!status)
    status = passes->drop (call, first, n, pixels, least, error);
  if (!status)
    status = call->host->read (call, counted, pixels, (size_t) (most + 1) * sizeof *pixels, error);
  *objects = 0;
  for (int64_t i = 1; !status && i <= most; i++)
    *objects += counted[i] >= least;
  return status;
}

fv_status
segment_small_drop (const fv_call *call, const segment_passes *passes, const fv_array *labels, const int32_t *least,
                    int64_t *objects, fv_error *error)
{
  int64_t all = 0;
  int32_t *pixels, *counted;
  for (int64_t i = 0; i < array_planes (labels); i++)
    all += objects[i] + 1;
  fv_status status = call->host->scratch (call, (size_t) all * sizeof *pixels, (void **) &pixels, error);
  if (!status)
    status = call->host->host_scratch (call, (size_t) all * sizeof *counted, (void **) &counted, error);
  if (status)
    return status;
  memset (counted, 0, (size_t) all * sizeof *counted);
  status = upload_now (call, pixels, counted, (size_t) all * sizeof *pixels, error);
  for (int64_t i = 0; i < array_planes (labels) && !status; i++) {
    const int64_t labels_of_plane = objects[i] + 1;
    status = drop_of_plane (call, passes, labels, i, least[i], pixels, counted, &objects[i], error);
    pixels += labels_of_plane;
    counted += labels_of_plane;
  }
  return status;
}
