/* SPDX-License-Identifier: MIT
 *
 * The folder .fovea-batch/slurm has all that the tasks need: the inputs as they were found, the two scripts, and in `submitted` which jobs there
 * are. What the tasks say goes there, too.
 */
#include "command/batch_slurm.h"

#include "command/print.h"
#include "command/slurm.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
  IMAGES_A_TASK = 100, /* at least, so that it is worth starting it */
  USUAL_TASKS = 1000,  /* the maximum of an array in Slurm's default configuration */
  MAX_TASKS = 1000000,
  CORES_BESIDE_GPU = 4
};

typedef struct {
  const BatchSlurm *given;
  char *log_folder;    /* the folder */
  GKeyFile *submitted; /* what was before; empty: nothing */
  GString *inputs;     /* names of files, each with a NUL at its end */
  guint files, tasks;
  const char *at_once; /* "%2", or "" */
  guint8 *pending;     /* for each task whether it has something to do */
  guint left;          /* how many have */
  gboolean gpu;        /* whether each task gets a GPU */
  const char *device;  /* --device of each task */
} Submission;

/* ---- The folder ---- */

static char *
log_folder_of (const char *folder)
{
  return g_build_filename (folder, ".fovea-batch", "slurm", NULL);
}

static char *
path_in (const char *log_folder, const char *name)
{
  return g_build_filename (log_folder, name, NULL);
}

static gboolean
write_file (const Submission *s, const char *name, const GString *text, GError **error)
{
  g_autofree char *path = path_in (s->log_folder, name);
  return g_file_set_contents (path, text->str, (gssize) text->len, error);
}

static GKeyFile *
read_submitted (const char *log_folder)
{
  GKeyFile *submitted = g_key_file_new ();
  g_autofree char *path = path_in (log_folder, "submitted");
  g_key_file_load_from_file (submitted, path, G_KEY_FILE_NONE, NULL);
  return submitted;
}

static char *
job_of (GKeyFile *submitted, const char *which)
{
  return g_key_file_get_string (submitted, "jobs", which, NULL);
}

/* What makes the batch this one: if that is another one, so are its results. */
static char *
identity (const Submission *s)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  for (const char *const *argument = s->given->task; *argument; argument++)
    g_checksum_update (sum, (const guchar *) *argument, (gssize) strlen (*argument) + 1);
  g_checksum_update (sum, (const guchar *) s->inputs->str, (gssize) s->inputs->len);
  return g_strdup (g_checksum_get_string (sum));
}

/* ---- What is to be done ---- */

static gboolean G_GNUC_PRINTF (2, 3) refuse (GError **error, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  g_autofree char *text = g_strdup_vprintf (format, ap);
  va_end (ap);
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, text);
  return FALSE;
}

/* Whether the folder has no batch but this one. */
static gboolean
has_no_other (const Submission *s)
{
  g_autofree char *mine = identity (s), *before = g_key_file_get_string (s->submitted, "batch", "identity", NULL);
  fovea_batch_counts counts = {.size = sizeof counts};
  return before ? !strcmp (before, mine) : fovea_batch_status (s->given->folder, &counts, NULL, NULL, NULL) != FOVEA_OK;
}

/* An existing batch is either this one or may be changed, and is not running. */
static gboolean
check_folder (const Submission *s, GError **error)
{
  g_autofree char *array = job_of (s->submitted, "array"), *merge = job_of (s->submitted, "merge"),
                  *jobs = array && merge ? g_strconcat (array, ",", merge, NULL) : g_strdup (array ? array : merge);
  gboolean active = FALSE;
  if (!s->given->resume && !has_no_other (s))
    return refuse (error,
                   "%s already has a batch that was not submitted by this command. Use --resume to continue "
                   "it and redo what has changed, or choose another folder.",
                   s->given->folder);
  if (jobs && !slurm_is_active (jobs, &active, error))
    return FALSE;
  return !active
         || refuse (error, "jobs %s are processing %s, or wait. Let them end, or cancel them: scancel %s", jobs,
                    s->given->folder, jobs);
}

