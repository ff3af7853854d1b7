/* SPDX-License-Identifier: MIT
 *
 * What the borders of objects tell, on the GPU. Patterns of pixels are counted run by run in the label image, each at the last of the object's pixels
 * in it, so that no object sees another and every corner counts once. Holes and 8-connected parts are disjoint sets of runs, joined by all threads at
 * once: a root is the smallest of its set, no matter which thread joined it.
 *
 * - count_plane, count_volume: 1, 8 or 32 lanes a run; 9 (27) labels read a pixel, 12 more for one of a border.
 * - join_gaps, join_parts: a thread a run; a few binary searches among the runs, atomics on 4 bytes a run.
 * - measure_gaps: a thread a run.
 * - trace_parts: region_trace.cuh.
 * - put_outlines: a sum over the runs of each object (region_sums.cuh).
 * No synchronization but within teams.
 */
#include "kernels/regions/region_measure.cuh"
#include "kernels/regions/region_outline.h"
#include "kernels/regions/region_sums.cuh"
#include "kernels/regions/region_trace.cuh"

/* Of each run; NULL where not asked. */
typedef struct outline_counts {
  int4 *patterns;  /* Euler number times 4 (8), straight and diagonal exits */
  int4 *border;    /* pixels that count 1, sqrt 2, the mean */
  int32_t *filled; /* pixels of the hole before the run */
  outline *traced;
} outline_counts;

/* The labels around a run, up to 2 pixels away. */
template <typename T> struct near_labels {
  const T *row; /* of the run */
  int64_t plane_stride, row_stride, planes, rows, columns, z, y;
  int32_t label;
  bool inside; /* all that can be asked for is in the image */

  __device__ near_labels (const view<const T> &v, const run &r, bool volume)
      : row (v.row (r.z, r.y)), plane_stride (v.plane_stride), row_stride (v.row_stride), planes (v.planes),
        rows (v.rows), columns (v.columns), z (r.z), y (r.y), label (r.label)
  {
    inside = (!volume || (z > 0 && z + 1 < planes)) && y > 1 && y + 2 < rows && r.x0 > 1 && r.x1 + 1 < columns;
  }

  __device__ bool has (int dz, int dy, int64_t x) const
  {
    if (!inside
        && (x < 0 || x >= columns || y + dy < 0 || y + dy >= rows || (dz != 0 && (z + dz < 0 || z + dz >= planes))))
      return false;
    return (int32_t) row[dz * plane_stride + dy * row_stride + x] == label;
  }
};

/* ---- Patterns and border pixels of a plane ---- */

/* Whether a pixel of the object has one of its 4 neighbors outside. */
template <typename T>
__device__ static inline bool
on_border (const near_labels<T> &n, int dy, int64_t x)
{
  return !(n.has (0, dy - 1, x) && n.has (0, dy + 1, x) && n.has (0, dy, x - 1) && n.has (0, dy, x + 1));
}

__device__ static inline void
add_pattern (int4 *sum, unsigned p)
{
  sum->x += vertex_euler (p), sum->y += vertex_straight (p), sum->z += vertex_diagonal (p);
}

