/* SPDX-License-Identifier: MIT
 */
#include "core/selection/geojson.h"

#include "core/base/json_read.h"

#include <string.h>

static gboolean
read_point (JsonNode *node, GArray *points)
{
  SelectionPoint at;
  JsonArray *pair = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  if (!pair || json_array_get_length (pair) < 2 || !json_read_number (json_array_get_element (pair, 0), &at.x)
      || !json_read_number (json_array_get_element (pair, 1), &at.y))
    return FALSE;
  g_array_append_val (points, at);
  return TRUE;
}

/* Appends the points of an array that is nested `levels` deep in others. closed: each ends where it begins, and has three corners or more. */
static gboolean
read_points (JsonNode *node, int levels, gboolean closed, GArray *points)
{
  const guint first = points->len;
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  for (guint i = 0; array && i < json_array_get_length (array); i++)
    if (!(levels ? read_points (json_array_get_element (array, i), levels - 1, closed, points)
                 : read_point (json_array_get_element (array, i), points)))
      return FALSE;
  if (array && !levels && closed)
    return points->len > first + 3
           && !memcmp (&g_array_index (points, SelectionPoint, first),
                       &g_array_index (points, SelectionPoint, points->len - 1), sizeof (SelectionPoint));
  return array && points->len > first;
}

/* Whether the four corners are those of an upright rectangle. */
static gboolean
is_rectangle (const SelectionPoint *p, guint n)
{
  return n == 4
         && ((p[0].y == p[1].y && p[1].x == p[2].x && p[2].y == p[3].y && p[3].x == p[0].x)
             || (p[0].x == p[1].x && p[1].y == p[2].y && p[2].x == p[3].x && p[3].y == p[0].y));
}

/* One closed ring, which has its first point again at its end. */
static Selection *
selection_of_ring (const SelectionPoint *p, guint n, gboolean ellipse)
{
  g_autoptr (Selection) polygon = selection_new (SELECTION_POLYGON, n - 1, p);
  SelectionPoint box[2];
  if (!ellipse && !is_rectangle (p, n - 1))
    return g_steal_pointer (&polygon);
  selection_bounds (polygon, &box[0], &box[1]);
  return selection_new (ellipse ? SELECTION_OVAL : SELECTION_RECTANGLE, 2, box);
}

/* The first closed part of all points. */
static guint
ring_end (const SelectionPoint *p, guint n)
{
  guint end = 1;
  while (end < n && (p[end].x != p[0].x || p[end].y != p[0].y))
    end++;
  return end + 1;
}

/* NULL with *why, the end of a sentence: there is none. */
static Selection *
selection_of_geometry (JsonObject *geometry, const char **why)
{
  static const struct {
    const char *type;
    int levels; /* of arrays around those of points; -1: a point alone */
    SelectionShape shape;
    guint points; /* at least */
  } kinds[] = {
    {"Point", -1, SELECTION_POINT, 1},           {"MultiPoint", 0, SELECTION_POINT, 1},
    {"LineString", 0, SELECTION_POLYLINE, 2},    {"Polygon", 1, SELECTION_COMPOSITE, 4},
    {"MultiPolygon", 2, SELECTION_COMPOSITE, 4},
  };
  const char *type = json_read_string (geometry, "type");
  JsonNode *coordinates = json_read_member (geometry, "coordinates", JSON_NODE_ARRAY);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (SelectionPoint));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (strcmp (type, kinds[i].type))
      continue;
    const gboolean closed = kinds[i].shape == SELECTION_COMPOSITE;
    *why = "has coordinates that are not those of its type";
    if (!coordinates
        || !(kinds[i].levels < 0 ? read_point (coordinates, points)
                                 : read_points (coordinates, kinds[i].levels, closed, points))
        || points->len < kinds[i].points)
      return NULL;
    const SelectionPoint *p = &g_array_index (points, SelectionPoint, 0);
    JsonNode *ellipse = json_read_member (geometry, "isEllipse", JSON_NODE_VALUE);
    if (closed && ring_end (p, points->len) == points->len)
      return selection_of_ring (p, points->len, ellipse && json_node_get_boolean (ellipse));
    return selection_new (kinds[i].shape == SELECTION_POLYLINE && points->len == 2 ? SELECTION_LINE : kinds[i].shape,
                          points->len, p);
  }
  *why = geometry ? "has a geometry other than points, lines and polygons" : "has no geometry";
  return NULL;
}

static gint64
plane_member (JsonObject *plane, const char *name)
{
  JsonNode *node = json_read_member (plane, name, JSON_NODE_VALUE);
  return node && json_node_get_value_type (node) == G_TYPE_INT64 ? MAX (-1, json_node_get_int (node)) : -1;
}

static void
read_color (JsonObject *properties, Selection *selection)
{
  JsonNode *node = json_read_member (properties, "color", JSON_NODE_ARRAY);
  double part[3];
  if (!node || json_array_get_length (json_node_get_array (node)) != 3)
    return;
  for (guint i = 0; i < 3; i++)
    if (!json_read_number (json_array_get_element (json_node_get_array (node), i), &part[i]) || part[i] < 0
        || part[i] > 255)
      return;
  selection->stroke_color = 0xff000000u | (guint32) part[0] << 16 | (guint32) part[1] << 8 | (guint32) part[2];
}

/* A Feature, or a geometry alone. */
static void
read_feature (JsonNode *node, GPtrArray *selections, GPtrArray *strange)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const gboolean feature = !strcmp (json_read_string (object, "type"), "Feature");
  JsonObject *geometry = feature ? json_read_object (object, "geometry") : object,
             *properties = json_read_object (object, "properties");
  JsonObject *plane = json_read_object (geometry, "plane");
  const char *name = json_read_string (properties, "name"), *why = NULL;
  Selection *selection = selection_of_geometry (geometry, &why);
  if (!selection) {
    g_ptr_array_add (strange, g_strdup_printf ("'%s' in it %s.", *name ? name : "a feature", why));
    return;
  }
  selection->name = *name ? g_strdup (name) : NULL;
  selection->channel = plane_member (plane, "c");
  selection->slice = plane_member (plane, "z");
  selection->frame = plane_member (plane, "t");
  read_color (properties, selection);
  g_ptr_array_add (selections, selection);
}

char *
selections_from_geojson (const char *text, gsize size, GPtrArray *selections, GPtrArray *strange)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = json_read (text, size, &error);
  if (!root)
    return g_strdup_printf ("is not GeoJSON: %s.", error->message);
  JsonNode *list =
    JSON_NODE_HOLDS_OBJECT (root) ? json_read_member (json_node_get_object (root), "features", JSON_NODE_ARRAY) : root;
  if (!list || !JSON_NODE_HOLDS_ARRAY (list)) {
    read_feature (root, selections, strange);
    return NULL;
  }
  for (guint i = 0; i < json_array_get_length (json_node_get_array (list)); i++)
    read_feature (json_array_get_element (json_node_get_array (list), i), selections, strange);
  return NULL;
}
