/* SPDX-License-Identifier: MIT
 *
 * Patches of bytes on integer matrix units. A patch becomes a row of bytes, 32 for each step of a product, zeros at its end; the best
 * pixel of B has the largest 2 a.b - |b|^2, an integer below 2^28. First the largest one and the first stretch of 128 pixels of B
 * that has it are found, then the first such pixel in that stretch. Rows are made for so many pixels of A and B at a time that they
 * take 64 MiB at most and a launch some ten milliseconds.
 *
 * - spread: a thread a patch; reads its bytes (from the caches), writes them once.
 * - largest: 128 threads. A warp has 64 rows of A, in registers if they are of one step. It reads stretches of B from the caches, 32 B a
 *   pixel and step. At the end comes an atomic maximum for each row and quarter of a warp. No barrier.
 * - first_of_stretch: a warp an A pixel, 4 pixels of B a lane; reads their patches from the images.
 */
#ifndef KERNELS_PATCH_BYTES_CUH
#define KERNELS_PATCH_BYTES_CUH

#include "kernels/patch/matching.cuh"

enum {
  STRETCH = 128,    /* pixels of B whose maximum is found as one */
  STEP_BYTES = 32,  /* of a patch in one product */
  ROW_TILES = 4,    /* of 16 rows of A, for a warp */
  COLUMN_TILES = 4, /* of 8 pixels of B at a time */
  MATCH_THREADS = 128,
  MATCH_ROWS = MATCH_THREADS / 32 * ROW_TILES * 16,
  SPREAD_BYTES = 1 << 25, /* of patches of one image */
  NEVER = -(1 << 30),
};
static const int64_t LAUNCH_STEPS = (int64_t) 1 << 37; /* pairs of pixels times steps, in a launch */

/* Patches of pixels first ... as rows of bytes: steps x rows x 32. */
struct spread_rows {
  uint8_t *bytes;
  int32_t *norms;             /* -|b|^2, or NULL */
  int64_t first, count, rows; /* rows: with those that fill up the last tile */
  int steps;
};

__global__ static void __launch_bounds__ (256)
  spread (channels_of<const uint8_t> in, spread_rows to, int radius, int channels)
{
  int64_t row = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (row >= to.rows)
    return;
  bool is = row < to.count;
  int64_t y = (to.first + row) / in.columns, x = (to.first + row) % in.columns;
  int dx = -radius, dy = -radius, c = 0, norm = 0;
  for (int step = 0; step < to.steps; step++) {
    uint32_t words[STEP_BYTES / 4];
    for (int i = 0; i < STEP_BYTES; i++) {
      uint32_t v = 0;
      if (is && dy <= radius) {
        v = in.nearest (c, y + dy, x + dx);
        norm += v * v;
        if (++c == channels)
          c = 0, dx++;
        if (dx > radius)
          dx = -radius, dy++;
      }
      words[i / 4] = i % 4 ? words[i / 4] | v << i % 4 * 8 : v;
    }
    uint4 *out = (uint4 *) (to.bytes + (step * to.rows + row) * STEP_BYTES);
    out[0] = make_uint4 (words[0], words[1], words[2], words[3]);
    out[1] = make_uint4 (words[4], words[5], words[6], words[7]);
  }
  if (to.norms)
    to.norms[row] = is ? -norm : NEVER;
}

/* d += a b, of 16 x 32 and 32 x 8 bytes. */
__device__ static inline void
multiply (int (&d)[4], const uint2 &upper, const uint2 &lower, const uint2 &b)
{
  asm volatile(
    "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
    : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
    : "r"(upper.x), "r"(lower.x), "r"(upper.y), "r"(lower.y), "r"(b.x), "r"(b.y));
}

__device__ static inline int
largest_of (int a, int b, int c)
{
#if __CUDA_ARCH__ >= 900
  return __vimax3_s32 (a, b, c);
#else
  return max (a, max (b, c));
#endif
}

/* Lane l has the bytes 8 (l % 4) ... + 7 of rows l / 4 and l / 4 + 8 of a tile of A, and of pixel l / 4 of a tile of B. Their order within
 * the patch does not matter, as it is the same in both. */
