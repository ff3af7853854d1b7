/* SPDX-License-Identifier: MIT
 *
 * From the graph of an ONNX file to layers. Values have names in a graph, and each name becomes a tensor, a constant, or another name's tensor.
 */
#include "kernels/network/network.h"
#include "kernels/network/onnx.h"

typedef struct maker {
  const onnx_graph *graph;
  network *net;
  float *weights; /* or NULL */
  onnx_text names[NETWORK_TENSORS + ONNX_NODES];
  int32_t tensors[NETWORK_TENSORS + ONNX_NODES]; /* of the names */
  int n_names;
} maker;

static fv_status
refuse (const onnx_node *node, const char *why, fv_error *error)
{
  return fail (error, FV_UNSUPPORTED, "model",
               "Its network has a node %.*s%s, which Fovea does not compute itself. Possible are convolutions of 3 x 3 "
               "and 1 x 1, ReLU, max pooling and nearest resizing by 2, concatenation, slices of channels, factors and "
               "sigmoid.",
               node->op.n < 40 ? (int) node->op.n : 40, node->op.n ? node->op.at : "", why);
}

/* ---- Names ---- */

static int32_t
tensor_of (const maker *m, onnx_text name)
{
  for (int i = m->n_names; i > 0; i--)
    if (onnx_same (m->names[i - 1], name))
      return m->tensors[i - 1];
  return -1;
}

static const onnx_tensor *
constant_of (const maker *m, onnx_text name)
{
  for (int i = 0; i < m->graph->n_tensors; i++)
    if (onnx_same (m->graph->tensors[i].name, name))
      return &m->graph->tensors[i];
  for (int i = 0; i < m->graph->n_nodes; i++)
    if (onnx_is (m->graph->nodes[i].op, "Constant") && onnx_same (m->graph->nodes[i].output, name))
      return &m->graph->nodes[i].value;
  return NULL;
}

static void
give_name (maker *m, onnx_text name, int32_t tensor)
{
  m->names[m->n_names] = name;
  m->tensors[m->n_names++] = tensor;
}

/* ---- Tensors and layers ---- */

/* -1: there are too many. */
static int32_t
new_tensor (maker *m, int64_t channels, int32_t shrink)
{
  network *net = m->net;
  if (net->n_tensors == NETWORK_TENSORS || channels < 1 || channels > NETWORK_CHANNELS)
    return -1;
  net->tensors[net->n_tensors] =
    (network_tensor){.channels = (int32_t) channels, .shrink = shrink, .parent = -1, .written = -1, .read = -1};
  net->deepest = shrink > net->deepest ? shrink : net->deepest;
  return net->n_tensors++;
}

static network_layer *
new_layer (maker *m, network_kind kind, int32_t from, int32_t to)
{
  network *net = m->net;
  if (net->n_layers == NETWORK_LAYERS || to < 0)
    return NULL;
  net->layers[net->n_layers] = (network_layer){.kind = kind, .from = from, .to = to};
  return &net->layers[net->n_layers++];
}

/* A layer that keeps the number of channels, and its tensor, which gets the name of the node's output. */
static fv_status
add_layer (maker *m, const onnx_node *node, network_kind kind, int32_t from, int32_t shrink, float factor,
           fv_error *error)
{
  const int32_t to = new_tensor (m, m->net->tensors[from].channels, shrink);
  network_layer *layer = new_layer (m, kind, from, to);
  if (!layer)
    return refuse (node, " too many", error);
  layer->factor = factor;
  give_name (m, node->output, to);
  return FV_OK;
}

/* Whether a list of integers is not given, or all of them are v. */
static bool
all_are (const onnx_integers *list, int64_t v)
{
  for (int i = 0; i < list->n; i++)
    if (list->v[i] != v)
      return false;
  return true;
}

/* ---- Nodes ---- */

