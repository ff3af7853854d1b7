/* SPDX-License-Identifier: MIT
 *
 * zoom on the GPU: the passes of the CPU version, those that shrink the image most first, each in one kernel.
 *
 * - resample: one warp for 32 lines and CHUNK samples along them. It brings the samples and a margin at both ends into shared
 *   memory, filters them there forth and back, and writes the output samples whose knots are in the chunk. In the margin a
 *   recursion that began with a wrong value forgets it: |pole|^margin is below what the working type can hold. Beyond the ends
 *   of a line stands the line continued by its border's symmetry, which is what the exact first values of a recursion sum up.
 *   Reads each sample 1 + 2 margin / CHUNK times (1.3 for order 3 in float), writes each output once; (CHUNK + 2 margin + 8) x
 *   33 values of shared memory; no barrier but those of the warp.
 * - spread_nan: a thread a line; a line with a value that is not finite is made NaN all along, as a recursion without end does.
 * - put_constant, convert: grid-stride; one pixel read and written at most.
 * Nothing waits for the host.
 */
#include "zoom.h"
#include "common_row.cuh"

enum { CHUNK = 128, REACH = 4, LANES = 32, PITCH = LANES + 1, GROUP = 32, BLOCK = 256 };

/* ---- Pixels of any type ---- */

struct pixels {
  char *data;
  fv_type type;
  int64_t shape[3], stride[3]; /* z, y, x, in elements */
};

static pixels
pixels_of (const fv_array *a)
{
  const DLTensor *t = &a->tensor;
  return {(char *) t->data, a->grid.type, {t->shape[0], t->shape[1], t->shape[2]}, {t->strides[0], t->strides[1], 1}};
}

template <typename W>
__device__ __forceinline__ W
load (const pixels &p, int64_t i)
{
  switch (p.type) {
  case FV_U8: return (W) ((const uint8_t *) p.data)[i];
  case FV_U16: return (W) ((const uint16_t *) p.data)[i];
  case FV_I32: return (W) ((const int32_t *) p.data)[i];
  case FV_F32: return (W) ((const float *) p.data)[i];
  default: return (W) ((const double *) p.data)[i];
  }
}

template <typename W>
__device__ __forceinline__ void
store (const pixels &p, int64_t i, W v)
{
  switch (p.type) {
  case FV_U8: ((uint8_t *) p.data)[i] = pixel_from<uint8_t> (v); break;
  case FV_U16: ((uint16_t *) p.data)[i] = pixel_from<uint16_t> (v); break;
  case FV_I32: ((int32_t *) p.data)[i] = pixel_from<int32_t> (v); break;
  case FV_F32: ((float *) p.data)[i] = (float) v; break;
  default: ((double *) p.data)[i] = (double) v;
  }
}

/* ---- Lines ---- */

struct resampling {
  pixels in, out;
  spline_rule rule;
  spline_axis line;
  int axis;             /* 0 z, 1 y, 2 x */
  int margin, margins[2]; /* all, and for each pole */
  int64_t across, others; /* lines: `across` side by side, `others` times */
  int64_t tiles, chunks;  /* of 32 lines; of CHUNK samples */
  int32_t *broken;        /* per line: has a value that is not finite; NULL: nothing to do */
};

/* The first element of a line. */
__device__ __forceinline__ int64_t
line_start (const pixels &p, int axis, int64_t other, int64_t across)
{
  if (axis == 2) /* across: rows through all planes */
    return across / p.shape[1] * p.stride[0] + across % p.shape[1] * p.stride[1];
  return other * p.stride[axis == 1 ? 0 : 1] + across;
}

/* The input sample that stands at place i of the endless line, or -1: the constant. */
__device__ static int64_t
sample_at (const resampling &r, int64_t i)
{
  int64_t pad = r.line.pad, n = r.line.n_in;
  bool nearest = r.rule.border == SPLINE_NEAREST, constant = r.rule.border == SPLINE_GRID_CONSTANT;
  if (i >= 0 && i < n)
    return i;
  switch (r.rule.border) {
  case SPLINE_NEAREST:
  case SPLINE_GRID_CONSTANT:
    if (pad)
      i = border_index (i + pad, n + 2 * pad, nearest ? BORDER_REFLECT : BORDER_MIRROR) - pad;
    return i >= 0 && i < n ? i : constant ? -1 : border_index (i, n, BORDER_NEAREST);
  case SPLINE_REFLECT:
  case SPLINE_GRID_MIRROR: return border_index (i, n, BORDER_REFLECT);
  case SPLINE_GRID_WRAP: return border_index (i, n, BORDER_WRAP);
  default: return border_index (i, n, BORDER_MIRROR);
  }
}

