/* SPDX-License-Identifier: MIT
 *
 * Selections as text, and the geometry that needs no pixels. Lengths are those of ImageJ: Ramanujan's for an oval, points
 * averaged over three for a freehand shape, cut corners for a traced one.
 */
#include "core/selection/selection.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

#define FARTHEST 1e9 /* coordinates that text may have */

typedef struct {
  const char *name;
  guint min_numbers, max_numbers; /* in its text */
  const char *example;
  gboolean open; /* encloses nothing */
} Shape;

static const Shape shapes[] = {
  [SELECTION_RECTANGLE] = {"rectangle", 4, 4, "rectangle(x,y,width,height)"},
  [SELECTION_OVAL] = {"oval", 4, 4, "oval(x,y,width,height)"},
  [SELECTION_POLYGON] = {"polygon", 6, G_MAXUINT, "polygon(x,y,x,y,x,y)"},
  [SELECTION_FREEHAND] = {"freehand", 6, G_MAXUINT, "freehand(x,y,x,y,x,y)"},
  [SELECTION_TRACED] = {"traced", 6, G_MAXUINT, "traced(x,y,x,y,x,y)"},
  [SELECTION_LINE] = {"line", 4, 4, "line(x,y,x,y)", TRUE},
  [SELECTION_POINT] = {"point", 2, G_MAXUINT, "point(x,y)", TRUE},
  [SELECTION_POLYLINE] = {"polyline", 4, G_MAXUINT, "polyline(x,y,x,y,x,y)", TRUE},
  [SELECTION_FREELINE] = {"freeline", 4, G_MAXUINT, "freeline(x,y,x,y,x,y)", TRUE},
  [SELECTION_ANGLE] = {"angle", 6, 6, "angle(x,y,x,y,x,y)", TRUE},
  [SELECTION_ROTATED] = {"rotated", 8, 8, "rotated(x,y,x,y,x,y,x,y)"},
  [SELECTION_ELLIPSE] = {"ellipse", 6, G_MAXUINT, "ellipse(x,y,x,y,x,y)"},
  [SELECTION_ROUNDED] = {"rounded", 6, G_MAXUINT, "rounded(x,y,x,y,x,y)"},
  [SELECTION_COMPOSITE] = {"composite", 8, G_MAXUINT, "composite(0,0,9,0,9,9,0,0,20,0,29,0,29,9,20,0)"},
};

Selection *
selection_new (SelectionShape shape, guint n_points, const SelectionPoint *points)
{
  Selection *selection = g_new0 (Selection, 1);
  selection->shape = shape;
  selection->n_points = n_points;
  selection->points = g_memdup2 (points, n_points * sizeof *points);
  selection->channel = selection->slice = selection->frame = -1;
  g_atomic_ref_count_init (&selection->references);
  return selection;
}

Selection *
selection_copy (const Selection *selection)
{
  Selection *copy = selection_new (selection->shape, selection->n_points, selection->points);
  copy->name = g_strdup (selection->name);
  copy->channel = selection->channel;
  copy->slice = selection->slice;
  copy->frame = selection->frame;
  copy->stroke = selection->stroke;
  copy->stroke_color = selection->stroke_color;
  copy->fill = selection->fill;
  return copy;
}

Selection *
selection_share (const Selection *selection)
{
  Selection *same = (Selection *) selection;
  g_atomic_ref_count_inc (&same->references);
  return same;
}

void
selection_free (Selection *selection)
{
  if (!g_atomic_ref_count_dec (&selection->references))
    return;
  g_free (selection->points);
  g_free (selection->name);
  g_free (selection);
}

const char *
selection_shape_name (SelectionShape shape)
{
  return shapes[shape].name;
}

static gboolean
is_box (SelectionShape shape)
{
  return shape == SELECTION_RECTANGLE || shape == SELECTION_OVAL;
}

gboolean
selection_is_area (const Selection *selection)
{
  return selection_shape_is_area (selection->shape);
}

gboolean
selection_shape_is_area (SelectionShape shape)
{
  return !shapes[shape].open;
}

gboolean
selection_is_line (const Selection *selection)
{
  return selection->shape == SELECTION_LINE || selection->shape == SELECTION_POLYLINE
         || selection->shape == SELECTION_FREELINE;
}

