/* SPDX-License-Identifier: MIT
 *
 * CellVoyager of Yokogawa (CV7000, CV8000, CQ1): MeasurementData.mlf names each image, MeasurementDetail.mrf has the plate and pixel sizes, and a
 * setting (.mes) what channels are.
 */
#include "core/files/plate/vendor.h"
#include "core/files/plate/xml.h"

#include <string.h>

#define DATA "MeasurementData.mlf"
#define DETAIL "MeasurementDetail.mrf"
#define SCHEMA "BTSSchema"
#define BEHIND ((gint64) 1 << 32) /* more than any number: what counts before it comes first in the order */

typedef struct {
  PlateIndex *index;
  PlateEntry entry; /* of the record that is open */
  gboolean is_image;
  gint64 action;
  guint failed;    /* records of errors */
  GArray *actions; /* gint64, of each entry */
  char *setting;   /* the name of the .mes file; NULL: none */
} Reading;

static gboolean
is_folder (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, DATA, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static gboolean
is_index (const char *path, const guint8 *head, gsize n)
{
  static const char *const roots[] = {"MeasurementData", "MeasurementDetail", "MeasurementSetting", "WellPlate"};
  (void) path;
  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    if (plate_xml_begins (head, n, roots[i]) && memmem (head, n, SCHEMA, strlen (SCHEMA)))
      return TRUE;
  return FALSE;
}

/* ---- Images ---- */

static gint64
integer (const PlateXmlAttributes *attributes, const char *name, gint64 otherwise)
{
  return plate_xml_integer (plate_xml_attribute (attributes, name), otherwise);
}

/* Seconds since 1970 of "2021-06-14T09:13:30.1+01:00"; NaN: another text. */
static double
time_of (const char *text)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = text ? g_date_time_new_from_iso8601 (text, utc) : NULL;
  return time ? (double) g_date_time_to_unix (time) + g_date_time_get_microsecond (time) * 1e-6 : NAN;
}

static gboolean
start_record (gpointer data, const char *name, guint depth, const PlateXmlAttributes *attributes, GError **error)
{
  Reading *r = data;
  const char *type = plate_xml_attribute (attributes, "Type");
  (void) depth, (void) error;
  if (strcmp (name, "MeasurementRecord"))
    return TRUE;
  r->is_image = !type || !strcmp (type, "IMG");
  r->failed += !r->is_image;
  r->entry = plate_entry ();
  r->entry.well =
    plate_index_well (r->index, integer (attributes, "Row", 0) - 1, integer (attributes, "Column", 0) - 1);
  r->entry.field = integer (attributes, "FieldIndex", 1);
  /* Timelines follow each other, each with time points of its own. */
  r->entry.at[PLATE_FRAME] = integer (attributes, "TimelineIndex", 1) * BEHIND + integer (attributes, "TimePoint", 1);
  r->entry.at[PLATE_SLICE] = integer (attributes, "ZIndex", 1);
  r->entry.at[PLATE_CHANNEL] = integer (attributes, "Ch", 1);
  r->entry.height = plate_xml_number (plate_xml_attribute (attributes, "Z"));
  r->entry.time = time_of (plate_xml_attribute (attributes, "Time"));
  r->action = integer (attributes, "ActionIndex", 1);
  plate_index_fact (r->index, "Acquired", plate_xml_attribute (attributes, "Time"));
  return TRUE;
}

static gboolean
end_record (gpointer data, const char *name, guint depth, const char *text, GError **error)
{
  Reading *r = data;
  GError *fault = NULL;
  (void) depth;
  if (strcmp (name, "MeasurementRecord") || !r->is_image || !*text)
    return TRUE;
  if (plate_index_file (r->index, text, &r->entry.file, &fault)) {
    g_array_append_val (r->index->entries, r->entry);
    g_array_append_val (r->actions, r->action);
  }
  if (fault)
    g_propagate_error (error, fault);
  return !fault;
}

/* A channel that several actions take is several channels. */
static void
split_channels (Reading *r)
{
  PlateIndex *index = r->index;
  g_autoptr (GHashTable) first = g_hash_table_new (NULL, NULL), several = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < index->entries->len; i++) {
    const gpointer channel = GSIZE_TO_POINTER ((gsize) g_array_index (index->entries, PlateEntry, i).at[PLATE_CHANNEL]),
                   action = GSIZE_TO_POINTER ((gsize) g_array_index (r->actions, gint64, i));
    gpointer known;
    if (!g_hash_table_lookup_extended (first, channel, NULL, &known))
      g_hash_table_insert (first, channel, action);
    else if (known != action)
      g_hash_table_add (several, channel);
  }
  for (guint i = 0; i < index->entries->len; i++) {
    gint64 *channel = &g_array_index (index->entries, PlateEntry, i).at[PLATE_CHANNEL];
    const gint64 own = *channel, action = g_array_index (r->actions, gint64, i);
    if (!g_hash_table_contains (several, GSIZE_TO_POINTER ((gsize) own)))
      continue;
    *channel += action * BEHIND;
    if (!plate_index_channel (index, *channel)->name) {
      const char *name = plate_index_channel (index, own)->name;
      char *made = g_strdup_printf ("%s, action %" G_GINT64_FORMAT, name ? name : "channel", action);
      plate_index_channel (index, *channel)->name = made;
    }
  }
}

