/* SPDX-License-Identifier: MIT
 */
#include "core/run/run_step.h"

guint64
run_step_ids (void)
{
  static gsize next = 1;
  return (guint64) g_atomic_pointer_add (&next, RUN_STEP_RESULTS);
}

static void
clear_derived (gpointer data)
{
  RunDerived *derived = data;
  g_free (derived->each.params);
  g_free (derived->each.values);
  g_free (derived->args);
}

void
run_derived_unref (RunDerived *derived)
{
  g_atomic_rc_box_release_full (derived, clear_derived);
}

void
run_step_forget (RunStep *step)
{
  call_result_clear (&step->result);
  step->done = FALSE;
}
