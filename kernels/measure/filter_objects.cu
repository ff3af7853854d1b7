/* SPDX-License-Identifier: MIT
 *
 * filter_objects on the GPU: the bits of the kept labels are uploaded, and one kernel goes over the pixels of all planes in a grid-stride loop. It
 * reads a label and a word of bits, which stay in the cache, and writes one label. No barrier.
 */
#include "kernels/measure/filter_objects.h"
#include "kernels/common/common.cuh"

enum { THREADS = 256 };

__global__ static void
__launch_bounds__ (THREADS) filter_objects_kernel (view<const int32_t> in, view<int32_t> out, kept_labels kept)
{
  int64_t count = in.planes * in.rows * in.columns;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS) {
    int64_t line = i / in.columns, x = i - line * in.columns, plane = line / in.rows, y = line - plane * in.rows;
    int32_t label = in.row (plane, y)[x];
    out.row (plane, y)[x] = kept_has (kept, plane, label) ? label : 0;
  }
}

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
  view<const int32_t> in = view_of<const int32_t> (call->inputs[0]);
  int64_t blocks = blocks_for (in.planes * in.rows * in.columns, THREADS), most = 16 * (int64_t) multiprocessors ();
  kept_labels kept;
  fv_status status = filter_objects_find (call, &kept, error);
  if (!status)
    status = send (call, &kept, error);
  if (status)
    return status;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  filter_objects_kernel<<<(unsigned) (blocks < most ? blocks : most), THREADS, 0, cuda_stream (call)>>> (
    in, view_of<int32_t> (call->outputs[0]), kept);
  return cuda_status (cudaGetLastError (), "Filtering objects", error);
}
