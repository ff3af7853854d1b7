/* SPDX-License-Identifier: MIT
 *
 * What the kernel of morphology.cu is told, and how the pixels of a tile lie in shared memory: in words, of which
 * `least` makes the minimum pixel by pixel. As on the CPU, pixels are integers of their order, complemented for a maximum.
 * A word of a mask is 32 pixels of a row. A word of u8 or u16 is two pixels of a row that lie half the tile's width apart,
 * so that a step of any number of columns is one of as many words. Other types have one pixel a word.
 */
#ifndef KERNELS_MORPHOLOGY_TILE_CUH
#define KERNELS_MORPHOLOGY_TILE_CUH

#include "kernels/common/common.cuh"

#include <type_traits>

enum { TILE_THREADS = 256, TILE_WARPS = TILE_THREADS / 32, TILE_CODE = 880 };

/* Where a pass reads or writes: pixels, or words of bits; bytes from one plane and row to the next. */
struct surface {
  char *data;
  int64_t plane, row;
};

/* What a pass writes: its result, that less than the image, or the image less than that. */
enum hat_side { HAT_NONE, HAT_BELOW, HAT_ABOVE };

/* A pass over the image, or a part of one. The code: for each slice of the footprint {dz, first dy, rows of the tile, where
 * its code ends}, then its steps {widen, n, n takes}. `widen`: unless 0, each word of the tile takes in the one that is so
 * many further; each take brings the word so many further than a pixel's own into that pixel's result. */
struct tile_job {
  surface from, to;
  int32_t planes, rows, columns;
  int32_t left;                 /* words of a row before those of the tile itself */
  int32_t pitch, width, height; /* of the tile in words, with what surrounds it; without it; rows */
  int32_t across, down;         /* tiles in a plane */
  uint32_t magic;               /* 2^32 / pitch, rounded up */
  bool maximum, from_aligned, to_aligned;
  bool more;   /* the result so far is in `to` */
  surface own; /* the image itself, of which a hat is the difference to the result */
  hat_side hat;
  int32_t slices;
  int32_t code[TILE_CODE];
};

/* Where the tile of this block begins. */
struct tile_origin {
  int32_t z, y, x; /* first row; first word of a row, in pixels, without its surroundings */
};

struct tile_cell {
  int32_t row, column;
};

__device__ __forceinline__ tile_cell
cell_of (const tile_job &j, int32_t i)
{
  int32_t row = (int32_t) __umulhi ((uint32_t) i, j.magic);
  return {row, i - row * j.pitch};
}

__device__ __forceinline__ const char *
row_at (const surface &s, int32_t z, int32_t y)
{
  return s.data + z * s.plane + y * s.row;
}

/* ---- Masks ---- */

/* Bit i of the result: whether byte i of the 16 is not zero. */
__device__ __forceinline__ uint32_t
pack_bytes (uint4 v)
{
  uint32_t word[4] = {v.x, v.y, v.z, v.w}, bits = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    uint32_t marks = (((word[i] & 0x7f7f7f7f) + 0x7f7f7f7f) | word[i]) & 0x80808080;
    bits |= marks * 0x00204081 >> 28 << 4 * i;
  }
  return bits;
}

/* 255 in byte i of 16 where bit i is set. */
__device__ __forceinline__ uint4
unpack_bytes (uint32_t bits)
{
  uint32_t word[4];
#pragma unroll
  for (int i = 0; i < 4; i++)
    word[i] = ((bits >> 4 * i & 15) * 0x00204081 & 0x01010101) * 255;
  return make_uint4 (word[0], word[1], word[2], word[3]);
}

