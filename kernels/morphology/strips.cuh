/* SPDX-License-Identifier: MIT
 *
 * Erosions of images other than masks over flat footprints other than boxes, where the image has enough tiles for a GPU. They work as in
 * morphology.cu, but a thread makes 16 pixels of a column. So consecutive rows of the footprint with equal length read each running minimum from
 * shared memory once.
 *
 * strips_kernel: one block of 256 for a tile of 64 x 64 words, any number of blocks; the result in 16 registers of each thread. Reads the tile
 * with its surroundings (from device memory once, then mostly from L2), writes each pixel once. Rows are loaded and widened by one warp each;
 * barriers: at most two for each step of widening.
 */
#ifndef KERNELS_MORPHOLOGY_STRIPS_CUH
#define KERNELS_MORPHOLOGY_STRIPS_CUH

#include "kernels/morphology/plan.cuh"

/* ---- Device ---- */

/* Each takes in the one STEP rows below; the last have none. */
template <typename C, int STEP, int N> __device__ __forceinline__ void widen_rows (typename C::word (&v)[N])
{
#pragma unroll
  for (int i = 0; i + STEP < N; i++)
    v[i] = C::least (v[i], v[i + STEP]);
}

/* Minima of LONG rows that begin with each of the 16, each of two words, go into the result. */
template <typename C, int PITCH, int LONG>
__device__ __forceinline__ void
take_rows (const typename C::word *a, const typename C::word *b, typename C::word (&best)[STRIP_ROWS])
{
  typename C::word v[STRIP_ROWS + LONG - 1];
#pragma unroll
  for (int i = 0; i < STRIP_ROWS + LONG - 1; i++)
    v[i] = C::least (a[i * PITCH], b[i * PITCH]);
  if (LONG >= 4)
    widen_rows<C, 1> (v);
  if (LONG >= 8)
    widen_rows<C, 2> (v);
#pragma unroll
  for (int i = 0; i < STRIP_ROWS; i++)
    best[i] = C::least (best[i], v[i], v[i + LONG / 2]);
}

/* Calls f (a row) for the rows of this warp. */
template <typename F>
__device__ __forceinline__ void
each_row (int32_t rows, F f)
{
#pragma unroll 2
  for (int32_t row = (int32_t) threadIdx.x / 32; row < rows; row += TILE_WARPS)
    f (row);
}

/* The tile from row y of the image on. */
template <typename C, typename T, int PITCH>
__device__ __forceinline__ void
load_strips (const tile_job &j, const tile_origin &t, int32_t y, int32_t rows, typename C::word *tile)
{
  const int32_t lane = (int32_t) threadIdx.x % 32, x = t.x - j.left + lane;
  each_row (rows, [&] (int32_t row) {
    const bool inside = y + row >= 0 && y + row < j.rows;
    const T *from = (const T *) row_at (j.from, t.z, inside ? y + row : 0);
#pragma unroll
    for (int i = 0; i < (PITCH + 31) / 32; i++) {
      typename C::word low = C::key_at (j, from, x + 32 * i);
      typename C::word high = C::each == 2 ? C::key_at (j, from, x + 32 * i + STRIP_WIDTH) : 0;
      if (lane + 32 * i < PITCH)
        tile[row * PITCH + lane + 32 * i] = inside ? C::join (low, high) : C::neutral ();
    }
  });
}

/* Each word takes in the one `step` words further in its row; the last have none. */
template <typename C, int PITCH>
__device__ __forceinline__ void
widen_strips (typename C::word *tile, int32_t rows, int32_t step)
{
  const int32_t lane = (int32_t) threadIdx.x % 32;
  each_row (rows, [&] (int32_t row) {
    typename C::word v[(PITCH + 31) / 32], *own = tile + row * PITCH + lane;
#pragma unroll
    for (int i = 0; i < (PITCH + 31) / 32; i++)
      if (lane + 32 * i + step < PITCH)
        v[i] = C::least (own[32 * i], own[32 * i + step]);
    __syncwarp ();
#pragma unroll
    for (int i = 0; i < (PITCH + 31) / 32; i++)
      if (lane + 32 * i + step < PITCH)
        own[32 * i] = v[i];
  });
}

