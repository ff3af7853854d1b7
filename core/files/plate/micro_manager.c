/* SPDX-License-Identifier: MIT
 *
 * Micro-Manager 1.4 and 2: a folder, or one for each position, with metadata.txt, JSON, and files of one plane each. Image stacks,
 * NAME_MMStack_POSITION.ome.tif, are OME-TIFF, whose images are the fields.
 */
#include "core/files/plate/vendor.h"

#include "core/base/file_read.h"
#include "core/base/json_read.h"
#include "core/base/progress.h"
#include "core/files/shared/opener.h"

#include <string.h>

#define METADATA "metadata.txt"
#define STACK "_MMStack"
#define STACK_ENDING ".ome.tif"
#define LARGEST ((gsize) 1 << 30)

typedef struct {
  PlateIndex *index;
  const char *below;   /* the folder whose metadata are read */
  gint64 field;        /* of a folder of its own */
  gboolean one_folder; /* it has all positions */
} Reading;

static gboolean
is_index (const char *path, const guint8 *head, gsize n)
{
  return g_str_has_suffix (path, METADATA) && n && memchr (head, '{', MIN (n, 8)) && memmem (head, n, "\"Summary\"", 9);
}

static gboolean
has_metadata (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, METADATA, NULL);
  return plate_vendor_is_index (path, is_index);
}

static gboolean
is_stack (const char *name)
{
  return *name != '.' && strstr (name, STACK) && g_str_has_suffix (name, STACK_ENDING);
}

/* Its own metadata, those of a position in it, or stacks. */
static gboolean
is_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  gboolean is = has_metadata (folder);
  for (const char *name; !is && dir && (name = g_dir_read_name (dir));) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    is = is_stack (name) || (*name != '.' && !strchr (name, '.') && has_metadata (path));
  }
  return is;
}

/* ---- Planes ---- */

/* The first of several members that is a number. */
static gint64
integer (JsonObject *object, const char *const *names, gint64 otherwise)
{
  for (; *names; names++) {
    gint64 value;
    JsonNode *node = object ? json_object_get_member (object, *names) : NULL;
    if (node && json_read_integer (node, &value) && value > G_MININT32 && value < G_MAXINT32)
      return value;
  }
  return otherwise;
}

static double
number (JsonObject *object, const char *name)
{
  double value;
  JsonNode *node = object ? json_object_get_member (object, name) : NULL;
  return node && json_read_number (node, &value) ? value : NAN;
}

/* Adds a plane. where: its indices; what: its other metadata, or NULL; name: of its file. FALSE with *error. */
static gboolean
add_plane (Reading *r, const char *name, JsonObject *where, JsonObject *what, GError **error)
{
  static const char *const channels[] = {"ChannelIndex", "channel", NULL},
                           *const slices[] = {"SliceIndex", "Slice", "z", NULL},
                           *const frames[] = {"FrameIndex", "Frame", "TimeIndex", "time", NULL},
                           *const positions[] = {"PositionIndex", "position", NULL};
  GError *fault = NULL;
  PlateEntry entry = plate_entry ();
  g_autofree char *path = g_build_filename (r->below, name, NULL);
  const double size = number (what, "PixelSizeUm");
  if (!plate_index_file (r->index, path, &entry.file, &fault)) {
    if (fault)
      g_propagate_error (error, fault);
    return !fault;
  }
  entry.field = r->one_folder ? integer (where, positions, 0) : r->field;
  entry.at[PLATE_CHANNEL] = integer (where, channels, 0);
  entry.at[PLATE_SLICE] = integer (where, slices, 0);
  entry.at[PLATE_FRAME] = integer (where, frames, 0);
  entry.height = number (what, "ZPositionUm");
  entry.time = number (what, "ElapsedTime-ms") / 1000;
  if (size > 0)
    r->index->spacing[1] = r->index->spacing[2] = size;
  if (what && *json_read_string (what, "Channel") && !plate_index_channel (r->index, entry.at[PLATE_CHANNEL])->name)
    plate_index_channel (r->index, entry.at[PLATE_CHANNEL])->name = g_strdup (json_read_string (what, "Channel"));
  g_array_append_val (r->index->entries, entry);
  return TRUE;
}

/* FrameKey-t-c-z of version 1.4, and Coords-... with Metadata-... of version 2. FALSE with *error. */
static gboolean
add_member (Reading *r, JsonObject *root, const char *key, JsonObject *object, GError **error)
{
  if (g_str_has_prefix (key, "FrameKey-") && *json_read_string (object, "FileName"))
    return add_plane (r, json_read_string (object, "FileName"), object, object, error);
  if (!g_str_has_prefix (key, "Coords-"))
    return TRUE;
  const char *path = key + strlen ("Coords-"), *slash = strrchr (path, '/');
  g_autofree char *other = g_strconcat ("Metadata-", path, NULL);
  return add_plane (r, slash ? slash + 1 : path, object, json_read_object (root, other), error);
}

/* ---- Metadata ---- */

