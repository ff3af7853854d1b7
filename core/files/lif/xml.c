/* SPDX-License-Identifier: MIT
 *
 * By GLib's XML parser. An element of the XML is known by its name and by what it is in; all else is ignored, with everything in it.
 */
#include "core/files/lif/xml.h"

#include "core/base/text.h"

#include <math.h>
#include <string.h>

typedef enum {
  IGNORED,
  ROOT,
  HEADER,
  ELEMENT,
  CHILDREN,
  REFERENCE,
  MEMORY,
  PART,
  DATA,
  IMAGE,
  DESCRIPTION,
  CHANNELS,
  CHANNEL,
  PROPERTY,
  KEY,
  VALUE,
  DIMENSIONS,
  DIMENSION,
  TIMES,
  TIME,
  ATTACHMENT,
  RANGE,
  TILE,
  SETTING,
  SEQUENCE,
  SEQUENCE_LIST,
  STEP,
  DETECTORS,
  DETECTOR,
  SPECTRO,
  BAND,
  WIDE_FIELD,
  WIDE_FIELD_CHANNEL,
} Kind;

typedef struct {
  gint64 channel;
  char dye[64];
} Band;

typedef struct {
  FilesLifXml *xml;
  GArray *kinds;                /* Kind of all open elements of the XML, behind ROOT */
  FilesLifElement *element;     /* the innermost that is open, or NULL */
  GArray *detectors, *bands;    /* of the setting that is open: gint64, numbers of active ones; Band */
  gboolean is_dye;              /* the property's key says that its value is a dye */
  const char **names, **values; /* attributes of what starts */
} Parser;

/* ---- Attributes ---- */

static const char *
attribute (const Parser *p, const char *name)
{
  for (int i = 0; p->names[i]; i++)
    if (!strcmp (p->names[i], name))
      return p->values[i];
  return NULL;
}

/* -1: none, or no number from 0 on. */
static gint64
integer (const Parser *p, const char *name)
{
  const char *text = attribute (p, name);
  gint64 value;
  return text && g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &value, NULL) ? value : -1;
}

/* 0: none, or not finite. */
static double
number (const Parser *p, const char *name)
{
  const char *text = attribute (p, name);
  const double value = text ? g_ascii_strtod (text, NULL) : 0;
  return isfinite (value) ? value : 0;
}

static void
copy (const Parser *p, const char *name, char *to, gsize room)
{
  const char *text = attribute (p, name);
  text_copy (to, text ? text : "", room);
}

/* "Leica/FITC" is FITC. */
static void
copy_dye (const char *text, char to[64])
{
  const char *slash = strrchr (text, '/');
  text_copy (to, slash ? slash + 1 : text, 64);
}

static GArray *
made (GArray **array, guint size)
{
  if (!*array)
    *array = g_array_new (FALSE, TRUE, size);
  return *array;
}

/* ---- Elements ---- */

static void
clear_part (gpointer data)
{
  g_free (((FilesLifPart *) data)->file);
}

static void
element_free (gpointer data)
{
  FilesLifElement *e = data;
  GArray *const arrays[] = {e->parts, e->channels, e->dimensions, e->times, e->tiles, e->ranges};
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    if (arrays[i])
      g_array_unref (arrays[i]);
  for (guint i = 0; i < G_N_ELEMENTS (e->dyes); i++)
    if (e->dyes[i])
      g_ptr_array_unref (e->dyes[i]);
  if (e->facts)
    g_string_free (e->facts, TRUE);
  g_free (e->name);
  g_free (e->reference);
  g_free (e->memory);
  g_free (e);
}

static FilesLifElement *
add_element (Parser *p)
{
  FilesLifElement *e = g_new0 (FilesLifElement, 1);
  e->parent = p->element;
  g_ptr_array_add (p->xml->elements, e);
  return e;
}

static void
start_element_of_tree (Parser *p)
{
  p->element = add_element (p);
  p->element->name = g_strdup (attribute (p, "Name"));
}

static void
start_reference (Parser *p)
{
  const char *file = attribute (p, "File");
  if (file)
    add_element (p)->reference = g_strdup (file);
}

