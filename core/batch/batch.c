/* SPDX-License-Identifier: MIT
 *
 * Each worker processes one image at a time; the waiting thread commits finished images at least once a second.
 *
 * A GPU reports a fault late, so all images in work at that time are suspects. A new process runs them first, one at
 * a time. An image on which the GPU fails again is guilty and runs on the CPU, last of all, so that it alone is in
 * doubt.
 */
#include "core/batch/batch.h"

#include "core/base/error.h"
#include "core/base/file_read.h"
#include "core/base/file_target.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/batch/item.h"
#include "core/batch/name_pattern.h"
#include "core/batch/names.h"
#include "core/batch/stamp.h"

#include <string.h>

enum {
  OFTEN_US = 50000, /* from one commit to the next at least */
  PAUSE = 20,       /* times what the last one took */
  MAX_GUILTY = 16,  /* images: a GPU that fails on more of them is itself at fault, and the CPU processes the rest */
};

/* Groups of images, in the order in which they are processed. A suspect was in work when a GPU failed. */
typedef enum Turn {
  TURN_SUSPECTS, /* one at a time */
  TURN_OTHERS,
  TURN_GUILTY, /* failed a GPU alone; on the CPU */
  N_TURNS
} Turn;

/* One image of a file with several, for any free worker. */
typedef struct {
  BatchFile *file;
  guint n;
} Further;

struct Batch {
  BatchInputs *inputs;
  GPtrArray *names;
  BatchJob job;
  char *folder, **patterns, *steps, *table, *images, *pattern, *group;
  char *choices; /* of saving */
  BatchShard shard;
  gboolean resume;
  guint at_a_time; /* images, as it was asked for; 0: as many as there are cores */
  guint jobs;      /* of the turn */
  void (*failed) (gpointer user, const char *file, guint series, const char *why);
  void (*noted) (gpointer user, const char *file, guint series, const char *note);
  void (*renew) (gpointer user);
  gpointer user;
  GMutex telling;      /* it */
  Turn turn;           /* changes while no thread works */
  gboolean all_on_cpu; /* since a GPU was lost, and a new process was not started */
  BatchPlan plan;
  BatchRoom room;
  BatchReads reads;
  Progress progress;
  GMutex lock; /* guards all below */
  GCond change;
  guint next;     /* input */
  guint opening;  /* files of which it is not known yet how many images they have */
  guint working;  /* threads */
  GQueue further; /* Further */
  BatchCounts counts;
  GError *fault; /* why it cannot go on */
  gboolean lost; /* a GPU, in this round */
};

/* ---- Making it ---- */

/* The inputs that fall to the shard are every so many of them. */
static guint
files_of_shard (const Batch *batch)
{
  guint all = batch->inputs->files->len;
  return all > batch->shard.number ? (all - batch->shard.number - 1) / batch->shard.of + 1 : 0;
}

/* Whether all inputs have names of the pattern. */
static gboolean
check_names (const Batch *batch, GError **error)
{
  g_autoptr (NamePattern) pattern = NULL;
  g_auto (GStrv) group = g_strsplit (batch->group ? batch->group : "", ",", -1);
  if (batch->pattern && !(pattern = name_pattern_new (batch->pattern, error)))
    return FALSE;
  for (char **part = group; *part; part++)
    if (!pattern || !g_ptr_array_find_with_equal_func (pattern->names, *part, g_str_equal, NULL)) {
      step_error_set (error, FV_BAD_ARGUMENT, "group", "Group '%s' is not a part of the pattern of names.", *part);
      return FALSE;
    }
  if (!pattern)
    return TRUE;
  for (guint i = 0; i < batch->inputs->files->len; i++) {
    g_auto (GStrv) parts = name_pattern_match (pattern, batch_input (batch->inputs, i)->path);
    if (parts)
      continue;
    g_autofree char *shown = text_from_bytes (batch_input_name (batch->inputs, i));
    step_error_set (error, FV_BAD_ARGUMENT, "name_pattern", "The name '%s' does not match '%s'.", shown,
                    batch->pattern);
    return FALSE;
  }
  return TRUE;
}