static void
take_names (PlateIndex *index, JsonObject *summary)
{
  JsonArray *names = json_read_array (summary, "ChNames"), *colors = json_read_array (summary, "ChColors");
  for (guint c = 0; names && c < MIN (json_array_get_length (names), G_MAXUINT8); c++) {
    JsonNode *name = json_array_get_element (names, c);
    PlateChannel *channel = plate_index_channel (index, c);
    gint64 color;
    if (!channel->name && JSON_NODE_HOLDS_VALUE (name) && json_node_get_value_type (name) == G_TYPE_STRING)
      channel->name = json_node_dup_string (name);
    if (colors && c < json_array_get_length (colors)
        && json_read_integer (json_array_get_element (colors, c), &color)) {
      channel->color = (guint32) color & 0xffffff;
      channel->has_color = TRUE;
    }
  }
}

static void
take_summary (PlateIndex *index, JsonObject *summary)
{
  const double step = fabs (number (summary, "z-step_um")), size = number (summary, "PixelSize_um");
  if (!summary)
    return;
  take_names (index, summary);
  if (step > 0)
    index->spacing[0] = step;
  if (size > 0)
    index->spacing[1] = index->spacing[2] = size;
  plate_index_fact (index, "Acquired", json_read_string (summary, "StartTime"));
  plate_index_fact (index, "Acquired", json_read_string (summary, "Time"));
  plate_index_fact (index, "Micro-Manager", json_read_string (summary, "MicroManagerVersion"));
}

static gboolean
add_members (Reading *r, JsonObject *root, GError **error)
{
  JsonObjectIter iter;
  const char *key;
  JsonNode *node;
  take_summary (r->index, json_read_object (root, "Summary"));
  json_object_iter_init (&iter, root);
  while (json_object_iter_next (&iter, &key, &node))
    if (progress_stopped (error)
        || (JSON_NODE_HOLDS_OBJECT (node) && !add_member (r, root, key, json_node_get_object (node), error)))
      return FALSE;
  return TRUE;
}

/* An acquisition that was stopped does not end its text. */
static gboolean
add_folder (Reading *r, GError **error)
{
  g_autofree char *path = g_build_filename (r->index->folder, r->below, METADATA, NULL);
  gsize n;
  GError *fault = NULL;
  g_autofree char *text = file_read_small (path, 0, LARGEST, &n, error);
  if (!text)
    return FALSE;
  g_autoptr (JsonNode) root = n ? json_read (text, n, &fault) : NULL;
  const gboolean is = root && JSON_NODE_HOLDS_OBJECT (root);
  if (!is)
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: %s.", fault ? fault->message : "it is not a JSON object");
  g_clear_error (&fault);
  return is && add_members (r, json_node_get_object (root), error);
}

/* ---- Stacks ---- */

static gboolean
add_stack (PlateIndex *index, const char *name, GHashTable *known, GError **error)
{
  g_autofree char *path = g_build_filename (index->folder, name, NULL);
  g_autoptr (GPtrArray) others = NULL;
  if (g_hash_table_contains (known, path))
    return TRUE;
  const guint count = files_opener ()->count (path, &others, error),
              file = count ? plate_index_add_file (index, name) : 0;
  for (guint i = 0; others && i < others->len; i++)
    g_hash_table_add (known, g_strdup (others->pdata[i]));
  for (guint i = 0; i < count; i++) {
    PlateEntry entry = plate_entry ();
    entry.file = file;
    entry.series = i;
    entry.field = index->entries->len;
    g_array_append_val (index->entries, entry);
  }
  return count != 0;
}

/* Each image is a field; files that one has described with itself are not looked at again. */
static gboolean
add_stacks (PlateIndex *index, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) names = plate_index_names (index, "");
  index->sets = TRUE;
  for (guint i = 0; i < names->len; i++)
    if (is_stack (names->pdata[i]) && (progress_stopped (error) || !add_stack (index, names->pdata[i], known, error)))
      return FALSE;
  return TRUE;
}

/* ---- The whole ---- */

/* Folders of positions, in order. */
static gboolean
add_positions (PlateIndex *index, GError **error)
{
  g_autoptr (GPtrArray) names = plate_index_names (index, "");
  Reading r = {.index = index};
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (index->folder, names->pdata[i], NULL);
    r.below = names->pdata[i];
    if (*r.below == '.' || !has_metadata (path))
      continue;
    if (!add_folder (&r, error))
      return FALSE;
    r.field++;
  }
  return TRUE;
}

static PlateIndex *
read_index (const char *folder, GError **error)
{
  g_autoptr (PlateIndex) index = plate_index_new (folder);
  Reading one = {.index = index, .below = "", .one_folder = TRUE};
  const gboolean done = has_metadata (folder) ? add_folder (&one, error) : add_positions (index, error);
  if (!done || (!index->entries->len && !index->missing && !add_stacks (index, error)))
    return NULL;
  for (guint i = 1; i < index->entries->len; i++)
    index->has_fields =
      index->has_fields
      || g_array_index (index->entries, PlateEntry, i).field != g_array_index (index->entries, PlateEntry, 0).field;
  return g_steal_pointer (&index);
}

const PlateVendor plate_micro_manager = {is_index, is_folder, read_index};
