/* SPDX-License-Identifier: MIT
 *
 * score on the GPU. Objects are found as regionprops does it, and what they share by the pieces of overlap_pieces.cuh. Pairs are added up, matched
 * and put into the table on the host.
 *
 * - put_objects: a team an object; reads 20 bytes a run, writes 16 an object.
 * Synchronizations: those of region_runs.cu, for either image, the number of pieces (8 bytes), the objects, the pieces (16 bytes each).
 */
#include "kernels/objects/overlap_pieces.cuh"
#include "kernels/objects/score.h"

struct put_objects {
  region_set s;
  score_object *to;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i, int64_t) const
  {
    const int64_t pixels = team_pixels (t, s, i);
    if (t.rank == 0)
      to[i] = {pixels, s.runs[s.first[i]].z, s.runs[s.first[i]].label};
  }
};

/* n items of the device, copied to host memory of the call. */
template <typename T>
static fv_status
fetch_items (const fv_call *call, const T *from, int64_t n, T **to, fv_error *error)
{
  fv_status status = host_items (call, n, sizeof **to, to, error);
  return status || !n ? status : call->host->read (call, *to, from, (size_t) n * sizeof **to, error);
}

static fv_status
fetch_objects (const fv_call *call, const region_set *s, score_object **to, fv_error *error)
{
  score_object *there = NULL;
  fv_status status = s->n ? cuda_scratch (call, (size_t) s->n, &there, error) : FV_OK;
  if (!status && s->n)
    status = for_each_object (call, s, s->n, put_objects{*s, there}, error);
  return status ? status : fetch_items (call, there, s->n, to, error);
}

/* The index of the true object of that label, in plane z where planes are apart. */
static int32_t
find_truth (const score_counts *c, bool volume, int32_t z, int32_t label)
{
  int64_t low = 0, high = c->n_truth;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    const score_object *o = &c->truth[middle];
    if ((!volume && o->z < z) || ((volume || o->z == z) && o->label < label))
      low = middle + 1;
    else
      high = middle;
  }
  return (int32_t) low;
}

/* Adds up the pieces of each pair. */
static void
join_pieces (const uint64_t *pair, const int64_t *before, int64_t n, bool volume, score_counts *to)
{
  for (int64_t k = 0, end; k < n; k = end) {
    const int32_t found = (int32_t) (pair[k] >> LABEL_BITS);
    for (end = k + 1; end < n && pair[end] == pair[k];)
      end++;
    to->pairs[to->n_pairs++] = {before[end] - before[k], found,
                                find_truth (to, volume, to->found[found].z, piece_label (pair[k]))};
  }
}

static fv_status
fetch_pairs (const fv_call *call, const region_set *s, bool volume, score_counts *to, fv_error *error)
{
  piece_list l = {};
  uint64_t *pair = NULL;
  int64_t *before = NULL;
  fv_status status = s->n ? pieces_list (call, s, call->inputs[SCORE_TRUTH], &l, error) : FV_OK;
  if (!status)
    status = host_items (call, l.n, sizeof *to->pairs, &to->pairs, error);
  if (!status)
    status = fetch_items (call, l.pair, l.n, &pair, error);
  if (!status)
    status = fetch_items (call, l.before, l.n ? l.n + 1 : 0, &before, error);
  if (!status)
    join_pieces (pair, before, l.n, volume, to);
  return status;
}

extern "C" fv_status
score_cuda (const fv_call *call, fv_error *error)
{
  const bool volume = ((const score_args *) call->args)->volume;
  region_set found = {}, truth = {};
  score_counts counts = {};
  if (call->host->tick (call, 0, 2))
    return cancelled (error);
  fv_status status = region_set_find (call, call->inputs[SCORE_FOUND], volume, &found, error);
  if (!status)
    status = region_set_find (call, call->inputs[SCORE_TRUTH], volume, &truth, error);
  if (!status && call->host->tick (call, 1, 2))
    return cancelled (error);
  counts.n_found = found.n;
  counts.n_truth = truth.n;
  if (!status)
    status = fetch_objects (call, &found, &counts.found, error);
  if (!status)
    status = fetch_objects (call, &truth, &counts.truth, error);
  if (!status)
    status = fetch_pairs (call, &found, volume, &counts, error);
  return status ? status : score_table (call, &counts, error);
}
