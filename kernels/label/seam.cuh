/* SPDX-License-Identifier: MIT
 *
 * Second pass of label: joins roots of tiles that touch.
 */
#ifndef KERNELS_LABEL_SEAM_CUH
#define KERNELS_LABEL_SEAM_CUH

#include "kernels/label/links.cuh"
#include "kernels/label/label_tiles.cuh"

/* Pixels of any type: two in the foreground are equal when their bytes are. */
struct raw {
  const char *data;
  int64_t plane_bytes, row_bytes;
  int size;
};

__device__ static uint64_t
raw_pixel (const raw &in, uint32_t z, uint32_t y, uint32_t x)
{
  const char *p = in.data + z * in.plane_bytes + y * in.row_bytes + x * (int64_t) in.size;
  return in.size == 1   ? *(const uint8_t *) p
         : in.size == 2 ? *(const uint16_t *) p
         : in.size == 4 ? *(const uint32_t *) p
                        : *(const uint64_t *) p;
}

/* A row of a tile as the seams see it. */
struct line {
  tile t;
  uint32_t y, z;
  bits64 on, start;
  int before;
};

__device__ static line
seam_line (const label_tiles &s, uint32_t tx, uint32_t y, uint32_t z)
{
  uint32_t ty = y >> s.row_shift, tz = z >> (6 - s.row_shift);
  line l = {
    {(tz * s.down + ty) * s.across + tx, tx, tx * LABEL_SIDE, ty << s.row_shift, tz << (6 - s.row_shift)}, y, z};
  size_t at = (size_t) l.t.index * s.lines + ((z - l.t.z) << s.row_shift | (y - l.t.y));
  l.on = s.on[at];
  l.start = s.equal ? s.start[at] : l.on & ~(l.on << 1);
  l.before = s.before[at];
  return l;
}

/* Index of the root of the last run that starts up to a bit. */
template <typename K>
__device__ static K
root_at (const label_tiles &s, const line &l, int bit)
{
  return forest_index<K> (s, l.t, s.root[(size_t) l.t.index * s.room + l.before + __popcll (l.start & upto (bit)) - 1]);
}

__device__ static bool
is_on (const line &l, int bit)
{
  return l.on >> bit & 1;
}

/* Whether pixels of two lines belong together where they touch. */
__device__ static bool
alike (const label_tiles &s, const raw &in, const line &a, int bit_a, const line &b, int bit_b)
{
  return is_on (a, bit_a) && is_on (b, bit_b)
         && (!s.equal || raw_pixel (in, a.z, a.y, a.t.x + bit_a) == raw_pixel (in, b.z, b.y, b.t.x + bit_b));
}

/* Unites two roots where `yes`, unless the lane before does the same. For whole warps. */
template <typename K>
__device__ static void
join (const label_tiles &s, K *forest, bool yes, const line &a, int bit_a, const line &b, int bit_b)
{
  K root_a = yes ? root_at<K> (s, a, bit_a) : 0, root_b = yes ? root_at<K> (s, b, bit_b) : 0;
  uint32_t lane = threadIdx.x % 32, lower = __ballot_sync (~0u, yes) & ((1u << lane) - 1);
  int from = lower ? 31 - __clz ((int) lower) : (int) lane;
  K other_a = __shfl_sync (~0u, root_a, from), other_b = __shfl_sync (~0u, root_b, from);
  if (yes && !(lower && other_a == root_a && other_b == root_b))
    unite (links<K>{forest}, root_a, root_b);
}

__device__ static bool
neighbor_inside (const label_tiles &s, uint32_t y, uint32_t z, int d)
{
  return (int64_t) y + s.dy[d] >= 0 && y + s.dy[d] < s.rows && (int64_t) z + s.dz[d] >= 0;
}

