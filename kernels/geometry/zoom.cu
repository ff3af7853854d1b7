/* SPDX-License-Identifier: MIT
 *
 * zoom on the GPU: the passes of the CPU version, those that shrink the image most first, each in one kernel; orders 0 and 1 in
 * one for all axes.
 *
 * - make_table, resample_columns, resample_rows (axis.cuh), in float: a thread a line, 64 threads or a warp. A thread has 96 or 128 samples in
 *   registers, of which 56 to 68 are its own. Each is read 1.5 to 2.3 times, mostly from the L2 cache, and each output written once. Rows go through
 *   13 or 17 KiB of shared memory; no barrier but those of the warp.
 * - resample (lines.cuh), in double, whose margins do not fit registers: a warp for 32 lines and 128 samples. It reads each sample 1 + margin / 64
 *   times, uses (136 + 2 margin) x 33 values of shared memory, and has no barrier but those of the warp.
 * - spread_nan: a thread a line; a line with a value that is not finite is made NaN all along, as a recursion without end does.
 * - make_taps, interpolate (direct.cuh): a thread for 16 output pixels of a column; each sample once from memory, its
 *   neighbors from the caches, each output written once.
 * - put_constant, convert: grid-stride; one pixel read and written at most.
 * Nothing waits for the host.
 */
#include "kernels/geometry/axis.cuh"
#include "kernels/geometry/direct.cuh"
#include "kernels/geometry/lines.cuh"
#include "kernels/geometry/zoom.h"

/* ---- What is not resampled ---- */

struct inside {
  int64_t low[3], high[3];
};

template <typename W>
__global__ static void
__launch_bounds__ (SAMPLES_THREADS) put_constant (any_pixels out, inside in, W value)
{
  int64_t n = out.shape[0] * out.shape[1] * out.shape[2];
  for (int64_t i = (int64_t) blockIdx.x * SAMPLES_THREADS + threadIdx.x; i < n;
       i += (int64_t) gridDim.x * SAMPLES_THREADS) {
    int64_t x = i % out.shape[2], row = i / out.shape[2], y = row % out.shape[1], z = row / out.shape[1];
    bool here =
      z >= in.low[0] && z < in.high[0] && y >= in.low[1] && y < in.high[1] && x >= in.low[2] && x < in.high[2];
    if (!here)
      store (out, z * out.stride[0] + y * out.stride[1] + x, value);
  }
}

template <typename W>
__global__ static void
__launch_bounds__ (SAMPLES_THREADS) convert (any_pixels in, any_pixels out)
{
  int64_t n = out.shape[0] * out.shape[1] * out.shape[2];
  for (int64_t i = (int64_t) blockIdx.x * SAMPLES_THREADS + threadIdx.x; i < n;
       i += (int64_t) gridDim.x * SAMPLES_THREADS) {
    int64_t x = i % out.shape[2], row = i / out.shape[2], y = row % out.shape[1], z = row / out.shape[1];
    store (out, z * out.stride[0] + y * out.stride[1] + x, load<W> (in, z * in.stride[0] + y * in.stride[1] + x));
  }
}

/* ---- Passes ---- */

struct zooming {
  const fv_call *call;
  spline_rule rule;
  fv_type work;
  int count, axis[3];
  spline_axis line[3];
};

/* As choose_passes() of the CPU version. */
static void
choose_passes (zooming *zm, const any_pixels &in, const any_pixels &out, bool volume)
{
  static const int axes[3] = {2, 0, 1};
  for (int axis : axes) {
    int64_t n_in = in.shape[axis], n_out = out.shape[axis];
    int index = zm->count;
    if ((axis == 0 && !volume) || spline_same (&zm->rule, n_in, n_out))
      continue;
    for (; index > 0 && (axis != 1 || zm->rule.order > 1); index--) {
      const spline_axis *before = &zm->line[index - 1];
      if ((double) before->n_out / (double) before->n_in <= (double) n_out / (double) n_in)
        break;
      zm->line[index] = zm->line[index - 1];
      zm->axis[index] = zm->axis[index - 1];
    }
    zm->line[index] = spline_axis_make (&zm->rule, n_in, n_out);
    zm->axis[index] = axis;
    zm->count++;
  }
}

/* What a pass has to do; `lanes` lines side by side and `chunk` samples along them for a block. */
static resampling
make_resampling (const zooming *zm, int pass, const any_pixels &in, const any_pixels &out, int lanes, int chunk)
{
  resampling r = {};
  r.in = in, r.out = out, r.rule = zm->rule, r.line = zm->line[pass], r.axis = zm->axis[pass];
  r.ratio = ratio_of (zm->rule, r.line.n_in, r.line.n_out);
  r.across = r.axis == 2 ? in.shape[0] * in.shape[1] : in.shape[2];
  r.others = r.axis == 2 ? 1 : r.axis == 1 ? in.shape[0] : in.shape[1];
  r.tiles = blocks_for (r.across, lanes);
  r.chunks = blocks_for (r.line.n_in, chunk);
  return r;
}