static void
start_image (Parser *p)
{
  if (!p->element) /* some LOF files have no more than this */
    p->element = add_element (p);
  p->element->is_image = TRUE;
}

static void
start_memory (Parser *p)
{
  if (!p->element->memory)
    p->element->memory = g_strdup (attribute (p, "MemoryBlockID"));
  p->element->has_memory |= integer (p, "Size") > 0;
}

static void
start_part (Parser *p)
{
  const char *file = attribute (p, "File");
  if (!file)
    return;
  FilesLifPart part = {g_strdup (file), MAX (integer (p, "Offset"), 0), integer (p, "Size")};
  g_array_set_clear_func (made (&p->element->parts, sizeof part), clear_part);
  g_array_append_val (p->element->parts, part);
}

/* ---- Pixels ---- */

static void
start_channel (Parser *p)
{
  FilesLifChannel channel = {.at = integer (p, "BytesInc"),
                             .bits = integer (p, "Resolution"),
                             .tag = integer (p, "ChannelTag"),
                             .is_float = integer (p, "DataType") == 1};
  copy (p, "LUTName", channel.lut, sizeof channel.lut);
  g_array_append_val (made (&p->element->channels, sizeof channel), channel);
}

static void
start_dimension (Parser *p)
{
  FilesLifDimension dimension = {.id = integer (p, "DimID"),
                                 .n = integer (p, "NumberOfElements"),
                                 .step = integer (p, "BytesInc"),
                                 .origin = number (p, "Origin"),
                                 .length = number (p, "Length")};
  copy (p, "Unit", dimension.unit, sizeof dimension.unit);
  g_array_append_val (made (&p->element->dimensions, sizeof dimension), dimension);
}

static void
start_property (Parser *p)
{
  p->is_dye = FALSE;
}

/* The older form of a time. */
static void
start_time (Parser *p)
{
  const guint64 time =
    (guint64) MAX (integer (p, "HighInteger"), 0) << 32 | (guint64) MAX (integer (p, "LowInteger"), 0);
  g_array_append_val (made (&p->element->times, sizeof time), time);
}

/* The newer one: hexadecimal numbers. */
static void
read_times (Parser *p, const char *text)
{
  char *end = NULL;
  for (const char *at = text;; at = end) {
    const guint64 time = g_ascii_strtoull (at, &end, 16);
    if (end == at)
      return;
    g_array_append_val (made (&p->element->times, sizeof time), time);
  }
}

static void
start_range (Parser *p)
{
  const double range[2] = {number (p, "BlackValue"), number (p, "WhiteValue")};
  g_array_append_vals (made (&p->element->ranges, sizeof range), range, 1);
}

static void
start_tile (Parser *p)
{
  const double position[3] = {number (p, "PosX"), number (p, "PosY"), number (p, "PosZ")};
  g_array_append_vals (made (&p->element->tiles, sizeof position), position, 1);
}

/* ---- Settings ---- */

/* What people look for. factor: from the file's unit to that of the label; 0: a text, or a number that stays as it is. */
static const struct {
  const char *attribute, *label;
  double factor;
} facts[] = {
  {"Software", "Software", 0},
  {"SystemTypeName", "Microscope", 0},
  {"MicroscopeModel", "Stand", 0},
  {"ScanMode", "Scan mode", 0},
  {"ObjectiveName", "Objective", 0},
  {"Magnification", "Magnification", 0},
  {"NumericalAperture", "Numerical aperture", 0},
  {"Immersion", "Immersion", 0},
  {"RefractionIndex", "Refractive index", 0},
  {"Zoom", "Zoom", 0},
  {"PinholeAiry", "Pinhole (Airy units)", 0},
  {"ScanSpeed", "Scan speed (Hz)", 0},
  {"PixelDwellTime", "Pixel dwell time (µs)", 1e6},
  {"LineAverage", "Line average", 0},
  {"FrameAverage", "Frame average", 0},
  {"StagePosX", "Stage x (µm)", 1e6},
  {"StagePosY", "Stage y (µm)", 1e6},
  {"ZPosition", "Stage z (µm)", 1e6},
};

