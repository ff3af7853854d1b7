/* SPDX-License-Identifier: MIT
 */
#include "core/selection/geojson.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/* Levels of nested arrays and objects: QuPath has eight. The parser calls itself for each. */
#define MAX_DEPTH 32
/* How far the polygon of an oval may be from it, in pixels, and limits of its corners. */
#define OVAL_ERROR 0.05
#define MIN_CORNERS 32
#define MAX_CORNERS 2048
#define NEAR_EDGE 1e-3 /* pixels: beside the middle of an edge */

/* ---- Writing ---- */

/* A polygon: points [from, end) of a selection, without the first one again. */
typedef struct {
  guint from, end;
  guint depth; /* how many others it is in */
  int owner;   /* of a hole: the ring around it; of others -1 */
} Ring;

static void
add_point (GString *text, double x, double y)
{
  char a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_printf (text, "[%s,%s]", g_ascii_dtostr (a, sizeof a, x), g_ascii_dtostr (b, sizeof b, y));
}

/* Points [from, end), and the first of them again when they are closed. */
static void
add_points (GString *text, const SelectionPoint *p, guint from, guint end, gboolean closed)
{
  g_string_append_c (text, '[');
  for (guint i = from; i < end + closed; i++) {
    if (i > from)
      g_string_append_c (text, ',');
    const SelectionPoint at = p[i < end ? i : from];
    add_point (text, at.x, at.y);
  }
  g_string_append_c (text, ']');
}

static gboolean
ring_contains (const SelectionPoint *p, const Ring *ring, SelectionPoint at)
{
  gboolean in = FALSE;
  for (guint i = ring->from, j = ring->end - 1; i < ring->end; j = i++)
    if ((p[i].y > at.y) != (p[j].y > at.y) && at.x < (p[j].x - p[i].x) * (at.y - p[i].y) / (p[j].y - p[i].y) + p[i].x)
      in = !in;
  return in;
}

/* A point just inside, beside its longest edge. */
static SelectionPoint
point_inside (const SelectionPoint *p, const Ring *ring)
{
  SelectionPoint found = p[ring->from];
  double longest = 0;
  for (guint i = ring->from, j = ring->end - 1; i < ring->end; j = i++) {
    const double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y, length = hypot (dx, dy);
    if (!(length > longest))
      continue;
    longest = length;
    for (int side = -1; side <= 1; side += 2) {
      const SelectionPoint at = {(p[i].x + p[j].x) / 2 - side * NEAR_EDGE * dy / length,
                                 (p[i].y + p[j].y) / 2 + side * NEAR_EDGE * dx / length};
      if (ring_contains (p, ring, at))
        found = at;
    }
  }
  return found;
}

/* What is in an odd number of rings is a hole of the smallest depth around it. */
static GArray *
rings_of (const Selection *s)
{
  GArray *rings = g_array_new (FALSE, FALSE, sizeof (Ring));
  for (guint from = 0, end; from < s->n_points; from = end) {
    end = selection_loop_end (s, from);
    const gboolean again = end - from > 1 && s->shape == SELECTION_COMPOSITE
                           && s->points[end - 1].x == s->points[from].x && s->points[end - 1].y == s->points[from].y;
    const Ring ring = {from, end - again, 0, -1};
    if (ring.end - ring.from > 2)
      g_array_append_val (rings, ring);
  }
  for (guint i = 0; i < rings->len && rings->len > 1; i++) {
    Ring *ring = &g_array_index (rings, Ring, i);
    const SelectionPoint at = point_inside (s->points, ring);
    for (guint k = 0; k < rings->len; k++)
      ring->depth += k != i && ring_contains (s->points, &g_array_index (rings, Ring, k), at);
  }
  for (guint i = 0; i < rings->len; i++) {
    Ring *ring = &g_array_index (rings, Ring, i);
    const SelectionPoint at = point_inside (s->points, ring);
    for (guint k = 0; k < rings->len && ring->depth % 2; k++) {
      const Ring *other = &g_array_index (rings, Ring, k);
      if (other->depth == ring->depth - 1 && ring_contains (s->points, other, at))
        ring->owner = (int) k;
    }
  }
  return rings;
}

/* A polygon with its holes. */
static void
add_polygon (GString *text, const Selection *s, const GArray *rings, guint outer)
{
  g_string_append_c (text, '[');
  for (guint i = 0, n = 0; i <= rings->len; i++) {
    const Ring *ring = &g_array_index (rings, Ring, i ? i - 1 : outer);
    if (i && ring->owner != (int) outer)
      continue;
    if (n++)
      g_string_append_c (text, ',');
    add_points (text, s->points, ring->from, ring->end, TRUE);
  }
  g_string_append_c (text, ']');
}

