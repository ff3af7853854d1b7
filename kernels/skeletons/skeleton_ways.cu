/* SPDX-License-Identifier: MIT
 *
 * A warp follows the paths from one source, an end of an object. Pixels whose distance has decreased are a front. All lanes take pixels of it and
 * look at their neighbors, which form the next front. When the front is empty, all distances are minimal. Of all sums along the steps of ways the
 * least does not depend on the order in which lanes run.
 *
 *   count_ways    a thread an object: 16 bytes written.
 *   list_sources  lanes for each run, a pixel each: 8 bytes written for each source.
 *   follow_ways   a warp a source: 20 bytes for each pixel of its object.
 * Between them CUB's scan. Waits for the device once, for how many sources and distances there are.
 */
#include <cub/device/device_scan.cuh>

#include "kernels/skeletons/skeleton_ways.cuh"

enum {
  WAYS_MOST = 1 << 26,        /* distances */
  WAYS_MOST_PIXELS = 1 << 14, /* of an object, which one warp is to follow */
  WARPS = TEAM_BLOCK / 32,
};

typedef struct way_source {
  int32_t object, pixel;
} way_source;

/* What warps work in, for each source the pixels of its object. */
typedef struct way_room {
  unsigned long long *far; /* bits of a double, which are in the order of what they say, as no distance is negative */
  int32_t *front[2];
  int32_t *turn; /* in which a pixel was last put into a front */
} way_room;

typedef struct way_counts {
  int64_t *sources;     /* [objects + 1]: first source of each */
  int64_t *distances;   /* [objects + 1] */
  int64_t *most_pixels; /* of an object; after the last distance */
} way_counts;

struct count_ways {
  skeleton_graph g;
  const skeleton_parts *parts;
  way_counts to;

  __device__ void operator() (int64_t i) const
  {
    const int64_t pixels = g.pixel_end (i) - g.first_pixel (i), sources = parts[i].ends ? parts[i].ends : 1;
    to.sources[i] = sources;
    to.distances[i] = sources * pixels;
    if (pixels > WAYS_MOST_PIXELS)
      atomicMax ((unsigned long long *) to.most_pixels, (unsigned long long) pixels);
  }
};

struct list_sources {
  skeleton_graph g;
  const skeleton_parts *parts;
  const int64_t *first;
  int32_t *taken; /* of each object: sources so far */
  way_source *to;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i) const
  {
    const int32_t object = g.s.owner[i];
    for (int32_t pixel = g.offset[i] + t.rank; pixel < g.offset[i + 1]; pixel += TEAM::size)
      if (parts[object].ends ? g.is_end (pixel) : pixel == g.first_pixel (object))
        to[first[object] + atomicAdd (taken + object, 1)] = {object, pixel};
  }
};

/* ---- Ways ---- */

struct follow_ways {
  skeleton_graph g;
  way_counts at;
  const way_source *sources;
  int64_t n;
  way_room room;
  double size[SKELETON_KINDS];
  skeleton_parts *parts;

  /* The neighbors of a pixel that become nearer go into the next front. i, to: pixels of the object. */
  __device__ void look_around (int32_t i, int32_t begin, const way_room &own, int32_t turn, int *front_size) const
  {
    const double far = __longlong_as_double ((long long) *(volatile unsigned long long *) (own.far + i));
    for (int32_t k = g.first[begin + i]; k < g.first[begin + i + 1]; k++) {
      const int32_t to = g.to[k] - begin;
      const unsigned long long by = (unsigned long long) __double_as_longlong (far + size[g.kind[k]]);
      if (by < *(volatile unsigned long long *) (own.far + to) && by < atomicMin (own.far + to, by)
          && atomicExch (own.turn + to, turn) != turn)
        (turn & 1 ? own.front[1] : own.front[0])[atomicAdd (front_size, 1)] = to;
    }
  }

  /* How far the farthest pixel is that was reached. */
  __device__ double farthest (warp_team<32> &t, int32_t pixels, const way_room &own) const
  {
    double most = 0;
    for (int32_t i = t.rank; i < pixels; i += 32) {
      const double far = __longlong_as_double ((long long) *(volatile unsigned long long *) (own.far + i));
      most = far < INFINITY && far > most ? far : most;
    }
    return team_most (t, most);
  }

