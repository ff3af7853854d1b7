/* SPDX-License-Identifier: MIT
 */
#include "core/measure/object_labels.h"

#include "core/base/error.h"
#include "core/data/pixel_type.h"

#include <math.h>

enum { AT_ONCE = 1 << 20 }; /* pixels */

static gint32
label_of (fv_role role, double value)
{
  if (role == FV_MASK)
    return value != 0;
  return value >= 1 && value <= G_MAXINT32 && value == floor (value) ? (gint32) value : 0;
}

gboolean
object_labels_read (Image *image, gint64 plane, const ImageRegion *region, gint32 *labels, GError **error)
{
  const ImageInfo *info = image_info (image);
  gint64 n = region->rows * region->columns;
  gsize row = (gsize) region->columns * pixel_type_bytes (info->type);
  if (info->type == FV_I32 && info->role == FV_LABELS)
    return image_read (image, 0, plane, region, labels, row, error);
  g_autofree void *values = g_try_malloc ((gsize) region->rows * row);
  if (!values) {
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory to read the objects of '%s'.", info->name);
    return FALSE;
  }
  if (!image_read (image, 0, plane, region, values, row, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    labels[i] = label_of (info->role, pixel_type_value (info->type, values, i));
  return TRUE;
}

const gint32 *
object_rows_at (ObjectRows *r, gint64 row, GError **error)
{
  const gint64 max = MAX (AT_ONCE / r->region.columns, 1);
  if (!r->labels)
    r->labels = g_new (gint32, MIN (max, r->region.rows) * r->region.columns);
  if (row < r->have.row || row >= r->have.row + r->have.rows) {
    r->have = r->region;
    r->have.row = row;
    r->have.rows = MIN (max, r->region.row + r->region.rows - row);
    if (!object_labels_read (r->image, r->plane, &r->have, r->labels, error))
      return NULL;
  }
  return r->labels + (row - r->have.row) * r->have.columns;
}

void
object_rows_clear (ObjectRows *r)
{
  g_clear_pointer (&r->labels, g_free);
}