static void
copy_weights (float *to, const onnx_tensor *w, const onnx_tensor *bias, int64_t taps)
{
  const int64_t outs = w->dims[0], ins = w->dims[1], floats = network_block_floats (ins, taps);
  for (int64_t o = 0; o < network_blocks (outs) * NETWORK_GROUP; o++) {
    float *block = to + o / NETWORK_GROUP * floats + o % NETWORK_GROUP;
    *block = o < outs && bias ? onnx_float (bias, (size_t) o) : 0;
    for (int64_t i = 0; i < ins * taps; i++)
      block[(i + 1) * NETWORK_GROUP] = o < outs ? onnx_float (w, (size_t) (o * ins * taps + i)) : 0;
  }
}

static fv_status
add_conv (maker *m, const onnx_node *node, int32_t from, fv_error *error)
{
  network *net = m->net;
  const network_tensor *in = &net->tensors[from];
  const onnx_tensor *w = node->n_inputs > 1 ? constant_of (m, node->inputs[1]) : NULL;
  const onnx_tensor *bias = node->n_inputs > 2 ? constant_of (m, node->inputs[2]) : NULL;
  const int64_t side = w && w->n_dims == 4 ? w->dims[2] : 0;
  if (!w || !w->n || !w->real || (side != 1 && side != 3) || w->dims[3] != side || w->dims[1] != in->channels)
    return refuse (node, " with such weights", error);
  if (node->n_inputs > 2 && (!bias || !bias->real || bias->n != (size_t) w->dims[0]))
    return refuse (node, " with such biases", error);
  if (!all_are (&node->strides, 1) || !all_are (&node->dilations, 1) || !all_are (&node->group, 1)
      || !all_are (&node->pads, side / 2) || (side == 3 && node->pads.n != 4) || node->auto_pad.n)
    return refuse (node, " with such attributes", error);
  const int32_t to = new_tensor (m, w->dims[0], in->shrink);
  network_layer *layer = new_layer (m, NETWORK_CONV, from, to);
  if (!layer)
    return refuse (node, " too many", error);
  layer->taps = (int32_t) (side * side);
  layer->weights = net->n_weights;
  if (m->weights)
    copy_weights (m->weights + net->n_weights, w, bias, layer->taps);
  net->n_weights += network_blocks (w->dims[0]) * network_block_floats (w->dims[1], layer->taps);
  give_name (m, node->output, to);
  return FV_OK;
}

/* How many nodes take a value. */
static int
uses (const maker *m, onnx_text name)
{
  int n = onnx_same (m->graph->output, name);
  for (int i = 0; i < m->graph->n_nodes; i++)
    for (int k = 0; k < m->graph->nodes[i].n_inputs && k < ONNX_INPUTS; k++)
      n += onnx_same (m->graph->nodes[i].inputs[k], name);
  return n;
}

/* Of a convolution's output that nothing else takes. */
static fv_status
add_relu (maker *m, const onnx_node *node, int32_t from, fv_error *error)
{
  network_layer *last = m->net->n_layers ? &m->net->layers[m->net->n_layers - 1] : NULL;
  if (!last || last->kind != NETWORK_CONV || last->to != from || last->relu || uses (m, node->inputs[0]) != 1)
    return refuse (node, " that does not follow a convolution", error);
  last->relu = true;
  give_name (m, node->output, from);
  return FV_OK;
}

static fv_status
add_pool (maker *m, const onnx_node *node, int32_t from, fv_error *error)
{
  if (node->kernel_shape.n != 2 || !all_are (&node->kernel_shape, 2) || node->strides.n != 2
      || !all_are (&node->strides, 2) || !all_are (&node->pads, 0) || !all_are (&node->dilations, 1)
      || !all_are (&node->ceil_mode, 0) || node->auto_pad.n || m->net->tensors[from].shrink == 8)
    return refuse (node, " with such attributes", error);
  return add_layer (m, node, NETWORK_POOL, from, m->net->tensors[from].shrink + 1, 0, error);
}

