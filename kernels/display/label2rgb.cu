/* SPDX-License-Identifier: MIT
 *
 * label2rgb on the GPU, byte for byte what label2rgb.c makes. Dense labels, or the palette `distinct`: one kernel, which reads the labels (and the
 * image) once and writes three bytes a pixel. Other labels with the palette `classic` need their ranks modulo 10. The kernel mark reads the labels
 * from the end, so that their beginning is in the cache when they are drawn, and its last block finds the ranks. It has a bit for each label up to
 * the largest, at most 2^31. That is 256 MiB, and 32 MiB for the ranks; only the part up to the largest label is touched. Where there are labels from
 * NEAR on, rank_far reads the labels once more, for these, and finds all ranks; else it has nothing to do.
 */
#include "kernels/common/blocks.cuh"
#include "kernels/common/histogram.cuh"
#include "kernels/display/label2rgb.h"

enum { THREADS = 256, WARPS = THREADS / 32, DEEP = 4, PIECE = 32 * 4 * DEEP, MARK_BLOCKS = 6, FAR_BLOCKS = 256 };
enum { SEEN = 4096, NEAR = 32 * SEEN }; /* words of bits in shared memory, and their labels */

/* ---- Which labels occur ---- */

template <typename L> struct ranking {
  int *largest;      /* label */
  unsigned *arrived; /* blocks: of mark, of rank_far */
  uint64_t *bits;    /* [words of the largest label]; the first SEEN / 2 of them are cleared beforehand */
  uint8_t *before;   /* how many labels there are before a word, modulo 10 */
  uint32_t *sums;    /* [FAR_BLOCKS]: labels of each block's words */
};

/* The number of words of bits. */
template <typename L>
__device__ __forceinline__ int64_t
words_of (const ranking<L> &r)
{
  return (sizeof (L) == 1 ? 255 : sizeof (L) == 2 ? 65535 : *r.largest) / 64 + 1;
}

/* Ranks of words from `first` on, before which there are `start` labels; by a block of 256, with three barriers for each 256 words. */
template <typename L>
__device__ static void
rank_words (const ranking<L> &r, int64_t first, int64_t end, uint32_t start)
{
  __shared__ uint32_t shared[2][WARPS];
  int lane = (int) threadIdx.x & 31, warp = (int) threadIdx.x / 32, turn = 0;
  for (int64_t base = first; base < end; base += THREADS, turn ^= 1) {
    int64_t i = base + threadIdx.x;
    uint32_t n = i < end ? (uint32_t) __popcll (__ldcg ((const unsigned long long *) r.bits + i)) : 0, up = n;
    for (int d = 1; d < 32; d *= 2) {
      uint32_t other = __shfl_up_sync (~0u, up, d);
      up += lane >= d ? other : 0;
    }
    if (lane == 31)
      shared[turn][warp] = up;
    __syncthreads ();
    uint32_t before = start + up - n;
    for (int w = 0; w < WARPS; w++) {
      before += w < warp ? shared[turn][w] : 0;
      start += shared[turn][w];
    }
    if (i < end)
      r.before[i] = (uint8_t) (before % 10);
  }
}

/* The sum of what the threads of a block have, for all of them. */
__device__ static uint32_t
sum_of_block (uint32_t n)
{
  __shared__ uint32_t shared[32];
  return join_block (n, shared, [] (uint32_t a, uint32_t b) { return a + b; });
}

/* Any number of blocks of 256; reads each label once. One below NEAR that differs from the one before it sets its bit in shared memory, from
 * where each block adds its bits to all. */