/* What there is to do at the sides of each tile, and how it is dealt to warps. */
struct seams {
  int besides, rows; /* ways to join rows to the tile on the left; pairs of rows */
  int left, batch;   /* warps of 32 rows for all ways; pairs that a warp takes */
  int8_t beside[5];  /* the neighbor that each way joins, or -1: the row to itself */
  uint8_t row[2 * LABEL_SIDE],
    neighbor[2 * LABEL_SIDE]; /* of pairs of rows: the later row, and which one it is joined to */
};

/* The seam to the tile on the left, a lane a row; every list.left-th way from `first` on. What other pairs join anyway is
 * left out. */
template <typename K>
__device__ static void
join_left (const label_tiles &s, const seams &list, const raw &in, K *forest, const tile &t, int r, int first)
{
  bool inside = r < s.lines && row_inside (s, t, r);
  line a = {}, b = {};
  if (inside) {
    a = seam_line (s, t.tx - 1, row_of (s, t, r), plane_of (s, t, r));
    b = seam_line (s, t.tx, a.y, a.z);
  }
  for (int i = first; i < list.besides; i += list.left) {
    int d = list.beside[i];
    if (d < 0) {
      bool yes = inside && alike (s, in, a, LABEL_SIDE - 1, b, 0);
      bool up = __shfl_up_sync (~0u, (int) (yes && !s.equal), 1);
      if (threadIdx.x % 32 && (r & ((1 << s.row_shift) - 1)) && up)
        yes = false;
      join (s, forest, yes, a, LABEL_SIDE - 1, b, 0);
      continue;
    }
    bool there = inside && neighbor_inside (s, b.y, b.z, d);
    line c = {}, e = {};
    if (there) {
      c = seam_line (s, t.tx - 1, b.y + s.dy[d], b.z + s.dz[d]);
      e = seam_line (s, t.tx, c.y, c.z);
    }
    bool down =
      there && alike (s, in, c, LABEL_SIDE - 1, b, 0) && (s.equal || !(is_on (a, LABEL_SIDE - 1) || is_on (e, 0)));
    bool over =
      there && alike (s, in, a, LABEL_SIDE - 1, e, 0) && (s.equal || !(is_on (b, 0) || is_on (c, LABEL_SIDE - 1)));
    join (s, forest, down, c, LABEL_SIDE - 1, b, 0);
    join (s, forest, over, e, 0, a, LABEL_SIDE - 1);
  }
}

enum { BATCH = 16 }; /* at most */

/* A row and an earlier one in another tile. */
struct row_pair {
  line a, b;
};

/* Whether both rows of a pair are inside and have foreground. */
__device__ static bool
find_pair (const label_tiles &s, const seams &list, uint32_t item, row_pair *pair, int *d)
{
  uint32_t index = item / (uint32_t) list.rows, task = item - index * (uint32_t) list.rows;
  if (index >= s.tiles)
    return false;
  tile t = tile_of (s, index);
  uint32_t y = row_of (s, t, list.row[task]), z = plane_of (s, t, list.row[task]);
  *d = list.neighbor[task];
  if (y >= s.rows || z >= s.planes || !neighbor_inside (s, y, z, *d))
    return false;
  pair->a = seam_line (s, t.tx, y + s.dy[*d], z + s.dz[*d]);
  pair->b = seam_line (s, t.tx, y, z);
  return pair->a.on && pair->b.on;
}