/* FROM_BYTES: a mask; else words of bits, whose rows begin at word boundaries and end in bits of no meaning. */
template <bool FROM_BYTES, bool TO_BYTES> struct mask_tile {
  typedef uint32_t word;
  static constexpr int each = 32; /* pixels of a word */

  static __device__ __forceinline__ word neutral (void)
  {
    return ~0u;
  }

  static __device__ __forceinline__ word least (word a, word b)
  {
    return a & b;
  }

  static __device__ __forceinline__ word least (word a, word b, word c)
  {
    return a & b & c;
  }

  /* The 32 pixels from `offset` after the first of *p on. */
  static __device__ __forceinline__ word fetch (const word *p, int32_t offset)
  {
    return __funnelshift_r (p[offset >> 5], p[(offset >> 5) + 1], offset);
  }

  /* How many words further `offset` is; fetch() may look at one more. */
  static __device__ __forceinline__ int32_t words (int32_t offset)
  {
    return offset >> 5;
  }

  /* n of 16 bytes. */
  static __device__ uint4 load_few (const uint8_t *p, int32_t n)
  {
    uint32_t word[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < 15; i++)
      if (i < n)
        word[i / 4] |= (uint32_t) p[i] << 8 * (i % 4);
    return make_uint4 (word[0], word[1], word[2], word[3]);
  }

  /* 16 bytes each time. */
  static __device__ __forceinline__ void load_pieces (const tile_job &j, const tile_origin &t, int32_t z, int32_t y,
                                                      int32_t rows, word *tile)
  {
    const int deep = 4;
    int32_t total = rows * j.pitch * 2;
    uint32_t flip = j.maximum ? ~0u : 0;
    for (int32_t base = (int32_t) threadIdx.x; base < total; base += TILE_THREADS * deep) {
      uint4 v[deep];
      int32_t n[deep];
#pragma unroll
      for (int k = 0; k < deep; k++) {
        int32_t i = base + k * TILE_THREADS;
        tile_cell c = cell_of (j, i >> 1);
        int32_t x = t.x + (c.column - j.left) * 32 + (i & 1) * 16, at = y + c.row;
        n[k] = i < total && x >= 0 && at >= 0 && at < j.rows ? j.columns - x : 0;
        const uint8_t *p = (const uint8_t *) row_at (j.from, z, at) + x;
        if (n[k] >= 16)
          v[k] = *(const uint4 *) p;
        else
          v[k] = load_few (p, n[k]);
      }
#pragma unroll
      for (int k = 0; k < deep; k++) {
        int32_t i = base + k * TILE_THREADS;
        uint32_t bits = pack_bytes (v[k]) ^ flip;
        if (n[k] < 16)
          bits |= ~0u << (n[k] > 0 ? n[k] : 0);
        if (i < total)
          ((uint16_t *) tile)[i] = (uint16_t) bits;
      }
    }
  }

  /* A warp takes the 32 bytes of a word. */
  static __device__ void load_bytes (const tile_job &j, const tile_origin &t, int32_t z, int32_t y, int32_t rows,
                                     word *tile)
  {
    const int deep = 8;
    int32_t total = rows * j.pitch, lane = (int32_t) threadIdx.x & 31;
    for (int32_t base = (int32_t) threadIdx.x / 32 * deep; base < total; base += TILE_WARPS * deep) {
      uint8_t v[deep];
      bool in[deep];
      word mine = 0;
#pragma unroll
      for (int k = 0; k < deep; k++) {
        tile_cell c = cell_of (j, base + k);
        int32_t x = t.x + (c.column - j.left) * 32 + lane, at = y + c.row;
        in[k] = base + k < total && x >= 0 && x < j.columns && at >= 0 && at < j.rows;
        v[k] = in[k] ? (uint8_t) row_at (j.from, z, at)[x] : 0;
      }
#pragma unroll
      for (int k = 0; k < deep; k++) {
        word w = __ballot_sync (~0u, !in[k] || (v[k] != 0) != j.maximum);
        mine = lane == k ? w : mine;
      }
      if (lane < deep && base + lane < total)
        tile[base + lane] = mine;
    }
  }

  static __device__ __forceinline__ void load_words (const tile_job &j, const tile_origin &t, int32_t z, int32_t y,
                                                     int32_t rows, word *tile)
  {
    int32_t total = rows * j.pitch;
#pragma unroll 4
    for (int32_t i = (int32_t) threadIdx.x; i < total; i += TILE_THREADS) {
      tile_cell c = cell_of (j, i);
      int32_t x = t.x + (c.column - j.left) * 32, at = y + c.row, n = j.columns - x;
      word v = ~0u;
      if (x >= 0 && n > 0 && at >= 0 && at < j.rows) {
        v = ((const word *) row_at (j.from, z, at))[x / 32] ^ (j.maximum ? ~0u : 0);
        if (n < 32)
          v |= ~0u << n;
      }
      tile[i] = v;
    }
  }

  static __device__ __forceinline__ void load (const tile_job &j, const tile_origin &t, int32_t z, int32_t y,
                                               int32_t rows, word *tile)
  {
    if (!FROM_BYTES)
      load_words (j, t, z, y, rows, tile);
    else if (j.from_aligned)
      load_pieces (j, t, z, y, rows, tile);
    else
      load_bytes (j, t, z, y, rows, tile);
  }

  static __device__ __forceinline__ bool is_mine (const tile_job &j, const tile_origin &t, tile_cell c)
  {
    return c.row < j.height && t.y + c.row < j.rows && c.column < j.width && t.x + c.column * 32 < j.columns;
  }

  /* Word i of the result so far. */
  static __device__ word so_far (const tile_job &j, const tile_origin &t, int32_t i)
  {
    tile_cell c = cell_of (j, i);
    if (!is_mine (j, t, c))
      return ~0u;
    const char *row = row_at (j.to, t.z, t.y + c.row);
    int32_t x = t.x + c.column * 32;
    word v = 0;
    if (!TO_BYTES)
      v = ((const word *) row)[x / 32];
    else
      for (int k = 0; k < 32 && x + k < j.columns; k++)
        v |= (word) (row[x + k] != 0) << k;
    return j.maximum ? ~v : v;
  }

  static __device__ __forceinline__ void store_pieces (const tile_job &j, const tile_origin &t, int32_t i, word v)
  {
    int32_t lane = (int32_t) threadIdx.x & 31;
#pragma unroll
    for (int k = 0; k < 2; k++) {
      int32_t source = k * 16 + lane / 2;
      uint32_t bits = __shfl_sync (~0u, v, source) >> (lane & 1) * 16;
      tile_cell c = cell_of (j, i - lane + source);
      int32_t x = t.x + c.column * 32 + (lane & 1) * 16;
      if (!is_mine (j, t, c) || x >= j.columns)
        continue;
      char *p = (char *) row_at (j.to, t.z, t.y + c.row) + x;
      if (x + 16 <= j.columns)
        *(uint4 *) p = unpack_bytes (bits);
      else
        for (int n = 0; n < j.columns - x; n++)
          p[n] = (char) (bits >> n & 1 ? 255 : 0);
    }
  }

  /* A warp writes the 32 bytes of a word. */
  static __device__ void store_bytes (const tile_job &j, const tile_origin &t, int32_t i, word v)
  {
    int32_t lane = (int32_t) threadIdx.x & 31;
    for (int k = 0; k < 32; k++) {
      word w = __shfl_sync (~0u, v, k);
      tile_cell c = cell_of (j, i - lane + k);
      int32_t x = t.x + c.column * 32 + lane;
      if (is_mine (j, t, c) && x < j.columns)
        ((char *) row_at (j.to, t.z, t.y + c.row))[x] = (char) (w >> lane & 1 ? 255 : 0);
    }
  }

  static __device__ __forceinline__ void store (const tile_job &j, const tile_origin &t, int32_t i, word v)
  {
    v ^= j.maximum ? ~0u : 0;
    if (TO_BYTES && j.to_aligned)
      store_pieces (j, t, i, v);
    else if (TO_BYTES)
      store_bytes (j, t, i, v);
    else {
      tile_cell c = cell_of (j, i);
      if (is_mine (j, t, c))
        ((word *) row_at (j.to, t.z, t.y + c.row))[t.x / 32 + c.column] = v;
    }
  }
};

