/* SPDX-License-Identifier: MIT
 *
 * Runs while they work: progress, cancelling, tasks, several threads, and a process that forks.
 */
#include "tests/library/support.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  GThread *thread;
  guint calls;
  double last;
  guint stop_at; /* 0: never */
} Heard;

static int
hear (void *user, unsigned step, unsigned steps, double done)
{
  Heard *heard = user;
  g_assert_true (g_thread_self () == heard->thread);
  g_assert_cmpuint (step, <=, steps);
  g_assert_cmpfloat (done, >=, heard->last);
  heard->last = done;
  return ++heard->calls == heard->stop_at;
}

/* Long enough to be heard of: the wide sigma. */
#define LONG                                                                                                           \
  "gaussian sigma=40 | gaussian sigma=40 | gaussian sigma=40 | gaussian sigma=40 | gaussian sigma=40 | gaussian "      \
  "sigma=40"

static void
test_progress (void)
{
  fovea_image *image = image_with_square (2000);
  fovea_run *run = run_of ("gaussian sigma=10 | otsu", image);
  Heard heard = {.thread = g_thread_self ()};
  g_assert_cmpint (fovea_run_execute (run, "auto", hear, &heard, NULL), ==, FOVEA_OK);
  g_assert_cmpuint (heard.calls, >=, 1);
  g_assert_cmpfloat (heard.last, ==, 1);
  g_assert_cmpfloat (fovea_run_ms (run), >, 0);
  g_assert_nonnull (fovea_run_reason (run));
  fovea_run_free (run);
  fovea_image_free (image);
}

/* How many threads of this process make runs; *sum: the sum of their ids. */
static int
count_threads (int *sum)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  int n = 0;
  *sum = 0;
  for (const char *task; (task = g_dir_read_name (tasks));) {
    g_autofree char *path = g_build_filename ("/proc/self/task", task, "comm", NULL), *comm = NULL;
    if (g_file_get_contents (path, &comm, NULL, NULL) && !strcmp (comm, "fovea-run\n")) {
      *sum += atoi (task);
      n++;
    }
  }
  return n;
}

static void
execute_heard (fovea_context *in, const fovea_image *image)
{
  fovea_recipe *recipe = fovea_recipe_parse (in, "gaussian sigma=10 | otsu", NULL);
  fovea_run *run = fovea_run_new (recipe, image, FOVEA_KEEP_NAMED, NULL);
  Heard heard = {.thread = g_thread_self ()};
  g_assert_cmpint (fovea_run_execute (run, "cpu", hear, &heard, NULL), ==, FOVEA_OK);
  g_assert_cmpuint (heard.calls, >=, 1);
  fovea_run_free (run);
  fovea_recipe_free (recipe);
}

/* The thread that works is kept from run to run, as long as the context; a process that is forked, which has not got it, makes its own. */
static void
test_progress_again (void)
{
  fovea_context *own = fovea_context_new (FOVEA_NO_PLUGINS, NULL);
  static guint16 pixels[64 * 64];
  int64_t shape[] = {64, 64};
  const DLTensor tensor = {pixels, {kDLCPU, 0}, 2, {kDLUInt, 16, 1}, shape, NULL, 0};
  fovea_image *image = fovea_image_from_dlpack (own, &tensor, NULL, NULL);
  int first, last, before = count_threads (&first), status;
  execute_heard (own, image);
  const int with = count_threads (&first);
  g_assert_cmpint (with, >, before);
  for (int i = 0; i < 5; i++)
    execute_heard (own, image);
  g_assert_cmpint (count_threads (&last), ==, with);
  g_assert_cmpint (first, ==, last);
  const pid_t child = fork ();
  if (!child) {
    execute_heard (own, image);
    fovea_image_free (image);
    fovea_context_free (own);
    _exit (0);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  fovea_image_free (image);
  fovea_context_free (own);
  while (count_threads (&last) != before) /* the system lists a thread a little longer than it lives */
    g_usleep (1000);
}

static gpointer
execute_often (gpointer over)
{
  static guint16 pixels[64 * 64];
  int64_t shape[] = {64, 64};
  const DLTensor tensor = {pixels, {kDLCPU, 0}, 2, {kDLUInt, 16, 1}, shape, NULL, 0};
  do {
    fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL);
    execute_heard (context, image);
    fovea_image_free (image);
  } while (!g_atomic_int_get ((gint *) over));
  return NULL;
}

/* Children of a process in which other threads are in the middle of runs make runs in the same context. An alarm ends one that waits for ever. */
static void
test_fork_while_busy (void)
{
#if defined __has_feature
#if __has_feature(address_sanitizer)
  g_test_skip (
    "A child of fork() can wait for ever for a lock of clang 14's AddressSanitizer that another thread held.");
  return;
#endif
#endif
  gint over = 0, now = 1;
  GThread *others[3];
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    others[i] = g_thread_new ("other", execute_often, &over);
  for (int i = 0; i < 40; i++) {
    int status;
    const pid_t child = fork ();
    if (!child) {
      alarm (60);
      execute_often (&now);
      _exit (0);
    }
    g_assert_cmpint (waitpid (child, &status, 0), ==, child);
    g_assert_cmpint (status, ==, 0);
  }
  g_atomic_int_set (&over, 1);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_thread_join (others[i]);
}

