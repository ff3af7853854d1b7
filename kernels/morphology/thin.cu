/* SPDX-License-Identifier: MIT
 *
 * thin on the GPU: pack_kernel (reads a byte a pixel, a warp makes a word by two ballots), thin_kernel for each half (a thread a
 * word; reads 9 words, mostly from the cache, writes one) and unpack_kernel (writes a byte a pixel), all grid-stride over the
 * rows of all planes. After each few iterations the host reads whether anything has changed in the last.
 */
#include "kernels/morphology/thin.h"
#include "kernels/common/common.cuh"

enum { THIN_AT_ONCE = 8 }; /* iterations */

/* A plane of words, see thin_pitch(), and its successor. */
struct thin_planes {
  const uint64_t *from;
  uint64_t *to;
  int64_t planes, rows, columns, pitch;

  /* Where word 0 of a row is, rows counted through all planes. */
  __device__ int64_t place (int64_t line) const
  {
    int64_t plane = line / rows;
    return (line + 2 * plane + 1) * pitch + 1;
  }
};

__global__ static void __launch_bounds__ (256) thin_pack_kernel (view<const uint8_t> in, thin_planes t)
{
  int64_t lane = threadIdx.x % 32, words = t.pitch - 2;
  for (int64_t line = blockIdx.x; line < t.planes * t.rows; line += gridDim.x) {
    const uint8_t *row = in.row (line / t.rows, line % t.rows);
    for (int64_t word = threadIdx.x / 32; word < words; word += 8) {
      int64_t x = 64 * word + lane;
      uint64_t low = __ballot_sync (~0u, x < t.columns && row[x]);
      uint64_t high = __ballot_sync (~0u, x + 32 < t.columns && row[x + 32]);
      if (lane == 0)
        t.to[t.place (line) + word] = high << 32 | low;
    }
  }
}

__global__ static void __launch_bounds__ (256) thin_kernel (thin_planes t, int half, int *changed)
{
  int64_t words = t.pitch - 2, count = t.planes * t.rows * words;
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < count; i += (int64_t) gridDim.x * 256) {
    int64_t line = i / words;
    const uint64_t *own = t.from + t.place (line) + (i - line * words);
    uint64_t left = *own ? thin_word (own - t.pitch, own, own + t.pitch, half) : 0;
    if (left != *own)
      *changed = 1;
    t.to[own - t.from] = left;
  }
}

__global__ static void __launch_bounds__ (256) thin_unpack_kernel (view<uint8_t> out, thin_planes t)
{
  for (int64_t line = blockIdx.x; line < t.planes * t.rows; line += gridDim.x) {
    uint8_t *row = out.row (line / t.rows, line % t.rows);
    const uint64_t *words = t.from + t.place (line);
    for (int64_t x = threadIdx.x; x < t.columns; x += blockDim.x)
      row[x] = words[x / 64] >> x % 64 & 1 ? 255 : 0;
  }
}

/* Both halves; changed: whether the last of some iterations has changed anything. */
static fv_status
thin_iterate (const fv_call *call, thin_planes *t, int64_t iterations, int *changed, fv_error *error)
{
  int64_t blocks = blocks_for (t->planes * t->rows * (t->pitch - 2), 256), most = 16 * (int64_t) multiprocessors ();
  cudaStream_t stream = cuda_stream (call);
  fv_status status = FV_OK;
  int any = 1;
  for (int64_t i = 0; any && !status && (!iterations || i < iterations); i++) {
    cudaMemsetAsync (changed, 0, sizeof *changed, stream);
    for (int half = 0; half < 2; half++) {
      uint64_t *behind = (uint64_t *) t->from;
      thin_kernel<<<(unsigned) (blocks < most ? blocks : most), 256, 0, stream>>> (*t, half, changed);
      t->from = t->to;
      t->to = behind;
    }
    status = cuda_status (cudaGetLastError (), "Thinning", error);
    if (status || i % THIN_AT_ONCE != THIN_AT_ONCE - 1)
      continue;
    status = call->host->read (call, &any, changed, sizeof any, error);
    if (!status && call->host->tick (call, 0, 1))
      status = cancelled (error);
  }
  return status;
}

fv_status
thin_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  thin_planes t = {NULL, NULL, array_planes (in), array_rows (in), array_columns (in), thin_pitch (array_columns (in))};
  int64_t words = t.planes * thin_words (t.rows, t.columns), lines = t.planes * t.rows;
  int64_t most = 32 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  cudaStream_t stream = cuda_stream (call);
  uint64_t *memory;
  fv_status status = cuda_scratch (call, (size_t) (2 * words + 1), &memory, error);
  if (!status)
    status =
      cuda_status (cudaMemsetAsync (memory, 0, (size_t) (2 * words) * sizeof *memory, stream), "Clearing", error);
  if (status)
    return status;
  t.from = memory + words;
  t.to = memory;
  thin_pack_kernel<<<blocks, 256, 0, stream>>> (view_of<const uint8_t> (in), t);
  t.from = memory;
  t.to = memory + words;
  status = thin_iterate (call, &t, ((const thin_args *) call->args)->iterations, (int *) (memory + 2 * words), error);
  if (status)
    return status;
  thin_unpack_kernel<<<blocks, 256, 0, stream>>> (view_of<uint8_t> (call->outputs[0]), t);
  return cuda_status (cudaGetLastError (), "Thinning", error);
}
