/* SPDX-License-Identifier: MIT
 *
 * ScanR of Olympus: experiment_descriptor.xml of LabVIEW, and names of files in data.
 *
 *     A1--W00001--P00003--Z00000--T00000--DAPI.tif
 *
 * The well before "--" may be missing; then the descriptor's table of wells says what W00001 is, a number followed by its name.
 */
#include "core/files/plate/vendor.h"

#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/files/plate/xml.h"

#include <string.h>

#define DESCRIPTOR "experiment_descriptor.xml"
#define DATA "data"

typedef struct {
  PlateIndex *index;
  char *key;           /* the last <Name> */
  gint64 number;       /* of the well whose name comes next */
  GHashTable *wells;   /* number -> name */
  GPtrArray *channels; /* char *: names, in the order of the descriptor */
} Reading;

static gboolean
is_folder (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, DESCRIPTOR, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static gboolean
is_index (const char *path, const guint8 *head, gsize n)
{
  g_autofree char *name = g_path_get_basename (path);
  return n && *head == '<' && !strcmp (name, DESCRIPTOR);
}

/* ---- The descriptor: <Name>key</Name> <Val>value</Val> ---- */

static void
take_well (Reading *r, const char *text)
{
  const gint64 number = plate_xml_integer (text, -1);
  if (number >= 0)
    r->number = number;
  else if (r->number >= 0 && !g_hash_table_contains (r->wells, GINT_TO_POINTER ((gint) r->number)))
    g_hash_table_insert (r->wells, GINT_TO_POINTER ((gint) r->number), g_strdup (text));
}

static gboolean
end_element (gpointer data, const char *name, guint depth, const char *text, GError **error)
{
  Reading *r = data;
  (void) depth, (void) error;
  if (!strcmp (name, "Name")) {
    g_free (r->key);
    r->key = g_strdup (text);
  }
  if (strcmp (name, "Val") || !r->key)
    return TRUE;
  if (!strcmp (r->key, "conversion factor um/pixel"))
    r->index->spacing[1] = r->index->spacing[2] = plate_xml_number (text);
  else if (!strcmp (r->key, "plate name"))
    plate_index_fact (r->index, "Plate", text);
  else if (!strcmp (r->key, "well selection table + cDNA"))
    take_well (r, text);
  else if (!strcmp (r->key, "name") && r->channels->len < G_MAXUINT8)
    g_ptr_array_add (r->channels, g_strdup (text));
  return TRUE;
}

/* ---- The names ---- */

/* The number of a channel's name: as the descriptor orders them, others behind. */
static gint64
channel_of (Reading *r, const char *name)
{
  guint i;
  if (!g_ptr_array_find_with_equal_func (r->channels, name, g_str_equal, &i)) {
    i = r->channels->len;
    g_ptr_array_add (r->channels, g_strdup (name));
  }
  PlateChannel *channel = plate_index_channel (r->index, i);
  if (!channel->name)
    channel->name = text_visible (name, "");
  return i;
}

/* What the name says, or the table of the descriptor, or a number alone. */
static guint
well_of (Reading *r, const char *label, gint64 number)
{
  const char *listed = g_hash_table_lookup (r->wells, GINT_TO_POINTER ((gint) number));
  gint row, column;
  if (plate_well_parse (label, &row, &column) || (listed && plate_well_parse (listed, &row, &column)))
    return plate_index_well (r->index, row, column);
  g_autofree char *name = *label ? g_strdup (label) : g_strdup_printf ("W%05" G_GINT64_FORMAT, number);
  return plate_index_named_well (r->index, name);
}

static void
add_name (Reading *r, GRegex *regex, const char *name)
{
  g_autofree char *shown = text_from_bytes (name), *path = g_build_filename (DATA, name, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  if (!g_regex_match (regex, shown, 0, &match))
    return;
  g_auto (GStrv) parts = g_match_info_fetch_all (match);
  PlateEntry entry = plate_entry ();
  entry.file = plate_index_add_file (r->index, path);
  entry.well = well_of (r, parts[1], plate_xml_integer (parts[2], 0));
  entry.field = plate_xml_integer (parts[3], 0);
  entry.at[PLATE_SLICE] = plate_xml_integer (parts[4], 0);
  entry.at[PLATE_FRAME] = plate_xml_integer (parts[5], 0);
  entry.at[PLATE_CHANNEL] = channel_of (r, parts[6]);
  g_array_append_val (r->index->entries, entry);
}

static gboolean
add_names (Reading *r, GError **error)
{
  g_autoptr (GRegex) regex = g_regex_new ("^(.*)--W(\\d{1,6})--P(\\d{1,6})--Z(\\d{1,6})--T(\\d{1,6})--(.+)\\.tiff?$",
                                          G_REGEX_CASELESS | G_REGEX_DOLLAR_ENDONLY | G_REGEX_OPTIMIZE, 0, NULL);
  g_autoptr (GPtrArray) names = plate_index_names (r->index, DATA);
  for (guint i = 0; i < names->len && r->index->files->len < PLATE_MAX_FILES; i++) {
    if (progress_stopped (error))
      return FALSE;
    add_name (r, regex, names->pdata[i]);
  }
  return TRUE;
}

/* ---- The whole ---- */

static PlateIndex *
read_index (const char *folder, GError **error)
{
  static const PlateXmlHandler handler = {NULL, end_element};
  g_autoptr (PlateIndex) index = plate_index_new (folder);
  g_autoptr (GHashTable) wells = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GPtrArray) channels = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *path = g_build_filename (folder, DESCRIPTOR, NULL);
  Reading r = {.index = index, .number = -1, .wells = wells, .channels = channels};
  index->has_fields = TRUE;
  const gboolean done = plate_xml_parse (path, &handler, &r, error) && add_names (&r, error);
  g_free (r.key);
  return done ? g_steal_pointer (&index) : NULL;
}

const PlateVendor plate_scan_r = {is_index, is_folder, read_index};
