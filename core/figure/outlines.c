/* SPDX-License-Identifier: MIT
 *
 * An outline goes along the edges of pixels, the object to its right, clockwise around it and the other way around its holes. All its
 * edges go along rows or columns, so that it moves into the object by moving each corner along both of its edges.
 */
#include "core/figure/outlines.h"

#include "core/base/error.h"

enum { COLORS = 255 }; /* of labels, in turn */

typedef struct {
  const FigureScene *scene;
  cairo_t *cr;
  double inset;    /* in pixels */
  guint32 *colors; /* of labels, as cairo's pixels */
  guint8 *seen;    /* upper edges of pixels that outlines went along */
} Pen;

static gint32
label_at (const FigureScene *s, gint64 x, gint64 y)
{
  return x < 0 || y < 0 || x >= s->outlined.width || y >= s->outlined.height ? 0 : s->labels[y * s->outlined.width + x];
}

/* The corner x, y, where the way turns; to the right or to the left. */
static void
add_corner (const Pen *pen, gint64 x, gint64 y, guint way, guint next)
{
  static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1}; /* right, down, left, up */
  /* The object is to the right of both edges. */
  double inside_x = dx[(way + 1) % 4] + dx[(next + 1) % 4], inside_y = dy[(way + 1) % 4] + dy[(next + 1) % 4];
  cairo_line_to (pen->cr, ((double) x + inside_x * pen->inset) * pen->scene->zoom,
                 ((double) y + inside_y * pen->inset) * pen->scene->zoom);
}

/* From the upper left corner of a pixel along its upper edge, and around. */
static void
trace (const Pen *pen, gint64 x, gint64 y)
{
  /* Right, down, left, up; and from a corner the pixel ahead to the left, which is the one ahead to the right a turn before. */
  static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1}, ahead_x[] = {0, 0, -1, -1}, ahead_y[] = {-1, 0, 0, -1};
  const FigureScene *s = pen->scene;
  const gint64 first_x = x, first_y = y;
  const gint32 label = label_at (s, x, y);
  guint way = 0;
  do {
    guint next;
    if (way == 0)
      pen->seen[y * s->outlined.width + x] = 1;
    x += dx[way];
    y += dy[way];
    guint right = (way + 1) % 4;
    if (label_at (s, x + ahead_x[right], y + ahead_y[right]) != label)
      next = right;
    else
      next = label_at (s, x + ahead_x[way], y + ahead_y[way]) == label ? (way + 3) % 4 : way;
    if (next != way)
      add_corner (pen, x, y, way, next);
    way = next;
  } while (x != first_x || y != first_y || way != 0);
  cairo_close_path (pen->cr);
}

static void
stroke (const Pen *pen, gint32 label)
{
  guint32 color = pen->scene->red ? 0xff0000 : pen->colors[(label - 1) % COLORS];
  cairo_set_source_rgb (pen->cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0, (color & 0xff) / 255.0);
  cairo_stroke (pen->cr);
}

/* The colors that `display` gives to labels. NULL with *error. */
static guint32 *
find_colors (const FigureScene *s, Progress *progress, GError **error)
{
  const DisplayArea area = {0, 0, 1, COLORS, 1};
  ImageInfo info = {.type = FV_I32,
                    .role = FV_LABELS,
                    .frames = 1,
                    .channels = 1,
                    .depth = 1,
                    .rows = 1,
                    .columns = COLORS,
                    .spacing = {1, 1, 1}};
  const ViewChannel look = LOOK_USUAL;
  g_autoptr (Image) labels = image_new (&info, error);
  for (gint32 i = 0; labels && i < COLORS; i++)
    ((gint32 *) image_pixels (labels))[i] = i + 1;
  cairo_surface_t *drawn = labels ? figure_scene_display (s, labels, NULL, &look, NULL, &area, progress, error) : NULL;
  guint32 *colors = drawn ? g_memdup2 (cairo_image_surface_get_data (drawn), COLORS * sizeof (guint32)) : NULL;
  g_clear_pointer (&drawn, cairo_surface_destroy);
  return colors;
}

gboolean
figure_outlines_draw (const FigureScene *s, cairo_t *cr, Progress *progress, GError **error)
{
  const double line = s->choices.line * s->point;
  g_autofree guint32 *colors = find_colors (s, progress, error);
  g_autofree guint8 *seen = g_try_malloc0 ((gsize) (s->outlined.width * s->outlined.height));
  const Pen pen = {s, cr, line / 2 / s->zoom, colors, seen};
  if (colors && !seen)
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory for the outlines.");
  if (!colors || !seen)
    return FALSE;
  cairo_translate (cr, (double) (s->outlined.x - s->part.x) * s->zoom, (double) (s->outlined.y - s->part.y) * s->zoom);
  cairo_set_line_width (cr, line);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  for (gint64 y = 0; y < s->outlined.height; y++) {
    if (progress_stopped (error))
      return FALSE;
    for (gint64 x = 0; x < s->outlined.width; x++) {
      gint32 label = label_at (s, x, y);
      if (label > 0 && label_at (s, x, y - 1) != label && !seen[y * s->outlined.width + x]) {
        trace (&pen, x, y);
        stroke (&pen, label);
      }
    }
  }
  return TRUE;
}
