/* SPDX-License-Identifier: MIT
 *
 * gaussian along x and y in one, for radii up to FUSED.
 * - blur_plane: a block of 128 threads takes 64 columns and goes down `steps` x 32 rows. It loads 32 rows into shared memory, blurs them along x into
 *   a ring of rows there, and the ring along y to the output. Reads one pixel from memory and (1 + radius_x/32) (1 + radius_y/(16 steps)) from the
 *   L2, and writes one. Two __syncthreads a step: before the rows are read, and before the ring is.
 */
#ifndef KERNELS_GAUSSIAN_GAUSSIAN_PLANE_CUH
#define KERNELS_GAUSSIAN_GAUSSIAN_PLANE_CUH

#include "kernels/gaussian/gaussian_fetch.cuh"

enum {
  FUSED = 96,   /* largest radius */
  RESIDENT = 6, /* blocks on a multiprocessor */
};

template <typename In, typename Out, typename T> struct plane_job {
  source<In, T> from;
  view<Out> out;
  int32_t radius_y, radius_x;
  int32_t across, down, steps;                /* blocks along x and y of a plane, steps of a block */
  int32_t first;                              /* of the blocks along y; 0 when there are more planes */
  bool odd_y, odd_x;                          /* weights before the center are negative */
  T weight_y[FUSED + 1], weight_x[FUSED + 1]; /* the center first */
};

/* Offsets in shared memory, in T. */
template <typename T> struct plane_memory {
  int weight_y, ring, ring_rows, line, line_width, line_pitch, all;
  static constexpr int ring_pitch = GAUSSIAN_COLUMNS + in_16<T>;

  BOTH plane_memory (int radius_y, int radius_x)
  {
    weight_y = (2 * radius_x / GAUSSIAN_CHUNK + 1) * GAUSSIAN_CHUNK;
    ring = weight_y + (2 * radius_y / GAUSSIAN_CHUNK + 1) * GAUSSIAN_CHUNK;
    ring_rows = (2 * radius_y + GAUSSIAN_CHUNK - 1) / GAUSSIAN_CHUNK * GAUSSIAN_CHUNK + GAUSSIAN_STEP;
    line = ring + ring_rows * ring_pitch;
    line_width = GAUSSIAN_COLUMNS + 2 * radius_x;
    line_pitch = pitch_of<T> (line_width);
    all = line + GAUSSIAN_STEP * line_pitch + 2 * GAUSSIAN_CHUNK;
  }
};

/* What a block works on. */
struct plane_part {
  strip in;
  int32_t x0, y0, y1; /* first column and rows that are written */
};

/* The rows in `lines` along x into the ring. A warp takes eight rows, of which the first is at ring row `slot`. */
template <typename T>
__device__ __forceinline__ void
blur_lines (const T *lines, int pitch, const T *weights, int taps, T *ring)
{
  const int row = (int) threadIdx.x % 8, segment = (int) threadIdx.x % 32 / 8;
  const T *from = lines + ((int) threadIdx.x / 32 * 8 + row) * pitch + segment * GAUSSIAN_EACH;
  T *to = ring + row * plane_memory<T>::ring_pitch + segment * GAUSSIAN_EACH;
  T sum[GAUSSIAN_EACH];
  start_sum (sum);
  weigh (sum, weights, taps, [=] (int first) {
    return [from = from + first] (T *v) mutable {
      read_chunk (v, from);
      from += GAUSSIAN_CHUNK;
    };
  });
  write_each (to, sum);
}

