/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/shaped_series.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <tiffio.h>

#define MAX_AXES 16

typedef struct {
  guint n; /* axes before rows and columns */
  char names[MAX_AXES];
  gint64 sizes[MAX_AXES];
  gint64 planes; /* product of the sizes */
  gboolean named, truncated;
} Shape;

static gint64
axis_size (const Shape *shape, char name)
{
  gint64 size = 1;
  for (guint i = 0; i < shape->n; i++)
    if (shape->names[i] == name)
      size *= shape->sizes[i];
  return size;
}

static JsonNode *
member (JsonObject *object, const char *name, GType type)
{
  JsonNode *node = json_object_get_member (object, name);
  return node
             && (type ? JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type
                      : JSON_NODE_HOLDS_ARRAY (node))
           ? node
           : NULL;
}

/* The sizes of an array's axes; FALSE when they do not end in the page's rows and columns. axes: their names, or "". */
static gboolean
set_shape (JsonArray *sizes, const char *axes, const FilesTiffPage *page, Shape *shape)
{
  guint n = json_array_get_length (sizes);
  for (guint i = 0; i < n; i++) {
    JsonNode *size = json_array_get_element (sizes, i);
    if (!JSON_NODE_HOLDS_VALUE (size) || json_node_get_value_type (size) != G_TYPE_INT64)
      return FALSE;
  }
  if (n > 2 && page->samples > 1 && page->planar == PLANARCONFIG_CONTIG
      && json_array_get_int_element (sizes, n - 1) == page->samples)
    n--; /* samples are the last axis */
  if (n < 3 || n - 2 > MAX_AXES || json_array_get_int_element (sizes, n - 1) != page->columns
      || json_array_get_int_element (sizes, n - 2) != page->rows)
    return FALSE;
  shape->n = n - 2;
  shape->planes = 1;
  for (guint i = 0; i < shape->n; i++) {
    gint64 size = json_array_get_int_element (sizes, i);
    shape->names[i] = strlen (axes) == json_array_get_length (sizes) && strchr ("TCS", axes[i]) ? axes[i] : 'Z';
    shape->sizes[i] = size;
    if (size < 1 || size > G_MAXINT32 || shape->planes > G_MAXINT32 / size)
      return FALSE;
    shape->planes *= size;
  }
  return TRUE;
}

/* Fills shape from the description; FALSE when it is not tifffile's. A text this long is not, and could nest too deeply. */
static gboolean
parse (const char *text, const FilesTiffPage *first, Shape *shape)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *object;
  JsonNode *sizes, *axes, *truncated;
  if (!text || *text != '{' || !strstr (text, "\"shape\":") || strlen (text) > 4096
      || !json_parser_load_from_data (parser, text, -1, NULL))
    return FALSE;
  object = json_node_get_object (json_parser_get_root (parser));
  sizes = member (object, "shape", 0);
  axes = member (object, "axes", G_TYPE_STRING);
  truncated = member (object, "truncated", G_TYPE_BOOLEAN);
  shape->named = axes != NULL;
  shape->truncated = truncated && json_node_get_boolean (truncated);
  return sizes && set_shape (json_node_get_array (sizes), axes ? json_node_get_string (axes) : "", first, shape);
}

/* Where in the array's order of planes t, c, z is. An axis that occurs several times counts its later ones fastest. */
static gint64
position (const Shape *shape, gint64 t, gint64 c, gint64 z)
{
  gint64 at = 0, stride = 1;
  for (guint i = shape->n; i-- > 0; stride *= shape->sizes[i]) {
    gint64 *index = shape->names[i] == 'T' ? &t : shape->names[i] == 'Z' ? &z : &c;
    at += *index % shape->sizes[i] * stride;
    *index /= shape->sizes[i];
  }
  return at;
}

/* How many planes of the array one page has: its samples, when they are stored one after the other. */
static gint64
planes_in_page (const FilesTiffPage *page)
{
  return page->planar == PLANARCONFIG_SEPARATE ? page->samples : 1;
}

gint64
files_tiff_shaped_pages (const char *description, const FilesTiffPage *first)
{
  Shape shape;
  return parse (description, first, &shape) && shape.truncated ? shape.planes / planes_in_page (first) : 0;
}

gboolean
files_tiff_shaped_colors (const char *description, const FilesTiffPage *first, guint *size)
{
  Shape shape;
  *size = (guint) first->columns;
  return parse (description, first, &shape) && !shape.named && shape.n == 1 && (*size == 3 || *size == 4)
         && first->rows > *size && shape.planes > *size && (first->bits <= 16 || first->format == SAMPLEFORMAT_IEEEFP);
}

FilesTiffSeries *
files_tiff_shaped_series (const char *description, const FilesTiffPage *first, gint64 pages)
{
  Shape shape;
  FilesTiffSeries *series;
  gint64 channels, samples = planes_in_page (first);
  if (!parse (description, first, &shape) || !shape.named || shape.planes != pages * samples
      || (samples > 1 && (shape.sizes[shape.n - 1] != samples || shape.names[shape.n - 1] == 'S')))
    return NULL;
  channels = axis_size (&shape, 'C') * axis_size (&shape, 'S');
  series = files_tiff_series_new (channels, axis_size (&shape, 'Z'), axis_size (&shape, 'T'));
  for (gint64 t = 0; t < series->frames; t++)
    for (gint64 c = 0; c < channels; c++)
      for (gint64 z = 0; z < series->depth; z++) {
        gint64 at = position (&shape, t, c, z);
        FilesTiffPlane plane = {.page = (guint32) (at / samples), .sample = (guint16) (at % samples)};
        g_array_append_val (series->planes, plane);
      }
  series->expanded = samples > 1;
  return series;
}
