/* SPDX-License-Identifier: MIT
 *
 * fovea batch --slurm: a batch as a job array, a shard a task, and a job that merges their tables.
 */
#ifndef COMMAND_BATCH_SLURM_H
#define COMMAND_BATCH_SLURM_H

#include "command/command.h"

typedef struct BatchSlurm {
  const fovea_batch *batch;
  const char *folder;      /* of its outputs, absolute */
  const char *const *task; /* arguments of `fovea` that make the batch in one piece, but for inputs, table and device */
  const char *const *merge;   /* those that make the table of what is in the folder; NULL: none is to be made */
  const char *device;         /* that was asked for; NULL: auto */
  const char *array;          /* "8", or "8%2" for two at a time; NULL: as many as there should be */
  const char *const *options; /* of sbatch */
  gboolean resume;            /* what is in the folder may be of other steps, options or inputs */
} BatchSlurm;

/* Writes what the tasks need into the folder and submits the shards that have something to do; says which jobs these are, and returns the exit
 * status. */
int batch_slurm_submit (const BatchSlurm *given);
/* Says how the jobs stand that were submitted for the folder, if any. */
void batch_slurm_status (const char *folder);

#endif
