/* SPDX-License-Identifier: MIT
 *
 * contrast and normalize on the GPU: kernels in turn on the stream of the call; the host waits for none. After the limits a pass reads each pixel
 * once and writes it once, 256 threads a block, a row for each block in turn. Limits take one pass over the pixels (range), two and the range (mean
 * and deviation), or one for each byte of the type (values in order).
 */
#include "kernels/contrast/linear.h"
#include "kernels/common/blocks.cuh"
#include "kernels/common/rows.cuh"
#include "kernels/contrast/ranks.cuh"

enum { LINEAR_THREADS = 256, LINEAR_DEEP = 4 };

/* One block: the ends of the range, NaN of none. */
template <typename T>
__global__ static void
linear_range_kernel (const extent<T> *extents, int parts, double *limits)
{
  __shared__ extent<T> shared[32];
  double low, high;
  range_join (extents, parts, shared, &low, &high);
  if (threadIdx.x == 0) {
    limits[0] = low;
    limits[1] = high;
  }
}

/* limits: the range, of which the mean is summed; or, where there is one, about a mean: the squares. One sum for each block. Barriers of one join. */
template <typename T>
__global__ static void
__launch_bounds__ (LINEAR_THREADS)
  linear_sum_kernel (lines<T> l, const double *limits, const exact_about *mean, linear_sum *partial)
{
  __shared__ linear_sum shared[32];
  constexpr int warps = LINEAR_THREADS / 32, size = piece_pixels<T, LINEAR_DEEP>;
  const int64_t pieces = l.count * ((l.columns + size - 1) / size);
  const exact_about about = mean ? *mean : exact_about_center (limits[0], limits[1], 0);
  const double unit = about.unit, center = about.center, scale = mean ? about.square : about.value;
  linear_sum mine = {};
  for (int64_t s = (int64_t) blockIdx.x * warps + threadIdx.x / 32; s < pieces; s += (int64_t) gridDim.x * warps) {
    uint64_t sum = 0;
    uint32_t n = 0;
    each_pixel<LINEAR_DEEP> (l, 0, s, [&] (T v) {
      const double d = (double) v * unit - center;
      if (is_finite_pixel (v)) {
        n++;
        sum += exact_term ((mean ? d * d : d) * scale);
      }
    });
    mine.n += n;
    exact_add (&mine.sum, sum, n);
  }
  mine = join_block (mine, shared, linear_join);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = mine;
}

/* One block of 256: limits[0] becomes the mean, or, with squares, limits[1] what is a deviation more. */
__global__ static void
__launch_bounds__ (LINEAR_THREADS)
  linear_join_kernel (const linear_sum *partial, int parts, bool squares, exact_about *mean, double *limits)
{
  __shared__ linear_sum shared[32];
  linear_sum all = {};
  for (int i = (int) threadIdx.x; i < parts; i += LINEAR_THREADS)
    all = linear_join (all, partial[i]);
  all = join_block (all, shared, linear_join);
  if (threadIdx.x)
    return;
  if (squares) {
    limits[1] = limits[0] + linear_deviation_of (mean, &all);
    return;
  }
  const double low = limits[0], high = limits[1];
  const exact_about about = exact_about_center (low, high, 0);
  limits[0] = exact_mean (&about, all.sum, (double) all.n);
  *mean = exact_about_center (low, high, limits[0]);
}

/* ---- The host's side ---- */

struct linear_memory {
  void *extents;
  linear_sum *partial;
  exact_about *mean;
  ranks_state *state;
};

template <typename T>
static fv_status
linear_range (const fv_call *call, const lines<T> &l, linear_memory *m, double *limits, fv_error *error)
{
  const int parts = range_parts (l);
  extent<T> *extents = (extent<T> *) m->extents;
  range_kernel<T><<<(unsigned) parts, RANGE_THREADS, 0, cuda_stream (call)>>> (l, parts, extents, NULL, 0);
  linear_range_kernel<T><<<1, 256, 0, cuda_stream (call)>>> (extents, parts, limits);
  return cuda_status (cudaGetLastError (), "Finding the range", error);
}

template <typename T>
static fv_status
linear_deviation (const fv_call *call, const lines<T> &l, linear_memory *m, double *limits, fv_error *error)
{
  const int parts = range_parts (l);
  if (linear_range (call, l, m, limits, error))
    return error->code;
  for (int squares = 0; squares < 2; squares++) {
    linear_sum_kernel<T>
      <<<(unsigned) parts, LINEAR_THREADS, 0, cuda_stream (call)>>> (l, limits, squares ? m->mean : NULL, m->partial);
    linear_join_kernel<<<1, LINEAR_THREADS, 0, cuda_stream (call)>>> (m->partial, parts, squares, m->mean, limits);
  }
  return cuda_status (cudaGetLastError (), "Summing the pixels", error);
}

template <typename T>
static fv_status
linear_limits (const fv_call *call, const linear_rule *rule, const lines<T> &l, linear_memory *m, double *limits,
               fv_error *error)
{
  switch (rule->method) {
  case LINEAR_RANGE: return linear_range (call, l, m, limits, error);
  case LINEAR_ZSCORE: return linear_deviation (call, l, m, limits, error);
  default: return ranks_limits_cuda (call, l, &rule->ranks, call->inputs[0]->grid->type, m->state, limits, error);
  }
}

static fv_status
linear_write (const fv_call *call, const linear_rule *rule, int64_t first, int64_t planes, const double *limits,
              fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const double none[2] = {0, 1};
  auto stretch = [limits, map = linear_map_of (rule, none, out->grid->type)] __device__ (
                   const auto &from, const auto &made, int64_t plane, int64_t y) {
    auto *v = from.row (plane, y);
    auto *to = made.row (plane, y);
    linear_map m = map;
    m.low = limits[0];
    m.width = limits[1] - limits[0];
    return [v, to, m] (int64_t x) {
      const double value = linear_value ((double) v[x], &m);
      set_pixel (to[x], std::is_integral<std::decay_t<decltype (*to)>>::value ? floor (value) : value);
    };
  };
  rows_over<to_same_or_float> (call, in, out, first, planes, stretch);
  return cuda_status (cudaGetLastError (), "Stretching", error);
}

extern "C" fv_status
linear_cuda (const fv_call *call, fv_error *error)
{
  const linear_rule rule = linear_rule_of (call->op, call->args);
  const fv_array *in = call->inputs[0];
  const int64_t planes = array_planes (in), together = rule.over == LINEAR_PLANE ? 1 : planes;
  linear_memory m;
  if (cuda_scratch (call, MOST_PARTS, (extent<double> **) &m.extents, error)
      || cuda_scratch (call, MOST_PARTS, &m.partial, error) || cuda_scratch (call, 1, &m.mean, error)
      || cuda_scratch (call, 1, &m.state, error))
    return error->code;
  for (int64_t first = 0; first < planes; first += together) {
    double *limits = call->scalars + 2 * (first / together);
    fv_status status = call->host->tick (call, first, planes) ? cancelled (error) : FV_OK;
    with_type (in->grid->type, [&] (auto zero) {
      if (!status && !call->given)
        status = linear_limits (call, &rule, lines_of<decltype (zero)> (in, first, 1, together), &m, limits, error);
    });
    if (status || linear_write (call, &rule, first, together, limits, error))
      return error->code;
  }
  return FV_OK;
}
