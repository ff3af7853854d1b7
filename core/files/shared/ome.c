/* SPDX-License-Identifier: MIT
 *
 * OME-XML by GLib's XML parser. Missing attributes get the schema's defaults; impossible numbers count as missing.
 */
#include "core/files/shared/ome.h"

#include "core/base/units.h"

#include <math.h>
#include <string.h>

typedef struct {
  FilesOme *ome;
  FilesOmeImage *image; /* that is being read, or NULL */
  gboolean in_pixels, in_uuid;
  gboolean in_data; /* and what it says */
  FilesOmeData data;
} Parser;

/* ---- Attributes ---- */

static const char *
local_name (const char *name)
{
  const char *colon = strrchr (name, ':');
  return colon ? colon + 1 : name;
}

static const char *
attribute (const char **names, const char **values, const char *name)
{
  for (int i = 0; names[i]; i++)
    if (!strcmp (local_name (names[i]), name))
      return values[i];
  return NULL;
}

/* The same text, of which there is one for all that are equal. A tree, since a file can have texts that all hash alike. */
static const char *
intern (FilesOme *ome, const char *text)
{
  char *known = g_tree_lookup (ome->names, text);
  if (!known) {
    known = g_strdup (text);
    g_tree_insert (ome->names, known, known);
  }
  return known;
}

static gint
compare_texts (gconstpointer a, gconstpointer b, gpointer data)
{
  (void) data;
  return strcmp (a, b);
}

static gint64
integer (const char *text, gint64 otherwise)
{
  gint64 value;
  return text && g_ascii_string_to_signed (text, 10, G_MININT32, G_MAXINT32, &value, NULL) ? value : otherwise;
}

static gboolean
is_true (const char *text, gboolean otherwise)
{
  return text ? !g_ascii_strcasecmp (text, "true") || !strcmp (text, "1") : otherwise;
}

static double
positive (const char *text)
{
  double value = text ? g_ascii_strtod (text, NULL) : 0;
  return isfinite (value) && value > 0 ? value : 0;
}

/* ---- Elements ---- */

static void
channel_free (gpointer data)
{
  FilesOmeChannel *channel = data;
  g_free (channel->name);
  g_free (channel);
}

static void
image_free (gpointer data)
{
  FilesOmeImage *image = data;
  g_free (image->name);
  for (int i = 0; i < 3; i++)
    g_free (image->units[i]);
  g_free (image->interval_unit);
  g_free (image->type);
  g_array_unref (image->data);
  g_ptr_array_unref (image->channel);
  g_array_unref (image->blocks);
  g_free (image);
}

static void
start_image (Parser *p, const char **names, const char **values)
{
  FilesOmeImage *image = g_new0 (FilesOmeImage, 1);
  image->name = g_strdup (attribute (names, values, "Name"));
  image->channel = g_ptr_array_new_with_free_func (channel_free);
  image->blocks = g_array_new (FALSE, FALSE, sizeof (FilesOmeBlock));
  image->data = g_array_new (FALSE, FALSE, sizeof (FilesOmeData));
  image->depth = image->channels = image->frames = 1;
  strcpy (image->order, "ZCT");
  g_ptr_array_add (p->ome->images, image);
  p->image = image;
  p->in_pixels = FALSE;
}

/* The order of z, c and t in "XYZCT". */
static void
set_order (FilesOmeImage *image, const char *order)
{
  if (order && strlen (order) == 5 && strspn (order + 2, "ZCT") == 3 && strchr (order, 'Z') && strchr (order, 'C')
      && strchr (order, 'T'))
    strcpy (image->order, order + 2);
}

