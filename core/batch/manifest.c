/* SPDX-License-Identifier: MIT
 *
 * Names of files are any bytes, and JSON is UTF-8: what is not, and the backslash itself, is \xff there, so that they can be read back.
 */
#include "core/batch/manifest.h"

#include "core/base/file_read.h"
#include "core/base/natural.h"
#include "core/base/text.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Writing ---- */

static void
add_character (GString *text, gunichar c)
{
  if (c == '"' || c == '\\')
    g_string_append_printf (text, "\\%c", (char) c);
  else if (c < 0x20 || c == 0x7f)
    g_string_append_printf (text, "\\u%04x", c);
  else
    g_string_append_unichar (text, c);
}

/* As a JSON string. reversible: doubles backslashes, so that escaped bytes differ from literal text. */
static void
add_string (GString *text, const char *bytes, gboolean reversible)
{
  g_string_append_c (text, '"');
  while (*bytes) {
    gunichar c = g_utf8_get_char_validated (bytes, -1);
    if (c == (gunichar) -1 || c == (gunichar) -2) {
      g_string_append_printf (text, "\\\\x%02x", (guint8) *bytes++);
      continue;
    }
    add_character (text, c);
    if (c == '\\' && reversible)
      add_character (text, c);
    bytes = g_utf8_next_char (bytes);
  }
  g_string_append_c (text, '"');
}

static void
add_text (GString *text, const char *key, const char *value)
{
  g_string_append_printf (text, ",\"%s\":", key);
  add_string (text, value, FALSE);
}

static void
add_number (GString *text, const char *key, gint64 number)
{
  g_string_append_printf (text, ",\"%s\":%" G_GINT64_FORMAT, key, number);
}

static void
add_outputs (GString *text, const BatchRecord *record)
{
  g_string_append (text, ",\"outputs\":{");
  for (guint i = 0; record->outputs && record->outputs[i]; i++) {
    g_string_append (text, i ? "," : "");
    add_string (text, record->outputs[i], TRUE);
    g_string_append_printf (text, ":%" G_GINT64_FORMAT, record->sizes[i]);
  }
  g_string_append_c (text, '}');
}

static void
add_reads (GString *text, const char *const *reads)
{
  g_string_append (text, ",\"reads\":{");
  for (guint i = 0; reads[i]; i++) {
    g_string_append (text, i ? "," : "");
    add_string (text, reads[i] + FILE_HASH_TEXT - 1, TRUE);
    g_string_append_printf (text, ":\"%.*s\"", FILE_HASH_TEXT - 1, reads[i]);
  }
  g_string_append_c (text, '}');
}

static void
add_set (GString *text, const char *const *set)
{
  g_string_append (text, ",\"set\":[");
  for (guint i = 0; set[i]; i++) {
    g_string_append (text, i ? "," : "");
    add_string (text, set[i], TRUE);
  }
  g_string_append_c (text, ']');
}

static void
add_values (GString *text, const BatchRecord *record)
{
  g_string_append (text, ",\"values\":{");
  for (guint i = 0; record->names[i]; i++) {
    g_string_append (text, i ? "," : "");
    add_string (text, record->names[i], FALSE);
    g_string_append_c (text, ':');
    if (isfinite (record->values[i]))
      text_add_number (text, record->values[i]);
    else
      g_string_append (text, "null");
  }
  g_string_append_c (text, '}');
}

void
batch_record_write (const BatchRecord *record, GString *text)
{
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append (text, "{\"file\":");
  add_string (text, record->file, TRUE);
  add_number (text, "series", record->series);
  if (record->removed) {
    g_string_append (text, ",\"removed\":true}\n");
    return;
  }
  add_number (text, "of", record->of);
  add_number (text, "size", record->stamp.size);
  add_number (text, "modified_ns", record->stamp.modified);
  add_number (text, "changed_ns", record->stamp.changed);
  if (record->belongs) {
    g_string_append (text, ",\"belongs\":");
    add_string (text, record->belongs, TRUE);
    g_string_append (text, "}\n");
    return;
  }
  add_text (text, "xxh128", record->stamp.hash);
  add_text (text, "work", record->work);
  if (record->well)
    add_text (text, "well", record->well);
  if (record->field)
    add_text (text, "field", record->field);
  if (record->error) {
    add_text (text, "error", record->error);
    if (record->suspect)
      add_number (text, "suspect", record->suspect);
  } else {
    add_outputs (text, record);
    if (record->set)
      add_set (text, record->set);
    if (record->reads && *record->reads)
      add_reads (text, record->reads);
    add_number (text, "part", record->part);
    add_number (text, "length", record->length);
    add_number (text, "rows", record->rows);
    if (record->names)
      add_values (text, record);
    add_text (text, "device", record->device);
    if (record->warning)
      add_text (text, "warning", record->warning);
    if (record->reproducible)
      add_text (text, "reproducible", record->reproducible);
    if (record->sums)
      add_text (text, "sha256", record->sums);
  }
  g_string_append_printf (text, ",\"seconds\":%s}\n",
                          g_ascii_formatd (seconds, sizeof seconds, "%.6f", record->seconds));
}

