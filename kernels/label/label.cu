/* SPDX-License-Identifier: MIT
 *
 * label on the GPU. Tiles of 64 rows of 64 pixels become bits and runs; a union-find over a tile's runs in shared memory gives each of its components
 * a root, the first run of it. Roots of different tiles that touch are joined in a forest whose nodes are indices of pixels: the smallest of a set,
 * its root, is the object's first pixel. A bit marks each root; the number of bits before it is its label. A row of a tile is 64 rows of a plane or,
 * in a volume, some rows of some planes. The forest is in the output, where only first pixels of components of tiles are touched. It is in scratch
 * when its indices need 64 bits. Other scratch: 1.3 bytes a pixel. Where there can be more objects than labels, they are counted before labels are
 * written, and read back.
 *
 * Kernels in order, with bytes a pixel. Above each is what else it touches, and its barriers.
 * - tile_kernel, tile.cuh: 128 threads a tile; reads the pixels, writes 1/8 to 3/8.
 * - seam_kernel, seam.cuh: a warp for some sides; reads the bits there.
 * - roots_kernel, roots.cuh: 256 threads, 1 or 4 words each; reads 1/8, writes up to 3/16. Sums pass from block to block.
 * - measure_kernel, paint.cuh: 256 threads a tile; reads 1/4. Where objects are dropped, roots_kernel follows once more.
 * - count_kernel, below: 256 threads, grid-stride; reads 1/8, where objects are counted.
 * - paint_kernel, paint.cuh: 256 threads a tile; reads 1/4, writes 4.
 */
#include "kernels/label/label.h"
#include "kernels/label/paint.cuh"
#include "kernels/label/roots.cuh"
#include "kernels/label/seam.cuh"
#include "kernels/label/tile.cuh"

static const int64_t narrow_indices = (int64_t) 1 << 32;

static label_tiles
label_tiles_of (const fv_call *call)
{
  static const int before[][2] = {{0, -1}, {-1, 1}, {-1, 0}, {-1, -1}};
  const label_args *a = (const label_args *) call->args;
  const fv_array *in = call->inputs[0];
  label_tiles s = {};
  s.planes = (uint32_t) array_planes (in);
  s.rows = (uint32_t) array_rows (in);
  s.columns = (uint32_t) array_columns (in);
  s.volume = a->volume;
  s.equal = a->values == LABEL_EQUAL;
  s.border = a->exclude_border;
  s.row_shift = !s.volume || s.planes == 1 ? 6 : s.planes < 4 ? 5 : s.planes < 8 ? 4 : 3;
  s.lines = s.row_shift == 6 && s.rows < LABEL_SIDE ? (int) s.rows : LABEL_SIDE;
  int width = s.columns < LABEL_SIDE ? (int) s.columns : LABEL_SIDE;
  s.room = s.lines * (s.equal ? width : (width + 1) / 2);
  s.across = (uint32_t) blocks_for (s.columns, LABEL_SIDE);
  s.down = (uint32_t) blocks_for (s.rows, 1 << s.row_shift);
  s.tiles = s.across * s.down * (uint32_t) blocks_for (s.planes, LABEL_SIDE >> s.row_shift);
  s.words = s.planes * s.rows * s.across;
  s.least = a->min_size > 1 ? (uint32_t) a->min_size : 1;
  s.most = a->max_size > 0 ? (uint32_t) a->max_size : 0;
  s.long_sizes = (int64_t) (s.volume ? s.planes : 1) * s.rows * s.columns > UINT32_MAX;
  for (int i = 0; i < 4; i++) {
    int reach = label_reach (a, before[i][0], before[i][1]);
    if (reach < 0 || (before[i][0] && s.planes == 1))
      continue;
    s.dz[s.neighbors] = (int8_t) before[i][0];
    s.dy[s.neighbors] = (int8_t) before[i][1];
    s.reach[s.neighbors++] = (int8_t) reach;
  }
  return s;
}

