/* SPDX-License-Identifier: MIT
 *
 * What both devices compute for a pixel of a layer, and the convolution of the CPU.
 */
#ifndef KERNELS_NETWORK_NETWORK_LAYERS_H
#define KERNELS_NETWORK_NETWORK_LAYERS_H

#include "kernels/common/exp.h"
#include "kernels/network/network.h"

INLINE float
network_sigmoid (float x)
{
  const float e = defined_exp_below_0_f32 (x < 0 ? x : -x);
  return (x < 0 ? e : 1) / (1 + e);
}

INLINE float
network_greater (float a, float b)
{
  return b > a ? b : a;
}

INLINE float
network_relu (float x)
{
  return x > 0 ? x : 0;
}

/* A layer with its tensors in memory. */
typedef struct network_step {
  const network_layer *layer;
  network_view from, to;
  const float *weights; /* of a convolution: of its first block */
} network_step;

static inline network_step
network_step_of (const network *net, const network_plan *plan, const float *weights, float *memory, int layer)
{
  const network_layer *l = &net->layers[layer];
  return (network_step){l, network_view_of (net, plan, memory, l->from), network_view_of (net, plan, memory, l->to),
                        weights + l->weights};
}

/* Row y of a block of output channels of a convolution. */
void network_conv_row (const network_step *s, int64_t block, int64_t y);

#endif
