/* SPDX-License-Identifier: MIT
 *
 * Several blurs of each plane at once, and what a rule makes of them, for radii up to TERMS_REACH.
 * - blurs_kernel: as blur_plane of gaussian_plane.cuh, a block of 128 threads for 64 columns, which goes down `steps` x 32 rows. The same rows in
 *   shared memory are blurred along x for each term into a ring of its own, and from the rings along y. Reads one pixel from memory and (1 +
 *   reach_x/32) (1 + reach_y/(16 steps)) from the L2, with a rule that takes_pixel one more, and writes one. Two __syncthreads a step.
 */
#ifndef KERNELS_GAUSSIAN_BLURS_PLANE_CUH
#define KERNELS_GAUSSIAN_BLURS_PLANE_CUH

#include "kernels/gaussian/blurs.h"
#include "kernels/gaussian/gaussian_plane.cuh"
#include "kernels/gaussian/gaussian_steps.cuh"
#include "kernels/gaussian/gaussian_weights.h"

enum { TERMS_REACH = 40 };

/* One blur: the weights along an axis, the center first. */
template <typename T> struct term_axis {
  int32_t radius;
  bool odd; /* weights before the center are negative */
  T weight[TERMS_REACH + 1];
};

/* Rule:
 * - T and Out: the types of sums and of the result.
 * - terms: their number.
 * - apart: whether operator() takes the terms one by one or their weighted sum, all of floats.
 * - takes_pixel: whether it takes the pixel, too.
 * - alike: whether radii are the same for all terms.
 * - resident: blocks on a multiprocessor. */
template <typename In, typename Rule> struct blurs_job {
  using T = typename Rule::T;
  source<In, float> from;
  view<typename Rule::Out> out;
  int32_t radius_y, radius_x; /* the largest */
  int32_t across, down, steps;
  Rule rule;
  float weight[Rule::terms]; /* of the sum of the terms */
  term_axis<T> y[Rule::terms], x[Rule::terms];
};

/* Offsets in shared memory, in T; the lines are floats and come last. */
template <typename T> struct blurs_memory {
  int weights, ring, ring_rows, ring_all, line_width, line_pitch;
  int64_t bytes;
  static constexpr int ring_pitch = GAUSSIAN_COLUMNS + in_16<T>;

  /* Weights of an axis of a term: the first of them at term * 2 * weights, along y weights further on. */
  BOTH blurs_memory (int terms, int radius_y, int radius_x)
  {
    const int most = radius_y > radius_x ? radius_y : radius_x;
    weights = (2 * most / GAUSSIAN_CHUNK + 1) * GAUSSIAN_CHUNK;
    ring = 2 * weights * terms;
    ring_rows = (2 * radius_y + GAUSSIAN_CHUNK - 1) / GAUSSIAN_CHUNK * GAUSSIAN_CHUNK + GAUSSIAN_STEP;
    ring_all = ring_rows * ring_pitch;
    line_width = GAUSSIAN_COLUMNS + 2 * radius_x;
    line_pitch = pitch_of<float> (line_width);
    bytes = (int64_t) (ring + terms * ring_all) * (int64_t) sizeof (T)
            + (int64_t) (GAUSSIAN_STEP * line_pitch + 2 * GAUSSIAN_CHUNK) * (int64_t) sizeof (float);
  }
};

template <typename T>
__device__ __forceinline__ void
put_term_weights (T *to, const term_axis<T> &axis)
{
  for (int i = (int) threadIdx.x; i <= 2 * axis.radius; i += GAUSSIAN_THREADS)
    to[i] = (axis.odd && i < axis.radius ? -1 : 1) * axis.weight[abs (i - axis.radius)];
}

/* N terms of the rows in `lines` along x, of the same radius, into their rings, as blur_lines() does; weights and rings are so far apart.
 * PIECES: the lines can be read so, from `from` on. */
