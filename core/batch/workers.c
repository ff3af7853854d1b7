/* SPDX-License-Identifier: MIT
 *
 * Each worker processes one image at a time; the waiting thread commits finished images at least once a second.
 *
 * A GPU reports a fault late, so all images in work at that time are suspects. A new process runs them first, one at
 * a time. An image on which the GPU fails again is guilty and runs on the CPU, last of all, so that it alone is in
 * doubt.
 */
#include "core/base/error.h"
#include "core/base/file_read.h"
#include "core/base/file_target.h"
#include "core/base/parallel.h"
#include "core/batch/batch_private.h"

#include <string.h>

enum {
  OFTEN_US = 50000, /* from one commit to the next at least */
  PAUSE = 20,       /* times what the last one took */
};

/* One image of a file with several, for any free worker. */
typedef struct {
  BatchFile *file;
  guint n;
} Further;

/* ---- Which images are next: suspects, others, guilty ones ---- */

/* In which turn an image is processed, by its last record. */
static BatchTurn
turn_of (const Batch *batch, const BatchRecord *failed)
{
  if (!failed || !failed->suspect || batch->all_on_cpu)
    return BATCH_TURN_OTHERS;
  return failed->suspect == 1 ? BATCH_TURN_SUSPECTS : BATCH_TURN_GUILTY;
}

/* Whether an input has images of the turn. With the lock held. */
static gboolean
has_turn (const Batch *batch, guint input)
{
  const GArray *before = batch->plan.before->all;
  const char *file = batch_input_name (batch->inputs, input);
  if (batch->turn == BATCH_TURN_OTHERS)
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
  if (batch->turn == BATCH_TURN_OTHERS) {
    batch->counts.images = batch->counts.images + file->count - 1;
    batch->counts.parts += file->belongs != NULL;
  }
  for (guint n = 0; n < file->count; n++) {
    Further further = {file, n};
    if (file->done[n]) {
      batch->counts.done += batch->turn == BATCH_TURN_OTHERS;
      batch->counts.before += batch->turn == BATCH_TURN_OTHERS;
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
  const gboolean alone = batch->turn == BATCH_TURN_SUSPECTS;
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
  const BatchRecord *before =
    batch->turn == BATCH_TURN_GUILTY ? batch_file_failed_before (file, n, &batch->plan) : NULL;
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

/* ---- All turns ---- */

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
take_turn (Batch *batch, BatchTurn turn)
{
  static const char guilty[] = "The GPU fails on this image, so it was processed on the CPU.",
                    others[] = "The GPU had failed on another image, so this one was processed on the CPU.";
  const guint cores = parallel_threads (),
              max = turn == BATCH_TURN_SUSPECTS ? 1
                    : batch->at_a_time          ? batch->at_a_time
                                                : cores,
              jobs = MAX (1, MIN (max, batch_inputs_of_shard (batch->inputs, batch->shard)));
  Crew crew = {batch, MAX (1, cores / jobs)};
  g_autofree GThread **threads = g_new0 (GThread *, jobs);
  GError *fault = NULL;
  guint started = 0;
  batch->turn = turn;
  batch->next = batch->shard.number;
  batch->plan.on_cpu = batch->all_on_cpu ? others : turn == BATCH_TURN_GUILTY ? guilty : NULL;
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
is_needed (Batch *batch, BatchTurn turn)
{
  batch->turn = turn;
  batch->next = batch->shard.number;
  skip_inputs (batch);
  return turn == BATCH_TURN_OTHERS || batch->next < batch->inputs->files->len;
}

gboolean
batch_work (Batch *batch, GError **error)
{
  GError *fault = NULL;
  for (BatchTurn turn = 0;
       turn < N_BATCH_TURNS && !batch->fault && !batch->lost && !progress_is_stopped (&batch->progress); turn++)
    if (is_needed (batch, turn))
      take_turn (batch, turn);
  if (!batch_journal_commit (batch->plan.journal, &fault))
    give_up (batch, fault);
  if (!batch->fault)
    return batch->lost || !progress_stopped (error);
  g_propagate_error (error, g_steal_pointer (&batch->fault));
  return FALSE;
}
