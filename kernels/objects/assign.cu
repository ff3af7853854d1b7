/* SPDX-License-Identifier: MIT
 *
 * assign on the GPU. Objects are found as regionprops does it, parents only when rows are theirs. For each child the parent with most pixels is
 * taken, by the pieces of overlap_pieces.cuh. Counts are integers, so nothing depends on the order in which threads run.
 *
 * - choose_parents: a team a child; reads 12 to 24 bytes a piece, writes 24 a child.
 * - put_children: a thread a child; its row of the table.
 * - add_children, put_parents: a thread a child, and a team a parent; the rows of parents.
 * - object_painter: the children's pixels.
 * Synchronizations: those of region_runs.cu, for either image, the number of pieces (8 bytes), the table.
 */
#include "kernels/objects/assign.h"
#include "kernels/objects/object_paint.cuh"
#include "kernels/objects/overlap_pieces.cuh"

/* Of a child. */
typedef struct share_of_child {
  int64_t overlap, pixels; /* with the parent that has most of it; all */
} share_of_child;

/* Of a parent. */
typedef struct family_counts {
  unsigned long long children, covered;
} family_counts;

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

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i, int64_t) const
  {
    const int64_t first = l.first[s.first[i]], end = l.first[region_end (s, i)], pixels = team_pixels (t, s, i);
    overlap_with best = {0, 0, 0};
    for (int64_t k = first + t.rank; k < end; k += TEAM::size)
      if (k == first || l.pair[k - 1] != l.pair[k])
        best = takes_parent () (best, {l.before[piece_pair_end (l, k, end)] - l.before[k], piece_label (l.pair[k]), 0});
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
    const int64_t pixels = team_pixels (t, s, i);
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
  if (!s->n)
    return FV_OK;
  fv_status status = pieces_list (call, s, call->inputs[ASSIGN_PARENTS], &l, error);
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