static void
test_progress_stops (void)
{
  fovea_image *image = image_with_square (3000);
  fovea_run *run = run_of (LONG, image);
  Heard heard = {.thread = g_thread_self (), .stop_at = 1};
  fovea_error *error = NULL;
  g_assert_cmpint (fovea_run_execute (run, "cpu", hear, &heard, &error), ==, FOVEA_CANCELLED);
  assert_fails (&error, FOVEA_CANCELLED, "", "");
  g_assert_cmpuint (heard.calls, >=, 1);
  g_assert_null (fovea_run_image (run, NULL, NULL));
  fovea_run_free (run);
  fovea_image_free (image);
}

static gpointer
cancel_soon (gpointer run)
{
  g_usleep (30000);
  fovea_run_cancel (run);
  return NULL;
}

static void
test_cancel (void)
{
  fovea_image *image = image_with_square (3000);
  fovea_run *run = run_of (LONG, image);
  fovea_error *error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_soon, run);
  g_assert_cmpint (fovea_run_execute (run, "cpu", NULL, NULL, &error), ==, FOVEA_CANCELLED);
  assert_fails (&error, FOVEA_CANCELLED, "", "");
  g_thread_join (thread);
  /* For good. */
  g_assert_cmpint (fovea_run_execute (run, "cpu", NULL, NULL, NULL), ==, FOVEA_CANCELLED);
  fovea_run_free (run);
  fovea_image_free (image);
}

typedef struct {
  const fovea_image *image;
  const char *steps;
} Task;

/* How many pixels are inside of what the steps make. */
static gpointer
count_in_thread (gpointer data)
{
  const Task *task = data;
  fovea_run *run = run_of (task->steps, task->image);
  execute (run);
  fovea_image *image = fovea_run_image (run, NULL, NULL);
  DLManagedTensor *tensor = fovea_image_to_dlpack (image, NULL);
  const uint8_t *pixels = tensor->dl_tensor.data;
  gsize inside = 0;
  for (int i = 0; i < 200 * 200; i++)
    inside += pixels[i] != 0;
  tensor->deleter (tensor);
  fovea_image_free (image);
  fovea_run_free (run);
  return GSIZE_TO_POINTER (inside);
}

/* Two threads, one image, one context, many times. A footprint of 3 × 3 makes 4 × 4 pixels to 2 × 2 or 6 × 6. */
static void
test_two_at_once (void)
{
  fovea_image *image = image_with_square (200);
  const Task small = {image, "otsu | erosion footprint=square radius=1"},
             large = {image, "otsu | dilation footprint=square radius=1"};
  for (int i = 0; i < 30; i++) {
    GThread *thread = g_thread_new ("other", count_in_thread, (gpointer) &small);
    g_assert_cmpuint (GPOINTER_TO_SIZE (count_in_thread ((gpointer) &large)), ==, 36);
    g_assert_cmpuint (GPOINTER_TO_SIZE (g_thread_join (thread)), ==, 4);
  }
  fovea_image_free (image);
}

/* ---- Tasks ---- */

static gpointer
cancel_when_seen (gpointer data)
{
  unsigned step, steps = 0;
  double done;
  while (!steps) /* soon */
    fovea_task_get_progress (data, &step, &steps, &done);
  g_assert_cmpuint (step, <, steps);
  g_assert_true (0 <= done && done <= 1);
  fovea_task_cancel (data);
  return NULL;
}

/* Another thread sees the progress, with and without a report to the caller, and stops it; nothing is saved then, either. */
static void
test_task (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "fovea-library-task.tif", NULL);
  fovea_image *image = image_with_square (3000);
  for (int reports = 0; reports < 2; reports++) {
    fovea_task *task = fovea_task_new ();
    fovea_run *run = run_of (LONG, image);
    Heard heard = {.thread = g_thread_self ()};
    fovea_error *error = NULL;
    GThread *thread = g_thread_new ("cancel", cancel_when_seen, task);
    fovea_task_enter (task);
    g_assert_cmpint (fovea_run_execute (run, "cpu", reports ? hear : NULL, &heard, &error), ==, FOVEA_CANCELLED);
    assert_fails (&error, FOVEA_CANCELLED, "", "");
    g_thread_join (thread);
    g_assert_cmpint (fovea_image_save (image, path, NULL, &error), ==, FOVEA_CANCELLED);
    assert_fails (&error, FOVEA_CANCELLED, "", "");
    g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    fovea_task_enter (NULL);
    fovea_run_free (run);
    fovea_task_free (task);
  }
  g_assert_cmpint (fovea_image_save (image, path, NULL, NULL), ==, FOVEA_OK);
  g_unlink (path);
  fovea_image_free (image);
}

/* A run that is cancelled takes nothing else of its task with it. */
static void
test_task_goes_on (void)
{
  fovea_image *image = image_with_square (64);
  fovea_run *stopped = run_of ("otsu", image), *run = run_of ("otsu", image);
  fovea_task *task = fovea_task_new ();
  fovea_task_enter (task);
  fovea_run_cancel (stopped);
  g_assert_cmpint (fovea_run_execute (stopped, "cpu", NULL, NULL, NULL), ==, FOVEA_CANCELLED);
  execute (run);
  fovea_task_enter (NULL);
  fovea_task_free (task);
  fovea_run_free (stopped);
  fovea_run_free (run);
  fovea_image_free (image);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/library/progress", test_progress);
  g_test_add_func ("/library/progress-again", test_progress_again);
  g_test_add_func ("/library/fork-while-busy", test_fork_while_busy);
  g_test_add_func ("/library/progress-stops", test_progress_stops);
  g_test_add_func ("/library/cancel", test_cancel);
  g_test_add_func ("/library/two-at-once", test_two_at_once);
  g_test_add_func ("/library/task", test_task);
  g_test_add_func ("/library/task-goes-on", test_task_goes_on);
  return run_tests ();
}
