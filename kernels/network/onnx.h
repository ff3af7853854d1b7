/* SPDX-License-Identifier: MIT
 *
 * The graph of a network in an ONNX file: nodes and constant tensors, as far as `layers.c` needs them. All strings and numbers stay in the bytes of the
 * file. Format: the protocol buffers of github.com/onnx/onnx, onnx.proto, IR version 3 and later.
 */
#ifndef KERNELS_NETWORK_ONNX_H
#define KERNELS_NETWORK_ONNX_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ONNX_INPUTS = 8, ONNX_DIMS = 4, ONNX_NODES = 1024, ONNX_TENSORS = 2048 };

/* Text in the file, not ended by NUL. */
typedef struct onnx_text {
  const char *at;
  size_t n;
} onnx_text;

/* A constant. Where the file has other types of numbers than 32-bit floats and 64-bit integers, n is 0. */
typedef struct onnx_tensor {
  onnx_text name;
  int64_t dims[ONNX_DIMS];
  int n_dims;
  bool real;         /* floats, else integers */
  const uint8_t *at; /* little-endian, at any address */
  size_t n;          /* numbers */
} onnx_tensor;

typedef struct onnx_integers {
  int64_t v[8];
  int n;
} onnx_integers;

typedef struct onnx_node {
  onnx_text op, domain, inputs[ONNX_INPUTS], output;
  int n_inputs, n_outputs;
  /* Attributes; n = 0 or at = NULL where the node has none. */
  onnx_integers kernel_shape, pads, strides, dilations, group, axis, ceil_mode;
  onnx_text auto_pad, mode, transformation, nearest_mode;
  onnx_tensor value; /* of a Constant */
} onnx_node;

typedef struct onnx_graph {
  onnx_node *nodes;     /* [n_nodes] */
  onnx_tensor *tensors; /* [n_tensors] */
  int n_nodes, n_tensors, n_inputs, n_outputs;
  onnx_text input, output; /* the first one of each; constants are not inputs */
} onnx_graph;

/* Reads the graph of a file in memory, which must stay there. FV_BAD_ARGUMENT with a sentence about the parameter "model": it is damaged, or has more
 * than ONNX_NODES nodes. FV_NO_MEMORY. */
fv_status onnx_read (const void *bytes, size_t n, onnx_graph *graph, fv_error *error);
/* Frees what a graph of zeros, or one that was read, has. */
void onnx_clear (onnx_graph *graph);

bool onnx_is (onnx_text text, const char *word);
bool onnx_same (onnx_text one, onnx_text other);
/* Number i of a tensor of that type. */
float onnx_float (const onnx_tensor *t, size_t i);
int64_t onnx_integer (const onnx_tensor *t, size_t i);

#ifdef __cplusplus
}
#endif

#endif