guint
selection_loop_end (const Selection *selection, guint from)
{
  const SelectionPoint *p = selection->points;
  guint i = from + 1;
  if (selection->shape != SELECTION_COMPOSITE)
    return selection->n_points;
  while (i < selection->n_points && (p[i].x != p[from].x || p[i].y != p[from].y))
    i++;
  return MIN (i + 1, selection->n_points);
}

/* ---- Text ---- */

/* The shape whose name is text[0 … length); G_N_ELEMENTS (shapes) with *error. */
static guint
find_shape (const char *text, gsize length, GError **error)
{
  const char *names[G_N_ELEMENTS (shapes) + 1] = {NULL};
  g_autofree char *name = g_strndup (text, length), *nearest = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    names[i] = shapes[i].name;
    if (!strcmp (name, names[i]))
      return i;
  }
  nearest = text_nearest (name, names);
  if (nearest)
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "Unknown shape '%s'. The nearest one is '%s'.", name, nearest);
  else
    step_error_set (error, FV_BAD_ARGUMENT, NULL,
                    "Unknown shape '%s'. Use rectangle, oval, polygon, freehand, traced, line, point, "
                    "polyline, freeline, angle, rotated, ellipse, rounded or composite with its numbers: "
                    "oval(10,20,100,50).",
                    name);
  return G_N_ELEMENTS (shapes);
}

/* The numbers between the parentheses; their count is checked. */
static GArray *
parse_numbers (const Shape *shape, const char *list, GError **error)
{
  g_auto (GStrv) words = g_strsplit (list, ",", -1);
  guint n = g_strv_length (words);
  g_autoptr (GArray) numbers = g_array_sized_new (FALSE, FALSE, sizeof (double), n);
  for (guint i = 0; i < n; i++) {
    double number;
    if (!text_to_number (words[i], &number) || fabs (number) > FARTHEST) {
      step_error_set (error, FV_BAD_ARGUMENT, NULL, "'%.40s' in %s(…) is not a number from -1e9 to 1e9; write %s.",
                      words[i], shape->name, shape->example);
      return NULL;
    }
    g_array_append_val (numbers, number);
  }
  if (n >= shape->min_numbers && n <= shape->max_numbers && n % 2 == 0)
    return g_steal_pointer (&numbers);
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "%s(…) has %u numbers instead of %s%u; write %s.", shape->name, n,
                  shape->max_numbers == shape->min_numbers ? ""
                  : n % 2 && n > shape->min_numbers        ? "an even number from "
                                                           : "at least ",
                  shape->min_numbers, shape->example);
  return NULL;
}

/* Whether each polygon of a composite ends where it begins. */
static gboolean
check_loops (const Selection *s, GError **error)
{
  for (guint i = 0, end; i < s->n_points; i = end) {
    end = selection_loop_end (s, i);
    if (end < i + 4 || s->points[end - 1].x != s->points[i].x || s->points[end - 1].y != s->points[i].y) {
      step_error_set (error, FV_BAD_ARGUMENT, NULL,
                      "Each polygon of composite(…) needs three or more corners and must end with its first "
                      "one; the polygon that starts at point %u does not. Write %s.",
                      i + 1, shapes[SELECTION_COMPOSITE].example);
      return FALSE;
    }
  }
  return TRUE;
}

/* Of all shapes but boxes. */
static Selection *
of_points (SelectionShape shape, guint n, const SelectionPoint *points, GError **error)
{
  g_autoptr (Selection) s = selection_new (shape, n, points);
  return shape != SELECTION_COMPOSITE || check_loops (s, error) ? g_steal_pointer (&s) : NULL;
}

Selection *
selection_parse (const char *text, GError **error)
{
  gsize name = strcspn (text, "("), length = strlen (text);
  g_autofree char *list = NULL;
  g_autoptr (GArray) numbers = NULL;
  SelectionPoint *points;
  guint shape = find_shape (text, name, error);
  if (shape == G_N_ELEMENTS (shapes))
    return NULL;
  if (name == length || text[length - 1] != ')') {
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "'%.40s' has no numbers in parentheses; write %s.", text,
                    shapes[shape].example);
    return NULL;
  }
  list = g_strndup (text + name + 1, length - name - 2);
  numbers = parse_numbers (&shapes[shape], list, error);
  if (!numbers)
    return NULL;
  points = (SelectionPoint *) (gpointer) numbers->data;
  if (!is_box (shape))
    return of_points (shape, numbers->len / 2, points, error);
  points[1].x += points[0].x;
  points[1].y += points[0].y;
  if (points[1].x > points[0].x && points[1].y > points[0].y)
    return selection_new (shape, 2, points);
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "The width and height in %s must be above 0.", text);
  return NULL;
}