/* ---- Other images ---- */

/* Two integers of 16 bits. */
struct word_pair {
  typedef uint32_t word;

  static __device__ __forceinline__ word least (word a, word b)
  {
    return __vminu2 (a, b);
  }

  static __device__ __forceinline__ word least (word a, word b, word c)
  {
    return __vimin3_u16x2 (a, b, c);
  }
};

template <typename K> struct word_single {
  typedef K word;

  static __device__ __forceinline__ word least (word a, word b)
  {
    return a < b ? a : b;
  }

  static __device__ __forceinline__ word least (word a, word b, word c)
  {
    return least (a, least (b, c));
  }
};

/* Bits of a float as an integer of the same order: those of a negative one are complemented, but for the sign. A NaN
 * becomes the least integer of both orders. */
template <typename K>
__device__ __forceinline__ K
ordered (K bits)
{
  return bits ^ (bits < 0 ? (K) ~((K) 1 << (8 * sizeof (K) - 1)) : 0);
}

template <typename K>
__device__ __forceinline__ K
float_key (K bits, K infinity, bool maximum)
{
  const K top = (K) 1 << (8 * sizeof (K) - 1);
  return (bits & ~top) > infinity ? top : ordered (bits) ^ (maximum ? ~(K) 0 : 0);
}

template <typename T> struct pixel_words;