template <typename L>
__global__ void
__launch_bounds__ (THREADS) mark_kernel (lines<L> l, ranking<L> r)
{
  __shared__ unsigned seen[SEEN];
  __shared__ int most[WARPS];
  __shared__ bool last_block;
  constexpr int size = piece_pixels<L, DEEP>;
  int64_t pieces = l.count * ((l.columns + size - 1) / size);
  L last = 0, largest = 0;
  for (int i = (int) threadIdx.x; i < SEEN; i += THREADS)
    seen[i] = 0;
  __syncthreads ();
  for (int64_t s = (int64_t) blockIdx.x * WARPS + threadIdx.x / 32; s < pieces; s += (int64_t) gridDim.x * WARPS)
    each_pixel<DEEP> (l, 0, pieces - 1 - s, [&] (L v) {
      if (v == last || !(v > 0))
        return;
      last = v;
      largest = max (largest, v);
      const unsigned bit = 1u << (v & 31);
      if ((sizeof (L) < 4 || v < NEAR) && !(*(volatile unsigned *) &seen[v >> 5] & bit))
        atomicOr (&seen[v >> 5], bit);
    });
  const int of_warp = __reduce_max_sync (~0u, (int) largest);
  if ((threadIdx.x & 31) == 0)
    most[threadIdx.x / 32] = of_warp;
  __syncthreads ();
  const int of_block = __reduce_max_sync (~0u, most[threadIdx.x & (WARPS - 1)]);
  unsigned *bits = (unsigned *) r.bits;
  for (int i = (int) threadIdx.x; i < SEEN && i <= of_block / 32; i += THREADS)
    if (seen[i] & ~*(volatile unsigned *) &bits[i])
      atomicOr (&bits[i], seen[i]);
  if (threadIdx.x == 0)
    atomicMax (r.largest, of_block);
  __threadfence ();
  __syncthreads ();
  if (threadIdx.x == 0)
    last_block = atomicAdd (r.arrived, 1u) == gridDim.x - 1;
  __syncthreads ();
  if (!last_block)
    return;
  __threadfence ();
  if (__ldcg (r.largest) < NEAR)
    rank_words (r, 0, words_of (r), 0);
}

/* As many blocks of 256 as are resident at a time; reads each label once, when there is one from NEAR on. Three times they all wait for each other. */
__global__ static void
__launch_bounds__ (THREADS) rank_far_kernel (lines<int32_t> l, ranking<int32_t> r)
{
  constexpr int size = piece_pixels<int32_t, DEEP>;
  const int64_t pieces = l.count * ((l.columns + size - 1) / size), words = words_of (r);
  const int64_t each = (words + gridDim.x - 1) / gridDim.x, first = blockIdx.x * each,
                end = first + each < words ? first + each : words;
  unsigned *bits = (unsigned *) r.bits, turn = 0;
  int32_t last = 0;
  uint32_t n = 0;
  if (*r.largest < NEAR)
    return;
  for (int64_t i = NEAR / 64 + (int64_t) blockIdx.x * THREADS + threadIdx.x; i < words;
       i += (int64_t) gridDim.x * THREADS)
    r.bits[i] = 0;
  group_barrier (r.arrived + 1, (int) gridDim.x, &turn);
  for (int64_t s = (int64_t) blockIdx.x * WARPS + threadIdx.x / 32; s < pieces; s += (int64_t) gridDim.x * WARPS)
    each_pixel<DEEP> (l, 0, pieces - 1 - s, [&] (int32_t v) {
      if (v == last || v < NEAR)
        return;
      last = v;
      const unsigned bit = 1u << (v & 31);
      if (!(*(volatile unsigned *) &bits[v >> 5] & bit))
        atomicOr (&bits[v >> 5], bit);
    });
  group_barrier (r.arrived + 1, (int) gridDim.x, &turn);
  for (int64_t i = first + threadIdx.x; i < end; i += THREADS)
    n += (uint32_t) __popcll (__ldcg ((const unsigned long long *) r.bits + i));
  n = sum_of_block (n);
  if (threadIdx.x == 0)
    r.sums[blockIdx.x] = n;
  group_barrier (r.arrived + 1, (int) gridDim.x, &turn);
  rank_words (r, first, end, sum_of_block (threadIdx.x < blockIdx.x ? __ldcg (r.sums + threadIdx.x) : 0));
}

/* ---- The image below ---- */

struct scaling {
  double low, scale; /* to 0 ... 255 */
};

/* One block of 256; 8 or 16 bytes read for each part of the range. */
template <typename T>
__global__ void
__launch_bounds__ (THREADS)
  scaling_kernel (const extent<T> *extents, int parts, double least_most, bool range, scaling *result)
{
  __shared__ extent<T> shared[32];
  double least, most, low = 0, high = least_most;
  range_join (extents, parts, shared, &least, &most);
  if (least < most && (range || least < 0 || most > 1))
    low = least, high = most;
  if (threadIdx.x == 0)
    *result = {low, __ddiv_rn (255, __dsub_rn (high, low))};
}

/* ---- Drawing ---- */