void
batch_header_write (const BatchHeader *header, GString *text)
{
  g_string_append (text, "{\"fovea\":");
  add_string (text, header->version, FALSE);
  add_text (text, "steps", header->steps);
  add_text (text, "inputs", header->inputs);
  add_number (text, "files", header->files);
  if (header->pattern) {
    add_text (text, "names", header->pattern);
    g_string_append (text, ",\"below\":");
    add_string (text, header->below, TRUE);
  }
  g_string_append (text, "}\n");
}

/* ---- Reading ---- */

static const char *
get_text (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);
  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : NULL;
}

/* -1: there is none. */
static gint64
get_number (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);
  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
           ? json_node_get_int (node)
           : -1;
}

/* The bytes that add_string() was given. */
static const char *
keep_name (GStringChunk *texts, const char *written)
{
  g_autoptr (GString) name = g_string_new (NULL);
  for (const char *at = written; *at; at++) {
    if (*at == '\\' && at[1] == 'x' && g_ascii_isxdigit (at[2]) && g_ascii_isxdigit (at[3])) {
      g_string_append_c (name, (char) (g_ascii_xdigit_value (at[2]) << 4 | g_ascii_xdigit_value (at[3])));
      at += 3;
      continue;
    }
    g_string_append_c (name, *at);
    at += *at == '\\' && at[1] == '\\';
  }
  return g_string_chunk_insert (texts, name->str);
}

/* Memory that lives as long as the texts. */
static gpointer
keep_bytes (GStringChunk *texts, gconstpointer bytes, gsize n)
{
  g_autofree char *room = g_malloc0 (n + sizeof (gint64));
  char *kept = g_string_chunk_insert_len (texts, room, (gssize) (n + sizeof (gint64)));
  kept += (sizeof (gint64) - GPOINTER_TO_SIZE (kept) % sizeof (gint64)) % sizeof (gint64);
  return n ? memcpy (kept, bytes, n) : kept;
}

static gboolean
read_outputs (JsonObject *object, BatchRecord *record, GStringChunk *texts)
{
  JsonNode *node = json_object_get_member (object, "outputs");
  JsonObjectIter iter;
  const char *key;
  if (!node || !JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  guint n = json_object_get_size (json_node_get_object (node)), i = 0;
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree gint64 *sizes = g_new0 (gint64, n + 1);
  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (i < n && json_object_iter_next_ordered (&iter, &key, NULL)) {
    names[i] = keep_name (texts, key);
    sizes[i++] = get_number (json_node_get_object (node), key);
  }
  if (n) {
    record->outputs = keep_bytes (texts, names, (n + 1) * sizeof *names);
    record->sizes = keep_bytes (texts, sizes, (n + 1) * sizeof *sizes);
  }
  return TRUE;
}

/* Of a record that has none NULL. FALSE: they are no hashes. */
static gboolean
read_reads (JsonObject *object, BatchRecord *record, GStringChunk *texts)
{
  JsonNode *node = json_object_get_member (object, "reads");
  JsonObjectIter iter;
  const char *key, *hash;
  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  g_autoptr (GPtrArray) reads = g_ptr_array_new ();
  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &key, NULL)) {
    if (!(hash = get_text (json_node_get_object (node), key)) || strlen (hash) != FILE_HASH_TEXT - 1)
      return FALSE;
    g_autofree char *both = g_strconcat (hash, keep_name (texts, key), NULL);
    g_ptr_array_add (reads, g_string_chunk_insert_const (texts, both));
  }
  g_ptr_array_add (reads, NULL);
  record->reads = keep_bytes (texts, reads->pdata, reads->len * sizeof *reads->pdata);
  return TRUE;
}

