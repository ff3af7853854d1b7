/* SPDX-License-Identifier: MIT
 */
#include "command/slurm.h"

#include <stdlib.h>
#include <string.h>

/* Runs a program of Slurm. FALSE with *error, which has what it said, when it is missing or fails. */
static gboolean
call (const char *const *argv, char **out, GError **error)
{
  g_autofree char *said = NULL;
  int status;
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, out, &said, &status, error)) {
    g_prefix_error (error, "%s of Slurm cannot be started here: ", argv[0]);
    return FALSE;
  }
  if (g_spawn_check_wait_status (status, NULL))
    return TRUE;
  g_clear_pointer (out, g_free);
  g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "%s refuses: %s", argv[0],
               *g_strstrip (said) ? said : "it gives no reason.");
  return FALSE;
}

char *
slurm_submit (const char *const *arguments, GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *out = NULL;
  g_ptr_array_add (argv, (gpointer) "sbatch");
  g_ptr_array_add (argv, (gpointer) "--parsable");
  for (; *arguments; arguments++)
    g_ptr_array_add (argv, (gpointer) *arguments);
  g_ptr_array_add (argv, NULL);
  if (!call ((const char *const *) argv->pdata, &out, error))
    return NULL;
  out[strspn (out, "0123456789")] = '\0'; /* behind it is the name of a cluster */
  if (*out)
    return g_steal_pointer (&out);
  g_set_error_literal (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "sbatch did not report the job's id.");
  return NULL;
}

/* Slurm forgets jobs some minutes after their end, and says so as an error. */
static gboolean
ask_squeue (const char *const *argv, char **out, GError **error)
{
  g_autoptr (GError) fault = NULL;
  if (call (argv, out, &fault))
    return TRUE;
  if (strstr (fault->message, "Invalid job id")) {
    *out = g_strdup ("");
    return TRUE;
  }
  g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}

gboolean
slurm_is_active (const char *jobs, gboolean *active, GError **error)
{
  const char *const argv[] = {"squeue", "--noheader", "--jobs", jobs, "--format=%i", NULL};
  g_autofree char *out = NULL;
  if (!ask_squeue (argv, &out, error))
    return FALSE;
  *active = *out != '\0';
  return TRUE;
}

/* Lines like "12_3|RUNNING" and "12|CANCELLED by 1000". */
static void
read_states (GHashTable *states, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line; line++) {
    char *bar = strchr (*line, '|'), *task = strchr (*line, '_');
    if (!bar || (task && !g_ascii_isdigit (task[1]))) /* several that wait together: squeue has each of them */
      continue;
    g_hash_table_insert (states, GUINT_TO_POINTER (task ? (guint) strtoul (task + 1, NULL, 10) : 0),
                         g_strndup (bar + 1, strcspn (bar + 1, " ")));
  }
}

/* squeue knows how it is now, sacct what was long ago. */
GHashTable *
slurm_states (const char *job, GError **error)
{
  const char *const now[] = {"squeue", "--noheader", "--array", "--states=all", "--jobs", job, "--format=%i|%T", NULL};
  const char *const before[] = {"sacct",  "--noheader", "--allocations",        "--parsable2",
                                "--jobs", job,          "--format=JobID,State", NULL};
  g_autoptr (GHashTable) states = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autofree char *old = NULL, *current = NULL;
  if (!ask_squeue (now, &current, error))
    return NULL;
  if (call (before, &old, NULL))
    read_states (states, old);
  read_states (states, current);
  return g_steal_pointer (&states);
}
