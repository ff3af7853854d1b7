/* SPDX-License-Identifier: MIT
 */
#include "core/files/zarr/array.h"

#include "core/base/json_read.h"
#include "core/data/half.h"

#include <math.h>
#include <string.h>

enum {
  MAX_CHUNK = G_MAXINT32, /* bytes, as in Blosc */
  MAX_IN_SHARD = 1 << 24, /* chunks */
  MAX_CODECS = 8
};

/* What is being read: `a` is the array, and `path` that of its metadata. */
typedef struct {
  ZarrArray *a;
  const char *path;
  guint8 order[ZARR_AXES]; /* of the axes as they are stored, the slowest first */
} Reading;

static gboolean
damaged (const Reading *r, const char *what, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, r->path, "is damaged: %s.", what);
}

static gboolean
unsupported (const Reading *r, const char *what, const char *name, const char *advice, GError **error)
{
  return file_fail (error, FILE_ERROR_UNSUPPORTED, r->path, "has %s '%.40s', which cannot be read: %s.", what, name,
                    advice);
}

/* ---- Sizes ---- */

/* As many positive integers as the array has axes. */
static gboolean
read_sizes (const Reading *r, JsonArray *sizes, gint64 to[ZARR_AXES])
{
  gboolean right = sizes && json_array_get_length (sizes) == r->a->n;
  for (guint i = 0; right && i < r->a->n; i++)
    right = json_read_integer (json_array_get_element (sizes, i), &to[i]) && to[i] > 0;
  return right;
}

static gboolean
read_shape (Reading *r, JsonObject *metadata, GError **error)
{
  JsonArray *shape = json_read_array (metadata, "shape");
  const guint n = shape ? json_array_get_length (shape) : 0;
  if (!n)
    return damaged (r, "its shape is missing or has no axis", error);
  if (n > ZARR_AXES)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, r->path, "has %u axes; up to %d can be read.", n, ZARR_AXES);
  r->a->n = n;
  for (guint i = 0; i < n; i++)
    r->order[i] = (guint8) i;
  return read_sizes (r, shape, r->a->shape) || damaged (r, "its shape is not of positive integers", error);
}

/* From the size of a chunk. */
static gboolean
set_strides (Reading *r, GError **error)
{
  ZarrArray *a = r->a;
  a->pixels = 1;
  for (guint i = a->n; i-- > 0;) {
    const guint axis = r->order[i];
    a->stride[axis] = a->pixels;
    if (a->chunk[axis] > MAX_CHUNK || a->pixels > MAX_CHUNK / a->number.bytes / a->chunk[axis])
      return file_fail (error, FILE_ERROR_UNSUPPORTED, r->path,
                        "has chunks of more than 2 GiB, which cannot be read: store it in smaller chunks.");
    a->pixels *= a->chunk[axis];
  }
  return TRUE;
}

gint64
zarr_array_in_shard (const ZarrArray *array)
{
  gint64 n = 1;
  for (guint i = 0; i < array->n; i++)
    n *= array->stored[i] / array->chunk[i];
  return n;
}

static gboolean
check_shard (const Reading *r, GError **error)
{
  const ZarrArray *a = r->a;
  gint64 left = MAX_IN_SHARD;
  for (guint i = 0; i < a->n; i++) {
    if (a->stored[i] % a->chunk[i])
      return damaged (r, "its shards are no multiple of their chunks", error);
    left /= a->stored[i] / a->chunk[i];
  }
  return left > 0
         || file_fail (error, FILE_ERROR_UNSUPPORTED, r->path, "has more than %d chunks in a shard.", MAX_IN_SHARD);
}

/* ---- Numbers ---- */