  /* front_size: shared, of the warp: how many pixels fronts of even and odd turns have. */
  __device__ void follow (int64_t source, int *front_size) const
  {
    warp_team<32> t;
    const way_source from = sources[source];
    const int32_t begin = g.first_pixel (from.object), pixels = g.pixel_end (from.object) - begin;
    const int64_t offset = at.distances[from.object] + (source - at.sources[from.object]) * pixels;
    const way_room own = {room.far + offset, {room.front[0] + offset, room.front[1] + offset}, room.turn + offset};
    for (int32_t i = t.rank; i < pixels; i += 32) {
      own.far[i] = begin + i == from.pixel ? 0 : (unsigned long long) __double_as_longlong (INFINITY);
      own.turn[i] = 0;
    }
    if (t.rank == 0) {
      own.front[0][0] = from.pixel - begin;
      front_size[0] = 1;
    }
    t.sync ();
    for (int32_t turn = 1; front_size[~turn & 1]; turn++) {
      const int front = front_size[~turn & 1];
      t.sync ();
      if (t.rank == 0)
        front_size[turn & 1] = 0;
      t.sync ();
      for (int i = t.rank; i < front; i += 32)
        look_around ((turn & 1 ? own.front[0] : own.front[1])[i], begin, own, turn, front_size + (turn & 1));
      t.sync ();
    }
    const double most = farthest (t, pixels, own);
    if (t.rank == 0)
      atomicMax ((unsigned long long *) &parts[from.object].longest_path,
                 (unsigned long long) __double_as_longlong (most));
  }
};

__global__ static void
__launch_bounds__ (TEAM_BLOCK) follow_all_ways (follow_ways body)
{
  __shared__ int front_size[WARPS][2];
  const int warp = (int) threadIdx.x / 32;
  const int64_t source = (int64_t) blockIdx.x * WARPS + warp;
  if (source < body.n)
    body.follow (source, front_size[warp]);
}

/* ---- The work ---- */

/* totals: sources, distances, pixels of the largest object when it is too large. */
static fv_status
lay_out_ways (const fv_call *call, const skeleton_graph *g, const skeleton_parts *parts, way_counts *to,
              int64_t totals[3], fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  const int64_t n = g->s.n;
  size_t bytes = 0;
  char *temporary;
  cub::DeviceScan::ExclusiveSum (nullptr, bytes, to->sources, to->sources, n + 1, stream);
  fv_status status = cuda_scratch (call, (size_t) (2 * n + 3), &to->sources, error);
  if (!status)
    status = cuda_scratch (call, bytes, &temporary, error);
  if (status)
    return status;
  to->distances = to->sources + n + 1, to->most_pixels = to->distances + n + 1;
  status = cuda_status (cudaMemsetAsync (to->sources, 0, (size_t) (2 * n + 3) * sizeof *to->sources, stream),
                        "Counting ends", error);
  if (!status)
    status = for_each_item (call, n, count_ways{*g, parts, *to}, error);
  if (status)
    return status;
  cudaError_t code = cub::DeviceScan::ExclusiveSum (temporary, bytes, to->sources, to->sources, n + 1, stream);
  if (!code)
    code = cub::DeviceScan::ExclusiveSum (temporary, bytes, to->distances, to->distances, n + 1, stream);
  status = cuda_status (code, "Counting ends", error);
  if (!status)
    status = call->host->read (call, totals, to->distances - 1, sizeof *totals, error);
  return status ? status : call->host->read (call, totals + 1, to->most_pixels - 1, 2 * sizeof *totals, error);
}

static fv_status
room_take (const fv_call *call, int64_t n, way_room *room, fv_error *error)
{
  fv_status status = cuda_scratch (call, (size_t) n, &room->far, error);
  for (int i = 0; i < 2 && !status; i++)
    status = cuda_scratch (call, (size_t) n, &room->front[i], error);
  return status ? status : cuda_scratch (call, (size_t) n, &room->turn, error);
}

static fv_status
find_sources (const fv_call *call, const skeleton_graph *g, const skeleton_parts *parts, const way_counts *at,
              way_source *to, fv_error *error)
{
  const size_t n = (size_t) g->s.n;
  int32_t *taken;
  fv_status status = cuda_scratch (call, n, &taken, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (taken, 0, n * sizeof *taken, cuda_stream (call)), "Listing ends", error);
  return status ? status : for_each_run (call, &g->s, list_sources{*g, parts, at->sources, taken, to}, error);
}

fv_status
skeleton_ways_find (const fv_call *call, const skeleton_graph *g, const double size[SKELETON_KINDS],
                    skeleton_parts *parts, bool *large, fv_error *error)
{
  follow_ways body = {*g, {}, NULL, 0, {}, {}, parts};
  int64_t totals[3];
  way_source *sources;
  fv_status status = lay_out_ways (call, g, parts, &body.at, totals, error);
  if (status || (*large = totals[1] > WAYS_MOST || totals[2] > WAYS_MOST_PIXELS))
    return status;
  memcpy (body.size, size, sizeof body.size);
  body.n = totals[0];
  status = cuda_scratch (call, (size_t) body.n, &sources, error);
  if (!status)
    status = find_sources (call, g, parts, &body.at, sources, error);
  if (!status)
    status = room_take (call, totals[1], &body.room, error);
  if (status)
    return status;
  body.sources = sources;
  follow_all_ways<<<(unsigned) blocks_for (body.n, WARPS), TEAM_BLOCK, 0, cuda_stream (call)>>> (body);
  return cuda_status (cudaGetLastError (), "Following skeletons", error);
}