static fv_status
add_resize (maker *m, const onnx_node *node, int32_t from, fv_error *error)
{
  const onnx_tensor *scales = node->n_inputs == 3 ? constant_of (m, node->inputs[2]) : NULL;
  if (!scales || !scales->real || scales->n != 4 || onnx_float (scales, 0) != 1 || onnx_float (scales, 1) != 1
      || onnx_float (scales, 2) != 2 || onnx_float (scales, 3) != 2 || !onnx_is (node->mode, "nearest")
      || !onnx_is (node->transformation, "asymmetric") || !onnx_is (node->nearest_mode, "floor")
      || m->net->tensors[from].shrink == 0)
    return refuse (node, " with such attributes", error);
  return add_layer (m, node, NETWORK_DOUBLE, from, m->net->tensors[from].shrink - 1, 0, error);
}

/* The tensor of an input of Concat that may become part of another one: itself, or a copy where it is already part of one. */
static int32_t
own_tensor (maker *m, int32_t tensor)
{
  const network_tensor *t = &m->net->tensors[tensor];
  if (t->parent < 0 && tensor != m->net->input)
    return tensor;
  const int32_t to = new_tensor (m, t->channels, t->shrink);
  return new_layer (m, NETWORK_COPY, tensor, to) ? to : -1;
}

static fv_status
add_concat (maker *m, const onnx_node *node, fv_error *error)
{
  network *net = m->net;
  int32_t parts[ONNX_INPUTS], shrink = 0;
  int64_t channels = 0;
  if (node->axis.n != 1 || node->axis.v[0] != 1 || node->n_inputs > ONNX_INPUTS)
    return refuse (node, " with such attributes", error);
  for (int i = 0; i < node->n_inputs; i++) {
    const int32_t tensor = tensor_of (m, node->inputs[i]);
    parts[i] = tensor < 0 ? -1 : own_tensor (m, tensor);
    for (int k = 0; k < i; k++)
      if (parts[i] == parts[k])
        parts[i] = -1;
    if (parts[i] < 0 || (i > 0 && net->tensors[parts[i]].shrink != shrink))
      return refuse (node, " of such tensors", error);
    shrink = net->tensors[parts[i]].shrink;
    channels += net->tensors[parts[i]].channels;
  }
  const int32_t to = new_tensor (m, channels, shrink);
  if (to < 0)
    return refuse (node, " too many", error);
  int32_t first = 0;
  for (int i = 0; i < node->n_inputs; i++) {
    network_tensor *part = &net->tensors[parts[i]];
    part->parent = to;
    part->first = first;
    first += part->channels;
  }
  give_name (m, node->output, to);
  return FV_OK;
}

/* One integer of a constant, of an input that may be left out. */
static bool
integer_is (const maker *m, const onnx_node *node, int input, int64_t v)
{
  const onnx_tensor *t = node->n_inputs > input ? constant_of (m, node->inputs[input]) : NULL;
  return node->n_inputs <= input || (t && t->n == 1 && !t->real && onnx_integer (t, 0) == v);
}

static fv_status
add_slice (maker *m, const onnx_node *node, int32_t from, fv_error *error)
{
  const onnx_tensor *start = node->n_inputs > 3 ? constant_of (m, node->inputs[1]) : NULL;
  const onnx_tensor *end = start ? constant_of (m, node->inputs[2]) : NULL;
  const network_tensor *in = &m->net->tensors[from];
  if (!start || !end || start->n != 1 || start->real || end->n != 1 || end->real || !integer_is (m, node, 3, 1)
      || !integer_is (m, node, 4, 1))
    return refuse (node, " that takes other than channels", error);
  const int64_t first = onnx_integer (start, 0), last = onnx_integer (end, 0);
  const int64_t stop = last < in->channels ? last : in->channels;
  const int32_t to = first >= 0 && first < stop ? new_tensor (m, stop - first, in->shrink) : -1;
  if (to < 0)
    return refuse (node, " of such channels", error);
  m->net->tensors[to].parent = from;
  m->net->tensors[to].first = (int32_t) first;
  give_name (m, node->output, to);
  return FV_OK;
}