/* Of a record that has none NULL. FALSE: they are no names. */
static gboolean
read_set (JsonObject *object, BatchRecord *record, GStringChunk *texts)
{
  JsonNode *node = json_object_get_member (object, "set");
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++) {
    JsonNode *name = json_array_get_element (json_node_get_array (node), i);
    if (!JSON_NODE_HOLDS_VALUE (name) || json_node_get_value_type (name) != G_TYPE_STRING)
      return FALSE;
    g_ptr_array_add (set, (gpointer) keep_name (texts, json_node_get_string (name)));
  }
  g_ptr_array_add (set, NULL);
  record->set = keep_bytes (texts, set->pdata, set->len * sizeof *set->pdata);
  return TRUE;
}

/* Of a record that has none NULL. */
static void
read_values (JsonObject *object, BatchRecord *record, GStringChunk *texts)
{
  JsonNode *node = json_object_get_member (object, "values"), *value;
  JsonObjectIter iter;
  const char *key;
  if (!node || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &key, &value)) {
    const double number = JSON_NODE_HOLDS_VALUE (value) ? json_node_get_double (value) : NAN;
    g_ptr_array_add (names, g_string_chunk_insert_const (texts, key));
    g_array_append_val (values, number);
  }
  g_ptr_array_add (names, NULL);
  record->values = keep_bytes (texts, values->data, values->len * sizeof (double));
  record->names = keep_bytes (texts, names->pdata, names->len * sizeof *names->pdata);
}

static gboolean
read_record (JsonObject *object, BatchRecord *record, GStringChunk *texts)
{
  const char *file = get_text (object, "file"), *hash = get_text (object, "xxh128"), *work = get_text (object, "work"),
             *error = get_text (object, "error"), *device = get_text (object, "device"),
             *warning = get_text (object, "warning"), *reproducible = get_text (object, "reproducible"),
             *sums = get_text (object, "sha256"), *belongs = get_text (object, "belongs");
  const char *well = get_text (object, "well"), *field = get_text (object, "field");
  gint64 series = get_number (object, "series"), of = get_number (object, "of");
  if (!file || series < 0 || series >= G_MAXUINT)
    return FALSE;
  *record = (BatchRecord){
    .file = keep_name (texts, file),
    .series = (guint) series,
    .of = (guint) CLAMP (of, 0, G_MAXUINT),
    .removed = json_object_has_member (object, "removed"),
    .stamp = {get_number (object, "size"), get_number (object, "modified_ns"), get_number (object, "changed_ns"), ""},
    .part = get_number (object, "part"),
    .length = get_number (object, "length"),
    .rows = get_number (object, "rows"),
    .work = g_string_chunk_insert_const (texts, work ? work : ""),
    .device = g_string_chunk_insert_const (texts, device ? device : ""),
    .error = error ? g_string_chunk_insert (texts, error) : NULL,
    .suspect = (guint) CLAMP (get_number (object, "suspect"), 0, 2),
    .well = well ? g_string_chunk_insert_const (texts, well) : NULL,
    .field = field ? g_string_chunk_insert_const (texts, field) : NULL,
    .warning = warning ? g_string_chunk_insert_const (texts, warning) : NULL,
    .reproducible = reproducible ? g_string_chunk_insert_const (texts, reproducible) : NULL,
    .sums = sums ? g_string_chunk_insert_const (texts, sums) : NULL};
  if (record->removed)
    return TRUE;
  if ((record->belongs = belongs ? keep_name (texts, belongs) : NULL)) {
    record->part = record->length = record->rows = 0;
    return record->stamp.size >= 0;
  }
  record->seconds = json_object_has_member (object, "seconds") ? json_object_get_double_member (object, "seconds") : 0;
  read_values (object, record, texts);
  g_strlcpy (record->stamp.hash, hash ? hash : "", FILE_HASH_TEXT);
  return of > 0 && hash && work
         && (error
             || (device && record->part >= 0 && record->length >= 0 && record->rows >= 0
                 && read_outputs (object, record, texts) && read_reads (object, record, texts)
                 && read_set (object, record, texts)));
}

