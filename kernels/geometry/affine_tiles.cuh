/* SPDX-License-Identifier: MIT
 *
 * Affine maps of floats, linear, on the GPU, where the sources of a tile of the result fit into shared memory.
 * - affine_tiles: 256 threads, a tile of 64 x 64 pixels of the result. The box of the image around their sources is copied to shared memory, and each
 *   thread makes 16 of them from there. Reads about two pixels, mostly from the L2, and writes one. One __syncthreads, before the box is read.
 * A thread has the rows of a column that continue from one position; see affine.h.
 */
#ifndef KERNELS_GEOMETRY_AFFINE_TILES_CUH
#define KERNELS_GEOMETRY_AFFINE_TILES_CUH

#include "kernels/geometry/affine_sample.cuh"

enum { AFFINE_BLOCK = AFFINE_SIDE * AFFINE_APART, AFFINE_EACH = AFFINE_SIDE / AFFINE_APART };

struct affine_tiles_job {
  view<const float> in;
  view<float> out;
  affine_map map;
  affine_rule rule;
  int64_t step[2];      /* of a thread along x and y of the image, in units */
  int32_t pitch, lead;  /* of the box in shared memory; what may be read, and is not used, before it */
  int32_t across, down; /* tiles */
  bool pieces;          /* AFFINE_PIECE pixels can be read at once */
};

/* Columns and rows of the image that a tile is made of; left is a multiple of AFFINE_PIECE. */
struct affine_box {
  int32_t left, top, columns, rows;
};

__device__ __forceinline__ affine_box
affine_box_of (const affine_map &m, int64_t x0, int64_t x1, int64_t y0, int64_t y1)
{
  double low, high, top, bottom, unused;
  affine_position (&m, m.xx < 0 ? x1 : x0, m.xy < 0 ? y1 : y0, &low, &unused);
  affine_position (&m, m.xx < 0 ? x0 : x1, m.xy < 0 ? y0 : y1, &high, &unused);
  affine_position (&m, m.yx < 0 ? x1 : x0, m.yy < 0 ? y1 : y0, &unused, &top);
  affine_position (&m, m.yx < 0 ? x0 : x1, m.yy < 0 ? y0 : y1, &unused, &bottom);
  affine_box box;
  box.left = (int32_t) floor (low) & -AFFINE_PIECE;
  box.top = (int32_t) floor (top);
  box.columns = ((int32_t) floor (high) + 2 - box.left + AFFINE_PIECE - 1) & -AFFINE_PIECE;
  box.rows = (int32_t) floor (bottom) + 2 - box.top;
  return box;
}

__device__ __forceinline__ void
affine_fetch (const affine_tiles_job &j, int64_t plane, const affine_box &box, float *to)
{
  const int lane = (int) threadIdx.x % 32, warp = (int) threadIdx.x / 32;
  const bool inside =
    box.left >= 0 && box.top >= 0 && box.left + box.columns <= j.in.columns && box.top + box.rows <= j.in.rows;
  for (int r = warp; r < box.rows; r += AFFINE_BLOCK / 32) {
    float *line = to + r * j.pitch;
    if (inside && j.pieces) {
      const float *from = j.in.row (plane, box.top + r) + box.left;
      for (int c = lane * AFFINE_PIECE; c < box.columns; c += 32 * AFFINE_PIECE)
        __pipeline_memcpy_async (line + c, from + c, AFFINE_PIECE * sizeof (float));
    } else {
      const int64_t y = border_index (box.top + r, j.in.rows, j.rule.border);
      const float *from = y < 0 ? nullptr : j.in.row (plane, y);
      for (int c = lane; c < box.columns; c += 32) {
        const int64_t x = border_index (box.left + c, j.in.columns, j.rule.border);
        line[c] = from && x >= 0 ? from[x] : (float) j.rule.value;
      }
    }
  }
  __pipeline_commit ();
}

