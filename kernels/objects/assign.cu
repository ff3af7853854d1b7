/* SPDX-License-Identifier: MIT
 *
 * assign on the GPU. Objects are found as regionprops does it, parents only when rows are theirs. Each run of a child is cut into pieces that lie in
 * one parent each. Sorted by child and parent, those of a pair follow each other. For each child the pair with most pixels is taken. Counts are
 * integers, so nothing depends on the order in which threads run.
 *
 * - count_pieces, write_pieces: a thread a run; reads the pixels of the parents under it, writes 8 bytes a run, 12 a piece.
 * - choose_parents: a team a child; reads 12 to 24 bytes a piece, writes 24 a child.
 * - put_children: a thread a child; its row of the table.
 * - add_children, put_parents: a thread a child, and a team a parent; the rows of parents.
 * - object_painter: the children's pixels.
 * Between them CUB's scan, radix sort and again scan. Synchronizations: those of region_runs.cu, for either image, the number of pieces (8 bytes),
 * the table.
 */
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

#include "kernels/objects/assign.h"
#include "kernels/objects/object_paint.cuh"

enum { LABEL_BITS = 31 };

/* Of a child. */
typedef struct share_of_child {
  int64_t overlap, pixels; /* with the parent that has most of it; all */
} share_of_child;

/* Of a parent. */
typedef struct family_counts {
  unsigned long long children, covered;
} family_counts;

/* Pieces of runs of children in parents, by child and parent. */
typedef struct piece_list {
  int64_t n;
  int64_t *first;        /* [runs + 1]: of each run of a child */
  const uint64_t *pair;  /* child << LABEL_BITS | label of the parent */
  const int64_t *before; /* [n + 1]: pixels of all pieces before */
} piece_list;

/* ---- Pieces ---- */

/* Calls f (label, n) for each stretch of n pixels of a parent along a run. */
template <typename T, typename F>
__device__ static inline void
for_each_piece (const view<const T> &parents, const run &r, F f)
{
  const T *row = parents.row (r.z, r.y);
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
  view<const T> parents;
  int64_t *counts;

  __device__ void operator() (int64_t i) const
  {
    int64_t n = 0;
    for_each_piece (parents, s.runs[i], [&] (int32_t, int32_t) { n++; });
    counts[i] = n;
  }
};

template <typename T> struct write_pieces {
  region_set s;
  view<const T> parents;
  const int64_t *first;
  uint64_t *pair;
  int32_t *pixels;

  __device__ void operator() (int64_t i) const
  {
    const uint64_t child = (uint64_t) s.owner[i] << LABEL_BITS;
    int64_t at = first[i];
    for_each_piece (parents, s.runs[i], [&] (int32_t label, int32_t n) {
      pair[at] = child | (uint64_t) label;
      pixels[at++] = n;
    });
  }
};

/* The first pieces of runs, and how many there are in all. */
template <typename T>
static fv_status
cut_pieces (const fv_call *call, const region_set *s, const view<const T> &parents, piece_list *l, fv_error *error)
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
    status = for_each_item (call, s->n_runs, count_pieces<T>{*s, parents, l->first}, error);
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
sort_pieces (const fv_call *call, const region_set *s, const view<const T> &parents, piece_list *l, fv_error *error)
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
  status = for_each_item (call, s->n_runs, write_pieces<T>{*s, parents, l->first, w.pair[0], w.pixels[0]}, error);
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
list_pieces (const fv_call *call, const region_set *s, piece_list *l, fv_error *error)
{
  const view<const T> parents = view_of<const T> (call->inputs[ASSIGN_PARENTS]);
  fv_status status = cut_pieces (call, s, parents, l, error);
  return status || !l->n ? status : sort_pieces (call, s, parents, l, error);
}

/* ---- Children ---- */

struct overlap_with {
  int64_t pixels;
  int32_t parent, padding;
};

struct takes_parent {
  __device__ overlap_with operator() (const overlap_with &a, const overlap_with &b) const
  {
    return b.pixels > a.pixels || (b.pixels == a.pixels && b.parent < a.parent) ? b : a;
  }
};

struct choose_parents {
  region_set s;
  piece_list l;
  double share;
  share_of_child *of;
  int32_t *to;

  /* The first piece after k, before end, of another pair, or end. */
  __device__ int64_t pair_end (int64_t k, int64_t end) const
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

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i, int64_t) const
  {
    const int64_t run_end = region_end (s, i), first = l.first[s.first[i]], end = l.first[run_end];
    overlap_with best = {0, 0, 0};
    int64_t pixels = 0;
    for (int64_t k = s.first[i] + t.rank; k < run_end; k += TEAM::size)
      pixels += s.runs[k].x1 - s.runs[k].x0;
    for (int64_t k = first + t.rank; k < end; k += TEAM::size)
      if (k == first || l.pair[k - 1] != l.pair[k])
        best = takes_parent () (best, {l.before[pair_end (k, end)] - l.before[k],
                                       (int32_t) (l.pair[k] & (((uint64_t) 1 << LABEL_BITS) - 1)), 0});
    pixels = team_sum (t, pixels);
    best = t.reduce (best, takes_parent ());
    if (t.rank == 0) {
      to[i] = (double) best.pixels < share * (double) pixels ? 0 : best.parent;
      of[i] = {best.pixels, pixels};
    }
  }
};

