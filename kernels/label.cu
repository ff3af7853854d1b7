/* SPDX-License-Identifier: MIT
 *
 * label on the GPU. Tiles of 64 rows of 64 pixels become bits and runs; a union-find over a tile's runs in shared memory gives
 * each of its components a root, the first run of it. Roots of different tiles that touch are joined in a forest whose nodes
 * are places of pixels: the smallest of a set, its root, is the object's first pixel. A bit marks each root; the number of bits
 * before it is its label. A row of a tile is 64 rows of a plane or, in a volume, some rows of some planes.
 * The forest stands in the output (only first pixels of components of tiles are touched), or in scratch when its places
 * need 64 bits. Other scratch: 1.3 bytes a pixel. More than 2^31 - 1 objects all get the last label.
 */
#include "common.cuh"
#include "label.h"

typedef unsigned long long bits64;

enum {
  SIDE = 64,          /* of a tile */
  TILE_THREADS = 128, /* a thread has half of a row */
  LOADS = 4,          /* of 16 bytes, in flight */
  JUMPS = 3,          /* rounds in which links are made to skip one */
  THREADS = 256,
  SEAM_THREADS = SIDE, /* in planes */
  DEEP_THREADS = 512,  /* in volumes */
};
static const int64_t narrow_places = (int64_t) 1 << 32;

/* What all kernels need, by value. Tiles are counted along x, y, z. A word is 64 pixels of a row of a tile. */
struct sheet {
  uint32_t planes, rows, columns, across, down; /* across, down: tiles */
  uint32_t tiles, words;                        /* words: of all rows, in raster order */
  int row_shift;                                /* a tile has 2^row_shift rows of each of its planes */
  int lines, room;                              /* of a tile: rows, and places for runs */
  bool volume, equal, border, long_sizes;
  int neighbours; /* earlier rows with neighbours of a row's pixels: dz planes and dy rows away, see label_reach() */
  int8_t dz[4], dy[4], reach[4];
  int64_t row_step, plane_step; /* of places in the forest */
  bits64 *on, *start;           /* [tiles][lines] foreground, and where runs start; start only with `equal` */
  uint16_t *before;             /* [tiles][lines] runs of the tile before the row */
  uint16_t *root;               /* [tiles][room] for each run: row * 64 + column of its root in the tile */
  bits64 *roots;                /* [words] roots of tiles; later of objects, and then of those that are kept */
  uint32_t *rank;               /* [words + 1] roots before */
  bits64 *state;                /* [1 + blocks of roots_kernel]: how many have begun, and their sums */
  void *sizes;                  /* pixels of the object, by place of the root, or NULL */
  uint32_t least, most;         /* sizes that are kept; most 0: no limit */
};

/* ---- Places ---- */

struct tile {
  uint32_t index, tx, x, y, z; /* x, y, z: of its first pixel */
};

__device__ static tile
tile_of (const sheet &s, uint32_t index)
{
  uint32_t line = index / s.across, tx = index - line * s.across, tz = line / s.down;
  return {index, tx, tx * SIDE, (line - tz * s.down) << s.row_shift, tz << (6 - s.row_shift)};
}

/* Row and plane of a row of a tile. */
__device__ static uint32_t
row_of (const sheet &s, const tile &t, int r)
{
  return t.y + (uint32_t) (r & ((1 << s.row_shift) - 1));
}

__device__ static uint32_t
plane_of (const sheet &s, const tile &t, int r)
{
  return t.z + (uint32_t) (r >> s.row_shift);
}

__device__ static bool
row_inside (const sheet &s, const tile &t, int r)
{
  return row_of (s, t, r) < s.rows && plane_of (s, t, r) < s.planes;
}

/* The row of the same tile that is neighbour d of row r, or -1. */
__device__ static int
row_before (const sheet &s, int r, int d)
{
  int y = (r & ((1 << s.row_shift) - 1)) + s.dy[d], z = (r >> s.row_shift) + s.dz[d];
  return z < 0 || y < 0 || y >> s.row_shift ? -1 : z << s.row_shift | y;
}

/* The part of the forest that a tile is in: a plane, or all. */
template <typename K>
__device__ static K *
forest_of (const sheet &s, K *link, const tile &t)
{
  return s.volume ? link : link + t.z * s.plane_step;
}

/* Place in the forest of row * 64 + column of a tile. */
template <typename K>
__device__ static K
place_of (const sheet &s, const tile &t, uint32_t position)
{
  int r = (int) (position / SIDE);
  int64_t place = row_of (s, t, r) * s.row_step + t.x + position % SIDE;
  return (K) (s.volume ? place + plane_of (s, t, r) * s.plane_step : place);
}

/* The bit of a root. */
struct mark {
  uint32_t word;
  int bit;
};

template <typename K>
__device__ static mark
mark_of (const sheet &s, const tile &t, K place)
{
  uint32_t z = t.z;
  if (s.volume) {
    z = (uint32_t) (place / (K) s.plane_step);
    place -= z * (K) s.plane_step;
  }
  uint32_t y = (uint32_t) (place / (K) s.row_step), x = (uint32_t) (place - y * (K) s.row_step);
  return {(z * s.rows + y) * s.across + x / SIDE, (int) (x % SIDE)};
}

__device__ static bits64
upto (int bit)
{
  return ~0ull >> (63 - bit);
}

/* Corners of pixels; or pixels alone. */
__device__ static bits64
widen (bits64 on, int reach)
{
  return reach ? on | on << 1 : on;
}

/* Where runs of two rows meet: one bit for each pair. As in label.c. */
__device__ static bits64
meetings (bits64 on_a, bits64 start_a, bits64 on_b, bits64 start_b, int reach)
{
  return widen (on_a, reach) & widen (on_b, reach) & (start_a | start_b);
}

/* ---- Disjoint sets: see common_union_find.h. Any number of threads at once: a link only ever goes down within the set. ---- */

template <typename K> struct atomic_of;
template <> struct atomic_of<uint32_t> {
  typedef unsigned type;
};
template <> struct atomic_of<uint64_t> {
  typedef unsigned long long type;
};

/* Links in global memory. */
template <typename K> struct links {
  K *link;

  __device__ K
  get (K i) const
  {
    return ((volatile K *) link)[i];
  }

  __device__ void
  skip (K i, K to) const
  {
    ((volatile K *) link)[i] = to;
  }

  __device__ K
  lower (K i, K to) const
  {
    typedef typename atomic_of<K>::type atomic;
    return (K) atomicMin ((atomic *) link + i, (atomic) to);
  }
};