/* Room to mark lines in, where there can be values that are not finite. */
static fv_status
make_broken (const zooming *zm, resampling *r, fv_error *error)
{
  int64_t lines = r->across * r->others;
  if (!r->line.poles || (r->in.type != FV_F32 && r->in.type != FV_F64))
    return FV_OK;
  fv_status status = cuda_scratch (zm->call, (size_t) lines, &r->broken, error);
  if (status)
    return status;
  return cuda_status (cudaMemsetAsync (r->broken, 0, (size_t) lines * sizeof *r->broken, cuda_stream (zm->call)),
                      "Scaling", error);
}

template <int ORDER>
static fv_status
run_axis (const zooming *zm, int pass, const any_pixels &in, const any_pixels &out, fv_error *error)
{
  using S = window<ORDER>;
  const fv_call *call = zm->call;
  bool rows = zm->axis[pass] == 2;
  axis_job job = {make_resampling (zm, pass, in, out, rows ? (int) SAMPLES_LANES : (int) AXIS_COLUMNS, S::CHUNK), NULL,
                  NULL, NULL};
  const resampling &r = job.r;
  size_t n = (size_t) r.line.n_out;
  fv_status status = make_broken (zm, &job.r, error);
  if (!status)
    status = cuda_scratch (call, n, &job.knot, error);
  if (!status)
    status = cuda_scratch (call, (size_t) r.chunks + 1, &job.first, error);
  if (!status)
    status = cuda_scratch (call, n * S::PAD, &job.weight, error);
  if (status)
    return status;
  cudaError_t code =
    launch (make_table<ORDER>, blocks_for (r.line.n_out, SAMPLES_THREADS), SAMPLES_THREADS, 0, call, job);
  if (!code)
    code = launch (rows ? resample_rows<ORDER> : resample_columns<ORDER>, r.tiles * r.chunks * r.others,
                   rows ? (int) SAMPLES_LANES : (int) AXIS_COLUMNS, 0, call, job);
  if (!code && r.broken)
    code = launch (spread_nan<float>, blocks_for (r.across * r.others, SAMPLES_THREADS), SAMPLES_THREADS, 0, call, r);
  return cuda_status (code, "Scaling", error);
}

static fv_status
run_float (const zooming *zm, int pass, const any_pixels &in, const any_pixels &out, fv_error *error)
{
  switch (zm->rule.order) {
  case 2: return run_axis<2> (zm, pass, in, out, error);
  case 3: return run_axis<3> (zm, pass, in, out, error);
  case 4: return run_axis<4> (zm, pass, in, out, error);
  default: return run_axis<5> (zm, pass, in, out, error);
  }
}

static fv_status
run_double (const zooming *zm, int pass, const any_pixels &in, const any_pixels &out, fv_error *error)
{
  const fv_call *call = zm->call;
  resampling r = make_resampling (zm, pass, in, out, SAMPLES_LANES, SAMPLES_CHUNK);
  r.margin = (int) spline_chunks_of (&zm->rule, &r.line, FV_F64).before - SAMPLES_REACH;
  fv_status status = make_broken (zm, &r, error);
  if (status)
    return status;
  int64_t shared =
    (int64_t) (SAMPLES_CHUNK + 2 * (r.margin + SAMPLES_REACH)) * SAMPLES_PITCH * (int64_t) sizeof (double);
  cudaError_t code = launch (r.axis == 2 ? resample<double, true> : resample<double, false>,
                             r.tiles * r.chunks * r.others, SAMPLES_LANES, shared, call, r);
  if (!code && r.broken)
    code = launch (spread_nan<double>, blocks_for (r.across * r.others, SAMPLES_THREADS), SAMPLES_THREADS, 0, call, r);
  return cuda_status (code, "Scaling", error);
}

/* What pass i makes from pixels of that shape; memory of the call. */
template <typename W>
static fv_status
result_of (const zooming *zm, int pass, const any_pixels &in, any_pixels *to, fv_error *error)
{
  W *memory;
  *to = in;
  to->type = zm->work;
  to->shape[zm->axis[pass]] = zm->line[pass].n_out;
  to->stride[2] = 1;
  to->stride[1] = to->shape[2];
  to->stride[0] = to->shape[1] * to->shape[2];
  fv_status status = cuda_scratch (zm->call, (size_t) (to->shape[0] * to->stride[0]), &memory, error);
  to->data = (char *) memory;
  return status;
}