/* kind: of NumPy, 'b', 'u', 'i' or 'f'. */
static gboolean
set_number (Reading *r, char kind, gint64 bytes, gboolean big)
{
  r->a->number = (FilesNumber){.bytes = (guint) bytes,
                               .is_float = kind == 'f',
                               .is_signed = kind == 'i' || kind == 'f',
                               .is_mask = kind == 'b',
                               .swapped = bytes > 1 && big != (G_BYTE_ORDER == G_BIG_ENDIAN)};
  return kind == 'b'   ? bytes == 1
         : kind == 'f' ? bytes == 2 || bytes == 4 || bytes == 8
                       : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* "<u2" */
static gboolean
read_type_2 (Reading *r, JsonObject *metadata, GError **error)
{
  const char *dtype = json_read_string (metadata, "dtype");
  const gsize n = strlen (dtype);
  if (n >= 3 && strchr ("<>|", dtype[0]) && strchr ("buif", dtype[1])
      && set_number (r, dtype[1], g_ascii_strtoll (dtype + 2, NULL, 10), dtype[0] == '>'))
    return TRUE;
  return unsupported (r, "the type", n ? dtype : "of a structure",
                      "integers of 8 to 64 bits, floats of 16 to 64 bits and bool can be", error);
}

/* "uint16" */
static gboolean
read_type_3 (Reading *r, JsonObject *metadata, GError **error)
{
  static const struct {
    const char *name;
    char kind;
    gint64 bytes;
  } types[] = {
    {"bool", 'b', 1},   {"uint8", 'u', 1},   {"uint16", 'u', 2},  {"uint32", 'u', 4},
    {"uint64", 'u', 8}, {"int8", 'i', 1},    {"int16", 'i', 2},   {"int32", 'i', 4},
    {"int64", 'i', 8},  {"float16", 'f', 2}, {"float32", 'f', 4}, {"float64", 'f', 8},
  };
  const char *name = json_read_string (metadata, "data_type");
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (!strcmp (types[i].name, name))
      return set_number (r, types[i].kind, types[i].bytes, FALSE);
  return unsupported (r, "the type", *name ? name : "of an extension",
                      "integers of 8 to 64 bits, floats of 16 to 64 bits and bool can be", error);
}

/* ---- Fill values ---- */

/* Of floats that JSON does not have; FALSE: it is none of them. */
static gboolean
named_float (const char *name, double *value)
{
  *value = !strcmp (name, "NaN") ? (double) NAN : !strcmp (name, "-Infinity") ? -(double) INFINITY : (double) INFINITY;
  return !strcmp (name, "NaN") || !strcmp (name, "Infinity") || !strcmp (name, "-Infinity");
}

static void
store_float (ZarrArray *a, double value)
{
  const float single = (float) value;
  const guint16 half = half_from_float (single);
  memcpy (a->fill,
          a->number.bytes == 2   ? (const void *) &half
          : a->number.bytes == 4 ? (const void *) &single
                                 : (const void *) &value,
          a->number.bytes);
}

static void
store_integer (ZarrArray *a, gint64 value)
{
  const guint64 bits = GUINT64_TO_LE ((guint64) value);
  memcpy (a->fill, &bits, a->number.bytes);
  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    files_numbers_swap (a->fill, a->number.bytes, 1);
}

/* null, and what is missing, is 0. */
static gboolean
read_fill (Reading *r, JsonObject *metadata, GError **error)
{
  ZarrArray *a = r->a;
  JsonNode *node = json_read_member (metadata, "fill_value", JSON_NODE_VALUE);
  const char *text = json_read_string (metadata, "fill_value");
  double value = 0;
  gint64 integer = 0;
  if (!node)
    return TRUE;
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    store_integer (a, json_node_get_boolean (node));
  else if (g_str_has_prefix (text, "0x"))
    store_integer (a, (gint64) g_ascii_strtoull (text, NULL, 16));
  else if (a->number.is_float && (json_read_number (node, &value) || named_float (text, &value)))
    store_float (a, value);
  else if (!a->number.is_float
           && (json_read_integer (node, &integer) || (json_read_number (node, &value) && fabs (value) < 0x1p53)))
    store_integer (a, value != 0 ? (gint64) value : integer);
  else
    return damaged (r, "its fill_value is none of its type", error);
  if (a->number.swapped) /* as all numbers are stored */
    files_numbers_swap (a->fill, a->number.bytes, 1);
  return TRUE;
}

/* ---- Codecs ---- */

static gboolean
set_packing (const Reading *r, ZarrCodecs *codecs, const char *name, GError **error)
{
  static const struct {
    const char *name;
    ZarrPacking packing;
  } known[] = {{"zlib", ZARR_DEFLATE}, {"gzip", ZARR_DEFLATE}, {"zstd", ZARR_ZSTD},
               {"blosc", ZARR_BLOSC},  {"lz4", ZARR_LZ4},      {"bz2", ZARR_BZIP2}};
  const char *plain = g_str_has_prefix (name, "numcodecs.") ? name + strlen ("numcodecs.") : name;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (!strcmp (known[i].name, plain) && codecs->packing == ZARR_PLAIN) {
      codecs->packing = known[i].packing;
      return TRUE;
    }
  return unsupported (r, "the codec", name, "store it with Zstandard, gzip or Blosc", error);
}

static gboolean
read_codecs_2 (Reading *r, JsonObject *metadata, GError **error)
{
  ZarrArray *a = r->a;
  JsonArray *filters = json_read_array (metadata, "filters");
  JsonObject *compressor = json_read_object (metadata, "compressor");
  if (filters && json_array_get_length (filters))
    return unsupported (r, "the filter", json_read_string (json_read_element (filters, 0), "id"), "store it without",
                        error);
  if (!strcmp (json_read_string (metadata, "order"), "F"))
    for (guint i = 0; i < a->n; i++)
      r->order[i] = (guint8) (a->n - 1 - i);
  return !compressor || set_packing (r, &a->codecs, json_read_string (compressor, "id"), error);
}

/* The axes of what has been transposed so far, in another order. */
static gboolean
transpose (Reading *r, JsonNode *node, GError **error)
{
  const guint n = r->a->n;
  guint8 before[ZARR_AXES];
  guint seen = 0;
  const char *word = node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
                       ? json_node_get_string (node)
                       : "";
  JsonArray *order = node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  memcpy (before, r->order, sizeof before);
  for (guint i = 0; i < n; i++) {
    gint64 axis = !strcmp (word, "C") ? i : !strcmp (word, "F") ? (gint64) n - 1 - i : -1;
    if (order && json_array_get_length (order) == n)
      json_read_integer (json_array_get_element (order, i), &axis);
    if (axis < 0 || axis >= n || seen & 1u << axis)
      return damaged (r, "its codec transpose has no order of all axes", error);
    seen |= 1u << axis;
    r->order[i] = before[axis];
  }
  return TRUE;
}

static gboolean
read_endian (Reading *r, JsonObject *configuration, GError **error)
{
  const char *endian = json_read_string (configuration, "endian");
  FilesNumber *number = &r->a->number;
  if (number->bytes > 1 && strcmp (endian, "little") && strcmp (endian, "big"))
    return damaged (r, "its codec bytes has no byte order", error);
  number->swapped = number->bytes > 1 && !strcmp (endian, "big") != (G_BYTE_ORDER == G_BIG_ENDIAN);
  return TRUE;
}

static gboolean read_codecs_3 (Reading *r, JsonArray *list, gboolean in_shard, GError **error);

/* The index is stored as little-endian numbers, with or without a checksum. */
static gboolean
read_index (Reading *r, JsonObject *configuration, GError **error)
{
  JsonArray *codecs = json_read_array (configuration, "index_codecs");
  const guint n = codecs ? json_array_get_length (codecs) : 0;
  const char *where = json_read_string (configuration, "index_location");
  gboolean right = n >= 1;
  for (guint i = 0; i < n; i++) {
    JsonObject *codec = json_read_element (codecs, i);
    const char *name = json_read_string (codec, "name");
    if (i)
      right = right && !strcmp (name, "crc32c");
    else
      right = !strcmp (name, "bytes")
              && !strcmp (json_read_string (json_read_object (codec, "configuration"), "endian"), "little");
  }
  r->a->index_sums = n ? n - 1 : 0;
  r->a->index_first = !strcmp (where, "start");
  if (!right || n > MAX_CODECS || (*where && !r->a->index_first && strcmp (where, "end")))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, r->path,
                      "has shards whose index cannot be read: it is little-endian, not compressed, and at the start or "
                      "the end.");
  return TRUE;
}