/* GAUSSIAN_EACH rows of the output from y on, from the ring; the window of the first begins at ring row `slot`. */
template <typename In, typename Out, typename T>
__device__ __forceinline__ void
blur_ring (const plane_job<In, Out, T> &job, const plane_part &at, const T *ring, int ring_rows, const T *weights,
           int slot, int y)
{
  constexpr int pitch = plane_memory<T>::ring_pitch;
  const int column = (int) threadIdx.x % GAUSSIAN_COLUMNS, x = at.x0 + column;
  const T *end = ring + ring_rows * pitch;
  T sum[GAUSSIAN_EACH];
  if (y >= at.y1 || x >= job.out.columns)
    return;
  start_sum (sum);
  weigh (sum, weights, 2 * job.radius_y + 1, [=] (int first) {
    const int row = slot + first < ring_rows ? slot + first : slot + first - ring_rows;
    return [=, from = ring + row * pitch + column] (T *v) mutable {
      for (int i = 0; i < GAUSSIAN_CHUNK; i++)
        v[i] = from[i * pitch];
      from += GAUSSIAN_CHUNK * pitch;
      from = from >= end ? from - ring_rows * pitch : from;
    };
  });
  Out *to = job.out.row (at.in.plane, y) + x;
  if (y + GAUSSIAN_EACH <= at.y1) {
#pragma unroll
    for (int j = 0; j < GAUSSIAN_EACH; j++, to += job.out.row_stride)
      *to = pixel_from<Out> (sum[j]);
  } else
#pragma unroll
    for (int j = 0; j < GAUSSIAN_EACH; j++, to += job.out.row_stride)
      if (y + j < at.y1)
        *to = pixel_from<Out> (sum[j]);
}

template <typename In, typename Out, typename T>
__global__ void
__launch_bounds__ (GAUSSIAN_THREADS, sizeof (T) == 4 ? RESIDENT : 3)
  blur_plane (const __grid_constant__ plane_job<In, Out, T> job)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  T *memory = (T *) shared;
  const plane_memory<T> m (job.radius_y, job.radius_x);
  const int warp = (int) threadIdx.x / 32, group = (int) threadIdx.x / GAUSSIAN_COLUMNS * GAUSSIAN_EACH;
  unsigned block = blockIdx.x;
  plane_part at;
  at.x0 = (int) (block % (unsigned) job.across) * GAUSSIAN_COLUMNS;
  block /= (unsigned) job.across;
  at.y0 = (job.first + (int) (block % (unsigned) job.down)) * job.steps * GAUSSIAN_STEP;
  at.in.plane = block / (unsigned) job.down;
  at.y1 = min (at.y0 + job.steps * GAUSSIAN_STEP, (int) job.out.rows);
  at.in.top = at.y0 - job.radius_y;
  at.in.left = at.x0 - job.radius_x;
  at.in.rows = at.y1 - at.y0 + 2 * job.radius_y;

  for (int i = (int) threadIdx.x; i <= 2 * job.radius_x; i += GAUSSIAN_THREADS)
    memory[i] = (job.odd_x && i < job.radius_x ? -1 : 1) * job.weight_x[abs (i - job.radius_x)];
  for (int i = (int) threadIdx.x; i <= 2 * job.radius_y; i += GAUSSIAN_THREADS)
    memory[m.weight_y + i] = (job.odd_y && i < job.radius_y ? -1 : 1) * job.weight_y[abs (i - job.radius_y)];
  const int before = m.ring_rows - GAUSSIAN_STEP, lead = (before + GAUSSIAN_STEP - 1) / GAUSSIAN_STEP * GAUSSIAN_STEP;
  int first = before - lead; /* row of the block with which the batch begins */
  int slot = (first + warp * 8 + m.ring_rows) % m.ring_rows, from = group;
  for (int y = at.y0 - lead - GAUSSIAN_STEP; y < at.y1; y += GAUSSIAN_STEP) {
    if (y >= at.y0 - lead) {
      const int row = first + warp * 8;
      __pipeline_wait_prior (0);
      __syncthreads ();
      if (row >= 0 && row < at.in.rows)
        blur_lines (memory + m.line, m.line_pitch, memory, 2 * job.radius_x + 1, memory + m.ring + slot * m.ring_pitch);
      slot = slot + GAUSSIAN_STEP >= m.ring_rows ? slot + GAUSSIAN_STEP - m.ring_rows : slot + GAUSSIAN_STEP;
      first += GAUSSIAN_STEP;
    }
    __syncthreads ();
    if (y + GAUSSIAN_STEP < at.y1)
      fetch_rows<GAUSSIAN_THREADS / 32> (job.from, at.in, first, memory + m.line, m.line_width, m.line_pitch);
    if (y >= at.y0) {
      blur_ring (job, at, memory + m.ring, m.ring_rows, memory + m.weight_y, from, y + group);
      from = from + GAUSSIAN_STEP >= m.ring_rows ? from + GAUSSIAN_STEP - m.ring_rows : from + GAUSSIAN_STEP;
    }
  }
}

#endif