/* Links in shared memory, by atomics alone. */
struct tile_links {
  uint32_t *link;

  __device__ uint32_t
  get (uint32_t i) const
  {
    return atomicOr (link + i, 0u);
  }

  __device__ void
  skip (uint32_t i, uint32_t to) const
  {
    atomicMin (link + i, to);
  }

  __device__ uint32_t
  lower (uint32_t i, uint32_t to) const
  {
    return atomicMin (link + i, to);
  }
};

template <typename LINKS, typename K>
__device__ static K
root_of (const LINKS &l, K i)
{
  K up = l.get (i);
  while (up != i) {
    K next = l.get (up);
    if (next == up)
      return up;
    l.skip (i, next);
    i = next;
    up = l.get (i);
  }
  return i;
}

template <typename LINKS, typename K>
__device__ static void
unite (const LINKS &l, K a, K b)
{
  for (;;) {
    a = root_of (l, a);
    b = root_of (l, b);
    if (a == b)
      return;
    if (a > b) {
      K c = a;
      a = b;
      b = c;
    }
    K old = l.lower (b, a);
    if (old == b)
      return;
    b = old;
  }
}

/* ---- Pixels to bits ---- */

template <typename T>
__device__ static bool
foreground (T v)
{
  return v != T (0) && v == v;
}

/* Bits of the pixels in 16 bytes. */
template <typename T>
__device__ static uint32_t
vector_bits (uint4 v)
{
  uint32_t bits = 0;
  if constexpr (sizeof (T) == 1) {
    const uint32_t w[4] = {v.x, v.y, v.z, v.w};
    for (int i = 0; i < 4; i++) {
      uint32_t high = (((w[i] & 0x7f7f7f7f) + 0x7f7f7f7f) | w[i]) & 0x80808080;
      bits |= ((high >> 7) * 0x01020408 >> 24 & 15) << 4 * i;
    }
  } else {
    T pixels[16 / sizeof (T)];
    memcpy (pixels, &v, 16);
    for (int i = 0; i < (int) (16 / sizeof (T)); i++)
      bits |= (uint32_t) foreground (pixels[i]) << i;
  }
  return bits;
}

/* Rows that start at multiples of 16 bytes. */
template <typename T>
__device__ static void
load_vectors (const view<const T> &in, const sheet &s, const tile &t, bits64 *on)
{
  constexpr int each = 16 / sizeof (T), all = SIDE * SIDE / each / TILE_THREADS, n = all < LOADS ? all : LOADS;
  for (int first = 0; first < all; first += n) {
    uint4 v[n];
    uint32_t tail[n];
#pragma unroll
    for (int k = 0; k < n; k++) {
      int i = (first + k) * TILE_THREADS + (int) threadIdx.x, r = i / (SIDE / each);
      uint32_t x = t.x + (uint32_t) (i % (SIDE / each) * each);
      const T *p = in.row (plane_of (s, t, r), row_of (s, t, r)) + x;
      v[k] = make_uint4 (0, 0, 0, 0);
      tail[k] = 0;
      if (row_inside (s, t, r)) {
        if (x + each <= s.columns)
          v[k] = *(const uint4 *) p;
        else
          for (int j = 0; x + j < s.columns; j++)
            tail[k] |= (uint32_t) foreground (p[j]) << j;
      }
    }
#pragma unroll
    for (int k = 0; k < n; k++) {
      int i = (first + k) * TILE_THREADS + (int) threadIdx.x;
      uint32_t bits = vector_bits<T> (v[k]) | tail[k];
      if constexpr (sizeof (T) == 1)
        ((uint16_t *) on)[i] = (uint16_t) bits;
      else if constexpr (sizeof (T) == 2)
        ((uint8_t *) on)[i] = (uint8_t) bits;
      else {
        bits |= __shfl_down_sync (~0u, bits, 1) << each;
        if constexpr (sizeof (T) == 8)
          bits |= __shfl_down_sync (~0u, bits, 2) << 2 * each;
        if (i % (8 / each) == 0)
          ((uint8_t *) on)[i / (8 / each)] = (uint8_t) bits;
      }
    }
  }
}

/* Any rows: each warp takes 16, pixel by pixel. */
template <typename T>
__device__ static void
load_pixels (const view<const T> &in, const sheet &s, const tile &t, bits64 *on)
{
  constexpr int n = 8;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t mine = 0;
  for (int first = 0; first < 32; first += n) {
    T v[n];
#pragma unroll
    for (int k = 0; k < n; k++) {
      int r = warp * 16 + (first + k) / 2;
      uint32_t x = t.x + (uint32_t) ((first + k) % 2 * 32 + lane);
      v[k] = row_inside (s, t, r) && x < s.columns ? in.row (plane_of (s, t, r), row_of (s, t, r))[x] : T (0);
    }
#pragma unroll
    for (int k = 0; k < n; k++) {
      uint32_t bits = __ballot_sync (~0u, foreground (v[k]));
      mine = lane == first + k ? bits : mine;
    }
  }
  ((uint32_t *) on)[warp * 32 + lane] = mine;
}

/* ---- Equal values: rows of a tile as lanes hold them, pixels lane and lane + 32; 0 stands for all that is background ---- */

template <typename T> struct pair {
  T a, b;
};

template <typename T>
__device__ static pair<T>
load_pair (const view<const T> &in, const sheet &s, const tile &t, int r)
{
  pair<T> v = {0, 0};
  if (!row_inside (s, t, r))
    return v;
  const T *p = in.row (plane_of (s, t, r), row_of (s, t, r));
  uint32_t x = t.x + threadIdx.x % 32;
  if (x < s.columns)
    v.a = p[x];
  if (x + 32 < s.columns)
    v.b = p[x + 32];
  v.a = foreground (v.a) ? v.a : T (0);
  v.b = foreground (v.b) ? v.b : T (0);
  return v;
}

/* The pixels one to the right; 0 past the tile. */
template <typename T>
__device__ static pair<T>
next_pair (pair<T> v)
{
  T a = __shfl_down_sync (~0u, v.a, 1), b = __shfl_down_sync (~0u, v.b, 1), first = __shfl_sync (~0u, v.b, 0);
  bool last = threadIdx.x % 32 == 31;
  return {last ? first : a, last ? T (0) : b};
}

template <typename T>
__device__ static bits64
same (pair<T> v, pair<T> w)
{
  uint32_t low = __ballot_sync (~0u, v.a == w.a && v.a != T (0)),
           high = __ballot_sync (~0u, v.b == w.b && v.b != T (0));
  return (bits64) high << 32 | low;
}

