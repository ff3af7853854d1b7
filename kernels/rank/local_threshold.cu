/* SPDX-License-Identifier: MIT
 *
 * local_threshold on the GPU: other filters, then the kernel of rows.cuh: a pixel and one or two numbers read, a
 * byte written. Nothing waits. Of means over squares of small integers all is done as soon as there are sums.
 */
#include "kernels/common/rows.cuh"
#include "kernels/rank/boxes.cuh"
#include "kernels/rank/local_threshold.h"
#include "kernels/rank/whole_boxes.cuh"

#include <type_traits>

template <typename T, typename S>
static void
compare_local (const fv_call *call, const local_threshold_images *images)
{
  const view<const T> in = view_of<const T> (call->inputs[0]);
  const view<const S> first = view_of<const S> (&images->image[0].array),
                      second = view_of<const S> (&images->image[images->n - 1].array);
  const view<uint8_t> out = view_of<uint8_t> (call->outputs[0]);
  columns_launch (call, out, [=, rule = images->rule] __device__ (int64_t z, int64_t y, int64_t x) {
    const double v = (double) in.row (z, y)[x], a = (double) first.row (z, y)[x], b = (double) second.row (z, y)[x];
    out.row (z, y)[x] = local_threshold_above (&rule, v, a, b) ? 255 : 0;
  });
}

/* Compares a pixel with the mean around it, of 32 bits as the operation mean makes it, and the variance. */
template <typename T, bool VARIANCE> struct put_above {
  view<const T> in;
  view<uint8_t> out;
  local_threshold_rule rule;
  double n, inverse;

  __device__ void operator() (int64_t z, int64_t y, int64_t x, double sum, double squares) const
  {
    float mean = (float) sums_result<false, float> (sum, squares, n, inverse), variance = mean;
    if (VARIANCE)
      variance = (float) sums_result<true, float> (sum, squares, n, inverse);
    double v = (double) in.row (z, y)[x];
    out.row (z, y)[x] = local_threshold_above (&rule, v, (double) mean, (double) variance) ? 255 : 0;
  }
};

template <typename T, bool VARIANCE>
static fv_status
compare_whole (const fv_call *call, bool *done, fv_error *error)
{
  const local_threshold_args *a = (const local_threshold_args *) call->args;
  double n = (double) neighborhood_count (&a->around);
  put_above<T, VARIANCE> finish = {view_of<const T> (call->inputs[0]), view_of<uint8_t> (call->outputs[0]),
                                   local_threshold_rule_of (a, call->inputs[0]->grid->type, FV_F32), n, 1 / n};
  return run_whole_boxes<T, VARIANCE> (call, finish, done, error);
}

/* With the sums of small integers; *done says whether these are enough. */
static fv_status
compare_with_sums (const fv_call *call, bool *done, fv_error *error)
{
  fv_type type = call->inputs[0]->grid->type;
  switch ((local_threshold_method) ((const local_threshold_args *) call->args)->method) {
  case LOCAL_MEAN:
    return type == FV_U8    ? compare_whole<uint8_t, false> (call, done, error)
           : type == FV_U16 ? compare_whole<uint16_t, false> (call, done, error)
                            : FV_OK;
  case LOCAL_NIBLACK:
  case LOCAL_SAUVOLA:
  case LOCAL_PHANSALKAR:
    return type == FV_U8    ? compare_whole<uint8_t, true> (call, done, error)
           : type == FV_U16 ? compare_whole<uint16_t, true> (call, done, error)
                            : FV_OK;
  default: return FV_OK;
  }
}

fv_status
local_threshold_cuda (const fv_call *call, fv_error *error)
{
  local_threshold_images images;
  fv_type type = call->inputs[0]->grid->type;
  bool done = false;
  fv_status status = compare_with_sums (call, &done, error);
  if (status || done)
    return status;
  if (local_threshold_prepare (call, FV_CUDA, &images, error))
    return error->code;
  with_type (type, [&] (auto zero) {
    using T = decltype (zero);
    if (images.image[0].grid.type == type)
      compare_local<T, T> (call, &images);
    else
      compare_local<T, float> (call, &images);
  });
  return cuda_status (cudaGetLastError (), "A local threshold", error);
}
