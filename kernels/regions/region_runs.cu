/* SPDX-License-Identifier: MIT
 *
 * The runs of a label image and their order, on the GPU. Two bits a pixel say where runs start and end; their counts,
 * added up, give each run its index; a stable radix sort by (plane, label) brings each object's runs together in
 * raster order. So any labels cost the same, and nothing depends on the order in which threads run.
 *
 * - mark_runs: persistent blocks of 256 threads; a warp takes 256 pixels at a time. Reads the labels once (4 bytes), writes 1/4 byte a pixel.
 * - write_runs: a thread for 32 pixels. Reads 1/4 byte a pixel and the label of each run, writes 28 to 32 a run.
 * - order_runs: a thread a run; 32 bytes read, 20 written, and 4 for each object.
 * - list_large: a thread an object.
 * Between them CUB's scan, radix sort and again scan. Waits for the device twice: for the number of runs, for that of objects.
 */
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "kernels/regions/region_runs.cuh"

enum { WORD = 32, CHUNK = 8 /* words that a warp takes at a time */ };

typedef struct word_grid {
  int64_t words, per_row; /* 32 pixels each; the last of a row may have fewer */
  int64_t chunks;
} word_grid;

/* ---- Where runs start and end ---- */

__device__ static inline void
locate_word (const word_grid &g, int64_t word, int64_t *row, int64_t *k)
{
  if (g.words <= INT32_MAX) {
    *row = (uint32_t) word / (uint32_t) g.per_row;
    *k = (uint32_t) word - (uint32_t) *row * (uint32_t) g.per_row;
  } else {
    *row = word / g.per_row;
    *k = word - *row * g.per_row;
  }
}

template <typename T>
__device__ static inline const T *
row_start (const view<const T> &v, int64_t row)
{
  if (v.planes == 1)
    return v.row (0, row);
  int64_t plane = row <= INT32_MAX ? (uint32_t) row / (uint32_t) v.rows : row / v.rows;
  return v.row (plane, row - plane * v.rows);
}

/* What a lane sees of its warp's chunk: a pixel of each word, and the pixels beside the chunk, 0 beyond the row. */
template <typename T> struct chunk_pixels {
  int32_t v[CHUNK], before, after;
  unsigned row_ends; /* bit u: word u is the last of its row */

  __device__ chunk_pixels (const view<const T> &labels, const word_grid &g, int64_t word, int lane)
      : before (0), after (0), row_ends (0)
  {
    int64_t row, k;
    locate_word (g, word, &row, &k);
    const T *at = row_start (labels, row);
    if (lane == 0 && k > 0)
      before = at[k * WORD - 1];
    if ((k + CHUNK) * WORD <= labels.columns) {
      at += k * WORD + lane;
#pragma unroll
      for (int u = 0; u < CHUNK; u++)
        v[u] = at[u * WORD];
      if (lane == 31 && (k + CHUNK) * WORD < labels.columns)
        after = at[(CHUNK - 1) * WORD + 1];
      return;
    }
#pragma unroll
    for (int u = 0; u < CHUNK; u++) {
      int64_t x = k * WORD + lane;
      v[u] = word + u < g.words && x < labels.columns ? (int32_t) at[x] : 0;
      if (u == CHUNK - 1 && lane == 31 && word + u < g.words && x + 1 < labels.columns)
        after = at[x + 1];
      if (++k == g.per_row) {
        row_ends |= 1u << u;
        k = 0, row++;
        if (word + u + 1 < g.words)
          at = row_start (labels, row);
      }
    }
  }
};

