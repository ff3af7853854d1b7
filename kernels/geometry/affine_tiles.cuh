/* SPDX-License-Identifier: MIT
 *
 * Affine maps of floats, linear, on the GPU, where what a tile of the result is made of fits into shared memory.
 * affine_tiles: 256 threads, a tile of 64 x 64 pixels of the result; the box of the image around what these come from is copied to shared
 * memory, and each thread makes 16 of them from there. Reads about two pixels, mostly from the L2, and writes one. One __syncthreads,
 * before the box is read.
 * A thread finds its first place in double, and goes on from it in multiples of 2^-32 pixels, of which the sums are exact: after 16 of them it
 * is off by 2^-28 at most. What is added to the upper left pixel is in float, so that floats round what differs in its neighbours, and not
 * what they have in common. A place nearer to a column or row of pixels than AFFINE_NEAR of these, where it matters on which side of it,
 * or whether on it, and a result that is not finite are left to affine_pixel().
 */
#ifndef KERNELS_GEOMETRY_AFFINE_TILES_CUH
#define KERNELS_GEOMETRY_AFFINE_TILES_CUH

#include "kernels/geometry/affine_sample.cuh"

#include <float.h>

enum {
  AFFINE_SIDE = 64,
  AFFINE_BLOCK = 256,
  AFFINE_APART = AFFINE_BLOCK / AFFINE_SIDE, /* rows from one pixel of a thread to the next */
  AFFINE_EACH = AFFINE_SIDE / AFFINE_APART,
  AFFINE_NEAR = 256,
  AFFINE_PIECE = 4,             /* pixels that are copied together */
  AFFINE_MOST_SHARED = 48 << 10 /* bytes, of a block: four or more share a multiprocessor */
};

#define AFFINE_STEP (1.f / 4294967296.f)

struct affine_tiles_job {
  view<const float> in;
  view<float> out;
  affine_map map;
  affine_rule rule;
  int64_t step[2];      /* of a thread along x and y of the image, in AFFINE_STEP */
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
  affine_place (&m, m.xx < 0 ? x1 : x0, m.xy < 0 ? y1 : y0, &low, &unused);
  affine_place (&m, m.xx < 0 ? x0 : x1, m.xy < 0 ? y0 : y1, &high, &unused);
  affine_place (&m, m.yx < 0 ? x1 : x0, m.yy < 0 ? y1 : y0, &unused, &top);
  affine_place (&m, m.yx < 0 ? x0 : x1, m.yy < 0 ? y0 : y1, &unused, &bottom);
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
  affine_place (&j.map, x, y, &u, &v);
  int64_t across = llrint ((u - box.left) * 4294967296.), down = llrint ((v - box.top) * 4294967296.);
  float *to = j.out.row (plane, y) + x;
#pragma unroll
  for (int k = 0; k < AFFINE_EACH; k++) {
    if (!WHOLE && k >= n)
      break;
    const float *p = from + (int32_t) (down >> 32) * j.pitch + (int32_t) (across >> 32);
    const uint32_t h = (uint32_t) across, w = (uint32_t) down;
    const float corner = p[0], t = (float) h * AFFINE_STEP, s = (float) w * AFFINE_STEP;
    const float upper = t * (p[1] - corner), lower = t * (p[j.pitch + 1] - p[j.pitch]) + (p[j.pitch] - corner);
    const float value = corner + (s * (lower - upper) + upper);
    if (min (h + AFFINE_NEAR, w + AFFINE_NEAR) < 2 * AFFINE_NEAR || !(fabsf (value) <= FLT_MAX))
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
    j.rule.border == BORDER_CONSTANT
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

/* Whether the places of all pixels of the result are near enough to the image, seen from afar, to be counted in int32_t. */
static inline bool
affine_is_near (const affine_map &m, int64_t columns, int64_t rows)
{
  const double most = 1 << 29, x = (double) columns, y = (double) rows;
  return fabs (m.xx) * x + fabs (m.xy) * y + fabs (m.at[0]) < most
         && fabs (m.yx) * x + fabs (m.yy) * y + fabs (m.at[1]) < most;
}

/* Whether affine_tiles is to do it, and how: not where places lie on rows or columns of pixels, one by one. */
static inline bool
affine_tiles_can (const fv_array *in, const fv_array *out, const affine_map &m, const affine_rule &rule,
                  affine_tiles_job *j, int64_t *bytes)
{
  const double side = AFFINE_SIDE - 1;
  const int64_t most = 1 << 29;
  if (in->grid->type != FV_F32 || rule.count != 2 || m.xx * m.xy * m.yx * m.yy == 0)
    return false;
  if (!affine_is_near (m, array_columns (out), array_rows (out)) || array_columns (in) > most || array_rows (in) > most)
    return false;
  const double width = side * (fabs (m.xx) + fabs (m.xy)) + 3 + AFFINE_PIECE - 1,
               height = side * (fabs (m.yx) + fabs (m.yy)) + 3;
  if (width * height * (double) sizeof (float) > AFFINE_MOST_SHARED)
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
  j->step[0] = llrint (AFFINE_APART * m.xy * 4294967296.);
  j->step[1] = llrint (AFFINE_APART * m.yy * 4294967296.);
  j->pitch = ((int32_t) width / AFFINE_PIECE + 1) * AFFINE_PIECE;
  j->lead = j->pitch + AFFINE_PIECE;
  j->across = (int32_t) blocks_for (j->out.columns, AFFINE_SIDE);
  j->down = (int32_t) blocks_for (j->out.rows, AFFINE_SIDE);
  *bytes = (((int64_t) height + 1) * j->pitch + 2 * j->lead) * (int64_t) sizeof (float);
  return j->out.planes * j->across * j->down < INT32_MAX;
}

#endif