template <typename T>
__device__ static void
load_equal (const view<const T> &in, const sheet &s, const tile &t, bits64 *on, bits64 *start)
{
  for (int i = 0; i < 16; i++) {
    int r = (int) threadIdx.x / 32 * 16 + i;
    pair<T> v = load_pair (in, s, t, r);
    bits64 fore = same (v, v), more = same (v, next_pair (v));
    if (threadIdx.x % 32 == 0) {
      on[r] = fore;
      start[r] = fore & ~(more << 1);
    }
  }
}

/* Which pixels of rows equal that across in neighbour d, and those at the diagonals: (x, x + 1) and (x + 1, x). */
struct matches {
  bits64 across[SIDE], right[SIDE], left[SIDE];
};

template <typename T>
__device__ static void
match_rows (const view<const T> &in, const sheet &s, const tile &t, int d, matches *m)
{
  for (int i = 0; i < 16; i++) {
    int r = (int) threadIdx.x / 32 * 16 + i, before = row_before (s, r, d);
    bits64 across = 0, right = 0, left = 0;
    if (before >= 0) {
      pair<T> a = load_pair (in, s, t, before), b = load_pair (in, s, t, r);
      across = same (a, b);
      if (s.reach[d]) {
        right = same (a, next_pair (b)) & ~across;
        left = same (next_pair (a), b) & ~across;
      }
    }
    if (threadIdx.x % 32 == 0) {
      m->across[r] = across;
      m->right[r] = right;
      m->left[r] = left;
    }
  }
}

/* ---- Tiles ---- */

/* Half of a row, or of a row and one before it, as one thread has them. `run` is the last run before; a is the earlier. */
struct half {
  uint32_t start;
  int run;
};

__device__ static uint32_t
half_of (bits64 bits, int high)
{
  return (uint32_t) (high ? bits >> 32 : bits);
}

__device__ static half
make_half (bits64 start, int before, int high)
{
  return {half_of (start, high), before - 1 + (high ? __popc ((uint32_t) start) : 0)};
}

/* Unites the last runs that start up to each bit of `meet`; offsets choose the next ones instead. */
__device__ static void
unite_bits (tile_links links, uint32_t meet, const half &a, const half &b, int next_a, int next_b)
{
  for (; meet; meet &= meet - 1) {
    uint32_t till = meet ^ (meet - 1);
    unite (links, (uint32_t) (a.run + next_a + __popc (a.start & till)),
           (uint32_t) (b.run + next_b + __popc (b.start & till)));
  }
}

/* How many runs there are before each row; each warp for itself, two rows a lane. */
struct run_counts {
  int before, first, all; /* before row 2 * lane; in it; in the tile */
};

__device__ static run_counts
count_runs (bits64 start_even, bits64 start_odd)
{
  int lane = threadIdx.x % 32, first = __popcll (start_even), both = first + __popcll (start_odd), sum = both;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync (~0u, sum, d);
    sum += lane >= d ? other : 0;
  }
  return {sum - both, first, __shfl_sync (~0u, sum, 31)};
}

__device__ static int
runs_before (const run_counts &c, int r)
{
  int before = __shfl_sync (~0u, c.before, r / 2), first = __shfl_sync (~0u, c.first, r / 2);
  return r & 1 ? before + first : before;
}

template <bool EQUAL> struct tile_memory {
  static constexpr int room = SIDE * SIDE / (EQUAL ? 1 : 2);
  bits64 on[SIDE], start[EQUAL ? SIDE : 1], roots[SIDE];
  uint32_t link[room];
  uint16_t at[room], before[SIDE];
};

template <bool EQUAL>
__device__ static bits64
starts_of (const tile_memory<EQUAL> &m, int r)
{
  return EQUAL ? m.start[r] : m.on[r] & ~(m.on[r] << 1);
}

/* Links runs to the first run that they meet, or to themselves. `met`: the run that comes into this half has met another
 * before. Returns the meetings that are left. */
__device__ static uint32_t
link_runs (uint32_t *link, uint16_t *at, uint32_t meet, bool met, const half &a, const half &b, int position)
{
  int run = b.run;
  for (uint32_t bits = b.start; bits; bits &= bits - 1) {
    run++;
    link[run] = (uint32_t) run;
    at[run] = (uint16_t) (position + __ffs ((int) bits) - 1);
  }
  __syncwarp ();
  uint32_t left = 0, seen = 0;
  for (; meet; meet &= meet - 1) {
    uint32_t till = meet ^ (meet - 1);
    if (b.start & till & ~seen || !(seen || met))
      link[b.run + __popc (b.start & till)] = (uint32_t) (a.run + __popc (a.start & till));
    else
      left |= meet & -meet;
    seen = till;
  }
  return left;
}

/* Joins half a row to its neighbour d > 0. Two barriers with `equal`. */
template <typename T, bool EQUAL>
__device__ static void
join_neighbour (const view<const T> &in, const sheet &s, const tile &t, int d, tile_memory<EQUAL> &m, matches &match)
{
  int r = (int) threadIdx.x / 2, high = threadIdx.x & 1, other = row_before (s, r, d);
  if (EQUAL) {
    __syncthreads ();
    match_rows (in, s, t, d, &match);
    __syncthreads ();
  }
  if (other < 0)
    return;
  bits64 start = starts_of (m, r), start_a = starts_of (m, other);
  half a = make_half (start_a, m.before[other], high), b = make_half (start, m.before[r], high);
  if (EQUAL) {
    unite_bits (tile_links{m.link}, half_of (match.across[r] & (start | start_a), high), a, b, 0, 0);
    unite_bits (tile_links{m.link}, half_of (match.right[r], high), a, b, 0, 1);
    unite_bits (tile_links{m.link}, half_of (match.left[r], high), a, b, 1, 0);
  } else
    unite_bits (tile_links{m.link}, half_of (meetings (m.on[other], start_a, m.on[r], start, s.reach[d]), high), a, b, 0, 0);
}

