/* SPDX-License-Identifier: MIT
 *
 * A batch on its way: runs on a worker, and says how it stands.
 */
#ifndef UI_BATCH_RUNNER_H
#define UI_BATCH_RUNNER_H

#include "core/base/worker.h"
#include "core/batch/folder.h"
#include "core/data/table.h"
#include "core/recipe/recipe.h"

#include <glib-object.h>

#define RUNNER_TYPE (runner_get_type ())
/* Signal: "ended". */
G_DECLARE_FINAL_TYPE (Runner, runner, FOVEA, RUNNER, GObject)

/* What is to be done. The runner's from the start on. */
typedef struct RunnerTask {
  Recipe *recipe;
  char **inputs;                  /* see batch_inputs_new() */
  char *folder, *table;           /* paths; table NULL: none */
  char *images, *pattern, *group; /* as in BatchOptions */
  GPtrArray *names, *patterns;    /* of the results to be saved; names: NULL for the last image */
  char *device;
  gboolean resume;
  Table *like; /* what the steps have made of one image, or NULL */
} RunnerTask;

typedef struct RunnerFailure {
  char *file, *path, *why;
  guint series;
} RunnerFailure;

/* modules and worker must live longer. */
Runner *runner_new (Modules *modules, Worker *worker);
/* None may be going on. Takes what the task has. */
void runner_start (Runner *runner, const RunnerTask *task);
void runner_stop (Runner *runner);
gboolean runner_is_going (const Runner *runner);
const RunnerTask *runner_task (const Runner *runner);

/* All below are of the last one that was started. */
BatchCounts runner_counts (Runner *runner);
double runner_seconds (const Runner *runner);
/* The failures from number `from` on, 0 ... 999; RunnerFailure, the runner's. What fails after these is only counted. */
GPtrArray *runner_failures (Runner *runner, guint from);
/* The folder that the files of the table are called by, with a '/' at its end; NULL: not known. And the names of those that are no text: as the
 * table has it -> as it is. Of a runner that has ended. */
const char *runner_input_folder (const Runner *runner);
GHashTable *runner_odd_names (const Runner *runner);
/* When it has ended: why it could not go on, NULL: it could; and the table of all, or NULL. */
const GError *runner_error (const Runner *runner);
Table *runner_table (const Runner *runner);

#endif
