/* SPDX-License-Identifier: MIT
 */
#include "core/run/missed.h"

#include "core/call/column_order.h"

#include <string.h>

/* The number of the scalar of that key, which is there. */
static guint
scalar_number (const Op *op, const char *key)
{
  guint i = 0;
  while (strcmp (op->fv.scalars[i].key, key))
    i++;
  return i;
}

gint64
missed_at (const Run *run, guint i)
{
  const RunStep *step = i < run_length (run) ? run_result (run, i) : NULL;
  double missed = 0;
  if (!step || !op_has_trait (step->step->op, FV_EDITS_LABELS) || !step->result.scalars)
    return 0;
  const Op *op = step->step->op;
  const double *scalars = step->result.scalars + scalar_number (op, "missed");
  for (gint64 row = 0; row < step->result.scalar_rows; row++)
    missed += scalars[row * op->n_scalars];
  return (gint64) missed;
}

/* Properties that are not defined for what is measured; NULL: there are none. */
static char *
missing_text (const Step *step, const Table *table)
{
  g_autofree char *missing = NULL, *instead = NULL;
  if (!table || !column_order_missing (table, step->op, step->args, &missing, &instead))
    return NULL;
  return *instead ? g_strdup_printf ("undefined in 3-D: %s; measured instead: %s.", missing, instead)
                  : g_strdup_printf ("omitted because undefined in 3-D: %s.", missing);
}

/* Of a file of selections: what was not drawn. NULL: nothing. */
static const char *
left_out_text (const Step *step)
{
  const char *left_out = NULL;
  for (guint i = 0; i < step->op->n_inputs && !left_out; i++)
    if (step->files[i] && file_input_is_selections (step->files[i]))
      file_input_selections (step->files[i], &left_out, NULL);
  return left_out;
}

char *
missed_of_step (const Run *run, guint i)
{
  const RunStep *step = i < run_length (run) ? run_result (run, i) : NULL;
  const gint64 missed = missed_at (run, i);
  if (missed)
    return g_strdup_printf ("%" G_GINT64_FORMAT " of its commands found no object.", missed);
  if (step && step->done && step->one_object)
    return g_strdup ("the whole mask counts as one object; put 'label' before it to separate objects.");
  if (!step || !step->done)
    return NULL;
  const char *left_out = left_out_text (step->step);
  return left_out ? g_strdup (left_out) : missing_text (step->step, step->result.table);
}

char *
missed_text (const Run *run)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < run_length (run); i++) {
    g_autofree char *missed = missed_of_step (run, i);
    if (missed)
      g_string_append_printf (text, "%sStep %u, %s: %s", text->len ? " " : "", i + 1,
                              recipe_step (run_recipe (run), i)->op->fv.key, missed);
  }
  return g_string_free (text, text->len == 0);
}