/* Joins the rows within a tile; returns the number of runs. Two barriers; with `equal` two more for each neighbour d > 0. */
template <typename T, bool EQUAL>
__device__ static int
join_tile (const view<const T> &in, const sheet &s, const tile &t, tile_memory<EQUAL> &m, matches &match)
{
  int lane = threadIdx.x % 32, r = (int) threadIdx.x / 2, high = threadIdx.x & 1, above = row_before (s, r, 0);
  run_counts counts = count_runs (starts_of (m, 2 * lane), starts_of (m, 2 * lane + 1));
  int before = runs_before (counts, r), before_a = runs_before (counts, above < 0 ? 0 : above);
  bits64 start = starts_of (m, r), start_a = above < 0 ? 0 : starts_of (m, above), meet = 0;

  if (EQUAL)
    meet = match.across[r] & (start | start_a);
  else if (above >= 0)
    meet = meetings (m.on[above], start_a, m.on[r], start, s.reach[0]);
  if (!high)
    m.before[r] = (uint16_t) before;
  half a = make_half (start_a, before_a, high), b = make_half (start, before, high);
  uint32_t low = (uint32_t) start;
  bool met = high && low && (uint32_t) meet >> (31 - __clz ((int) low));
  uint32_t left = link_runs (m.link, m.at, half_of (meet, high), met, a, b, (int) threadIdx.x * 32);
  __syncthreads ();
  for (int k = 0; k < JUMPS; k++)
    for (int i = threadIdx.x; i < counts.all; i += TILE_THREADS) {
      tile_links links = {m.link};
      uint32_t up = links.get ((uint32_t) i), next = links.get (up);
      if (next != up)
        links.skip ((uint32_t) i, next);
    }
  unite_bits (tile_links{m.link}, left, a, b, 0, 0);
  if (EQUAL) {
    unite_bits (tile_links{m.link}, half_of (match.right[r], high), a, b, 0, 1);
    unite_bits (tile_links{m.link}, half_of (match.left[r], high), a, b, 1, 0);
  }
  for (int d = 1; d < s.neighbours; d++)
    join_neighbour (in, s, t, d, m, match);
  __syncthreads ();
  return counts.all;
}

/* Half a row a thread. */
template <bool EQUAL>
__device__ static void
store_tile (const sheet &s, const tile &t, const tile_memory<EQUAL> &m)
{
  int r = (int) threadIdx.x / 2;
  if (r >= s.lines)
    return;
  size_t to = (size_t) t.index * s.lines + r;
  if (threadIdx.x & 1) {
    s.before[to] = m.before[r];
    if (row_inside (s, t, r))
      s.roots[(plane_of (s, t, r) * s.rows + row_of (s, t, r)) * s.across + t.tx] = m.roots[r];
  } else {
    s.on[to] = m.on[r];
    if (EQUAL)
      s.start[to] = m.start[r];
  }
}

/* One block of 128 a tile. Reads each pixel once (with `equal` up to 9 times, mostly from the cache), writes 1/8 to 3/8 byte a
 * pixel, 2 bytes a run and one link a component of the tile. Barriers of the block: 4, with `equal` two more for each
 * neighbouring row but one. Clears what roots_kernel counts with. */
template <typename T, bool EQUAL, typename K>
__global__ void
__launch_bounds__ (TILE_THREADS, EQUAL ? 8 : 12) tile_kernel (view<const T> in, sheet s, K *link, bool aligned)
{
  __shared__ tile_memory<EQUAL> m;
  __shared__ matches match;
  tile t = tile_of (s, blockIdx.x);

  if (threadIdx.x < 2 && t.index <= s.words / THREADS)
    s.state[threadIdx.x ? t.index + 1 : 0] = 0;
  if (EQUAL) {
    load_equal (in, s, t, m.on, m.start);
    match_rows (in, s, t, 0, &match);
  } else if (aligned)
    load_vectors (in, s, t, m.on);
  else
    load_pixels (in, s, t, m.on);
  ((uint32_t *) m.roots)[threadIdx.x] = 0;
  __syncthreads ();
  int runs = join_tile (in, s, t, m, match);

  K *forest = forest_of (s, link, t);
  uint16_t *root = s.root + (size_t) t.index * s.room;
  for (int i = threadIdx.x; i < runs; i += TILE_THREADS) {
    uint32_t up = root_of (tile_links{m.link}, (uint32_t) i), at = m.at[up];
    root[i] = (uint16_t) at;
    if (up == (uint32_t) i) {
      K place = place_of<K> (s, t, at);
      forest[place] = place;
      atomicOr ((unsigned *) m.roots + at / 32, 1u << at % 32);
    }
  }
  __syncthreads ();
  store_tile (s, t, m);
}

/* ---- Seams ---- */

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
line_at (const sheet &s, uint32_t tx, uint32_t y, uint32_t z)
{
  uint32_t ty = y >> s.row_shift, tz = z >> (6 - s.row_shift);
  line l = {{(tz * s.down + ty) * s.across + tx, tx, tx * SIDE, ty << s.row_shift, tz << (6 - s.row_shift)}, y, z};
  size_t at = (size_t) l.t.index * s.lines + ((z - l.t.z) << s.row_shift | (y - l.t.y));
  l.on = s.on[at];
  l.start = s.equal ? s.start[at] : l.on & ~(l.on << 1);
  l.before = s.before[at];
  return l;
}

/* Place of the root of the last run that starts up to a bit. */
template <typename K>
__device__ static K
place_at (const sheet &s, const line &l, int bit)
{
  return place_of<K> (s, l.t, s.root[(size_t) l.t.index * s.room + l.before + __popcll (l.start & upto (bit)) - 1]);
}

__device__ static bool
is_on (const line &l, int bit)
{
  return l.on >> bit & 1;
}

/* Whether pixels of two lines belong together where they touch. */
__device__ static bool
alike (const sheet &s, const raw &in, const line &a, int bit_a, const line &b, int bit_b)
{
  return is_on (a, bit_a) && is_on (b, bit_b)
         && (!s.equal || raw_pixel (in, a.z, a.y, a.t.x + bit_a) == raw_pixel (in, b.z, b.y, b.t.x + bit_b));
}

/* Unites two places where `yes`, unless the lane before does the same. For whole warps. */
template <typename K>
__device__ static void
join (const sheet &s, K *forest, bool yes, const line &a, int bit_a, const line &b, int bit_b)
{
  K place_a = yes ? place_at<K> (s, a, bit_a) : 0, place_b = yes ? place_at<K> (s, b, bit_b) : 0;
  uint32_t lane = threadIdx.x % 32, lower = __ballot_sync (~0u, yes) & ((1u << lane) - 1);
  int from = lower ? 31 - __clz ((int) lower) : (int) lane;
  K other_a = __shfl_sync (~0u, place_a, from), other_b = __shfl_sync (~0u, place_b, from);
  if (yes && !(lower && other_a == place_a && other_b == place_b))
    unite (links<K>{forest}, place_a, place_b);
}