/* Strides in elements, the output's in bytes. */
template <typename L, typename T> struct drawing {
  const L *labels;
  const T *image; /* NULL: none */
  uint8_t *out;
  int64_t depth, rows, columns;
  int64_t labels_plane, labels_row, image_channel, image_plane, image_row, out_channel, out_plane, out_row;
  bool aligned; /* four pixels can be read and written together */
  bool color;   /* the image has three channels */
  int mode, palette, boundary;
  float alpha;
  bool keep; /* only what has a label is blended */
  const scaling *scale;
  scaling fixed; /* when `scale` is NULL */
  const uint64_t *bits;
  const uint8_t *before; /* NULL: all labels occur */
  uint32_t classic[11];  /* the first is the background's */
};

template <int N, typename V>
__device__ __forceinline__ void
load_values (const V *from, V to[N])
{
  struct __align__ (N * sizeof (V) > 16 ? 16 : N * sizeof (V)) group
  {
    V v[N];
  };
  if constexpr (N > 1) {
    group g = *(const group *) from;
#pragma unroll
    for (int i = 0; i < N; i++)
      to[i] = g.v[i];
  } else
    to[0] = from[0];
}

template <int N, typename L, typename T>
__device__ __forceinline__ void
load_labels (const drawing<L, T> &d, int64_t z, int64_t y, int64_t x, L out[N])
{
  load_values<N> (d.labels + z * d.labels_plane + y * d.labels_row + x, out);
}

/* The labels of the outlines at N pixels from x on, 0 elsewhere; those below 0 count as 0. */
template <int N, typename L, typename T>
__device__ __forceinline__ void
load_outlines (const drawing<L, T> &d, int64_t z, int64_t y, int64_t x, L out[N])
{
  L around[3][N + 2], v[N];
  int64_t left = x ? x - 1 : 0, right = x + N < d.columns ? x + N : d.columns - 1;
#pragma unroll
  for (int k = 0; k < 3; k++) {
    int64_t at = y + k - 1;
    at = at < 0 ? 0 : at < d.rows ? at : d.rows - 1;
    const L *row = d.labels + z * d.labels_plane + at * d.labels_row;
    load_values<N> (row + x, v);
    L a = row[left], b = row[right];
    around[k][0] = a > 0 ? a : 0;
    around[k][N + 1] = b > 0 ? b : 0;
#pragma unroll
    for (int i = 0; i < N; i++)
      around[k][i + 1] = v[i] > 0 ? v[i] : 0;
  }
#pragma unroll
  for (int i = 1; i <= N; i++) {
    L c = around[1][i], up = around[0][i], down = around[2][i], west = around[1][i - 1], east = around[1][i + 1];
    L most = max (max (up, down), max (west, east));
    bool edge = c != up || c != down || c != west || c != east;
    if (d.boundary == LABEL2RGB_INNER)
      most = 0;
    if (d.boundary == LABEL2RGB_OUTER) {
      bool other = false;
#pragma unroll
      for (int k = 0; k < 9; k++) {
        L n = around[k / 3][i - 1 + k % 3];
        other = other || (n > 0 && n != c);
      }
      edge = edge && (c == 0 || other);
    }
    out[i - 1] = !edge ? 0 : c ? c : most;
  }
}

template <typename L, typename T>
__device__ __forceinline__ uint32_t
color_of (const drawing<L, T> &d, int32_t label, const uint32_t *colors)
{
  if (d.palette == LABEL2RGB_DISTINCT)
    return label > 0 ? label2rgb_distinct (label) : 0;
  uint32_t rank = (uint32_t) label - 1;
  if (d.before) {
    if (label <= 0)
      return 0;
    uint64_t word = d.bits[label >> 6];
    rank = d.before[label >> 6] + (uint32_t) __popcll (word & ((1ull << (label & 63)) - 1));
  }
  return colors[label > 0 ? rank % 10 + 1 : 0];
}

/* 0 ... 255; NaN is 0. */
template <typename T>
__device__ __forceinline__ float
gray_of (T v, scaling s)
{
  float g = (float) __dmul_rn (__dsub_rn ((double) v, s.low), s.scale);
  g = g > 0 ? g : 0;
  return g < 255 ? g : 255;
}

