/* SPDX-License-Identifier: MIT
 */
#include "core/run/run_step.h"

guint64
run_step_ids (void)
{
  static gsize next = 1;
  return (guint64) g_atomic_pointer_add (&next, RUN_STEP_RESULTS);
}

void
run_step_forget (RunStep *step)
{
  call_result_clear (&step->result);
  step->done = FALSE;
}