static gboolean
read_sharding (Reading *r, JsonObject *configuration, GError **error)
{
  r->a->is_sharded = TRUE;
  if (!read_sizes (r, json_read_array (configuration, "chunk_shape"), r->a->chunk))
    return damaged (r, "its shards have no chunk_shape", error);
  return check_shard (r, error) && read_index (r, configuration, error)
         && read_codecs_3 (r, json_read_array (configuration, "codecs"), TRUE, error);
}

/* One of them behind the numbers' bytes. */
static gboolean
read_byte_codec (const Reading *r, const char *name, GError **error)
{
  ZarrCodecs *codecs = &r->a->codecs;
  if (strcmp (name, "crc32c"))
    return set_packing (r, codecs, name, error);
  if (codecs->packing)
    codecs->sums_outside++;
  else
    codecs->sums_inside++;
  return TRUE;
}

/* Transposing, then bytes or shards, then others. */
static gboolean
read_codecs_3 (Reading *r, JsonArray *list, gboolean in_shard, GError **error)
{
  const guint n = list ? json_array_get_length (list) : 0;
  gboolean has_bytes = FALSE;
  for (guint i = 0; i < n && i < MAX_CODECS; i++) {
    JsonObject *codec = json_read_element (list, i), *configuration = json_read_object (codec, "configuration");
    JsonNode *node = json_array_get_element (list, i);
    const char *name = json_read_string (codec, "name");
    if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
      name = json_node_get_string (node);
    gboolean done;
    if (has_bytes)
      done = read_byte_codec (r, name, error);
    else if (!strcmp (name, "transpose"))
      done = transpose (r, configuration ? json_object_get_member (configuration, "order") : NULL, error);
    else if (!strcmp (name, "sharding_indexed") && !in_shard && n == 1)
      return read_sharding (r, configuration, error);
    else if (!strcmp (name, "bytes"))
      done = has_bytes = read_endian (r, configuration, error);
    else
      return unsupported (r, "the codec", name, "store it with Zstandard, gzip or Blosc", error);
    if (!done)
      return FALSE;
  }
  return (has_bytes && n <= MAX_CODECS) || damaged (r, "its codecs are none that make bytes", error);
}