/* N pixels of one row in the colors of their labels. */
template <int N, bool UNDER, bool OUTLINES, typename L, typename T>
__device__ __forceinline__ void
draw_pixels (const drawing<L, T> &d, int64_t z, int64_t y, int64_t x, const L labels[N], const uint32_t *colors,
             scaling s)
{
  uint32_t color[N];
#pragma unroll
  for (int i = 0; i < N; i++)
    if (i && labels[i] == labels[i - 1] && (d.before || d.palette == LABEL2RGB_DISTINCT))
      color[i] = color[i - 1];
    else
      color[i] = color_of (d, (int32_t) labels[i], colors);
  uint8_t *out = d.out + z * d.out_plane + y * d.out_row + x;
  const T *image = UNDER ? d.image + z * d.image_plane + y * d.image_row + x : NULL;
  float gray[N];
  T v[N];
  if constexpr (UNDER) {
#pragma unroll
    for (int c = 0; c < (OUTLINES ? 1 : 3); c++)
      if (c == 0 || d.color) {
        load_values<N> (image + c * d.image_channel, v);
#pragma unroll
        for (int i = 0; i < N; i++) {
          float g = gray_of (v[i], s);
          gray[i] = c && gray[i] >= g ? gray[i] : g;
        }
      }
  }
#pragma unroll
  for (int c = 0; c < 3; c++) {
    if (UNDER && OUTLINES && c && d.color) {
      load_values<N> (image + c * d.image_channel, v);
#pragma unroll
      for (int i = 0; i < N; i++)
        gray[i] = gray_of (v[i], s);
    }
    uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
      uint32_t byte = color[i] >> 8 * c & 255;
      if constexpr (UNDER) {
        float a = labels[i] <= 0 && d.keep ? 0 : d.alpha;
        float sum = __fadd_rn (__fmul_rn ((float) byte, a), __fmul_rn (gray[i], __fsub_rn (1, a)));
        byte = (uint32_t) (int32_t) __fadd_rn (sum, 0.5f) & 255;
      }
      word |= byte << 8 * i;
    }
    if constexpr (N == 4)
      *(uint32_t *) (out + c * d.out_channel) = word;
    else
      out[c * d.out_channel] = (uint8_t) word;
  }
}

/* Any number of blocks of 256; a warp draws 512 pixels of a row at a time, a lane 4 times 4 that follow each other, the labels of all
 * read first. Reads each label (outlines: from three rows, mostly cached) and image pixel once, writes 3 bytes. One barrier. */
template <typename L, typename T, bool UNDER, bool OUTLINES>
__global__ void
__launch_bounds__ (THREADS) draw_kernel (const __grid_constant__ drawing<L, T> d)
{
  __shared__ uint32_t colors[11];
  if (threadIdx.x < 11)
    colors[threadIdx.x] = d.classic[threadIdx.x];
  __syncthreads ();
  scaling s = {};
  if (UNDER)
    s = d.scale ? *d.scale : d.fixed;
  int64_t across = (d.columns + PIECE - 1) / PIECE, lines = d.depth * d.rows, pieces = lines * across;
  int lane = (int) threadIdx.x & 31;
#pragma unroll 1
  for (int64_t p = (int64_t) blockIdx.x * WARPS + threadIdx.x / 32; p < pieces; p += (int64_t) gridDim.x * WARPS) {
    int64_t line = 0, z = 0;
    if (lines > 1) {
      line = (p | across) >> 31 ? p / across : (int64_t) ((uint32_t) p / (uint32_t) across);
      if (d.depth > 1)
        z = (line | d.rows) >> 31 ? line / d.rows : (int64_t) ((uint32_t) line / (uint32_t) d.rows);
    }
    int64_t y = line - z * d.rows, x = (p - line * across) * PIECE;
    if (d.aligned && x + PIECE <= d.columns) {
      L labels[DEEP][4];
#pragma unroll
      for (int k = 0; k < DEEP; k++)
        if constexpr (OUTLINES)
          load_outlines<4> (d, z, y, x + (k * 32 + lane) * 4, labels[k]);
        else
          load_labels<4> (d, z, y, x + (k * 32 + lane) * 4, labels[k]);
#pragma unroll
      for (int k = 0; k < DEEP; k++)
        draw_pixels<4, UNDER, OUTLINES> (d, z, y, x + (k * 32 + lane) * 4, labels[k], colors, s);
    } else
#pragma unroll 1
      for (int64_t at = x + lane; at < d.columns && at < x + PIECE; at += 32) {
        L label[1];
        if constexpr (OUTLINES)
          load_outlines<1> (d, z, y, at, label);
        else
          load_labels<1> (d, z, y, at, label);
        draw_pixels<1, UNDER, OUTLINES> (d, z, y, at, label, colors, s);
      }
  }
}

/* ---- The host's side ---- */