template <typename T, int PITCH>
__global__ void
__launch_bounds__ (TILE_THREADS, sizeof (T) == 8 ? 2 : 4) strips_kernel (const __grid_constant__ tile_job j)
{
  typedef gray_tile<T> C;
  typedef typename C::word word;
  extern __shared__ int64_t shared[];
  word *tile = (word *) shared, best[STRIP_ROWS];
  const int32_t top = (int32_t) threadIdx.x / STRIP_WIDTH * STRIP_ROWS, column = (int32_t) threadIdx.x % STRIP_WIDTH;
  int32_t at = (int32_t) blockIdx.x, rows = j.code[1], end = j.code[2];
  tile_origin t = {at / j.across / j.down, at / j.across % j.down * j.height, at % j.across * j.width * C::each};
  wait_for_kernel_before ();
  load_strips<C, T, PITCH> (j, t, t.y + j.code[0], rows, tile);
#pragma unroll
  for (int i = 0; i < STRIP_ROWS; i++)
    best[i] = C::neutral ();
  for (int k = 3; k < end;) {
    int32_t step = j.code[k], last = k + 2 + 3 * j.code[k + 1];
    if (step) {
      __syncwarp ();
      widen_strips<C, PITCH> (tile, rows, step);
    }
    if (k + 2 < last)
      __syncthreads ();
    for (k += 2; k < last; k += 3) {
      const word *a = tile + top * PITCH + column + j.code[k + 1], *b = tile + top * PITCH + column + j.code[k + 2];
      switch (j.code[k]) {
      case 1: take_rows<C, PITCH, 1> (a, b, best); break;
      case 2: take_rows<C, PITCH, 2> (a, b, best); break;
      case 4: take_rows<C, PITCH, 4> (a, b, best); break;
      default: take_rows<C, PITCH, 8> (a, b, best); break;
      }
    }
    if (last < end)
      __syncthreads ();
  }
#pragma unroll
  for (int i = 0; i < STRIP_ROWS; i++)
    C::store_cell (j, t, {top + i, column}, best[i]);
}

/* ---- Host ---- */

/* The rows of runs[0] ... that are equally long and follow one another, in pieces of 8, 4, 2 or 1; returns how many rows. */
static inline int
code_rows (code_writer *w, const pass *p, const code_run *r, int n, int32_t width)
{
  int rows = 1, piece = 8;
  while (rows < n && r[rows].offset == r[rows - 1].offset + p->t.pitch)
    rows++;
  while (piece > rows)
    piece /= 2;
  for (int i = 0; i < rows; i += piece) {
    const code_run *from = r + (i + piece < rows ? i : rows - piece);
    w->job->code[w->step]++;
    code_put (w, piece);
    code_put (w, from->offset);
    code_put (w, from->offset + from->width - width);
  }
  return rows;
}

/* Says what a strip does: {first dy, rows of the tile, where the code ends}, then steps {widen, n, n takes {rows, offset, offset}}. */
static inline void
code_strips (const pass *p, tile_job *j)
{
  code_run r[2 * STRIP_REACH + 1];
  int rows = p->high[1] - p->low[1] + 1, n = code_collect (p, 0, p->low[1], rows, r);
  int32_t width = 1;
  code_writer w = {j, 0};
  code_put (&w, p->low[1]);
  code_put (&w, p->t.height + rows - 1);
  code_put (&w, 0);
  code_step (&w, 0);
  for (int i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && r[next].width == r[i].width;)
      next++;
    while (2 * width < r[i].width) {
      code_step (&w, width);
      width *= 2;
    }
    if (next - i > RUNS_WITHOUT_STEP)
      code_grow (&w, &width, r[i].width, 1);
    for (int k = i; k < next;)
      k += code_rows (&w, p, r + k, next - k, width);
  }
  j->code[2] = w.n;
}

static fv_status
run_strips (const fv_call *call, const pass *p, tile_job *j, fv_error *error)
{
  code_strips (p, j);
  return with_type (call->inputs[0]->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    switch (p->t.pitch) {
    case 80: return launch_blocks (strips_kernel<T, 80>, call, p, j, error);
    case 96: return launch_blocks (strips_kernel<T, 96>, call, p, j, error);
    default: return launch_blocks (strips_kernel<T, 128>, call, p, j, error);
    }
  });
}

#endif