template <bool PIECES, int N, typename T>
__device__ __forceinline__ void
blur_line (const float *from, const T *weights, int weights_apart, int taps, T *to, int apart)
{
  T sum[N][GAUSSIAN_EACH];
  start_sums (sum);
  weigh_blocks (sum, weights, weights_apart, taps, [=] (int first) {
    return [from = from + first] (T *v) mutable {
      float piece[GAUSSIAN_CHUNK];
      if (PIECES)
        read_chunk (piece, from);
      else
        for (int i = 0; i < GAUSSIAN_CHUNK; i++)
          piece[i] = from[i];
      for (int i = 0; i < GAUSSIAN_CHUNK; i++)
        v[i] = (T) piece[i];
      from += GAUSSIAN_CHUNK;
    };
  });
#pragma unroll
  for (int n = 0; n < N; n++)
    write_each (to + n * apart, sum[n]);
}

template <typename In, typename Rule, typename T>
__device__ __forceinline__ void
blur_terms (const blurs_job<In, Rule> &job, const blurs_memory<T> &m, T *memory, const float *lines, int slot)
{
  const int row = (int) threadIdx.x % 8, segment = (int) threadIdx.x % 32 / 8;
  const float *from = lines + ((int) threadIdx.x / 32 * 8 + row) * m.line_pitch + segment * GAUSSIAN_EACH;
  T *to = memory + m.ring + (slot + row) * m.ring_pitch + segment * GAUSSIAN_EACH;
  if constexpr (Rule::alike)
    blur_line<true, Rule::terms> (from, memory, 2 * m.weights, 2 * job.radius_x + 1, to, m.ring_all);
  else
#pragma unroll 1
    for (int i = 0; i < Rule::terms; i++) {
      const int radius = job.x[i].radius, skip = job.radius_x - radius;
      const T *weights = memory + 2 * i * m.weights;
      if (skip % 4 == 0)
        blur_line<true, 1> (from + skip, weights, 0, 2 * radius + 1, to + i * m.ring_all, 0);
      else
        blur_line<false, 1> (from + skip, weights, 0, 2 * radius + 1, to + i * m.ring_all, 0);
    }
}

/* sum[j] = what the rows of a ring from row `slot` on make. CHUNKS: the ring ends where GAUSSIAN_CHUNK of them do. */
template <bool CHUNKS, typename T>
__device__ __forceinline__ void
blur_column (const T *ring, int slot, int rows, const T *weights, int taps, T (&sum)[GAUSSIAN_EACH])
{
  constexpr int pitch = blurs_memory<T>::ring_pitch;
  const T *end = ring + rows * pitch;
  start_sum (sum);
  weigh (sum, weights, taps, [=] (int first) {
    const int row = slot + first < rows ? slot + first : slot + first - rows;
    return [=, from = ring + row * pitch] (T *v) mutable {
#pragma unroll
      for (int k = 0; k < GAUSSIAN_CHUNK; k++) {
        v[k] = *from;
        from += pitch;
        if (!CHUNKS || k == GAUSSIAN_CHUNK - 1)
          from = from >= end ? from - rows * pitch : from;
      }
    };
  });
}

/* sum[j] = a term of GAUSSIAN_EACH rows, from its ring; the window of the largest radius begins at ring row `slot`. */
template <typename In, typename Rule, typename T>
__device__ __forceinline__ void
blur_down (const blurs_job<In, Rule> &job, const blurs_memory<T> &m, const T *memory, int i, int slot,
           T (&sum)[GAUSSIAN_EACH])
{
  const int radius = job.y[i].radius, skip = job.radius_y - radius, first = slot + skip;
  const int from = first >= m.ring_rows ? first - m.ring_rows : first;
  const T *ring = memory + m.ring + i * m.ring_all + (int) threadIdx.x % GAUSSIAN_COLUMNS;
  const T *weights = memory + (2 * i + 1) * m.weights;
  if (Rule::alike || skip % GAUSSIAN_CHUNK == 0)
    blur_column<true> (ring, from, m.ring_rows, weights, 2 * radius + 1, sum);
  else
    blur_column<false> (ring, from, m.ring_rows, weights, 2 * radius + 1, sum);
}

