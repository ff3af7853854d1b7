/* SPDX-License-Identifier: MIT
 */
#include "kernels/network/onnx.h"

#include <stdlib.h>

/* ---- Protocol buffers: https://protobuf.dev/programming-guides/encoding ---- */

typedef struct reader {
  const uint8_t *at, *end;
  bool bad;
} reader;

typedef enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 } wire;

/* A field: its number, and its integer or its bytes. */
typedef struct field {
  uint32_t number;
  wire wire;
  uint64_t integer;
  reader bytes;
} field;

static uint64_t
take_varint (reader *r)
{
  uint64_t v = 0;
  for (int shift = 0; shift < 64 && r->at < r->end; shift += 7) {
    const uint8_t byte = *r->at++;
    v |= (uint64_t) (byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return v;
  }
  r->bad = true;
  return 0;
}

static const uint8_t *
take_bytes (reader *r, uint64_t n)
{
  const uint8_t *at = r->at;
  if (n > (uint64_t) (r->end - r->at)) {
    r->bad = true;
    return NULL;
  }
  r->at += n;
  return at;
}

/* The next field. FALSE at the end, and where the data are damaged: r->bad. */
static bool
next (reader *r, field *f)
{
  if (r->bad || r->at == r->end)
    return false;
  const uint64_t key = take_varint (r);
  *f = (field){.number = (uint32_t) (key >> 3), .wire = (wire) (key & 7)};
  uint64_t n = f->wire == WIRE_32 ? 4 : 8;
  if (f->wire == WIRE_VARINT)
    f->integer = take_varint (r);
  else if (f->wire == WIRE_BYTES || f->wire == WIRE_32 || f->wire == WIRE_64) {
    if (f->wire == WIRE_BYTES)
      n = take_varint (r);
    f->bytes.at = take_bytes (r, n);
    f->bytes.end = r->bad ? NULL : r->at;
  } else
    r->bad = true;
  return !r->bad;
}

static onnx_text
text_of (const field *f)
{
  return (onnx_text){(const char *) f->bytes.at, (size_t) (f->bytes.end - f->bytes.at)};
}

/* Integers are repeated one by one or packed. */
static void
add_integers (reader *r, const field *f, onnx_integers *to)
{
  reader packed = f->bytes;
  const int most = (int) (sizeof to->v / sizeof to->v[0]);
  if (f->wire == WIRE_VARINT && to->n < most)
    to->v[to->n++] = (int64_t) f->integer;
  while (f->wire == WIRE_BYTES && packed.at < packed.end && !packed.bad && to->n < most)
    to->v[to->n++] = (int64_t) take_varint (&packed);
  r->bad |= packed.bad;
}

/* ---- Messages ---- */

enum { TYPE_FLOAT = 1, TYPE_INTEGER = 7 };

/* Whether the numbers of a tensor are as many as its size says. */
static bool
has_size (const onnx_tensor *t)
{
  uint64_t n = 1;
  for (int i = 0; i < t->n_dims; i++)
    if (t->dims[i] < 0 || __builtin_mul_overflow (n, (uint64_t) t->dims[i], &n))
      return false;
  return n == t->n;
}

static onnx_tensor
read_tensor (reader *r, reader message)
{
  enum { DIMS = 1, DATA_TYPE = 2, FLOATS = 4, NAME = 8, RAW = 9 };
  onnx_tensor t = {0};
  onnx_integers dims = {0};
  uint64_t type = 0;
  reader data = {0};
  for (field f; next (&message, &f);)
    switch (f.number) {
    case DIMS: add_integers (&message, &f, &dims); break;
    case DATA_TYPE: type = f.integer; break;
    case NAME: t.name = text_of (&f); break;
    case FLOATS:
    case RAW: data = f.bytes; break;
    }
  r->bad |= message.bad;
  if (dims.n > ONNX_DIMS || (type != TYPE_FLOAT && type != TYPE_INTEGER) || !data.at)
    return t;
  t.real = type == TYPE_FLOAT;
  t.n_dims = dims.n;
  memcpy (t.dims, dims.v, sizeof t.dims);
  t.at = data.at;
  t.n = (size_t) (data.end - data.at) / (t.real ? sizeof (float) : sizeof (int64_t));
  if (!has_size (&t))
    t.n = 0;
  return t;
}

static void
read_attribute (reader *r, reader message, onnx_node *node)
{
  enum { NAME = 1, INTEGER = 3, TEXT = 4, TENSOR = 5, INTEGERS = 8 };
  onnx_text name = {0}, text = {0};
  onnx_integers integers = {0};
  reader tensor = {0};
  for (field f; next (&message, &f);)
    switch (f.number) {
    case NAME: name = text_of (&f); break;
    case TEXT: text = text_of (&f); break;
    case TENSOR: tensor = f.bytes; break;
    case INTEGER:
    case INTEGERS: add_integers (&message, &f, &integers); break;
    }
  r->bad |= message.bad;
  const struct {
    const char *name;
    onnx_integers *integers;
  } lists[] = {{"kernel_shape", &node->kernel_shape}, {"pads", &node->pads},   {"strides", &node->strides},
               {"dilations", &node->dilations},       {"group", &node->group}, {"axis", &node->axis},
               {"ceil_mode", &node->ceil_mode}};
  const struct {
    const char *name;
    onnx_text *text;
  } texts[] = {{"auto_pad", &node->auto_pad},
               {"mode", &node->mode},
               {"coordinate_transformation_mode", &node->transformation},
               {"nearest_mode", &node->nearest_mode}};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    if (onnx_is (name, lists[i].name))
      *lists[i].integers = integers;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (onnx_is (name, texts[i].name))
      *texts[i].text = text;
  if (tensor.at && onnx_is (name, "value"))
    node->value = read_tensor (r, tensor);
}

static onnx_node
read_node (reader *r, reader message)
{
  enum { INPUT = 1, OUTPUT = 2, OP = 4, ATTRIBUTE = 5, DOMAIN_NAME = 7 };
  onnx_node node = {0};
  for (field f; next (&message, &f);)
    switch (f.number) {
    case INPUT:
      if (node.n_inputs < ONNX_INPUTS)
        node.inputs[node.n_inputs] = text_of (&f);
      node.n_inputs++;
      break;
    case OUTPUT:
      if (node.n_outputs++ == 0)
        node.output = text_of (&f);
      break;
    case OP: node.op = text_of (&f); break;
    case DOMAIN_NAME: node.domain = text_of (&f); break;
    case ATTRIBUTE: read_attribute (&message, f.bytes, &node); break;
    }
  r->bad |= message.bad;
  return node;
}

/* The name of an input or output of the graph. */
static onnx_text
read_name (reader message)
{
  enum { NAME = 1 };
  onnx_text name = {0};
  for (field f; next (&message, &f);)
    if (f.number == NAME)
      name = text_of (&f);
  return name;
}

static bool
is_constant (const onnx_graph *graph, onnx_text name)
{
  for (int i = 0; i < graph->n_tensors; i++)
    if (onnx_same (graph->tensors[i].name, name))
      return true;
  return false;
}

enum { GRAPH_NODE = 1, GRAPH_TENSOR = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };

static void
count (reader message, onnx_graph *graph)
{
  for (field f; next (&message, &f);) {
    graph->n_nodes += f.number == GRAPH_NODE;
    graph->n_tensors += f.number == GRAPH_TENSOR;
  }
}

/* Older files list constants among the inputs. */
static void
read_inputs (reader message, onnx_graph *graph)
{
  for (field f; next (&message, &f);) {
    const bool output = f.number == GRAPH_OUTPUT;
    const onnx_text name = output || f.number == GRAPH_INPUT ? read_name (f.bytes) : (onnx_text){0};
    if (!name.at || (!output && is_constant (graph, name)))
      continue;
    if (output && graph->n_outputs++ == 0)
      graph->output = name;
    if (!output && graph->n_inputs++ == 0)
      graph->input = name;
  }
}

static void
read_graph (reader message, onnx_graph *graph)
{
  int nodes = 0, tensors = 0;
  reader again = message;
  for (field f; next (&message, &f);)
    if (f.number == GRAPH_NODE)
      graph->nodes[nodes++] = read_node (&again, f.bytes);
    else if (f.number == GRAPH_TENSOR)
      graph->tensors[tensors++] = read_tensor (&again, f.bytes);
  read_inputs (again, graph);
}

fv_status
onnx_read (const void *bytes, size_t n, onnx_graph *graph, fv_error *error)
{
  enum { GRAPH = 7 };
  reader file = {bytes, (const uint8_t *) bytes + n, false}, found = {0};
  *graph = (onnx_graph){0};
  for (field f; next (&file, &f);)
    if (f.number == GRAPH && f.wire == WIRE_BYTES)
      found = f.bytes;
  if (file.bad || !found.at)
    return fail (error, FV_BAD_ARGUMENT, "model", "It is not an ONNX file, or it is damaged.");
  count (found, graph);
  if (graph->n_nodes > ONNX_NODES || graph->n_tensors > ONNX_TENSORS)
    return fail (error, FV_BAD_ARGUMENT, "model", "Its network has %d nodes and %d tensors; %d and %d are possible.",
                 graph->n_nodes, graph->n_tensors, ONNX_NODES, ONNX_TENSORS);
  graph->nodes = calloc ((size_t) graph->n_nodes + 1, sizeof *graph->nodes);
  graph->tensors = calloc ((size_t) graph->n_tensors + 1, sizeof *graph->tensors);
  if (!graph->nodes || !graph->tensors) {
    onnx_clear (graph);
    return fail (error, FV_NO_MEMORY, "", "Memory is short: the list of the network's nodes does not fit.");
  }
  read_graph (found, graph);
  return FV_OK;
}

void
onnx_clear (onnx_graph *graph)
{
  free (graph->nodes);
  free (graph->tensors);
  *graph = (onnx_graph){0};
}

/* ---- Values ---- */

bool
onnx_is (onnx_text text, const char *word)
{
  return text.n == strlen (word) && !memcmp (text.at, word, text.n);
}

bool
onnx_same (onnx_text one, onnx_text other)
{
  return one.n == other.n && (!one.n || !memcmp (one.at, other.at, one.n));
}

float
onnx_float (const onnx_tensor *t, size_t i)
{
  float v;
  memcpy (&v, t->at + i * sizeof v, sizeof v);
  return v;
}

int64_t
onnx_integer (const onnx_tensor *t, size_t i)
{
  int64_t v;
  memcpy (&v, t->at + i * sizeof v, sizeof v);
  return v;
}
