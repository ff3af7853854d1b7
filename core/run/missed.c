/* SPDX-License-Identifier: MIT
 */
#include "core/run/missed.h"

#include <string.h>

gint64
missed_at (const Run *run, guint i)
{
  const RunStep *step = i < run_length (run) ? run_result (run, i) : NULL;
  double missed = 0;
  if (!step || strcmp (step->step->op->fv.key, "edit") || !step->result.scalars)
    return 0;
  for (gint64 row = 0; row < step->result.scalar_rows; row++)
    missed += step->result.scalars[row * step->step->op->n_scalars + 1];
  return (gint64) missed;
}

char *
missed_text (const Run *run)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < run_length (run); i++) {
    const gint64 missed = missed_at (run, i);
    if (missed)
      g_string_append_printf (text, "%sStep %u, edit: %" G_GINT64_FORMAT " of its commands found no object.",
                              text->len ? " " : "", i + 1, missed);
    if (run_result (run, i)->done && run_result (run, i)->one_object)
      g_string_append_printf (
        text, "%sStep %u, regionprops: all of the mask is one object; 'label' before it tells objects apart.",
        text->len ? " " : "", i + 1);
  }
  return g_string_free (text, text->len == 0);
}
