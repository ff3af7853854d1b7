/* SPDX-License-Identifier: MIT
 *
 * ImageXpress (MetaXpress): NAME.HTD says what was taken, and names say where.
 *
 *     [TimePoint_3/][ZStep_2/]PLATE_A01[_s1][_w2][GUID].tif
 *
 * Thumbnails, ..._thumbGUID.tif, are no planes. A folder of its database has no HTD file, and all names there have a GUID. The projection of a stack is in
 * ZStep_0 or in no such folder, as is the plane of a channel that was taken once; what has no stack is a plane.
 */
#include "core/files/plate/vendor.h"

#include "core/base/file_read.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/files/plate/xml.h"
#include "core/files/shared/opener.h"

#include <string.h>

#define LARGEST ((gsize) 16 << 20) /* bytes of an HTD file */
#define MAGIC "\"HTSInfoFile\""
#define GUID "\\[?[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}\\]?"
enum {
  MAX_WAVES = 256,
  FOLDERS_DEEP = 2,
  LOOKED_AT = 16, /* images, of which most must have names of the database */
  PROJECTION = 0  /* the step of what may be one */
};

typedef struct {
  PlateIndex *index;
  GRegex *regex;
} Reading;

static gboolean
is_index (const char *path, const guint8 *head, gsize n)
{
  (void) path;
  return n >= strlen (MAGIC) && !memcmp (head, MAGIC, strlen (MAGIC));
}

/* The HTD file of a folder; NULL: it has none. Free with g_free(). */
static char *
index_in (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; dir && (name = g_dir_read_name (dir));) {
    const gsize n = strlen (name);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (n > 4 && !g_ascii_strcasecmp (name + n - 4, ".htd") && *name != '.' && plate_vendor_is_index (path, is_index))
      return g_steal_pointer (&path);
  }
  return NULL;
}

static gboolean
ends_as_tiff (const char *name)
{
  const gsize n = strlen (name);
  return n > 4 && !g_ascii_strcasecmp (name + n - 4, ".tif");
}

/* The number behind a prefix; -1: it does not begin so. */
static gint64
number_behind (const char *name, const char *prefix)
{
  return g_ascii_strncasecmp (name, prefix, strlen (prefix)) ? -1 : plate_xml_integer (name + strlen (prefix), -1);
}

/* Counts images in a folder, until there are enough, and those of them that the database names: in it, or in its folders for time points and steps. */
static void
count_named (const char *folder, guint depth, guint *seen, guint *named)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; *seen < LOOKED_AT && dir && (name = g_dir_read_name (dir));) {
    if (ends_as_tiff (name) && !strstr (name, "_thumb")) {
      ++*seen;
      *named += g_regex_match_simple ("_[A-Za-z]{1,2}\\d{1,2}(_s\\d{1,4})?(_w\\d{1,2})?" GUID "\\.[Tt][Ii][Ff]$", name,
                                      G_REGEX_RAW, 0);
    } else if (depth && (number_behind (name, "TimePoint_") >= 0 || number_behind (name, "ZStep_") >= 0)) {
      g_autofree char *below = g_build_filename (folder, name, NULL);
      count_named (below, depth - 1, seen, named);
    }
  }
}

static gboolean
is_of_database (const char *folder)
{
  guint seen = 0, named = 0;
  count_named (folder, FOLDERS_DEEP, &seen, &named);
  return named > seen / 2;
}

static gboolean
is_folder (const char *folder)
{
  g_autofree char *path = index_in (folder);
  return path != NULL || is_of_database (folder);
}

/* ---- The HTD file ---- */

/* The value of a line "key", value, without its quotes. */
static char *
value_of (const char *text)
{
  char *value = g_strstrip (text_from_bytes (text));
  const gsize n = strlen (value);
  if (n >= 2 && *value == '"' && value[n - 1] == '"') {
    value[n - 1] = 0;
    memmove (value, value + 1, n - 1);
  }
  return value;
}

static void
take_line (PlateIndex *index, const char *key, const char *value)
{
  const gint64 number = plate_xml_integer (value, 0);
  if (!strcmp (key, "XWells"))
    index->columns = (gint) CLAMP (number, 0, PLATE_MAX_COLUMNS);
  else if (!strcmp (key, "YWells"))
    index->rows = (gint) CLAMP (number, 0, PLATE_MAX_ROWS);
  else if (!strcmp (key, "Description"))
    plate_index_fact (index, "Description", value);
  else if (!strncmp (key, "WaveName", 8)) {
    const gint64 wave = plate_xml_integer (key + 8, 0);
    if (wave > 0 && wave <= MAX_WAVES && *value && !plate_index_channel (index, wave)->name)
      plate_index_channel (index, wave)->name = text_visible (value, "");
  }
}

static gboolean
read_htd (PlateIndex *index, const char *path, GError **error)
{
  gsize n;
  g_autofree char *text = file_read_small (path, 0, LARGEST, &n, error);
  if (!text)
    return FALSE;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line; line++) {
    char *comma = strchr (*line, ',');
    if (!comma)
      continue;
    *comma = 0;
    g_autofree char *key = value_of (*line), *value = value_of (comma + 1);
    take_line (index, key, value);
  }
  return TRUE;
}