/* Joins a pair of rows for each lane up to the batch; all that meet are dealt to all lanes. `pairs` has room for the warp's. */
template <typename K>
__device__ static void
join_meetings (const label_tiles &s, const seams &list, K *link, uint32_t first, row_pair *pairs)
{
  uint32_t lane = threadIdx.x % 32, all;
  bits64 meet = 0;
  row_pair pair;
  int d;
  if (lane < (uint32_t) list.batch && find_pair (s, list, first + lane, &pair, &d)) {
    meet = meetings (pair.a.on, pair.a.start, pair.b.on, pair.b.start, s.reach[d]);
    pairs[lane] = pair;
  }
  uint32_t before = warp_scan ((uint32_t) __popcll (meet), &all);
  __syncwarp ();
  for (uint32_t i = lane; i - lane < all; i += 32) {
    uint32_t at = i < all ? i : all - 1, owner = 0;
    for (uint32_t step = BATCH / 2; step; step /= 2)
      owner += __shfl_sync (~0u, before, (int) (owner + step)) <= at ? step : 0;
    bits64 theirs = __shfl_sync (~0u, meet, (int) owner);
    int bit = find_bit (theirs, (int) (at - __shfl_sync (~0u, before, (int) owner)));
    const row_pair &p = pairs[owner];
    join (s, forest_of (s, link, p.b.t), i < all, p.a, bit, p.b, bit);
  }
}

/* Joins half of a pair of rows, a lane a column. */
template <typename K>
__device__ static void
join_equals (const label_tiles &s, const seams &list, const raw &in, K *link, uint32_t item)
{
  row_pair pair;
  int d, bit = (int) (threadIdx.x % 32 + item % 2 * 32);
  if (!find_pair (s, list, item / 2, &pair, &d))
    return;
  const line &a = pair.a, &b = pair.b;
  K *forest = forest_of (s, link, b.t);
  bool across = alike (s, in, a, bit, b, bit), next = s.reach[d] && !across && bit < LABEL_SIDE - 1;
  join (s, forest, across && ((a.start | b.start) >> bit & 1), a, bit, b, bit);
  join (s, forest, next && alike (s, in, a, bit, b, bit + 1), a, bit, b, bit + 1);
  join (s, forest, next && alike (s, in, a, bit + 1, b, bit), a, bit + 1, b, bit);
}

/* Warps for all seams. */
static int64_t
seam_warps (const label_tiles &s, const seams &list)
{
  int64_t pairs = (int64_t) s.tiles * list.rows;
  return (int64_t) s.tiles * list.left * 2 + (s.equal ? 2 * pairs : blocks_for (pairs, list.batch));
}

/* Blocks of 256, each warp for itself: first the seams to the left, then pairs of rows. Reads the bits at the sides of each
 * tile and of what lies across them, one root for each run there, and follows their links; no barrier of the block. */
template <typename K>
__global__ void
__launch_bounds__ (LABEL_THREADS, 4) seam_kernel (raw in, label_tiles s, seams list, K *link)
{
  __shared__ row_pair pairs[LABEL_THREADS / 32][BATCH];
  uint32_t lane = threadIdx.x % 32, warp = blockIdx.x * (LABEL_THREADS / 32) + threadIdx.x / 32;
  uint32_t lefts = 2 * (uint32_t) list.left, index = warp / lefts;

  if (index < s.tiles) {
    int task = (int) (warp - index * lefts);
    tile t = tile_of (s, index);
    if (t.tx > 0)
      join_left (s, list, in, forest_of (s, link, t), t, (int) lane + task % 2 * 32, task / 2);
  } else if (s.equal)
    join_equals (s, list, in, link, warp - s.tiles * lefts);
  else
    join_meetings (s, list, link, (warp - s.tiles * lefts) * (uint32_t) list.batch, pairs[threadIdx.x / 32]);
}

static seams
seams_of (const label_tiles &s)
{
  seams list = {};
  list.beside[list.besides++] = -1;
  for (int d = 0; d < s.neighbors; d++)
    if (s.reach[d])
      list.beside[list.besides++] = (int8_t) d;
  for (int r = 0; r < s.lines; r++)
    for (int d = 0; d < s.neighbors; d++)
      if (row_before (s, r, d) < 0) {
        list.row[list.rows] = (uint8_t) r;
        list.neighbor[list.rows++] = (uint8_t) d;
      }
  list.left = s.volume ? list.besides : 1;
  list.batch = s.volume ? BATCH : 1; /* of one plane, or of the volume: indices of different planes can be the same */
  return list;
}

#endif
