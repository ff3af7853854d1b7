/* SPDX-License-Identifier: MIT
 *
 * skeleton_lengths on the GPU. Objects are found as regionprops does it; skeleton_graph.cu connects their pixels, skeleton_ways.cu finds the longest
 * paths, and here branches and junctions are disjoint sets of pixels. Steps of branches are counted by kind, so that lengths do not
 * depend on the order in which threads run. Objects that are too large for that go as runs to the host.
 *
 * - unite_parts: a thread a pixel; 9 bytes read a step.
 * - count_steps: a thread a pixel; 9 bytes read a step, 4 added to for a step of a branch.
 * - sum_branches: a team an object; 8 bytes read a pixel, 16 or 32 at the first of a branch.
 * - put_rows: a thread an object; its row of the table.
 * Synchronizations: those of region_runs.cu, skeleton_graph.cu and skeleton_ways.cu, and the table.
 */
#include "kernels/label/links.cuh"
#include "kernels/skeletons/skeleton_graph.cuh"
#include "kernels/skeletons/skeleton_lengths.h"
#include "kernels/skeletons/skeleton_ways.cuh"
#include "kernels/regions/region_runs.cuh"

/* ---- Branches and junctions ---- */

struct unite_steps {
  skeleton_graph g;
  links<uint32_t> sets;

  __device__ void operator() (int64_t i) const
  {
    const int32_t pixel = (int32_t) i;
    for (int32_t k = g.first[pixel]; k < g.first[pixel + 1]; k++)
      if (g.to[k] < pixel && g.is_junction (pixel) == g.is_junction (g.to[k]))
        unite (sets, (uint32_t) g.to[k], (uint32_t) pixel);
  }
};

struct count_steps {
  skeleton_graph g;
  links<uint32_t> sets;
  int kinds;
  int32_t *counts; /* of each branch, at its root, by kind */

  __device__ void operator() (int64_t i) const
  {
    const int32_t pixel = (int32_t) i;
    if (g.is_junction (pixel))
      return;
    int32_t *own = counts + (int64_t) root_of (sets, (uint32_t) pixel) * kinds;
    for (int32_t k = g.first[pixel]; k < g.first[pixel + 1]; k++)
      if (g.to[k] < pixel || g.is_junction (g.to[k]))
        atomicAdd (own + g.kind[k], 1);
  }
};

struct sum_branches {
  skeleton_graph g;
  links<uint32_t> sets;
  int kinds;
  const int32_t *counts;
  double size[SKELETON_KINDS];
  skeleton_parts *parts;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t object, int64_t) const
  {
    skeleton_parts own = {0, 0, 0, 0, 0, 0};
    int64_t steps[SKELETON_KINDS] = {0};
    const int32_t end = g.pixel_end (object);
    for (int32_t i = g.first_pixel (object) + t.rank; i < end; i += TEAM::size) {
      const bool root = sets.get ((uint32_t) i) == (uint32_t) i, junction = g.is_junction (i);
      own.ends += g.is_end (i);
      own.junctions += junction && root;
      own.branches += !junction && root && g.neighbors (i);
      if (junction || !root)
        continue;
      double length = 0;
#pragma unroll
      for (int kind = 1; kind < SKELETON_KINDS; kind++)
        if (kind < kinds) {
          const int32_t n = counts[(int64_t) i * kinds + kind];
          steps[kind] += n;
          length += n * size[kind];
        }
      own.longest_branch = length > own.longest_branch ? length : own.longest_branch;
    }
    own.ends = team_sum (t, own.ends);
    own.junctions = team_sum (t, own.junctions);
    own.branches = team_sum (t, own.branches);
    own.longest_branch = team_most (t, own.longest_branch);
#pragma unroll
    for (int kind = 1; kind < SKELETON_KINDS; kind++)
      own.length += (double) team_sum (t, steps[kind]) * size[kind];
    if (t.rank == 0)
      parts[object] = own;
  }
};