static void
add_polygons (GString *text, const Selection *s)
{
  g_autoptr (GArray) rings = rings_of (s);
  guint outer = 0, n = 0;
  for (guint i = 0; i < rings->len; i++)
    if (g_array_index (rings, Ring, i).owner < 0) {
      outer = i;
      n++;
    }
  if (n == 1) {
    g_string_append (text, "\"type\":\"Polygon\",\"coordinates\":");
    add_polygon (text, s, rings, outer);
    return;
  }
  g_string_append (text, "\"type\":\"MultiPolygon\",\"coordinates\":[");
  for (guint i = 0, k = 0; i < rings->len; i++) {
    if (g_array_index (rings, Ring, i).owner >= 0)
      continue;
    if (k++)
      g_string_append_c (text, ',');
    add_polygon (text, s, rings, i);
  }
  g_string_append_c (text, ']');
}

/* The corners of a rectangle, and of a polygon so near to an oval that no pixel differs much. */
static Selection *
as_polygon (const Selection *s)
{
  const SelectionPoint a = s->points[0], b = s->points[1];
  const double rx = (b.x - a.x) / 2, ry = (b.y - a.y) / 2, r = fmax (1, fmax (fabs (rx), fabs (ry)));
  const guint n = s->shape == SELECTION_RECTANGLE
                    ? 4
                    : 4 * (guint) ceil (CLAMP (G_PI / sqrt (2 * OVAL_ERROR / r), MIN_CORNERS, MAX_CORNERS) / 4);
  g_autofree SelectionPoint *p = g_new (SelectionPoint, n);
  for (guint i = 0; i < n; i++)
    p[i] = n == 4 ? (SelectionPoint){i == 1 || i == 2 ? b.x : a.x, i < 2 ? a.y : b.y}
                  : (SelectionPoint){a.x + rx + rx * cos (2 * G_PI * i / n), a.y + ry + ry * sin (2 * G_PI * i / n)};
  return selection_new (SELECTION_POLYGON, n, p);
}

static void
add_shape (GString *text, const Selection *s)
{
  if (s->shape == SELECTION_RECTANGLE || s->shape == SELECTION_OVAL) {
    g_autoptr (Selection) polygon = as_polygon (s);
    add_polygons (text, polygon);
    g_string_append (text, s->shape == SELECTION_OVAL ? ",\"isEllipse\":true" : "");
  } else if (selection_is_area (s))
    add_polygons (text, s);
  else if (s->shape == SELECTION_POINT && s->n_points == 1) {
    g_string_append (text, "\"type\":\"Point\",\"coordinates\":");
    add_point (text, s->points[0].x, s->points[0].y);
  } else {
    g_string_append_printf (
      text, "\"type\":\"%s\",\"coordinates\":", s->shape == SELECTION_POINT ? "MultiPoint" : "LineString");
    add_points (text, s->points, 0, s->n_points, FALSE);
  }
}

/* As a string of JSON. */
static void
add_string (GString *text, const char *string)
{
  g_autofree char *valid = g_utf8_make_valid (string, -1);
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), valid);
  g_autofree char *json = json_to_string (node, FALSE);
  g_string_append (text, json);
}

static void
add_feature (GString *text, const Selection *s)
{
  g_string_append (text, "{\"type\":\"Feature\",\"geometry\":{");
  add_shape (text, s);
  if (s->channel >= 0 || s->slice >= 0 || s->frame >= 0)
    g_string_append_printf (
      text, ",\"plane\":{\"c\":%" G_GINT64_FORMAT ",\"z\":%" G_GINT64_FORMAT ",\"t\":%" G_GINT64_FORMAT "}", s->channel,
      MAX (0, s->slice), MAX (0, s->frame));
  g_string_append (text, "},\"properties\":{\"objectType\":\"annotation\"");
  if (s->name && *s->name) {
    g_string_append (text, ",\"name\":");
    add_string (text, s->name);
  }
  if (s->stroke_color)
    g_string_append_printf (text, ",\"color\":[%u,%u,%u]", s->stroke_color >> 16 & 255, s->stroke_color >> 8 & 255,
                            s->stroke_color & 255);
  g_string_append (text, "}}");
}

char *
selections_to_geojson (const GPtrArray *selections)
{
  GString *text = g_string_new ("{\"type\":\"FeatureCollection\",\"features\":[");
  for (guint i = 0; i < selections->len; i++) {
    g_string_append (text, i ? ",\n" : "\n");
    add_feature (text, selections->pdata[i]);
  }
  g_string_append (text, "\n]}\n");
  return g_string_free (text, FALSE);
}