/* ---- The names ---- */

static gint64
part (const GMatchInfo *match, const char *name)
{
  g_autofree char *text = g_match_info_fetch_named (match, name);
  return plate_xml_integer (text, 1);
}

/* time, step: of the folders that it is in. */
static void
add_name (Reading *r, const char *below, const char *name, gint64 time, gint64 step)
{
  g_autofree char *shown = text_from_bytes (name), *path = g_build_filename (below, name, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  gint row, column;
  if (!g_regex_match (r->regex, shown, 0, &match))
    return;
  g_autofree char *well = g_match_info_fetch_named (match, "well"),
                  *thumbnail = g_match_info_fetch_named (match, "thumb"),
                  *site = g_match_info_fetch_named (match, "site");
  if ((thumbnail && *thumbnail) || !plate_well_parse (well, &row, &column))
    return;
  PlateEntry entry = plate_entry ();
  entry.file = plate_index_add_file (r->index, path);
  entry.well = plate_index_well (r->index, row, column);
  entry.field = part (match, "site");
  entry.at[PLATE_CHANNEL] = part (match, "wave");
  entry.at[PLATE_FRAME] = time;
  entry.at[PLATE_SLICE] = step;
  r->index->has_fields = r->index->has_fields || (site && *site);
  g_array_append_val (r->index->entries, entry);
}

static gboolean
add_folder (Reading *r, const char *below, guint depth, gint64 time, gint64 step, GError **error)
{
  g_autoptr (GPtrArray) names = plate_index_names (r->index, below);
  for (guint i = 0; i < names->len && r->index->files->len < PLATE_MAX_FILES; i++) {
    const char *name = names->pdata[i];
    const gint64 point = number_behind (name, "TimePoint_"), slice = number_behind (name, "ZStep_");
    g_autofree char *own = *below ? g_build_filename (below, name, NULL) : g_strdup (name);
    if (progress_stopped (error))
      return FALSE;
    if (depth && (point >= 0 || slice >= 0)) {
      if (!add_folder (r, own, depth - 1, point >= 0 ? point : time, slice >= 0 ? slice : step, error))
        return FALSE;
    } else
      add_name (r, below, name, time, step);
  }
  return TRUE;
}

/* ---- Projections ---- */

/* What a plane and the projection of its stack have in common. */
static gboolean
same_stack (gconstpointer a, gconstpointer b)
{
  const PlateEntry *one = a, *other = b;
  return one->well == other->well && one->field == other->field && one->at[PLATE_CHANNEL] == other->at[PLATE_CHANNEL]
         && one->at[PLATE_FRAME] == other->at[PLATE_FRAME];
}

static guint
stack_hash (gconstpointer data)
{
  const PlateEntry *entry = data;
  return ((entry->well * 31 + (guint) entry->field) * 31 + (guint) entry->at[PLATE_CHANNEL]) * 31
         + (guint) entry->at[PLATE_FRAME];
}

static void
drop_projections (PlateIndex *index)
{
  GArray *kept = g_array_sized_new (FALSE, FALSE, sizeof (PlateEntry), index->entries->len);
  g_autoptr (GHashTable) stacks = g_hash_table_new (stack_hash, same_stack);
  for (guint i = 0; i < index->entries->len; i++) {
    PlateEntry *entry = &g_array_index (index->entries, PlateEntry, i);
    if (entry->at[PLATE_SLICE] != PROJECTION)
      g_hash_table_add (stacks, entry);
  }
  for (guint i = 0; i < index->entries->len; i++) {
    PlateEntry *entry = &g_array_index (index->entries, PlateEntry, i);
    if (entry->at[PLATE_SLICE] != PROJECTION || !g_hash_table_contains (stacks, entry))
      g_array_append_val (kept, *entry);
    else
      index->projections++;
  }
  g_hash_table_remove_all (stacks);
  g_array_unref (index->entries);
  index->entries = kept;
}

/* ---- What MetaMorph says in the files ---- */

typedef struct {
  PlateIndex *index;
  double x, y, z; /* pixel size, and the position of the focus */
  char *setting, *name;
} Plane;

/* <prop id="spatial-calibration-x" type="float" value="0.65"/>. */
static gboolean
take_property (gpointer data, const char *name, guint depth, const PlateXmlAttributes *attributes, GError **error)
{
  Plane *plane = data;
  const char *id = plate_xml_attribute (attributes, "id"), *value = plate_xml_attribute (attributes, "value");
  (void) depth, (void) error;
  if (strcmp (name, "prop") || !id || !value)
    return TRUE;
  if (!strcmp (id, "spatial-calibration-x"))
    plane->x = plate_xml_number (value);
  else if (!strcmp (id, "spatial-calibration-y"))
    plane->y = plate_xml_number (value);
  else if (!strcmp (id, "spatial-calibration-units") && strcmp (value, "um"))
    plane->x = plane->y = NAN;
  else if (!strcmp (id, "z-position"))
    plane->z = plate_xml_number (value);
  else if (!strcmp (id, "_IllumSetting_") && !plane->setting)
    plane->setting = text_visible (value, "");
  else if (!strcmp (id, "image-name") && !plane->name)
    plane->name = text_visible (value, "");
  else if (!strcmp (id, "acquisition-time-local"))
    plate_index_fact (plane->index, "Acquired", value);
  else if (!strcmp (id, "_MagSetting_"))
    plate_index_fact (plane->index, "Objective", value);
  return TRUE;
}

/* A file that cannot be read says nothing: the error comes when its pixels are wanted. Free with plane_clear(). */
static Plane
plane_read (PlateIndex *index, const PlateEntry *entry)
{
  static const PlateXmlHandler handler = {take_property, NULL};
  Plane plane = {.index = index, .x = 0, .y = 0, .z = NAN};
  ImageInfo info;
  const char *depends;
  g_autofree char *path = g_build_filename (index->folder, index->files->pdata[entry->file], NULL);
  if (!files_opener ()->describe (path, 0, &info, &depends, NULL))
    return plane;
  if (info.description)
    plate_xml_parse_text (path, info.description, strlen (info.description), &handler, &plane, NULL);
  image_info_clear (&info);
  return plane;
}

static void
plane_clear (Plane *plane)
{
  g_free (plane->setting);
  g_free (plane->name);
}

/* The distance of slices, by the last step of the stack that the first one belongs to; 0: unknown. */
static double
distance_of_slices (PlateIndex *index, const PlateEntry *first, double height)
{
  const PlateEntry *last = first;
  for (guint i = 0; i < index->entries->len; i++) {
    const PlateEntry *entry = &g_array_index (index->entries, PlateEntry, i);
    if (same_stack (first, entry) && entry->at[PLATE_SLICE] > last->at[PLATE_SLICE])
      last = entry;
  }
  if (last == first)
    return 0;
  Plane plane = plane_read (index, last);
  const double distance = fabs (plane.z - height) / (double) (last->at[PLATE_SLICE] - first->at[PLATE_SLICE]);
  plane_clear (&plane);
  return isfinite (distance) ? distance : 0;
}

/* The first slice of the first stack, or the first plane. */
static const PlateEntry *
first_entry (const PlateIndex *index)
{
  const PlateEntry *first = &g_array_index (index->entries, PlateEntry, 0);
  for (guint i = 1; i < index->entries->len; i++) {
    const PlateEntry *entry = &g_array_index (index->entries, PlateEntry, i);
    if (first->at[PLATE_SLICE] == PROJECTION
          ? entry->at[PLATE_SLICE] != PROJECTION
          : same_stack (first, entry) && entry->at[PLATE_SLICE] < first->at[PLATE_SLICE])
      first = entry;
  }
  return first;
}

static void
set_spacing (PlateIndex *index)
{
  const PlateEntry *first = first_entry (index);
  Plane plane = plane_read (index, first);
  index->spacing[2] = plane.x;
  index->spacing[1] = plane.y;
  index->spacing[0] = distance_of_slices (index, first, plane.z);
  plane_clear (&plane);
}

/* Channels that the HTD file does not name have the name of their illumination. */
static void
name_channels (PlateIndex *index)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < index->entries->len; i++) {
    const PlateEntry *entry = &g_array_index (index->entries, PlateEntry, i);
    const gint64 number = entry->at[PLATE_CHANNEL];
    if (!g_hash_table_add (seen, GSIZE_TO_POINTER ((gsize) number)) || plate_index_channel (index, number)->name)
      continue;
    Plane plane = plane_read (index, entry);
    if (plane.setting && *plane.setting)
      plate_index_channel (index, number)->name = g_steal_pointer (&plane.setting);
    else if (plane.name && *plane.name)
      plate_index_channel (index, number)->name = g_steal_pointer (&plane.name);
    plane_clear (&plane);
  }
}

/* ---- The whole ---- */

static PlateIndex *
read_index (const char *folder, GError **error)
{
  g_autoptr (PlateIndex) index = plate_index_new (folder);
  g_autofree char *path = index_in (folder);
  Reading r = {.index = index};
  if (path && !read_htd (index, path, error))
    return NULL;
  r.regex = g_regex_new ("_(?P<well>[A-Za-z]{1,2}\\d{1,2})(?:_s(?P<site>\\d{1,4}))?(?:_w(?P<wave>\\d{1,2}))?"
                         "(?P<thumb>_thumb)?(?:_?" GUID ")?\\.[Tt][Ii][Ff]$",
                         G_REGEX_OPTIMIZE | G_REGEX_DOLLAR_ENDONLY, 0, NULL);
  const gboolean done = add_folder (&r, "", FOLDERS_DEEP, 1, PROJECTION, error);
  g_regex_unref (r.regex);
  if (!done)
    return NULL;
  drop_projections (index);
  if (index->entries->len) {
    set_spacing (index);
    name_channels (index);
  }
  return g_steal_pointer (&index);
}

const PlateVendor plate_image_xpress = {is_index, is_folder, read_index};