/* ---- Both versions ---- */

static gboolean
read_2 (Reading *r, JsonObject *metadata, GError **error)
{
  const char *separator = json_read_string (metadata, "dimension_separator");
  if (!read_shape (r, metadata, error) || !read_type_2 (r, metadata, error))
    return FALSE;
  if (!read_sizes (r, json_read_array (metadata, "chunks"), r->a->stored))
    return damaged (r, "its chunks have no sizes", error);
  memcpy (r->a->chunk, r->a->stored, sizeof r->a->chunk);
  r->a->separator = *separator ? *separator : '.';
  return read_fill (r, metadata, error) && read_codecs_2 (r, metadata, error);
}

/* Names of members that change what others mean, and must be understood. */
static gboolean
check_members (const Reading *r, JsonObject *metadata, GError **error)
{
  static const char *const known[] = {"zarr_format",
                                      "node_type",
                                      "shape",
                                      "data_type",
                                      "chunk_grid",
                                      "fill_value",
                                      "chunk_key_encoding",
                                      "codecs",
                                      "attributes",
                                      "dimension_names",
                                      "storage_transformers",
                                      "consolidated_metadata",
                                      NULL};
  JsonArray *transformers = json_read_array (metadata, "storage_transformers");
  g_autoptr (GList) names = json_object_get_members (metadata);
  for (const GList *l = names; l; l = l->next) {
    JsonNode *must = json_read_member (json_read_object (metadata, l->data), "must_understand", JSON_NODE_VALUE);
    if (!g_strv_contains (known, l->data) && (!must || json_node_get_boolean (must)))
      return unsupported (r, "the extension", l->data, "it may change what the rest means", error);
  }
  return !transformers || !json_array_get_length (transformers)
         || unsupported (r, "storage transformers", "", "store it without", error);
}