/* The row of tile column tx that is neighbour d of a row, if it is inside. */
__device__ static bool
neighbour_inside (const sheet &s, uint32_t y, uint32_t z, int d)
{
  return (int64_t) y + s.dy[d] >= 0 && y + s.dy[d] < s.rows && (int64_t) z + s.dz[d] >= 0;
}

/* The seam to the tile on the left; a thread a row, neighbours dealt to groups of 64. What other pairs join anyway is left
 * out. */
template <typename K>
__device__ static void
join_left (const sheet &s, const raw &in, K *forest, const tile &t, int group, int groups)
{
  int r = threadIdx.x % SIDE;
  bool inside = r < s.lines && row_inside (s, t, r);
  line a = {}, b = {};
  if (inside) {
    a = line_at (s, t.tx - 1, row_of (s, t, r), plane_of (s, t, r));
    b = line_at (s, t.tx, a.y, a.z);
  }
  if (group == groups - 1) {
    bool yes = inside && alike (s, in, a, SIDE - 1, b, 0);
    bool up = __shfl_up_sync (~0u, (int) (yes && !s.equal), 1);
    if (threadIdx.x % 32 && (r & ((1 << s.row_shift) - 1)) && up)
      yes = false;
    join (s, forest, yes, a, SIDE - 1, b, 0);
  }
  for (int d = group; d < s.neighbours; d += groups) {
    if (!s.reach[d])
      continue;
    bool there = inside && neighbour_inside (s, b.y, b.z, d);
    line c = {}, e = {};
    if (there) {
      c = line_at (s, t.tx - 1, b.y + s.dy[d], b.z + s.dz[d]);
      e = line_at (s, t.tx, c.y, c.z);
    }
    bool down = there && alike (s, in, c, SIDE - 1, b, 0) && (s.equal || !(is_on (a, SIDE - 1) || is_on (e, 0)));
    bool over = there && alike (s, in, a, SIDE - 1, e, 0) && (s.equal || !(is_on (b, 0) || is_on (c, SIDE - 1)));
    join (s, forest, down, c, SIDE - 1, b, 0);
    join (s, forest, over, e, 0, a, SIDE - 1);
  }
}

/* A row and its neighbour in another tile; a thread a column. */
template <typename K>
__device__ static void
join_across (const sheet &s, const raw &in, K *forest, const line &a, const line &b, int reach)
{
  int bit = threadIdx.x % SIDE;
  if (!s.equal) {
    join (s, forest, meetings (a.on, a.start, b.on, b.start, reach) >> bit & 1, a, bit, b, bit);
    return;
  }
  bool across = alike (s, in, a, bit, b, bit), next = reach && !across && bit < SIDE - 1;
  join (s, forest, across && ((a.start | b.start) >> bit & 1), a, bit, b, bit);
  if (reach) {
    join (s, forest, next && alike (s, in, a, bit, b, bit + 1), a, bit, b, bit + 1);
    join (s, forest, next && alike (s, in, a, bit + 1, b, bit), a, bit + 1, b, bit);
  }
}

/* One block of 64, or of 512 in volumes, a tile. Reads the bits at the sides of each tile and of what lies across them, one
 * root for each run there, and follows their links; no barrier. */
template <typename K>
__global__ void
__launch_bounds__ (DEEP_THREADS) seam_kernel (raw in, sheet s, K *link)
{
  tile t = tile_of (s, blockIdx.x);
  K *forest = forest_of (s, link, t);
  int group = (int) threadIdx.x / SIDE, groups = (int) blockDim.x / SIDE, rows = s.volume ? s.lines : 1;

  if (t.tx > 0)
    join_left (s, in, forest, t, group, groups);
  for (int r = group; r < rows; r += groups) {
    uint32_t y = row_of (s, t, r), z = plane_of (s, t, r);
    if (y >= s.rows || z >= s.planes)
      continue;
    for (int d = 0; d < s.neighbours; d++) {
      if (row_before (s, r, d) >= 0 || !neighbour_inside (s, y, z, d))
        continue;
      line a = line_at (s, t.tx, y + s.dy[d], z + s.dz[d]), b = line_at (s, t.tx, y, z);
      if (a.on && b.on)
        join_across (s, in, forest, a, b, s.reach[d]);
    }
  }
}

/* ---- Roots ---- */

__device__ static size_t
size_place (const sheet &s, mark m)
{
  return s.equal ? (size_t) m.word * 64 + m.bit : (size_t) m.word * 32 + m.bit / 2;
}

/* The n-th set bit. */
__device__ static int
find_bit (bits64 bits, int n)
{
  uint32_t word = (uint32_t) bits;
  int count = __popc (word), bit = 0;
  if (n >= count) {
    n -= count;
    word = (uint32_t) (bits >> 32);
    bit = 32;
  }
  for (int d = 16; d; d /= 2) {
    count = __popc (word & ((1u << d) - 1));
    if (n >= count) {
      n -= count;
      word >>= d;
      bit += d;
    }
  }
  return bit;
}

/* Follows the link of a root of a tile and makes it short. Others may do so at once: only minima keep short ones short. */
template <typename K>
__device__ static bool
flatten_root (const sheet &s, K *link, uint32_t word, int bit)
{
  typedef typename atomic_of<K>::type atomic;
  uint32_t row = word / s.across, z = row / s.rows, y = row - z * s.rows,
           x = (word - row * s.across) * SIDE + (uint32_t) bit;
  K *forest = s.volume ? link : link + z * s.plane_step;
  K place = (K) ((s.volume ? z * s.plane_step : 0) + y * s.row_step + x), at = place, up;
  volatile K *l = forest;
  while ((up = l[at]) != at) {
    K next = l[up];
    if (next != up)
      atomicMin ((atomic *) forest + at, (atomic) next);
    at = next;
  }
  if (at != place)
    atomicMin ((atomic *) forest + place, (atomic) at);
  return at == place;
}

