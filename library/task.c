/* SPDX-License-Identifier: MIT
 *
 * The work of a thread, and what a handler of signals may do to it: all that it calls is safe there.
 */
#include "library/fovea.h"

#include "core/base/file_temporary.h"
#include "core/base/progress.h"

struct fovea_task {
  Progress progress;
};

fovea_task *
fovea_task_new (void)
{
  return g_new0 (fovea_task, 1);
}

void
fovea_task_free (fovea_task *task)
{
  g_free (task);
}

void
fovea_task_enter (fovea_task *task)
{
  progress_enter (task ? &task->progress : NULL);
}

void
fovea_task_cancel (fovea_task *task)
{
  if (task)
    progress_stop (&task->progress);
}

void
fovea_task_get_progress (const fovea_task *task, unsigned *step, unsigned *steps, double *done)
{
  static const Progress none;
  const Progress *p = task ? &task->progress : &none;
  *step = (unsigned) g_atomic_int_get (&p->part);
  *steps = (unsigned) g_atomic_int_get (&p->parts);
  *done = g_atomic_int_get (&p->permille) / 1000.0;
}

uint64_t
fovea_task_fetched (const fovea_task *task)
{
  return task ? (uint64_t) g_atomic_int_get (&task->progress.fetched) << 10 : 0;
}

unsigned
fovea_task_on_disk (const fovea_task *task)
{
  return task ? (unsigned) g_atomic_int_get (&task->progress.on_disk) : 0;
}

void
fovea_abandon_files (void)
{
  file_temporary_remove_all ();
}
