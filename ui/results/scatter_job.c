/* SPDX-License-Identifier: MIT
 */
#include "ui/results/scatter_job.h"

#include "core/ops/args.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { IMAGE, SECOND, MASK }; /* inputs of the step */

gboolean
scatter_job_pays (const View *view)
{
  const Recipe *recipe = document_recipe (view_document (view));
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (op_has_trait (recipe_step (recipe, i)->op, FV_COMPARES_CHANNELS))
      return TRUE;
  return FALSE;
}

/* -1: none. */
static int
last_done (const Run *run)
{
  int i = (int) run_length (run) - 1;
  for (; i >= 0; i--) {
    const RunStep *result = run_result (run, (guint) i);
    if (op_has_trait (result->step->op, FV_COMPARES_CHANNELS) && result->result.table)
      break;
  }
  return i;
}

static gint64
channel_of (const Step *step, const char *key, const ImageInfo *info)
{
  g_autofree char *text = args_get (step->args, args_param (step->op, key));
  return CLAMP (g_ascii_strtoll (text, NULL, 10), 0, info->channels - 1);
}

static char *
name_of (const ImageInfo *info, gint64 channel)
{
  const char *name = info->channel_names ? info->channel_names[channel] : "";
  return *name                ? g_strdup (name)
         : info->channels > 1 ? g_strdup_printf (_ ("Channel %d"), (int) channel + 1)
                              : g_strdup (info->name);
}

static double
found (const Table *table, const char *key, gint64 row)
{
  const TableColumn *column = table_find_numbers (table, key);
  return column && row < column->rows ? column->values[row] : NAN;
}

static void
take_numbers (ScatterJob *job, const Table *table, gint64 row)
{
  job->pearson = found (table, "pearson", row);
  job->slope = found (table, "slope", row);
  job->intercept = found (table, "intercept", row);
  job->thresholds[0] = found (table, "threshold_a", row);
  job->thresholds[1] = found (table, "threshold_b", row);
}

ScatterJob *
scatter_job_new (const View *view)
{
  static const char *const keys[] = {"channel_a", "channel_b"};
  const Run *run = document_run (view_document (view));
  const int index = last_done (run);
  Image *inputs[3] = {NULL};
  for (guint i = 0; index >= 0 && i < G_N_ELEMENTS (inputs); i++)
    inputs[i] = run_input (run, (guint) index, i);
  if (!inputs[IMAGE])
    return NULL;
  const RunStep *step = run_result (run, (guint) index);
  ScatterJob *job = g_new0 (ScatterJob, 1);
  job->of.frame = MIN (view_frame (view), image_info (inputs[IMAGE])->frames - 1);
  job->of.mask = inputs[MASK] ? image_ref (inputs[MASK]) : NULL;
  for (int i = 0; i < 2; i++) {
    Image *image = i && inputs[SECOND] ? inputs[SECOND] : inputs[IMAGE];
    job->of.images[i] = image_ref (image);
    job->of.channels[i] = channel_of (step->step, keys[i], image_info (image));
    job->names[i] = name_of (image_info (image), job->of.channels[i]);
  }
  take_numbers (job, step->result.table, job->of.frame);
  return job;
}

void
scatter_job_free (ScatterJob *job)
{
  if (!job)
    return;
  for (int i = 0; i < 2; i++) {
    image_unref (job->of.images[i]);
    g_free (job->names[i]);
  }
  image_unref (job->of.mask);
  channel_scatter_free (job->made);
  g_free (job);
}