/* ---- What is known of them ---- */

static gboolean
start_detail (gpointer data, const char *name, guint depth, const PlateXmlAttributes *attributes, GError **error)
{
  Reading *r = data;
  (void) depth, (void) error;
  if (!strcmp (name, "MeasurementDetail")) {
    r->index->rows = (gint) CLAMP (integer (attributes, "RowCount", 0), 0, PLATE_MAX_ROWS);
    r->index->columns = (gint) CLAMP (integer (attributes, "ColumnCount", 0), 0, PLATE_MAX_COLUMNS);
    g_free (r->setting);
    r->setting = g_strdup (plate_xml_attribute (attributes, "MeasurementSettingFileName"));
    plate_index_fact (r->index, "Microscope", plate_xml_attribute (attributes, "TargetSystem"));
    plate_index_fact (r->index, "Title", plate_xml_attribute (attributes, "Title"));
  } else if (!strcmp (name, "MeasurementSamplePlate"))
    plate_index_fact (r->index, "Plate", plate_xml_attribute (attributes, "Name"));
  else if (!strcmp (name, "MeasurementChannel")) {
    r->index->spacing[2] = plate_xml_number (plate_xml_attribute (attributes, "HorizontalPixelDimension"));
    r->index->spacing[1] = plate_xml_number (plate_xml_attribute (attributes, "VerticalPixelDimension"));
  }
  return TRUE;
}

/* "#FF002FFF": alpha, red, green, blue. */
static void
take_color (PlateChannel *channel, const char *text)
{
  guint64 color;
  channel->has_color = text && *text == '#' && strlen (text) == 9
                       && g_ascii_string_to_unsigned (text + 1, 16, 0, G_MAXUINT32, &color, NULL);
  if (channel->has_color)
    channel->color = (guint32) color & 0xffffff;
}

static gboolean
start_setting (gpointer data, const char *name, guint depth, const PlateXmlAttributes *attributes, GError **error)
{
  Reading *r = data;
  (void) depth, (void) error;
  if (strcmp (name, "Channel") || !plate_xml_attribute (attributes, "Ch"))
    return TRUE;
  PlateChannel *channel = plate_index_channel (r->index, integer (attributes, "Ch", 1));
  const char *target = plate_xml_attribute (attributes, "Target"),
             *filter = plate_xml_attribute (attributes, "Acquisition"), *called = target && *target ? target : filter;
  if (called && *called && !channel->name)
    channel->name = g_strdup (called);
  take_color (channel, plate_xml_attribute (attributes, "Color"));
  plate_index_fact (r->index, "Objective", plate_xml_attribute (attributes, "Objective"));
  plate_index_fact (r->index, "Magnification", plate_xml_attribute (attributes, "Magnification"));
  return TRUE;
}

/* A file of the folder that need not be there. */
static gboolean
read_more (Reading *r, const char *name, const PlateXmlHandler *handler, GError **error)
{
  g_autofree char *base = g_path_get_basename (name), *path = g_build_filename (r->index->folder, base, NULL);
  return !g_file_test (path, G_FILE_TEST_IS_REGULAR) || plate_xml_parse (path, handler, r, error);
}

static gboolean
read_all (Reading *r, GError **error)
{
  static const PlateXmlHandler data = {start_record, end_record}, detail = {start_detail, NULL},
                               setting = {start_setting, NULL};
  g_autofree char *path = g_build_filename (r->index->folder, DATA, NULL);
  return plate_xml_parse (path, &data, r, error) && read_more (r, DETAIL, &detail, error)
         && (!r->setting || read_more (r, r->setting, &setting, error));
}

static PlateIndex *
read_index (const char *folder, GError **error)
{
  g_autoptr (PlateIndex) index = plate_index_new (folder);
  g_autoptr (GArray) actions = g_array_new (FALSE, FALSE, sizeof (gint64));
  Reading r = {.index = index, .actions = actions};
  index->has_fields = TRUE;
  const gboolean done = read_all (&r, error);
  g_free (r.setting);
  if (!done)
    return NULL;
  split_channels (&r);
  index->failed = r.failed;
  return g_steal_pointer (&index);
}

const PlateVendor plate_cell_voyager = {is_index, is_folder, read_index};
