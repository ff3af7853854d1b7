/* SPDX-License-Identifier: MIT
 *
 * Jobs of a worker while others push, cancel and look on, and runs of steps on one. Built with ThreadSanitizer, too.
 */
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/run/execute.h"
#include "tests/support/support.h"
#include "core/base/worker.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
  Worker *worker;
  Image *image;
  guint pushed, finished, done, cancelled;
  gint working; /* jobs at this moment */
  gint64 sum;   /* written by jobs, read when they are finished */
} Fixture;

typedef struct {
  Fixture *f;
  gint64 value; /* written by the job */
  int steps;    /* milliseconds, unless stopped */
} Job;

static gboolean
work (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  g_assert_cmpint (g_atomic_int_add (&job->f->working, 1), ==, 0);
  for (int i = 0; i < job->steps; i++) {
    if (progress_report (progress, i, job->steps)) {
      step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
      break;
    }
    g_usleep (1000);
  }
  job->f->sum++;
  job->value = 1;
  g_atomic_int_add (&job->f->working, -1);
  return !*error;
}

static void
finished (gpointer data, const GError *error)
{
  Job *job = data;
  job->f->finished++;
  if (!error)
    job->f->done++;
  else {
    g_assert_true (step_error_is_cancelled (error));
    job->f->cancelled++;
  }
  g_assert_true (error || job->value == 1);
  g_free (job);
}

static void
push (Fixture *f, int steps, gconstpointer lane)
{
  Job *job = g_new0 (Job, 1);
  *job = (Job){f, 0, steps};
  f->pushed++;
  worker_push (f->worker, &(WorkerJob){work, finished, job, lane});
}

static void
wait_for_all (Fixture *f)
{
  while (f->finished < f->pushed)
    g_main_context_iteration (NULL, TRUE);
}

/* Each job is told about once, one works at a time, and of a lane the latest is done. */
static void
test_lanes (void)
{
  Fixture f = {.worker = worker_new ()};
  static const int lanes[2];
  for (int i = 0; i < 200; i++) {
    Progress progress;
    push (&f, i % 7, i % 3 ? &lanes[i % 2] : NULL);
    worker_progress (f.worker, &progress);
    g_assert_cmpint (progress.permille, <=, 1000);
    if (i % 5 == 0)
      g_main_context_iteration (NULL, FALSE);
  }
  wait_for_all (&f);
  g_assert_cmpuint (f.done, >=, 67); /* those without a lane, at least */
  g_assert_cmpuint (f.done + f.cancelled, ==, 200);
  g_assert_cmpint (f.sum, >=, f.done);
  worker_free (f.worker);
}

static void
test_cancel_and_free (void)
{
  for (int i = 0; i < 20; i++) {
    Fixture f = {.worker = i % 2 ? worker_new () : worker_new_modest (WORKER_LATER)};
    push (&f, 10000, NULL);
    push (&f, 10000, NULL);
    g_usleep (i * 500);
    if (i % 4 < 2)
      worker_cancel (f.worker);
    push (&f, 10000, NULL);
    worker_free (f.worker); /* jobs are told about in the main context, whenever it runs */
    wait_for_all (&f);
    g_assert_cmpuint (f.cancelled, ==, 3);
  }
}

typedef struct {
  GMutex lock;
  guint entered, left;
} Turns;

static gpointer
take_turn (gpointer data)
{
  g_mutex_lock (&((Turns *) data)->lock);
  ((Turns *) data)->entered++;
  return data;
}

static void
give_turn (gpointer entered)
{
  ((Turns *) entered)->left++;
  g_mutex_unlock (&((Turns *) entered)->lock);
}

