/* SPDX-License-Identifier: MIT
 */
#include "tests/support/same.h"

#include "core/call/grid.h"
#include "core/call/op.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

double
same_tolerance (const Op *op, gconstpointer args, Image *const *inputs)
{
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  return call_grids (op, args, inputs, in, out, NULL) ? call_op_tolerance (op, args, inputs, in) : 0;
}

double
same_pixel_limit (Image *image, gint64 plane, double tolerance)
{
  const ImageInfo *info = image_info (image);
  double largest = 0;
  if (tolerance == 0 || info->role == FV_MASK || info->role == FV_LABELS)
    return 0;
  for (gint64 y = 0; y < info->rows; y++)
    for (gint64 x = 0; x < info->columns; x++) {
      double v = fabs (image_value (image, plane, y, x));
      largest = isfinite (v) ? fmax (largest, v) : largest;
    }
  return fmax (tolerance * largest, info->type & (FV_FLOATS | FV_F16) ? 0 : 1);
}

gboolean
same_number (double a, double b, double limit)
{
  return (a == b && !signbit (a) == !signbit (b)) || (isnan (a) && isnan (b)) || fabs (a - b) <= limit;
}

char *
same_images (Image *a, Image *b, double tolerance)
{
  const ImageInfo *i = image_info (a), *j = image_info (b);
  const gsize bytes = image_info_plane_bytes (i);
  if (i->type != j->type || i->role != j->role || i->channels != j->channels || i->depth != j->depth
      || i->rows != j->rows || i->columns != j->columns)
    return g_strdup ("images of another kind or size");
  for (gint64 p = 0; p < image_info_planes (i); p++) {
    if (!memcmp (image_plane (a, p, NULL), image_plane (b, p, NULL), bytes))
      continue;
    const double limit = same_pixel_limit (a, p, tolerance);
    for (gint64 y = 0; y < i->rows; y++)
      for (gint64 x = 0; x < i->columns; x++) {
        double v = image_value (a, p, y, x), w = image_value (b, p, y, x);
        if (!same_number (v, w, limit))
          return g_strdup_printf ("plane %d, row %d, column %d: %.17g and %.17g", (int) p, (int) y, (int) x, v, w);
      }
  }
  return NULL;
}

static double
number_limit (fv_column_type type, double a, double tolerance)
{
  return type == FV_COLUMN_FLOAT ? tolerance * fmax (1, fabs (a)) : 0;
}

char *
same_tables (Table *a, Table *b, double tolerance)
{
  if (!a != !b || (a && (table_columns (a) != table_columns (b) || table_rows (a) != table_rows (b))))
    return g_strdup ("tables of another size");
  for (guint j = 0; a && j < table_columns (a); j++) {
    const TableColumn *p = table_column (a, j), *q = table_column (b, j);
    if (strcmp (p->key, q->key) || strcmp (p->unit, q->unit) || p->type != q->type)
      return g_strdup_printf ("column %u is %s and %s", j, p->key, q->key);
    for (gint64 i = 0; i < table_rows (a); i++) {
      double v = table_value (a, j, i), w = table_value (b, j, i);
      if (!same_number (v, w, number_limit (p->type, v, tolerance)))
        return g_strdup_printf ("%s of row %d: %.17g and %.17g", p->key, (int) i, v, w);
    }
  }
  return NULL;
}

char *
same_scalars (const Op *op, guint n, const double *a, const double *b, double tolerance)
{
  for (guint i = 0; i < n * op->n_scalars; i++) {
    const fv_scalar *scalar = &op->fv.scalars[i % op->n_scalars];
    if (!same_number (a[i], b[i], number_limit (scalar->type, a[i], tolerance)))
      return g_strdup_printf ("%s: %.17g and %.17g", scalar->key, a[i], b[i]);
  }
  return NULL;
}