template <bool ONE_STEP>
__global__ static void
__launch_bounds__ (MATCH_THREADS) largest (spread_rows a, spread_rows b, unsigned long long *best)
{
  int lane = threadIdx.x % 32, row = lane / 4, part = lane % 4;
  int64_t first = (int64_t) blockIdx.x * MATCH_ROWS + threadIdx.x / 32 * (ROW_TILES * 16);
  int64_t stretches = b.rows / STRETCH, from = stretches * blockIdx.y / gridDim.y;
  int64_t end = stretches * (blockIdx.y + 1) / gridDim.y;
  uint2 rows[2 * ROW_TILES];
  int score[2 * ROW_TILES];
  uint32_t where[2 * ROW_TILES];

  auto load_rows = [&] (int step) {
#pragma unroll
    for (int i = 0; i < 2 * ROW_TILES; i++)
      rows[i] = *(const uint2 *) (a.bytes + (step * a.rows + first + i * 8 + row) * STEP_BYTES + part * 8);
  };
  if (ONE_STEP)
    load_rows (0);
#pragma unroll
  for (int i = 0; i < 2 * ROW_TILES; i++)
    score[i] = NEVER, where[i] = 0;
  for (int64_t s = from; s < end; s++) {
    int top[2 * ROW_TILES];
#pragma unroll
    for (int i = 0; i < 2 * ROW_TILES; i++)
      top[i] = NEVER;
    for (int64_t column = s * STRETCH; column < (s + 1) * STRETCH; column += COLUMN_TILES * 8) {
      int sum[ROW_TILES][COLUMN_TILES][4] = {};
      for (int step = 0; step < (ONE_STEP ? 1 : a.steps); step++) {
        uint2 pixels[COLUMN_TILES];
        if (!ONE_STEP)
          load_rows (step);
#pragma unroll
        for (int j = 0; j < COLUMN_TILES; j++)
          pixels[j] = *(const uint2 *) (b.bytes + (step * b.rows + column + j * 8 + row) * STEP_BYTES + part * 8);
#pragma unroll
        for (int j = 0; j < COLUMN_TILES; j++)
#pragma unroll
          for (int i = 0; i < ROW_TILES; i++)
            multiply (sum[i][j], rows[2 * i], rows[2 * i + 1], pixels[j]);
      }
#pragma unroll
      for (int j = 0; j < COLUMN_TILES; j++) {
        int2 norm = *(const int2 *) (b.norms + column + j * 8 + part * 2);
#pragma unroll
        for (int i = 0; i < 2 * ROW_TILES; i++) {
          const int *pair = &sum[i / 2][j][i % 2 * 2];
          top[i] = largest_of (top[i], 2 * pair[0] + norm.x, 2 * pair[1] + norm.y);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < 2 * ROW_TILES; i++)
      if (top[i] > score[i])
        score[i] = top[i], where[i] = (uint32_t) (b.first / STRETCH + s);
  }
#pragma unroll
  for (int i = 0; i < 2 * ROW_TILES; i++) /* the larger score, and of equals the earlier stretch */
    atomicMax (&best[first + i * 8 + row],
               (unsigned long long) ((uint32_t) score[i] ^ 1u << 31) << 32 | (uint32_t) ~where[i]);
}

struct match_results {
  channels_of<int32_t> x, y, distance;
};

__global__ static void __launch_bounds__ (256)
  first_of_stretch (channels_of<const uint8_t> a, channels_of<const uint8_t> b, int64_t first, int64_t count,
                    const unsigned long long *best, int radius, int channels, match_results to)
{
  int64_t row = (int64_t) blockIdx.x * 8 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= count)
    return;
  int64_t ya = (first + row) / a.columns, xa = (first + row) % a.columns, pixels = b.rows * b.columns;
  int64_t start = (int64_t) (uint32_t) ~(uint32_t) best[row] * STRETCH;
  unsigned long long least = ~0ull; /* distance and index in the stretch */
  for (int i = lane; i < STRETCH && start + i < pixels; i += 32) {
    int64_t yb = (start + i) / b.columns, xb = (start + i) % b.columns;
    uint32_t sum = 0;
    for (int dy = -radius; dy <= radius; dy++)
      for (int dx = -radius; dx <= radius; dx++)
        for (int c = 0; c < channels; c++) {
          int d = (int) a.nearest (c, ya + dy, xa + dx) - (int) b.nearest (c, yb + dy, xb + dx);
          sum += (uint32_t) (d * d);
        }
    least = min (least, (unsigned long long) sum << 32 | (unsigned) i);
  }
  for (int offset = 16; offset; offset /= 2)
    least = min (least, __shfl_xor_sync (~0u, least, offset));
  if (lane == 0) {
    int64_t at = start + (uint32_t) least;
    to.x.data[ya * to.x.row_stride + xa] = (int32_t) (at % b.columns);
    to.y.data[ya * to.y.row_stride + xa] = (int32_t) (at / b.columns);
    to.distance.data[ya * to.distance.row_stride + xa] = (int32_t) (least >> 32);
  }
}

static inline int64_t
rounded_up (int64_t n, int64_t to)
{
  return blocks_for (n, to) * to;
}

/* How many pixels of A and B are spread at a time, in how many parts, and the memory. */
struct bytes_plan {
  int64_t a_rows, b_rows, a_parts, b_parts;
  spread_rows a, b;
  unsigned long long *best; /* [a_rows] */
};

static inline fv_status
plan_bytes (const matching &m, int64_t a_pixels, int64_t b_pixels, bytes_plan *p, fv_error *error)
{
  int span = 2 * m.radius + 1, steps = (int) blocks_for (span * span * m.channels, STEP_BYTES);
  int64_t most = SPREAD_BYTES / STEP_BYTES / steps;
  p->a_rows = rounded_up (min (a_pixels, most), MATCH_ROWS);
  p->b_rows = rounded_up (min (min (b_pixels, most), LAUNCH_STEPS / p->a_rows / steps), STRETCH);
  p->a_parts = blocks_for (a_pixels, p->a_rows);
  p->b_parts = blocks_for (b_pixels, p->b_rows);
  p->a.steps = p->b.steps = steps;
  if (cuda_scratch (m.call, (size_t) (p->a_rows * steps * STEP_BYTES), &p->a.bytes, error)
      || cuda_scratch (m.call, (size_t) (p->b_rows * steps * STEP_BYTES), &p->b.bytes, error)
      || cuda_scratch (m.call, (size_t) p->b_rows, &p->b.norms, error))
    return error->code;
  return cuda_scratch (m.call, (size_t) p->a_rows, &p->best, error);
}

/* Patches of part i of at most `most` pixels. */
static inline void
spread_part (const matching &m, const channels_of<const uint8_t> &in, int64_t i, int64_t most, int64_t tile,
             spread_rows *to)
{
  to->first = i * most;
  to->count = min (most, in.rows * in.columns - to->first);
  to->rows = rounded_up (to->count, tile);
  spread<<<(unsigned) blocks_for (to->rows, 256), 256, 0, cuda_stream (m.call)>>> (in, *to, m.radius, m.channels);
}

static inline void
largest_on (const matching &m, const bytes_plan &p)
{
  int64_t blocks = p.a.rows / MATCH_ROWS, wanted = blocks_for (12 * (int64_t) multiprocessors (), blocks);
  dim3 grid ((unsigned) blocks, (unsigned) min (p.b.rows / STRETCH, wanted));
  if (p.a.steps == 1)
    largest<true><<<grid, MATCH_THREADS, 0, cuda_stream (m.call)>>> (p.a, p.b, p.best);
  else
    largest<false><<<grid, MATCH_THREADS, 0, cuda_stream (m.call)>>> (p.a, p.b, p.best);
}

static inline fv_status
match_bytes_plane (const matching &m, bytes_plan &p, int64_t z, fv_error *error)
{
  const fv_array *const *out = m.call->outputs;
  match_results results = {patch_plane<int32_t> (out[0], z), patch_plane<int32_t> (out[1], z),
                           patch_plane<int32_t> (out[2], z)};
  const fv_array *second = m.call->inputs[1];
  channels_of<const uint8_t> a = patch_plane<const uint8_t> (m.call->inputs[0], z),
                             b = patch_plane<const uint8_t> (second, patch_match_plane (second->grid, z));
  for (int64_t i = 0; i < p.a_parts; i++) {
    spread_part (m, a, i, p.a_rows, MATCH_ROWS, &p.a);
    cudaMemsetAsync (p.best, 0, (size_t) p.a_rows * sizeof *p.best, cuda_stream (m.call));
    for (int64_t j = 0; j < p.b_parts; j++) {
      if (next_launch (m, z, i * p.b_parts + j, p.a_parts * p.b_parts, error))
        return error->code;
      spread_part (m, b, j, p.b_rows, STRETCH, &p.b);
      largest_on (m, p);
    }
    first_of_stretch<<<(unsigned) blocks_for (p.a.count, 8), 256, 0, cuda_stream (m.call)>>> (
      a, b, p.a.first, p.a.count, p.best, m.radius, m.channels, results);
  }
  return FV_OK;
}

static inline fv_status
match_bytes (const matching &m, fv_error *error)
{
  const fv_array *a = m.call->inputs[0], *b = m.call->inputs[1];
  bytes_plan plan = {};
  if (plan_bytes (m, array_rows (a) * array_columns (a), array_rows (b) * array_columns (b), &plan, error))
    return error->code;
  for (int64_t z = 0; z < m.depth; z++)
    if (match_bytes_plane (m, plan, z, error))
      return error->code;
  return cuda_status (cudaGetLastError (), "Matching patches", error);
}

#endif
