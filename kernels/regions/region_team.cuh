/* SPDX-License-Identifier: MIT
 *
 * Threads that work together on one object: 4 or 16 lanes of a warp, or a block for an object of many runs. A team adds
 * in an order that depends on its size alone, so results are the same in every run.
 */
#ifndef KERNELS_REGIONS_REGION_TEAM_CUH
#define KERNELS_REGIONS_REGION_TEAM_CUH

#include "kernels/common/items.cuh"
#include "kernels/regions/regions.h"

enum {
  TEAM_BLOCK = 256,  /* threads of a block, of a block that is a team too */
  TEAM_LARGE = 1024, /* objects of more runs than this get a block */
};

/* ---- Within a warp ---- */

template <typename T>
__device__ inline T
shuffle (unsigned mask, T v, int lane, int width)
{
  uint32_t words[sizeof (T) / 4];
  memcpy (words, &v, sizeof v);
#pragma unroll
  for (int i = 0; i < (int) (sizeof (T) / 4); i++)
    words[i] = __shfl_sync (mask, words[i], lane, width);
  memcpy (&v, words, sizeof v);
  return v;
}

struct adds {
  template <typename T> __device__ T operator() (T a, T b) const
  {
    return a + b;
  }
};

struct takes_least {
  template <typename T> __device__ T operator() (T a, T b) const
  {
    return b < a ? b : a;
  }
};

struct takes_most {
  template <typename T> __device__ T operator() (T a, T b) const
  {
    return b > a ? b : a;
  }
};

/* G neighboring lanes, G a power of 2. */
template <int G> struct warp_team {
  enum { size = G };
  int rank;
  unsigned mask;

  __device__ warp_team ()
  {
    int lane = threadIdx.x & 31;
    rank = lane % G;
    mask = (G == 32 ? ~0u : (1u << (G & 31)) - 1) << (lane - rank);
  }

  __device__ void sync ()
  {
    __syncwarp (mask);
  }

  /* v of another member; all members call. */
  template <typename T> __device__ T of (T v, int member)
  {
    return shuffle (mask, v, member, G);
  }

  template <typename T, typename OP> __device__ T reduce (T v, OP op)
  {
#pragma unroll
    for (int step = G / 2; step > 0; step /= 2)
      v = op (v, of (v, rank ^ step));
    return v;
  }
};

/* A whole block of TEAM_BLOCK threads. */
struct block_team {
  enum { size = TEAM_BLOCK, ROOM = 16 };
  int rank;
  char *room; /* shared, size * ROOM bytes */

  __device__ block_team (char *shared) : rank ((int) threadIdx.x), room (shared)
  {
  }

  __device__ void sync ()
  {
    __syncthreads ();
  }

  template <typename T> __device__ T of (T v, int member)
  {
    static_assert (sizeof (T) <= ROOM, "room");
    T *slots = (T *) room;
    __syncthreads ();
    slots[rank] = v;
    __syncthreads ();
    return slots[member];
  }

  template <typename T, typename OP> __device__ T reduce (T v, OP op)
  {
    static_assert (sizeof (T) * (size / 32) <= size * ROOM, "room");
    T *slots = (T *) room;
    v = warp_team<32> ().reduce (v, op);
    __syncthreads ();
    if (rank % 32 == 0)
      slots[rank / 32] = v;
    __syncthreads ();
    v = slots[0];
    for (int i = 1; i < size / 32; i++)
      v = op (v, slots[i]);
    return v;
  }
};

template <typename TEAM, typename T>
__device__ inline T
team_sum (TEAM &t, T v)
{
  return t.reduce (v, adds ());
}

template <typename TEAM, typename T>
__device__ inline T
team_least (TEAM &t, T v)
{
  return t.reduce (v, takes_least ());
}

template <typename TEAM, typename T>
__device__ inline T
team_most (TEAM &t, T v)
{
  return t.reduce (v, takes_most ());
}

/* ---- The objects of an image, on the device ---- */

typedef struct region_set {
  const run *runs;      /* sorted by object; in the order of z, y, x */
  const int32_t *first; /* first run of each object */
  const int32_t *owner; /* object of each run */
  const int32_t *large; /* objects of more than TEAM_LARGE runs, in any order */
  region *items;
  int64_t n_runs, n, n_large, pixels;
} region_set;

__device__ inline int64_t
region_end (const region_set &s, int64_t i)
{
  return i + 1 < s.n ? s.first[i + 1] : s.n_runs;
}

/* How many pixels the object has, for all members. */
template <typename TEAM>
__device__ inline int64_t
team_pixels (TEAM &t, const region_set &s, int64_t i)
{
  const int64_t end = region_end (s, i);
  int64_t pixels = 0;
  for (int64_t k = s.first[i] + t.rank; k < end; k += TEAM::size)
    pixels += s.runs[k].x1 - s.runs[k].x0;
  return team_sum (t, pixels);
}

