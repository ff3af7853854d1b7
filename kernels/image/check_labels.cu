/* SPDX-License-Identifier: MIT
 *
 * check_labels on the GPU: the indices are set to the largest one, then two kernels run.
 * - find_kernel: 256 threads a block, a row for each block in turn; reads each pixel once, with an atomic minimum for each that is not a label.
 * - report_kernel: a thread for each plane; reads one pixel. Nothing is waited for.
 */
#include "kernels/image/check_labels.h"
#include "kernels/common/common.cuh"

typedef unsigned long long pixel_index;

template <typename T> __global__ void __launch_bounds__ (256) find_kernel (view<const T> in, pixel_index *first)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const T *row = in.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x)
      if (!is_label ((double) row[x])) {
        atomicMin (first + plane, (pixel_index) (y * in.columns + x));
        break; /* what comes after is further */
      }
  }
}

template <typename T>
__global__ void __launch_bounds__ (256) report_kernel (view<const T> in, const pixel_index *first, double *scalars)
{
  int64_t plane = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (plane >= in.planes)
    return;
  pixel_index at = first[plane];
  double *result = scalars + CHECK_SCALARS * plane;
  bool any = at != ~(pixel_index) 0;
  int64_t y = (int64_t) at / in.columns;
  result[CHECK_PIXEL] = any ? (double) at : -1;
  result[CHECK_VALUE] = any ? (double) in.row (plane, y)[(int64_t) at - y * in.columns] : 0;
}

fv_status
check_labels_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t planes = array_planes (in), lines = planes * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  cudaStream_t stream = cuda_stream (call);
  pixel_index *first;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = cuda_scratch (call, (size_t) planes, &first, error);
  if (!status)
    status =
      cuda_status (cudaMemsetAsync (first, 0xff, (size_t) planes * sizeof (pixel_index), stream), "Clearing", error);
  if (status)
    return status;
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    view<const T> pixels = view_of<const T> (in);
    find_kernel<T><<<(unsigned) (lines < most ? lines : most), 256, 0, stream>>> (pixels, first);
    report_kernel<T><<<(unsigned) blocks_for (planes, 256), 256, 0, stream>>> (pixels, first, call->scalars);
  });
  return cuda_status (cudaGetLastError (), "Checking the labels", error);
}
