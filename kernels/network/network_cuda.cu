/* SPDX-License-Identifier: MIT
 *
 * The layers on the GPU, one kernel each on the stream of the call.
 * - network_conv_kernel: a block of 128 threads makes 32 x 16 pixels of 12 output channels, a thread 4 pixels in a row of all 12. Eight input channels with their
 *   frame, and their weights, are in shared memory at a time: 24 KiB, two barriers for each eight. So each input pixel is read 1.2 times for each 12
 *   output channels, mostly from L2; a thread reads 6 numbers and 36 weights of shared memory for 144 fused products and sums.
 * - network_pool_kernel, network_enlarge_kernel, network_map_kernel: a thread a pixel, a grid-stride loop over channels and rows. network_frame_kernel the same for the frames.
 */
#include "kernels/common/common.cuh"
#include "kernels/network/network_layers.h"

enum {
  CONV_ACROSS = 8, /* threads */
  CONV_DOWN = 16,
  CONV_EACH = 4, /* pixels of a thread */
  CONV_CHANNELS = 8,
  CONV_WIDTH = CONV_ACROSS * CONV_EACH,
  CONV_PITCH = CONV_WIDTH + 4, /* with the frame, in whole groups of four */
  CONV_THREADS = CONV_ACROSS * CONV_DOWN,
  MAP_THREADS = 256,
};

/* The next CONV_CHANNELS channels, from `first` on, or as many as there are left. */
template <int SIDE>
__device__ static void
conv_load (const network_step &s, const float *weights, int64_t first, int channels, int64_t top, int64_t left,
           float *image, float *taps)
{
  constexpr int DOWN = CONV_DOWN + SIDE - 1, ACROSS = CONV_WIDTH + SIDE - 1;
  for (int i = threadIdx.x; i < channels * DOWN * CONV_PITCH; i += CONV_THREADS) {
    const int c = i / (DOWN * CONV_PITCH), j = i / CONV_PITCH % DOWN, k = i % CONV_PITCH;
    const int64_t y = top + j - SIDE / 2, x = left + k - SIDE / 2;
    image[i] = k < ACROSS && y <= s.from.rows && x <= s.from.columns ? network_row (&s.from, first + c, y)[x] : 0;
  }
  const float *from = weights + first * SIDE * SIDE * NETWORK_GROUP;
  for (int i = threadIdx.x; i < channels * SIDE * SIDE * NETWORK_GROUP; i += CONV_THREADS)
    taps[i] = from[i];
}

/* Adds what is in shared memory. */
template <int SIDE>
__device__ static void
conv_add (int channels, const float *image, const float *taps, float (&sums)[NETWORK_GROUP][CONV_EACH])
{
  constexpr int DOWN = CONV_DOWN + SIDE - 1;
  const int across = threadIdx.x % CONV_ACROSS * CONV_EACH, down = threadIdx.x / CONV_ACROSS;
  for (int c = 0; c < channels; c++)
#pragma unroll
    for (int j = 0; j < SIDE; j++) {
      const float *row = image + (c * DOWN + down + j) * CONV_PITCH + across;
      float v[CONV_EACH + SIDE - 1];
#pragma unroll
      for (int k = 0; k < CONV_EACH + SIDE - 1; k++)
        v[k] = row[k];
#pragma unroll
      for (int i = 0; i < SIDE; i++, taps += NETWORK_GROUP) {
        float w[NETWORK_GROUP];
#pragma unroll
        for (int o = 0; o < NETWORK_GROUP; o += 4)
          *(float4 *) (w + o) = *(const float4 *) (taps + o);
#pragma unroll
        for (int o = 0; o < NETWORK_GROUP; o++)
#pragma unroll
          for (int x = 0; x < CONV_EACH; x++)
            sums[o][x] = fmaf (w[o], v[x + i], sums[o][x]);
      }
    }
}

template <int SIDE>
__global__ static void
__launch_bounds__ (CONV_THREADS)
  network_conv_kernel (network_step s, const float *weights, bool relu, int64_t tiles_across)
{
  __shared__ __align__ (16) float image[CONV_CHANNELS * (CONV_DOWN + SIDE - 1) * CONV_PITCH];
  __shared__ __align__ (16) float taps[CONV_CHANNELS * SIDE * SIDE * NETWORK_GROUP];
  const int64_t top = blockIdx.x / tiles_across * CONV_DOWN, left = blockIdx.x % tiles_across * CONV_WIDTH;
  const int64_t ins = s.from.channels, block = blockIdx.y;
  const float *biases = weights + block * network_block_floats (ins, SIDE * SIDE);
  float sums[NETWORK_GROUP][CONV_EACH];
  for (int o = 0; o < NETWORK_GROUP; o++)
    for (int x = 0; x < CONV_EACH; x++)
      sums[o][x] = biases[o];
  for (int64_t first = 0; first < ins; first += CONV_CHANNELS) {
    const int channels = (int) (ins - first < CONV_CHANNELS ? ins - first : CONV_CHANNELS);
    __syncthreads ();
    conv_load<SIDE> (s, biases + NETWORK_GROUP, first, channels, top, left, image, taps);
    __syncthreads ();
    conv_add<SIDE> (channels, image, taps, sums);
  }
  const int64_t y = top + threadIdx.x / CONV_ACROSS, x = left + threadIdx.x % CONV_ACROSS * CONV_EACH;
  for (int o = 0; o < NETWORK_GROUP && y < s.to.rows; o++)
    for (int k = 0; k < CONV_EACH; k++)
      if (block * NETWORK_GROUP + o < s.to.channels && x + k < s.to.columns)
        network_row (&s.to, block * NETWORK_GROUP + o, y)[x + k] = relu ? network_relu (sums[o][k]) : sums[o][k];
}

