/* SPDX-License-Identifier: MIT
 *
 * All messages of onnx.proto that lead to a tensor: github.com/onnx/onnx. Encoding: https://protobuf.dev/programming-guides/encoding.
 */
#include "runtime/external.h"

#include "runtime/error.h"

#include <string.h>

enum { DEEPEST = 32 };

typedef struct Reader {
  const guint8 *at, *end;
} Reader;

typedef enum Message { MODEL, GRAPH, NODE, ATTRIBUTE, TENSOR, SPARSE, FUNCTION, TRAINING, ENTRY } Message;

/* The field of a message that has another one. */
typedef struct Link {
  Message from;
  guint32 field;
  Message to;
} Link;

static const Link links[] = {
  {MODEL, 7, GRAPH},         {MODEL, 20, TRAINING},   {MODEL, 25, FUNCTION},  {GRAPH, 1, NODE},
  {GRAPH, 5, TENSOR},        {GRAPH, 15, SPARSE},     {NODE, 5, ATTRIBUTE},   {ATTRIBUTE, 5, TENSOR},
  {ATTRIBUTE, 6, GRAPH},     {ATTRIBUTE, 10, TENSOR}, {ATTRIBUTE, 11, GRAPH}, {ATTRIBUTE, 22, SPARSE},
  {ATTRIBUTE, 23, SPARSE},   {SPARSE, 1, TENSOR},     {SPARSE, 2, TENSOR},    {FUNCTION, 7, NODE},
  {FUNCTION, 11, ATTRIBUTE}, {TRAINING, 1, GRAPH},    {TRAINING, 2, GRAPH},   {TENSOR, 13, ENTRY}};

static gboolean
take_varint (Reader *r, guint64 *v)
{
  *v = 0;
  for (guint shift = 0; shift < 64 && r->at < r->end; shift += 7) {
    const guint8 byte = *r->at++;
    *v |= (guint64) (byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return TRUE;
  }
  return FALSE;
}

/* The next field, whose bytes are in *inner where it has some. FALSE: it is damaged. */
static gboolean
take_field (Reader *r, guint32 *field, Reader *inner)
{
  enum { VARINT = 0, BITS_64 = 1, BYTES = 2, BITS_32 = 5 };
  guint64 key, n;
  *inner = (Reader){NULL, NULL};
  if (!take_varint (r, &key))
    return FALSE;
  *field = (guint32) (key >> 3);
  switch (key & 7) {
  case VARINT: return take_varint (r, &n);
  case BITS_64: n = 8; break;
  case BITS_32: n = 4; break;
  case BYTES:
    if (!take_varint (r, &n))
      return FALSE;
    break;
  default: return FALSE;
  }
  if (n > (guint64) (r->end - r->at))
    return FALSE;
  *inner = (Reader){r->at, r->at + n};
  r->at += n;
  return TRUE;
}

static void
add_name (GPtrArray *names, Reader value)
{
  g_autofree char *name = g_strndup ((const char *) value.at, (gsize) (value.end - value.at));
  if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, g_steal_pointer (&name));
}

/* An entry of a tensor's external data: key and value, of which "location" is the name. */
static gboolean
read_entry (Reader r, GPtrArray *names)
{
  static const char location[] = "location";
  enum { KEY = 1, VALUE = 2 };
  Reader inner, key = {NULL, NULL}, value = {NULL, NULL};
  guint32 field;
  while (r.at < r.end) {
    if (!take_field (&r, &field, &inner))
      return FALSE;
    if (field == KEY)
      key = inner;
    if (field == VALUE)
      value = inner;
  }
  if (key.at && (gsize) (key.end - key.at) == strlen (location) && !memcmp (key.at, location, strlen (location)))
    add_name (names, value);
  return TRUE;
}

static gboolean
read_message (Reader r, Message message, guint depth, GPtrArray *names)
{
  Reader inner;
  guint32 field;
  if (message == ENTRY)
    return read_entry (r, names);
  if (depth == DEEPEST)
    return FALSE;
  while (r.at < r.end) {
    if (!take_field (&r, &field, &inner))
      return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS (links); i++)
      if (links[i].from == message && links[i].field == field && inner.at
          && !read_message (inner, links[i].to, depth + 1, names))
        return FALSE;
  }
  return TRUE;
}

gboolean
external_names (GBytes *onnx, GPtrArray *names, GError **error)
{
  gsize n;
  const guint8 *bytes = g_bytes_get_data (onnx, &n);
  return read_message ((Reader){bytes, bytes + n}, MODEL, 0, names)
         || model_error (error, "Its network is not an ONNX file, or it is damaged.");
}