template <> struct pixel_words<uint8_t> : word_pair {
  enum : uint32_t { none = 255 };

  static __device__ __forceinline__ uint32_t key (uint8_t v, bool maximum)
  {
    return maximum ? 255u - v : v;
  }

  static __device__ __forceinline__ uint8_t pixel (uint32_t k, bool maximum)
  {
    return (uint8_t) (maximum ? ~k : k);
  }
};

template <> struct pixel_words<uint16_t> : word_pair {
  enum : uint32_t { none = 65535 };

  static __device__ __forceinline__ uint32_t key (uint16_t v, bool maximum)
  {
    return maximum ? 65535u - v : v;
  }

  static __device__ __forceinline__ uint16_t pixel (uint32_t k, bool maximum)
  {
    return (uint16_t) (maximum ? ~k : k);
  }
};

template <> struct pixel_words<int32_t> : word_single<int32_t> {
  enum : int32_t { none = INT32_MAX };

  static __device__ __forceinline__ int32_t key (int32_t v, bool maximum)
  {
    return maximum ? ~v : v;
  }

  static __device__ __forceinline__ int32_t pixel (int32_t k, bool maximum)
  {
    return maximum ? ~k : k;
  }
};

template <> struct pixel_words<float> : word_single<int32_t> {
  enum : int32_t { none = 0x7f800000 };

  static __device__ __forceinline__ int32_t key (float v, bool maximum)
  {
    return float_key<int32_t> (__float_as_int (v), none, maximum);
  }

  static __device__ __forceinline__ float pixel (int32_t k, bool maximum)
  {
    return __int_as_float (ordered<int32_t> (maximum ? ~k : k));
  }
};

template <> struct pixel_words<double> : word_single<int64_t> {
  enum : int64_t { none = 0x7ff0000000000000 };

  static __device__ __forceinline__ int64_t key (double v, bool maximum)
  {
    return float_key<int64_t> (__double_as_longlong (v), none, maximum);
  }

  static __device__ __forceinline__ double pixel (int64_t k, bool maximum)
  {
    return __longlong_as_double (ordered<int64_t> (maximum ? ~k : k));
  }
};