static void
start_pixels (Parser *p, const char **names, const char **values)
{
  static const char *const sizes[] = {"PhysicalSizeZ", "PhysicalSizeY", "PhysicalSizeX"};
  static const char *const units[] = {"PhysicalSizeZUnit", "PhysicalSizeYUnit", "PhysicalSizeXUnit"};
  FilesOmeImage *image = p->image;
  const char *unit = attribute (names, values, "TimeIncrementUnit"), *type = attribute (names, values, "Type");
  if (image->units[0])
    return;
  image->type = g_strdup (type ? type : attribute (names, values, "PixelType"));
  image->columns = MAX (0, integer (attribute (names, values, "SizeX"), 0));
  image->rows = MAX (0, integer (attribute (names, values, "SizeY"), 0));
  image->is_big = is_true (attribute (names, values, "BigEndian"), FALSE);
  image->interleaved = is_true (attribute (names, values, "Interleaved"), FALSE);
  set_order (image, attribute (names, values, "DimensionOrder"));
  image->depth = MAX (1, integer (attribute (names, values, "SizeZ"), 1));
  image->channels = MAX (1, integer (attribute (names, values, "SizeC"), 1));
  image->frames = MAX (1, integer (attribute (names, values, "SizeT"), 1));
  image->interval = positive (attribute (names, values, "TimeIncrement"));
  image->interval_unit = units_normal (unit ? unit : "s");
  for (int i = 0; i < 3; i++) {
    unit = attribute (names, values, units[i]);
    image->spacing[i] = positive (attribute (names, values, sizes[i]));
    image->units[i] = units_normal (unit ? unit : "µm");
  }
  p->in_pixels = TRUE;
}

static void
start_channel (Parser *p, const char **names, const char **values)
{
  FilesOmeChannel *channel = g_new0 (FilesOmeChannel, 1);
  const char *color = attribute (names, values, "Color");
  gint64 rgba;
  channel->name = g_strdup (attribute (names, values, "Name"));
  channel->samples = MAX (1, integer (attribute (names, values, "SamplesPerPixel"), 1));
  channel->has_color = color && g_ascii_string_to_signed (color, 10, G_MININT32, G_MAXUINT32, &rgba, NULL);
  if (channel->has_color)
    channel->color = (guint32) rgba >> 8;
  g_ptr_array_add (p->image->channel, channel);
}

static void
start_block (Parser *p, const char **names, const char **values)
{
  FilesOmeBlock block = {
    .page = integer (attribute (names, values, "IFD"), -1),
    .z = integer (attribute (names, values, "FirstZ"), 0),
    .c = integer (attribute (names, values, "FirstC"), 0),
    .t = integer (attribute (names, values, "FirstT"), 0),
    .count = integer (attribute (names, values, "PlaneCount"), -1),
  };
  g_array_append_val (p->image->blocks, block);
}

static void
start_data (Parser *p, const char **names, const char **values)
{
  const char *compression = attribute (names, values, "Compression");
  g_autofree char *lower = g_ascii_strdown (compression ? compression : "", -1);
  p->in_data = TRUE;
  p->data.is_big = is_true (attribute (names, values, "BigEndian"), p->image->is_big);
  g_strlcpy (p->data.compression, lower, sizeof p->data.compression);
}

static FilesOmeBlock *
last_block (Parser *p)
{
  GArray *blocks = p->image->blocks;
  return blocks->len > 0 ? &g_array_index (blocks, FilesOmeBlock, blocks->len - 1) : NULL;
}

static void
start_uuid (Parser *p, const char **names, const char **values)
{
  const char *file = attribute (names, values, "FileName");
  FilesOmeBlock *block = last_block (p);
  p->in_uuid = block != NULL;
  if (block && file)
    block->file = intern (p->ome, file);
}

