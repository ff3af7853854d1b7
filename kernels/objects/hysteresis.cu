/* SPDX-License-Identifier: MIT
 *
 * hysteresis on the GPU: the chain of hysteresis.c. Three kernels beside those of label, 256 threads a block and a row for each block in turn: of a
 * pixel the first reads the value and writes a byte, the second reads the value, and the label where it is above high, the third reads the label, and its
 * mark mostly from the L2, and writes a byte. No synchronisation.
 */
#include "kernels/objects/hysteresis.h"
#include "kernels/common/common.cuh"

template <typename T>
__global__ static void __launch_bounds__ (256) hysteresis_above_kernel (view<const T> in, view<uint8_t> out, double low)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    const int64_t plane = line / in.rows, y = line - plane * in.rows;
    const T *from = in.row (plane, y);
    uint8_t *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += 256)
      to[x] = (double) from[x] > low ? 255 : 0;
  }
}

template <typename T>
__global__ static void __launch_bounds__ (256)
  hysteresis_mark_kernel (view<const T> in, view<const int32_t> labels, uint8_t *marks, int64_t stride, double high)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    const int64_t plane = line / in.rows, y = line - plane * in.rows;
    const T *from = in.row (plane, y);
    const int32_t *label = labels.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += 256)
      if ((double) from[x] > high)
        marks[plane * stride + label[x]] = 255;
  }
}

__global__ static void __launch_bounds__ (256)
  hysteresis_keep_kernel (view<const int32_t> labels, const uint8_t *marks, int64_t stride, view<uint8_t> out)
{
  for (int64_t line = blockIdx.x; line < out.planes * out.rows; line += gridDim.x) {
    const int64_t plane = line / out.rows, y = line - plane * out.rows;
    const int32_t *label = labels.row (plane, y);
    uint8_t *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < out.columns; x += 256)
      to[x] = label[x] ? marks[plane * stride + label[x]] : 0;
  }
}

extern "C" fv_status
hysteresis_cuda (const fv_call *call, fv_error *error)
{
  const hysteresis_args *a = (const hysteresis_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const label_args find = hysteresis_label_args (a);
  const int64_t marks = hysteresis_marks (in->grid, a->volume), all = marks * (a->volume ? 1 : array_planes (in));
  const int64_t lines = array_planes (in) * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  const int64_t stride = a->volume ? 0 : marks;
  const unsigned blocks = (unsigned) (lines < most ? lines : most);
  const cudaStream_t stream = cuda_stream (call);
  piece_labels labels;
  uint8_t *marked;
  if (cuda_scratch (call, (size_t) all, &marked, error))
    return error->code;
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    hysteresis_above_kernel<T>
      <<<blocks, 256, 0, stream>>> (view_of<const T> (in), view_of<uint8_t> (out), hysteresis_low (a));
  });
  if (cuda_status (cudaGetLastError (), "Thresholding", error)
      || pieces_find (call, FV_CUDA, out, &find, &labels, error))
    return error->code;
  cudaMemsetAsync (marked, 0, (size_t) all, stream);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    hysteresis_mark_kernel<T><<<blocks, 256, 0, stream>>> (
      view_of<const T> (in), view_of<const int32_t> (&labels.array), marked, stride, a->high);
  });
  hysteresis_keep_kernel<<<blocks, 256, 0, stream>>> (view_of<const int32_t> (&labels.array), marked, stride,
                                                      view_of<uint8_t> (out));
  return cuda_status (cudaGetLastError (), "Thresholding", error);
}