static gboolean
count_tasks (Submission *s, GError **error)
{
  const char *array = s->given->array;
  char *end = NULL;
  guint64 tasks = array ? g_ascii_strtoull (array, &end, 10) : 0;
  if (array
      && (!g_ascii_isdigit (*array) || !tasks || tasks > MAX_TASKS
          || (*end && (*end != '%' || !g_ascii_isdigit (end[1])))))
    return refuse (error,
                   "--array must be the number of tasks, up to %d, or N%%M to run M of them at a time; not "
                   "'%s'.",
                   MAX_TASKS, array);
  if (!tasks)
    tasks = (guint64) MAX (0, g_key_file_get_integer (s->submitted, "batch", "tasks", NULL));
  if (!tasks)
    tasks = MIN ((s->files + IMAGES_A_TASK - 1) / IMAGES_A_TASK, USUAL_TASKS);
  s->tasks = (guint) tasks;
  s->at_once = end ? end : "";
  return TRUE;
}

static gboolean
find_pending (Submission *s, GError **error)
{
  g_autoptr (fovea_error) fault = NULL;
  s->pending = g_new0 (guint8, s->tasks);
  if (fovea_batch_pending (s->given->batch, s->tasks, s->pending, &fault))
    return refuse (error, "%s", fovea_error_message (fault));
  for (guint i = 0; i < s->tasks; i++)
    s->left += s->pending[i];
  return TRUE;
}

static void
list_inputs (Submission *s)
{
  s->inputs = g_string_new (NULL);
  for (const char *file; (file = fovea_batch_get_input (s->given->batch, s->files)); s->files++)
    g_string_append_len (s->inputs, file, (gssize) strlen (file) + 1);
}

/* ---- GPUs ---- */

/* Whether the user says what GPUs there shall be. */
static gboolean
asks_for_gpus (const char *const *options)
{
  for (; *options; options++)
    if (g_str_has_prefix (*options, "--gpus") || g_str_has_prefix (*options, "--gres")
        || g_str_has_prefix (*options, "--tres") || g_str_has_prefix (*options, "-G"))
      return TRUE;
  return FALSE;
}

/* A GPU is asked for when it halves the time at least: others may wait for it. */
static void
choose_device (Submission *s)
{
  const char *device = s->given->device ? s->given->device : "auto";
  guint64 images = MAX (1, s->files / s->tasks);
  double core_ms, gpu_ms;
  if (asks_for_gpus (s->given->options))
    print_line ("GPUs: as set with sbatch options.");
  else if (strcmp (device, "auto")) {
    s->gpu = strcmp (device, "cpu") != 0;
    print_line ("GPUs: %s, set with --device.", s->gpu ? "one for each task" : "none");
  } else {
    g_autoptr (fovea_error) unknown = NULL;
    fovea_batch_estimate (s->given->batch, images, &core_ms, &gpu_ms, &unknown);
    s->gpu = !unknown && gpu_ms * 2 < core_ms;
    device = s->gpu ? device : "cpu";
    if (unknown)
      print_line ("GPUs: none, because the speed-up cannot be estimated: %s", fovea_error_message (unknown));
    else if (isfinite (gpu_ms))
      print_line ("GPUs: %s; the steps of a task take about %.1f s on one core and %.1f s on a GPU.",
                  s->gpu ? "one for each task" : "none", core_ms / 1000, gpu_ms / 1000);
    else
      print_line ("GPUs: none, because not all steps can run on one.");
  }
  s->device = device;
}

/* ---- Scripts ---- */

static void
add_quoted (GString *script, const char *const *arguments)
{
  for (; *arguments; arguments++) {
    g_autofree char *quoted = g_shell_quote (*arguments);
    g_string_append_printf (script, " %s", quoted);
  }
}

/* A script that becomes `fovea` with these arguments, where this is called and as the user calls it. */
static GString *
script_of (const char *directives, const char *const *arguments)
{
  GString *script =
    g_string_new ("#!/bin/sh\n#SBATCH --job-name=fovea\n#SBATCH --requeue\n#SBATCH --open-mode=append\n");
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL), *here = g_get_current_dir ();
  const char *const change[] = {here, NULL}, *const become[] = {self ? self : "fovea", NULL};
  g_string_append_printf (script, "%scd", directives);
  add_quoted (script, change);
  g_string_append (script, " || exit\nexport OMP_NUM_THREADS=\"${SLURM_CPUS_ON_NODE:-1}\"\nexec");
  add_quoted (script, become);
  add_quoted (script, arguments);
  return script;
}

