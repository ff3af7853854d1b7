/* SPDX-License-Identifier: MIT
 *
 * A box in the table is where to look. Else a window around the centroid grows until the object does not touch its rim and has its
 * area; without a centroid the whole plane is looked through.
 */
#include "core/measure/object_find.h"

#include "core/data/plane.h"
#include "core/measure/object_labels.h"
#include "core/measure/object_table.h"

#include <math.h>

/* What the table says of the object in a slice. */
typedef enum { UNKNOWN, ABSENT, IN_BOX, AROUND } Knowledge;

typedef struct {
  Knowledge knowledge;
  ImageRegion box;
  double row, column; /* of the centroid, in pixels */
  double area;        /* in pixels; 0: unknown */
} Hint;

static double
value_of (const Table *table, const char *key, gint64 row)
{
  const TableColumn *column = table_find_numbers (table, key);
  return column ? column->values[row] : NAN;
}

/* A length along an axis, 1 or 2, in pixels: tables are in the image's unit where it has one. */
static double
pixels_of (const Table *table, const char *key, gint64 row, const ImageInfo *info, int axis)
{
  const TableColumn *column = table_find_numbers (table, key);
  const PlaneScale scale = plane_scale (info);
  return column ? column->values[row] / (*column->unit ? axis == 1 ? scale.height : scale.width : 1) : NAN;
}

static ImageRegion
inside (double row, double column, double end_row, double end_column, const ImageInfo *info)
{
  ImageRegion r = {(gint64) CLAMP (row, 0, (double) info->rows - 1),
                   (gint64) CLAMP (column, 0, (double) info->columns - 1), 0, 0};
  r.rows = (gint64) CLAMP (end_row, (double) r.row + 1, (double) info->rows) - r.row;
  r.columns = (gint64) CLAMP (end_column, (double) r.column + 1, (double) info->columns) - r.column;
  return r;
}

/* By a row of the table about this slice. */
static Hint
hint_of_row (const ObjectWanted *w, gint64 row, gboolean volume)
{
  const ImageInfo *info = image_info (w->labels);
  const Table *t = w->table;
  const char *const low[] = {volume ? "bbox-1" : "bbox-0", volume ? "bbox-2" : "bbox-1"};
  const char *const high[] = {volume ? "bbox-4" : "bbox-2", volume ? "bbox-5" : "bbox-3"};
  Hint h = {.knowledge = IN_BOX};
  double y = value_of (t, low[0], row), x = value_of (t, low[1], row);
  double end_y = value_of (t, high[0], row), end_x = value_of (t, high[1], row);
  if (y >= 0 && x >= 0 && end_y > y && end_x > x) {
    h.box = inside (y, x, end_y, end_x, info);
    return h;
  }
  h.row = pixels_of (t, volume ? "centroid-1" : "centroid-0", row, info, 1);
  h.column = pixels_of (t, volume ? "centroid-2" : "centroid-1", row, info, 2);
  h.area = volume ? 0 : round (pixels_of (t, "area", row, info, 1) / plane_scale (info).width);
  h.area = h.area > 0 ? h.area : 0;
  h.knowledge = isnan (h.row) || isnan (h.column) ? UNKNOWN : AROUND;
  return h;
}

static Hint
hint_of (const ObjectWanted *w, gint64 slice)
{
  const TableColumn *labels = w->table ? table_find_numbers (w->table, "label") : NULL;
  const gboolean planes = image_info (w->labels)->depth == 1 || (w->table && table_find (w->table, "z"));
  for (gint64 i = 0; labels && i < labels->rows; i++) {
    if (labels->values[i] != w->label)
      continue;
    if (!object_table_is_of (w->table, i, slice, w->frame))
      continue;
    double from = value_of (w->table, "bbox-0", i), to = value_of (w->table, "bbox-3", i);
    if (planes || !((double) slice < from || (double) slice >= to))
      return hint_of_row (w, i, !planes);
  }
  return (Hint){.knowledge = labels ? ABSENT : UNKNOWN};
}

/* ---- Looking ---- */

/* How many pixels of the object are in the region, and their box. */
static gint64
look_in (const ObjectWanted *w, gint64 slice, const ImageRegion *region, ImageRegion *box, GError **error)
{
  const ImageInfo *info = image_info (w->labels);
  g_auto (ObjectRows) rows = {.image = w->labels, .plane = w->frame * info->depth + slice, .region = *region};
  gint64 left = G_MAXINT64, right = -1, top = -1, bottom = -1, n = 0;
  for (gint64 y = region->row; y < region->row + region->rows; y++) {
    const gint32 *labels = object_rows_at (&rows, y, error);
    if (!labels)
      return -1;
    for (gint64 x = 0; x < region->columns; x++)
      if (labels[x] == w->label) {
        left = MIN (left, x);
        right = MAX (right, x);
        top = top < 0 ? y : top;
        bottom = y;
        n++;
      }
  }
  if (n)
    *box = (ImageRegion){top, region->column + left, bottom + 1 - top, right + 1 - left};
  return n;
}

static gboolean
touches (const ImageRegion *box, const ImageRegion *window, const ImageInfo *info)
{
  return (box->row == window->row && box->row > 0) || (box->column == window->column && box->column > 0)
         || (box->row + box->rows == window->row + window->rows && box->row + box->rows < info->rows)
         || (box->column + box->columns == window->column + window->columns
             && box->column + box->columns < info->columns);
}

static gint64
look_around (const ObjectWanted *w, gint64 slice, const Hint *h, ImageRegion *box, GError **error)
{
  const ImageInfo *info = image_info (w->labels);
  for (double reach = ceil (2 * sqrt (h->area)) + 8;; reach *= 2) {
    const ImageRegion window =
      inside (h->row - reach, h->column - reach, h->row + reach + 1, h->column + reach + 1, info);
    gint64 n = look_in (w, slice, &window, box, error);
    if (n < 0 || (n > 0 && (double) n >= h->area && !touches (box, &window, info))
        || (window.rows == info->rows && window.columns == info->columns))
      return n;
  }
}

static gint64
look_at (const ObjectWanted *w, gint64 slice, ImageRegion *box, GError **error)
{
  const ImageInfo *info = image_info (w->labels);
  const ImageRegion all = {0, 0, info->rows, info->columns};
  const Hint h = hint_of (w, slice);
  switch (h.knowledge) {
  case ABSENT: return 0;
  case IN_BOX: return look_in (w, slice, &h.box, box, error);
  case AROUND: return look_around (w, slice, &h, box, error);
  default: return look_in (w, slice, &all, box, error);
  }
}

gboolean
object_find (const ObjectWanted *w, gint64 *slice, ImageRegion *box, GError **error)
{
  const gint64 depth = image_info (w->labels)->depth;
  gint64 n = look_at (w, w->slice, box, error);
  *slice = w->slice;
  for (gint64 z = 0; n == 0 && w->seek && z < depth; z++)
    if (z != w->slice) {
      n = look_at (w, z, box, error);
      *slice = z;
    }
  return n > 0;
}