static void
start_element (GMarkupParseContext *context, const char *element, const char **names, const char **values,
               gpointer data, GError **error)
{
  Parser *p = data;
  const char *name = local_name (element);
  (void) context, (void) error;
  p->in_uuid = p->in_data = FALSE;
  if (!strcmp (name, "OME") && !p->ome->uuid)
    p->ome->uuid = g_strdup (attribute (names, values, "UUID"));
  else if (!strcmp (name, "BinaryOnly") && !p->ome->companion)
    p->ome->companion = g_strdup (attribute (names, values, "MetadataFile"));
  else if (!strcmp (name, "Image"))
    start_image (p, names, values);
  else if (!strcmp (name, "Pixels") && p->image)
    start_pixels (p, names, values);
  else if (!strcmp (name, "Channel") && p->in_pixels)
    start_channel (p, names, values);
  else if (!strcmp (name, "TiffData") && p->in_pixels)
    start_block (p, names, values);
  else if (!strcmp (name, "UUID") && p->in_pixels)
    start_uuid (p, names, values);
  else if (!strcmp (name, "BinData") && p->in_pixels)
    start_data (p, names, values);
}

static void
end_element (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Parser *p = data;
  const char *name = local_name (element);
  (void) context, (void) error;
  if (!strcmp (name, "Image"))
    p->image = NULL;
  if (!strcmp (name, "Image") || !strcmp (name, "Pixels"))
    p->in_pixels = FALSE;
  p->in_uuid = p->in_data = FALSE;
}

static void
instruction (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Parser *p = data;
  char *end;
  (void) context, (void) length, (void) error;
  if (!p->in_data || !g_str_has_prefix (text, FILES_OME_DATA))
    return;
  p->data.at = g_ascii_strtoull (text + strlen (FILES_OME_DATA), &end, 10);
  p->data.length = g_ascii_strtoull (end, NULL, 10);
  g_array_append_val (p->image->data, p->data);
}

static void
text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Parser *p = data;
  (void) context, (void) length, (void) error;
  if (p->in_uuid && p->image)
    last_block (p)->uuid = intern (p->ome, text);
}

/* ---- The whole ---- */

gboolean
files_ome_is (const char *text)
{
  const char *start = text + strspn (text, " \t\r\n");
  if (g_str_has_prefix (start, "\357\273\277")) /* byte order mark */
    start += 3;
  return *start == '<' && strstr (start, "OME")
         && (g_str_has_prefix (start, "<?xml") || g_str_has_prefix (start, "<OME") || g_str_has_prefix (start, "<ome"));
}

static void
drop_empty_images (FilesOme *ome)
{
  g_autoptr (GPtrArray) all = g_steal_pointer (&ome->images);
  ome->images = g_ptr_array_new_with_free_func (image_free);
  g_ptr_array_set_free_func (all, NULL);
  for (guint i = 0; i < all->len; i++)
    if (((FilesOmeImage *) all->pdata[i])->units[0])
      g_ptr_array_add (ome->images, all->pdata[i]);
    else
      image_free (all->pdata[i]);
}

FilesOme *
files_ome_parse (const char *source, GError **error)
{
  static const GMarkupParser callbacks = {start_element, end_element, text, instruction, NULL};
  g_autoptr (FilesOme) ome = g_new0 (FilesOme, 1);
  Parser parser = {.ome = ome};
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&callbacks, 0, &parser, NULL);
  g_autofree char *valid = g_utf8_validate (source, -1, NULL)
                             ? g_strdup (source)
                             : g_convert (source, -1, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
  const char *start = strchr (valid, '<');

  ome->images = g_ptr_array_new_with_free_func (image_free);
  ome->names = g_tree_new_full (compare_texts, NULL, g_free, NULL);
  ome->length = strlen (source);
  if (!g_markup_parse_context_parse (context, start ? start : "", -1, error)
      || !g_markup_parse_context_end_parse (context, error))
    return NULL;
  drop_empty_images (ome);
  return g_steal_pointer (&ome);
}

void
files_ome_free (FilesOme *ome)
{
  if (ome->images)
    g_ptr_array_unref (ome->images);
  if (ome->names)
    g_tree_unref (ome->names);
  g_free (ome->uuid);
  g_free (ome->companion);
  g_free (ome);
}