static gboolean
write_task (const Submission *s, GError **error)
{
  g_autofree char *gpu = g_strdup_printf ("#SBATCH --gres=gpu:1\n#SBATCH --cpus-per-task=%d\n", CORES_BESIDE_GPU),
                  *device = g_strconcat ("--device=", s->device, NULL), *list = path_in (s->log_folder, "inputs"),
                  *at_list = g_strconcat ("@", list, NULL);
  const char *const rest[] = {device, "--resume", "-0", "--files", at_list, NULL};
  g_autoptr (GString) script = script_of (s->gpu ? gpu : "", s->given->task);
  add_quoted (script, rest);
  g_string_append_printf (script, " --shard=\"$SLURM_ARRAY_TASK_ID/%u\"\n", s->tasks);
  return write_file (s, "inputs", s->inputs, error) && write_file (s, "task.sh", script, error);
}

static gboolean
write_merge (const Submission *s, GError **error)
{
  g_autoptr (GString) script = script_of ("", s->given->merge);
  g_string_append_c (script, '\n');
  return write_file (s, "merge.sh", script, error);
}

/* ---- Submitting ---- */

/* "1-3,7%2": the tasks that have something to do. */
static char *
pending_range (const Submission *s)
{
  GString *range = g_string_new (NULL);
  for (guint i = 0, end; i < s->tasks; i = end + 1) {
    for (end = i; end < s->tasks && s->pending[end]; end++)
      ;
    if (end > i)
      g_string_append_printf (range, end > i + 1 ? "%s%u-%u" : "%s%u", range->len ? "," : "", i + 1, end);
  }
  g_string_append (range, s->at_once);
  return g_string_free (range, FALSE);
}

/* sbatch has its own marks in names of files: %a is the number of the task. */
static char *
log_option (const Submission *s, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (s->log_folder, "%", -1);
  g_autofree char *log_folder = g_strjoinv ("%%", parts);
  return g_strdup_printf ("--output=%s/%s", log_folder, name);
}

/* The user's options count more than those in the script, and less than `last`. */
static char *
submit (const Submission *s, const char *name, const char *log, const char *last, GError **error)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autofree char *script = path_in (s->log_folder, name), *output = log_option (s, log);
  g_ptr_array_add (arguments, output);
  for (const char *const *option = s->given->options; *option; option++)
    g_ptr_array_add (arguments, (gpointer) *option);
  if (last)
    g_ptr_array_add (arguments, (gpointer) last);
  g_ptr_array_add (arguments, script);
  g_ptr_array_add (arguments, NULL);
  return slurm_submit ((const char *const *) arguments->pdata, error);
}

static gboolean
keep_submitted (const Submission *s, const char *array, const char *merge, GError **error)
{
  g_autoptr (GKeyFile) now = g_key_file_new ();
  g_autofree char *mine = identity (s), *path = path_in (s->log_folder, "submitted");
  g_key_file_set_string (now, "batch", "identity", mine);
  g_key_file_set_integer (now, "batch", "tasks", (int) s->tasks);
  if (array)
    g_key_file_set_string (now, "jobs", "array", array);
  if (merge)
    g_key_file_set_string (now, "jobs", "merge", merge);
  return g_key_file_save_to_file (now, path, error);
}

static gboolean
submit_array (Submission *s, char **array, GError **error)
{
  g_autofree char *range = pending_range (s), *option = g_strconcat ("--array=", range, NULL);
  choose_device (s);
  if (!write_task (s, error) || !(*array = submit (s, "task.sh", "%a.log", option, error)))
    return FALSE;
  print_line ("job %s: %u of %u shards, %s", *array, s->left, s->tasks, range);
  return keep_submitted (s, *array, NULL, error);
}

static gboolean
submit_merge (const Submission *s, const char *array, GError **error)
{
  g_autofree char *after = array ? g_strconcat ("--dependency=afterany:", array, NULL) : NULL, *merge = NULL;
  if (!write_merge (s, error) || !(merge = submit (s, "merge.sh", "merge.log", after, error)))
    return FALSE;
  print_line ("job %s: merges their tables%s", merge, array ? " when all have ended" : "");
  return keep_submitted (s, array, merge, error);
}

