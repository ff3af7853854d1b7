/* SPDX-License-Identifier: MIT
 *
 * A worker is a queue; the threads are shared. Workers of one modesty have one pool, whose threads take the workers with something to do in
 * turn, a job of each. A thread that finds nothing to do for a while ends, and with it the threads that computed for it (libgomp keeps a team
 * for each thread that calls an operation).
 */
#include "core/base/worker.h"

#include "core/base/error.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#define LINGER (5 * G_TIME_SPAN_SECOND) /* how long a thread waits for another job */

typedef struct Pool {
  int modesty;   /* of its threads; 0: none */
  GMutex lock;   /* guards all below, and all of its workers */
  GQueue ready;  /* Worker *, each with a waiting job and without a running one */
  GQueue idle;   /* Idle *, the one that worked last first: few threads have much to do rather than many little */
  guint threads; /* threads in total, idle or not */
} Pool;

/* A thread without a job, on its stack. */
typedef struct {
  GCond wake;
  gboolean woken;
} Idle;

struct Worker {
  Pool *pool;
  GMainContext *context;
  gpointer (*enter) (gpointer data);
  void (*leave) (gpointer entered);
  gpointer data;      /* enter's */
  GCond ended;        /* a job has */
  GQueue waiting;     /* Reply * */
  gconstpointer lane; /* of the running job */
  gboolean running;
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

/* ---- Threads ---- */

/* Threads that a pool has at most: jobs of the app that may take hours, such as a batch, never hold up those of the image that is seen. */
static guint
max_threads (void)
{
  return g_get_num_processors () + 6;
}

/* Waits for a job; FALSE when none has come for a while. */
static gboolean
wait_for_job (Pool *pool)
{
  Idle self = {.woken = FALSE};
  const gint64 until = g_get_monotonic_time () + LINGER;
  g_cond_init (&self.wake);
  g_queue_push_head (&pool->idle, &self);
  while (!self.woken && g_cond_wait_until (&self.wake, &pool->lock, until))
    ;
  if (!self.woken)
    g_queue_remove (&pool->idle, &self);
  g_cond_clear (&self.wake);
  return self.woken;
}

/* The next job of a worker, without the lock while it works. */
static void
work (Pool *pool, Worker *worker)
{
  Reply *reply = g_queue_pop_head (&worker->waiting);
  worker->running = TRUE;
  worker->lane = reply->job.lane;
  worker->progress = (Progress){0};
  g_mutex_unlock (&pool->lock);
  gpointer entered = worker->enter ? worker->enter (worker->data) : NULL;
  reply->job.work (reply->job.data, &worker->progress, &reply->error);
  if (worker->leave)
    worker->leave (entered);
  g_mutex_lock (&pool->lock);
  worker->running = FALSE;
  post (worker, reply);
  if (!g_queue_is_empty (&worker->waiting))
    g_queue_push_tail (&pool->ready, worker);
  g_cond_broadcast (&worker->ended); /* from now on it may be gone */
}

static gpointer
serve (gpointer data)
{
  Pool *pool = data;
  if (pool->modesty)
    be_modest (pool->modesty);
  g_mutex_lock (&pool->lock);
  do
    while (!g_queue_is_empty (&pool->ready))
      work (pool, g_queue_pop_head (&pool->ready));
  while (wait_for_job (pool));
  pool->threads--;
  g_mutex_unlock (&pool->lock);
  return NULL;
}

/* A worker has something to do: the thread that worked last takes it, or a new one. */
static void
make_ready (Pool *pool, Worker *worker)
{
  Idle *idle = g_queue_pop_head (&pool->idle);
  g_queue_push_tail (&pool->ready, worker);
  if (idle) {
    idle->woken = TRUE;
    g_cond_signal (&idle->wake);
  } else if (pool->threads < max_threads ()) {
    pool->threads++;
    g_thread_unref (g_thread_new ("worker", serve, pool));
  }
}

/* ---- Workers ---- */

static Worker *
make (Pool *pool)
{
  Worker *worker = g_new0 (Worker, 1);
  worker->pool = pool;
  worker->context = g_main_context_ref_thread_default ();
  g_cond_init (&worker->ended);
  g_queue_init (&worker->waiting);
  return worker;
}

Worker *
worker_new (void)
{
  static Pool pool;
  return make (&pool);
}

Worker *
worker_new_modest (WorkerModesty modesty)
{
  static Pool soon = {.modesty = WORKER_SOON}, later = {.modesty = WORKER_LATER};
  return make (modesty == WORKER_SOON ? &soon : &later);
}

/* Drops what waits. With the lock. */
static void
cancel (Worker *worker)
{
  Reply *reply;
  if (worker->running)
    progress_stop (&worker->progress);
  while ((reply = g_queue_pop_head (&worker->waiting)))
    post_cancelled (worker, reply);
  g_queue_remove (&worker->pool->ready, worker);
}

void
worker_free (Worker *worker)
{
  if (!worker)
    return;
  g_mutex_lock (&worker->pool->lock);
  cancel (worker);
  while (worker->running)
    g_cond_wait (&worker->ended, &worker->pool->lock);
  g_mutex_unlock (&worker->pool->lock);
  g_main_context_unref (worker->context);
  g_cond_clear (&worker->ended);
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
  g_mutex_lock (&worker->pool->lock);
  const gboolean ready = worker->running || !g_queue_is_empty (&worker->waiting);
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
  if (!ready)
    make_ready (worker->pool, worker);
  g_mutex_unlock (&worker->pool->lock);
}

void
worker_cancel (Worker *worker)
{
  g_mutex_lock (&worker->pool->lock);
  cancel (worker);
  g_mutex_unlock (&worker->pool->lock);
}

gboolean
worker_progress (Worker *worker, Progress *progress)
{
  gboolean running;
  g_mutex_lock (&worker->pool->lock);
  running = worker->running;
  progress->permille = g_atomic_int_get (&worker->progress.permille);
  progress->part = g_atomic_int_get (&worker->progress.part);
  progress->parts = g_atomic_int_get (&worker->progress.parts);
  progress->on_disk = g_atomic_int_get (&worker->progress.on_disk);
  g_mutex_unlock (&worker->pool->lock);
  return running;
}