struct put_children {
  region_set s;
  const share_of_child *of;
  const int32_t *to;
  bool slices;
  double *table;

  __device__ void operator() (int64_t i) const
  {
    const run r = s.runs[s.first[i]];
    const assign_row row = {r.z, r.label, to[i], of[i].overlap, of[i].pixels};
    assign_put_row (&row, slices, i, s.n, table);
  }
};

/* ---- Parents ---- */

struct add_children {
  region_set children, parents;
  const share_of_child *of;
  const int32_t *to;
  bool volume;
  family_counts *families;

  /* The object of that label, in plane z where planes are apart. */
  __device__ int64_t find_parent (int32_t z, int32_t label) const
  {
    int64_t low = 0, high = parents.n;
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      const run r = parents.runs[parents.first[middle]];
      if ((!volume && r.z < z) || ((volume || r.z == z) && r.label < label))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  __device__ void operator() (int64_t i) const
  {
    if (!to[i])
      return;
    family_counts *f = families + find_parent (children.runs[children.first[i]].z, to[i]);
    atomicAdd (&f->children, 1ull);
    atomicAdd (&f->covered, (unsigned long long) of[i].overlap);
  }
};

struct put_parents {
  region_set s;
  const family_counts *families;
  bool slices;
  double *table;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i, int64_t) const
  {
    const int64_t end = region_end (s, i);
    int64_t pixels = 0;
    for (int64_t k = s.first[i] + t.rank; k < end; k += TEAM::size)
      pixels += s.runs[k].x1 - s.runs[k].x0;
    pixels = team_sum (t, pixels);
    const run r = s.runs[s.first[i]];
    const assign_row row = {r.z, r.label, (int64_t) families[i].children, (int64_t) families[i].covered, pixels};
    if (t.rank == 0)
      assign_put_row (&row, slices, i, s.n, table);
  }
};

/* ---- The work ---- */

typedef struct assign_work {
  region_set children, parents;
  share_of_child *of;
  int32_t *to;
  bool slices;
} assign_work;

/* The parents' rows, in memory of the device. */
static fv_status
measure_parents (const fv_call *call, const assign_work *w, double *table, fv_error *error)
{
  const bool volume = ((const assign_args *) call->args)->volume;
  const size_t n = (size_t) w->parents.n;
  family_counts *families;
  fv_status status = cuda_scratch (call, n, &families, error);
  if (!status)
    status =
      cuda_status (cudaMemsetAsync (families, 0, n * sizeof *families, cuda_stream (call)), "Assigning objects", error);
  if (!status)
    status =
      for_each_item (call, w->children.n, add_children{w->children, w->parents, w->of, w->to, volume, families}, error);
  return status ? status
                : for_each_object (call, &w->parents, w->parents.n, put_parents{w->parents, families, w->slices, table},
                                   error);
}

static fv_status
write_rows (const fv_call *call, const assign_work *w, fv_error *error)
{
  const bool parents = ((const assign_args *) call->args)->rows == ASSIGN_PARENTS;
  const int64_t n = parents ? w->parents.n : w->children.n, cells = n * (4 + w->slices);
  double *table, *v;
  fv_status status = assign_make_table (call, n, &v, error);
  if (status || !n)
    return status;
  status = cuda_scratch (call, (size_t) cells, &table, error);
  if (!status)
    status = parents ? measure_parents (call, w, table, error)
                     : for_each_item (call, n, put_children{w->children, w->of, w->to, w->slices, table}, error);
  return status ? status : call->host->read (call, v, table, (size_t) cells * sizeof *table, error);
}

static fv_status
find_parents (const fv_call *call, assign_work *w, fv_error *error)
{
  const region_set *s = &w->children;
  piece_list l = {};
  fv_status status;
  if (!s->n)
    return FV_OK;
  switch (call->inputs[ASSIGN_PARENTS]->grid->type) {
  case FV_U8: status = list_pieces<uint8_t> (call, s, &l, error); break;
  case FV_U16: status = list_pieces<uint16_t> (call, s, &l, error); break;
  default: status = list_pieces<int32_t> (call, s, &l, error);
  }
  if (!status)
    status = cuda_scratch (call, (size_t) s->n, &w->of, error);
  if (!status)
    status = cuda_scratch (call, (size_t) s->n, &w->to, error);
  const double share = ((const assign_args *) call->args)->share;
  return status ? status : for_each_object (call, s, s->n, choose_parents{*s, l, share, w->of, w->to}, error);
}

extern "C" fv_status
assign_cuda (const fv_call *call, fv_error *error)
{
  const assign_args *a = (const assign_args *) call->args;
  assign_work w = {};
  w.slices = assign_has_slices (call);
  if (call->host->tick (call, 0, 2))
    return cancelled (error);
  fv_status status = region_set_find (call, call->inputs[ASSIGN_CHILDREN], a->volume, &w.children, error);
  if (!status && a->rows == ASSIGN_PARENTS)
    status = region_set_find (call, call->inputs[ASSIGN_PARENTS], a->volume, &w.parents, error);
  if (!status && call->host->tick (call, 1, 2))
    return cancelled (error);
  if (!status)
    status = find_parents (call, &w, error);
  if (!status)
    status = write_rows (call, &w, error);
  return status ? status : object_paint_there (call, &w.children, w.to, call->outputs[0], error);
}