__device__ inline bool
region_is_large (const region_set &s, int64_t i)
{
  return region_end (s, i) - s.first[i] > TEAM_LARGE;
}

/* How many blocks of a body should fit into a multiprocessor, which tells the compiler how many registers it may use. 0: the compiler decides; for
 * a long body these can be so few that it spills them to memory. */
template <typename BODY> struct blocks_that_fit {
  enum { value = 0 };
};

/* body (team, object, slot): slot is the team's number, below the number of teams. */
template <int G, typename BODY>
__global__ void
__launch_bounds__ (TEAM_BLOCK, blocks_that_fit<BODY>::value) small_objects (region_set s, BODY body)
{
  int64_t slot = ((int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x) / G, slots = (int64_t) gridDim.x * (TEAM_BLOCK / G);
  warp_team<G> t;
  for (int64_t i = slot; i < s.n; i += slots)
    if (!region_is_large (s, i))
      body (t, i, slot);
}

template <typename BODY>
__global__ void
__launch_bounds__ (TEAM_BLOCK, blocks_that_fit<BODY>::value) large_objects (region_set s, BODY body)
{
  __shared__ __align__ (16) char room[TEAM_BLOCK * block_team::ROOM];
  block_team t (room);
  for (int64_t i = blockIdx.x; i < s.n_large; i += gridDim.x)
    body (t, (int64_t) s.large[i], (int64_t) blockIdx.x);
}

/* Blocks for n teams of `lanes`. */
static inline unsigned
team_blocks (int64_t n, int lanes)
{
  int64_t blocks = blocks_for (n * lanes, TEAM_BLOCK), most = (int64_t) 1 << 22;
  return (unsigned) (blocks < most ? blocks : most);
}

static inline bool
regions_are_small (const region_set *s)
{
  return s->n_runs < 8 * s->n;
}

/* Calls the body for each object, with at most `slots` teams. */
template <typename BODY>
static inline fv_status
for_each_object (const fv_call *call, const region_set *s, int64_t slots, const BODY &body, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  int64_t n = s->n < slots ? s->n : slots;
  if (regions_are_small (s))
    small_objects<4><<<team_blocks (n, 4), TEAM_BLOCK, 0, stream>>> (*s, body);
  else
    small_objects<16><<<team_blocks (n, 16), TEAM_BLOCK, 0, stream>>> (*s, body);
  if (s->n_large > 0) {
    n = s->n_large < slots ? s->n_large : slots;
    large_objects<<<(unsigned) (n < 65535 ? n : 65535), TEAM_BLOCK, 0, stream>>> (*s, body);
  }
  return cuda_status (cudaGetLastError (), "Measuring objects", error);
}

/* ---- Runs, each by G lanes: 1, 8 or 32, as long as the runs are ---- */

template <int G, typename BODY>
__global__ void
__launch_bounds__ (TEAM_BLOCK) all_runs (region_set s, BODY body)
{
  int64_t i = ((int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x) / G;
  warp_team<G> t;
  if (i < s.n_runs)
    body (t, i);
}

template <typename BODY>
static inline fv_status
for_each_run (const fv_call *call, const region_set *s, const BODY &body, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  int64_t mean = s->pixels / s->n_runs;
  if (mean < 4)
    all_runs<1><<<(unsigned) blocks_for (s->n_runs, TEAM_BLOCK), TEAM_BLOCK, 0, stream>>> (*s, body);
  else if (mean < 64)
    all_runs<8><<<(unsigned) blocks_for (s->n_runs * 8, TEAM_BLOCK), TEAM_BLOCK, 0, stream>>> (*s, body);
  else
    all_runs<32><<<(unsigned) blocks_for (s->n_runs * 32, TEAM_BLOCK), TEAM_BLOCK, 0, stream>>> (*s, body);
  return cuda_status (cudaGetLastError (), "Measuring runs", error);
}

/* ---- Anything, each by a thread ---- */

/* Calls the body for 0 ... n - 1. */
template <typename BODY>
static inline fv_status
for_each_item (const fv_call *call, int64_t n, const BODY &body, fv_error *error)
{
  items_launch (call, n, body);
  return cuda_status (cudaGetLastError (), "Measuring objects", error);
}

/* ---- Scratch laid out in one piece ---- */

template <typename T>
static inline void
lay (char *base, size_t *at, int64_t n, T **to)
{
  *to = (T *) (base + *at);
  *at += ((size_t) (n > 0 ? n : 1) * sizeof (T) + 127) / 128 * 128;
}

#endif