/* Keeps the bits of roots of objects; a word a lane, their bits dealt to all lanes. `keep` has room for the warp's words. */
template <typename K>
__device__ static bits64
flatten_words (const sheet &s, K *link, uint32_t word, bits64 bits, bits64 *keep)
{
  int lane = threadIdx.x % 32, count = __popcll (bits), sum = count;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync (~0u, sum, d);
    sum += lane >= d ? other : 0;
  }
  int all = __shfl_sync (~0u, sum, 31), before = sum - count;
  keep[lane] = bits;
  __syncwarp ();
  for (int first = 0; first < all; first += 32) {
    int i = first + lane, owner = 0;
    for (int d = 16; d; d /= 2)
      owner += __shfl_sync (~0u, before, owner + d) <= i ? d : 0;
    bits64 theirs = __shfl_sync (~0u, bits, owner);
    int bit = find_bit (theirs, i - __shfl_sync (~0u, before, owner));
    uint32_t at = word - (uint32_t) lane + (uint32_t) owner;
    if (i >= all)
      continue;
    if (!flatten_root (s, link, at, bit))
      atomicAnd ((unsigned *) (keep + owner) + bit / 32, ~(1u << bit % 32));
    else if (s.sizes && s.long_sizes)
      ((uint64_t *) s.sizes)[size_place (s, {at, bit})] = 0;
    else if (s.sizes)
      ((uint32_t *) s.sizes)[size_place (s, {at, bit})] = 0;
  }
  __syncwarp ();
  return keep[lane];
}

/* Drops roots of objects of unwanted size. */
__device__ static bits64
filter_word (const sheet &s, uint32_t word, bits64 bits)
{
  bits64 kept = bits;
  for (; bits; bits &= bits - 1) {
    int bit = __ffsll ((long long) bits) - 1;
    size_t at = size_place (s, {word, bit});
    uint64_t size = s.long_sizes ? ((const uint64_t *) s.sizes)[at] : ((const uint32_t *) s.sizes)[at];
    if (size < s.least || (s.most && size > s.most))
      kept &= ~(1ull << bit);
  }
  return kept;
}

/* Sum of `value` over the threads before, and over all. Two barriers. */
__device__ static uint32_t
block_scan (uint32_t value, uint32_t *all)
{
  __shared__ uint32_t sums[THREADS / 32];
  int lane = threadIdx.x % 32;
  uint32_t sum = value;
  for (int d = 1; d < 32; d *= 2) {
    uint32_t other = __shfl_up_sync (~0u, sum, d);
    sum += lane >= d ? other : 0;
  }
  if (lane == 31)
    sums[threadIdx.x / 32] = sum;
  __syncthreads ();
  uint32_t before = 0;
  *all = 0;
  for (int i = 0; i < THREADS / 32; i++) {
    before += i < (int) threadIdx.x / 32 ? sums[i] : 0;
    *all += sums[i];
  }
  __syncthreads ();
  return before + sum - value;
}

/* Sum over all blocks before, by one warp: each block leaves its own sum, and then that of all up to it. D. Merrill,
 * M. Garland, NVIDIA NVR-2016-002. */
__device__ static uint32_t
blocks_before (bits64 *state, uint32_t block, uint32_t sum)
{
  const bits64 own = 1ull << 62, whole = 2ull << 62;
  volatile bits64 *states = state;
  uint32_t lane = threadIdx.x % 32, before = 0;

  if (lane == 0)
    states[block] = (block ? own : whole) | sum;
  for (int64_t look = (int64_t) block - 1 - lane;; look -= 32) {
    bits64 v = whole;
    while (look >= 0 && !((v = states[look]) >> 62))
      ;
    uint32_t ends = __ballot_sync (~0u, v >> 62 == 2), part = ends && lane > __ffs ((int) ends) - 1u ? 0 : (uint32_t) v;
    for (int d = 16; d; d /= 2)
      part += __shfl_xor_sync (~0u, part, d);
    before += part;
    if (ends)
      break;
  }
  if (lane == 0 && block)
    states[block] = whole | (uint32_t) (before + sum);
  return before;
}

enum stage { FLATTEN = 1, NUMBER = 2 };

/* A block of 256 for as many words; 8 bytes a word read, up to 12 written, and the links of the roots of tiles followed.
 * Barriers of the block: 4. A block waits for sums of blocks that took their number before. */
template <typename K, int STAGES>
__global__ void
__launch_bounds__ (THREADS) roots_kernel (sheet s, K *link)
{
  __shared__ uint32_t shared[2];
  __shared__ bits64 keep[THREADS];
  uint32_t block = blockIdx.x, all;

  if (STAGES & NUMBER) {
    if (threadIdx.x == 0)
      shared[0] = (uint32_t) atomicAdd (s.state, 1ull);
    __syncthreads ();
    block = shared[0];
  }
  uint32_t word = block * THREADS + threadIdx.x;
  bits64 bits = word < s.words ? s.roots[word] : 0, kept = bits;
  if (STAGES & FLATTEN)
    kept = flatten_words (s, link, word, bits, keep + threadIdx.x / 32 * 32);
  else if (s.sizes)
    kept = filter_word (s, word, bits);
  if (kept != bits)
    s.roots[word] = kept;
  if (!(STAGES & NUMBER))
    return;
  uint32_t before = block_scan ((uint32_t) __popcll (kept), &all);
  if (threadIdx.x < 32) {
    uint32_t blocks = blocks_before (s.state + 1, block, all);
    if (threadIdx.x == 0)
      shared[1] = blocks;
  }
  __syncthreads ();
  if (word <= s.words)
    s.rank[word] = shared[1] + before;
}

/* ---- What both last kernels know of a tile ---- */

template <bool EQUAL> struct paint_memory {
  bits64 on[SIDE], start[SIDE];
  int run[2 * SIDE];                              /* the last that starts before half a row */
  uint32_t values[SIDE * SIDE / (EQUAL ? 1 : 2)]; /* of runs */
};

/* Returns the number of runs. One barrier. */
template <bool EQUAL>
__device__ static int
load_tile (const sheet &s, const tile &t, paint_memory<EQUAL> &m)
{
  int r = threadIdx.x;
  if (r < SIDE) {
    size_t at = (size_t) t.index * s.lines + r;
    bits64 on = r < s.lines ? s.on[at] : 0, start = r >= s.lines ? 0 : EQUAL ? s.start[at] : on & ~(on << 1);
    int run = r < s.lines ? s.before[at] - 1 : 0;
    m.on[r] = on;
    m.start[r] = start;
    m.run[2 * r] = run;
    m.run[2 * r + 1] = run + __popc ((uint32_t) start);
  }
  __syncthreads ();
  return m.run[2 * s.lines - 1] + __popc ((uint32_t) (m.start[s.lines - 1] >> 32)) + 1;
}

/* The last run that starts up to row * 64 + column. */
template <bool EQUAL>
__device__ static int
run_at (const paint_memory<EQUAL> &m, uint32_t position)
{
  return m.run[position / 32] + __popc (((const uint32_t *) m.start)[position / 32] & ~0u >> (31 - position % 32));
}

/* ---- Dropping objects ---- */

/* One block of 256 a tile. Reads 2 bytes a run and the bits; adds a number for each component of the tile to the size of its
 * object, and clears the bits of objects at the border. Three barriers of the block. */
