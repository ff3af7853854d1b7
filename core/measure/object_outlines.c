/* SPDX-License-Identifier: MIT
 */
#include "core/measure/object_outlines.h"

#include "core/base/error.h"
#include "core/data/plane.h"
#include "core/measure/object_labels.h"
#include "core/measure/object_shape.h"
#include "core/selection/selection.h"

/* Pixels from the first to the last along x and y; n: how many there are. */
typedef struct {
  gint64 n, left, right, top, bottom;
} Box;

static void
add_pixel (Box *box, gint64 x, gint64 y)
{
  if (!box->n++)
    *box = (Box){1, x, x, y, y};
  box->left = MIN (box->left, x);
  box->right = MAX (box->right, x);
  box->bottom = y;
}

/* For each label of a plane, which is its index in the list. */
static GArray *
find_boxes (const gint32 *labels, gint64 rows, gint64 columns)
{
  GArray *boxes = g_array_new (FALSE, TRUE, sizeof (Box));
  for (gint64 i = 0; i < rows * columns; i++) {
    if (labels[i] <= 0)
      continue;
    if ((guint) labels[i] >= boxes->len)
      g_array_set_size (boxes, (guint) labels[i] + 1);
    add_pixel (&g_array_index (boxes, Box, labels[i]), i % columns, i / columns);
  }
  return boxes;
}

static char *
name_of (const Box *box, gint32 label, gint64 slice)
{
  g_autofree char *name = g_strdup_printf ("%04d-%04" G_GINT64_FORMAT, label, (box->top + box->bottom + 1) / 2);
  return slice >= 0 ? g_strdup_printf ("%04" G_GINT64_FORMAT "-%s", slice + 1, name) : g_steal_pointer (&name);
}

/* Makes the selection of an object in a box of a plane. */
typedef Selection *(*Trace) (const gint32 *labels, gint64 columns, const Box *box, gint32 label);

static Selection *
trace_outer (const gint32 *labels, gint64 columns, const Box *box, gint32 label)
{
  gint64 width = box->right - box->left + 1, height = box->bottom - box->top + 1, first = 0;
  g_autofree double *inside = g_new (double, width *height);
  for (gint64 y = 0; y < height; y++)
    for (gint64 x = 0; x < width; x++)
      inside[y * width + x] = labels[(box->top + y) * columns + box->left + x] == label;
  while (!inside[first]) /* of the top row */
    first++;
  Selection *outline = selection_trace (inside, width, height, first, 0, 1, 1);
  selection_move (outline, (double) box->left, (double) box->top);
  return outline;
}

static Selection *
trace_all (const gint32 *labels, gint64 columns, const Box *box, gint32 label)
{
  return object_shape_trace (labels + box->top * columns + box->left, columns, box->right - box->left + 1,
                             box->bottom - box->top + 1, label,
                             (SelectionPoint){(double) box->left, (double) box->top});
}

static void
add_plane (const gint32 *labels, const ImageInfo *info, PlanePosition position, Trace trace, GPtrArray *list)
{
  g_autoptr (GArray) boxes = find_boxes (labels, info->rows, info->columns);
  for (guint label = 1; label < boxes->len; label++) {
    const Box *box = &g_array_index (boxes, Box, label);
    if (!box->n)
      continue;
    Selection *outline = trace (labels, info->columns, box, (gint32) label);
    outline->channel = -1;
    outline->slice = position.slice;
    outline->frame = position.frame;
    outline->name = name_of (box, (gint32) label, position.slice);
    g_ptr_array_add (list, outline);
  }
}

static GPtrArray *
objects (Image *image, Trace trace, GError **error)
{
  const ImageInfo *info = image_info (image);
  const ImageRegion all = {.rows = info->rows, .columns = info->columns};
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  g_autofree gint32 *labels = g_try_new (gint32, info->rows * info->columns);
  if (!labels) {
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory to read the objects of '%s'.", info->name);
    return NULL;
  }
  for (PlanePosition position = {0, 0, 0}; position.frame < info->frames; position.frame++)
    for (position.slice = 0; position.slice < info->depth; position.slice++) {
      if (!object_labels_read (image, plane_number (info, position), &all, labels, error))
        return NULL;
      add_plane (labels, info,
                 (PlanePosition){-1, info->depth > 1 ? position.slice : -1, info->frames > 1 ? position.frame : -1},
                 trace, list);
    }
  return g_steal_pointer (&list);
}

GPtrArray *
object_outlines (Image *image, GError **error)
{
  return objects (image, trace_outer, error);
}

GPtrArray *
object_shapes (Image *image, GError **error)
{
  return objects (image, trace_all, error);
}