/* While another one has the turn no job works; each has one of its own. */
static void
test_turns (void)
{
  Turns turns = {.entered = 0};
  Fixture f = {.worker = worker_new ()};
  g_mutex_init (&turns.lock);
  worker_set_turns (f.worker, take_turn, give_turn, &turns);
  g_mutex_lock (&turns.lock);
  for (int i = 0; i < 3; i++)
    push (&f, 1, NULL);
  g_usleep (20000);
  g_assert_cmpint (f.sum, ==, 0);
  g_mutex_unlock (&turns.lock);
  wait_for_all (&f);
  worker_free (f.worker);
  g_assert_cmpint (f.sum, ==, 3);
  g_assert_cmpuint (turns.entered, ==, 3);
  g_assert_cmpuint (turns.left, ==, 3);
  g_mutex_clear (&turns.lock);
}

static const gint64 grace = 50 * 1000;

static gboolean
graced_work (gpointer data, Progress *progress, GError **error)
{
  progress_set_grace (progress, grace);
  return work (data, progress, error);
}

/* A job in its grace period is not stopped; a stop requested meanwhile takes effect after it. */
static void
test_grace (void)
{
  const gint64 start = g_get_monotonic_time ();
  Fixture f = {.worker = worker_new (), .pushed = 1};
  Job *job = g_new0 (Job, 1);
  *job = (Job){&f, 0, 10000};
  worker_push (f.worker, &(WorkerJob){graced_work, finished, job, NULL});
  while (!worker_progress (f.worker, &(Progress){0}))
    g_usleep (100);
  worker_cancel (f.worker);
  wait_for_all (&f);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, grace);
  g_assert_cmpuint (f.cancelled, ==, 1);
  worker_free (f.worker);
}

/* How the kernel shares cores with the threads of a job: its own and those that it computes with. */
typedef struct {
  int nice;                 /* of who made them */
  gint seen, plain, modest; /* threads; atomic */
  gboolean finished;
} Shares;

static gboolean
look_at_share (gpointer data, G_GNUC_UNUSED guint64 i, G_GNUC_UNUSED GError **error)
{
  Shares *shares = data;
  g_atomic_int_inc (&shares->seen);
  int nice = getpriority (PRIO_PROCESS, (id_t) gettid ());
  if (sched_getscheduler (0) == SCHED_BATCH && nice == WORKER_LATER)
    g_atomic_int_inc (&shares->modest);
  if (sched_getscheduler (0) == SCHED_OTHER && nice == shares->nice)
    g_atomic_int_inc (&shares->plain);
  return TRUE;
}

static gboolean
shares_work (gpointer data, G_GNUC_UNUSED Progress *progress, GError **error)
{
  return parallel_do (16, G_MAXUINT64, look_at_share, data, error);
}

static void
shares_finished (gpointer data, G_GNUC_UNUSED const GError *error)
{
  ((Shares *) data)->finished = TRUE;
}

/* All threads of a modest worker are modest, and none other: not those of a plain one, not the one that made them. */
static void
test_modest (void)
{
  for (int modest = 0; modest < 2; modest++) {
    Shares shares = {.nice = getpriority (PRIO_PROCESS, (id_t) gettid ())};
    Worker *worker = modest ? worker_new_modest (WORKER_LATER) : worker_new ();
    worker_push (worker, &(WorkerJob){shares_work, shares_finished, &shares, NULL});
    while (!shares.finished)
      g_main_context_iteration (NULL, TRUE);
    worker_free (worker);
    g_assert_cmpint (shares.seen, ==, 16);
    g_assert_cmpint (shares.modest, ==, modest * 16);
    g_assert_cmpint (shares.plain, ==, (1 - modest) * 16);
  }
  g_assert_cmpint (sched_getscheduler (0), ==, SCHED_OTHER);
}

/* Of nothing nothing is done. */
static void
test_nothing_to_do (void)
{
  Progress progress = {.permille = 7};
  g_assert_false (progress_report (&progress, 0, 0));
  g_assert_cmpint (progress.permille, ==, 0);
}

typedef struct {
  gint part, parts, permille;
  gboolean stopped; /* when a newer one comes */
} Far;

