/* SPDX-License-Identifier: MIT
 */
#include "core/files/nd2/variant.h"

#include "core/files/shared/little.h"

#include <libdeflate.h>
#include <math.h>
#include <string.h>

typedef enum {
  BOOL = 1,
  INT32 = 2,
  UINT32 = 3,
  INT64 = 4,
  UINT64 = 5,
  DOUBLE = 6,
  POINTER = 7,
  STRING = 8,
  BYTES = 9,
  LEVEL = 11,
  COMPRESSED = 76,
} Type;

enum {
  MAX_DEPTH = 64,
  COMPRESSED_HEADER = 12, /* behind which deflated items begin */
  MAX_RATIO = 1032,       /* of Deflate */
  MAX_INFLATED = 256 << 20,
};

static FilesNd2Node *
node_new (void)
{
  return g_new0 (FilesNd2Node, 1);
}

void
files_nd2_node_free (FilesNd2Node *node)
{
  g_free (node->name);
  g_free (node->text);
  g_clear_pointer (&node->bytes, g_bytes_unref);
  g_clear_pointer (&node->children, g_ptr_array_unref);
  g_free (node);
}

static void
make_level (FilesNd2Node *node)
{
  node->children = g_ptr_array_new_with_free_func ((GDestroyNotify) files_nd2_node_free);
}

/* ---- Lite variants ---- */

typedef struct {
  const guint8 *at, *end;
} Bytes;

/* The next n bytes; NULL: there are not as many. */
static const guint8 *
take (Bytes *b, gsize n)
{
  const guint8 *at = b->at;
  if (n > (gsize) (b->end - at))
    return NULL;
  b->at += n;
  return at;
}

static gboolean
read_string (Bytes *b, FilesNd2Node *node)
{
  const guint8 *start = b->at, *unit;
  do
    if (!(unit = take (b, 2)))
      return FALSE;
  while (unit[0] || unit[1]);
  node->text = g_string_free (files_little_utf16 (start, (gsize) (unit - start) / 2), FALSE);
  return TRUE;
}

static gboolean
read_number (Bytes *b, guint type, FilesNd2Node *node)
{
  const guint bytes = type == BOOL ? 1 : type == INT32 || type == UINT32 ? 4 : 8;
  const guint8 *p = take (b, bytes);
  if (!p)
    return FALSE;
  const guint64 v = files_little (p, bytes);
  if (type == DOUBLE)
    memcpy (&node->number, &v, sizeof v);
  else
    node->number = type == INT32 ? (double) (gint32) v : type == INT64 ? (double) (gint64) v : (double) v;
  return TRUE;
}

static void read_items (Bytes *b, guint64 n, guint depth, FilesNd2Node *level);

/* start: of the item. */
static gboolean
read_level (Bytes *b, const guint8 *start, guint depth, FilesNd2Node *node)
{
  const guint8 *p = take (b, 12);
  if (!p || depth >= MAX_DEPTH)
    return FALSE;
  const guint64 n = files_little (p, 4), length = files_little (p + 4, 8);
  if (length < (guint64) (b->at - start) || length > (guint64) (b->end - start))
    return FALSE;
  Bytes inner = {b->at, start + length};
  make_level (node);
  read_items (&inner, n, depth + 1, node);
  b->at = start + length;
  return take (b, 8 * (gsize) n) != NULL;
}

static gboolean
read_value (Bytes *b, const guint8 *start, guint type, guint depth, FilesNd2Node *node)
{
  const guint8 *p;
  switch (type) {
  case BOOL:
  case INT32:
  case UINT32:
  case INT64:
  case UINT64:
  case DOUBLE:
  case POINTER: return read_number (b, type, node);
  case STRING: return read_string (b, node);
  case LEVEL: return read_level (b, start, depth, node);
  case BYTES: {
    const guint64 n = (p = take (b, 8)) ? files_little (p, 8) : 0;
    if (!p || n > (guint64) (b->end - b->at))
      return FALSE;
    node->bytes = g_bytes_new (b->at, (gsize) n);
    b->at += n;
    return TRUE;
  }
  default: return FALSE;
  }
}

/* Items that are deflated together. */
static void
read_compressed (const Bytes *b, guint64 n, guint depth, FilesNd2Node *level)
{
  const gsize packed = (gsize) (b->end - b->at);
  struct libdeflate_decompressor *z = libdeflate_alloc_decompressor ();
  gsize room = MIN (packed * MAX_RATIO, MAX_INFLATED), got = 0;
  g_autofree guint8 *inflated = g_try_malloc (room);
  if (z && inflated && !libdeflate_zlib_decompress (z, b->at, packed, inflated, room, &got)) {
    Bytes inner = {inflated, inflated + got};
    read_items (&inner, n, depth + 1, level);
  }
  if (z)
    libdeflate_free_decompressor (z);
}