/* The difference of a pixel and one that is not greater. */
template <typename T>
__device__ __forceinline__ T
hat_of (T high, T low)
{
  if constexpr (std::is_same<T, int32_t>::value)
    return (int32_t) min ((int64_t) high - low, (int64_t) INT32_MAX);
  else
    return (T) (high - low);
}

template <typename T> struct gray_tile : pixel_words<T> {
  typedef pixel_words<T> pixels;
  typedef typename pixels::word word;
  static constexpr int each = sizeof (T) < 4 ? 2 : 1; /* pixels of a word */

  static __device__ __forceinline__ word join (word low, word high)
  {
    return each == 2 ? (word) (low | high << 16 % (8 * sizeof (word))) : low;
  }

  static __device__ __forceinline__ word neutral (void)
  {
    return join (pixels::none, pixels::none);
  }

  static __device__ __forceinline__ word fetch (const word *p, int32_t offset)
  {
    return p[offset];
  }

  static __device__ __forceinline__ int32_t words (int32_t offset)
  {
    return offset;
  }

  static __device__ __forceinline__ word key_at (const tile_job &j, const T *row, int32_t x)
  {
    return x >= 0 && x < j.columns ? (word) pixels::key (row[x], j.maximum) : (word) pixels::none;
  }

  static __device__ __forceinline__ void load (const tile_job &j, const tile_origin &t, int32_t z, int32_t y,
                                               int32_t rows, word *tile)
  {
    const int deep = 4;
    int32_t total = rows * j.pitch;
    for (int32_t base = (int32_t) threadIdx.x; base < total; base += TILE_THREADS * deep) {
      word v[deep];
#pragma unroll
      for (int k = 0; k < deep; k++) {
        int32_t i = base + k * TILE_THREADS;
        tile_cell c = cell_of (j, i);
        int32_t x = t.x + c.column - j.left, at = y + c.row;
        v[k] = neutral ();
        if (i >= total || at < 0 || at >= j.rows)
          continue;
        const T *row = (const T *) row_at (j.from, z, at);
        v[k] = join (key_at (j, row, x), each == 2 ? key_at (j, row, x + j.width) : 0);
      }
#pragma unroll
      for (int k = 0; k < deep; k++)
        if (base + k * TILE_THREADS < total)
          tile[base + k * TILE_THREADS] = v[k];
    }
  }

  /* f (row and column of a pixel of the result, its position in the word), for those that are in the image. */
  template <typename F>
  static __device__ __forceinline__ void each_pixel (const tile_job &j, const tile_origin &t, tile_cell c, F f)
  {
    if (c.row >= j.height || t.y + c.row >= j.rows || c.column >= j.width)
      return;
#pragma unroll
    for (int k = 0; k < each; k++)
      if (t.x + c.column + k * j.width < j.columns)
        f (t.y + c.row, t.x + c.column + k * j.width, 16 * k);
  }

  static __device__ word so_far (const tile_job &j, const tile_origin &t, int32_t i)
  {
    word v = neutral ();
    each_pixel (j, t, cell_of (j, i), [&] (int32_t y, int32_t x, int at) {
      word k = (word) pixels::key (((const T *) row_at (j.to, t.z, y))[x], j.maximum);
      v = at ? join (v & 65535, k) : join (k, pixels::none);
    });
    return v;
  }

  static __device__ __forceinline__ void store_cell (const tile_job &j, const tile_origin &t, tile_cell c, word v)
  {
    each_pixel (j, t, c, [&] (int32_t y, int32_t x, int at) {
      T found = pixels::pixel (v >> at, j.maximum);
      if (j.hat) {
        T own = ((const T *) row_at (j.own, t.z, y))[x];
        found = j.hat == HAT_BELOW ? hat_of (own, found) : hat_of (found, own);
      }
      ((T *) row_at (j.to, t.z, y))[x] = found;
    });
  }

  static __device__ __forceinline__ void store (const tile_job &j, const tile_origin &t, int32_t i, word v)
  {
    store_cell (j, t, cell_of (j, i), v);
  }
};

#endif