static gboolean
read_header (JsonObject *object, BatchHeader *header, GStringChunk *texts)
{
  const char *version = get_text (object, "fovea"), *steps = get_text (object, "steps"),
             *inputs = get_text (object, "inputs"), *pattern = get_text (object, "names"),
             *below = get_text (object, "below");
  gint64 files = get_number (object, "files");
  if (!version || !steps || !inputs || files < 0)
    return FALSE;
  *header = (BatchHeader){g_string_chunk_insert_const (texts, version),
                          g_string_chunk_insert_const (texts, steps),
                          g_string_chunk_insert_const (texts, inputs),
                          (guint) files,
                          pattern ? g_string_chunk_insert_const (texts, pattern) : NULL,
                          keep_name (texts, below ? below : "")};
  return TRUE;
}

static void
read_line (BatchRecords *records, guint shard, JsonParser *parser, const char *line, gsize n, gint64 parts)
{
  BatchHeader header;
  BatchRecord record;
  JsonNode *root = json_parser_load_from_data (parser, line, (gssize) n, NULL) ? json_parser_get_root (parser) : NULL;
  JsonObject *object = root && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  if (object && read_header (object, &header, records->texts))
    g_array_index (records->headers, BatchHeader, shard) = header;
  else if (object && read_record (object, &record, records->texts)
           && (record.error || record.removed || record.length <= parts - record.part)) {
    record.shard = shard;
    g_array_append_val (records->all, record);
  }
}

gboolean
batch_records_read (BatchRecords *records, guint shard, const char *path, gint64 parts, gint64 *whole, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  struct stat about;
  int fd = file_open_regular (path, 0, &about, error);
  FILE *file = fd < 0 ? NULL : fdopen (fd, "r");
  char *line = NULL;
  gsize room = 0;
  gssize n;
  if (!file)
    return FALSE;
  while (records->headers->len <= shard)
    g_array_append_val (records->headers, ((BatchHeader){"", "", "", 0, NULL, ""}));
  for (*whole = 0; (n = getline (&line, &room, file)) > 0 && line[n - 1] == '\n'; *whole += n)
    read_line (records, shard, parser, line, (gsize) n, parts);
  gboolean done = !ferror (file) || file_fail (error, FILE_ERROR_OPEN, path, "cannot be read.");
  free (line);
  fclose (file);
  return done;
}

/* ---- In order ---- */

BatchRecords *
batch_records_new (void)
{
  BatchRecords *records = g_new (BatchRecords, 1);
  *records = (BatchRecords){g_array_new (FALSE, FALSE, sizeof (BatchRecord)),
                            g_array_new (FALSE, FALSE, sizeof (BatchHeader)), g_string_chunk_new (1 << 16)};
  return records;
}

void
batch_records_free (BatchRecords *records)
{
  g_array_unref (records->all);
  g_array_unref (records->headers);
  g_string_chunk_free (records->texts);
  g_free (records);
}

static int
compare_images (const BatchRecord *a, const BatchRecord *b)
{
  int order = natural_compare (a->file, b->file);
  return order ? order : (a->series > b->series) - (a->series < b->series);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const BatchRecord *one = a, *other = b;
  int order = compare_images (one, other);
  return order ? order : (one->shard > other->shard) - (one->shard < other->shard);
}

/* Of those in a row that are of one image, and of one shard, the last; of different shards one that is still an image. */
static void
keep_last (GArray *all, gboolean same_shard)
{
  guint kept = 0;
  for (guint i = 0; i < all->len; i++) {
    const BatchRecord *record = &g_array_index (all, BatchRecord, i);
    BatchRecord *last = kept ? &g_array_index (all, BatchRecord, kept - 1) : NULL;
    if (!last || (same_shard ? compare (last, record) : compare_images (last, record)))
      g_array_index (all, BatchRecord, kept++) = *record;
    else if (same_shard || !record->removed)
      *last = *record;
  }
  g_array_set_size (all, kept);
}

/* Sorting keeps the order of equal ones. */
void
batch_records_settle (BatchRecords *records)
{
  g_array_sort (records->all, compare);
  keep_last (records->all, TRUE);
  keep_last (records->all, FALSE);
}

guint
batch_records_find (const BatchRecords *records, const char *file)
{
  guint from = 0, to = records->all->len;
  while (from < to) {
    guint middle = from + (to - from) / 2;
    if (natural_compare (g_array_index (records->all, BatchRecord, middle).file, file) < 0)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

gboolean
batch_records_have (const BatchRecords *records, const char *file)
{
  guint i = batch_records_find (records, file);
  return i < records->all->len && !strcmp (g_array_index (records->all, BatchRecord, i).file, file);
}