typedef struct {
  Far far;
  gint started, newer; /* atomic */
  gboolean finished, cancelled;
} Measured;

/* Gets as far as it shall, says so and waits for the newer one. */
static gboolean
measured_work (gpointer data, Progress *progress, GError **error)
{
  Measured *m = data;
  progress_part (progress, m->far.part, m->far.parts);
  progress_report (progress, m->far.permille, 1000);
  g_atomic_int_set (&m->started, 1);
  while (!g_atomic_int_get (&m->newer))
    g_usleep (1000);
  if (progress_is_stopped (progress))
    step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
  return !*error;
}

static void
measured_finished (gpointer data, const GError *error)
{
  Measured *m = data;
  m->cancelled = error != NULL;
  m->finished = TRUE;
}

/* A newer job of the lane stops an older one that is not half done. */
static void
test_half (void)
{
  static const Far all[] = {{0, 1, 499, TRUE}, {0, 1, 500, FALSE}, {0, 0, 600, FALSE}, {0, 2, 990, TRUE},
                            {1, 2, 0, FALSE},  {1, 4, 900, TRUE},  {2, 4, 100, FALSE}};
  static const char lane;
  Fixture f = {.worker = worker_new ()};
  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    Measured m = {.far = all[i]};
    worker_push (f.worker, &(WorkerJob){measured_work, measured_finished, &m, &lane});
    while (!g_atomic_int_get (&m.started))
      g_usleep (1000);
    push (&f, 0, &lane);
    g_atomic_int_set (&m.newer, 1);
    wait_for_all (&f);
    g_assert_true (m.finished);
    g_assert_cmpint (m.cancelled, ==, all[i].stopped);
  }
  g_assert_cmpuint (f.done, ==, G_N_ELEMENTS (all));
  worker_free (f.worker);
}

/* ---- Shared threads ---- */

static guint
count_threads (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir))
    n++;
  return n;
}

/* Two jobs that each wait for the other one come to their ends only when they work at the same time. */
typedef struct {
  gint here; /* atomic */
  guint finished;
} Meeting;

static gboolean
meet (gpointer data, G_GNUC_UNUSED Progress *progress, G_GNUC_UNUSED GError **error)
{
  Meeting *meeting = data;
  g_atomic_int_inc (&meeting->here);
  while (g_atomic_int_get (&meeting->here) < 2)
    g_usleep (100);
  return TRUE;
}

static void
met (gpointer data, G_GNUC_UNUSED const GError *error)
{
  ((Meeting *) data)->finished++;
}

static void
test_side_by_side (void)
{
  Meeting meeting = {0};
  Worker *workers[2] = {worker_new_modest (WORKER_SOON), worker_new_modest (WORKER_SOON)};
  for (int i = 0; i < 2; i++)
    worker_push (workers[i], &(WorkerJob){meet, met, &meeting, NULL});
  while (meeting.finished < 2)
    g_main_context_iteration (NULL, TRUE);
  for (int i = 0; i < 2; i++)
    worker_free (workers[i]);
}

/* Hundreds of workers, each with its jobs in turn, have few threads, and none when they have had nothing to do for a while. */
static void
test_few_threads (void)
{
  enum { WORKERS = 300 };
  const guint before = count_threads (), max = 3 * (g_get_num_processors () + 6);
  guint seen = 0;
  Fixture f[WORKERS] = {0};
  for (int i = 0; i < WORKERS; i++)
    f[i].worker = i % 3 == 0 ? worker_new () : worker_new_modest (i % 3 == 1 ? WORKER_SOON : WORKER_LATER);
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < WORKERS; i++) {
      push (&f[i], 1, NULL);
      seen = MAX (seen, count_threads ());
    }
  for (int i = 0; i < WORKERS; i++)
    wait_for_all (&f[i]);
  seen = MAX (seen, count_threads ());
  g_assert_cmpuint (seen, >, 1);
  g_assert_cmpuint (seen, <=, before + max);
  for (int i = 0; i < WORKERS; i++) {
    g_assert_cmpint (f[i].sum, ==, 3);
    g_assert_cmpuint (f[i].done, ==, 3);
  }
  const gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  while (count_threads () > before && g_get_monotonic_time () < end)
    g_usleep (10000);
  g_assert_cmpuint (count_threads (), <=, before);
  push (&f[0], 1, NULL);
  wait_for_all (&f[0]);
  for (int i = 0; i < WORKERS; i++)
    worker_free (f[i].worker);
}