/* Macros may read what is beside their inputs. */
static gboolean
check_urls (const Batch *batch, GError **error)
{
  const char *first = batch_input (batch->inputs, 0)->path; /* all are, or none is */
  if (!batch->job.saves || !file_source_is_url (first))
    return TRUE;
  g_autofree char *shown = text_from_bytes (first);
  step_error_set (error, FV_BAD_ARGUMENT, "inputs", "'%s' is a URL, but macros need files. Download them first.",
                  shown);
  return FALSE;
}

static void
tell_note (gpointer data, const BatchFile *file, guint n, const char *note)
{
  Batch *batch = data;
  g_mutex_lock (&batch->telling);
  if (batch->noted)
    batch->noted (batch->user, file->file, n, note);
  g_mutex_unlock (&batch->telling);
}

Batch *
batch_new (BatchInputs *inputs, const BatchJob *job, const BatchOptions *options, GError **error)
{
  g_autoptr (Batch) batch = g_new0 (Batch, 1);
  *batch = (Batch){.inputs = inputs,
                   .job = *job,
                   .folder = g_canonicalize_filename (options->folder, NULL),
                   .patterns = g_strdupv ((char **) options->patterns),
                   .steps = g_strdup (options->steps),
                   .table = options->table ? g_canonicalize_filename (options->table, NULL) : NULL,
                   .images = options->images ? g_canonicalize_filename (options->images, NULL) : NULL,
                   .group = g_strdup (options->group),
                   .pattern = g_strdup (options->name_pattern),
                   .choices = g_strdup (options->choices),
                   .shard = options->shard,
                   .resume = options->resume,
                   .at_a_time = options->jobs,
                   .failed = options->failed,
                   .noted = options->noted,
                   .renew = options->renew,
                   .user = options->user};
  g_mutex_init (&batch->lock);
  g_mutex_init (&batch->telling);
  g_cond_init (&batch->change);
  batch_room_init (&batch->room);
  batch_reads_init (&batch->reads);
  batch->plan = (BatchPlan){.job = &batch->job,
                            .noted = tell_note,
                            .batch = batch,
                            .room = &batch->room,
                            .reads = &batch->reads,
                            .sets = batch_sets_new (inputs),
                            .inputs = inputs,
                            .folder = batch->folder,
                            .patterns = (const char *const *) batch->patterns,
                            .choices = batch->choices,
                            .format = options->format};
  file_hash_of_text (options->work, strlen (options->work), batch->plan.work);
  batch->counts.images = files_of_shard (batch);
  batch->names = batch_names_new (inputs, options->patterns, batch->folder, batch->table, error);
  return batch->names && check_names (batch, error) && check_urls (batch, error) ? g_steal_pointer (&batch) : NULL;
}

char *
batch_work_text (const char *what, const char *const *names, const char *const *patterns, guint n, CsvFormat format,
                 const char *choices)
{
  GString *work = g_string_new (NULL);
  g_string_printf (work, "%s\n%s\n%c%s%s\n", FOVEA_VERSION, what, format.separator, format.raw ? "raw" : "",
                   choices ? choices : "");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (work, "%s=%s\n", names[i] ? names[i] : "", patterns[i]);
  return g_string_free (work, FALSE);
}

void
batch_free (Batch *batch)
{
  if (!batch)
    return;
  g_clear_pointer (&batch->plan.sets, batch_sets_free);
  batch_inputs_free (batch->inputs);
  g_clear_pointer (&batch->names, g_ptr_array_unref);
  g_strfreev (batch->patterns);
  g_free (batch->folder);
  g_free (batch->steps);
  g_free (batch->choices);
  g_free (batch->table);
  g_free (batch->images);
  g_free (batch->pattern);
  g_free (batch->group);
  batch_room_clear (&batch->room);
  batch_reads_clear (&batch->reads);
  g_cond_clear (&batch->change);
  g_mutex_clear (&batch->telling);
  g_mutex_clear (&batch->lock);
  g_free (batch);
}