static void
read_names (Reading *r, JsonObject *metadata)
{
  JsonArray *names = json_read_array (metadata, "dimension_names");
  for (guint i = 0; names && i < r->a->n && i < json_array_get_length (names); i++) {
    JsonNode *name = json_array_get_element (names, i);
    if (JSON_NODE_HOLDS_VALUE (name) && json_node_get_value_type (name) == G_TYPE_STRING)
      r->a->names[i] = json_node_dup_string (name);
  }
}

static gboolean
read_3 (Reading *r, JsonObject *metadata, GError **error)
{
  ZarrArray *a = r->a;
  JsonObject *grid = json_read_object (metadata, "chunk_grid"),
             *keys = json_read_object (metadata, "chunk_key_encoding");
  const char *encoding = json_read_string (keys, "name"),
             *separator = json_read_string (json_read_object (keys, "configuration"), "separator");
  if (!check_members (r, metadata, error) || !read_shape (r, metadata, error) || !read_type_3 (r, metadata, error))
    return FALSE;
  if (strcmp (json_read_string (grid, "name"), "regular"))
    return unsupported (r, "the chunk grid", json_read_string (grid, "name"), "store it in regular chunks", error);
  if (!read_sizes (r, json_read_array (json_read_object (grid, "configuration"), "chunk_shape"), a->stored))
    return damaged (r, "its chunks have no sizes", error);
  if (strcmp (encoding, "default") && strcmp (encoding, "v2"))
    return unsupported (r, "the keys", encoding, "store it with the default ones", error);
  memcpy (a->chunk, a->stored, sizeof a->chunk);
  a->prefixed = !strcmp (encoding, "default");
  a->separator = *separator ? *separator : a->prefixed ? '/' : '.';
  read_names (r, metadata);
  return read_codecs_3 (r, json_read_array (metadata, "codecs"), FALSE, error) && read_fill (r, metadata, error);
}

ZarrArray *
zarr_array_new (ZarrStore *store, const char *key, guint version, JsonObject *metadata, GError **error)
{
  g_autofree char *document = zarr_store_key (key, version == 2 ? ".zarray" : "zarr.json"),
                  *path = zarr_store_path_of (store, document);
  g_autoptr (ZarrArray) a = g_new0 (ZarrArray, 1);
  Reading r = {.a = a, .path = path};
  a->store = zarr_store_ref (store);
  a->key = g_strdup (key);
  if (!(version == 2 ? read_2 : read_3) (&r, metadata, error) || !set_strides (&r, error))
    return NULL;
  if (a->separator != '.' && a->separator != '/') {
    damaged (&r, "its keys have another separator than . and /", error);
    return NULL;
  }
  return zarr_codecs_known (&a->codecs, path, error) ? g_steal_pointer (&a) : NULL;
}

void
zarr_array_free (ZarrArray *array)
{
  for (guint i = 0; i < ZARR_AXES; i++)
    g_free (array->names[i]);
  zarr_store_unref (array->store);
  g_free (array->key);
  g_free (array);
}

char *
zarr_array_key_of (const ZarrArray *array, const gint64 at[ZARR_AXES])
{
  g_autoptr (GString) name = g_string_new (array->prefixed ? "c" : NULL);
  for (guint i = 0; i < array->n; i++) {
    if (name->len)
      g_string_append_c (name, array->separator);
    g_string_append_printf (name, "%" G_GINT64_FORMAT, at[i]);
  }
  return zarr_store_key (array->key, name->str);
}
