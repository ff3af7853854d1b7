/* SPDX-License-Identifier: MIT
 *
 * The plugin's OpenMP: every index of every loop is executed once, for all schedules, numbers of threads and concurrent callers, in forked processes
 * and others. Results are those of the formulas.
 */
#include "plugin/helpers.h"
#include "plugin/openmp.h"
#include "tests/support/init.h"

#include <glib.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1000 };

static void
assert_each_once (const int *count, int n, int times)
{
  for (int i = 0; i < n; i++)
    g_assert_cmpint (count[i], ==, times);
}

/* ---- Loops ---- */

static void
test_loops (void)
{
  for (int threads = 1; threads <= 9; threads++) {
    int count[N] = {0};
    gint64 sum = 0, smallest = G_MAXINT64;
#pragma omp parallel for schedule(static, 16) num_threads(threads) reduction(+ : sum) reduction(min : smallest)
    for (int i = 0; i < N; i++) {
      count[i]++;
      sum += i * i;
      smallest = (i - 700) * (i - 700) - 5 < smallest ? (i - 700) * (i - 700) - 5 : smallest;
    }
    g_assert_cmpint (sum, ==, (gint64) (N - 1) * N * (2 * N - 1) / 6);
    g_assert_cmpint (smallest, ==, -5);
#pragma omp parallel for schedule(dynamic, 7) num_threads(threads)
    for (int i = 0; i < N; i++)
      count[i]++;
#pragma omp parallel for schedule(dynamic, 3) num_threads(threads)
    for (int i = N - 1; i >= 0; i -= 3)
      count[i]++;
    for (int i = 0; i < N; i++)
      g_assert_cmpint (count[i], ==, i % 3 ? 2 : 3);
#pragma omp parallel for collapse(2) schedule(dynamic, 8) num_threads(threads)
    for (int y = 0; y < N / 10; y++)
      for (int x = 0; x < 10; x++)
        count[10 * y + x] += y * 10 + x;
    for (int i = 0; i < N; i++)
      g_assert_cmpint (count[i], ==, (i % 3 ? 2 : 3) + i);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int i = 5; i < 5; i++)
      g_assert_not_reached ();
  }
}

/* Loops of one region that follow each other, with and without a barrier between. What one wrote the next one reads, from other indices. */
static void
test_loops_in_turn (void)
{
  for (int threads = 1; threads <= 9; threads++) {
    int a[N] = {0}, b[N] = {0}, c[N] = {0}, at_all[16] = {0};
    const pid_t caller = gettid ();
#pragma omp parallel num_threads(threads)
    {
      at_all[omp_get_thread_num ()] += omp_get_num_threads ();
      g_assert_true (omp_get_thread_num () > 0 || gettid () == caller);
      g_assert_true (openmp_is_caller () == (gettid () == caller));
      for (int pass = 0; pass < 20; pass++) {
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < N; i++)
          a[i] = b[N - 1 - i] + 1;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
          b[i] = a[N - 1 - i];
#pragma omp for schedule(dynamic, 16) nowait
        for (int i = 0; i < N; i++)
          c[i]++;
#pragma omp for schedule(dynamic, 3) nowait
        for (int i = N; i > 0; i--)
          c[i - 1]++;
      }
    }
    assert_each_once (a, N, 20);
    assert_each_once (b, N, 20);
    assert_each_once (c, N, 40);
    for (int i = 0; i < 16; i++)
      g_assert_cmpint (at_all[i], ==, i < threads ? threads : 0);
  }
}