struct link_itself {
  uint32_t *link;

  __device__ void operator() (int64_t i) const
  {
    link[i] = (uint32_t) i;
  }
};

static fv_status
measure_branches (const fv_call *call, const skeleton_graph *g, const double size[SKELETON_KINDS],
                  skeleton_parts *parts, fv_error *error)
{
  const bool volume = ((const skeleton_lengths_args *) call->args)->volume;
  const int kinds = volume ? SKELETON_KINDS : SKELETON_KINDS / 2;
  const int64_t n = g->s.pixels;
  links<uint32_t> sets;
  int32_t *counts;
  fv_status status = cuda_scratch (call, (size_t) n, &sets.link, error);
  if (!status)
    status = cuda_scratch (call, (size_t) (n * kinds), &counts, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (counts, 0, (size_t) (n * kinds) * sizeof *counts, cuda_stream (call)),
                          "Measuring branches", error);
  if (status)
    return status;
  status = for_each_item (call, n, link_itself{sets.link}, error);
  if (!status)
    status = for_each_item (call, n, unite_steps{*g, sets}, error);
  if (!status)
    status = for_each_item (call, n, count_steps{*g, sets, kinds, counts}, error);
  if (status)
    return status;
  sum_branches body = {*g, sets, kinds, counts, {}, parts};
  memcpy (body.size, size, sizeof body.size);
  return for_each_object (call, &g->s, g->s.n, body, error);
}

/* ---- The table ---- */

struct put_rows {
  region_set s;
  const skeleton_parts *parts;
  bool slices;
  double *table;

  __device__ void operator() (int64_t i) const
  {
    skeleton_put_row (parts + i, s.runs + s.first[i], slices, i, s.n, table);
  }
};

static fv_status
write_skeletons (const fv_call *call, const region_set *s, const skeleton_parts *parts, fv_error *error)
{
  const int64_t cells = s->n * skeleton_columns (call);
  double *table, *v;
  fv_status status = skeleton_make_table (call, s->n, &v, error);
  if (status || !s->n)
    return status;
  status = cuda_scratch (call, (size_t) cells, &table, error);
  if (!status)
    status = for_each_item (call, s->n, put_rows{*s, parts, skeleton_has_slices (call), table}, error);
  return status ? status : call->host->read (call, v, table, (size_t) cells * sizeof *table, error);
}

/* ---- The work ---- */

/* *large: it is left to the host. */
static fv_status
measure_skeletons (const fv_call *call, const region_set *s, bool volume, skeleton_parts **parts, bool *large,
                   fv_error *error)
{
  skeleton_graph g;
  double size[SKELETON_KINDS];
  *large = s->pixels > GRAPH_PIXELS;
  if (*large || !s->n)
    return FV_OK;
  skeleton_step_sizes (call, size);
  fv_status status = cuda_scratch (call, (size_t) s->n, parts, error);
  if (!status)
    status = skeleton_graph_make (call, s, volume, &g, error);
  if (!status)
    status = measure_branches (call, &g, size, *parts, error);
  return status ? status : skeleton_ways_find (call, &g, size, *parts, large, error);
}

extern "C" fv_status
skeleton_lengths_cuda (const fv_call *call, fv_error *error)
{
  const bool volume = ((const skeleton_lengths_args *) call->args)->volume;
  region_set s;
  regions found;
  skeleton_parts *parts = NULL;
  bool large = false;
  if (call->host->tick (call, 0, 2))
    return cancelled (error);
  fv_status status = region_set_find (call, call->inputs[0], volume, &s, error);
  if (!status && call->host->tick (call, 1, 2))
    return cancelled (error);
  if (!status)
    status = measure_skeletons (call, &s, volume, &parts, &large, error);
  if (status || !large)
    return status ? status : write_skeletons (call, &s, parts, error);
  status = region_set_fetch (call, call->inputs[0], volume, &s, &found, error);
  return status ? status : skeleton_lengths_table (call, &found, error);
}
