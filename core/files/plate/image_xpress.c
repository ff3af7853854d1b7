/* SPDX-License-Identifier: MIT
 *
 * ImageXpress (MetaXpress): NAME.HTD says what was taken, and names say where.
 *
 *     [TimePoint_3/][ZStep_2/]PLATE_A01[_s1][_w2][GUID].tif
 *
 * Thumbnails, ..._thumbGUID.tif, are no planes.
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
enum { MAX_WAVES = 256, FOLDERS_DEEP = 2 };

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
is_folder (const char *folder)
{
  g_autofree char *path = index_in (folder);
  return path != NULL;
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

/* The number behind a prefix; -1: it does not begin so. */
static gint64
number_behind (const char *name, const char *prefix)
{
  return g_ascii_strncasecmp (name, prefix, strlen (prefix)) ? -1 : plate_xml_integer (name + strlen (prefix), -1);
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

/* ---- Pixel sizes ---- */

/* MetaMorph's text in the first file: <prop id="spatial-calibration-x" type="float" value="0.65"/>. */
static gboolean
take_property (gpointer data, const char *name, guint depth, const PlateXmlAttributes *attributes, GError **error)
{
  PlateIndex *index = data;
  const char *id = plate_xml_attribute (attributes, "id"), *value = plate_xml_attribute (attributes, "value");
  (void) depth, (void) error;
  if (strcmp (name, "prop") || !id || !value)
    return TRUE;
  if (!strcmp (id, "spatial-calibration-x"))
    index->spacing[2] = plate_xml_number (value);
  else if (!strcmp (id, "spatial-calibration-y"))
    index->spacing[1] = plate_xml_number (value);
  else if (!strcmp (id, "spatial-calibration-units") && strcmp (value, "um"))
    index->spacing[1] = index->spacing[2] = NAN;
  else if (!strcmp (id, "acquisition-time-local"))
    plate_index_fact (index, "Acquired", value);
  else if (!strcmp (id, "_MagSetting_"))
    plate_index_fact (index, "Objective", value);
  return TRUE;
}

static void
read_first_file (PlateIndex *index)
{
  static const PlateXmlHandler handler = {take_property, NULL};
  ImageInfo info;
  const char *depends;
  g_autofree char *path = g_build_filename (index->folder, index->files->pdata[0], NULL);
  if (!files_opener ()->describe (path, 0, &info, &depends, NULL))
    return; /* the error comes when its pixels are wanted */
  if (info.description)
    plate_xml_parse_text (path, info.description, strlen (info.description), &handler, index, NULL);
  image_info_clear (&info);
}

/* ---- The whole ---- */

static PlateIndex *
read_index (const char *folder, GError **error)
{
  g_autoptr (PlateIndex) index = plate_index_new (folder);
  g_autofree char *path = index_in (folder);
  Reading r = {.index = index};
  if (!path) {
    file_fail (error, FILE_ERROR_MISSING, folder, "has no HTD file.");
    return NULL;
  }
  if (!read_htd (index, path, error))
    return NULL;
  r.regex =
    g_regex_new ("_(?P<well>[A-Za-z]{1,2}\\d{1,2})(?:_s(?P<site>\\d{1,4}))?(?:_w(?P<wave>\\d))?(?P<thumb>_thumb)?"
                 "(?:_?\\[?[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}\\]?)?\\.[Tt][Ii][Ff]$",
                 G_REGEX_OPTIMIZE | G_REGEX_DOLLAR_ENDONLY, 0, NULL);
  const gboolean done = add_folder (&r, "", FOLDERS_DEEP, 1, 1, error);
  g_regex_unref (r.regex);
  if (!done)
    return NULL;
  if (index->files->len)
    read_first_file (index);
  return g_steal_pointer (&index);
}

const PlateVendor plate_image_xpress = {is_index, is_folder, read_index};