/* Up to n items, into the level. */
static void
read_items (Bytes *b, guint64 n, guint depth, FilesNd2Node *level)
{
  for (; n > 0; n--) {
    const guint8 *start = b->at, *head = take (b, 2), *name;
    g_autoptr (FilesNd2Node) node = node_new ();
    if (!head)
      return;
    if (head[0] == COMPRESSED) {
      b->at = start;
      if (depth == 0 && take (b, COMPRESSED_HEADER))
        read_compressed (b, n, depth, level);
      return;
    }
    if (!(name = take (b, 2 * (gsize) head[1])))
      return;
    node->name = g_string_free (files_little_utf16 (name, head[1]), FALSE);
    if (!read_value (b, start, head[0], depth, node) && !node->children)
      return;
    g_ptr_array_add (level->children, g_steal_pointer (&node));
  }
}

/* ---- XML ---- */

typedef struct {
  GPtrArray *open; /* FilesNd2Node, the outermost first */
} Parser;

static void
start_element (GMarkupParseContext *context, const char *name, const char **names, const char **values, gpointer data,
               GError **error)
{
  Parser *p = data;
  const FilesNd2Node *parent = p->open->pdata[p->open->len - 1];
  FilesNd2Node *node = node_new ();
  const char *type = NULL, *value = NULL;
  (void) context, (void) error;
  for (int i = 0; names[i]; i++) {
    type = strcmp (names[i], "runtype") ? type : values[i];
    value = strcmp (names[i], "value") ? value : values[i];
  }
  node->name = g_strdup (name);
  make_level (node);
  if (type && value && !strcmp (type, "CLxStringW"))
    node->text = g_strdup (value);
  else if (type && value && !strcmp (type, "bool"))
    node->number = !g_ascii_strcasecmp (value, "true") || !strcmp (value, "1");
  else if (value)
    node->number = g_ascii_strtod (value, NULL);
  g_ptr_array_add (parent->children, node);
  g_ptr_array_add (p->open, node);
}

static void
end_element (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  Parser *p = data;
  (void) context, (void) name, (void) error;
  g_ptr_array_set_size (p->open, (gint) p->open->len - 1);
}

static void
parse_xml (const guint8 *bytes, gsize n, FilesNd2Node *root)
{
  static const GMarkupParser callbacks = {.start_element = start_element, .end_element = end_element};
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  Parser parser = {open};
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&callbacks, 0, &parser, NULL);
  g_ptr_array_add (open, root);
  g_markup_parse_context_parse (context, (const char *) bytes, (gssize) n, NULL);
}

/* ---- The whole ---- */

FilesNd2Node *
files_nd2_variant_parse (const guint8 *bytes, gsize n)
{
  g_autoptr (FilesNd2Node) root = node_new ();
  Bytes b = {bytes, bytes + n};
  make_level (root);
  if (n && *bytes == '<')
    parse_xml (bytes, n, root);
  else
    read_items (&b, 1, 0, root);
  /* <variant><no_name> is around the level in XML, an item in lite variants. */
  for (guint i = 0; i < 2 && root->children && root->children->len; i++) {
    FilesNd2Node *inner = g_ptr_array_steal_index (root->children, 0);
    const gboolean wrapper = !strcmp (inner->name, "variant");
    files_nd2_node_free (root);
    root = inner;
    if (!wrapper)
      break;
  }
  return root->children ? g_steal_pointer (&root) : NULL;
}

const FilesNd2Node *
files_nd2_child (const FilesNd2Node *node, const char *name)
{
  for (guint i = 0; i < files_nd2_count (node); i++)
    if (!strcmp (((FilesNd2Node *) node->children->pdata[i])->name, name))
      return node->children->pdata[i];
  return NULL;
}

guint
files_nd2_count (const FilesNd2Node *node)
{
  return node && node->children ? node->children->len : 0;
}

const FilesNd2Node *
files_nd2_nth (const FilesNd2Node *node, guint n)
{
  return n < files_nd2_count (node) ? node->children->pdata[n] : NULL;
}

double
files_nd2_number (const FilesNd2Node *node, const char *name, double otherwise)
{
  const FilesNd2Node *child = files_nd2_child (node, name);
  return child && isfinite (child->number) ? child->number : otherwise;
}

gint64
files_nd2_integer (const FilesNd2Node *node, const char *name)
{
  const double number = files_nd2_number (node, name, -1);
  return number >= 0 && number <= 0x1p53 && number == floor (number) ? (gint64) number : -1;
}

const char *
files_nd2_text (const FilesNd2Node *node, const char *name)
{
  const FilesNd2Node *child = files_nd2_child (node, name);
  return child && child->text && *child->text ? child->text : NULL;
}
