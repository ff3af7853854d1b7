/* SPDX-License-Identifier: MIT
 *
 * Does jobs in turn, one at a time, on a thread, so that nothing blocks the main loop. Each job reports back in the main context that
 * made the worker. Jobs of one lane replace each other: the latest wins. Workers share a few threads, and one without a job has none, so that
 * there can be any number of them.
 */
#ifndef CORE_BASE_WORKER_H
#define CORE_BASE_WORKER_H

#include "core/base/progress.h"

typedef struct WorkerJob {
  /* On a thread of the worker's, another one each time. Looks at progress and stops soon when it should; FALSE with *error. */
  gboolean (*work) (gpointer data, Progress *progress, GError **error);
  /* In the main context, exactly once, when the work is done, failed (error), or was replaced or cancelled before or while
   * it ran (a STEP_ERROR FV_CANCELLED). Frees data. */
  void (*finished) (gpointer data, const GError *error);
  gpointer data;
  /* NULL, or the job's subject. A new job replaces a waiting one of its lane. A running one of its lane is asked to
   * stop unless it is more than half done, so that a steady stream of jobs still shows results. */
  gconstpointer lane;
} WorkerJob;

typedef struct Worker Worker;

Worker *worker_new (void);
/* Its threads, and those that compute with them, have a lower priority than interactive programs and their display.
 * Of two busy workers the less modest one gets most of the time. Lower priorities than these would get no time
 * beside another program that uses all cores. */
typedef enum WorkerModesty { WORKER_SOON = 5, WORKER_LATER = 10 } WorkerModesty;
Worker *worker_new_modest (WorkerModesty modesty);
/* Stops the running job, drops the waiting ones (the function for results is called for each) and waits for the running one. */
void worker_free (Worker *worker);
/* From now on each job works between enter (data) and leave (what that returned), both on the job's thread: for what others use, too.
 * Before the first job. */
void worker_set_turns (Worker *worker, gpointer (*enter) (gpointer data), void (*leave) (gpointer entered),
                       gpointer data);
void worker_push (Worker *worker, const WorkerJob *job);
/* Asks the running job to stop and drops the waiting ones. */
void worker_cancel (Worker *worker);
/* How far the running job is; FALSE when there is none. */
gboolean worker_progress (Worker *worker, Progress *progress);

#endif