template <typename L>
static fv_status
make_ranks (const fv_call *call, ranking<L> *r, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  cudaStream_t stream = cuda_stream (call);
  lines<L> l = lines_of<L> (in, 0, 1, array_planes (in));
  int64_t words = sizeof (L) == 1 ? 4 : sizeof (L) == 2 ? 1024 : (int64_t) 1 << 25;
  char *memory;
  const size_t first = 256 + SEEN * sizeof (unsigned); /* bytes to be cleared */
  words = words > SEEN / 2 ? words : SEEN / 2;
  fv_status status = cuda_scratch (call, first + (size_t) words * 9 + FAR_BLOCKS * sizeof (uint32_t), &memory, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (memory, 0, first, stream), "Clearing", error);
  if (status)
    return status;
  r->largest = (int *) memory;
  r->arrived = (unsigned *) memory + 1;
  r->bits = (uint64_t *) (memory + 256);
  r->sums = (uint32_t *) (r->bits + words);
  r->before = (uint8_t *) (r->sums + FAR_BLOCKS);
  const int64_t blocks = blocks_for (pieces_of<L, DEEP> (l), WARPS), most = MARK_BLOCKS * multiprocessors ();
  mark_kernel<L><<<(unsigned) (blocks < most ? blocks : most), THREADS, 0, stream>>> (l, *r);
  cudaError_t code = cudaGetLastError ();
  if constexpr (sizeof (L) == 4) {
    void *args[] = {&l, r};
    const int many = multiprocessors () < FAR_BLOCKS ? multiprocessors () : FAR_BLOCKS;
    if (!code)
      code = cudaLaunchCooperativeKernel ((const void *) rank_far_kernel, dim3 ((unsigned) many), dim3 (THREADS), args,
                                          0, stream);
  }
  return cuda_status (code, "Ranking the labels", error);
}

/* The gray values of the image below. */
template <typename T>
static fv_status
make_scaling (const fv_call *call, scaling *fixed, const scaling **scale, fv_error *error)
{
  const label2rgb_args *a = (const label2rgb_args *) call->args;
  const fv_array *image = call->inputs[1];
  const bool floats = std::is_floating_point<T>::value;
  double high = floats ? 1 : sizeof (T) == 1 ? 255 : sizeof (T) == 2 ? 65535 : 2147483647.0;
  *fixed = {0, 255 / high};
  *scale = NULL;
  if (a->contrast != LABEL2RGB_RANGE && !floats)
    return FV_OK;
  lines<T> l = lines_of<T> (image, 0, 1, array_planes (image));
  int parts = range_parts (l);
  char *memory;
  fv_status status = cuda_scratch (call, 256 + (size_t) parts * sizeof (extent<T>), &memory, error);
  if (status)
    return status;
  extent<T> *extents = (extent<T> *) (memory + 256);
  range_kernel<T><<<(unsigned) parts, RANGE_THREADS, 0, cuda_stream (call)>>> (l, parts, extents, NULL, 0);
  scaling_kernel<T>
    <<<1, THREADS, 0, cuda_stream (call)>>> (extents, parts, high, a->contrast == LABEL2RGB_RANGE, (scaling *) memory);
  *scale = (const scaling *) memory;
  return cuda_status (cudaGetLastError (), "Finding the image's range", error);
}

/* Rows and planes that follow each other in all arrays are joined; outlines need them. */
template <typename L, typename T>
static void
join_lines (drawing<L, T> *d)
{
  bool rows = d->labels_row == d->columns && d->out_row == d->columns && (!d->image || d->image_row == d->columns);
  if (d->mode == LABEL2RGB_OUTLINES || !rows)
    return;
  d->columns *= d->rows;
  d->rows = 1;
  if (d->labels_plane == d->columns && d->out_plane == d->columns && (!d->image || d->image_plane == d->columns)) {
    d->columns *= d->depth;
    d->depth = 1;
  }
}

/* Whether groups of four start at multiples of their size wherever there is a stride that counts. */
template <typename V>
static bool
fours (const V *data, int64_t row, int64_t plane, int64_t channel)
{
  const size_t size = 4 * sizeof (V) > 16 ? 16 : 4 * sizeof (V), each = size / sizeof (V);
  return (uintptr_t) data % size == 0 && row % (int64_t) each == 0 && plane % (int64_t) each == 0
         && channel % (int64_t) each == 0;
}

