/* SPDX-License-Identifier: MIT
 *
 * A queue, a thread, and replies posted to the main context.
 */
#include "core/base/worker.h"

#include "core/base/error.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

struct Worker {
  GThread *thread;
  GMainContext *context;
  gpointer (*enter) (gpointer data);
  void (*leave) (gpointer entered);
  gpointer data; /* enter's */
  GMutex lock;   /* guards all below */
  GCond wake;
  GQueue waiting;     /* Reply * */
  gconstpointer lane; /* of the running job */
  gboolean running, closing;
  int modesty; /* of its thread; 0: none */
  Progress progress;
};

/* A job on its way through. */
typedef struct {
  WorkerJob job;
  GError *error;
} Reply;

static gboolean
deliver (gpointer data)
{
  Reply *reply = data;
  reply->job.finished (reply->job.data, reply->error);
  g_clear_error (&reply->error);
  g_free (reply);
  return G_SOURCE_REMOVE;
}

static void
post (Worker *worker, Reply *reply)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, deliver, reply, NULL);
  g_source_attach (source, worker->context);
}

static void
post_cancelled (Worker *worker, Reply *reply)
{
  step_error_set (&reply->error, FV_CANCELLED, NULL, "Stopped.");
  post (worker, reply);
}

/* For this thread alone and those that it starts, which compute with it: a small share of a busy core, and waking up never
 * takes a core from another. */
static void
be_modest (int nice)
{
  struct sched_param any = {0};
  sched_setscheduler (0, SCHED_BATCH, &any);
  setpriority (PRIO_PROCESS, (id_t) gettid (), nice);
}

static gpointer
run (gpointer data)
{
  Worker *worker = data;
  if (worker->modesty)
    be_modest (worker->modesty);
  g_mutex_lock (&worker->lock);
  for (;;) {
    Reply *reply;
    while (!worker->closing && g_queue_is_empty (&worker->waiting))
      g_cond_wait (&worker->wake, &worker->lock);
    if (worker->closing)
      break;
    reply = g_queue_pop_head (&worker->waiting);
    worker->running = TRUE;
    worker->lane = reply->job.lane;
    worker->progress = (Progress){0};
    g_mutex_unlock (&worker->lock);
    gpointer entered = worker->enter ? worker->enter (worker->data) : NULL;
    reply->job.work (reply->job.data, &worker->progress, &reply->error);
    if (worker->leave)
      worker->leave (entered);
    g_mutex_lock (&worker->lock);
    worker->running = FALSE;
    post (worker, reply);
  }
  g_mutex_unlock (&worker->lock);
  return NULL;
}

static Worker *
make (int modesty)
{
  Worker *worker = g_new0 (Worker, 1);
  worker->modesty = modesty;
  worker->context = g_main_context_ref_thread_default ();
  g_mutex_init (&worker->lock);
  g_cond_init (&worker->wake);
  g_queue_init (&worker->waiting);
  worker->thread = g_thread_new ("worker", run, worker);
  return worker;
}

Worker *
worker_new (void)
{
  return make (0);
}

Worker *
worker_new_modest (WorkerModesty modesty)
{
  return make ((int) modesty);
}

void
worker_free (Worker *worker)
{
  if (!worker)
    return;
  worker_cancel (worker);
  g_mutex_lock (&worker->lock);
  worker->closing = TRUE;
  g_cond_signal (&worker->wake);
  g_mutex_unlock (&worker->lock);
  g_thread_join (worker->thread);
  g_main_context_unref (worker->context);
  g_cond_clear (&worker->wake);
  g_mutex_clear (&worker->lock);
  g_free (worker);
}

void
worker_set_turns (Worker *worker, gpointer (*enter) (gpointer data), void (*leave) (gpointer entered), gpointer data)
{
  worker->enter = enter;
  worker->leave = leave;
  worker->data = data;
}

void
worker_push (Worker *worker, const WorkerJob *job)
{
  Reply *reply = g_new (Reply, 1);
  *reply = (Reply){*job, NULL};
  g_mutex_lock (&worker->lock);
  for (GList *at = worker->waiting.head, *next; job->lane && at; at = next) {
    Reply *older = at->data;
    next = at->next;
    if (older->job.lane != job->lane)
      continue;
    g_queue_delete_link (&worker->waiting, at);
    post_cancelled (worker, older);
  }
  if (job->lane && worker->running && worker->lane == job->lane) {
    gint done = g_atomic_int_get (&worker->progress.part) * 1000 + g_atomic_int_get (&worker->progress.permille);
    if (done < 500 * MAX (1, g_atomic_int_get (&worker->progress.parts)))
      progress_stop (&worker->progress);
  }
  g_queue_push_tail (&worker->waiting, reply);
  g_cond_signal (&worker->wake);
  g_mutex_unlock (&worker->lock);
}

void
worker_cancel (Worker *worker)
{
  Reply *reply;
  g_mutex_lock (&worker->lock);
  if (worker->running)
    progress_stop (&worker->progress);
  while ((reply = g_queue_pop_head (&worker->waiting)))
    post_cancelled (worker, reply);
  g_mutex_unlock (&worker->lock);
}

gboolean
worker_progress (Worker *worker, Progress *progress)
{
  gboolean running;
  g_mutex_lock (&worker->lock);
  running = worker->running;
  progress->permille = g_atomic_int_get (&worker->progress.permille);
  progress->part = g_atomic_int_get (&worker->progress.part);
  progress->parts = g_atomic_int_get (&worker->progress.parts);
  progress->on_disk = g_atomic_int_get (&worker->progress.on_disk);
  g_mutex_unlock (&worker->lock);
  return running;
}