/* found: runs (set by the scan), pixels of objects, largest label. */
template <typename T>
__global__ void
__launch_bounds__ (TEAM_BLOCK)
  mark_runs (view<const T> labels, word_grid g, uint2 *marks, int64_t *counts, unsigned long long *found)
{
  __shared__ unsigned long long of_warp[2][TEAM_BLOCK / 32];
  int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  int32_t most = 0;
  unsigned long long pixels = 0;
  for (int64_t chunk = (int64_t) blockIdx.x * (TEAM_BLOCK / 32) + warp; chunk < g.chunks;
       chunk += (int64_t) gridDim.x * (TEAM_BLOCK / 32)) {
    int64_t word = chunk * CHUNK;
    chunk_pixels<T> c (labels, g, word, lane);
    /* Lane u takes word u: which pixels are of objects, and which differ from the one before. */
    uint32_t own = 0, differs = 0;
    int32_t last = c.before;
#pragma unroll
    for (int u = 0; u < CHUNK; u++) {
      int32_t turned = __shfl_sync (~0u, c.v[u], (lane + 31) & 31);
      uint32_t o = __ballot_sync (~0u, c.v[u] > 0), d = __ballot_sync (~0u, c.v[u] != (lane == 0 ? last : turned));
      if (lane == u)
        own = o, differs = d;
      last = turned;
      most = max (most, c.v[u]);
    }
    if (lane > 0 && lane < CHUNK)
      differs |= c.row_ends >> (lane - 1) & 1;
    uint32_t next = __shfl_down_sync (~0u, differs, 1), end = __ballot_sync (~0u, c.v[CHUNK - 1] != c.after) >> 31;
    next = lane == CHUNK - 1 ? end : next & 1;
    uint2 mine = make_uint2 (own & differs, own & (differs >> 1 | next << 31));
    int count = __popc (mine.x);
    pixels += __popc (own);
#pragma unroll
    for (int step = CHUNK / 2; step > 0; step /= 2)
      count += __shfl_down_sync (~0u, count, step, CHUNK);
    if (lane < CHUNK && word + lane < g.words)
      marks[word + lane] = mine;
    if (lane == 0)
      counts[chunk] = count;
  }
  warp_team<32> t;
  pixels = team_sum (t, pixels);
  most = team_most (t, most);
  if (lane == 0)
    of_warp[0][warp] = pixels, of_warp[1][warp] = (unsigned long long) most;
  __syncthreads ();
  if (threadIdx.x == 0) {
    for (int i = 1; i < TEAM_BLOCK / 32; i++) {
      of_warp[0][0] += of_warp[0][i];
      of_warp[1][0] = max (of_warp[1][0], of_warp[1][i]);
    }
    atomicAdd (found + 1, of_warp[0][0]);
    atomicMax (found + 2, of_warp[1][0]);
  }
}

/* ---- The runs in raster order ---- */

typedef struct raw_runs {
  int4 *start; /* label, z, y, x0 */
  int32_t *end, *number;
} raw_runs;