template <typename L, typename T, bool UNDER, bool OUTLINES>
static void
launch_draw (const fv_call *call, drawing<L, T> d)
{
  join_lines (&d);
  bool one = d.rows == 1, flat = one && d.depth == 1;
  d.aligned =
    fours (d.labels, one ? 0 : d.labels_row, flat ? 0 : d.labels_plane, 0)
    && fours (d.out, one ? 0 : d.out_row, flat ? 0 : d.out_plane, d.out_channel)
    && (!UNDER || fours (d.image, one ? 0 : d.image_row, flat ? 0 : d.image_plane, d.color ? d.image_channel : 0));
  int64_t blocks = blocks_for (d.depth * d.rows * blocks_for (d.columns, PIECE), WARPS), most = 16 * multiprocessors ();
  draw_kernel<L, T, UNDER, OUTLINES>
    <<<(unsigned) (blocks < most ? blocks : most), THREADS, 0, cuda_stream (call)>>> (d);
}

/* A single plane in as many parts as the host likes; the outlines of one part would need its neighbors. */
template <typename L, typename T, bool UNDER, bool OUTLINES>
static fv_status
draw_rows (const fv_call *call, const drawing<L, T> &d, fv_error *error)
{
  fv_status status;
  int64_t end = 0, next;
  while (!(status = call->host->rows_out (call, 0, end, &next, error)) && end < d.rows) {
    drawing<L, T> part = d;
    if (OUTLINES || d.depth > 1)
      next = d.rows;
    part.labels += end * d.labels_row;
    part.image += UNDER ? end * d.image_row : 0;
    part.out += end * d.out_row;
    part.rows = next - end;
    launch_draw<L, T, UNDER, OUTLINES> (call, part);
    if (cuda_status (cudaGetLastError (), "Drawing the labels", error))
      return error->code;
    end = next;
  }
  return status;
}

template <typename L, typename T, bool UNDER, bool OUTLINES>
static fv_status
draw (const fv_call *call, fv_error *error)
{
  const label2rgb_args *a = (const label2rgb_args *) call->args;
  const fv_array *in = call->inputs[0], *image = call->inputs[1];
  view<L> labels = view_of<L> (in);
  view<uint8_t> out = view_of<uint8_t> (call->outputs[0]);
  drawing<L, T> d = {};
  ranking<L> r = {};
  fv_status status = FV_OK;
  memcpy (d.classic + 1, label2rgb_classic, sizeof label2rgb_classic);
  d.labels = labels.data;
  d.out = out.data;
  d.depth = labels.planes;
  d.rows = labels.rows;
  d.columns = labels.columns;
  d.labels_plane = labels.plane_stride;
  d.labels_row = labels.row_stride;
  d.out_plane = out.plane_stride;
  d.out_row = out.row_stride;
  d.out_channel = out.plane_stride * labels.planes;
  d.mode = a->mode;
  d.palette = a->palette;
  d.boundary = a->boundary;
  d.alpha = a->mode == LABEL2RGB_OUTLINES ? 1 : (float) a->alpha;
  d.keep = a->mode == LABEL2RGB_OUTLINES || a->background == LABEL2RGB_IMAGE;
  if (UNDER) {
    view<T> v = view_of<T> (image);
    d.image = v.data;
    d.image_plane = v.plane_stride;
    d.image_row = v.row_stride;
    d.image_channel = v.plane_stride * labels.planes;
    d.color = image->grid->channels == 3;
    status = make_scaling<T> (call, &d.fixed, &d.scale, error);
  }
  if (!status && a->palette == LABEL2RGB_CLASSIC && !in->grid->dense) {
    status = make_ranks (call, &r, error);
    d.bits = r.bits;
    d.before = r.before;
  }
  if (status)
    return status;
  if (call->host->tick (call, 1, 2))
    return cancelled (error);
  return draw_rows<L, T, UNDER, OUTLINES> (call, d, error);
}

template <typename L>
static fv_status
draw_labels (const fv_call *call, fv_error *error)
{
  const label2rgb_args *a = (const label2rgb_args *) call->args;
  const fv_array *image = a->mode == LABEL2RGB_PLAIN ? NULL : call->inputs[1];
  const bool outlines = a->mode == LABEL2RGB_OUTLINES;
  if (!image)
    return outlines ? draw<L, uint8_t, false, true> (call, error) : draw<L, uint8_t, false, false> (call, error);
  return with_type (image->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    return outlines ? draw<L, T, true, true> (call, error) : draw<L, T, true, false> (call, error);
  });
}

fv_status
label2rgb_cuda (const fv_call *call, fv_error *error)
{
  switch (call->inputs[0]->grid->type) {
  case FV_U8: return draw_labels<uint8_t> (call, error);
  case FV_U16: return draw_labels<uint16_t> (call, error);
  default: return draw_labels<int32_t> (call, error);
  }
}