template <typename T> struct count_plane {
  view<const T> labels;
  const run *runs;
  outline_counts counts;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i) const
  {
    run r = runs[i];
    near_labels<T> n (labels, r, false);
    int4 patterns = {0, 0, 0, 0};
    int one = 0, root = 0, mean = 0;
    for (int64_t x = r.x0 + t.rank; x < r.x1; x += TEAM::size) {
      bool around[3][3];
#pragma unroll
      for (int dy = 0; dy < 3; dy++)
#pragma unroll
        for (int dx = 0; dx < 3; dx++)
          around[dy][dx] = (dy == 1 && dx == 1) || n.has (0, dy - 1, x + dx - 1);
      bool up = around[0][1], left = around[1][0], right = around[1][2], down = around[2][1];
      if (counts.patterns) {
        /* The four vertices around the pixel; it counts one where it is the lowest, then the leftmost. */
        add_pattern (&patterns, HERE | (up ? UP : 0) | (left ? LEFT : 0) | (around[0][0] ? UP_LEFT : 0));
        if (!right)
          add_pattern (&patterns, LEFT | (around[0][2] ? UP : 0) | (up ? UP_LEFT : 0));
        if (!down && !around[2][0])
          add_pattern (&patterns, UP | (left ? UP_LEFT : 0));
        if (!down && !right && !around[2][2])
          add_pattern (&patterns, UP_LEFT);
      }
      if (counts.border && !(up && left && right && down)) {
        border_counts b = {0, 0, 0};
        int beside = 0, across = 0;
#pragma unroll
        for (int dy = 0; dy < 3; dy++)
#pragma unroll
          for (int dx = 0; dx < 3; dx++)
            if ((dy != 1 || dx != 1) && around[dy][dx] && on_border (n, dy - 1, x + dx - 1))
              (dy == 1 || dx == 1 ? beside : across)++;
        border_count (&b, beside, across, 1);
        one += (int) b.one, root += (int) b.root, mean += (int) b.mean;
      }
    }
    if (counts.patterns) {
      patterns.x = team_sum (t, patterns.x), patterns.y = team_sum (t, patterns.y),
      patterns.z = team_sum (t, patterns.z);
      if (t.rank == 0)
        counts.patterns[i] = patterns;
    }
    if (counts.border) {
      one = team_sum (t, one), root = team_sum (t, root), mean = team_sum (t, mean);
      if (t.rank == 0)
        counts.border[i] = make_int4 (one, root, mean, 0);
    }
  }
};

/* ---- Patterns of a volume ---- */

template <typename T> struct count_volume {
  view<const T> labels;
  const run *runs;
  outline_counts counts;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i) const
  {
    run r = runs[i];
    near_labels<T> n (labels, r, true);
    int sum = 0;
    for (int64_t x = r.x0 + t.rank; x < r.x1; x += TEAM::size) {
      uint32_t around = 0; /* bit (dz * 3 + dy) * 3 + dx */
#pragma unroll
      for (int k = 0; k < 27; k++)
        around |= (uint32_t) (k == 13 || n.has (k / 9 - 1, k / 3 % 3 - 1, x + k % 3 - 1)) << k;
      if (around == (1u << 27) - 1)
        continue;
#pragma unroll
      for (int corner = 0; corner < 8; corner++) {
        int base = (corner >> 2) * 9 + (corner >> 1 & 1) * 3 + (corner & 1);
        unsigned p = 0;
#pragma unroll
        for (int v = 0; v < 8; v++)
          p |= (around >> (base + (v >> 2) * 9 + (v >> 1 & 1) * 3 + (v & 1)) & 1) << v;
        /* This voxel is number 7 - corner there, and counts the vertex when no voxel of the object comes after it. */
        if (p >> (7 - corner) == 1)
          sum += vertex_euler_volume (p);
      }
    }
    sum = team_sum (t, sum);
    if (t.rank == 0)
      counts.patterns[i] = make_int4 (sum, 0, 0, 0);
  }
};

/* ---- Disjoint sets ---- */

__device__ static inline int32_t
set_root (int32_t *link, int32_t i)
{
  volatile int32_t *l = link;
  for (int32_t up = l[i]; up != i; up = l[i]) {
    int32_t next = l[up];
    if (next != up)
      l[i] = next; /* only ever to another of its set that is smaller */
    i = up;
  }
  return i;
}

__device__ static inline void
set_unite (int32_t *link, int32_t a, int32_t b)
{
  for (;;) {
    a = set_root (link, a), b = set_root (link, b);
    if (a == b)
      return;
    int32_t low = min (a, b), high = max (a, b);
    if (atomicCAS (link + high, high, low) == high)
      return;
    a = low, b = high;
  }
}