template <typename W>
static fv_status
run_passes (const zooming *zm, const any_pixels &in, const any_pixels &out, fv_error *error)
{
  any_pixels from = in;
  for (int i = 0; i < zm->count; i++) {
    any_pixels to = out;
    if (zm->call->host->tick (zm->call, i, zm->count))
      return cancelled (error);
    fv_status status = i < zm->count - 1 ? result_of<W> (zm, i, from, &to, error) : FV_OK;
    if (!status)
      status = zm->work == FV_F32 ? run_float (zm, i, from, to, error) : run_double (zm, i, from, to, error);
    if (status)
      return status;
    from = to;
  }
  return FV_OK;
}

/* Order 0 and 1, where no filter stands between the axes. */
template <typename W>
static fv_status
run_direct (const zooming *zm, const any_pixels &in, const any_pixels &out, fv_error *error)
{
  const fv_call *call = zm->call;
  direct<W> d = {};
  d.in = in, d.out = out, d.constant = (W) zm->rule.value;
  for (int axis = 0; axis < 3; axis++) {
    taps_job<W> job = {};
    resampling &r = job.r;
    axis_taps<W> &taps = job.taps;
    bool scaled = false;
    for (int i = 0; i < zm->count; i++)
      scaled |= zm->axis[i] == axis;
    int64_t n = out.shape[axis];
    r.rule = zm->rule;
    r.line = spline_axis_make (&zm->rule, in.shape[axis], n);
    r.ratio = scaled ? ratio_of (zm->rule, in.shape[axis], n) : 1;
    if (!scaled)
      r.rule.grid_mode = false;
    taps.count = scaled ? zm->rule.order + 1 : 1;
    fv_status status = cuda_scratch (call, (size_t) (n * taps.count), &taps.index, error);
    if (!status)
      status = cuda_scratch (call, (size_t) (n * taps.count), &taps.weight, error);
    if (!status)
      status = cuda_status (launch (make_taps<W>, blocks_for (n, SAMPLES_THREADS), SAMPLES_THREADS, 0, call, job),
                            "Scaling", error);
    if (status)
      return status;
    d.taps[axis] = taps;
  }
  d.tiles = blocks_for (out.shape[2], ACROSS * DIRECT);
  d.row_groups = blocks_for (out.shape[1], DOWN);
  d.outside = zm->rule.border == SPLINE_GRID_CONSTANT;
  d.planes_first = zm->axis[0] == 0;
  int64_t blocks = d.tiles * d.row_groups * out.shape[0];
  return cuda_status (launch (interpolate_of (d), blocks, DIRECT, 0, call, d), "Scaling", error);
}

template <typename W>
static fv_status
run (const zooming *zm, const any_pixels &in, const any_pixels &out, fv_error *error)
{
  cudaStream_t stream = cuda_stream (zm->call);
  int64_t n = out.shape[0] * out.shape[1] * out.shape[2], most = 16 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (blocks_for (n, SAMPLES_THREADS) < most ? blocks_for (n, SAMPLES_THREADS) : most);
  fv_status status = FV_OK;
  if (zm->count == 0)
    convert<W><<<blocks, SAMPLES_THREADS, 0, stream>>> (in, out);
  else
    status = zm->rule.order < 2 ? run_direct<W> (zm, in, out, error) : run_passes<W> (zm, in, out, error);
  if (status)
    return status;
  if (zm->count && zm->rule.border == SPLINE_CONSTANT && zm->rule.grid_mode) {
    inside all = {{0, 0, 0}, {out.shape[0], out.shape[1], out.shape[2]}};
    for (int i = 0; i < zm->count; i++) {
      all.low[zm->axis[i]] = zm->line[i].inside[0];
      all.high[zm->axis[i]] = zm->line[i].inside[1];
    }
    put_constant<W><<<blocks, SAMPLES_THREADS, 0, stream>>> (out, all, (W) zm->rule.value);
  }
  return cuda_status (cudaGetLastError (), "Scaling", error);
}

extern "C" fv_status
spline_resample_cuda (const fv_call *call, const spline_rule *rule, const fv_array *in, const fv_array *out,
                      bool volume, fv_type work, fv_error *error)
{
  zooming zm = {call, *rule, spline_type (rule, work), 0, {0}, {}};
  any_pixels from = any_pixels_of (in), to = any_pixels_of (out);
  choose_passes (&zm, from, to, volume);
  if (call->host->tick (call, 0, zm.count + 1))
    return cancelled (error);
  return zm.work == FV_F32 ? run<float> (&zm, from, to, error) : run<double> (&zm, from, to, error);
}

extern "C" fv_status
zoom_cuda (const fv_call *call, fv_error *error)
{
  const zoom_args *a = (const zoom_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  spline_rule rule = zoom_rule (a);
  return spline_resample_cuda (call, &rule, in, out, a->volume, zoom_working_type (in->grid, out->grid), error);
}