/* Outside of a region there is one thread, and a nested region has one. */
static void
test_alone (void)
{
  int count[N] = {0}, inner = 0;
  g_assert_cmpint (omp_get_num_threads (), ==, 1);
  g_assert_cmpint (omp_get_thread_num (), ==, 0);
#pragma omp for schedule(dynamic, 4)
  for (int i = 0; i < N; i++)
    count[i]++;
#pragma omp parallel for num_threads(3) schedule(dynamic, 1)
  for (int i = 0; i < 10; i++) {
    const int me = omp_get_thread_num ();
#pragma omp parallel for schedule(dynamic, 3)
    for (int j = 0; j < N / 10; j++) {
      g_assert_cmpint (omp_get_num_threads (), ==, 1);
      count[10 * j + i]++;
    }
#pragma omp parallel for schedule(dynamic, 3) if (i > 1000)
    for (int j = 0; j < N / 10; j++) {
      g_assert_cmpint (omp_get_num_threads (), ==, 1);
      count[10 * j + i]++;
    }
    g_assert_cmpint (omp_get_thread_num (), ==, me);
    g_assert_cmpint (omp_get_num_threads (), ==, 3);
#pragma omp critical(inner)
    inner++;
  }
  assert_each_once (count, N, 3);
  g_assert_cmpint (inner, ==, 10);
}

/* A region with num_threads(1) has one thread, and the next one has all again. */
static void
test_if (void)
{
  for (int shared = 0; shared < 2; shared++) {
    int count[N] = {0}, size = 0, last = 0;
#pragma omp parallel num_threads(4) if (shared)
    {
#pragma omp for schedule(dynamic, 4) nowait
      for (int i = 0; i < N; i++)
        count[i]++;
#pragma omp for schedule(dynamic, 4) lastprivate(last)
      for (int i = 0; i < N; i++) {
        count[i]++;
        last = i;
      }
#pragma omp critical(size)
      size = omp_get_num_threads ();
#pragma omp barrier
#pragma omp for schedule(static, 3)
      for (unsigned i = 0; i < N; i++)
        count[i]++;
    }
    assert_each_once (count, N, 3);
    g_assert_cmpint (size, ==, shared ? 4 : 1);
    g_assert_cmpint (last, ==, N - 1);
  }
}

static void
test_critical (void)
{
  gint64 sum = 0, largest = 0, atomics = 0;
  double quick = 0;
#pragma omp parallel for num_threads(4) reduction(+ : quick) reduction(max : largest)
  for (int i = 1; i <= 20000; i++) {
#pragma omp critical(outer)
    {
      sum += i;
#pragma omp critical(within)
      atomics += i % 2;
    }
    quick += i;
    largest = i > largest ? i : largest;
  }
  g_assert_cmpint (sum, ==, 200010000);
  g_assert_cmpint (atomics, ==, 10000);
  g_assert_cmpfloat (quick, ==, 200010000);
  g_assert_cmpint (largest, ==, 20000);
}

/* ---- Limits ---- */

static int
size_of_team (void)
{
  int size = 0;
#pragma omp parallel
#pragma omp critical(size)
  size = omp_get_num_threads ();
  return size;
}

static gpointer
size_on_another (gpointer data)
{
  (void) data;
  return GINT_TO_POINTER (size_of_team ());
}

/* Of the calling thread alone. */
static void
test_limit (void)
{
  const int all = size_of_team ();
  openmp_limit (3);
  g_assert_cmpint (omp_get_max_threads (), ==, 3);
  g_assert_cmpint (size_of_team (), ==, 3);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (g_thread_new ("other", size_on_another, NULL))), ==, all);
  openmp_limit (1);
  g_assert_cmpint (size_of_team (), ==, 1);
  openmp_limit (0);
  g_assert_cmpint (size_of_team (), ==, all);
}

/* ---- Many callers ---- */

static gpointer
sum_often (gpointer data)
{
  for (int round = 0; round < 300; round++) {
    gint64 sum = 0;
#pragma omp parallel for schedule(dynamic, 10) num_threads(3) reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum += i + GPOINTER_TO_INT (data);
    g_assert_cmpint (sum, ==, (gint64) N * (N - 1) / 2 + N * GPOINTER_TO_INT (data));
  }
  return NULL;
}