BatchCounts
batch_counts (Batch *batch)
{
  BatchCounts counts;
  g_mutex_lock (&batch->lock);
  counts = batch->counts;
  g_mutex_unlock (&batch->lock);
  return counts;
}

/* ---- Which images are next: suspects, others, guilty ones ---- */

/* In which turn an image is processed, by its last record. */
static Turn
turn_of (const Batch *batch, const BatchRecord *failed)
{
  if (!failed || !failed->suspect || batch->all_on_cpu)
    return TURN_OTHERS;
  return failed->suspect == 1 ? TURN_SUSPECTS : TURN_GUILTY;
}

/* Whether an input has images of the turn. With the lock held. */
static gboolean
has_turn (const Batch *batch, guint input)
{
  const GArray *before = batch->plan.before->all;
  const char *file = batch_input_name (batch->inputs, input);
  if (batch->turn == TURN_OTHERS)
    return TRUE;
  for (guint i = batch_records_find (batch->plan.before, file); i < before->len; i++) {
    const BatchRecord *record = &g_array_index (before, BatchRecord, i);
    if (strcmp (record->file, file))
      return FALSE;
    if (record->error && !record->removed && turn_of (batch, record) == batch->turn)
      return TRUE;
  }
  return FALSE;
}

static void
skip_inputs (Batch *batch)
{
  while (batch->next < batch->inputs->files->len && !has_turn (batch, batch->next))
    batch->next += batch->shard.of;
}

/* A further image, or an input to open; FALSE: nothing is left. */
static gboolean
take (Batch *batch, Further *further, guint *input)
{
  gboolean taken = FALSE;
  Further *waiting = NULL;
  g_mutex_lock (&batch->lock);
  skip_inputs (batch);
  while (!progress_is_stopped (&batch->progress) && !(waiting = g_queue_pop_head (&batch->further))
         && batch->next >= batch->inputs->files->len && batch->opening)
    g_cond_wait (&batch->change, &batch->lock);
  *further = waiting ? *waiting : (Further){NULL, 0};
  if (!waiting && !progress_is_stopped (&batch->progress) && batch->next < batch->inputs->files->len) {
    *input = batch->next;
    batch->next += batch->shard.of;
    batch->opening++;
    taken = TRUE;
  }
  g_mutex_unlock (&batch->lock);
  g_free (waiting);
  return taken || waiting;
}

/* Now it is known what a file has: of its images whose turn it is all but the first, whose number comes back, wait; G_MAXUINT: there are none. What is
 * there, and what is done, counts once. */
static guint
spread (Batch *batch, BatchFile *file)
{
  guint first = G_MAXUINT;
  g_mutex_lock (&batch->lock);
  batch->opening--;
  if (batch->turn == TURN_OTHERS) {
    batch->counts.images = batch->counts.images + file->count - 1;
    batch->counts.parts += file->belongs != NULL;
  }
  for (guint n = 0; n < file->count; n++) {
    Further further = {file, n};
    if (file->done[n]) {
      batch->counts.done += batch->turn == TURN_OTHERS;
      batch->counts.before += batch->turn == TURN_OTHERS;
    } else if (turn_of (batch, batch_file_failed_before (file, n, &batch->plan)) != batch->turn) {
      continue;
    } else if (first == G_MAXUINT)
      first = n;
    else {
      g_atomic_int_inc (&file->references);
      g_queue_push_tail (&batch->further, g_memdup2 (&further, sizeof further));
    }
  }
  g_cond_broadcast (&batch->change);
  g_mutex_unlock (&batch->lock);
  return first;
}

/* ---- Faults ---- */

/* Takes the error. */
static void
give_up (Batch *batch, GError *error)
{
  g_mutex_lock (&batch->lock);
  if (batch->fault)
    g_error_free (error);
  else
    batch->fault = error;
  progress_stop (&batch->progress);
  g_cond_broadcast (&batch->change);
  g_mutex_unlock (&batch->lock);
}