static void
add_facts (Parser *p)
{
  FilesLifElement *e = p->element;
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++) {
    const char *value = attribute (p, facts[i].attribute);
    if (!value || !*value)
      continue;
    double number;
    g_autofree char *shown = facts[i].factor != 0 && text_to_number (value, &number)
                               ? text_from_number (text_round (number * facts[i].factor, 10))
                               : text_visible (value, "");
    e->facts = e->facts ? e->facts : g_string_new (NULL);
    g_string_append_printf (e->facts, "%s: %s\n", facts[i].label, g_strstrip (shown));
  }
}

static void
start_setting (Parser *p)
{
  g_array_set_size (p->detectors, 0);
  g_array_set_size (p->bands, 0);
}

static void
start_first_setting (Parser *p)
{
  start_setting (p);
  add_facts (p);
}

static void
start_detector (Parser *p)
{
  const gint64 channel = integer (p, "Channel");
  if (integer (p, "IsActive") == 1)
    g_array_append_val (p->detectors, channel);
}

static void
start_band (Parser *p)
{
  Band band = {.channel = integer (p, "Channel")};
  const char *dye = attribute (p, "DyeName");
  copy_dye (dye ? dye : "", band.dye);
  g_array_append_val (p->bands, band);
}

static void
add_dye (Parser *p, gboolean sequential, const char *dye)
{
  GPtrArray **dyes = &p->element->dyes[sequential];
  if (!*dyes)
    *dyes = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (*dyes, g_strdup (dye));
}

/* Each active detector is a channel, whose dye its band of wavelengths says. */
static void
end_setting (Parser *p, gboolean sequential)
{
  for (guint i = 0; i < p->detectors->len; i++) {
    const char *dye = "";
    for (guint j = 0; j < p->bands->len; j++) {
      const Band *band = &g_array_index (p->bands, Band, j);
      if (band->channel == g_array_index (p->detectors, gint64, i))
        dye = band->dye;
    }
    add_dye (p, sequential, dye);
  }
  start_setting (p);
}

static void
start_wide_field_channel (Parser *p)
{
  const char *name = attribute (p, "UserDefName"), *cube = attribute (p, "FluoCubeName");
  add_dye (p, FALSE, name && *name ? name : cube ? cube : "");
}

/* ---- Grammar ---- */

static const struct {
  Kind in;
  const char *name;
  Kind kind;
  void (*start) (Parser *p);
} grammar[] = {
  {ROOT, "LMSDataContainerHeader", HEADER, NULL},
  {ROOT, "Data", DATA, NULL},
  {HEADER, "Element", ELEMENT, start_element_of_tree},
  {CHILDREN, "Element", ELEMENT, start_element_of_tree},
  {ELEMENT, "Children", CHILDREN, NULL},
  {CHILDREN, "Reference", REFERENCE, start_reference},
  {ELEMENT, "Memory", MEMORY, start_memory},
  {MEMORY, "Block", PART, start_part},
  {MEMORY, "Frame", PART, start_part},
  {ELEMENT, "Data", DATA, NULL},
  {DATA, "Image", IMAGE, start_image},
  {IMAGE, "ImageDescription", DESCRIPTION, NULL},
  {DESCRIPTION, "Channels", CHANNELS, NULL},
  {CHANNELS, "ChannelDescription", CHANNEL, start_channel},
  {CHANNEL, "ChannelProperty", PROPERTY, start_property},
  {PROPERTY, "Key", KEY, NULL},
  {PROPERTY, "Value", VALUE, NULL},
  {DESCRIPTION, "Dimensions", DIMENSIONS, NULL},
  {DIMENSIONS, "DimensionDescription", DIMENSION, start_dimension},
  {IMAGE, "TimeStampList", TIMES, NULL},
  {TIMES, "TimeStamp", TIME, start_time},
  {IMAGE, "Attachment", ATTACHMENT, add_facts},
  {ATTACHMENT, "ChannelScalingInfo", RANGE, start_range},
  {ATTACHMENT, "Tile", TILE, start_tile},
  {ATTACHMENT, "ATLConfocalSettingDefinition", SETTING, start_first_setting},
  {ATTACHMENT, "ATLCameraSettingDefinition", SETTING, start_first_setting},
  {ATTACHMENT, "LDM_Block_Sequential", SEQUENCE, NULL},
  {SEQUENCE, "LDM_Block_Sequential_List", SEQUENCE_LIST, NULL},
  {SEQUENCE_LIST, "ATLConfocalSettingDefinition", STEP, start_setting},
  {SETTING, "DetectorList", DETECTORS, NULL},
  {STEP, "DetectorList", DETECTORS, NULL},
  {DETECTORS, "Detector", DETECTOR, start_detector},
  {SETTING, "Spectro", SPECTRO, NULL},
  {STEP, "Spectro", SPECTRO, NULL},
  {SPECTRO, "MultiBand", BAND, start_band},
  {SETTING, "WideFieldChannelConfigurator", WIDE_FIELD, NULL},
  {WIDE_FIELD, "WideFieldChannelInfo", WIDE_FIELD_CHANNEL, start_wide_field_channel},
};