template <typename T, typename KEY>
__global__ void
__launch_bounds__ (TEAM_BLOCK) write_runs (view<const T> labels, word_grid g, const uint2 *marks, const int64_t *counts,
                                           raw_runs runs, KEY *keys, int plane_shift)
{
  int64_t word = (int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x, row, k;
  uint2 mark = word < g.words ? marks[word] : make_uint2 (0, 0);
  int within = threadIdx.x & (CHUNK - 1), before = __popc (mark.x), own = before;
#pragma unroll
  for (int step = 1; step < CHUNK; step *= 2) {
    int more = __shfl_up_sync (~0u, before, step, CHUNK);
    before += within >= step ? more : 0;
  }
  if (!(mark.x | mark.y))
    return;
  int64_t at = counts[word / CHUNK] + before - own, end = at;
  locate_word (g, word, &row, &k);
  int32_t x = (int32_t) k * WORD;
  /* A run that began in an earlier word ends here first. */
  if (mark.y && (!mark.x || __ffs (mark.y) < __ffs (mark.x)))
    end--;
  for (unsigned m = mark.y; m; m &= m - 1)
    runs.end[end++] = x + __ffs (m);
  if (!mark.x)
    return;
  const T *from = row_start (labels, row);
  int32_t z = (int32_t) (row / labels.rows), y = (int32_t) (row - z * labels.rows);
  for (unsigned m = mark.x; m; m &= m - 1, at++) {
    int32_t x0 = x + __ffs (m) - 1, label = (int32_t) from[x0];
    runs.start[at] = make_int4 (label, z, y, x0);
    runs.number[at] = (int32_t) at;
    keys[at] = plane_shift ? (KEY) z << plane_shift | (KEY) label : (KEY) label;
  }
}

/* ---- The runs by object ---- */

/* 1 for the first run of each object but 0 for the very first, so that the sum up to a run is its object. */
template <typename KEY> struct begins_next {
  const KEY *keys;

  __host__ __device__ int32_t operator() (int32_t i) const
  {
    return i > 0 && keys[i] != keys[i - 1];
  }
};

/* n: number of objects, number of large ones. */
__global__ static void
__launch_bounds__ (TEAM_BLOCK) order_runs (raw_runs from, const int32_t *number, const int32_t *owner, int64_t n_runs,
                                           run *to, int32_t *first, int32_t *n)
{
  int64_t i = (int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x;
  if (i >= n_runs)
    return;
  int4 s = from.start[number[i]];
  run r;
  r.label = s.x, r.z = s.y, r.y = s.z, r.x0 = s.w, r.x1 = from.end[number[i]];
  to[i] = r;
  if (i == 0 || owner[i - 1] != owner[i])
    first[owner[i]] = (int32_t) i;
  if (i == n_runs - 1)
    n[0] = owner[i] + 1, n[1] = 0;
}

__global__ static void
__launch_bounds__ (TEAM_BLOCK) list_large (const int32_t *first, int64_t n_runs, int32_t *n, int32_t *large)
{
  int32_t objects = n[0];
  for (int64_t i = (int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x; i < objects; i += (int64_t) gridDim.x * TEAM_BLOCK)
    if ((i + 1 < objects ? first[i + 1] : n_runs) - first[i] > TEAM_LARGE)
      large[atomicAdd (n + 1, 1)] = (int32_t) i;
}

static int
bits_of (uint64_t v)
{
  return v ? 64 - __builtin_clzll (v) : 0;
}

typedef struct marks_scratch {
  uint2 *marks;
  int64_t *counts; /* of each chunk; then all runs, pixels, largest label */
  char *temporary;
} marks_scratch;

template <typename KEY> struct runs_scratch {
  raw_runs raw;
  int32_t *number, *owner, *first, *large, *n;
  KEY *keys[2];
  run *runs;
  char *temporary;

  size_t lay_out (char *base, int64_t runs_number, size_t bytes)
  {
    size_t at = 0;
    lay (base, &at, runs_number, &raw.start);
    lay (base, &at, runs_number, &raw.end);
    lay (base, &at, runs_number, &raw.number);
    lay (base, &at, runs_number, &number);
    lay (base, &at, runs_number, &owner);
    lay (base, &at, runs_number, &first);
    lay (base, &at, runs_number / TEAM_LARGE + 1, &large);
    lay (base, &at, 2, &n);
    lay (base, &at, runs_number, &keys[0]);
    lay (base, &at, runs_number, &keys[1]);
    lay (base, &at, runs_number, &runs);
    lay (base, &at, (int64_t) bytes, &temporary);
    return at;
  }
};

/* The number of runs is known: writes and sorts them, finds the objects. */
template <typename T, typename KEY>
static fv_status
sort_runs (const fv_call *call, const view<const T> &labels, const word_grid &g, const marks_scratch &m, int bits,
           int plane_shift, region_set *s, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  int64_t n = s->n_runs;
  runs_scratch<KEY> w;
  size_t for_sort = 0, for_scan = 0, bytes;
  char *memory;
  int32_t found[2];
  cub::DoubleBuffer<KEY> keys;
  cub::DoubleBuffer<int32_t> numbers;
  thrust::counting_iterator<int32_t> counting (0);
  auto begins = [&] { return thrust::make_transform_iterator (counting, begins_next<KEY>{keys.Current ()}); };
  cub::DeviceRadixSort::SortPairs (nullptr, for_sort, keys, numbers, n, 0, bits, stream);
  cub::DeviceScan::InclusiveSum (nullptr, for_scan, begins (), (int32_t *) nullptr, n, stream);
  bytes = for_sort > for_scan ? for_sort : for_scan;
  fv_status status = cuda_scratch (call, w.lay_out (nullptr, n, bytes), &memory, error);
  if (status)
    return status;
  w.lay_out (memory, n, bytes);
  keys = cub::DoubleBuffer<KEY> (w.keys[0], w.keys[1]);
  numbers = cub::DoubleBuffer<int32_t> (w.raw.number, w.number);
  write_runs<T, KEY><<<(unsigned) blocks_for (g.words, TEAM_BLOCK), TEAM_BLOCK, 0, stream>>> (
    labels, g, m.marks, m.counts, w.raw, w.keys[0], plane_shift);
  cudaError_t code = cudaGetLastError ();
  if (!code)
    code = cub::DeviceRadixSort::SortPairs (w.temporary, for_sort, keys, numbers, n, 0, bits, stream);
  if (!code)
    code = cub::DeviceScan::InclusiveSum (w.temporary, for_scan, begins (), w.owner, n, stream);
  if (!code) {
    unsigned blocks = (unsigned) blocks_for (n, TEAM_BLOCK), few = blocks < 256 ? blocks : 256;
    order_runs<<<blocks, TEAM_BLOCK, 0, stream>>> (w.raw, numbers.Current (), w.owner, n, w.runs, w.first, w.n);
    list_large<<<few, TEAM_BLOCK, 0, stream>>> (w.first, n, w.n, w.large);
    code = cudaGetLastError ();
  }
  if (code)
    return cuda_status (code, "Sorting runs", error);
  status = call->host->read (call, found, w.n, sizeof found, error);
  s->runs = w.runs, s->first = w.first, s->owner = w.owner, s->large = w.large;
  s->n = found[0], s->n_large = found[1];
  return status;
}

template <typename T>
static fv_status
find_objects (const fv_call *call, const fv_array *array, bool volume, region_set *s, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  view<const T> labels = view_of<const T> (array);
  word_grid g;
  marks_scratch m = {};
  size_t for_scan = 0, at = 0;
  char *memory = nullptr;
  int64_t found[3];
  g.per_row = blocks_for (labels.columns, WORD);
  g.words = labels.planes * labels.rows * g.per_row;
  g.chunks = blocks_for (g.words, CHUNK);
  cub::DeviceScan::ExclusiveSum (nullptr, for_scan, m.counts, m.counts, g.chunks + 1, stream);
  for (int pass = 0; pass < 2; pass++) {
    at = 0;
    lay (memory, &at, g.words, &m.marks);
    lay (memory, &at, g.chunks + 3, &m.counts);
    lay (memory, &at, (int64_t) for_scan, &m.temporary);
    fv_status status = pass ? FV_OK : cuda_scratch (call, at, &memory, error);
    if (status)
      return status;
  }
  int64_t *totals = m.counts + g.chunks, blocks = blocks_for (g.chunks, TEAM_BLOCK / 32), most = multiprocessors () * 8;
  cudaError_t code = cudaMemsetAsync (totals, 0, sizeof found, stream);
  if (!code) {
    mark_runs<T><<<(unsigned) (blocks < most ? blocks : most), TEAM_BLOCK, 0, stream>>> (labels, g, m.marks, m.counts,
                                                                                         (unsigned long long *) totals);
    code = cudaGetLastError ();
  }
  if (!code)
    code = cub::DeviceScan::ExclusiveSum (m.temporary, for_scan, m.counts, m.counts, g.chunks + 1, stream);
  fv_status status = cuda_status (code, "Finding runs", error);
  if (!status)
    status = call->host->read (call, found, totals, sizeof found, error);
  if (status)
    return status;
  s->n_runs = found[0], s->pixels = found[1];
  if (s->n_runs == 0)
    return FV_OK;
  if ((status = regions_check (s->n_runs, error)))
    return status;
  int label_bits = bits_of ((uint64_t) found[2]), plane_bits = volume ? 0 : bits_of ((uint64_t) labels.planes - 1);
  int shift = plane_bits ? label_bits : 0;
  if (label_bits + plane_bits <= 32)
    return sort_runs<T, uint32_t> (call, labels, g, m, label_bits + plane_bits, shift, s, error);
  return sort_runs<T, uint64_t> (call, labels, g, m, label_bits + plane_bits, shift, s, error);
}

fv_status
region_set_find (const fv_call *call, const fv_array *labels, bool volume, region_set *s, fv_error *error)
{
  memset (s, 0, sizeof *s);
  switch (labels->grid->type) {
  case FV_U8: return find_objects<uint8_t> (call, labels, volume, s, error);
  case FV_U16: return find_objects<uint16_t> (call, labels, volume, s, error);
  default: return find_objects<int32_t> (call, labels, volume, s, error);
  }
}

fv_status
region_set_fetch (const fv_call *call, const fv_array *labels, bool volume, region_set *s, regions *found,
                  fv_error *error)
{
  run *runs;
  fv_status status = region_set_find (call, labels, volume, s, error);
  if (!status)
    status = host_items (call, s->n_runs, sizeof *runs, &runs, error);
  if (!status && s->n_runs)
    status = call->host->read (call, runs, s->runs, (size_t) s->n_runs * sizeof *runs, error);
  return status ? status : regions_of_runs (call, runs, s->n_runs, array_planes (labels), volume, found, error);
}
