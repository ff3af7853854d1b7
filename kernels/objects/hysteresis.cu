/* SPDX-License-Identifier: MIT
 *
 * hysteresis on the GPU: the chain of hysteresis.c. Three launches of the kernel of rows.cuh, and those of label. For each pixel the first reads the
 * value and writes a byte. The second reads the value, and the label where it is above high. The third reads the label and its mark, mostly from L2,
 * and writes a byte.
 */
#include "kernels/objects/hysteresis.h"
#include "kernels/common/rows.cuh"

extern "C" fv_status
hysteresis_cuda (const fv_call *call, fv_error *error)
{
  const hysteresis_args *a = (const hysteresis_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const label_args find = hysteresis_label_args (a);
  const int64_t marks = hysteresis_marks (in->grid, a->volume), planes = array_planes (in);
  const int64_t all = marks * (a->volume ? 1 : planes), stride = a->volume ? 0 : marks;
  const view<uint8_t> made = view_of<uint8_t> (out);
  scratch_image found;
  uint8_t *marked;
  if (cuda_scratch (call, (size_t) all, &marked, error))
    return error->code;
  auto above = [low = hysteresis_low (a)] __device__ (double v) { return v > low ? 255 : 0; };
  rows_over<to_type<uint8_t>> (call, in, out, 0, planes, point_rows<decltype (above)>{above});
  if (cuda_status (cudaGetLastError (), "Thresholding", error)
      || label_image (call, FV_CUDA, out, &find, &found, error))
    return error->code;
  const view<const int32_t> labels = view_of<const int32_t> (&found.array);
  cudaMemsetAsync (marked, 0, (size_t) all, cuda_stream (call));
  auto mark = [=, high = a->high] __device__ (const auto &from, const auto &, int64_t plane, int64_t y) {
    auto *v = from.row (plane, y);
    const int32_t *label = labels.row (plane, y);
    return [=, to = marked + plane * stride] (int64_t x) {
      if ((double) v[x] > high)
        to[label[x]] = 255;
    };
  };
  rows_over<to_type<uint8_t>> (call, in, out, 0, planes, mark);
  rows_launch (call, made, [=] __device__ (int64_t plane, int64_t y) {
    const int32_t *label = labels.row (plane, y);
    return [=, from = marked + plane * stride, to = made.row (plane, y)] (int64_t x) {
      to[x] = label[x] ? from[label[x]] : 0;
    };
  });
  return cuda_status (cudaGetLastError (), "Thresholding", error);
}