static Kind
top (const Parser *p)
{
  return g_array_index (p->kinds, Kind, p->kinds->len - 1);
}

static void
start (GMarkupParseContext *context, const char *name, const char **names, const char **values, gpointer data,
       GError **error)
{
  Parser *p = data;
  Kind kind = IGNORED;
  (void) context, (void) error;
  p->names = names;
  p->values = values;
  for (guint i = 0; i < G_N_ELEMENTS (grammar) && kind == IGNORED; i++)
    if (grammar[i].in == top (p) && !strcmp (grammar[i].name, name)) {
      kind = grammar[i].kind;
      if (grammar[i].start)
        grammar[i].start (p);
    }
  g_array_append_val (p->kinds, kind);
}

static void
end (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  Parser *p = data;
  const Kind kind = top (p);
  (void) context, (void) name, (void) error;
  g_array_set_size (p->kinds, p->kinds->len - 1);
  if (kind == ELEMENT)
    p->element = (FilesLifElement *) p->element->parent;
  else if (kind == SETTING || kind == STEP)
    end_setting (p, kind == STEP);
}

static void
text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Parser *p = data;
  GArray *channels = p->element ? p->element->channels : NULL;
  (void) context, (void) length, (void) error;
  if (top (p) == TIMES)
    read_times (p, text);
  else if (top (p) == KEY)
    p->is_dye = !strcmp (text, "DyeName");
  else if (top (p) == VALUE && p->is_dye)
    copy_dye (text, g_array_index (channels, FilesLifChannel, channels->len - 1).dye);
}

/* ---- The whole ---- */

FilesLifXml *
files_lif_xml_parse (const char *source, gsize n, GError **error)
{
  static const GMarkupParser callbacks = {start, end, text, NULL, NULL};
  g_autoptr (FilesLifXml) xml = g_new0 (FilesLifXml, 1);
  g_autoptr (GArray) kinds = g_array_new (FALSE, FALSE, sizeof (Kind));
  g_autoptr (GArray) detectors = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) bands = g_array_new (FALSE, FALSE, sizeof (Band));
  Parser parser = {.xml = xml, .kinds = kinds, .detectors = detectors, .bands = bands};
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&callbacks, 0, &parser, NULL);
  const Kind root = ROOT;
  g_array_append_val (kinds, root);
  xml->elements = g_ptr_array_new_with_free_func (element_free);
  if (!g_markup_parse_context_parse (context, source, (gssize) n, error)
      || !g_markup_parse_context_end_parse (context, error))
    return NULL;
  return g_steal_pointer (&xml);
}

void
files_lif_xml_free (FilesLifXml *xml)
{
  if (xml->elements)
    g_ptr_array_unref (xml->elements);
  g_free (xml);
}

char *
files_lif_element_path (const FilesLifElement *element)
{
  GString *path = g_string_new (element->name);
  for (const FilesLifElement *e = element->parent; e && e->parent; e = e->parent) {
    g_string_prepend_c (path, '/');
    g_string_prepend (path, e->name ? e->name : "");
  }
  return g_string_free (path, FALSE);
}
