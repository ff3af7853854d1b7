/* SPDX-License-Identifier: MIT
 */
#include "core/call/stored.h"

#include "core/call/take.h"
#include "core/call/wants.h"
#include "core/data/value_calibration.h"

#include <math.h>

/* The input that is given calibrated values; -1: none. */
static int
calibrated_input (const Op *op, Image *const *images)
{
  for (guint i = 0; i < op->n_inputs; i++)
    if (images[i] && wants_calibrated (&op->fv.inputs[i], image_info (images[i])))
      return (int) i;
  return -1;
}

static Image *
without_function (Image *image)
{
  ImageInfo info = *image_info (image);
  g_autoptr (ImageNotes) notes = image_notes_new (info.notes);
  image_notes_drop_values (notes);
  info.notes = notes;
  return image_with_info (image, &info);
}

static gboolean
has_stored (const Table *table)
{
  for (guint j = 0; j < table_columns (table); j++)
    if (table_column (table, j)->stored != table_column (table, j)->type)
      return TRUE;
  return FALSE;
}

/* Into table, from the same columns of stored values. */
static void
put_columns (Table *table, const Table *from, const float *calibrated)
{
  const gint64 rows = table_rows (table);
  for (guint j = 0; j < table_columns (table); j++) {
    const TableColumn *column = table_column (from, j);
    if (column->stored == column->type)
      continue;
    g_autofree double *values = g_memdup2 (column->values, (gsize) rows * sizeof *values);
    for (gint64 i = 0; column->stored == FV_COLUMN_STORED_VALUE && i < rows; i++)
      values[i] = isnan (values[i]) ? NAN : (double) calibrated[(int) values[i]];
    table_set_values (table, j, values);
  }
}

gboolean
stored_columns (const Op *op, gconstpointer args, const CallInputs *inputs, Image *const *taken, Device *device,
                const CallTarget *target, Progress *progress, CallResult *result, GError **error)
{
  const CallTarget ordered = {.asked = target ? target->asked : NULL, /* the order of columns */
                              .each = target ? target->each : NULL};
  const int k = calibrated_input (op, inputs->images);
  Image *images[OP_MAX_ARRAYS];
  CallResult remeasured;
  if (k < 0 || !result->table || !has_stored (result->table))
    return TRUE;
  for (guint i = 0; i < op->n_inputs; i++)
    images[i] = taken[i];
  g_autoptr (Image) plain = without_function (inputs->images[k]);
  g_autoptr (Image) stored = take_image (&op->fv.inputs[k], plain, op->modules, device, progress, error);
  images[k] = stored;
  if (!stored
      || !call_start (op, args, &(CallInputs){images, inputs->tables}, device, &ordered, progress, &remeasured, error)
      || !call_settle (op, &remeasured, error))
    return FALSE;
  put_columns (result->table, remeasured.table, value_table (inputs->images[k]));
  call_result_clear (&remeasured);
  return TRUE;
}
