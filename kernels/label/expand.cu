/* SPDX-License-Identifier: MIT
 *
 * expand on the GPU. Words of columns tell how far labels are along the first axis (columns.cuh): of a volume its planes, as rows of a view
 * in which the two are swapped. Along each other axis a warp finds the nearest sites of 512 pixels of a line (nearest_site.cuh),
 * as many steps for near labels as for far ones. Lines have their squares without gaps but for the last 1 to 3, which are
 * greater than all; those along y are turned for that. Blocks of 256 threads; only expand_turn_kernel has barriers, two for each tile.
 *
 * The kernels expand_squares_kernel and expand_turn_kernel, which has tiles of 32 x 32, read mostly from L2 and write 4 bytes a pixel. Then
 * expand_lines_kernel reads these, mostly from L1, and a label or two near the site. It writes 4 bytes a pixel, along y 8.
 */
#include "kernels/label/expand.h"
#include "kernels/common/columns.cuh"
#include "kernels/label/nearest_site.cuh"

enum { EXPAND_THREADS = COLUMN_THREADS, EXPAND_WARPS = EXPAND_THREADS / 32, EXPAND_TILE = 32 };

typedef column_map<int32_t, false> expand_map;

/* ---- Along the first axis ---- */

/* At most `far`. */
__device__ __forceinline__ uint32_t
expand_square (const expand_map &m, int64_t plane, int64_t y, int64_t x, uint32_t far)
{
  const int32_t count = min (m.count (plane, y, x, EXPAND_FARTHEST + 1), EXPAND_FARTHEST + 1);
  return min ((uint32_t) (count * count), far);
}

/* squares: [planes][rows][length]. */
__global__ static void
__launch_bounds__ (EXPAND_THREADS) expand_squares_kernel (expand_map m, uint32_t *squares, int64_t length, uint32_t far)
{
  int64_t plane, y, x;
  if (m.position (m.in.rows, &plane, &y, &x))
    squares[(plane * m.in.rows + y) * length + x] = expand_square (m, plane, y, x, far);
}

/* m: of the volume with planes as rows; squares: [planes][columns][length], with rows of the volume along a line. */
__global__ static void
__launch_bounds__ (EXPAND_THREADS) expand_turn_kernel (expand_map m, uint32_t *squares, int64_t length, uint32_t far)
{
  __shared__ uint32_t tile[EXPAND_TILE][EXPAND_TILE + 1];
  const int64_t rows = m.in.planes, columns = m.in.columns;
  const int i = (int) threadIdx.x % EXPAND_TILE, first = (int) threadIdx.x / EXPAND_TILE;
  const int64_t left = (int64_t) blockIdx.x * EXPAND_TILE;
  for (int64_t z = blockIdx.z; z < m.in.rows; z += gridDim.z)
    for (int64_t top = (int64_t) blockIdx.y * EXPAND_TILE; top < rows; top += (int64_t) gridDim.y * EXPAND_TILE) {
      for (int j = first; j < EXPAND_TILE; j += EXPAND_WARPS)
        if (top + j < rows && left + i < columns)
          tile[j][i] = expand_square (m, top + j, z, left + i, far);
      __syncthreads ();
      for (int j = first; j < EXPAND_TILE; j += EXPAND_WARPS)
        if (left + j < columns && top + i < rows)
          squares[(z * columns + left + j) * length + top + i] = tile[i][j];
      __syncthreads ();
    }
}

/* ---- Along the others ---- */

enum expand_axis { EXPAND_LAST_OF_TWO, EXPAND_MIDDLE_OF_THREE, EXPAND_LAST_OF_THREE };

/* Squares of the lines along an axis: of `inner` lines for each plane. */
struct expand_lines {
  uint32_t *squares;
  int64_t planes, inner, length; /* length: n, up to whole blocks */
  int32_t n;
};

/* label: the input or, along the last of three axes, the nearest label in the plane of rows and planes; next: where the middle one
 * leaves squares for the last. */
struct expand_pass {
  expand_lines lines, next;
  view<const int32_t> label;
  view<int32_t> out;
  uint32_t far;
  int32_t reach; /* pixels: no site that counts is farther */
};

/* The label that is so far from a pixel along the first axis, of two the first. */
template <expand_axis AXIS>
__device__ __forceinline__ int32_t
label_away (const view<const int32_t> &in, int64_t z, int64_t y, int64_t x, uint32_t away)
{
  if constexpr (AXIS == EXPAND_LAST_OF_THREE)
    return in.row (z, y)[x];
  int64_t &along = AXIS == EXPAND_LAST_OF_TWO ? y : z;
  along -= away;
  const int32_t before = along < 0 ? 0 : in.row (z, y)[x];
  along += 2 * away;
  return before ? before : in.row (z, y)[x];
}

/* Pixel i of a line gets the label of its site. */
template <expand_axis AXIS>
__device__ __forceinline__ void
take_site (const expand_pass &p, int64_t z, int64_t line, int32_t i, const near_site &s)
{
  constexpr bool MIDDLE = AXIS == EXPAND_MIDDLE_OF_THREE;
  const int32_t along = i - s.at;
  /* The root of 0 takes longest. */
  const uint32_t away = __float2uint_rn (sqrtf ((float) (s.square - (uint32_t) (along * along)) + 0.0625f));
  const int64_t y = MIDDLE ? i : line, x = MIDDLE ? line : i;
  const bool found = s.square < p.far;
  p.out.row (z, y)[x] = found ? label_away<AXIS> (p.label, z, MIDDLE ? s.at : y, MIDDLE ? x : s.at, away) : 0;
  if (MIDDLE)
    p.next.squares[(z * p.next.inner + y) * p.next.length + x] = found ? s.square : p.far;
}

