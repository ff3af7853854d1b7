/* SPDX-License-Identifier: MIT
 */
#include "core/run/agreement.h"

#include "core/base/error.h"
#include "core/data/pixel_type.h"

#include <math.h>
#include <string.h>

static const double near = 1e-5, near_half = 1e-3;

static void
agreement_clear (gpointer data)
{
  Agreement *a = data;
  g_free (a->result);
  g_free (a->column);
}

/* ---- Numbers ---- */

static void
compare_number (Agreement *a, double one, double other)
{
  double difference = one == other || (isnan (one) && isnan (other)) ? 0 : fabs (one - other);
  a->values++;
  a->differing += difference != 0;
  a->difference = fmax (a->difference, isnan (difference) ? INFINITY : difference);
  if (isfinite (one))
    a->largest = fmax (a->largest, fabs (one));
}

/* Takes the names. Nothing is compared yet. */
static Agreement *
add (GArray *found, char *result, char *column, gboolean exact)
{
  const Agreement a = {.result = result, .column = column, .exact = exact};
  g_array_append_val (found, a);
  return &g_array_index (found, Agreement, found->len - 1);
}

static void
judge (Agreement *a, double tolerance)
{
  a->agrees = !a->differing || (!a->exact && a->difference <= tolerance * a->largest);
}

/* ---- Images ---- */

static gboolean
compare_images (Agreement *a, Image *one, Image *other, Progress *progress, GError **error)
{
  const ImageInfo *info = image_info (one);
  gint64 planes = image_info_planes (info), n = info->rows * info->columns;
  for (gint64 plane = 0; plane < planes; plane++) {
    const void *p = image_plane (one, plane, error), *q = p ? image_plane (other, plane, error) : NULL;
    if (!q)
      return FALSE;
    for (gint64 i = 0; i < n; i++)
      compare_number (a, pixel_type_value (info->type, p, i), pixel_type_value (info->type, q, i));
    if (progress_is_stopped (progress)) {
      step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
      return FALSE;
    }
  }
  a->exact = !pixel_type_is_float (info->type);
  judge (a, info->type == FV_F16 ? near_half : near);
  return TRUE;
}

/* ---- Tables and numbers ---- */

static void
compare_texts (Agreement *a, const TableColumn *one, const TableColumn *other)
{
  for (gint64 row = 0; row < one->rows; row++) {
    g_autofree char *p = table_text (one, row), *q = table_text (other, row);
    a->values++;
    a->differing += strcmp (p, q) != 0;
  }
}

static void
compare_tables (GArray *found, const char *result, const Table *one, const Table *other)
{
  if (table_rows (one) != table_rows (other)) {
    Agreement *a = add (found, g_strdup (result), g_strdup ("rows"), TRUE);
    compare_number (a, (double) table_rows (one), (double) table_rows (other));
    judge (a, near);
    return;
  }
  for (guint j = 0; j < table_columns (one); j++) {
    const TableColumn *p = table_column (one, j), *q = table_column (other, j);
    Agreement *a = add (found, g_strdup (result), g_strdup (p->key), p->type != FV_COLUMN_FLOAT);
    if (p->type == FV_COLUMN_TEXT)
      compare_texts (a, p, q);
    for (gint64 row = 0; row < p->rows && p->type != FV_COLUMN_TEXT; row++)
      compare_number (a, p->values[row], q->values[row]);
    judge (a, near);
  }
}

static void
compare_scalars (GArray *found, const RunStep *one, const RunStep *other)
{
  const Op *op = one->step->op;
  for (guint j = 0; j < op->n_scalars && one->done; j++) {
    Agreement *a =
      add (found, g_strdup (op->fv.key), g_strdup (op->fv.scalars[j].key), op->fv.scalars[j].type != FV_COLUMN_FLOAT);
    for (gint64 row = 0; row < one->result.scalar_rows; row++)
      compare_number (a, one->result.scalars[row * op->n_scalars + j], other->result.scalars[row * op->n_scalars + j]);
    judge (a, near);
  }
}

/* ---- Runs ---- */

static char *
name_of (const Step *step, guint result)
{
  return g_strdup (step->names[result] ? step->names[result] : step->op->fv.key);
}

GArray *
agreement_find (const Run *first, const Run *other, Progress *progress, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Agreement));
  g_array_set_clear_func (found, agreement_clear);
  for (guint i = 0; i < run_length (first); i++) {
    const RunStep *one = run_result (first, i), *two = run_result (other, i);
    const Step *step = one->step;
    compare_scalars (found, one, two);
    for (guint k = 0; k < step->op->n_outputs; k++)
      if (run_image (first, i, k) && run_image (other, i, k)
          && !compare_images (add (found, name_of (step, k), NULL, FALSE), run_image (first, i, k),
                              run_image (other, i, k), progress, error))
        return NULL;
    if (one->result.table && two->result.table) {
      g_autofree char *name = name_of (step, step->op->n_outputs);
      compare_tables (found, name, one->result.table, two->result.table);
    }
  }
  return g_steal_pointer (&found);
}