/* Whether nothing else would work either: the device is at fault, or the folder of all outputs, which then is what the error says. */
static gboolean
is_of_all (const Batch *batch, GError **error)
{
  GError *deeper = NULL;
  if (g_error_matches (*error, STEP_ERROR, FV_DEVICE_FAULT))
    return TRUE;
  if (!g_error_matches (*error, FILE_ERROR, FILE_ERROR_WRITE) || batch_journal_probe (batch->plan.journal, &deeper))
    return FALSE;
  g_error_free (*error);
  *error = deeper;
  return TRUE;
}

/* The GPU failed while the image was in work: all that is in work ends, and is recorded so. */
static void
suspect (Batch *batch, const BatchFile *file, guint n, const GError *error)
{
  const gboolean alone = batch->turn == TURN_SUSPECTS;
  g_autofree char *why =
    g_strdup_printf (alone ? "The GPU fails on this image, even alone in a new process. %s"
                           : "The GPU failed while this image was processed, perhaps because of another one. %s",
                     error->message);
  batch_file_record_fault (file, n, &batch->plan, why, alone ? 2 : 1);
  g_mutex_lock (&batch->lock);
  batch->lost = TRUE;
  progress_stop (&batch->progress);
  g_cond_broadcast (&batch->change);
  g_mutex_unlock (&batch->lock);
}

/* What is known of an image that failed on the CPU, too, stays known. */
static void
record (Batch *batch, const BatchFile *file, guint n, GError *error)
{
  const BatchRecord *before = batch->turn == TURN_GUILTY ? batch_file_failed_before (file, n, &batch->plan) : NULL;
  g_autofree char *why =
    before ? g_strdup_printf ("Both the GPU and the CPU fail on this image: %s", error->message) : NULL;
  batch_file_record_fault (file, n, &batch->plan, why ? why : error->message, before ? before->suspect : 0);
  g_mutex_lock (&batch->lock);
  batch->counts.failed++;
  g_mutex_unlock (&batch->lock);
  g_mutex_lock (&batch->telling);
  if (batch->failed)
    batch->failed (batch->user, file->file, n, why ? why : error->message);
  g_mutex_unlock (&batch->telling);
}

/* An image failed; takes the error. */
static void
fail (Batch *batch, const BatchFile *file, guint n, GError *error)
{
  const gboolean lost = !batch->plan.on_cpu && batch->job.lost && batch->job.lost (batch->job.self);
  if (step_error_is_cancelled (error) && progress_is_stopped (&batch->progress) && !lost)
    g_error_free (error);
  else if (lost) {
    suspect (batch, file, n, error);
    g_error_free (error);
  } else if (is_of_all (batch, &error))
    give_up (batch, error);
  else {
    record (batch, file, n, error);
    g_error_free (error);
  }
}

/* ---- On each thread ---- */

static void
do_image (Batch *batch, const BatchFile *file, guint n)
{
  GError *error = NULL;
  if (!batch_file_do (file, n, &batch->plan, &error)) {
    fail (batch, file, n, error);
    return;
  }
  g_mutex_lock (&batch->lock);
  batch->counts.done++;
  g_mutex_unlock (&batch->lock);
}

/* The disk reads what this thread is likely to do next while it does this one. */
static void
read_ahead (const Batch *batch, guint input)
{
  const guint64 next = input + (guint64) batch->jobs * batch->shard.of;
  if (next < batch->inputs->files->len
      && !batch_records_have (batch->plan.before, batch_input_name (batch->inputs, (guint) next)))
    file_read_ahead (batch_input (batch->inputs, (guint) next)->path);
}

static void
do_file (Batch *batch, guint input)
{
  GError *error = NULL;
  g_autoptr (BatchFile) file = batch_file_new (batch->inputs, input, batch->names->pdata[input]);
  read_ahead (batch, input);
  gboolean opened = batch_file_open (file, &batch->plan, &error);
  guint n = spread (batch, file);
  if (!opened)
    fail (batch, file, 0, error);
  else if (n != G_MAXUINT)
    do_image (batch, file, n);
}