static void
test_callers (void)
{
  GThread *threads[8];
  for (int i = 0; i < 8; i++)
    threads[i] = g_thread_new ("caller", sum_often, GINT_TO_POINTER (i));
  for (int i = 0; i < 8; i++)
    g_thread_join (threads[i]);
}

/* ---- Helpers ---- */

typedef struct {
  GMutex lock;
  GCond change;
  int begun;
  gboolean held;
} Held;

/* Holds the first helper until the caller lets it go. */
static void
hold (void *data)
{
  Held *h = data;
  g_mutex_lock (&h->lock);
  h->begun++;
  g_cond_broadcast (&h->change);
  while (h->held)
    g_cond_wait (&h->change, &h->lock);
  g_mutex_unlock (&h->lock);
}

/* The end waits for a helper that has begun, and for no other. */
static void
test_helpers (void)
{
  Held h = {.held = TRUE};
  helper *list;
  g_assert_cmpuint (helpers_take (3, &list), ==, 3);
  helpers_begin (list, hold, &h);
  g_mutex_lock (&h.lock);
  while (!h.begun)
    g_cond_wait (&h.change, &h.lock);
  h.held = FALSE;
  g_cond_broadcast (&h.change);
  g_mutex_unlock (&h.lock);
  helpers_end (list);
  const int begun = h.begun;
  g_assert_cmpint (begun, >=, 1);
  g_assert_cmpint (begun, <=, 3);
  g_assert_cmpuint (helpers_take (3, &list), ==, 3);
  helpers_end (list); /* of nothing */
  g_assert_cmpint (h.begun, ==, begun);
}

static int
nice_of_team (void)
{
  int smallest = 100;
#pragma omp parallel num_threads(4) reduction(min : smallest)
  {
    smallest = getpriority (PRIO_PROCESS, 0);
#pragma omp barrier
  }
  return smallest;
}

static gpointer
nice_on_modest (gpointer data)
{
  (void) data;
  setpriority (PRIO_PROCESS, (id_t) gettid (), 7);
  return GINT_TO_POINTER (nice_of_team ());
}

/* Threads that compute for a modest one are as modest, and no others. */
static void
test_modest (void)
{
  const int own = getpriority (PRIO_PROCESS, 0);
  g_assert_cmpint (nice_of_team (), ==, own);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (g_thread_new ("modest", nice_on_modest, NULL))), ==, MAX (own, 7));
  g_assert_cmpint (nice_of_team (), ==, own);
}

/* ---- fork() ---- */

static void
assert_ends_well (pid_t child)
{
  int status;
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

/* A child computes, and its child does, while other threads of the parent compute. An alarm ends one that waits for ever. */
static void
test_fork (void)
{
  GThread *others[3];
  for (int i = 0; i < 3; i++)
    others[i] = g_thread_new ("caller", sum_often, GINT_TO_POINTER (i));
  for (int round = 0; round < 40; round++) {
    sum_often (GINT_TO_POINTER (1));
    const pid_t child = fork ();
    if (!child) {
      alarm (20);
      sum_often (GINT_TO_POINTER (2));
      const pid_t grandchild = fork ();
      test_critical ();
      if (!grandchild)
        _exit (0);
      assert_ends_well (grandchild);
      _exit (0);
    }
    assert_ends_well (child);
  }
  for (int i = 0; i < 3; i++)
    g_thread_join (others[i]);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/openmp/loops", test_loops);
  g_test_add_func ("/openmp/loops-in-turn", test_loops_in_turn);
  g_test_add_func ("/openmp/alone", test_alone);
  g_test_add_func ("/openmp/if", test_if);
  g_test_add_func ("/openmp/critical", test_critical);
  g_test_add_func ("/openmp/limit", test_limit);
  g_test_add_func ("/openmp/callers", test_callers);
  g_test_add_func ("/openmp/helpers", test_helpers);
  g_test_add_func ("/openmp/modest", test_modest);
  g_test_add_func ("/openmp/fork", test_fork);
  return g_test_run ();
}