/* A job that a worker has ready, behind others, goes with the worker. */
static void
test_free_while_others_work (void)
{
  enum { WORKERS = 60 };
  for (int round = 0; round < 20; round++) {
    Fixture f[WORKERS] = {0};
    for (int i = 0; i < WORKERS; i++) {
      f[i].worker = worker_new_modest (WORKER_SOON);
      push (&f[i], 2, NULL);
      push (&f[i], 2, NULL);
    }
    for (int i = WORKERS; i-- > 0;)
      worker_free (f[i].worker);
    for (int i = 0; i < WORKERS; i++) {
      wait_for_all (&f[i]);
      g_assert_cmpuint (f[i].done + f[i].cancelled, ==, 2);
    }
  }
}

/* ---- Runs ---- */

typedef struct {
  Fixture *f;
  Run *run;
} RunJob;

static gboolean
run_work (gpointer data, Progress *progress, GError **error)
{
  RunJob *job = data;
  return run_execute (job->run, modules_device (test_modules (), "cpu", NULL), progress, error);
}

static void
run_finished (gpointer data, const GError *error)
{
  RunJob *job = data;
  job->f->finished++;
  if (!error) {
    Image *last = run_last_image (job->run);
    const guint8 *plane = image_plane (last, 0, NULL);
    g_assert_true (plane[0] == 0 || plane[0] == 255);
    job->f->done++;
  } else
    g_assert_true (step_error_is_cancelled (error));
  run_free (job->run);
  g_free (job);
}

/* Steps are changed while they run: new ones come, take over results, are stopped, and the window looks at the image. */
static void
test_runs (void)
{
  Fixture f = {.worker = worker_new (), .image = image_random (FV_U16, FV_IMAGE, 1, 3, 120, 130, 1)};
  for (int i = 0; i < 30; i++) {
    g_autofree char *steps = g_strdup_printf ("gaussian sigma=%d | otsu", 1 + i % 4);
    RunJob *job = g_new (RunJob, 1);
    *job = (RunJob){&f, run_of (steps, f.image)};
    f.pushed++;
    worker_push (f.worker, &(WorkerJob){run_work, run_finished, job, &f});
    image_plane_now (f.image, i % 3);
    g_assert_nonnull (image_plane (f.image, i % 3, NULL));
    if (i % 10 == 5)
      worker_cancel (f.worker);
    g_usleep (3000);
    g_main_context_iteration (NULL, FALSE);
  }
  wait_for_all (&f);
  worker_free (f.worker);
  image_unref (f.image);
  g_assert_cmpuint (f.done, >=, 1);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/worker/lanes", test_lanes);
  g_test_add_func ("/worker/modest", test_modest);
  g_test_add_func ("/worker/half", test_half);
  g_test_add_func ("/worker/nothing-to-do", test_nothing_to_do);
  g_test_add_func ("/worker/turns", test_turns);
  g_test_add_func ("/worker/grace", test_grace);
  g_test_add_func ("/worker/cancel-and-free", test_cancel_and_free);
  g_test_add_func ("/worker/side-by-side", test_side_by_side);
  g_test_add_func ("/worker/few-threads", test_few_threads);
  g_test_add_func ("/worker/free-while-others-work", test_free_while_others_work);
  g_test_add_func ("/worker/runs", test_runs);
  return g_test_run ();
}
