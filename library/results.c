/* SPDX-License-Identifier: MIT
 *
 * What came of a run.
 */
#include "core/base/error.h"
#include "core/run/missed.h"
#include "core/run/used_files.h"
#include "library/private.h"

/* ---- By name ---- */

static void
fail_name (const char *name, const char *noun, fovea_error **error)
{
  GError *fault = NULL;
  if (name)
    step_error_set (&fault, FV_BAD_ARGUMENT, "name",
                    "No %s '%s' exists: name a result with as=NAME, and make sure its step runs.", noun, name);
  else
    step_error_set (&fault, FV_BAD_ARGUMENT, "name", "No %s: no step has made one.", noun);
  library_fail (error, fault);
}

/* The image and the table of that name, or the last ones; NULL: there is none. */
static void
find (const fovea_run *run, const char *name, Image **image, Table **table)
{
  guint index, result;
  *image = NULL;
  *table = NULL;
  if (!name) {
    *image = run_index (run->run) == run_length (run->run) ? run_last_image (run->run) : NULL;
    *table = run_last_table (run->run);
  } else if (recipe_find (run_recipe (run->run), run_length (run->run), name, &index, &result)) {
    *image = run_image (run->run, index, result);
    if (result == recipe_step (run_recipe (run->run), index)->op->n_outputs)
      *table = run_result (run->run, index)->result.table;
  }
}

fovea_image *
fovea_run_image (const fovea_run *run, const char *name, fovea_error **error)
{
  Image *image;
  Table *table;
  if (!library_has (run, "run", error))
    return NULL;
  find (run, name, &image, &table);
  if (!image)
    fail_name (name, "image", error);
  return library_image_new (run->context, image ? image_ref (image) : NULL);
}

fovea_table *
fovea_run_table (const fovea_run *run, const char *name, fovea_error **error)
{
  Image *image;
  Table *table;
  if (!library_has (run, "run", error))
    return NULL;
  find (run, name, &image, &table);
  if (!table)
    fail_name (name, "table", error);
  return table ? library_table_new (table) : NULL;
}

/* ---- By step ---- */

/* NULL with *error: step n does not exist. */
static const RunStep *
step_at (const fovea_run *run, unsigned n, fovea_error **error)
{
  if (!library_has (run, "run", error))
    return NULL;
  if (n < run_length (run->run))
    return run_result (run->run, n);
  library_fail_argument (error, "n", "Step %u does not exist; the run has %u, counted from 0.", n,
                         run_length (run->run));
  return NULL;
}

fovea_code
fovea_run_get_step (const fovea_run *run, unsigned n, fovea_step_run *to, fovea_error **error)
{
  const RunStep *step = step_at (run, n, error);
  if (!step)
    return FOVEA_BAD_ARGUMENT;
  const fovea_step_run all = {.done = step->done,
                              .ms = step->result.ms,
                              .uploaded = step->result.uploaded,
                              .downloaded = step->result.downloaded,
                              .on_disk = step->result.on_disk,
                              .reproducible = step->result.tolerance,
                              .device = step->done && step->device ? library_device (run->context, step->device) : NULL,
                              .left_out = step->result.left,
                              .value_unit = step->result.value_unit};
  return library_give (&all, sizeof all, to, "step", error) ? FOVEA_OK : FOVEA_BAD_ARGUMENT;
}

fovea_image *
fovea_run_step_image (const fovea_run *run, unsigned n, unsigned i, fovea_error **error)
{
  const RunStep *step = step_at (run, n, error);
  Image *image = step ? run_image (run->run, n, i) : NULL;
  if (image)
    return library_image_new (run->context, image_ref (image));
  if (step)
    library_fail_argument (error, "i", "Step %u has no image %u, or it was not kept.", n, i);
  return NULL;
}

fovea_table *
fovea_run_step_table (const fovea_run *run, unsigned n, fovea_error **error)
{
  const RunStep *step = step_at (run, n, error);
  if (step && step->result.table)
    return library_table_new (step->result.table);
  if (step)
    library_fail_argument (error, "n", "Step %u did not make a table.", n);
  return NULL;
}

fovea_table *
fovea_run_step_numbers (const fovea_run *run, unsigned n, fovea_error **error)
{
  const RunStep *step = step_at (run, n, error);
  if (!step)
    return NULL;
  const Op *op = step->step->op;
  gint64 rows = step->result.scalar_rows;
  double *values = g_new (double, op->n_scalars *(gsize) rows);
  g_autoptr (Table) table = table_new ();
  for (guint j = 0; j < op->n_scalars; j++) {
    const fv_scalar *scalar = &op->fv.scalars[j];
    table_add_column (table, scalar->key, "", scalar->help, scalar->type);
    for (gint64 row = 0; row < rows; row++)
      values[j * rows + row] = step->result.scalars[row * op->n_scalars + j];
  }
  table_take_rows (table, values, rows);
  return library_table_new (table);
}

fovea_table *
fovea_run_step_derived (const fovea_run *run, unsigned n, fovea_error **error)
{
  const RunStep *step = step_at (run, n, error);
  if (!step)
    return NULL;
  const Op *op = step->step->op;
  const CallEach *each = step->derived && step->done ? &step->derived->each : NULL;
  const gint64 rows = each ? each->planes : 0;
  g_autoptr (Table) table = table_new ();
  for (guint p = 0; p < op->n_params; p++) {
    const fv_param *param = &op->fv.params[p];
    const Derived *derived = step_derived (step->step, param);
    if (derived)
      table_add_column (table, param->key, param->unit ? param->unit : "", derived_text (derived),
                        param->type == FV_INT ? FV_COLUMN_INTEGER : FV_COLUMN_FLOAT);
  }
  double *values = g_new (double, table_columns (table) * (gsize) rows);
  for (gint64 row = 0; row < rows; row++)
    for (guint k = 0; k < each->n; k++)
      values[k * rows + row] = each->values[row * each->n + k];
  table_take_rows (table, values, rows);
  return library_table_new (table);
}

/* ---- Where and how long ---- */

const fovea_device *
fovea_run_device (const fovea_run *run)
{
  return run && run->device ? library_device (run->context, run->device) : NULL;
}

const char *
fovea_run_reason (const fovea_run *run)
{
  return run ? run->reason : NULL;
}

char *
fovea_run_note (const fovea_run *run)
{
  if (!run)
    return NULL;
  g_autofree char *missed = missed_text (run->run);
  GString *text = g_string_new (missed);
  used_files_add (text, run->run);
  return g_string_free (text, text->len == 0);
}

double
fovea_run_ms (const fovea_run *run)
{
  return run ? run_ms (run->run) : 0;
}
