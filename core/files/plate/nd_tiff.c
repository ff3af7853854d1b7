/* SPDX-License-Identifier: MIT
 *
 * NDTiff of Micro-Manager 2 and Pycro-Manager, versions 2 and 3: NDTiff.index, in the folder or in "Full resolution" of a stitched one, beside TIFF files
 * of many pages. An entry of the index has the axes of an image as JSON, the name of its file, and where its pixels and metadata are:
 *
 *     u32 n, {"channel":"DAPI","z":1,"time":0}, u32 n, NAME_NDTiffStack.tif,
 *     u32 pixels, columns, rows, type, compression, metadata, their length, compression
 *
 * Pages are in the order of their pixels. An image that was written twice is the later one. Lower resolutions are not read.
 */
#include "core/files/plate/vendor.h"

#include "core/base/file_read.h"
#include "core/base/json_read.h"
#include "core/base/natural.h"
#include "core/base/progress.h"
#include "core/files/shared/bytes.h"
#include "core/files/shared/little.h"

#include <string.h>

#define NAME "NDTiff.index"
#define LARGEST ((gsize) 1 << 30)
enum {
  MAX_TEXT = 1 << 16,    /* of axes, and of a name */
  MAX_DESCRIBED = 4096,  /* images whose metadata are read: those of all would take long */
  MAX_METADATA = 1 << 20 /* bytes, of an image */
};

typedef struct {
  guint32 pixels, metadata, length; /* positions in the file, bytes of the metadata */
  GPtrArray *other;                 /* char *: "row", "3", ... of axes that are neither channels, slices nor frames */
} NdPlane;

typedef struct {
  PlateIndex *index;
  const char *below;
  GArray *planes;     /* NdPlane, of each entry of the index */
  GHashTable *names;  /* of channels -> their numbers, from 1 */
  GHashTable *values; /* of other axes -> the set of their values */
  GHashTable *absent; /* the names of files that are not there */
} Reading;

/* ---- The index ---- */

/* Where it is below the folder; NULL: nowhere. */
static const char *
index_in (const char *folder)
{
  static const char *const below[] = {"", "Full resolution"};
  for (guint i = 0; i < G_N_ELEMENTS (below); i++) {
    g_autofree char *path = g_build_filename (folder, below[i], NAME, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      return below[i];
  }
  return NULL;
}

static gboolean
is_folder (const char *folder)
{
  return index_in (folder) != NULL;
}

static gboolean
is_index (const char *path, const guint8 *head, gsize n)
{
  return g_str_has_suffix (path, "/" NAME) && n > 5 && head[4] == '{';
}

/* A text that its length is before. *at: behind it. NULL: the bytes end before. Free with g_free(). */
static char *
take_text (const guint8 *bytes, gsize n, gsize *at)
{
  if (n - *at < 4)
    return NULL;
  const gsize length = (gsize) files_little (bytes + *at, 4);
  if (length > MAX_TEXT || n - *at - 4 < length)
    return NULL;
  char *text = g_strndup ((const char *) bytes + *at + 4, length);
  *at += 4 + length;
  return text;
}

/* ---- Axes ---- */

static char *
text_of_value (JsonNode *value)
{
  gint64 integer;
  if (json_read_integer (value, &integer))
    return g_strdup_printf ("%" G_GINT64_FORMAT, integer);
  return JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING
           ? json_node_dup_string (value)
           : g_strdup ("");
}

/* Channels are numbers, or have names, whose numbers are then in the order in which they come. */
static gint64
channel_of (Reading *r, JsonNode *value)
{
  gint64 number;
  if (json_read_integer (value, &number))
    return number;
  g_autofree char *name = text_of_value (value);
  number = GPOINTER_TO_INT (g_hash_table_lookup (r->names, name));
  if (!number) {
    number = g_hash_table_size (r->names) + 1;
    g_hash_table_insert (r->names, g_strdup (name), GINT_TO_POINTER ((int) number));
    plate_index_channel (r->index, number)->name = g_steal_pointer (&name);
  }
  return number;
}

static void
take_axis (Reading *r, const char *name, JsonNode *value, PlateEntry *entry, NdPlane *plane)
{
  gint64 *at = !g_ascii_strcasecmp (name, "z") ? &entry->at[PLATE_SLICE]
               : !strcmp (name, "time")        ? &entry->at[PLATE_FRAME]
                                               : NULL;
  if (!strcmp (name, "channel"))
    entry->at[PLATE_CHANNEL] = channel_of (r, value);
  else if (!at || !json_read_integer (value, at)) {
    char *text = text_of_value (value);
    GHashTable *values = g_hash_table_lookup (r->values, name);
    if (!values) {
      values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_hash_table_insert (r->values, g_strdup (name), values);
    }
    g_hash_table_add (values, g_strdup (text));
    g_ptr_array_add (plane->other, g_strdup (name));
    g_ptr_array_add (plane->other, text);
  }
}

/* FALSE with *error. */
static gboolean
take_axes (Reading *r, const char *text, PlateEntry *entry, NdPlane *plane, const char *path, GError **error)
{
  g_autoptr (GError) fault = NULL;
  g_autoptr (JsonNode) root = json_read (text, strlen (text), &fault);
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;
  if (!root || !JSON_NODE_HOLDS_OBJECT (root))
    return file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: the axes of image %u are no JSON object.",
                      r->planes->len + 1);
  json_object_iter_init_ordered (&iter, json_node_get_object (root));
  while (json_object_iter_next_ordered (&iter, &name, &value))
    take_axis (r, name, value, entry, plane);
  return TRUE;
}

