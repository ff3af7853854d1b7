/* SPDX-License-Identifier: MIT
 *
 * filter_objects on the GPU: the bits of the kept labels are uploaded, and one kernel of items.cuh goes over the pixels of all planes. It
 * reads a label and a word of bits, which stay in the cache, and writes one label.
 */
#include "kernels/measure/filter_objects.h"
#include "kernels/common/items.cuh"

/* The bits on the device. */
static fv_status
send (const fv_call *call, kept_labels *kept, fv_error *error)
{
  size_t bytes = kept_bytes (*kept);
  uint32_t *words;
  fv_status status = cuda_scratch (call, bytes / sizeof *words, &words, error);
  if (!status)
    status =
      call->device->copy (call->device, call->stream, words, bytes, kept->words, bytes, bytes, 1, FV_TO_DEVICE, error);
  kept->words = words;
  return status;
}

extern "C" fv_status
filter_objects_cuda (const fv_call *call, fv_error *error)
{
  const view<const int32_t> in = view_of<const int32_t> (call->inputs[0]);
  const view<int32_t> out = view_of<int32_t> (call->outputs[0]);
  kept_labels kept;
  fv_status status = filter_objects_find (call, &kept, error);
  if (!status)
    status = send (call, &kept, error);
  if (status)
    return status;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  items_launch (call, in.planes * in.rows * in.columns, [=] __device__ (int64_t i) {
    const pixel_position p = position_of (in, i);
    const int32_t label = in.row (p.z, p.y)[p.x];
    out.row (p.z, p.y)[p.x] = kept_has (kept, p.z, label) ? label : 0;
  });
  return cuda_status (cudaGetLastError (), "Filtering objects", error);
}
