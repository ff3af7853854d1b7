/* SPDX-License-Identifier: MIT
 *
 * A convolutional network as a list of layers over tensors, made of the graph of an ONNX file. It knows convolutions of 3 x 3 and 1 x 1, max pooling and
 * nearest resizing by 2, concatenation and slices of channels, factors and sigmoid. What else a graph has is refused.
 *
 * Convolution: the bias, then one fused product and sum for each input channel, row and column of the kernel, in this order; outside the image is 0. So
 * the bits of a pixel are the same on every device, in every tile and with any number of threads.
 * Sigmoid: 1 / (1 + e^-x) for x >= 0, else e^x / (1 + e^x), with e^x of kernels/common/exp.h.
 */
#ifndef KERNELS_NETWORK_NETWORK_H
#define KERNELS_NETWORK_NETWORK_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  NETWORK_LAYERS = 256,
  NETWORK_TENSORS = 256,
  NETWORK_GROUP = 12,      /* output channels that are computed together */
  NETWORK_CHANNELS = 4096, /* of a tensor, at most */
  NETWORK_TAIL = 64        /* floats behind a tensor that a vector may reach */
};

typedef enum network_kind {
  NETWORK_CONV,
  NETWORK_POOL,
  NETWORK_DOUBLE,
  NETWORK_SCALE,
  NETWORK_SIGMOID,
  NETWORK_COPY
} network_kind;

/* A tensor is its own memory, or channels of the memory of its parent. */
typedef struct network_tensor {
  int32_t channels, shrink; /* the image is 2^shrink times larger in each direction */
  int32_t parent, first;    /* the parent's first channel of it; parent -1: own memory */
  int32_t written,
    read; /* the first layer that writes it and the last that reads it, with those of its children; own memory alone */
} network_tensor;

typedef struct network_layer {
  network_kind kind;
  int32_t from, to; /* tensors */
  int32_t taps;     /* NETWORK_CONV: 9 or 1 */
  bool relu;        /* NETWORK_CONV: negative numbers become 0 */
  float factor;     /* NETWORK_SCALE */
  int64_t weights;  /* NETWORK_CONV: where in the weights its biases and then its weights begin */
} network_layer;

typedef struct network {
  network_layer layers[NETWORK_LAYERS];
  network_tensor tensors[NETWORK_TENSORS];
  int32_t n_layers, n_tensors, input, output;
  int32_t deepest; /* the largest shrink: rows and columns are multiples of 2^deepest */
  int64_t
    n_weights; /* floats. For each block of 12 output channels of a convolution 12 biases, and then, for each input channel and tap, 12 weights;
                      * 0 for channels that are not there */
} network;

/* Makes the network of an ONNX file in memory. weights: NULL, or memory for n_weights floats, which an earlier call with NULL has counted.
 * FV_UNSUPPORTED names the node that cannot be computed; FV_BAD_ARGUMENT: the file is damaged. */
fv_status network_read (const void *bytes, size_t n, network *net, float *weights, fv_error *error);

/* Where each tensor lies in the working memory for an image of that size. */
typedef struct network_plan {
  int64_t rows, columns;       /* of the image, multiples of 2^deepest */
  int64_t at[NETWORK_TENSORS]; /* floats from the start of the working memory to the frame of the first channel */
  int64_t floats;              /* of the working memory */
} network_plan;

network_plan network_plan_of (const network *net, int64_t rows, int64_t columns);

/* A tensor in memory: channel after channel, each with a frame of zeros around it, one pixel above, below and on the left, and more on the right. */
typedef struct network_view {
  float *data;                                   /* the first number of the frame of the first channel */
  int64_t channels, rows, columns, pitch, plane; /* pitch: from row to row, plane: from channel to channel */
} network_view;

INLINE int64_t
network_pitch (int64_t columns)
{
  return (columns + 31) / 32 * 32 + 16; /* whole vectors, and the frame */
}

/* Without data. */
static inline network_view
network_shape_of (const network *net, const network_plan *plan, int tensor)
{
  const network_tensor *t = &net->tensors[tensor];
  const int64_t rows = plan->rows >> t->shrink, columns = plan->columns >> t->shrink, pitch = network_pitch (columns);
  return (network_view){NULL, t->channels, rows, columns, pitch, pitch * (rows + 2)};
}

static inline network_view
network_view_of (const network *net, const network_plan *plan, float *memory, int tensor)
{
  network_view v = network_shape_of (net, plan, tensor);
  v.data = memory + plan->at[tensor];
  return v;
}

/* The row y of a channel, without its frame; y from -1. */
INLINE float *
network_row (const network_view *v, int64_t channel, int64_t y)
{
  return v->data + channel * v->plane + (y + 1) * v->pitch + 1;
}

static inline int64_t
network_blocks (int64_t channels)
{
  return (channels + NETWORK_GROUP - 1) / NETWORK_GROUP;
}

/* From the data of one block to those of the next. */
INLINE int64_t
network_block_floats (int64_t channels_in, int64_t taps)
{
  return NETWORK_GROUP * (1 + channels_in * taps);
}

/* Runs all layers on the planned working memory, whose input tensor is filled without its frame. Steps of *p: network_work(). On the CPU the weights
 * and the memory are the host's. FV_CANCELLED when *p is stopped. */
fv_status network_cpu (const fv_call *call, const network *net, const network_plan *plan, const float *weights,
                       float *memory, progress *p, fv_error *error);
/* Starts all layers on the stream of the call, with weights and memory of the device. */
fv_status network_cuda (const fv_call *call, const network *net, const network_plan *plan, const float *weights,
                        float *memory, fv_error *error);
/* Steps of progress that the CPU makes. */
int64_t network_work (const network *net, const network_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