char *
selection_format (const Selection *selection)
{
  GString *text = g_string_new (shapes[selection->shape].name);
  for (guint i = 0; i < selection->n_points; i++) {
    SelectionPoint point = selection->points[i];
    g_autofree char *x = NULL, *y = NULL;
    if (i && is_box (selection->shape)) {
      point.x -= selection->points[0].x;
      point.y -= selection->points[0].y;
    }
    x = text_from_number (point.x);
    y = text_from_number (point.y);
    g_string_append_printf (text, "%s%s,%s", i ? "," : "(", x, y);
  }
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

/* ---- Geometry ---- */

void
selection_bounds (const Selection *selection, SelectionPoint *low, SelectionPoint *high)
{
  *low = *high = selection->n_points ? selection->points[0] : (SelectionPoint){0, 0};
  for (guint i = 1; i < selection->n_points; i++) {
    SelectionPoint point = selection->points[i];
    *low = (SelectionPoint){fmin (low->x, point.x), fmin (low->y, point.y)};
    *high = (SelectionPoint){fmax (high->x, point.x), fmax (high->y, point.y)};
  }
}

PlanePart
selection_part (const Selection *selection, const ImageInfo *info, int room)
{
  SelectionPoint low, high;
  selection_bounds (selection, &low, &high);
  gint64 left = (gint64) CLAMP (floor (low.x) - room, 0, (double) info->columns - 1);
  gint64 top = (gint64) CLAMP (floor (low.y) - room, 0, (double) info->rows - 1);
  gint64 right = (gint64) CLAMP (ceil (high.x) + room, (double) left + 1, (double) info->columns);
  gint64 bottom = (gint64) CLAMP (ceil (high.y) + room, (double) top + 1, (double) info->rows);
  return (PlanePart){left, top, right - left, bottom - top};
}

void
selection_move (Selection *selection, double dx, double dy)
{
  for (guint i = 0; i < selection->n_points; i++) {
    selection->points[i].x += dx;
    selection->points[i].y += dy;
  }
}

/* The number of the name stem-NUMBER, 0 of the stem itself; -1: another name. */
static gint64
number_in_name (const char *name, const char *stem, gsize n)
{
  char *end;
  if (!name || strncmp (name, stem, n))
    return -1;
  if (!name[n])
    return 0;
  if (name[n] != '-' || name[n + 1] < '1' || name[n + 1] > '9')
    return -1;
  gint64 number = g_ascii_strtoll (name + n + 1, &end, 10);
  return *end ? -1 : number;
}

/* The smallest number that no name of the list has, in one pass over the list. */
static guint
free_number (const GPtrArray *kept, const char *stem, gsize n)
{
  g_autofree gboolean *taken = g_new0 (gboolean, kept->len + 1);
  guint number = 0;
  for (guint i = 0; i < kept->len; i++) {
    gint64 other = number_in_name (((const Selection *) kept->pdata[i])->name, stem, n);
    if (other >= 0 && other < kept->len)
      taken[other] = TRUE;
  }
  while (taken[number])
    number++;
  return number;
}

char *
selection_free_name (const Selection *selection, const GPtrArray *kept)
{
  SelectionPoint low, high;
  GString *name = g_string_new (NULL);
  selection_bounds (selection, &low, &high);
  if (selection->slice >= 0)
    g_string_append_printf (name, "%04d-", (int) selection->slice + 1);
  g_string_append_printf (name, "%04.0f-%04.0f", trunc ((low.y + high.y) / 2), trunc ((low.x + high.x) / 2));
  guint number = free_number (kept, name->str, name->len);
  if (number)
    g_string_append_printf (name, "-%u", number);
  return g_string_free (name, FALSE);
}

static double
distance (SelectionPoint a, SelectionPoint b)
{
  return hypot (b.x - a.x, b.y - a.y);
}

/* Of the points, each averaged with its two neighbors; the first and the last as they are. An open path. */
static double
smoothed_length (const SelectionPoint *points, guint n)
{
  SelectionPoint last = points[0];
  double length = 0;
  for (guint i = 1; i + 1 < n; i++) {
    SelectionPoint mean = {(points[i - 1].x + points[i].x + points[i + 1].x) / 3,
                           (points[i - 1].y + points[i].y + points[i + 1].y) / 3};
    length += distance (last, mean);
    last = mean;
  }
  return length + distance (last, points[n - 1]);
}

static double
path_length (const SelectionPoint *points, guint n)
{
  double length = 0;
  for (guint i = 1; i < n; i++)
    length += distance (points[i - 1], points[i]);
  return length;
}

/* From the last point back to the first. */
static double
gap (const SelectionPoint *points, guint n)
{
  return n ? distance (points[n - 1], points[0]) : 0;
}

/* The polygons of a composite are closed. */
static double
loops_length (const Selection *s, const SelectionPoint *points)
{
  double length = 0;
  for (guint i = 0, end; i < s->n_points; i = end) {
    end = selection_loop_end (s, i);
    length += path_length (points + i, end - i);
  }
  return length;
}

/* Along pixel edges, less what is saved by cutting corners; of steps one pixel long only every other corner is cut. Negative
 * when a side is not an edge of pixels. */
static double
traced_length (const Selection *traced, double width, double height)
{
  const SelectionPoint *points = traced->points, *last = &points[traced->n_points - 1];
  double length = 0, saved = width + height - hypot (width, height);
  gboolean cut = FALSE;
  for (guint i = 0; i < traced->n_points; last = &points[i++]) {
    double dx = fabs (points[i].x - last->x), dy = fabs (points[i].y - last->y);
    if ((dx > 0) == (dy > 0) || dx + dy < 1)
      return -1;
    cut = dx + dy > 1 || !cut;
    length += dx * width + dy * height - (cut ? saved : 0);
  }
  return length;
}

/* Whether a path is too short to be smoothed, or goes along an axis: ImageJ then smooths nothing. */
static gboolean
is_straight (const SelectionPoint *points, guint n)
{
  gboolean level = TRUE, upright = TRUE;
  for (guint i = 1; i < n; i++) {
    level = level && points[i].y == points[0].y;
    upright = upright && points[i].x == points[0].x;
  }
  return n < 3 || level || upright;
}

double
selection_length (const Selection *selection, double width, double height)
{
  guint n = selection->n_points;
  g_autofree SelectionPoint *points = g_new (SelectionPoint, n);
  double a, b;
  for (guint i = 0; i < n; i++)
    points[i] = (SelectionPoint){selection->points[i].x * width, selection->points[i].y * height};
  switch (selection->shape) {
  case SELECTION_RECTANGLE: return 2 * (points[1].x - points[0].x) + 2 * (points[1].y - points[0].y);
  case SELECTION_OVAL:
    a = (points[1].x - points[0].x) / 2;
    b = (points[1].y - points[0].y) / 2;
    return G_PI * (3 * (a + b) - sqrt ((3 * a + b) * (a + 3 * b)));
  case SELECTION_POINT: return 0;
  case SELECTION_LINE:
  case SELECTION_POLYLINE:
  case SELECTION_ANGLE: return path_length (points, n);
  case SELECTION_FREELINE: return is_straight (points, n) ? path_length (points, n) : smoothed_length (points, n);
  case SELECTION_TRACED:
    a = n < 4 ? -1 : traced_length (selection, width, height);
    return a < 0 ? path_length (points, n) + gap (points, n) : a;
  case SELECTION_FREEHAND: return (n < 3 ? path_length (points, n) : smoothed_length (points, n)) + gap (points, n);
  case SELECTION_COMPOSITE: return loops_length (selection, points);
  default: return path_length (points, n) + gap (points, n);
  }
}

double
selection_angle (const Selection *angle, double width, double height)
{
  const SelectionPoint *p = angle->points;
  const double ax = (p[0].x - p[1].x) * width, ay = (p[0].y - p[1].y) * height;
  const double bx = (p[2].x - p[1].x) * width, by = (p[2].y - p[1].y) * height;
  return atan2 (fabs (ax * by - ay * bx), ax * bx + ay * by) * 180 / G_PI;
}