typedef struct {
  Batch *batch;
  guint threads; /* of each image's work */
} Crew;

static gpointer
work (gpointer data)
{
  Crew *crew = data;
  Batch *batch = crew->batch;
  Progress progress = {.outer = &batch->progress};
  Further further;
  guint input = 0;
  parallel_limit (crew->threads);
  progress_enter (&progress);
  file_targets_sync_later (batch_journal_device (batch->plan.journal));
  while (take (batch, &further, &input))
    if (further.file) {
      do_image (batch, further.file, further.n);
      batch_file_unref (further.file);
    } else
      do_file (batch, input);
  g_mutex_lock (&batch->lock);
  batch->working--;
  g_cond_broadcast (&batch->change);
  g_mutex_unlock (&batch->lock);
  return NULL;
}

/* ---- Beginning and end ---- */

/* What was recorded of files that are no inputs of the shard any more is taken back. */
static void
remove_others (const Batch *batch)
{
  const GArray *before = batch->plan.before->all;
  g_autoptr (GHashTable) mine = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = batch->shard.number; before->len && i < batch->inputs->files->len; i += batch->shard.of)
    g_hash_table_add (mine, (gpointer) batch_input_name (batch->inputs, i));
  for (guint i = 0; i < before->len; i++) {
    BatchRecord record = g_array_index (before, BatchRecord, i);
    if (record.removed || g_hash_table_contains (mine, record.file))
      continue;
    record.removed = TRUE;
    batch_journal_add (batch->plan.journal, &record);
  }
}

static void
hash_inputs (const Batch *batch, char *hash)
{
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; i < batch->inputs->files->len; i++)
    g_string_append_len (all, batch_input_name (batch->inputs, i),
                         (gssize) strlen (batch_input_name (batch->inputs, i)) + 1);
  file_hash_of_text (all->str, all->len, hash);
}

static void
begin (const Batch *batch)
{
  char hash[FILE_HASH_TEXT];
  hash_inputs (batch, hash);
  const BatchHeader header = {FOVEA_VERSION,          batch->steps,   hash,
                              files_of_shard (batch), batch->pattern, batch->inputs->folder};
  batch_journal_add_header (batch->plan.journal, &header);
  remove_others (batch);
}

/* Until all workers end: commits what they have finished, as often as the disk allows. */
static void
commit_while_working (Batch *batch)
{
  gboolean working = TRUE;
  while (working) {
    GError *error = NULL;
    gint64 start = g_get_monotonic_time (), until;
    if (!batch_journal_commit (batch->plan.journal, &error))
      give_up (batch, error);
    until = g_get_monotonic_time ();
    until += CLAMP ((until - start) * PAUSE, OFTEN_US, G_TIME_SPAN_SECOND);
    g_mutex_lock (&batch->lock);
    while (batch->working && g_cond_wait_until (&batch->change, &batch->lock, until))
      ;
    working = batch->working > 0;
    g_mutex_unlock (&batch->lock);
  }
}

/* Processes the images of a turn. */
static void
take_turn (Batch *batch, Turn turn)
{
  static const char guilty[] = "The GPU fails on this image, so it was processed on the CPU.",
                    others[] = "The GPU had failed on another image, so this one was processed on the CPU.";
  const guint cores = parallel_threads (),
              max = turn == TURN_SUSPECTS ? 1
                    : batch->at_a_time    ? batch->at_a_time
                                          : cores,
              jobs = MAX (1, MIN (max, files_of_shard (batch)));
  Crew crew = {batch, MAX (1, cores / jobs)};
  g_autofree GThread **threads = g_new0 (GThread *, jobs);
  GError *fault = NULL;
  guint started = 0;
  batch->turn = turn;
  batch->next = batch->shard.number;
  batch->plan.on_cpu = batch->all_on_cpu ? others : turn == TURN_GUILTY ? guilty : NULL;
  batch->jobs = batch->working = jobs;
  while (started < jobs && (threads[started] = g_thread_try_new ("fovea-batch", work, &crew, &fault)))
    started++;
  g_mutex_lock (&batch->lock);
  batch->working -= jobs - started; /* without those that failed to start */
  g_mutex_unlock (&batch->lock);
  if (started)
    g_clear_error (&fault);
  else
    give_up (batch, fault);
  commit_while_working (batch);
  for (guint i = 0; i < started; i++)
    g_thread_join (threads[i]);
  for (Further *left; (left = g_queue_pop_head (&batch->further)); g_free (left))
    batch_file_unref (left->file);
}