/* ---- Reading ---- */

/* A member of that kind, or NULL. */
static JsonNode *
member (JsonObject *object, const char *name, JsonNodeType kind)
{
  JsonNode *node = object ? json_object_get_member (object, name) : NULL;
  return node && JSON_NODE_TYPE (node) == kind ? node : NULL;
}

static JsonObject *
object_member (JsonObject *object, const char *name)
{
  JsonNode *node = member (object, name, JSON_NODE_OBJECT);
  return node ? json_node_get_object (node) : NULL;
}

/* "" where there is none. */
static const char *
string_member (JsonObject *object, const char *name)
{
  JsonNode *node = member (object, name, JSON_NODE_VALUE);
  return node && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : "";
}

static gboolean
read_number (JsonNode *node, double *number)
{
  if (!JSON_NODE_HOLDS_VALUE (node)
      || (json_node_get_value_type (node) != G_TYPE_INT64 && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return FALSE;
  *number = json_node_get_double (node);
  return isfinite (*number);
}

static gboolean
read_point (JsonNode *node, GArray *points)
{
  SelectionPoint at;
  JsonArray *pair = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  if (!pair || json_array_get_length (pair) < 2 || !read_number (json_array_get_element (pair, 0), &at.x)
      || !read_number (json_array_get_element (pair, 1), &at.y))
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
  const char *type = string_member (geometry, "type");
  JsonNode *coordinates = member (geometry, "coordinates", JSON_NODE_ARRAY);
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
    JsonNode *ellipse = member (geometry, "isEllipse", JSON_NODE_VALUE);
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
  JsonNode *node = member (plane, name, JSON_NODE_VALUE);
  return node && json_node_get_value_type (node) == G_TYPE_INT64 ? MAX (-1, json_node_get_int (node)) : -1;
}

static void
read_color (JsonObject *properties, Selection *selection)
{
  JsonNode *node = member (properties, "color", JSON_NODE_ARRAY);
  double part[3];
  if (!node || json_array_get_length (json_node_get_array (node)) != 3)
    return;
  for (guint i = 0; i < 3; i++)
    if (!read_number (json_array_get_element (json_node_get_array (node), i), &part[i]) || part[i] < 0 || part[i] > 255)
      return;
  selection->stroke_color = 0xff000000u | (guint32) part[0] << 16 | (guint32) part[1] << 8 | (guint32) part[2];
}

/* A Feature, or a geometry alone. */
static void
read_feature (JsonNode *node, GPtrArray *selections, GPtrArray *strange)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const gboolean feature = !strcmp (string_member (object, "type"), "Feature");
  JsonObject *geometry = feature ? object_member (object, "geometry") : object,
             *properties = object_member (object, "properties");
  JsonObject *plane = object_member (geometry, "plane");
  const char *name = string_member (properties, "name"), *why = NULL;
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

/* Whether brackets in the text, outside of strings, are nested too deeply. */
static gboolean
is_deep (const char *text, gsize size)
{
  int depth = 0;
  gboolean string = FALSE;
  for (gsize i = 0; i < size; i++) {
    if (string)
      i += text[i] == '\\';
    if (i < size && text[i] == '"')
      string = !string;
    else if (!string && i < size && (text[i] == '[' || text[i] == '{') && ++depth > MAX_DEPTH)
      return TRUE;
    else if (!string && i < size && (text[i] == ']' || text[i] == '}'))
      depth--;
  }
  return FALSE;
}

char *
selections_from_geojson (const char *text, gsize size, GPtrArray *selections, GPtrArray *strange)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) error = NULL;
  if (size > G_MAXSSIZE || is_deep (text, size))
    return g_strdup_printf ("is not GeoJSON: it is nested more than %d times.", MAX_DEPTH);
  if (!json_parser_load_from_data (parser, text, (gssize) size, &error))
    return g_strdup_printf ("is not GeoJSON: %s.", error->message);
  JsonNode *root = json_parser_get_root (parser);
  JsonNode *list =
    root && JSON_NODE_HOLDS_OBJECT (root) ? member (json_node_get_object (root), "features", JSON_NODE_ARRAY) : root;
  if (!root)
    return g_strdup ("is not GeoJSON: it is empty.");
  if (!list || !JSON_NODE_HOLDS_ARRAY (list)) {
    read_feature (root, selections, strange);
    return NULL;
  }
  for (guint i = 0; i < json_array_get_length (json_node_get_array (list)); i++)
    read_feature (json_array_get_element (json_node_get_array (list), i), selections, strange);
  return NULL;
}