/* The pixels of a thread, n of them, column x, from row y on. WHOLE: n is AFFINE_EACH. */
template <bool WHOLE>
__device__ __forceinline__ void
affine_column (const affine_tiles_job &j, int64_t plane, const affine_box &box, const float *from, int64_t x, int64_t y,
               int n)
{
  double u, v;
  uint32_t again = 0; /* a bit for each of them */
  affine_position (&j.map, x, y, &u, &v);
  int64_t across = affine_units (u) - ((int64_t) box.left << 32), down = affine_units (v) - ((int64_t) box.top << 32);
  float *to = j.out.row (plane, y) + x;
#pragma unroll
  for (int k = 0; k < AFFINE_EACH; k++) {
    if (!WHOLE && k >= n)
      break;
    const float *p = from + (int32_t) (down >> 32) * j.pitch + (int32_t) (across >> 32);
    const uint32_t h = (uint32_t) across, w = (uint32_t) down;
    const float value = affine_between (p[0], p[1], p[j.pitch], p[j.pitch + 1], h, w);
    if (!affine_is_sure (value, h, w))
      again |= 1u << k;
    *to = value;
    to += AFFINE_APART * j.out.row_stride;
    across += j.step[0];
    down += j.step[1];
  }
  for (; again; again &= again - 1) {
    const int64_t row = y + (__ffs ((int) again) - 1) * AFFINE_APART;
    j.out.row (plane, row)[x] = affine_pixel (j.in, plane, j.map, j.rule, x, row);
  }
}

__global__ static void
__launch_bounds__ (AFFINE_BLOCK, 5) affine_tiles (const __grid_constant__ affine_tiles_job j)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  float *box_at = (float *) shared + j.lead;
  unsigned block = blockIdx.x;
  const int64_t x0 = (int64_t) (block % (unsigned) j.across) * AFFINE_SIDE, x = x0 + threadIdx.x % AFFINE_SIDE;
  block /= (unsigned) j.across;
  const int64_t y0 = (int64_t) (block % (unsigned) j.down) * AFFINE_SIDE, y = y0 + threadIdx.x / AFFINE_SIDE;
  const int64_t plane = block / (unsigned) j.down;
  const int64_t x1 = min (x0 + AFFINE_SIDE, j.out.columns), y1 = min (y0 + AFFINE_SIDE, j.out.rows);
  const affine_box box = affine_box_of (j.map, x0, x1 - 1, y0, y1 - 1);
  const bool outside =
    j.rule.border == BORDER_CONSTANT && fabsf ((float) j.rule.value) <= FLT_MAX
    && (box.left >= j.in.columns || box.left + box.columns <= 0 || box.top >= j.in.rows || box.top + box.rows <= 0);
  if (!outside)
    affine_fetch (j, plane, box, box_at);
  __pipeline_wait_prior (0);
  __syncthreads ();
  if (x >= x1)
    return;
  if (outside) {
    for (int64_t row = y; row < y1; row += AFFINE_APART)
      j.out.row (plane, row)[x] = (float) j.rule.value;
    return;
  }
  if (y0 + AFFINE_SIDE == y1)
    affine_column<true> (j, plane, box, box_at, x, y, AFFINE_EACH);
  else
    affine_column<false> (j, plane, box, box_at, x, y, (int) ((y1 - y + AFFINE_APART - 1) / AFFINE_APART));
}

/* Whether affine_tiles is to do it, and how. */
static inline bool
affine_tiles_can (const fv_array *in, const fv_array *out, const affine_map &m, const affine_rule &rule,
                  affine_tiles_job *j, int64_t *bytes)
{
  const double side = AFFINE_SIDE - 1;
  const double width = side * (fabs (m.xx) + fabs (m.xy)) + 3 + AFFINE_PIECE - 1,
               height = side * (fabs (m.yx) + fabs (m.yy)) + 3;
  if (!affine_by_floats (in, out, &m, &rule))
    return false;
  *j = {view_of<const float> (in),
        view_of<float> (out),
        m,
        rule,
        {},
        0,
        0,
        0,
        0,
        rows_aligned (in, AFFINE_PIECE * sizeof (float))};
  j->step[0] = affine_units (AFFINE_APART * m.xy);
  j->step[1] = affine_units (AFFINE_APART * m.yy);
  j->pitch = ((int32_t) width / AFFINE_PIECE + 1) * AFFINE_PIECE;
  j->lead = j->pitch + AFFINE_PIECE;
  j->across = (int32_t) blocks_for (j->out.columns, AFFINE_SIDE);
  j->down = (int32_t) blocks_for (j->out.rows, AFFINE_SIDE);
  *bytes = (((int64_t) height + 1) * j->pitch + 2 * j->lead) * (int64_t) sizeof (float);
  return j->out.planes * j->across * j->down < INT32_MAX;
}

#endif