/* Whether the turn has images; that of the others always has. */
static gboolean
is_needed (Batch *batch, Turn turn)
{
  batch->turn = turn;
  batch->next = batch->shard.number;
  skip_inputs (batch);
  return turn == TURN_OTHERS || batch->next < batch->inputs->files->len;
}

static gboolean
work_and_commit (Batch *batch, GError **error)
{
  GError *fault = NULL;
  for (Turn turn = 0; turn < N_TURNS && !batch->fault && !batch->lost && !progress_is_stopped (&batch->progress);
       turn++)
    if (is_needed (batch, turn))
      take_turn (batch, turn);
  if (!batch_journal_commit (batch->plan.journal, &fault))
    give_up (batch, fault);
  if (!batch->fault)
    return batch->lost || !progress_stopped (error);
  g_propagate_error (error, g_steal_pointer (&batch->fault));
  return FALSE;
}

static gboolean
save_tables (const Batch *batch, GError **error)
{
  if (!batch->table && !batch->images)
    return TRUE;
  g_autoptr (BatchFolder) folder = batch_folder_new (batch->folder, error);
  return folder && (!batch->table || batch_folder_save_table (folder, batch->table, batch->plan.format, error))
         && (!batch->images
             || batch_folder_save_images (folder, batch->images, batch->group, batch->plan.format, error));
}

/* Whether the GPU has failed on so many images that no image is the cause. */
static gboolean
has_many_guilty (const Batch *batch)
{
  guint guilty = 0;
  for (guint i = 0; i < batch->plan.before->all->len; i++)
    guilty += g_array_index (batch->plan.before->all, BatchRecord, i).suspect == 2;
  return guilty >= MAX_GUILTY;
}

/* All remaining images, or until a GPU is lost. */
static gboolean
run_round (Batch *batch, gboolean *renewable, GError **error)
{
  if (!(batch->plan.journal = batch_journal_open (batch->folder, batch->shard, batch->resume, error)))
    return FALSE;
  batch->plan.before = batch_journal_before (batch->plan.journal);
  *renewable = batch->renew && !has_many_guilty (batch);
  begin (batch);
  gboolean done = work_and_commit (batch, error) && (batch->lost || save_tables (batch, error));
  g_clear_pointer (&batch->plan.journal, batch_journal_close);
  return done;
}

/* Begins again with what is left, after a GPU was lost. */
static void
restart (Batch *batch)
{
  g_mutex_lock (&batch->lock);
  batch->counts = (BatchCounts){.images = files_of_shard (batch)};
  batch->lost = FALSE;
  g_mutex_unlock (&batch->lock);
  batch->progress = (Progress){.outer = batch->progress.outer};
  batch->resume = batch->all_on_cpu = TRUE;
}

gboolean
batch_run (Batch *batch, GError **error)
{
  gboolean done, renewable;
  if (!batch->job.check (batch->job.self, error))
    return FALSE;
  batch->progress.outer = progress_current ();
  batch->plan.resume = batch->resume; /* what is done again after a GPU was lost has left nothing */
  while ((done = run_round (batch, &renewable, error)) && batch->lost) {
    if (renewable)
      batch->renew (batch->user);
    restart (batch);
  }
  return done;
}

/* ---- What would be done ---- */

