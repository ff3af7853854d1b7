/* SPDX-License-Identifier: MIT
 */
#include "core/selection/geojson.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/* How far the polygon of an oval may be from it, in pixels, and limits of its corners. */
#define OVAL_ERROR 0.05
#define MIN_CORNERS 32
#define MAX_CORNERS 2048
#define NEAR_EDGE 1e-3 /* pixels: beside the middle of an edge */
#define OTHER_EDGES 8

/* A polygon: points [from, end) of a selection, without the first one again. */
typedef struct {
  guint from, end;
  guint depth;                /* how many others it is in */
  int owner;                  /* of a hole: the ring around it; of others -1 */
  SelectionPoint least, most; /* its corners */
  SelectionPoint inside;
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
  if (at.x < ring->least.x || at.x > ring->most.x || at.y < ring->least.y || at.y > ring->most.y)
    return FALSE;
  for (guint i = ring->from, j = ring->end - 1; i < ring->end; j = i++)
    if ((p[i].y > at.y) != (p[j].y > at.y) && at.x < (p[j].x - p[i].x) * (at.y - p[i].y) / (p[j].y - p[i].y) + p[i].x)
      in = !in;
  return in;
}

/* Whether a point beside the middle of the edge that ends at corner i is inside: *at. */
static gboolean
find_beside (const SelectionPoint *p, const Ring *ring, guint i, SelectionPoint *at)
{
  const SelectionPoint a = p[i > ring->from ? i - 1 : ring->end - 1], b = p[i];
  const double dx = b.x - a.x, dy = b.y - a.y, length = hypot (dx, dy);
  for (int side = -1; side <= 1 && length > 0; side += 2) {
    *at = (SelectionPoint){(a.x + b.x) / 2 - side * NEAR_EDGE * dy / length,
                           (a.y + b.y) / 2 + side * NEAR_EDGE * dx / length};
    if (ring_contains (p, ring, *at))
      return TRUE;
  }
  return FALSE;
}

/* A point just inside, beside its longest edge or, where that is not possible, one of a few others. */
static SelectionPoint
point_inside (const SelectionPoint *p, const Ring *ring)
{
  SelectionPoint found;
  guint longest = ring->from;
  double most = 0;
  for (guint i = ring->from, j = ring->end - 1; i < ring->end; j = i++)
    if (hypot (p[i].x - p[j].x, p[i].y - p[j].y) > most) {
      most = hypot (p[i].x - p[j].x, p[i].y - p[j].y);
      longest = i;
    }
  if (find_beside (p, ring, longest, &found))
    return found;
  for (guint i = 0; i < OTHER_EDGES; i++)
    if (find_beside (p, ring, ring->from + (guint) ((guint64) (ring->end - ring->from) * i / OTHER_EDGES), &found))
      return found;
  return p[ring->from];
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
    Ring ring = {from, end - again, 0, -1, s->points[from], s->points[from], s->points[from]};
    for (guint i = from; i < ring.end; i++) {
      ring.least = (SelectionPoint){fmin (ring.least.x, s->points[i].x), fmin (ring.least.y, s->points[i].y)};
      ring.most = (SelectionPoint){fmax (ring.most.x, s->points[i].x), fmax (ring.most.y, s->points[i].y)};
    }
    if (ring.end - ring.from > 2)
      g_array_append_val (rings, ring);
  }
  for (guint i = 0; i < rings->len && rings->len > 1; i++) {
    Ring *ring = &g_array_index (rings, Ring, i);
    ring->inside = point_inside (s->points, ring);
    for (guint k = 0; k < rings->len; k++)
      ring->depth += k != i && ring_contains (s->points, &g_array_index (rings, Ring, k), ring->inside);
  }
  for (guint i = 0; i < rings->len; i++) {
    Ring *ring = &g_array_index (rings, Ring, i);
    for (guint k = 0; k < rings->len && ring->depth % 2; k++) {
      const Ring *other = &g_array_index (rings, Ring, k);
      if (other->depth == ring->depth - 1 && ring_contains (s->points, other, ring->inside))
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
