/* SPDX-License-Identifier: MIT
 *
 * Work on all cores: every piece once, the fault of the first, and a wish to stop that reaches all threads.
 */
#include "core/base/error.h"
#include "core/base/file_error.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "tests/support/init.h"

#include <string.h>

enum { PIECES = 1000 };

typedef struct {
  gint times[PIECES];
  guint64 faulty, later; /* pieces that fail; PIECES: none */
  Progress *stop;        /* is stopped by piece 10 */
  gint done, failed;
} Work;

static gboolean
work (gpointer data, guint64 i, GError **error)
{
  Work *w = data;
  g_atomic_int_inc (&w->times[i]);
  g_atomic_int_inc (&w->done);
  if (i == w->faulty) {
    g_usleep (20000); /* the other one is told before */
    g_atomic_int_set (&w->failed, TRUE);
  }
  if (i == w->faulty || i == w->later)
    return file_fail (error, FILE_ERROR_DAMAGED, "file", "has a fault in piece %d.", (int) i);
  while (i > w->later && !g_atomic_int_get (&w->failed))
    g_usleep (100);
  if (i > w->later)
    g_usleep (1000); /* until all threads have seen it, however few cores there are */
  if (w->stop && i == 10)
    progress_stop (w->stop);
  while (w->stop && i > 10 && !progress_is_stopped (w->stop))
    g_usleep (100); /* piece 10 has begun, but its thread may have to wait for a core */
  return TRUE;
}

static void
test_all (void)
{
  for (guint threads = 0; threads < 5; threads++) {
    Work w = {.faulty = PIECES, .later = PIECES};
    g_autoptr (GError) error = NULL;
    g_assert_true (parallel_do (PIECES, threads, work, &w, &error));
    g_assert_no_error (error);
    for (int i = 0; i < PIECES; i++)
      g_assert_cmpint (w.times[i], ==, 1);
  }
  g_assert_true (parallel_do (0, 8, work, NULL, NULL));
}

static void
test_first_fault (void)
{
  Work w = {.faulty = 5, .later = 6};
  g_autoptr (GError) error = NULL;
  g_assert_false (parallel_do (PIECES, 8, work, &w, &error));
  g_assert_error (error, FILE_ERROR, FILE_ERROR_DAMAGED);
  g_assert_nonnull (strstr (error->message, "piece 5"));
  g_assert_cmpint (w.done, <, PIECES);
  g_assert_cmpint (w.times[PIECES - 1], ==, 0);
}

static void
test_stop (void)
{
  Progress progress = {0};
  Work w = {.faulty = PIECES, .later = PIECES, .stop = &progress};
  g_autoptr (GError) error = NULL;
  progress_enter (&progress);
  g_assert_false (parallel_do (PIECES, 8, work, &w, &error));
  g_assert_true (progress_current () == &progress);
  progress_enter (NULL);
  g_assert_true (step_error_is_cancelled (error));
  g_assert_cmpint (w.done, <, 10 + 1 + (gint) parallel_threads ());
}

/* Pieces of pieces, on the thread of their piece. */
static gboolean
one_thread (gpointer data, guint64 i, GError **error)
{
  (void) i, (void) error;
  g_assert_true (g_thread_self () == data);
  return TRUE;
}

static gboolean
nested (gpointer data, guint64 i, GError **error)
{
  (void) data, (void) i;
  return parallel_do (20, 8, one_thread, g_thread_self (), error);
}

static void
test_nested (void)
{
  g_assert_true (parallel_do (100, 8, nested, NULL, NULL));
}

typedef struct {
  gint waiting, max; /* pieces that were made and not put away; ever */
  guint64 next;
} Line;

static gboolean
make (gpointer data, guint64 i, GByteArray *bytes, GError **error)
{
  Line *line = data;
  (void) error;
  g_assert_cmpuint (bytes->len, ==, 0);
  g_byte_array_append (bytes, (const guint8 *) &i, sizeof i);
  g_atomic_int_inc (&line->waiting);
  return TRUE;
}

static gboolean
put (gpointer data, guint64 i, const GByteArray *bytes, GError **error)
{
  Line *line = data;
  (void) error;
  g_assert_cmpuint (i, ==, line->next++);
  g_assert_cmpmem (bytes->data, bytes->len, &i, sizeof i);
  line->max = MAX (line->max, line->waiting);
  g_atomic_int_add (&line->waiting, -1);
  return TRUE;
}

/* In order; a thread that works alone has one of them at a time. */
static void
test_make (void)
{
  Line line = {0}, alone = {0};
  g_assert_true (parallel_make (PIECES, make, put, &line, NULL));
  g_assert_cmpuint (line.next, ==, PIECES);
  parallel_limit (1);
  g_assert_true (parallel_make (PIECES, make, put, &alone, NULL));
  parallel_limit (0);
  g_assert_cmpuint (alone.next, ==, PIECES);
  g_assert_cmpint (alone.max, ==, 1);
}

int
main (int argc, char **argv)
{
  /* GLib makes the locks of its errors when there is a first one, and ThreadSanitizer does not see in which order. */
  g_autoptr (GError) first = g_error_new_literal (FILE_ERROR, FILE_ERROR_OPEN, "first");
  init_tests (&argc, &argv);
  g_test_add_func ("/parallel/all", test_all);
  g_test_add_func ("/parallel/first-fault", test_first_fault);
  g_test_add_func ("/parallel/stop", test_stop);
  g_test_add_func ("/parallel/nested", test_nested);
  g_test_add_func ("/parallel/make", test_make);
  return g_test_run ();
}