template <typename K, bool EQUAL>
__global__ void
__launch_bounds__ (THREADS) measure_kernel (sheet s, K *link)
{
  const uint32_t at_border = 1u << 31;
  __shared__ paint_memory<EQUAL> m;
  tile t = tile_of (s, blockIdx.x);
  const uint16_t *root = s.root + (size_t) t.index * s.room;
  int runs = load_tile (s, t, m), r = (int) threadIdx.x / 4;
  uint32_t y = row_of (s, t, r), z = plane_of (s, t, r);
  bool edge = y == 0 || y == s.rows - 1 || (s.volume && (z == 0 || z == s.planes - 1));

  for (int i = threadIdx.x; i < runs; i += THREADS)
    m.values[i] = 0;
  __syncthreads ();
  bits64 on = m.on[r], start = m.start[r], mine = start & 0xffffull << 16 * (threadIdx.x % 4);
  for (; mine; mine &= mine - 1) {
    int x = __ffsll ((long long) mine) - 1;
    bits64 stop = (~on | start) & ~upto (x);
    int end = stop ? __ffsll ((long long) stop) - 1 : SIDE;
    int to = run_at (m, root[run_at (m, (uint32_t) (r * SIDE + x))]);
    atomicAdd (m.values + to, (uint32_t) (end - x));
    if (s.border && (edge || t.x + x == 0 || t.x + end == s.columns))
      atomicOr (m.values + to, at_border);
  }
  __syncthreads ();
  K *forest = forest_of (s, link, t);
  for (int i = threadIdx.x; i < runs; i += THREADS) {
    uint32_t value = m.values[i];
    if (!value)
      continue;
    mark at = mark_of<K> (s, t, forest[place_of<K> (s, t, root[i])]);
    if (s.sizes && s.long_sizes)
      atomicAdd ((bits64 *) s.sizes + size_place (s, at), (bits64) (value & ~at_border));
    else if (s.sizes)
      atomicAdd ((uint32_t *) s.sizes + size_place (s, at), value & ~at_border);
    if (value & at_border && *(volatile bits64 *) (s.roots + at.word) >> at.bit & 1)
      atomicAnd (s.roots + at.word, ~(1ull << at.bit));
  }
}

/* ---- Labels ---- */

template <typename K>
__device__ static int32_t
label_at (const sheet &s, const tile &t, K *forest, uint32_t position, uint32_t first)
{
  mark m = mark_of<K> (s, t, ((volatile K *) forest)[place_of<K> (s, t, position)]);
  bits64 bits = s.roots[m.word];
  uint32_t rank = s.rank[m.word] + (uint32_t) __popcll (bits & upto (m.bit)) - first;
  return !(bits >> m.bit & 1) ? 0 : rank < INT32_MAX ? (int32_t) rank : INT32_MAX;
}

/* Labels of all runs of a tile to m.values. Two barriers. */
template <typename K, bool EQUAL>
__device__ static void
label_runs (const sheet &s, const tile &t, K *link, int runs, uint32_t first, paint_memory<EQUAL> &m)
{
  const uint16_t *root = s.root + (size_t) t.index * s.room;
  K *forest = forest_of (s, link, t);
  for (int i = threadIdx.x; i < runs; i += THREADS) {
    uint32_t position = root[i];
    int to = run_at (m, position);
    m.values[i] = to == i ? (uint32_t) label_at (s, t, forest, position, first) : ~(uint32_t) to;
  }
  __syncthreads ();
  for (int i = threadIdx.x; i < runs; i += THREADS) {
    uint32_t value = m.values[i];
    if (value >> 31)
      m.values[i] = m.values[~value];
  }
  __syncthreads ();
}

/* One block of 256 a tile. Writes 4 bytes a pixel; reads the bits, 2 bytes a run, and for each component of the tile its link,
 * a word of roots and its rank. All links of the tile are read before the labels take their place. Three barriers of the
 * block. The first tile of a plane, or of the volume, writes the count. */
template <typename K, bool EQUAL>
__global__ void
__launch_bounds__ (THREADS) paint_kernel (sheet s, K *link, view<int32_t> out, double *objects, bool aligned)
{
  __shared__ paint_memory<EQUAL> m;
  tile t = tile_of (s, blockIdx.x);
  uint32_t plane_words = s.rows * s.across, first = s.volume ? 0 : s.rank[t.z * plane_words];
  int runs = load_tile (s, t, m);

  if (threadIdx.x == 0 && t.x == 0 && t.y == 0 && (!s.volume || t.z == 0))
    objects[s.volume ? 0 : t.z] = s.volume ? s.rank[s.words] : s.rank[(t.z + 1) * plane_words] - first;
  label_runs (s, t, link, runs, first, m);
  if (!aligned) {
    for (int i = threadIdx.x; i < SIDE * s.lines; i += THREADS) {
      int r = i / SIDE, x = i % SIDE;
      if (row_inside (s, t, r) && t.x + x < s.columns)
        out.row (plane_of (s, t, r), row_of (s, t, r))[t.x + x] =
          m.on[r] >> x & 1 ? (int32_t) m.values[run_at (m, i)] : 0;
    }
    return;
  }
#pragma unroll
  for (int k = 0; k < SIDE * SIDE / 4 / THREADS; k++) {
    int i = k * THREADS + (int) threadIdx.x, r = i / (SIDE / 4), x = i % (SIDE / 4) * 4;
    if (!row_inside (s, t, r) || t.x + x >= s.columns)
      continue;
    uint32_t on = ((const uint32_t *) m.on)[i / 8] >> x % 32 & 15, start = ((const uint32_t *) m.start)[i / 8];
    int32_t v[4] = {0, 0, 0, 0}, *to = out.row (plane_of (s, t, r), row_of (s, t, r)) + t.x + x;
    int run = m.run[i / 8] + __popc (start & ((1u << x % 32) - 1));
    start >>= x % 32;
    if (on)
      for (int j = 0; j < 4; j++) {
        run += start >> j & 1;
        v[j] = on >> j & 1 ? (int32_t) m.values[run] : 0;
      }
    if (t.x + x + 4 <= s.columns)
      *(int4 *) to = make_int4 (v[0], v[1], v[2], v[3]);
    else
      for (int j = 0; j < 3 && t.x + x + j < s.columns; j++)
        to[j] = v[j];
  }
}

/* ---- The operation ---- */

