/* SPDX-License-Identifier: MIT
 *
 * Each request is a job of the worker.
 */
#include "ui/results/measurements.h"

#include "core/base/error.h"
#include "core/measure/measurements.h"

struct _Measurements {
  GObject parent;
  Worker *worker; /* NULL: it has gone */
  Table *table;   /* NULL: empty */
  gboolean saved; /* the table is in a file */
  guint requests; /* so far */
};

G_DEFINE_FINAL_TYPE (Measurements, measurements, G_TYPE_OBJECT)

enum { CHANGED, ASKED, VAIN, CLEARED, FAILED, SIGNALS };
static guint signals[SIGNALS];

/* ---- Measuring ---- */

typedef struct {
  Measurements *owner;
  Image *image;
  PlanePosition position; /* looked at */
  GPtrArray *selections;
  guint request;
  Table *made;
} Job;

static gboolean
measure_in_worker (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  job->made = measurements_make (job->image, job->position, job->selections, progress, error);
  return job->made != NULL;
}

static void
take (Measurements *m, Table *table)
{
  table_unref (m->table);
  m->table = table;
  m->saved = FALSE;
  g_signal_emit (m, signals[CHANGED], 0);
}

/* The one before stays as it is: others may be reading it. */
static gboolean
append (Measurements *m, Table *made, GError **error)
{
  Table *table = measurements_join (m->table, made, error);
  if (!table)
    return FALSE;
  take (m, table);
  return TRUE;
}

static void
measured (gpointer data, const GError *error)
{
  Job *job = data;
  g_autoptr (GError) fault = error ? g_error_copy (error) : NULL;
  if (!error)
    append (job->owner, job->made, &fault);
  if (fault)
    g_signal_emit (job->owner, signals[VAIN], 0, job->request);
  if (fault && !step_error_is_cancelled (fault))
    g_signal_emit (job->owner, signals[FAILED], 0, fault->message);
  table_unref (job->made);
  image_unref (job->image);
  g_ptr_array_unref (job->selections);
  g_object_unref (job->owner);
  g_free (job);
}

gboolean
measurements_extend (Measurements *m, Table *rows, gboolean kept, guint step, GError **error)
{
  gboolean done = append (m, rows, error);
  if (done)
    g_signal_emit (m, signals[ASKED], 0, kept, step, ++m->requests);
  return done;
}

Table *
measurements_table (const Measurements *m)
{
  return m->table;
}

/* The step, from 1, whose image is looked at; 0: the opened one. */
static guint
step_of (const View *view)
{
  const Document *document = view_document (view);
  guint n = run_length (document_run (document));
  while (n && document_image (document, (int) n - 1) != view_image (view))
    n--;
  return n;
}

/* ---- What is to be measured, until results are there ---- */

typedef struct {
  Measurements *owner;
  View *view;
  GPtrArray *selections;
  gboolean kept;
} Wish;

static void
wish_free (gpointer data, GClosure *closure)
{
  Wish *wish = data;
  (void) closure;
  g_object_unref (wish->owner);
  g_object_unref (wish->view);
  g_ptr_array_unref (wish->selections);
  g_free (wish);
}

static void
start (Document *document, const Wish *wish)
{
  if (document_lags (document))
    return;
  Measurements *m = wish->owner;
  if (m->worker) {
    Job *job = g_new (Job, 1);
    *job = (Job){g_object_ref (m),        image_ref (view_image (wish->view)),
                 view_plane (wish->view), g_ptr_array_ref (wish->selections),
                 ++m->requests,           NULL};
    worker_push (m->worker, &(WorkerJob){measure_in_worker, measured, job, NULL});
    g_signal_emit (m, signals[ASKED], 0, wish->kept, step_of (wish->view), m->requests);
  }
  g_signal_handlers_disconnect_by_data (document, (gpointer) wish);
}

void
measurements_add (Measurements *m, View *view, GPtrArray *selections, gboolean kept)
{
  Wish *wish = g_new (Wish, 1);
  *wish = (Wish){g_object_ref (m), g_object_ref (view), selections, kept};
  g_signal_connect_data (view_document (view), "busy", G_CALLBACK (start), wish, wish_free, G_CONNECT_AFTER);
  start (view_document (view), wish);
}

guint
measurements_unsaved (const Measurements *m)
{
  return m->table && !m->saved ? (guint) MIN (table_rows (m->table), G_MAXUINT) : 0;
}

void
measurements_saved (Measurements *m)
{
  m->saved = TRUE;
}

void
measurements_restore (Measurements *m, Table *table)
{
  take (m, table_ref (table));
}

void
measurements_end (Measurements *m)
{
  m->worker = NULL;
}

void
measurements_clear (Measurements *m)
{
  if (!m->table)
    return;
  g_clear_pointer (&m->table, table_unref);
  g_signal_emit (m, signals[CLEARED], 0);
  g_signal_emit (m, signals[CHANGED], 0);
}

/* ---- The object ---- */

static void
measurements_finalize (GObject *object)
{
  Measurements *m = FOVEA_MEASUREMENTS (object);
  table_unref (m->table);
  G_OBJECT_CLASS (measurements_parent_class)->finalize (object);
}

static void
measurements_class_init (MeasurementsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = measurements_finalize;
  signals[CHANGED] =
    g_signal_new ("changed", MEASUREMENTS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ASKED] = g_signal_new ("asked", MEASUREMENTS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                 G_TYPE_BOOLEAN, G_TYPE_UINT, G_TYPE_UINT);
  signals[VAIN] =
    g_signal_new ("vain", MEASUREMENTS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[CLEARED] =
    g_signal_new ("cleared", MEASUREMENTS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] =
    g_signal_new ("failed", MEASUREMENTS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
measurements_init (Measurements *m)
{
  (void) m;
}

Measurements *
measurements_new (Worker *worker)
{
  Measurements *m = g_object_new (MEASUREMENTS_TYPE, NULL);
  m->worker = worker;
  return m;
}