static char *
take (char **memory, size_t bytes)
{
  char *p = *memory;
  *memory += (bytes + 255) / 256 * 256;
  return p;
}

/* Lays out the arrays of the tiles, and a forest of its own where `link_bytes`, from `memory` on. Returns what is behind them. */
static char *
lay_out_arrays (label_tiles *s, char *memory, bool sized, size_t link_bytes, void **link)
{
  size_t lines = (size_t) s->tiles * s->lines, words = s->words;
  s->on = (bits64 *) take (&memory, lines * 8);
  s->start = s->equal ? (bits64 *) take (&memory, lines * 8) : NULL;
  s->before = (uint16_t *) take (&memory, lines * 2);
  s->root = (uint16_t *) take (&memory, (size_t) s->tiles * s->room * 2);
  s->roots = (bits64 *) take (&memory, words * 8);
  s->rank = (uint32_t *) take (&memory, (words + 1) * 4);
  s->state = (bits64 *) take (&memory, (words / LABEL_THREADS + 2) * 8);
  s->sizes = sized ? take (&memory, words * (s->equal ? 64 : 32) * (s->long_sizes ? 8 : 4)) : NULL;
  if (link_bytes)
    *link = take (&memory, link_bytes);
  return memory;
}

/* After each part of five. */
static fv_status
part_done (const fv_call *call, int part, fv_error *error)
{
  fv_status status = cuda_status (cudaGetLastError (), "Labeling", error);
  return status ? status : call->host->tick (call, part, 5) ? cancelled (error) : FV_OK;
}

/* Bits, runs, and the roots of tiles joined. */
template <typename K, bool EQUAL>
static fv_status
join_runs (const fv_call *call, const label_tiles &s, K *link, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  cudaStream_t stream = cuda_stream (call);
  int64_t bytes = (int64_t) type_bytes (in->grid->type);
  raw pixels = {(const char *) in->tensor.data, in->tensor.strides[0] * bytes, in->tensor.strides[1] * bytes,
                (int) bytes};
  seams list = seams_of (s);
  unsigned seam_blocks = (unsigned) blocks_for (seam_warps (s, list), LABEL_THREADS / 32);

  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    tile_kernel<T, EQUAL>
      <<<s.tiles, LABEL_TILE_THREADS, 0, stream>>> (view_of<const T> (in), s, link, rows_aligned (in, 16));
  });
  fv_status status = part_done (call, 1, error);
  if (status)
    return status;
  seam_kernel<<<seam_blocks, LABEL_THREADS, 0, stream>>> (pixels, s, list, link);
  return part_done (call, 2, error);
}

/* ---- Too many objects ---- */

/* Grid-stride over the words of roots, 8 bytes each; a sum of a warp's words of one group goes to that group's count. No barrier. */
__global__ void
__launch_bounds__ (LABEL_THREADS) count_kernel (label_tiles s, uint32_t group_words, bits64 *counts)
{
  uint32_t lane = threadIdx.x % 32;
  for (int64_t first = (int64_t) blockIdx.x * LABEL_THREADS + threadIdx.x - lane; first < s.words;
       first += (int64_t) gridDim.x * LABEL_THREADS) {
    int64_t word = first + lane;
    uint32_t group = word < s.words ? (uint32_t) word / group_words : 0;
    uint32_t n = word < s.words ? (uint32_t) __popcll (s.roots[word]) : 0;
    if (__all_sync (~0u, group == (uint32_t) first / group_words || word >= s.words)) {
      n = __reduce_add_sync (~0u, n);
      if (lane == 0 && n)
        atomicAdd (counts + (uint32_t) first / group_words, (bits64) n);
    } else if (n)
      atomicAdd (counts + group, (bits64) n);
  }
}

/* Pixels that could each be the first of an object: all, or every second one. */
static int64_t
possible_objects (const label_tiles &s)
{
  int64_t pixels = (int64_t) (s.volume ? s.planes : 1) * s.rows * s.columns;
  return s.equal ? pixels : (pixels + 1) / 2;
}

