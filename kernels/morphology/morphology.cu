/* SPDX-License-Identifier: MIT
 *
 * morphology on the GPU: as on the CPU, running minima over longer and longer runs are made in tiles (footprint.h), here in shared memory. A pass
 * over the image is one launch. A footprint with long code has several; each continues with the result of the one before. In large images strips.cuh
 * does most of the work.
 *
 * morphology_kernel: one block of 256 for a tile, any number of blocks, up to 16 words of the result in registers of each thread. Reads
 * the tile with its surroundings (from device memory once, then mostly from L2), writes each pixel once; masks between the
 * passes of one call take a bit a pixel. Barriers: two for each slice of the footprint or band of its rows, one for every 2048
 * words of each step of widening, and one more for each step.
 */
#include "kernels/morphology/morphology.h"
#include "kernels/morphology/strips.cuh"

/* ---- Device ---- */

/* Each word of the tile takes in the one `step` words further. A word is written when all that look at it have. */
template <typename C>
__device__ __forceinline__ void
widen_tile (typename C::word *tile, int32_t total, int32_t step)
{
  const int deep = 8;
  for (int32_t base = 0; base < total; base += TILE_THREADS * deep) {
    int32_t i = base + (int32_t) threadIdx.x;
    typename C::word v[deep];
#pragma unroll
    for (int k = 0; k < deep; k++, i += TILE_THREADS)
      if (i + C::words (step) < total)
        v[k] = C::least (tile[i], C::fetch (tile + i, step));
    __syncthreads ();
    i = base + (int32_t) threadIdx.x;
#pragma unroll
    for (int k = 0; k < deep; k++, i += TILE_THREADS)
      if (i + C::words (step) < total)
        tile[i] = v[k];
  }
  __syncthreads ();
}

template <typename C, int N>
__global__ void
__launch_bounds__ (TILE_THREADS, sizeof (typename C::word) == 8 ? 3 : 4)
  morphology_kernel (const __grid_constant__ tile_job j)
{
  typedef typename C::word word;
  extern __shared__ int64_t shared[];
  word *tile = (word *) shared, best[N];
  int32_t i = (int32_t) threadIdx.x, at = (int32_t) blockIdx.x, k = 0;
  tile_origin t = {at / j.across / j.down, at / j.across % j.down * j.height, at % j.across * j.width * C::each};
  wait_for_kernel_before ();
#pragma unroll
  for (int n = 0; n < N; n++)
    best[n] = j.more ? C::so_far (j, t, i + n * TILE_THREADS) : C::neutral ();
  for (int s = 0; s < j.slices; s++) {
    int32_t z = t.z + j.code[k], y = t.y + j.code[k + 1], rows = j.code[k + 2], end = j.code[k + 3];
    k = z < 0 || z >= j.planes ? end : k + 4;
    if (k == end)
      continue;
    if (s)
      __syncthreads ();
    C::load (j, t, z, y, rows, tile);
    __syncthreads ();
    while (k < end) {
      int32_t step = j.code[k], last = k + 2 + j.code[k + 1];
      if (step)
        widen_tile<C> (tile, rows * j.pitch, step);
      for (k += 2; k + 1 < last; k += 2) {
        int32_t a = j.code[k], b = j.code[k + 1];
#pragma unroll
        for (int n = 0; n < N; n++) {
          const word *p = tile + i + n * TILE_THREADS;
          best[n] = C::least (best[n], C::fetch (p, a), C::fetch (p, b));
        }
      }
      if (k < last) {
        int32_t a = j.code[k++];
#pragma unroll
        for (int n = 0; n < N; n++)
          best[n] = C::least (best[n], C::fetch (tile + i + n * TILE_THREADS, a));
      }
    }
  }
#pragma unroll
  for (int n = 0; n < N; n++)
    C::store (j, t, i + n * TILE_THREADS, best[n]);
}

/* ---- Host ---- */