static sheet
sheet_of (const fv_call *call)
{
  static const int before[][2] = {{0, -1}, {-1, 1}, {-1, 0}, {-1, -1}};
  const label_args *a = (const label_args *) call->args;
  const fv_array *in = call->inputs[0];
  sheet s = {};
  s.planes = (uint32_t) array_planes (in);
  s.rows = (uint32_t) array_rows (in);
  s.columns = (uint32_t) array_columns (in);
  s.volume = a->volume;
  s.equal = a->values == LABEL_EQUAL;
  s.border = a->exclude_border;
  s.row_shift = !s.volume || s.planes == 1 ? 6 : s.planes < 4 ? 5 : s.planes < 8 ? 4 : 3;
  s.lines = s.row_shift == 6 && s.rows < SIDE ? (int) s.rows : SIDE;
  int width = s.columns < SIDE ? (int) s.columns : SIDE;
  s.room = s.lines * (s.equal ? width : (width + 1) / 2);
  s.across = (uint32_t) blocks_for (s.columns, SIDE);
  s.down = (uint32_t) blocks_for (s.rows, 1 << s.row_shift);
  s.tiles = s.across * s.down * (uint32_t) blocks_for (s.planes, SIDE >> s.row_shift);
  s.words = s.planes * s.rows * s.across;
  s.least = a->min_size > 1 ? (uint32_t) a->min_size : 1;
  s.most = a->max_size > 0 ? (uint32_t) a->max_size : 0;
  s.long_sizes = (int64_t) (s.volume ? s.planes : 1) * s.rows * s.columns > UINT32_MAX;
  for (int i = 0; i < 4; i++) {
    int reach = label_reach (a, before[i][0], before[i][1]);
    if (reach < 0)
      continue;
    s.dz[s.neighbours] = (int8_t) before[i][0];
    s.dy[s.neighbours] = (int8_t) before[i][1];
    s.reach[s.neighbours++] = (int8_t) reach;
  }
  return s;
}

static char *
take (char **memory, size_t bytes)
{
  char *p = *memory;
  *memory += (bytes + 255) / 256 * 256;
  return p;
}

/* Places the arrays of a sheet, and a forest of its own where `link_bytes`, from `memory` on. Returns what is behind them. */
static char *
place_arrays (sheet *s, char *memory, bool sized, size_t link_bytes, void **link)
{
  size_t lines = (size_t) s->tiles * s->lines, words = s->words;
  s->on = (bits64 *) take (&memory, lines * 8);
  s->start = s->equal ? (bits64 *) take (&memory, lines * 8) : NULL;
  s->before = (uint16_t *) take (&memory, lines * 2);
  s->root = (uint16_t *) take (&memory, (size_t) s->tiles * s->room * 2);
  s->roots = (bits64 *) take (&memory, words * 8);
  s->rank = (uint32_t *) take (&memory, (words + 1) * 4);
  s->state = (bits64 *) take (&memory, (words / THREADS + 2) * 8);
  s->sizes = sized ? take (&memory, words * (s->equal ? 64 : 32) * (s->long_sizes ? 8 : 4)) : NULL;
  if (link_bytes)
    *link = take (&memory, link_bytes);
  return memory;
}

static fv_status
launched (const fv_call *call, int part, fv_error *error)
{
  fv_status status = cuda_status (cudaGetLastError (), "Labelling", error);
  return status ? status : call->host->tick (call, part, 5) ? cancelled (error) : FV_OK;
}

template <typename K, bool EQUAL>
static fv_status
label_with (const fv_call *call, const sheet &s, K *link, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const fv_array *out = call->outputs[0];
  cudaStream_t stream = cuda_stream (call);
  unsigned blocks = s.words / THREADS + 1;
  fv_status status;

  with_type (in->grid.type, [&] (auto zero) {
    using T = decltype (zero);
    tile_kernel<T, EQUAL>
      <<<s.tiles, TILE_THREADS, 0, stream>>> (view_of<const T> (in), s, link, rows_aligned (in, 16));
  });
  if ((status = launched (call, 1, error)))
    return status;
  int64_t bytes = (int64_t) type_bytes (in->grid.type);
  raw pixels = {(const char *) in->tensor.data, in->tensor.strides[0] * bytes, in->tensor.strides[1] * bytes,
                (int) bytes};
  seam_kernel<<<s.tiles, s.volume ? DEEP_THREADS : SEAM_THREADS, 0, stream>>> (pixels, s, link);
  if ((status = launched (call, 2, error)))
    return status;
  if (s.border || s.sizes) {
    roots_kernel<K, FLATTEN><<<blocks, THREADS, 0, stream>>> (s, link);
    measure_kernel<K, EQUAL><<<s.tiles, THREADS, 0, stream>>> (s, link);
    roots_kernel<K, NUMBER><<<blocks, THREADS, 0, stream>>> (s, link);
  } else
    roots_kernel<K, FLATTEN | NUMBER><<<blocks, THREADS, 0, stream>>> (s, link);
  if ((status = launched (call, 3, error)))
    return status;
  paint_kernel<K, EQUAL>
    <<<s.tiles, THREADS, 0, stream>>> (s, link, view_of<int32_t> (out), call->scalars, rows_aligned (out, 16));
  return launched (call, 4, error);
}

fv_status
label_cuda (const fv_call *call, fv_error *error)
{
  const DLTensor *out = &call->outputs[0]->tensor;
  sheet s = sheet_of (call);
  bool sized = s.least > 1 || s.most > 0;
  int64_t places =
    (s.volume ? (int64_t) (s.planes - 1) * out->strides[0] : 0) + (s.rows - 1) * out->strides[1] + s.columns;
  bool narrow = places <= narrow_places;
  void *link = out->data;
  char *memory;

  s.row_step = narrow ? out->strides[1] : s.columns;
  s.plane_step = narrow ? out->strides[0] : (int64_t) s.rows * s.columns;
  size_t link_bytes = narrow ? 0 : (size_t) s.planes * (size_t) s.plane_step * 8;
  fv_status status =
    cuda_scratch (call, (size_t) (place_arrays (&s, NULL, sized, link_bytes, &link) - (char *) NULL), &memory, error);
  if (status)
    return status;
  link = out->data;
  place_arrays (&s, memory, sized, link_bytes, &link);
  if (s.equal)
    return narrow ? label_with<uint32_t, true> (call, s, (uint32_t *) link, error)
                  : label_with<uint64_t, true> (call, s, (uint64_t *) link, error);
  return narrow ? label_with<uint32_t, false> (call, s, (uint32_t *) link, error)
                : label_with<uint64_t, false> (call, s, (uint64_t *) link, error);
}