/* value (channel, y, x) for each pixel of the tensor; y from `above`, of so many rows. */
template <typename F>
__device__ static void
each_number (const network_view &v, int64_t above, int64_t rows, int64_t columns, F value)
{
  const int64_t lines = v.channels * rows;
  for (int64_t line = blockIdx.y; line < lines; line += gridDim.y)
    for (int64_t x = (int64_t) blockIdx.x * MAP_THREADS + threadIdx.x; x < columns;
         x += (int64_t) gridDim.x * MAP_THREADS)
      value (line / rows, line % rows - above, x);
}

__global__ static void
__launch_bounds__ (MAP_THREADS) network_pool_kernel (network_step s)
{
  each_number (s.to, 0, s.to.rows, s.to.columns, [&] (int64_t c, int64_t y, int64_t x) {
    const float *up = network_row (&s.from, c, 2 * y) + 2 * x, *down = up + s.from.pitch;
    network_row (&s.to, c, y)[x] = network_greater (network_greater (up[0], up[1]), network_greater (down[0], down[1]));
  });
}

__global__ static void
__launch_bounds__ (MAP_THREADS) network_enlarge_kernel (network_step s)
{
  each_number (s.to, 0, s.to.rows, s.to.columns, [&] (int64_t c, int64_t y, int64_t x) {
    network_row (&s.to, c, y)[x] = network_row (&s.from, c, y / 2)[x / 2];
  });
}

__global__ static void
__launch_bounds__ (MAP_THREADS) network_map_kernel (network_step s, bool sigmoid, float factor)
{
  each_number (s.to, 0, s.to.rows, s.to.columns, [&] (int64_t c, int64_t y, int64_t x) {
    const float v = network_row (&s.from, c, y)[x];
    network_row (&s.to, c, y)[x] = sigmoid ? network_sigmoid (v) : v * factor;
  });
}

__global__ static void
__launch_bounds__ (MAP_THREADS) network_frame_kernel (network_view v)
{
  each_number (v, 1, v.rows + 2, v.pitch, [&] (int64_t c, int64_t y, int64_t x) {
    if (y < 0 || y == v.rows || x == 0 || x > v.columns)
      network_row (&v, c, y)[x - 1] = 0;
  });
}

/* ---- Host ---- */

static dim3
map_grid (int64_t lines, int64_t columns)
{
  return dim3 ((unsigned) blocks_for (columns, MAP_THREADS), (unsigned) (lines < 65535 ? lines : 65535));
}

static void
start_conv (const fv_call *call, const network_step &s)
{
  const int64_t across = blocks_for (s.to.columns, CONV_WIDTH), down = blocks_for (s.to.rows, CONV_DOWN);
  const dim3 grid ((unsigned) (across * down), (unsigned) network_blocks (s.to.channels));
  if (s.layer->taps == 9)
    network_conv_kernel<3><<<grid, CONV_THREADS, 0, cuda_stream (call)>>> (s, s.weights, s.layer->relu, across);
  else
    network_conv_kernel<1><<<grid, CONV_THREADS, 0, cuda_stream (call)>>> (s, s.weights, s.layer->relu, across);
}

static void
start_step (const fv_call *call, const network_step &s)
{
  const dim3 grid = map_grid (s.to.channels * s.to.rows, s.to.columns);
  switch (s.layer->kind) {
  case NETWORK_CONV: start_conv (call, s); break;
  case NETWORK_POOL: network_pool_kernel<<<grid, MAP_THREADS, 0, cuda_stream (call)>>> (s); break;
  case NETWORK_DOUBLE: network_enlarge_kernel<<<grid, MAP_THREADS, 0, cuda_stream (call)>>> (s); break;
  default:
    network_map_kernel<<<grid, MAP_THREADS, 0, cuda_stream (call)>>> (
      s, s.layer->kind == NETWORK_SIGMOID, s.layer->kind == NETWORK_SCALE ? s.layer->factor : 1);
    break;
  }
}

static void
start_frames (const fv_call *call, const network *net, const network_plan *plan, float *memory, int layer)
{
  for (int i = 0; i < net->n_tensors; i++)
    if (net->tensors[i].parent < 0 && net->tensors[i].written == layer) {
      const network_view v = network_view_of (net, plan, memory, i);
      network_frame_kernel<<<map_grid (v.channels * (v.rows + 2), v.pitch), MAP_THREADS, 0, cuda_stream (call)>>> (v);
    }
}

fv_status
network_cuda (const fv_call *call, const network *net, const network_plan *plan, const float *weights, float *memory,
              fv_error *error)
{
  for (int i = 0; i < net->n_layers; i++) {
    start_frames (call, net, plan, memory, i);
    start_step (call, network_step_of (net, plan, weights, memory, i));
  }
  return cuda_status (cudaGetLastError (), "The network", error);
}