typedef struct {
  void (*tell) (gpointer user, const BatchExpected *image);
  gpointer user;
} Listener;

/* Image n of a file; fault: of the file, or NULL. */
static void
expect_image (const Batch *batch, const BatchFile *file, guint n, const char *fault, const Listener *listener)
{
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  BatchExpected expected = {.file = file->file, .series = n, .of = file->count};
  for (char **pattern = batch->patterns; *pattern; pattern++)
    g_ptr_array_add (outputs, batch_names_fill (*pattern, file->name, n));
  g_ptr_array_add (outputs, NULL);
  expected.outputs = (const char *const *) outputs->pdata;
  expected.done = file->done && file->done[n];
  if (!fault && !expected.done && file->images && !batch_file_fits (file, n, &batch->plan, &error))
    fault = error->message;
  expected.fault = fault;
  listener->tell (listener->user, &expected);
}

static void
expect_file (Batch *batch, guint input, const Listener *listener)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BatchFile) file = batch_file_new (batch->inputs, input, batch->names->pdata[input]);
  if (!file_source_is_url (file->path))
    batch_file_open (file, &batch->plan, &error);
  for (guint n = 0; n < file->count; n++)
    expect_image (batch, file, n, error ? error->message : NULL, listener);
  if (file->belongs)
    listener->tell (listener->user, &(BatchExpected){.file = file->file, .belongs = file->belongs});
}

gboolean
batch_expect (Batch *batch, void (*tell) (gpointer user, const BatchExpected *image), gpointer user, GError **error)
{
  const Listener listener = {tell, user};
  g_autoptr (BatchRecords) before = NULL;
  if (!batch->job.check (batch->job.self, error)
      || !(before = batch_journal_look (batch->folder, batch->shard, batch->resume, error)))
    return FALSE;
  batch->plan.before = before;
  for (guint i = batch->shard.number; i < batch->inputs->files->len && !progress_stopped (NULL); i += batch->shard.of)
    expect_file (batch, i, &listener);
  batch->plan.before = NULL;
  return !progress_stopped (error);
}

/* ---- What is left ---- */

/* Whether the shard, which is that of the input, has something to do for it. */
static gboolean
is_left (Batch *batch, guint input, guint shard)
{
  const GArray *before = batch->plan.before->all;
  g_autoptr (BatchFile) file = batch_file_new (batch->inputs, input, batch->names->pdata[input]);
  return file->fault || !batch_stamp_look (&file->stamp, file->path, NULL) || !batch_file_is_done (file, &batch->plan)
         || g_array_index (before, BatchRecord, batch_records_find (batch->plan.before, file->file)).shard != shard;
}

gboolean
batch_pending (Batch *batch, guint shards, guint8 *pending, GError **error)
{
  char hash[FILE_HASH_TEXT];
  guint there;
  memset (pending, TRUE, shards);
  if (!batch_journal_shards (batch->folder, &there, error))
    return FALSE;
  if (!there)
    return TRUE;
  if (there != shards)
    return file_fail (error, FILE_ERROR_FORMAT, batch->folder,
                      "has a batch in %u shards, not %u. Continue with the same number, or choose another "
                      "folder.",
                      there, shards);
  g_autoptr (BatchFolder) folder = batch_folder_new (batch->folder, error);
  if (!folder)
    return FALSE;
  hash_inputs (batch, hash);
  for (guint i = 0; i < shards; i++)
    pending[i] =
      !folder->there[i] || strcmp (g_array_index (folder->records->headers, BatchHeader, i).inputs, hash) != 0;
  batch->plan.before = folder->records;
  for (guint i = 0; i < batch->inputs->files->len; i++)
    pending[i % shards] = pending[i % shards] || is_left (batch, i, i % shards);
  batch->plan.before = NULL;
  return TRUE;
}

const char *
batch_input_path (const Batch *batch, gsize n)
{
  return n < batch->inputs->files->len ? batch_input (batch->inputs, (guint) n)->path : NULL;
}
