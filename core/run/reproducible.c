/* SPDX-License-Identifier: MIT
 */
#include "core/run/reproducible.h"

#include "core/base/text.h"

#include <string.h>

void
reproducible_add (GString *text, const Run *run)
{
  for (guint i = 0; i < run_length (run); i++) {
    const RunStep *step = run_result (run, i);
    if (!step->done || step->result.tolerance == 0)
      continue;
    g_autofree char *number = text_from_number (step->result.tolerance),
                    *sentence =
                      g_strdup_printf ("%s: reproducible to %s between devices.", step->step->op->fv.key, number);
    if (!strstr (text->str, sentence))
      g_string_append_printf (text, "%s%s", text->len ? " " : "", sentence);
  }
}