template <typename C>
static fv_status
launch_tiles (const fv_call *call, const pass *p, const tile_job *j, fv_error *error)
{
  if (p->t.n == 1)
    return launch_blocks (morphology_kernel<C, 1>, call, p, j, error);
  return p->t.n == 4 ? launch_blocks (morphology_kernel<C, 4>, call, p, j, error)
                     : launch_blocks (morphology_kernel<C, 16>, call, p, j, error);
}

/* Does what the job's code says. */
static fv_status
launch_pass (const fv_call *call, const pass *p, const tile_job *j, fv_error *error)
{
  if (!p->packed)
    return with_type (call->inputs[0]->grid->type,
                      [&] (auto zero) { return launch_tiles<gray_tile<decltype (zero)>> (call, p, j, error); });
  if (p->from.bytes)
    return p->to.bytes ? launch_tiles<mask_tile<true, true>> (call, p, j, error)
                       : launch_tiles<mask_tile<true, false>> (call, p, j, error);
  return p->to.bytes ? launch_tiles<mask_tile<false, true>> (call, p, j, error)
                     : launch_tiles<mask_tile<false, false>> (call, p, j, error);
}

static fv_status
run_pass (const fv_call *call, pass *p, hat_side hat, fv_error *error)
{
  const target image = target_of (call->inputs[0]);
  tile_job j = make_job (p);
  code_writer w = {&j, 0};
  j.own = surface_of (p, &image);
  if (p->t.strips) {
    j.hat = hat;
    return run_strips (call, p, &j, error);
  }
  for (int32_t dz = p->low[0]; dz <= p->high[0]; dz++)
    for (int32_t dy = p->low[1]; dy <= p->high[1]; dy += p->t.band) {
      if (!code_has_room (&w, p)) {
        fv_status status = launch_pass (call, p, &j, error);
        if (status)
          return status;
        j.more = true;
        j.slices = w.n = 0;
      }
      code_add_slice (&w, p, dz, dy);
    }
  j.hat = hat;
  return launch_pass (call, p, &j, error);
}

/* Where passes put their result, in turn; the last one but one into [1], the last into the output. */
static fv_status
make_between (const fv_call *call, bool packed, int passes, target between[2], fv_error *error)
{
  const fv_array *out = call->outputs[0];
  int64_t row =
    packed ? blocks_for (array_columns (out), 128) * 16 : array_columns (out) * (int64_t) type_bytes (out->grid->type);
  int64_t plane = row * array_rows (out);
  between[0] = target_of (out);
  for (int i = packed ? 0 : 1; i < 2; i++) {
    char *memory;
    if (passes < 3 - i)
      continue;
    fv_status status = cuda_scratch (call, (size_t) (plane * array_planes (out)), &memory, error);
    if (status)
      return status;
    between[i] = {{memory, plane, row}, false, !packed};
  }
  return FV_OK;
}

/* What the operation does, and then what of it goes into the output. */
static fv_status
run_morphology (const fv_call *call, bool maximum_first, bool twice, hat_side hat, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  bool packed = in->grid->role == FV_MASK && in->grid->type == FV_U8;
  schedule s = make_schedule ((const morphology_args *) call->args, packed);
  int each = s.iterations * s.n_parts, passes = each * (twice ? 2 : 1);
  target between[2], from = target_of (in);
  fv_status status = make_between (call, packed, passes, between, error);
  for (int i = 0; i < passes && !status; i++) {
    int half = i / each, left = passes - 1 - i;
    pass p = make_pass (&s, i % s.n_parts, half == 1, packed, in);
    p.maximum = maximum_first == (half == 0);
    p.from = from;
    p.to = from = left ? between[left % 2] : target_of (call->outputs[0]);
    if (call->host->tick (call, i, passes))
      return cancelled (error);
    status = run_pass (call, &p, left ? HAT_NONE : hat, error);
  }
  return status;
}

fv_status
morphology_cuda (const fv_call *call, fv_error *error)
{
  return run_morphology (call, morphology_begins_with_maximum (call->op), morphology_is_twice (call->op), HAT_NONE,
                         error);
}

fv_status
morphology_hat_cuda (const fv_call *call, bool white, fv_error *error)
{
  return run_morphology (call, !white, true, white ? HAT_BELOW : HAT_ABOVE, error);
}
