/* SPDX-License-Identifier: MIT
 *
 * Slurm, by its own programs: sbatch, squeue and, where there is accounting, sacct.
 */
#ifndef COMMAND_SLURM_H
#define COMMAND_SLURM_H

#include <glib.h>

/* Submits a job. arguments of sbatch, a list that ends with NULL: options, and the script. The number of the job, to be freed with g_free(), or
 * NULL with *error, which has what sbatch said. */
char *slurm_submit (const char *const *arguments, GError **error);
/* Whether a task of the jobs, "12,13", waits or runs; not when Slurm does not know them any more. FALSE with *error where squeue cannot tell. */
gboolean slurm_is_active (const char *jobs, gboolean *active, GError **error);
/* The states of a job's tasks, in Slurm's words: number of the task -> state. A job that is not an array has task 0.
 * Empty when Slurm no longer knows the job. NULL with *error when squeue fails. */
GHashTable *slurm_states (const char *job, GError **error);

#endif