/* GAUSSIAN_EACH rows of the output from y on. */
template <typename In, typename Rule, typename T>
__device__ __forceinline__ void
blurs_out (const blurs_job<In, Rule> &job, const plane_part &at, const blurs_memory<T> &m, const T *memory, int slot,
           int y)
{
  using Out = typename Rule::Out;
  const int x = at.x0 + (int) threadIdx.x % GAUSSIAN_COLUMNS;
  float terms[Rule::apart ? Rule::terms : 1][GAUSSIAN_EACH];
  if (y >= at.y1 || x >= job.out.columns)
    return;
#pragma unroll(Rule::apart ? Rule::terms : 1)
  for (int i = 0; i < Rule::terms; i++) {
    T sum[GAUSSIAN_EACH];
    blur_down (job, m, memory, i, slot, sum);
#pragma unroll
    for (int k = 0; k < GAUSSIAN_EACH; k++)
      if (Rule::apart)
        terms[i][k] = (float) sum[k];
      else
        terms[0][k] = i ? terms[0][k] + job.weight[i] * (float) sum[k] : job.weight[0] * (float) sum[k];
  }
  Out *to = job.out.row (at.in.plane, y) + x;
  const In *pixel = job.from.in.row (at.in.plane, y) + x;
#pragma unroll
  for (int k = 0; k < GAUSSIAN_EACH; k++, to += job.out.row_stride, pixel += job.from.in.row_stride)
    if (y + k < at.y1) {
      if constexpr (Rule::apart)
        *to = job.rule (terms[0][k], terms[1][k], terms[2][k]);
      else if constexpr (Rule::takes_pixel)
        *to = job.rule (terms[0][k], (float) *pixel);
      else
        *to = job.rule (terms[0][k]);
    }
}

template <typename In, typename Rule>
__global__ void
__launch_bounds__ (GAUSSIAN_THREADS, Rule::resident) blurs_kernel (const __grid_constant__ blurs_job<In, Rule> job)
{
  using T = typename Rule::T;
  extern __shared__ __align__ (16) unsigned char shared[];
  T *memory = (T *) shared;
  const blurs_memory<T> m (Rule::terms, job.radius_y, job.radius_x);
  float *lines = (float *) (memory + m.ring + Rule::terms * m.ring_all);
  const int warp = (int) threadIdx.x / 32, group = (int) threadIdx.x / GAUSSIAN_COLUMNS * GAUSSIAN_EACH;
  unsigned block = blockIdx.x;
  plane_part at;
  at.x0 = (int) (block % (unsigned) job.across) * GAUSSIAN_COLUMNS;
  block /= (unsigned) job.across;
  at.y0 = (int) (block % (unsigned) job.down) * job.steps * GAUSSIAN_STEP;
  at.in.plane = block / (unsigned) job.down;
  at.y1 = min (at.y0 + job.steps * GAUSSIAN_STEP, (int) job.out.rows);
  at.in.top = at.y0 - job.radius_y;
  at.in.left = at.x0 - job.radius_x;
  at.in.rows = at.y1 - at.y0 + 2 * job.radius_y;

  for (int i = 0; i < Rule::terms; i++) {
    put_term_weights (memory + 2 * i * m.weights, job.x[i]);
    put_term_weights (memory + (2 * i + 1) * m.weights, job.y[i]);
  }
  const int before = m.ring_rows - GAUSSIAN_STEP, lead = (before + GAUSSIAN_STEP - 1) / GAUSSIAN_STEP * GAUSSIAN_STEP;
  int first = before - lead; /* row of the block with which the batch begins */
  int slot = (first + warp * 8 + m.ring_rows) % m.ring_rows, from = group;
  for (int y = at.y0 - lead - GAUSSIAN_STEP; y < at.y1; y += GAUSSIAN_STEP) {
    if (y >= at.y0 - lead) {
      const int row = first + warp * 8;
      __pipeline_wait_prior (0);
      __syncthreads ();
      if (row >= 0 && row < at.in.rows)
        blur_terms (job, m, memory, lines, slot);
      slot = slot + GAUSSIAN_STEP >= m.ring_rows ? slot + GAUSSIAN_STEP - m.ring_rows : slot + GAUSSIAN_STEP;
      first += GAUSSIAN_STEP;
    }
    __syncthreads ();
    if (y + GAUSSIAN_STEP < at.y1)
      fetch_rows<GAUSSIAN_THREADS / 32> (job.from, at.in, first, lines, m.line_width, m.line_pitch);
    if (y >= at.y0) {
      blurs_out (job, at, m, memory, from, y + group);
      from = from + GAUSSIAN_STEP >= m.ring_rows ? from + GAUSSIAN_STEP - m.ring_rows : from + GAUSSIAN_STEP;
    }
  }
}