/* As spline_coordinate() and spline_taps() do, rounded after each operation as they are: which pixel is nearest must not differ. */
__device__ static double
coordinate (const resampling &r, int64_t k)
{
  double n = (double) r.line.n_in, m = (double) r.line.n_out, last = n - 1, x;
  if (r.rule.grid_mode)
    x = __dsub_rn (__dmul_rn (__dadd_rn ((double) k, 0.5), __ddiv_rn (n, m)), 0.5);
  else
    x = m == 1 ? 0 : fmin (__dmul_rn ((double) k, __ddiv_rn (last, m - 1)), last);
  if (r.rule.border == SPLINE_WRAP && (x < 0 || x > last))
    x = last == 0 ? 0 : x < 0 ? x + last : x - last;
  return x;
}

__device__ static double
knot_of (const resampling &r, double x)
{
  return floor (r.rule.order & 1 ? x : __dadd_rn (x, 0.5));
}

/* The first output sample whose knot is at or after s. Where the border wraps, those at most half a pixel outside come first
 * and last out of turn; they are told by their knots. */
__device__ static int64_t
first_output (const resampling &r, int64_t s, int64_t low, int64_t high)
{
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (knot_of (r, coordinate (r, middle)) >= (double) s)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* ---- The kernel ---- */

/* Forth and back with each pole over `count` samples of this lane. */
template <typename W>
__device__ __forceinline__ void
filter (const resampling &r, W *own, int count)
{
  for (int p = 0; p < r.line.poles; p++) {
    W z = (W) r.line.pole[p], value = own[0];
    for (int i = 1; i < count; i++)
      own[i * PITCH] = value = own[i * PITCH] + z * value;
    value *= z / (z - 1);
    own[(count - 1) * PITCH] = value;
    for (int i = count - 2; i >= 0; i--)
      own[i * PITCH] = value = z * (value - own[i * PITCH]);
  }
}

/* The 32 lines of a warp; each lane knows where its own begins. */
struct bundle {
  int64_t in, out; /* first elements */
  int lines;       /* that there are */
};

/* Samples first ... first + count - 1 of the lines. */
template <typename W, bool X>
__device__ __forceinline__ void
fetch (const resampling &r, W *samples, const bundle &b, int64_t first, int count)
{
  int lane = threadIdx.x;
  W constant = (W) r.rule.value;
  if constexpr (X) {
    for (int i = lane; i - lane < count; i += LANES) {
      int64_t at = i < count ? sample_at (r, first + i) : -1;
#pragma unroll 8
      for (int l = 0; l < LANES; l++) {
        int64_t row = __shfl_sync (~0u, b.in, l);
        if (i < count && l < b.lines)
          samples[i * PITCH + l] = at < 0 ? constant : load<W> (r.in, row + at);
      }
    }
  } else if (lane < b.lines) {
    int64_t step = r.in.stride[r.axis];
#pragma unroll 8
    for (int i = 0; i < count; i++) {
      int64_t at = sample_at (r, first + i);
      samples[i * PITCH + lane] = at < 0 ? constant : load<W> (r.in, b.in + at * step);
    }
  }
  __syncwarp ();
}

/* Knots and weights of up to GROUP output samples. */
template <typename W> struct tap_table {
  W weight[GROUP][SPLINE_MAX_TAPS];
  int start[GROUP]; /* first tap among the samples fetched; -1: of another chunk */
};

/* Output samples k ... k + n - 1, n <= GROUP. first: which sample is the first fetched. */
template <typename W, bool X>
__device__ __forceinline__ void
put_group (const resampling &r, const W *samples, tap_table<W> &taps, W (*sums)[PITCH], const bundle &b, int64_t chunk,
           int64_t first, int64_t k, int n)
{
  int lane = threadIdx.x, order = r.rule.order;
  if (lane < n) {
    double x = coordinate (r, k + lane), knot = knot_of (r, x), weight[SPLINE_MAX_TAPS];
    int64_t s = (int64_t) knot;
    /* the last sample may have its knot behind the last chunk */
    bool ours = s >= chunk && (s < chunk + CHUNK || chunk + CHUNK >= r.chunks * CHUNK);
    if (chunk == 0 && s < 0)
      ours = true;
    spline_weights (x - knot, order, weight);
    for (int t = 0; t <= order; t++)
      taps.weight[lane][t] = (W) (weight[t] * r.line.gain);
    taps.start[lane] = ours ? (int) (s - order / 2 - first) : -1;
  }
  __syncwarp ();
  int64_t step = r.out.stride[r.axis];
  for (int j = 0; j < n; j++) {
    int start = taps.start[j];
    if (start < 0)
      continue;
    const W *own = samples + start * PITCH + lane;
    W sum = 0;
    for (int t = 0; t <= order; t++)
      sum += taps.weight[j][t] * own[t * PITCH];
    if constexpr (X)
      sums[j][lane] = sum;
    else if (lane < b.lines)
      store (r.out, b.out + (k + j) * step, sum);
  }
  __syncwarp ();
  if constexpr (X) {
    bool ours = lane < n && taps.start[lane] >= 0;
#pragma unroll 8
    for (int l = 0; l < LANES; l++) {
      int64_t row = __shfl_sync (~0u, b.out, l);
      if (ours && l < b.lines)
        store (r.out, row + k + lane, sums[lane][l]);
    }
    __syncwarp ();
  }
}

template <typename W, bool X>
__global__ static void
__launch_bounds__ (LANES) resample (resampling r)
{
  extern __shared__ double room[];
  W *samples = (W *) room;
  __shared__ tap_table<W> taps;
  __shared__ W sums[X ? GROUP : 1][PITCH];
  int64_t tile = blockIdx.x % r.tiles, rest = blockIdx.x / r.tiles;
  int64_t chunk = rest % r.chunks * CHUNK, other = rest / r.chunks, across = tile * LANES;
  int64_t first = chunk - r.margin - REACH;
  int lane = threadIdx.x, count = CHUNK + 2 * (r.margin + REACH);
  int64_t left = r.across - across, own_line = across + (lane < left ? lane : left - 1);
  bundle b = {line_start (r.in, r.axis, other, own_line), line_start (r.out, r.axis, other, own_line),
              left < LANES ? (int) left : LANES};

  fetch<W, X> (r, samples, b, first, count);
  if (r.line.poles) {
    W *own = samples + lane;
    W sum = 0; /* 0 unless something is not finite */
    for (int i = 0; i < count; i++)
      sum += own[i * PITCH] * 0;
    if (r.broken && lane < b.lines && sum != 0)
      r.broken[other * r.across + across + lane] = 1;
    filter (r, own, count);
    __syncwarp ();
  }
  bool turned = r.rule.border == SPLINE_WRAP && r.rule.grid_mode, last = chunk + CHUNK >= r.chunks * CHUNK;
  int64_t from = 0, to = r.line.n_out;
  if (!turned) {
    from = chunk == 0 ? 0 : first_output (r, chunk, 0, r.line.n_out);
    to = last ? r.line.n_out : first_output (r, chunk + CHUNK, from, r.line.n_out);
  }
  for (int64_t k = from; k < to; k += GROUP)
    put_group<W, X> (r, samples, taps, sums, b, chunk, first, k, to - k < GROUP ? (int) (to - k) : GROUP);
}

template <typename W>
__global__ static void
__launch_bounds__ (BLOCK) spread_nan (resampling r)
{
  int64_t i = (int64_t) blockIdx.x * BLOCK + threadIdx.x;
  if (i >= r.across * r.others || !r.broken[i])
    return;
  int64_t line = line_start (r.out, r.axis, i / r.across, i % r.across), step = r.out.stride[r.axis];
  for (int64_t k = 0; k < r.line.n_out; k++)
    store (r.out, line + k * step, (W) NAN);
}

/* ---- What is not resampled ---- */

struct inside {
  int64_t low[3], high[3];
};

template <typename W>
__global__ static void
__launch_bounds__ (BLOCK) put_constant (pixels out, inside in, W value)
{
  int64_t n = out.shape[0] * out.shape[1] * out.shape[2];
  for (int64_t i = (int64_t) blockIdx.x * BLOCK + threadIdx.x; i < n; i += (int64_t) gridDim.x * BLOCK) {
    int64_t x = i % out.shape[2], row = i / out.shape[2], y = row % out.shape[1], z = row / out.shape[1];
    bool here = z >= in.low[0] && z < in.high[0] && y >= in.low[1] && y < in.high[1] && x >= in.low[2] && x < in.high[2];
    if (!here)
      store (out, z * out.stride[0] + y * out.stride[1] + x, value);
  }
}

template <typename W>
__global__ static void
__launch_bounds__ (BLOCK) convert (pixels in, pixels out)
{
  int64_t n = out.shape[0] * out.shape[1] * out.shape[2];
  for (int64_t i = (int64_t) blockIdx.x * BLOCK + threadIdx.x; i < n; i += (int64_t) gridDim.x * BLOCK) {
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
choose_passes (zooming *zm, const pixels &in, const pixels &out, bool volume)
{
  static const int axes[3] = {2, 0, 1};
  for (int axis : axes) {
    int64_t n_in = in.shape[axis], n_out = out.shape[axis];
    int place = zm->count;
    if ((axis == 0 && !volume) || spline_same (&zm->rule, n_in, n_out))
      continue;
    for (; place > 0; place--) {
      const spline_axis *before = &zm->line[place - 1];
      if ((double) before->n_out / (double) before->n_in <= (double) n_out / (double) n_in)
        break;
      zm->line[place] = zm->line[place - 1];
      zm->axis[place] = zm->axis[place - 1];
    }
    zm->line[place] = spline_axis_make (&zm->rule, n_in, n_out);
    zm->axis[place] = axis;
    zm->count++;
  }
}

/* How many samples a recursion needs to forget where it began. */
static int
margin_of (double pole, bool wide)
{
  return (int) ceil (log (wide ? 1e-17 : 1e-9) / log (fabs (pole)));
}

template <typename W>
static fv_status
run_pass (const zooming *zm, int pass, const pixels &in, const pixels &out, fv_error *error)
{
  resampling r = {};
  r.in = in, r.out = out, r.rule = zm->rule, r.line = zm->line[pass], r.axis = zm->axis[pass];
  const fv_call *call = zm->call;
  bool wide = sizeof (W) == 8;
  for (int p = 0; p < r.line.poles; p++)
    r.margin += r.margins[p] = margin_of (r.line.pole[p], wide);
  r.across = r.axis == 2 ? in.shape[0] * in.shape[1] : in.shape[2];
  r.others = r.axis == 2 ? 1 : r.axis == 1 ? in.shape[0] : in.shape[1];
  r.tiles = blocks_for (r.across, LANES);
  r.chunks = blocks_for (r.line.n_in, CHUNK);
  int64_t lines = r.across * r.others, blocks = r.tiles * r.chunks * r.others;
  if (r.line.poles && (in.type == FV_F32 || in.type == FV_F64)) {
    fv_status status = cuda_scratch (call, (size_t) lines, &r.broken, error);
    if (!status)
      status = cuda_status (cudaMemsetAsync (r.broken, 0, (size_t) lines * sizeof *r.broken, cuda_stream (call)),
                            "Scaling", error);
    if (status)
      return status;
  }
  int64_t shared = (int64_t) (CHUNK + 2 * (r.margin + REACH)) * PITCH * (int64_t) sizeof (W);
  fv_status status =
    cuda_status (launch (r.axis == 2 ? resample<W, true> : resample<W, false>, blocks, LANES, shared, call, r), "Scaling",
                 error);
  if (!status && r.broken)
    status = cuda_status (launch (spread_nan<W>, blocks_for (lines, BLOCK), BLOCK, 0, call, r), "Scaling", error);
  return status;
}

/* What pass i makes from pixels of that shape; memory of the call. */
template <typename W>
static fv_status
result_of (const zooming *zm, int pass, const pixels &in, pixels *to, fv_error *error)
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
run_passes (const zooming *zm, const pixels &in, const pixels &out, fv_error *error)
{
  cudaStream_t stream = cuda_stream (zm->call);
  int64_t n = out.shape[0] * out.shape[1] * out.shape[2], most = 16 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (blocks_for (n, BLOCK) < most ? blocks_for (n, BLOCK) : most);
  pixels from = in;
  for (int i = 0; i < zm->count; i++) {
    pixels to = out;
    if (zm->call->host->tick (zm->call, i, zm->count))
      return cancelled (error);
    fv_status status = i < zm->count - 1 ? result_of<W> (zm, i, from, &to, error) : FV_OK;
    if (!status)
      status = run_pass<W> (zm, i, from, to, error);
    if (status)
      return status;
    from = to;
  }
  if (zm->count == 0)
    convert<W><<<blocks, BLOCK, 0, stream>>> (in, out);
  else if (zm->rule.border == SPLINE_CONSTANT && zm->rule.grid_mode) {
    inside in_all = {{0, 0, 0}, {out.shape[0], out.shape[1], out.shape[2]}};
    for (int i = 0; i < zm->count; i++) {
      in_all.low[zm->axis[i]] = zm->line[i].inside[0];
      in_all.high[zm->axis[i]] = zm->line[i].inside[1];
    }
    put_constant<W><<<blocks, BLOCK, 0, stream>>> (out, in_all, (W) zm->rule.value);
  }
  return cuda_status (cudaGetLastError (), "Scaling", error);
}

extern "C" fv_status
zoom_cuda (const fv_call *call, fv_error *error)
{
  const zoom_args *a = (const zoom_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  zooming zm = {call, zoom_rule (a), zoom_working_type (&in->grid, &out->grid), 0, {0}, {}};
  pixels from = pixels_of (in), to = pixels_of (out);
  choose_passes (&zm, from, to, a->volume);
  if (call->host->tick (call, 0, zm.count + 1))
    return cancelled (error);
  return zm.work == FV_F32 ? run_passes<float> (&zm, from, to, error) : run_passes<double> (&zm, from, to, error);
}
