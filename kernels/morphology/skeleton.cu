/* SPDX-License-Identifier: MIT
 *
 * skeleton on the GPU: of planes peel.cuh does the work. Of volumes a thread takes a word of eight pixels. For each side one launch finds candidates,
 * and others decide about them. A pixel is decided when the undecided ones before it no longer matter, which mostly is at once. The first of these
 * always is. The last block of a launch says what the next one is to do, and the host reads now and then whether all is done. To find reads a byte a
 * pixel and those around the pixels of a side, mostly from the cache, to decide no more than the words in which something is found. One barrier a
 * launch.
 */
#include "kernels/morphology/skeleton.h"
#include "kernels/common/rows.cuh"
#include "kernels/morphology/peel.cuh"

enum { SKELETON_AT_ONCE = 32, SKELETON_MOST_OPEN = 6, SKELETON_TRIES = 4 };
#define SKELETON_BITS 0x0101010101010101ull

struct skeleton_rule {
  enum { sides = SKELETON_PLANE_SIDES };

  static __device__ __forceinline__ uint64_t word (const uint64_t *up, const uint64_t *own, const uint64_t *down,
                                                   int side)
  {
    return skeleton_word (up, own, down, side);
  }
};

template <bool STUCK> struct skeleton_imagej_rule {
  enum { sides = SKELETON_IMAGEJ_SIDES };

  static __device__ __forceinline__ uint64_t word (const uint64_t *up, const uint64_t *own, const uint64_t *down,
                                                   int half)
  {
    return skeleton_imagej_word (up, own, down, STUCK, half);
  }
};

/* ---- Volumes ---- */

/* What a launch is to do, and what came of it. */
struct skeleton_state {
  unsigned long long found; /* words in which something is found on this side */
  unsigned arrived;         /* blocks of this launch */
  int side;
  bool deciding, left, changed, done; /* left: something to decide; changed: by any side of this round */
};

/* What lies to a side of eight pixels, whose bytes are `own`. */
__device__ static uint64_t
beside (const uint8_t *pixels, uint64_t own, int64_t side)
{
  if (side == 1)
    return own >> 8 | (uint64_t) pixels[8] << 56;
  if (side == -1)
    return own << 8 | pixels[-1];
  return *(const volatile uint64_t *) (pixels + side);
}

/* Marks what may go of eight pixels; what has gone before becomes background. Others write only bits that are not looked at. */
__device__ static bool
find (const skeleton_field &f, uint8_t *pixels, int64_t side)
{
  uint64_t own = *(const uint64_t *) pixels, now = own & SKELETON_BITS, found = 0;
  if (!own)
    return false;
  for (uint64_t open = now & ~beside (pixels, own, side); open; open &= open - 1) {
    int bit = __ffsll ((long long) open) - 1;
    if (skeleton_may_go (skeleton_near (&f, pixels + bit / 8)))
      found |= (uint64_t) SKELETON_FOUND << bit;
  }
  if ((now | found) != own)
    *(uint64_t *) pixels = now | found;
  return found != 0;
}

/* The neighbors of a pixel at its turn: those of which it is certain that they are there, and those of which it is not. */
__device__ static void
near_in_turn (const skeleton_field &f, const uint8_t *pixel, uint32_t *certain, uint32_t *open)
{
  *certain = *open = 0;
  for (int i = 0; i < 27; i++) {
    int state = ((const volatile uint8_t *) pixel)[(i / 9 - 1) * f.slice + (i / 3 % 3 - 1) * f.pitch + i % 3 - 1];
    bool before = i < SKELETON_CENTER;
    if (i == SKELETON_CENTER || state == SKELETON_NONE || (before && state == SKELETON_GONE))
      continue;
    *(before && state == SKELETON_FOUND ? open : certain) |= 1u << i;
  }
}

/* Whether it is known what becomes of a pixel that is found. */
__device__ static bool
decide (const skeleton_field &f, uint8_t *pixel, bool *goes)
{
  uint32_t certain, open;
  near_in_turn (f, pixel, &certain, &open);
  if (skeleton_count (open) > SKELETON_MOST_OPEN)
    return false;
  *goes = skeleton_connected (certain | open);
  for (uint32_t some = open; some;) {
    some = (some - 1) & open;
    if (skeleton_connected (certain | some) != *goes)
      return false;
  }
  *(volatile uint8_t *) pixel = *goes ? SKELETON_GONE : SKELETON_KEPT;
  return true;
}

/* Decides what is found in a word. Whether something is left, and whether something goes. */
__device__ static void
decide_word (const skeleton_field &f, uint8_t *pixels, bool *left, bool *changed)
{
  uint64_t own = *(const uint64_t *) pixels, open = own & own >> 1 & SKELETON_BITS;
  for (int i = 0; i < SKELETON_TRIES && open; i++)
    for (uint64_t rest = open; rest; rest &= rest - 1) {
      int bit = __ffsll ((long long) rest) - 1;
      bool goes = false;
      if (decide (f, pixels + bit / 8, &goes))
        open &= ~(1ull << bit);
      *changed |= goes;
    }
  *left |= open != 0;
}