/* ---- Entries ---- */

static void
plane_clear (gpointer data)
{
  g_ptr_array_unref (((NdPlane *) data)->other);
}

/* FALSE with *error; a file that is not there is counted once. */
static gboolean
take_entry (Reading *r, const char *path, const guint8 *bytes, gsize n, gsize *at, GError **error)
{
  g_autofree char *axes = take_text (bytes, n, at), *name = axes ? take_text (bytes, n, at) : NULL;
  GError *fault = NULL;
  PlateEntry entry = plate_entry ();
  if (!name || n - *at < 32)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged or truncated: image %u of it is not all there.",
                      r->planes->len + 1);
  const guint8 *fields = bytes + *at;
  NdPlane plane = {(guint32) files_little (fields, 4), (guint32) files_little (fields + 20, 4),
                   (guint32) files_little (fields + 24, 4), g_ptr_array_new_with_free_func (g_free)};
  *at += 32;
  g_autofree char *file = g_build_filename (r->below, name, NULL);
  if (g_hash_table_contains (r->absent, name)) {
    plane_clear (&plane);
    return TRUE;
  }
  if (!plate_index_file (r->index, file, &entry.file, &fault) || !take_axes (r, axes, &entry, &plane, path, &fault)) {
    plane_clear (&plane);
    if (fault)
      g_propagate_error (error, fault);
    else
      g_hash_table_add (r->absent, g_steal_pointer (&name));
    return !fault;
  }
  g_array_append_val (r->index->entries, entry);
  g_array_append_val (r->planes, plane);
  return TRUE;
}

static gboolean
read_entries (Reading *r, GError **error)
{
  g_autofree char *path = g_build_filename (r->index->folder, r->below, NAME, NULL);
  gsize n, at = 0;
  g_autofree char *bytes = file_read_small (path, 0, LARGEST, &n, error);
  if (!bytes)
    return FALSE;
  /* Behind the entries there may be zeros: the file is longer while images are taken. */
  while (n - at >= 4 && files_little ((const guint8 *) bytes + at, 4))
    if (progress_stopped (error) || !take_entry (r, path, (const guint8 *) bytes, n, &at, error))
      return FALSE;
  return TRUE;
}

/* ---- Pages ---- */

static int
compare_pixels (gconstpointer a, gconstpointer b, gpointer data)
{
  const Reading *r = data;
  const guint one = *(const guint *) a, other = *(const guint *) b;
  const PlateEntry *entries = (const PlateEntry *) (gconstpointer) r->index->entries->data;
  const NdPlane *planes = (const NdPlane *) (gconstpointer) r->planes->data;
  if (entries[one].file != entries[other].file)
    return entries[one].file < entries[other].file ? -1 : 1;
  return (planes[one].pixels > planes[other].pixels) - (planes[one].pixels < planes[other].pixels);
}

/* The page of each, by the order of the pixels in its file. */
static void
number_pages (Reading *r)
{
  const guint n = r->planes->len;
  PlateEntry *entries = (PlateEntry *) (gpointer) r->index->entries->data;
  g_autofree guint *order = g_new (guint, n);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_pixels, r);
  for (guint i = 0; i < n; i++)
    entries[order[i]].page =
      i && entries[order[i]].file == entries[order[i - 1]].file ? entries[order[i - 1]].page + 1 : 0;
}

/* ---- Positions ---- */

/* "Pos2", "row 3, column 4": what other axes with several values say. "": there are none. Free with g_free(). */
static char *
position_of (const Reading *r, const NdPlane *plane)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i + 1 < plane->other->len; i += 2) {
    const char *name = plane->other->pdata[i], *value = plane->other->pdata[i + 1];
    if (g_hash_table_size (g_hash_table_lookup (r->values, name)) < 2)
      continue;
    const gboolean own = !strcmp (name, "position") && !g_ascii_isdigit (*value) && *value;
    g_string_append_printf (text, "%s%s%s%s", text->len ? ", " : "", own ? "" : name, own ? "" : " ", value);
  }
  return g_string_free (text, FALSE);
}

static int
natural (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(char *const *) a, *(char *const *) b);
}