static gboolean
submit_all (Submission *s, GError **error)
{
  g_autofree char *array = NULL, *folder = g_shell_quote (s->given->folder);
  list_inputs (s);
  if (!check_folder (s, error) || !count_tasks (s, error) || !find_pending (s, error))
    return FALSE;
  if (g_mkdir_with_parents (s->log_folder, 0777))
    return refuse (error, "%s cannot be made: %s.", s->log_folder, g_strerror (errno));
  if (!s->left)
    print_line ("All images are done.");
  if ((s->left && !submit_array (s, &array, error)) || (s->given->merge && !submit_merge (s, array, error)))
    return FALSE;
  print_line ("fovea batch --status %s shows its progress.", folder);
  return TRUE;
}

int
batch_slurm_submit (const BatchSlurm *given)
{
  Submission s = {.given = given, .log_folder = log_folder_of (given->folder)};
  g_autoptr (GError) error = NULL;
  g_autofree char *sbatch = g_find_program_in_path ("sbatch");
  int status = COMMAND_DONE;
  s.submitted = read_submitted (s.log_folder);
  if (!sbatch)
    status = command_fail ("--slurm: sbatch was not found. Run this where you submit Slurm jobs, or remove --slurm.");
  else if (!submit_all (&s, &error))
    status = command_fail (error->message);
  g_key_file_unref (s.submitted);
  if (s.inputs)
    g_string_free (s.inputs, TRUE);
  g_free (s.pending);
  g_free (s.log_folder);
  return status;
}

/* ---- How it stands ---- */

/* "12: 5 COMPLETED, 3 RUNNING" */
static char *
summary (const char *job, GHashTable *states)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GList) names = NULL;
  GString *text = g_string_new (job);
  GHashTableIter iter;
  gpointer state;
  g_hash_table_iter_init (&iter, states);
  while (g_hash_table_iter_next (&iter, NULL, &state))
    g_hash_table_insert (counts, state, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, state)) + 1));
  names = g_list_sort (g_hash_table_get_keys (counts), (GCompareFunc) strcmp);
  for (GList *name = names; name; name = name->next)
    g_string_append_printf (text, "%s %u %s", name == names ? ":" : ",",
                            GPOINTER_TO_UINT (g_hash_table_lookup (counts, name->data)), (char *) name->data);
  if (!names)
    g_string_append (text, ": Slurm no longer knows it");
  return g_string_free (text, FALSE);
}

static gboolean
has_failed (const char *state)
{
  static const char *const ends[] = {"BOOT_FAIL",     "CANCELLED", "DEADLINE", "FAILED", "NODE_FAIL",
                                     "OUT_OF_MEMORY", "PREEMPTED", "TIMEOUT",  NULL};
  return state && g_strv_contains (ends, state);
}

/* The last task has the number `tasks`. */
static void
print_job (const char *log_folder, GKeyFile *submitted, const char *which, guint tasks)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *job = job_of (submitted, which), *text = NULL;
  g_autoptr (GHashTable) states = job ? slurm_states (job, &error) : NULL;
  if (error)
    print_line ("job %s: %s", job, error->message);
  if (!states)
    return;
  text = summary (job, states);
  print_line ("job %s", text);
  for (guint i = 0; i <= tasks; i++) {
    const char *state = g_hash_table_lookup (states, GUINT_TO_POINTER (i));
    if (has_failed (state) && i)
      print_line ("shard %u: %s; see %s/%u.log", i, state, log_folder, i);
    else if (has_failed (state))
      print_line ("merging: %s; see %s/merge.log", state, log_folder);
  }
}

void
batch_slurm_status (const char *folder)
{
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL), *log_folder = log_folder_of (absolute);
  g_autoptr (GKeyFile) submitted = read_submitted (log_folder);
  print_job (log_folder, submitted, "array",
             (guint) MAX (0, g_key_file_get_integer (submitted, "batch", "tasks", NULL)));
  print_job (log_folder, submitted, "merge", 0);
}
