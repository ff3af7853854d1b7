/* SPDX-License-Identifier: MIT
 *
 * A child of fork() waits for no thread that it does not have.
 */
#include "core/base/fork.h"

#include "tests/support/support.h"

#include <sys/wait.h>
#include <unistd.h>

enum { TOO_LONG = 20 /* s, for a child */ };

static int begun, state, times;

static gboolean
work (void)
{
  g_atomic_int_inc (&times);
  g_atomic_int_set (&begun, 1);
  g_usleep (G_USEC_PER_SEC / 5);
  return TRUE;
}

static gpointer
do_once (gpointer none)
{
  (void) none;
  return GINT_TO_POINTER (fork_once (&state, work));
}

/* Work that another thread is at while this one forks. */
static void
test_once (void)
{
  GThread *thread = g_thread_new (NULL, do_once, NULL);
  int status;
  while (!g_atomic_int_get (&begun))
    g_usleep (1000);
  const pid_t child = fork ();
  if (!child) {
    alarm (TOO_LONG);
    _exit (fork_once (&state, work) && g_atomic_int_get (&times) == 1 ? 0 : 1);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (GPOINTER_TO_INT (g_thread_join (thread)));
  g_assert_true (fork_once (&state, work));
  g_assert_cmpint (times, ==, 1);
}

static gboolean
fail (void)
{
  return FALSE;
}

static void
test_failure (void)
{
  int absent = 0;
  g_assert_false (fork_once (&absent, fail));
  g_assert_false (fork_once (&absent, work));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/fork/once", test_once);
  g_test_add_func ("/fork/failure", test_failure);
  return g_test_run ();
}