/* What the next launch is to do. */
__device__ static void
advance (volatile skeleton_state *s)
{
  bool again = s->deciding ? s->left : s->found > 0;
  s->deciding = again;
  s->left = false;
  s->arrived = 0;
  if (again)
    return;
  s->found = 0;
  s->side = s->side + 1 < SKELETON_SIDES ? s->side + 1 : 0;
  if (s->side == 0) {
    s->done = !s->changed;
    s->changed = false;
  }
}

/* words: for as many words as there are. */
__global__ static void __launch_bounds__ (256)
  skeleton_step_kernel (const __grid_constant__ skeleton_field f, skeleton_state *s, int64_t *words)
{
  const skeleton_state now = *s;
  const int64_t first = f.slice / 8, end = first * (f.planes + 1), side = skeleton_side (&f, now.side);
  bool left = false, changed = false;
  if (now.done)
    return;
  if (now.deciding)
    for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < (int64_t) now.found; i += (int64_t) gridDim.x * 256)
      decide_word (f, f.bytes + 8 * words[i], &left, &changed);
  else
    for (int64_t base = first + (int64_t) blockIdx.x * 256; base < end; base += (int64_t) gridDim.x * 256) {
      int64_t word = base + threadIdx.x;
      bool found = word < end && find (f, f.bytes + 8 * word, side);
      unsigned votes = __ballot_sync (~0u, found), lane = threadIdx.x % 32;
      unsigned long long at = 0;
      if (votes && lane == 0)
        at = atomicAdd (&s->found, (unsigned long long) __popc (votes));
      at = __shfl_sync (~0u, at, 0);
      if (found)
        words[at + __popc (votes & ((1u << lane) - 1))] = word;
    }
  if (left)
    s->left = true;
  if (changed)
    s->changed = true;
  __threadfence ();
  __syncthreads ();
  if (threadIdx.x == 0 && atomicAdd (&s->arrived, 1u) == gridDim.x - 1)
    advance (s);
}

static fv_status
skeleton_rounds (const fv_call *call, const skeleton_field *f, skeleton_state *state, int64_t *words, fv_error *error)
{
  int64_t blocks = blocks_for (f->slice / 8 * f->planes, 256), most = 8 * (int64_t) multiprocessors ();
  cudaStream_t stream = cuda_stream (call);
  fv_status status = cuda_status (cudaMemsetAsync (state, 0, sizeof *state, stream), "Clearing", error);
  for (bool done = false; !done && !status;) {
    for (int i = 0; i < SKELETON_AT_ONCE; i++)
      skeleton_step_kernel<<<(unsigned) (blocks < most ? blocks : most), 256, 0, stream>>> (*f, state, words);
    status = cuda_status (cudaGetLastError (), "Thinning", error);
    if (!status)
      status = call->host->read (call, &done, &state->done, sizeof done, error);
    if (!status && call->host->tick (call, 0, 1))
      status = cancelled (error);
  }
  return status;
}

static fv_status
skeleton_volume (const fv_call *call, fv_error *error)
{
  const view<const uint8_t> in = view_of<const uint8_t> (call->inputs[0]);
  const view<uint8_t> out = view_of<uint8_t> (call->outputs[0]);
  skeleton_field f = skeleton_field_of (in.planes, in.rows, in.columns);
  size_t bytes = (size_t) skeleton_field_bytes (&f);
  cudaStream_t stream = cuda_stream (call);
  int64_t *words;
  fv_status status = cuda_scratch (call, bytes + sizeof (skeleton_state), &f.bytes, error);
  if (!status)
    status = cuda_scratch (call, (size_t) (f.planes * f.slice / 8), &words, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (f.bytes, 0, bytes, stream), "Clearing", error);
  if (status)
    return status;
  rows_launch (call, in, [=] __device__ (int64_t plane, int64_t y) {
    return [from = in.row (plane, y), to = skeleton_row (&f, plane, y)] (int64_t x) {
      to[x] = from[x] ? SKELETON_KEPT : SKELETON_NONE;
    };
  });
  status = skeleton_rounds (call, &f, (skeleton_state *) (f.bytes + bytes), words, error);
  if (status)
    return status;
  rows_launch (call, out, [=] __device__ (int64_t plane, int64_t y) {
    return [from = skeleton_row (&f, plane, y), to = out.row (plane, y)] (int64_t x) { to[x] = from[x] & 1 ? 255 : 0; };
  });
  return cuda_status (cudaGetLastError (), "Thinning", error);
}

fv_status
skeleton_cuda (const fv_call *call, fv_error *error)
{
  const skeleton_args *a = (const skeleton_args *) call->args;
  if (a->method == SKELETON_IMAGEJ_STUCK)
    return peel_mask<skeleton_imagej_rule<true>> (call, 0, error);
  if (a->method == SKELETON_IMAGEJ) {
    const fv_status status = peel_mask<skeleton_imagej_rule<false>> (call, 0, error);
    return status ? status : skeleton_take_stuck (call, FV_CUDA, error);
  }
  return skeleton_is_volume (call->args, array_planes (call->inputs[0])) ? skeleton_volume (call, error)
                                                                         : peel_mask<skeleton_rule> (call, 0, error);
}
