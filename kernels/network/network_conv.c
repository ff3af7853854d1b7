/* SPDX-License-Identifier: MIT
 *
 * Convolution on the CPU: each thread has a row of up to 12 output channels. Two vectors of neighboring pixels of several channels stay in registers while
 * all input channels and taps are added. With vectors of 64 bytes these are 12 channels, with 32 bytes 6.
 */
#include "kernels/common/vectors.h"
#include "kernels/network/network_layers.h"

/* CHANNELS output channels, from channel `first` of the block on. */
#define DEFINE_CONV(NAME, BYTES, CHANNELS, TARGET)                                                                     \
  typedef float pixels_##NAME __attribute__ ((vector_size (BYTES), aligned (sizeof (float)), may_alias));              \
  typedef int32_t bits_##NAME __attribute__ ((vector_size (BYTES)));                                                   \
  TARGET static void conv_##NAME (const network_step *s, int64_t block, int first, int64_t y)                          \
  {                                                                                                                    \
    enum { LANES = (BYTES) / (int) sizeof (float) };                                                                   \
    const int64_t side = s->layer->taps == 9 ? 3 : 1, ins = s->from.channels, pitch = s->from.pitch;                   \
    const int64_t outs = s->to.channels - block * NETWORK_GROUP - first;                                               \
    const float *biases = s->weights + block * network_block_floats (ins, side * side) + first;                        \
    for (int64_t x = 0; x < s->to.columns; x += 2 * LANES) {                                                           \
      pixels_##NAME sums[CHANNELS][2];                                                                                 \
      const float *w = biases + NETWORK_GROUP;                                                                         \
      for (int o = 0; o < (CHANNELS); o++)                                                                             \
        sums[o][0] = sums[o][1] = biases[o] - (pixels_##NAME){0};                                                      \
      for (int64_t c = 0; c < ins; c++) {                                                                              \
        const float *row = network_row (&s->from, c, y - side / 2) + x - side / 2;                                     \
        for (int64_t j = 0; j < side; j++, row += pitch)                                                               \
          for (int64_t i = 0; i < side; i++, w += NETWORK_GROUP) {                                                     \
            const pixels_##NAME left = *(const pixels_##NAME *) (row + i);                                             \
            const pixels_##NAME right = *(const pixels_##NAME *) (row + i + LANES);                                    \
            for (int o = 0; o < (CHANNELS); o++) {                                                                     \
              const pixels_##NAME weight = w[o] - (pixels_##NAME){0};                                                  \
              sums[o][0] = (pixels_##NAME) FMA_##NAME (weight, left, sums[o][0]);                                      \
              sums[o][1] = (pixels_##NAME) FMA_##NAME (weight, right, sums[o][1]);                                     \
            }                                                                                                          \
          }                                                                                                            \
      }                                                                                                                \
      for (int o = 0; o < (CHANNELS) && o < outs; o++) {                                                               \
        float *to = network_row (&s->to, block * NETWORK_GROUP + first + o, y) + x;                                    \
        for (int half = 0; half < 2; half++) {                                                                         \
          pixels_##NAME v = sums[o][half];                                                                             \
          if (s->layer->relu)                                                                                          \
            v = (pixels_##NAME) ((bits_##NAME) v & (v > (pixels_##NAME){0}));                                          \
          *(pixels_##NAME *) (to + half * LANES) = v;                                                                  \
        }                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }
DEFINE_CONV (f32_16, 16, 4, )
DEFINE_CONV (f32_32, 32, 6, AVX2)
DEFINE_CONV (f32_64, 64, 12, AVX512)

/* Whole vectors reach into the frame on the right. */
static void
clear_right (const network_view *v, int64_t first, int64_t channels, int64_t y)
{
  for (int64_t c = first; c < first + channels && c < v->channels; c++)
    memset (network_row (v, c, y) + v->columns, 0, (size_t) (v->pitch - v->columns - 1) * sizeof (float));
}

void
network_conv_row (const network_step *s, int64_t block, int64_t y)
{
  const int bytes = vector_bytes (64), each = bytes == 64 ? 12 : bytes == 32 ? 6 : 4;
  for (int first = 0; first < NETWORK_GROUP && block * NETWORK_GROUP + first < s->to.channels; first += each)
    switch (bytes) {
    case 64: conv_f32_64 (s, block, first, y); break;
    case 32: conv_f32_32 (s, block, first, y); break;
    default: conv_f32_16 (s, block, first, y); break;
    }
  clear_right (&s->to, block * NETWORK_GROUP, NETWORK_GROUP, y);
}
