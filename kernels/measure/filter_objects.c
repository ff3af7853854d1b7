/* SPDX-License-Identifier: MIT
 *
 * filter_objects: the objects of a label image whose row of a table fulfils a condition. No border.
 */
#include "kernels/measure/filter_objects.h"
#include "kernels/common/rows.h"

enum { INPUT_LABELS, INPUT_TABLE };

static fv_grain
filter_objects_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_FRAME; /* as the measurement that makes the table */
}

static fv_status
filter_objects_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const filter_objects_args *a = args;
  (void) op, (void) in;
  if (!*a->column)
    return fail (error, FV_BAD_ARGUMENT, "column", "No column is named; name one of the table, for example area.");
  if (a->min > a->max)
    return fail (error, FV_BAD_ARGUMENT, "max", "The maximum %g is below the minimum %g.", a->max, a->min);
  out[0]->role = FV_LABELS;
  out[0]->dense = false;
  return FV_OK;
}

/* ---- The table ---- */

static const fv_column *
column_at (const fv_table *table, uint32_t j)
{
  return (const fv_column *) ((const char *) table->columns + (size_t) j * table->column_size);
}

/* Says which columns of numbers there are, as many as the text has room for. */
static fv_status
no_column (const fv_table *table, const char *field, const char *key, fv_error *error)
{
  char names[256] = "";
  for (uint32_t j = 0; j < table->n_columns; j++) {
    const fv_column *column = column_at (table, j);
    if (column->type == FV_COLUMN_TEXT || strlen (names) + strlen (column->key) + 3 > sizeof names)
      continue;
    strcat (names, *names ? ", " : "");
    strcat (names, column->key);
  }
  return fail (error, FV_BAD_ARGUMENT, field, "The table has no column of numbers '%s'; it has %s.", key,
               *names ? names : "none");
}

/* -1: there is none. */
static int64_t
column_of (const fv_table *table, const char *key)
{
  for (uint32_t j = 0; j < table->n_columns; j++)
    if (!strcmp (column_at (table, j)->key, key) && column_at (table, j)->type != FV_COLUMN_TEXT)
      return j;
  return -1;
}

/* The area of what was measured as a volume is its volume. */
static fv_status
find_column (const fv_table *table, const char *field, const char *key, const double **values, fv_error *error)
{
  int64_t column = column_of (table, key);
  if (column < 0 && !strcmp (key, "area"))
    column = column_of (table, "volume");
  if (column < 0)
    return no_column (table, field, key, error);
  *values = table->values[column];
  return FV_OK;
}

static bool
fulfils (const filter_objects_args *a, double value)
{
  return value >= a->min && value <= a->max;
}

fv_status
filter_objects_find (const fv_call *call, kept_labels *kept, fv_error *error)
{
  const filter_objects_args *a = call->args;
  const fv_table *table = call->tables[INPUT_TABLE];
  const double *labels, *values;
  uint32_t *words;
  fv_status status = find_column (table, "table", "label", &labels, error);
  if (!status)
    status = find_column (table, "column", a->column, &values, error);
  if (status)
    return status;
  const int64_t depth = grid_depth (call->inputs[INPUT_LABELS]->grid), z = column_of (table, "z");
  kept->slices = z >= 0 && depth > 1 ? depth : 1;
  kept->n = 1;
  for (int64_t i = 0; i < table->rows; i++) {
    if (!fulfils (a, values[i]))
      continue;
    if (!(labels[i] >= 1 && labels[i] <= INT32_MAX && labels[i] == floor (labels[i])))
      return fail (error, FV_BAD_INPUT, "table",
                   "Row %lld of the table has the label %g; labels are integers from 1 to 2147483647.",
                   (long long) i + 1, labels[i]);
    if ((int64_t) labels[i] >= kept->n)
      kept->n = (int64_t) labels[i] + 1;
  }
  if ((status = call->host->host_scratch (call, kept_bytes (*kept), (void **) &words, error)))
    return status;
  memset (words, 0, kept_bytes (*kept));
  for (int64_t i = 0; i < table->rows; i++)
    if (fulfils (a, values[i])) {
      const double slice = kept->slices > 1 ? table->values[z][i] : 1;
      if (slice >= 1 && slice <= (double) kept->slices)
        words[((int64_t) slice - 1) * kept_words (*kept) + (int64_t) labels[i] / 32] |= 1u << (int64_t) labels[i] % 32;
    }
  kept->words = words;
  return FV_OK;
}

/* ---- The pixels ---- */

static void
filter_row (const fv_call *call, const void *kept, int64_t plane, int64_t y)
{
  const fv_array *in = call->inputs[INPUT_LABELS];
  const int32_t *from = array_row (in, plane, y);
  int32_t *to = array_row (call->outputs[0], plane, y);
  const kept_labels k = *(const kept_labels *) kept;
  const int64_t n = array_columns (in);
  for (int64_t x = 0; x < n; x++)
    to[x] = kept_has (k, plane, from[x]) ? from[x] : 0;
}

static fv_status
filter_objects_cpu (const fv_call *call, fv_error *error)
{
  kept_labels kept;
  return filter_objects_find (call, &kept, error) ? error->code : rows_cpu (call, filter_row, &kept, error);
}

const fv_op fv_op_filter_objects = {
  FV_OP (filter_objects_args),
  .key = "filter_objects",
  .menu = "Analyze",
  .label = "Filter Objects...",
  .search = "exclude select gate size area circularity remove keep range",
  .help = "Keeps the objects of a label image whose measurement in a table lies in a range, with their labels.",
  .kind = FV_POINT,
  .inputs =
    (const fv_input[]){{"image", "Labels", "The label image: 0 is background, and each other value is an object.",
                        FV_I32 | FV_WANTS_LABELS, false},
                       {"table", "Table",
                        "The table in which the objects were measured, with a column label; when none is named, the "
                        "last one.",
                        FV_WANTS_TABLE, false},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Objects"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (filter_objects_args, column), .label = "Column", .def_text = "area",
       .help = "The column of the table whose value decides; an object without one is dropped."},
      {FV_FIELD (filter_objects_args, min), .label = "Minimum", .def = -INFINITY, .min = -INFINITY, .max = INFINITY,
       .open = true, .help = "The smallest value of an object that is kept, in the unit of the column."},
      {FV_FIELD (filter_objects_args, max), .label = "Maximum", .def = INFINITY, .min = -INFINITY, .max = INFINITY,
       .open = true, .help = "The largest value of an object that is kept, in the unit of the column."},
      {0}},
  .grain = filter_objects_grain,
  .infer = filter_objects_infer,
  .run = {[FV_CPU] = filter_objects_cpu, [FV_CUDA] = FV_CUDA_FN (filter_objects_cuda)},
};