/* ---- The whole ---- */

template <typename T>
static void
fill_axis (term_axis<T> *to, const blurs_term *term, const fv_grid *in, int axis)
{
  double weights[TERMS_REACH + 1];
  to->radius = (int32_t) gaussian_radius (&term->blur, in, axis);
  to->odd = term->blur.order[axis] == 1;
  gaussian_axis_weights (weights, &term->blur, in, axis);
  for (int k = 0; k <= to->radius; k++)
    to->weight[k] = (T) weights[k];
}

/* The largest radius along an axis. */
static inline int64_t
terms_reach (const blurs_term *terms, int n, const fv_grid *in, int axis)
{
  int64_t reach = 0;
  for (int i = 0; i < n; i++)
    reach = gaussian_radius (&terms[i].blur, in, axis) > reach ? gaussian_radius (&terms[i].blur, in, axis) : reach;
  return reach;
}

/* Whether blurs_kernel can make n terms, with sums of T: of pixels that floats hold, plane by plane. */
template <typename T>
static bool
blurs_at_once (const fv_call *call, const blurs_term *terms, int n)
{
  const fv_grid *in = call->inputs[0]->grid;
  const gaussian_args *a = &terms[0].blur;
  const int64_t y = terms_reach (terms, n, in, 1), x = terms_reach (terms, n, in, 2);
  bool volume = false;
  for (int i = 0; i < n; i++)
    volume = volume || gaussian_along_z (&terms[i].blur, in);
  return !volume && (in->type == FV_U8 || in->type == FV_U16 || in->type == FV_F32) && x <= TERMS_REACH
         && y <= TERMS_REACH && (a->border != BORDER_CONSTANT || (double) (float) a->value == a->value)
         && blurs_memory<T> (n, (int) y, (int) x).bytes <= most_shared () / 2;
}

/* with_type() of what blurs_at_once() lets pass. */
template <typename F>
static fv_status
with_float_pixels (fv_type type, F f)
{
  return type == FV_U8 ? f (uint8_t ()) : type == FV_U16 ? f (uint16_t ()) : f (float ());
}

/* After blurs_at_once(); terms: Rule::terms of them. */
template <typename In, typename Rule>
static fv_status
blurs_run (const fv_call *call, const blurs_term *terms, const Rule &rule, const char *what, fv_error *error)
{
  using T = typename Rule::T;
  const fv_array *in = call->inputs[0];
  const gaussian_args *a = &terms[0].blur;
  blurs_job<In, Rule> job = {{view_of<const In> (in), false, (border) a->border, (float) a->value},
                             view_of<typename Rule::Out> (call->outputs[0])};
  const view<const In> &pixels = job.from.in;
  job.rule = rule;
  job.radius_y = (int32_t) terms_reach (terms, Rule::terms, in->grid, 1);
  job.radius_x = (int32_t) terms_reach (terms, Rule::terms, in->grid, 2);
  job.from.pieces = job.radius_x % GAUSSIAN_PIECE == 0 && rows_aligned (in, GAUSSIAN_PIECE * sizeof (In));
  for (int i = 0; i < Rule::terms; i++) {
    job.weight[i] = (float) terms[i].weight;
    fill_axis (&job.y[i], &terms[i], in->grid, 1);
    fill_axis (&job.x[i], &terms[i], in->grid, 2);
  }
  const int64_t bytes = blurs_memory<T> (Rule::terms, job.radius_y, job.radius_x).bytes;
  int64_t resident = gaussian_attribute (cudaDevAttrMaxSharedMemoryPerMultiprocessor) / (bytes + 1024);
  resident = resident < 1 ? 1 : resident > Rule::resident ? (int64_t) Rule::resident : resident;
  job.across = (int32_t) blocks_for (pixels.columns, GAUSSIAN_COLUMNS);
  job.steps = choose_steps (pixels.rows, job.across * pixels.planes, 2.0 * job.radius_y / GAUSSIAN_STEP, resident);
  job.down = (int32_t) blocks_for (pixels.rows, (int64_t) job.steps * GAUSSIAN_STEP);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return cuda_status (
    launch (blurs_kernel<In, Rule>, pixels.planes * job.down * job.across, GAUSSIAN_THREADS, bytes, call, job), what,
    error);
}

#endif
