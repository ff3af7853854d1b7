/* SPDX-License-Identifier: MIT
 *
 * What objects share with the labels of another image, on the GPU. Each run of an object is cut into pieces that lie in one label each. Sorted by
 * object and label, those of a pair follow each other.
 *
 * - count_pieces, write_pieces: a thread a run; reads the labels under it, writes 8 bytes a run, 12 a piece.
 * Between them CUB's scan, radix sort and again scan. Synchronizations: the number of pieces (8 bytes).
 */
#ifndef KERNELS_OBJECTS_OVERLAP_PIECES_CUH
#define KERNELS_OBJECTS_OVERLAP_PIECES_CUH

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

#include "kernels/regions/region_runs.cuh"

enum { LABEL_BITS = 31 };

/* The label of a pair of an object and a label. */
__host__ __device__ static inline int32_t
piece_label (uint64_t pair)
{
  return (int32_t) (pair & (((uint64_t) 1 << LABEL_BITS) - 1));
}

/* Pieces of the runs of objects, by object and label. */
typedef struct piece_list {
  int64_t n;
  int64_t *first;        /* [runs + 1]: of each run of an object */
  const uint64_t *pair;  /* object << LABEL_BITS | label */
  const int64_t *before; /* [n + 1]: pixels of all pieces before */
} piece_list;

/* Calls f (label, n) for each stretch of n pixels of one label along a run. */
template <typename T, typename F>
__device__ static inline void
for_each_piece (const view<const T> &labels, const run &r, F f)
{
  const T *row = labels.row (r.z, r.y);
  for (int32_t x = r.x0, end; x < r.x1; x = end) {
    const T label = row[x];
    for (end = x + 1; end < r.x1 && row[end] == label;)
      end++;
    if (label > 0)
      f ((int32_t) label, end - x);
  }
}

template <typename T> struct count_pieces {
  region_set s;
  view<const T> labels;
  int64_t *counts;

  __device__ void operator() (int64_t i) const
  {
    int64_t n = 0;
    for_each_piece (labels, s.runs[i], [&] (int32_t, int32_t) { n++; });
    counts[i] = n;
  }
};

template <typename T> struct write_pieces {
  region_set s;
  view<const T> labels;
  const int64_t *first;
  uint64_t *pair;
  int32_t *pixels;

  __device__ void operator() (int64_t i) const
  {
    const uint64_t object = (uint64_t) s.owner[i] << LABEL_BITS;
    int64_t at = first[i];
    for_each_piece (labels, s.runs[i], [&] (int32_t label, int32_t n) {
      pair[at] = object | (uint64_t) label;
      pixels[at++] = n;
    });
  }
};

/* The first pieces of runs, and how many there are in all. */
template <typename T>
static fv_status
cut_pieces (const fv_call *call, const region_set *s, const view<const T> &labels, piece_list *l, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  size_t bytes = 0;
  char *temporary;
  cub::DeviceScan::ExclusiveSum (nullptr, bytes, l->first, l->first, s->n_runs + 1, stream);
  fv_status status = cuda_scratch (call, (size_t) s->n_runs + 1, &l->first, error);
  if (!status)
    status = cuda_scratch (call, bytes, &temporary, error);
  if (status)
    return status;
  status =
    cuda_status (cudaMemsetAsync (l->first + s->n_runs, 0, sizeof *l->first, stream), "Counting overlaps", error);
  if (!status)
    status = for_each_item (call, s->n_runs, count_pieces<T>{*s, labels, l->first}, error);
  if (!status)
    status = cuda_status (cub::DeviceScan::ExclusiveSum (temporary, bytes, l->first, l->first, s->n_runs + 1, stream),
                          "Counting overlaps", error);
  return status ? status : call->host->read (call, &l->n, l->first + s->n_runs, sizeof l->n, error);
}

struct as_wide {
  __host__ __device__ int64_t operator() (int32_t v) const
  {
    return v;
  }
};