/* Counts the objects of each plane, or of the volume. */
static fv_status
check_count (const fv_call *call, const label_tiles &s, fv_error *error)
{
  const int64_t at_once = 512;
  const label_args *a = (const label_args *) call->args;
  int64_t groups = s.volume ? 1 : s.planes, blocks = blocks_for (s.words, LABEL_THREADS);
  bits64 *counts, some[at_once];
  fv_status status = cuda_scratch (call, (size_t) groups, &counts, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (counts, 0, (size_t) groups * sizeof *counts, cuda_stream (call)), "Counting",
                          error);
  if (status)
    return status;
  count_kernel<<<(unsigned) (blocks < 4096 ? blocks : 4096), LABEL_THREADS, 0, cuda_stream (call)>>> (
    s, s.volume ? s.words : s.rows * s.across, counts);
  status = cuda_status (cudaGetLastError (), "Counting", error);
  for (int64_t first = 0; first < groups && !status; first += at_once) {
    int64_t n = groups - first < at_once ? groups - first : at_once;
    status = call->host->read (call, some, counts + first, (size_t) n * sizeof *some, error);
    for (int64_t i = 0; i < n && !status; i++)
      if (some[i] > (bits64) label_most (a))
        status = label_too_many (a, error);
  }
  return status;
}

/* ---- The whole ---- */

template <typename K, bool EQUAL>
static fv_status
label_with (const fv_call *call, const label_tiles &s, K *link, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  cudaStream_t stream = cuda_stream (call);
  fv_status status = join_runs<K, EQUAL> (call, s, link, error);

  if (status)
    return status;
  if (s.border || s.sizes) {
    launch_roots<FLATTEN> (s, link, stream);
    measure_kernel<K, EQUAL><<<s.tiles, LABEL_THREADS, 0, stream>>> (s, link);
    launch_roots<NUMBER> (s, link, stream);
  } else
    launch_roots<FLATTEN | NUMBER> (s, link, stream);
  if ((status = part_done (call, 3, error)))
    return status;
  if (possible_objects (s) > label_most ((const label_args *) call->args) && (status = check_count (call, s, error)))
    return status;
  paint_kernel<K, EQUAL>
    <<<s.tiles, LABEL_THREADS, 0, stream>>> (s, link, view_of<int32_t> (out), call->scalars, rows_aligned (out, 16));
  return part_done (call, 4, error);
}

fv_status
label_cuda (const fv_call *call, fv_error *error)
{
  const DLTensor *out = &call->outputs[0]->tensor;
  label_tiles s = label_tiles_of (call);
  bool sized = s.least > 1 || s.most > 0;
  int64_t indices =
    (s.volume ? (int64_t) (s.planes - 1) * out->strides[0] : 0) + (s.rows - 1) * out->strides[1] + s.columns;
  bool narrow = indices <= narrow_indices;
  void *link = out->data;
  char *memory;

  s.row_step = narrow && s.rows > 1 ? out->strides[1] : s.columns;
  s.plane_step = narrow ? out->strides[0] : (int64_t) s.rows * s.columns;
  size_t link_bytes = narrow ? 0 : (size_t) s.planes * (size_t) s.plane_step * 8;
  fv_status status =
    cuda_scratch (call, (size_t) (lay_out_arrays (&s, NULL, sized, link_bytes, &link) - (char *) NULL), &memory, error);
  if (status)
    return status;
  link = out->data;
  lay_out_arrays (&s, memory, sized, link_bytes, &link);
  if (s.equal)
    return narrow ? label_with<uint32_t, true> (call, s, (uint32_t *) link, error)
                  : label_with<uint64_t, true> (call, s, (uint64_t *) link, error);
  return narrow ? label_with<uint32_t, false> (call, s, (uint32_t *) link, error)
                : label_with<uint64_t, false> (call, s, (uint64_t *) link, error);
}