/* Positions are wells with names, in natural order. */
static void
name_positions (Reading *r)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free), different = g_ptr_array_new ();
  for (guint i = 0; i < r->planes->len; i++) {
    char *position = position_of (r, &g_array_index (r->planes, NdPlane, i));
    g_ptr_array_add (all, position);
    if (*position && g_hash_table_add (seen, position))
      g_ptr_array_add (different, position);
  }
  g_ptr_array_sort (different, natural);
  for (guint i = 0; i < different->len; i++)
    plate_index_named_well (r->index, different->pdata[i]);
  for (guint i = 0; i < all->len; i++)
    if (*(const char *) all->pdata[i])
      g_array_index (r->index->entries, PlateEntry, i).well = plate_index_named_well (r->index, all->pdata[i]);
}

/* ---- Metadata ---- */

static double
number (JsonObject *object, const char *name)
{
  double value;
  JsonNode *node = json_object_get_member (object, name);
  return node && json_read_number (node, &value) ? value : NAN;
}

static void
take_metadata (PlateIndex *index, PlateEntry *entry, JsonObject *object)
{
  const double size = number (object, "PixelSizeUm"), height = number (object, "ZPositionUm");
  const char *channel = json_read_string (object, "Channel");
  PlateChannel *own = plate_index_channel (index, entry->at[PLATE_CHANNEL]);
  entry->height = isfinite (height) ? height : number (object, "ZPosition_um_Intended");
  entry->time = number (object, "ElapsedTime-ms") / 1000;
  if (size > 0)
    index->spacing[1] = index->spacing[2] = size;
  if (*channel && !own->name)
    own->name = g_strdup (channel);
}

static void
read_metadata (Reading *r)
{
  g_autoptr (FilesBytes) file = NULL;
  guint open = 0;
  for (guint i = 0; i < MIN (r->planes->len, MAX_DESCRIBED); i++) {
    PlateEntry *entry = &g_array_index (r->index->entries, PlateEntry, i);
    const NdPlane *plane = &g_array_index (r->planes, NdPlane, i);
    if (!file || open != entry->file) {
      g_autofree char *path = g_build_filename (r->index->folder, r->index->files->pdata[entry->file], NULL);
      g_clear_pointer (&file, files_bytes_unref);
      file = files_bytes_open (path, NULL);
      open = entry->file;
    }
    g_autofree char *text = plane->length && plane->length <= MAX_METADATA ? g_malloc (plane->length) : NULL;
    if (!file || !text || !files_bytes_read (file, plane->metadata, text, plane->length))
      continue;
    g_autoptr (JsonNode) root = json_read (text, plane->length, NULL);
    if (root && JSON_NODE_HOLDS_OBJECT (root))
      take_metadata (r->index, entry, json_node_get_object (root));
  }
}

/* ---- The whole ---- */

static gboolean
same_plane (gconstpointer a, gconstpointer b)
{
  const PlateEntry *one = a, *other = b;
  return one->well == other->well && !memcmp (one->at, other->at, sizeof one->at);
}

static guint
plane_hash (gconstpointer data)
{
  const PlateEntry *entry = data;
  guint hash = entry->well;
  for (int axis = 0; axis < PLATE_AXES; axis++)
    hash = hash * 31 + (guint) entry->at[axis];
  return hash;
}

/* The last of several images of one plane. */
static void
drop_overwritten (PlateIndex *index)
{
  GArray *kept = g_array_sized_new (FALSE, FALSE, sizeof (PlateEntry), index->entries->len);
  g_autoptr (GHashTable) last = g_hash_table_new (plane_hash, same_plane);
  for (guint i = 0; i < index->entries->len; i++)
    g_hash_table_replace (last, &g_array_index (index->entries, PlateEntry, i),
                          &g_array_index (index->entries, PlateEntry, i));
  for (guint i = 0; i < index->entries->len; i++) {
    PlateEntry *entry = &g_array_index (index->entries, PlateEntry, i);
    if (g_hash_table_lookup (last, entry) == entry)
      g_array_append_val (kept, *entry);
  }
  g_hash_table_remove_all (last);
  g_array_unref (index->entries);
  index->entries = kept;
}

static void
reading_clear (Reading *r)
{
  g_array_unref (r->planes);
  g_hash_table_unref (r->names);
  g_hash_table_unref (r->values);
  g_hash_table_unref (r->absent);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static PlateIndex *
read_index (const char *folder, GError **error)
{
  g_autoptr (PlateIndex) index = plate_index_new (folder);
  g_auto (Reading)
    r = {.index = index,
         .below = index_in (folder),
         .planes = g_array_new (FALSE, FALSE, sizeof (NdPlane)),
         .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
         .values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_hash_table_unref)};
  r.absent = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_array_set_clear_func (r.planes, plane_clear);
  if (!r.below) {
    file_fail (error, FILE_ERROR_MISSING, folder, "has no " NAME ".");
    return NULL;
  }
  if (!read_entries (&r, error))
    return NULL;
  number_pages (&r);
  name_positions (&r);
  read_metadata (&r);
  drop_overwritten (index);
  return g_steal_pointer (&index);
}

const PlateVendor plate_nd_tiff = {is_index, is_folder, read_index};