typedef struct sort_scratch {
  uint64_t *pair[2];
  int32_t *pixels[2];
  int64_t *before;
  char *temporary;

  size_t lay_out (char *base, int64_t n, size_t bytes)
  {
    size_t at = 0;
    lay (base, &at, n, &pair[0]);
    lay (base, &at, n, &pair[1]);
    lay (base, &at, n + 1, &pixels[0]);
    lay (base, &at, n + 1, &pixels[1]);
    lay (base, &at, n + 1, &before);
    lay (base, &at, (int64_t) bytes, &temporary);
    return at;
  }
} sort_scratch;

template <typename T>
static fv_status
sort_pieces (const fv_call *call, const region_set *s, const view<const T> &labels, piece_list *l, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  sort_scratch w = {};
  size_t for_sort = 0, for_scan = 0, bytes;
  char *memory;
  cub::DoubleBuffer<uint64_t> pair;
  cub::DoubleBuffer<int32_t> pixels;
  auto wide = [&] { return thrust::make_transform_iterator ((const int32_t *) pixels.Current (), as_wide ()); };
  const int bits = LABEL_BITS + 64 - __builtin_clzll ((uint64_t) s->n);
  cub::DeviceRadixSort::SortPairs (nullptr, for_sort, pair, pixels, l->n, 0, bits, stream);
  cub::DeviceScan::ExclusiveSum (nullptr, for_scan, wide (), w.before, l->n + 1, stream);
  bytes = for_sort > for_scan ? for_sort : for_scan;
  fv_status status = cuda_scratch (call, w.lay_out (nullptr, l->n, bytes), &memory, error);
  if (status)
    return status;
  w.lay_out (memory, l->n, bytes);
  pair = cub::DoubleBuffer<uint64_t> (w.pair[0], w.pair[1]);
  pixels = cub::DoubleBuffer<int32_t> (w.pixels[0], w.pixels[1]);
  status = for_each_item (call, s->n_runs, write_pieces<T>{*s, labels, l->first, w.pair[0], w.pixels[0]}, error);
  if (status)
    return status;
  cudaError_t code = cub::DeviceRadixSort::SortPairs (w.temporary, for_sort, pair, pixels, l->n, 0, bits, stream);
  if (!code)
    code = cudaMemsetAsync (pixels.Current () + l->n, 0, sizeof (int32_t), stream);
  if (!code)
    code = cub::DeviceScan::ExclusiveSum (w.temporary, for_scan, wide (), w.before, l->n + 1, stream);
  l->pair = pair.Current (), l->before = w.before;
  return cuda_status (code, "Sorting overlaps", error);
}

template <typename T>
static fv_status
list_pieces (const fv_call *call, const region_set *s, const fv_array *in, piece_list *l, fv_error *error)
{
  const view<const T> labels = view_of<const T> (in);
  fv_status status = cut_pieces (call, s, labels, l, error);
  return status || !l->n ? status : sort_pieces (call, s, labels, l, error);
}

/* The pieces of the objects in the labels of an image of the same size, above 0. s: not empty. */
static fv_status
pieces_list (const fv_call *call, const region_set *s, const fv_array *labels, piece_list *l, fv_error *error)
{
  switch (labels->grid->type) {
  case FV_U8: return list_pieces<uint8_t> (call, s, labels, l, error);
  case FV_U16: return list_pieces<uint16_t> (call, s, labels, l, error);
  default: return list_pieces<int32_t> (call, s, labels, l, error);
  }
}

/* The first piece after k, before end, of another pair, or end. */
__device__ static inline int64_t
piece_pair_end (const piece_list &l, int64_t k, int64_t end)
{
  const uint64_t own = l.pair[k];
  for (int64_t low = k + 1; low < end;) {
    const int64_t middle = (low + end) / 2;
    if (l.pair[middle] == own)
      low = middle + 1;
    else
      end = middle;
  }
  return end;
}

#endif
