/* SPDX-License-Identifier: MIT
 *
 * The wand: fills the connected pixels row by row, then walks along their outer edges clockwise, turning left wherever it
 * can, which keeps pixels that touch at a corner together. The outline begins where ImageJ's does: below the first edge
 * of it to the right of the given pixel.
 */
#include "core/selection/selection.h"

typedef struct {
  const double *plane;
  gint64 width, height;
  double low, high;
  guint8 *found; /* pixels that are connected */
} Wand;

typedef struct {
  gint64 x, y;
} Pixel;

static gboolean
is_free (const Wand *wand, gint64 x, gint64 y)
{
  double value = wand->plane[y * wand->width + x];
  return value >= wand->low && value <= wand->high && !wand->found[y * wand->width + x];
}

static gboolean
is_found (const Wand *wand, gint64 x, gint64 y)
{
  return x >= 0 && y >= 0 && x < wand->width && y < wand->height && wand->found[y * wand->width + x];
}

/* One pixel of each run of a row that touches the columns from … to. */
static void
push_runs (const Wand *wand, GArray *pixels, gint64 y, gint64 from, gint64 to)
{
  gboolean last = FALSE;
  if (y < 0 || y >= wand->height)
    return;
  for (gint64 x = MAX (from, 0); x <= MIN (to, wand->width - 1); x++) {
    gboolean now = is_free (wand, x, y);
    Pixel next = {x, y};
    if (now && !last)
      g_array_append_val (pixels, next);
    last = now;
  }
}

/* Finds all pixels that are connected to one; the first of the topmost row. */
static Pixel
fill (const Wand *wand, Pixel seed)
{
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (Pixel));
  Pixel first = seed;
  g_array_append_val (pixels, seed);
  while (pixels->len) {
    Pixel next = g_array_index (pixels, Pixel, pixels->len - 1);
    gint64 left = next.x, right = next.x + 1;
    g_array_set_size (pixels, pixels->len - 1);
    if (!is_free (wand, next.x, next.y))
      continue;
    while (left > 0 && is_free (wand, left - 1, next.y))
      left--;
    while (right < wand->width && is_free (wand, right, next.y))
      right++;
    for (gint64 x = left; x < right; x++)
      wand->found[next.y * wand->width + x] = 1;
    if (next.y < first.y || (next.y == first.y && left < first.x))
      first = (Pixel){left, next.y};
    push_runs (wand, pixels, next.y - 1, left - 1, right);
    push_runs (wand, pixels, next.y + 1, left - 1, right);
  }
  return first;
}

/* The corners of the outline, the upper left one of `first` at the end; *start: the one below the first of its edges that
 * lie to the right of the seed. */
static GArray *
walk (const Wand *wand, Pixel first, Pixel seed, guint *start)
{
  /* Right, down, left, up; and from a corner the pixel ahead to the left, which is the one ahead to the right a turn before. */
  static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1}, ahead_x[] = {0, 0, -1, -1}, ahead_y[] = {-1, 0, 0, -1};
  GArray *corners = g_array_new (FALSE, FALSE, sizeof (SelectionPoint));
  gint64 x = first.x, y = first.y, nearest = G_MAXINT64;
  guint way = 0, turned;
  do {
    gint64 from = y;
    gboolean left, right;
    SelectionPoint corner;
    do {
      x += dx[way];
      y += dy[way];
      turned = (way + 1) % 4;
      left = is_found (wand, x + ahead_x[way], y + ahead_y[way]);
      right = is_found (wand, x + ahead_x[turned], y + ahead_y[turned]);
    } while (!left && right);
    if (way == 1 && from <= seed.y && y > seed.y && x > seed.x && x < nearest) {
      nearest = x;
      *start = corners->len;
    }
    corner = (SelectionPoint){(double) x, (double) y};
    g_array_append_val (corners, corner);
    way = left ? (way + 3) % 4 : turned;
  } while (x != first.x || y != first.y);
  return corners;
}

Selection *
selection_trace (const double *plane, gint64 width, gint64 height, gint64 x, gint64 y, double low, double high)
{
  g_autofree guint8 *found = g_malloc0 ((gsize) width * (gsize) height);
  g_autoptr (GArray) corners = NULL, turned = NULL;
  Wand wand = {plane, width, height, low, high, found};
  Pixel seed = {x, y};
  guint start = 0;
  if (x < 0 || y < 0 || x >= width || y >= height || !is_free (&wand, x, y))
    return NULL;
  corners = walk (&wand, fill (&wand, seed), seed, &start);
  turned = g_array_new (FALSE, FALSE, sizeof (SelectionPoint));
  g_array_append_vals (turned, &g_array_index (corners, SelectionPoint, start), corners->len - start);
  g_array_append_vals (turned, corners->data, start);
  return selection_new (SELECTION_TRACED, turned->len, (SelectionPoint *) (gpointer) turned->data);
}
