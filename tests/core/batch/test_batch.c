/* SPDX-License-Identifier: MIT
 *
 * A batch of many small images, several at a time, and another thread that asks how it stands. For ThreadSanitizer above all.
 */
#include "core/batch/batch.h"
#include "core/base/file_error.h"
#include "tests/support/init.h"

#include <glib/gstdio.h>

enum { IMAGES = 60, JOBS = 4, EACH = 10 /* of so many images one is damaged */ };

static char *folder;

static char *
below (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* ---- The job: a row for each image ---- */

static gboolean
can (gpointer self, GError **error)
{
  (void) self, (void) error;
  return TRUE;
}

static gboolean
needs (gpointer self, const BatchSubject *subject, gsize *bytes, GError **error)
{
  (void) self, (void) subject, (void) error;
  *bytes = 1000;
  return TRUE;
}

static gboolean
run (gpointer self, const BatchSubject *subject, BatchResult *result, GError **error)
{
  (void) self, (void) error;
  double *row = g_new (double, 1);
  *row = (double) image_info (subject->image)->columns;
  result->device = "cpu";
  result->table = table_new ();
  table_add_column (result->table, "width", "", "Columns.", FV_COLUMN_INTEGER);
  table_take_rows (result->table, row, 1);
  return TRUE;
}

/* ---- The batch ---- */

static void
make_inputs (void)
{
  static const char pixels[] = "P5 4 3 255\nabcdefghijkl";
  g_autofree char *in = below ("in");
  g_assert_no_errno (g_mkdir (in, 0700));
  for (int i = 0; i < IMAGES; i++) {
    g_autofree char *name = g_strdup_printf ("in/%d.pgm", i), *path = below (name);
    g_assert_true (g_file_set_contents (path, pixels, i % EACH ? (gssize) strlen (pixels) : 12, NULL));
  }
}

static void
note_failed (gpointer user, const char *file, guint series, const char *why)
{
  (void) file, (void) series, (void) why;
  ++*(guint *) user; /* one at a time */
}

static void
note (gpointer user, const char *file, guint series, const char *text)
{
  (void) user, (void) file, (void) series, (void) text;
}

typedef struct {
  Batch *batch;
  gint end;
} Watch;

/* What is done becomes no less. */
static gpointer
watch (gpointer data)
{
  Watch *w = data;
  for (guint64 last = 0; !g_atomic_int_get (&w->end); g_usleep (200)) {
    const guint64 done = batch_counts (w->batch).done;
    g_assert_cmpuint (done, >=, last);
    last = done;
  }
  return NULL;
}

static void
test_several (void)
{
  static const BatchJob job = {.check = can, .needs = needs, .run = run};
  static const char *const none[] = {NULL};
  g_autofree char *in = below ("in"), *out = below ("out"), *table = below ("out/all.csv"), *text = NULL;
  guint failed = 0;
  const BatchOptions options = {.folder = out,
                                .patterns = none,
                                .work = "widths",
                                .steps = "widths",
                                .table = table,
                                .format = {.separator = ','},
                                .shard = {0, 1},
                                .jobs = JOBS,
                                .failed = note_failed,
                                .noted = note,
                                .user = &failed};
  g_autoptr (GError) error = NULL;
  make_inputs ();
  BatchInputs *inputs = batch_inputs_new ((const char *const[]){in, NULL}, out, &error);
  g_assert_no_error (error);
  g_autoptr (Batch) batch = batch_new (inputs, &job, &options, &error);
  g_assert_no_error (error);
  Watch w = {batch, FALSE};
  GThread *watching = g_thread_new ("watch", watch, &w);
  batch_run (batch, &error);
  g_atomic_int_set (&w.end, TRUE);
  g_thread_join (watching);
  g_assert_no_error (error);
  const BatchCounts counts = batch_counts (batch);
  g_assert_cmpuint (failed, ==, IMAGES / EACH);
  g_assert_cmpuint (counts.failed, ==, IMAGES / EACH);
  g_assert_cmpuint (counts.done, ==, IMAGES - IMAGES / EACH);
  g_assert_true (g_file_get_contents (table, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + IMAGES - IMAGES / EACH + 1);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp (NULL, NULL);
  g_test_add_func ("/batch/several", test_several);
  const int status = g_test_run ();
  const char *const rm[] = {"rm", "-rf", folder, NULL};
  g_spawn_sync (NULL, (char **) rm, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  g_free (folder);
  return status;
}