__global__ static void
__launch_bounds__ (TEAM_BLOCK) start_sets (int32_t *link, int64_t n)
{
  int64_t i = (int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x;
  if (i < n)
    link[i] = (int32_t) i;
}

__device__ static inline bool
comes_before (const run &r, int32_t z, int32_t y)
{
  return r.z < z || (r.z == z && r.y < y);
}

/* The first run from `low` on, of the row (z, y), that ends at x or after. */
__device__ static inline int64_t
find_end (const run *runs, int64_t low, int64_t high, int32_t z, int32_t y, int32_t x)
{
  while (low < high) {
    int64_t middle = (low + high) / 2;
    const run &r = runs[middle];
    if (comes_before (r, z, y) || (r.z == z && r.y == y && r.x1 < x))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__device__ static inline bool
in_row (const run &r, int32_t z, int32_t y)
{
  return r.z == z && r.y == y;
}

/* A gap is what lies left of a run of its row, as on the CPU; outside is the gap of the object's first run. A gap is
 * joined with those of the rows around it that it touches, which are all outside where the object has no run. */
struct join_gaps {
  region_set s;
  int32_t *link;
  bool volume;

  template <typename TEAM> __device__ void operator() (TEAM &, int64_t i) const
  {
    int64_t object = s.owner[i], first = s.first[object], end = region_end (s, object);
    run r = s.runs[i];
    if (i == first || !in_row (s.runs[i - 1], r.z, r.y))
      return;
    int32_t from = s.runs[i - 1].x1, to = r.x0;
    for (int k = 0; k < (volume ? 9 : 3); k++) {
      int32_t z = r.z + (volume ? k / 3 - 1 : 0), y = r.y + k % 3 - 1;
      if (z == r.z && y == r.y)
        continue;
      int64_t j = find_end (s.runs, first, end, z, y, from);
      /* Run j is the first that ends at or after `from`: the gap before it and those that follow may touch. */
      for (;; j++) {
        bool has_right = j < end && in_row (s.runs[j], z, y), has_left = j > first && in_row (s.runs[j - 1], z, y);
        bool begins = !has_left || s.runs[j - 1].x1 <= to;
        if (!begins)
          break;
        if (!has_right || s.runs[j].x0 >= from)
          set_unite (link, (int32_t) i, has_left && has_right ? (int32_t) j : (int32_t) first);
        if (!has_right)
          break;
      }
    }
  }
};

struct measure_gaps {
  region_set s;
  int32_t *link, *filled;

  template <typename TEAM> __device__ void operator() (TEAM &, int64_t i) const
  {
    int64_t first = s.first[s.owner[i]];
    run r = s.runs[i];
    bool hole = i != first && in_row (s.runs[i - 1], r.z, r.y) && set_root (link, (int32_t) i) != (int32_t) first;
    filled[i] = hole ? r.x0 - s.runs[i - 1].x1 : 0;
  }
};

/* Joins a run with those of the row above that it touches. */
struct join_parts {
  region_set s;
  int32_t *link;

  template <typename TEAM> __device__ void operator() (TEAM &, int64_t i) const
  {
    int64_t first = s.first[s.owner[i]];
    run r = s.runs[i];
    int64_t j = find_end (s.runs, first, i, r.z, r.y - 1, r.x0);
    for (; j < i && in_row (s.runs[j], r.z, r.y - 1) && s.runs[j].x0 <= r.x1; j++)
      set_unite (link, (int32_t) i, (int32_t) j);
  }
};

/* ---- The columns ---- */

struct put_outlines {
  region_set s;
  region_table t;
  outline_counts counts;

  struct sum {
    int64_t patterns[3], border[3], traced[3], filled;
  };

  __device__ static sum none ()
  {
    return {{0}, {0}, {0}, 0};
  }

  __device__ int begin (int64_t) const
  {
    return 0;
  }

  __device__ void add (sum *n, int, int64_t k) const
  {
    if (counts.patterns) {
      int4 p = counts.patterns[k];
      n->patterns[0] += p.x, n->patterns[1] += p.y, n->patterns[2] += p.z;
    }
    if (counts.border) {
      int4 b = counts.border[k];
      n->border[0] += b.x, n->border[1] += b.y, n->border[2] += b.z;
    }
    if (counts.filled)
      n->filled += counts.filled[k];
    if (counts.traced) {
      outline l = counts.traced[k];
      n->traced[0] += l.across, n->traced[1] += l.down, n->traced[2] += l.corners;
    }
  }

  __device__ static void join (sum *n, const sum &other)
  {
    for (int k = 0; k < 3; k++) {
      n->patterns[k] += other.patterns[k];
      n->border[k] += other.border[k];
      n->traced[k] += other.traced[k];
    }
    n->filled += other.filled;
  }

  __device__ void finish (int64_t i, int, const sum &n) const
  {
    region o = s.items[i];
    double side = square_pixel_side (&t);
    border_counts b = {n.border[0], n.border[1], n.border[2]};
    outline l = {n.traced[0], n.traced[1], n.traced[2]};
    if (counts.patterns) {
      put_property (&t, P_euler_number, i, 0, (double) (n.patterns[0] / (t.volume ? 8 : 4)));
      put_property (&t, P_perimeter_crofton, i, 0, crofton_perimeter (n.patterns[1], n.patterns[2]) * side);
    }
    put_property (&t, P_perimeter, i, 0, border_length (&b) * side);
    put_property (&t, P_area_filled, i, 0, (double) (o.pixels + n.filled) * pixel_size (&t));
    if (counts.traced)
      put_imagej_perimeter (&t, &o, outline_length (&l, t.spacing[1], t.spacing[2]), i);
  }
};

/* ---- All together ---- */

/* One thread a run of any length. */
template <typename BODY>
static fv_status
for_each_run_alone (const region_measure *m, const BODY &body, fv_error *error)
{
  all_runs<1><<<(unsigned) blocks_for (m->s.n_runs, TEAM_BLOCK), TEAM_BLOCK, 0, cuda_stream (m->call)>>> (m->s, body);
  return cuda_status (cudaGetLastError (), "Measuring outlines", error);
}

static fv_status
make_sets (const region_measure *m, int32_t *link, fv_error *error)
{
  start_sets<<<(unsigned) blocks_for (m->s.n_runs, TEAM_BLOCK), TEAM_BLOCK, 0, cuda_stream (m->call)>>> (link,
                                                                                                         m->s.n_runs);
  return cuda_status (cudaGetLastError (), "Measuring outlines", error);
}

template <typename T>
static fv_status
count_outlines (region_measure *m, const outline_counts &c, int32_t *link, fv_error *error)
{
  view<const T> labels = view_of<const T> (m->labels);
  fv_status status = FV_OK;
  if (m->t.volume && c.patterns)
    status = for_each_run (m->call, &m->s, count_volume<T>{labels, m->s.runs, c}, error);
  else if (c.patterns || c.border)
    status = for_each_run (m->call, &m->s, count_plane<T>{labels, m->s.runs, c}, error);
  if (!status && c.filled) {
    status = make_sets (m, link, error);
    if (!status)
      status = for_each_run_alone (m, join_gaps{m->s, link, m->t.volume}, error);
    if (!status)
      status = for_each_run_alone (m, measure_gaps{m->s, link, c.filled}, error);
  }
  if (!status && c.traced) {
    status = make_sets (m, link, error);
    if (!status)
      status = for_each_run_alone (m, join_parts{m->s, link}, error);
    if (!status) {
      trace_parts<T><<<(unsigned) blocks_for (m->s.n_runs, TEAM_BLOCK), TEAM_BLOCK, 0, cuda_stream (m->call)>>> (
        m->s, labels, link, c.traced);
      status = cuda_status (cudaGetLastError (), "Tracing outlines", error);
    }
  }
  return status;
}

fv_status
region_measure_outlines (region_measure *m, fv_error *error)
{
  const fv_call *call = m->call;
  const region_needs *need = &m->need;
  outline_counts c = {};
  int32_t *link = nullptr;
  fv_status status = FV_OK;
  if (!(need->filled || need->patterns || need->perimeter || need->trace))
    return FV_OK;
  if (need->patterns)
    status = cuda_scratch (call, m->s.n_runs, &c.patterns, error);
  if (!status && need->perimeter)
    status = cuda_scratch (call, m->s.n_runs, &c.border, error);
  if (!status && need->filled)
    status = cuda_scratch (call, m->s.n_runs, &c.filled, error);
  if (!status && need->trace)
    status = cuda_scratch (call, m->s.n_runs, &c.traced, error);
  if (!status && (need->filled || need->trace))
    status = cuda_scratch (call, m->s.n_runs, &link, error);
  if (status)
    return status;
  switch (m->labels->grid->type) {
  case FV_U8: status = count_outlines<uint8_t> (m, c, link, error); break;
  case FV_U16: status = count_outlines<uint16_t> (m, c, link, error); break;
  default: status = count_outlines<int32_t> (m, c, link, error);
  }
  return status ? status : for_each_sum (call, &m->s, put_outlines{m->s, m->t, c}, error);
}