static fv_status
add_factor (maker *m, const onnx_node *node, fv_error *error)
{
  for (int i = 0; i < 2 && node->n_inputs == 2; i++) {
    const onnx_tensor *factor = constant_of (m, node->inputs[i]);
    const int32_t from = tensor_of (m, node->inputs[1 - i]);
    if (factor && factor->real && factor->n == 1 && from >= 0)
      return add_layer (m, node, NETWORK_SCALE, from, m->net->tensors[from].shrink, onnx_float (factor, 0), error);
  }
  return refuse (node, " by other than a number", error);
}

static fv_status
add_node (maker *m, const onnx_node *node, fv_error *error)
{
  const int32_t from = node->n_inputs ? tensor_of (m, node->inputs[0]) : -1;
  if (onnx_is (node->op, "Constant"))
    return FV_OK;
  if (node->n_outputs != 1 || (node->domain.n && !onnx_is (node->domain, "ai.onnx")))
    return refuse (node, "", error);
  if (onnx_is (node->op, "Mul"))
    return add_factor (m, node, error);
  if (onnx_is (node->op, "Concat"))
    return add_concat (m, node, error);
  if (from < 0)
    return refuse (node, " of other than the image", error);
  if (onnx_is (node->op, "Conv"))
    return add_conv (m, node, from, error);
  if (onnx_is (node->op, "Relu"))
    return add_relu (m, node, from, error);
  if (onnx_is (node->op, "MaxPool"))
    return add_pool (m, node, from, error);
  if (onnx_is (node->op, "Resize"))
    return add_resize (m, node, from, error);
  if (onnx_is (node->op, "Slice"))
    return add_slice (m, node, from, error);
  if (onnx_is (node->op, "Sigmoid"))
    return add_layer (m, node, NETWORK_SIGMOID, from, m->net->tensors[from].shrink, 0, error);
  return refuse (node, "", error);
}

/* ---- The whole ---- */

static int32_t
root_of (const network *net, int32_t tensor)
{
  while (net->tensors[tensor].parent >= 0)
    tensor = net->tensors[tensor].parent;
  return tensor;
}

/* When each memory is needed: the input from before the first layer, the output until after the last. */
static void
find_lives (network *net)
{
  net->tensors[root_of (net, net->input)].written = 0;
  for (int i = 0; i < net->n_layers; i++) {
    network_tensor *to = &net->tensors[root_of (net, net->layers[i].to)];
    network_tensor *from = &net->tensors[root_of (net, net->layers[i].from)];
    to->written = to->written < 0 ? i : to->written;
    to->read = to->read < i ? i : to->read;
    from->read = i;
  }
  net->tensors[root_of (net, net->output)].read = net->n_layers;
}

static fv_status
make_network (maker *m, fv_error *error)
{
  const onnx_graph *graph = m->graph;
  network *net = m->net;
  if (graph->n_inputs != 1 || graph->n_outputs != 1)
    return fail (error, FV_UNSUPPORTED, "model", "Its network has %d inputs and %d outputs; one of each is possible.",
                 graph->n_inputs, graph->n_outputs);
  net->input = new_tensor (m, 1, 0);
  give_name (m, graph->input, net->input);
  for (int i = 0; i < graph->n_nodes; i++)
    if (add_node (m, &graph->nodes[i], error))
      return error->code;
  net->output = tensor_of (m, graph->output);
  if (net->output < 0 || !net->n_layers)
    return fail (error, FV_BAD_ARGUMENT, "model", "No node of its network makes the output.");
  find_lives (net);
  return FV_OK;
}

fv_status
network_read (const void *bytes, size_t n, network *net, float *weights, fv_error *error)
{
  onnx_graph graph;
  maker m = {.graph = &graph, .net = net, .weights = weights};
  *net = (network){0};
  fv_status status = onnx_read (bytes, n, &graph, error);
  if (!status)
    status = make_network (&m, error);
  onnx_clear (&graph);
  return status;
}
