/* SPDX-License-Identifier: MIT
 *
 * Operetta and Opera Phenix (Harmony): Index.idx.xml or Index.xml beside the images, or in a folder Images.
 *
 *     <EvaluationInputData> <Plates> <Plate> ... <Maps> <Map> <Entry ChannelID="1"> ... <Images> <Image> <URL> ...
 *
 * Lengths are in m. Version 5 says what a channel is with each image, version 6 in a map.
 */
#include "core/files/plate/vendor.h"
#include "core/files/plate/xml.h"

#include <string.h>

typedef struct {
  PlateIndex *index;
  const char *below; /* "Images", "images" or "" */
  gboolean in_image, in_map, in_plate;
  PlateEntry entry;            /* of the image that is open */
  gint64 row, column, channel; /* channel: of the image or the map */
  char *url;
  double z[2]; /* positions of the image: of the slice, absolute */
} Reading;

/* Below a folder; NULL: it has none. Free with g_free(). */
static char *
index_in (const char *folder, const char **below)
{
  static const char *const names[] = {"Index.idx.xml", "Index.xml"}, *const folders[] = {"", "Images", "images"};
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    for (guint j = 0; j < G_N_ELEMENTS (names); j++) {
      char *path = g_build_filename (folder, folders[i], names[j], NULL);
      *below = folders[i];
      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return path;
      g_free (path);
    }
  return NULL;
}

static gboolean
is_folder (const char *folder)
{
  const char *below;
  g_autofree char *path = index_in (folder, &below);
  return path != NULL;
}

static gboolean
is_index (const char *path, const guint8 *head, gsize n)
{
  (void) path;
  return plate_xml_begins (head, n, "EvaluationInputData");
}

/* ---- Elements ---- */

static gboolean
on_start (gpointer data, const char *name, guint depth, const PlateXmlAttributes *attributes, GError **error)
{
  Reading *r = data;
  (void) depth, (void) error;
  if (!strcmp (name, "Image") && !plate_xml_attribute (attributes, "id")) {
    r->in_image = TRUE;
    r->entry = plate_entry ();
    r->row = r->column = -1;
    r->channel = 1;
    r->z[0] = r->z[1] = NAN;
    g_clear_pointer (&r->url, g_free);
  } else if (!strcmp (name, "Entry") && plate_xml_attribute (attributes, "ChannelID")) {
    r->in_map = TRUE;
    r->channel = plate_xml_integer (plate_xml_attribute (attributes, "ChannelID"), 1);
  } else if (!strcmp (name, "Plate"))
    r->in_plate = TRUE;
  return TRUE;
}

/* Takes a property of a channel, which is given with each image or in a map. */
static void
take_channel (Reading *r, const char *name, const char *text)
{
  PlateIndex *index = r->index;
  const double value = plate_xml_number (text);
  if (!strcmp (name, "ChannelName") && !plate_index_channel (index, r->channel)->name)
    plate_index_channel (index, r->channel)->name = g_strdup (text);
  else if (!strcmp (name, "ImageResolutionX") && value > 0)
    index->spacing[2] = value * 1e6;
  else if (!strcmp (name, "ImageResolutionY") && value > 0)
    index->spacing[1] = value * 1e6;
  else if (!strcmp (name, "ObjectiveMagnification"))
    plate_index_fact (index, "Magnification", text);
  else if (!strcmp (name, "ObjectiveNA"))
    plate_index_fact (index, "Numerical aperture", text);
}

static void
take_image (Reading *r, const char *name, const char *text)
{
  const struct {
    const char *name;
    gint64 *to;
  } integers[] = {
    {"Row", &r->row},
    {"Col", &r->column},
    {"FieldID", &r->entry.field},
    {"PlaneID", &r->entry.at[PLATE_SLICE]},
    {"TimepointID", &r->entry.at[PLATE_FRAME]},
    {"ChannelID", &r->channel},
  };
  for (guint i = 0; i < G_N_ELEMENTS (integers); i++)
    if (!strcmp (name, integers[i].name))
      *integers[i].to = plate_xml_integer (text, *integers[i].to);
  if (!strcmp (name, "URL")) {
    g_free (r->url);
    r->url = g_strdup (text);
  } else if (!strcmp (name, "PositionZ"))
    r->z[0] = plate_xml_number (text);
  else if (!strcmp (name, "AbsPositionZ"))
    r->z[1] = plate_xml_number (text);
  else if (!strcmp (name, "MeasurementTimeOffset"))
    r->entry.time = plate_xml_number (text);
  else if (!strcmp (name, "AbsTime"))
    plate_index_fact (r->index, "Acquired", text);
}

static gboolean
end_image (Reading *r, GError **error)
{
  GError *fault = NULL;
  g_autofree char *path = g_build_filename (r->below, r->url ? r->url : "", NULL);
  r->in_image = FALSE;
  if (!r->url || !*r->url)
    return TRUE;
  r->entry.well = plate_index_well (r->index, r->row - 1, r->column - 1);
  r->entry.at[PLATE_CHANNEL] = r->channel;
  r->entry.height = (isfinite (r->z[0]) ? r->z[0] : r->z[1]) * 1e6;
  if (plate_index_file (r->index, path, &r->entry.file, &fault))
    g_array_append_val (r->index->entries, r->entry);
  if (fault)
    g_propagate_error (error, fault);
  return !fault;
}

static void
take_plate (PlateIndex *index, const char *name, const char *text)
{
  if (!strcmp (name, "PlateRows"))
    index->rows = (gint) CLAMP (plate_xml_integer (text, 0), 0, PLATE_MAX_ROWS);
  else if (!strcmp (name, "PlateColumns"))
    index->columns = (gint) CLAMP (plate_xml_integer (text, 0), 0, PLATE_MAX_COLUMNS);
  else if (!strcmp (name, "Name"))
    plate_index_fact (index, "Plate", text);
  else if (!strcmp (name, "MeasurementStartTime"))
    plate_index_fact (index, "Acquired", text);
}

static gboolean
on_end (gpointer data, const char *name, guint depth, const char *text, GError **error)
{
  Reading *r = data;
  (void) depth;
  if (r->in_image && !strcmp (name, "Image"))
    return end_image (r, error);
  if (!strcmp (name, "Entry"))
    r->in_map = FALSE;
  else if (!strcmp (name, "Plate"))
    r->in_plate = FALSE;
  else if (r->in_plate)
    take_plate (r->index, name, text);
  if (r->in_image)
    take_image (r, name, text);
  if (r->in_image || r->in_map)
    take_channel (r, name, text);
  return TRUE;
}

/* ---- The whole ---- */

static PlateIndex *
read_index (const char *folder, GError **error)
{
  static const PlateXmlHandler handler = {on_start, on_end};
  g_autoptr (PlateIndex) index = plate_index_new (folder);
  Reading r = {.index = index};
  g_autofree char *path = index_in (folder, &r.below);
  if (!path) {
    file_fail (error, FILE_ERROR_MISSING, folder, "has no Index.idx.xml or Index.xml.");
    return NULL;
  }
  index->has_fields = TRUE;
  const gboolean done = plate_xml_parse (path, &handler, &r, error);
  g_free (r.url);
  return done ? g_steal_pointer (&index) : NULL;
}

const PlateVendor plate_operetta = {is_index, is_folder, read_index};