template <expand_axis AXIS>
__global__ static void
__launch_bounds__ (EXPAND_THREADS) expand_lines_kernel (expand_pass p)
{
  const int64_t warp = (int64_t) blockIdx.x * EXPAND_WARPS + threadIdx.x / 32, lines = p.lines.planes * p.lines.inner;
  const int64_t piece = warp / lines, at = warp - piece * lines, z = at / p.lines.inner;
  if (piece * SITE_PIECE >= p.lines.n)
    return;
  const site_line l = {(const uint4 *) (p.lines.squares + at * p.lines.length), p.lines.n};
  const int32_t first = (int32_t) piece * SITE_PIECE, lane = (int32_t) threadIdx.x & 31;
  const bool near = p.reach <= SITE_NEAR;
  int32_t end = 0;
  const int32_t blocks = near ? 0 : find_site_blocks (l, first, &end);
  for (int32_t from = 0; from < SITE_PIECE && first + from < l.n; from += 32) {
    const int32_t group = (from + lane) / SITE_GROUP, i = first + from + lane;
    const int32_t begin = __shfl_sync (~0u, blocks, group), after = __shfl_sync (~0u, blocks, (group + 1) & 31);
    if (i < l.n)
      take_site<AXIS> (p, z, at - z * p.lines.inner, i,
                       near ? find_near_site (l, i, p.reach) : find_site (l, i, begin, group < 31 ? after : end));
  }
}

/* ---- Host ---- */

/* Lines of n pixels in scratch; the last ones have numbers greater than `far`. */
static fv_status
make_lines (const fv_call *call, int64_t planes, int64_t inner, int64_t n, expand_lines *l, fv_error *error)
{
  *l = {NULL, planes, inner, blocks_for (n, SITE_BLOCK) * SITE_BLOCK, (int32_t) n};
  const size_t lines = (size_t) (planes * inner), gap = (size_t) (l->length - n) * sizeof *l->squares;
  fv_status status = cuda_scratch (call, lines * (size_t) l->length, &l->squares, error);
  if (!status && gap)
    status = cuda_status (
      cudaMemset2DAsync (l->squares + n, (size_t) l->length * sizeof *l->squares, 0x7f, gap, lines, cuda_stream (call)),
      "Expanding objects", error);
  return status;
}

static int32_t
reach_of (uint32_t far)
{
  return (int32_t) sqrt ((double) far);
}

template <expand_axis AXIS>
static fv_status
pass_lines (const fv_call *call, const expand_pass &p, fv_error *error)
{
  const int64_t warps = p.lines.planes * p.lines.inner * blocks_for (p.lines.n, SITE_PIECE);
  expand_lines_kernel<AXIS><<<(unsigned) blocks_for (warps, EXPAND_WARPS), EXPAND_THREADS, 0, cuda_stream (call)>>> (p);
  return cuda_status (cudaGetLastError (), "Expanding objects", error);
}

static fv_status
expand_planes (const fv_call *call, uint32_t far, fv_error *error)
{
  expand_map m;
  expand_pass p = {
    {}, {}, view_of<const int32_t> (call->inputs[0]), view_of<int32_t> (call->outputs[0]), far, reach_of (far)};
  fv_status status = map_columns (call, p.label, &m, error);
  if (!status)
    status = make_lines (call, m.in.planes, m.in.rows, m.in.columns, &p.lines, error);
  if (status)
    return status;
  expand_squares_kernel<<<(unsigned) (m.in.planes * m.in.rows * m.across), EXPAND_THREADS, 0, cuda_stream (call)>>> (
    m, p.lines.squares, p.lines.length, far);
  return pass_lines<EXPAND_LAST_OF_TWO> (call, p, error);
}

static fv_status
expand_volume (const fv_call *call, uint32_t far, fv_error *error)
{
  expand_map m;
  expand_pass p = {{}, {}, view_of<const int32_t> (call->inputs[0]), {}, far, reach_of (far)};
  const view<const int32_t> &in = p.label,
                            turned = {in.data, in.rows, in.planes, in.columns, in.row_stride, in.plane_stride};
  int32_t *label = NULL;
  fv_status status = map_columns (call, turned, &m, error);
  if (!status)
    status = make_lines (call, in.planes, in.columns, in.rows, &p.lines, error);
  if (!status)
    status = make_lines (call, in.planes, in.rows, in.columns, &p.next, error);
  if (!status)
    status = cuda_scratch (call, (size_t) (in.planes * in.rows * in.columns), &label, error);
  if (status)
    return status;
  const dim3 tiles = grid_of_rows (in.planes, blocks_for (in.rows, EXPAND_TILE), blocks_for (in.columns, EXPAND_TILE));
  expand_turn_kernel<<<tiles, EXPAND_THREADS, 0, cuda_stream (call)>>> (m, p.lines.squares, p.lines.length, far);
  p.out = {label, in.planes, in.rows, in.columns, in.rows * in.columns, in.columns};
  if ((status = pass_lines<EXPAND_MIDDLE_OF_THREE> (call, p, error)))
    return status;
  p.label = {label, in.planes, in.rows, in.columns, in.rows * in.columns, in.columns};
  p.lines = p.next;
  p.out = view_of<int32_t> (call->outputs[0]);
  return pass_lines<EXPAND_LAST_OF_THREE> (call, p, error);
}

extern "C" fv_status
expand_cuda (const fv_call *call, fv_error *error)
{
  const expand_args *args = (const expand_args *) call->args;
  const uint32_t far = (uint32_t) expand_reach (args) + 1;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return args->volume ? expand_volume (call, far, error) : expand_planes (call, far, error);
}
