/* SPDX-License-Identifier: MIT
 *
 * What a step has made on a GPU is drawn there, between the runs of the steps, and only the picture comes to the host. Everything
 * else is drawn in host memory (paint_inputs.c), so that the time grows with the screen and not with the image.
 */
#include "ui/canvas/painter.h"

#include "core/base/error.h"
#include "ui/canvas/paint_device.h"
#include "ui/canvas/paint_draw.h"
#include "ui/canvas/paint_request.h"
#include "ui/widgets/times.h"

/* Microseconds: nearly all pictures are ready by then, so that some appear while the image is moved or a slider
 * dragged. */
static const gint64 grace = 300 * 1000;

struct _Painter {
  GObject parent;
  Worker *worker;
  const Op *op;
  Device *device;
  PainterReady ready;
  gpointer data;
  guint pending;         /* on their way */
  guint previews;        /* of them */
  guint wholes;          /* those of them that are more than a preview */
  gint64 newest;         /* when the last picture that came was asked for */
  int sought;            /* the object that was looked for in all slices */
  gboolean resting;      /* nothing is shown */
  PaintSources *sources; /* used by jobs of its worker alone, as is: */
  PreviewCache *cache;
};

G_DEFINE_FINAL_TYPE (Painter, painter, G_TYPE_OBJECT)

/* A picture, and whether it is a preview of the steps. */
typedef struct {
  Painter *painter;
  PaintRequest request;
  PaintPreview *preview; /* of the steps, or NULL */
  gboolean lags;         /* it is wanted, since their results are on their way */
  gboolean preview_only; /* or nothing */
} Job;

static void
job_free (Job *job)
{
  paint_request_clear (&job->request);
  paint_preview_free (job->preview);
  g_object_unref (job->painter);
  g_free (job);
}

/* ---- On a worker's thread ---- */

static gboolean
make_preview (Job *job, Progress *progress)
{
  PaintRequest *r = &job->request;
  progress_enter (progress);
  gboolean made = paint_preview_make (job->preview, job->painter->cache, &r->area, r->device, &r->part);
  progress_enter (NULL);
  return made;
}

/* Images without other owners are freed here, which may take time. */
static gboolean
paint_in_worker (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  PaintRequest *r = &job->request;
  if (!r->whole)
    r->sources = job->painter->sources;
  progress_set_grace (progress, grace);
  if (job->lags && make_preview (job, progress))
    paint_request_take_part (r, job->preview->overlay);
  else if (job->preview_only)
    return TRUE;
  gboolean made = paint_draw (r, progress, error);
  if (step_error_is_cancelled (*error) || r->partial)
    return made;
  g_clear_pointer (&r->image, image_unref);
  g_clear_pointer (&r->labels, image_unref);
  g_clear_pointer (&r->objects, image_unref);
  return made;
}

/* What the next change of the step that is looked at begins with, while there is time. */
static gboolean
prepare_in_worker (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  (void) error;
  progress_enter (progress);
  paint_preview_prepare (job->preview, job->painter->cache, &job->request.area);
  progress_enter (NULL);
  return TRUE;
}

static void
prepared (gpointer data, const GError *error)
{
  (void) error;
  job_free (data);
}

/* ---- In the main context ---- */

static void painted (gpointer data, const GError *error);

/* How long a preview takes is not known before it is there: results have overtaken one that is still being made. */
static void
push (Job *job, Worker *worker)
{
  Painter *p = job->painter;
  if (!job->lags && p->previews)
    worker_cancel (p->worker);
  p->pending++;
  p->previews += job->lags;
  p->wholes += !job->preview_only;
  times_event ("ask", 0);
  worker_push (worker, &(WorkerJob){paint_in_worker, painted, job, p});
}

/* Who stops the steps, stops what is drawn between them, too; but a picture there must be. */
static gboolean
draw_on_host (Job *job, const GError *error)
{
  Painter *p = job->painter;
  if (!step_error_is_cancelled (error) || p->pending > 0 || !job->request.whole || !p->ready)
    return FALSE;
  job->request.whole = FALSE;
  job->request.device = p->device;
  push (job, p->worker);
  return TRUE;
}

static void
hand_over (Painter *p, PaintRequest *r, const GError *error)
{
  if (!p->ready || p->resting || step_error_is_cancelled (error) || r->asked < p->newest || (!error && !r->paint))
    return;
  p->newest = r->asked;
  if (r->fault)
    p->ready (p->data, NULL, r->fault);
  g_clear_error (&r->fault);
  p->ready (p->data, g_steal_pointer (&r->paint), error);
}

static void
painted (gpointer data, const GError *error)
{
  Job *job = data;
  PaintRequest *r = &job->request;
  Painter *p = job->painter;
  p->pending--;
  p->previews -= job->lags;
  p->wholes -= !job->preview_only;
  times_event ("answer", g_get_monotonic_time () - r->asked);
  if (draw_on_host (job, error))
    return;
  if (!error && r->paint && !r->paint->provisional)
    p->sought = r->object;
  hand_over (p, r, error);
  const gboolean free_for_more = p->pending == 0 && p->ready && !p->resting;
  if (!error && r->partial && free_for_more) { /* the rest of it, unless something else is wanted by now */
    r->partial = FALSE;
    r->more = TRUE;
    push (job, p->worker);
  } else if (!error && job->preview && !job->lags && free_for_more) {
    worker_push (p->worker, &(WorkerJob){prepare_in_worker, prepared, job, p});
  } else {
    job_free (job);
  }
}

static Job *
job_new (Painter *painter, PaintRequest request)
{
  Job *job = g_new0 (Job, 1);
  job->painter = g_object_ref (painter);
  job->request = request;
  job->request.op = painter->op;
  job->request.seek = request.object != painter->sought;
  return job;
}

static void
start (Job *job, const View *view)
{
  PaintRequest *r = &job->request;
  Document *document = view_document (view);
  Device *there = r->kept ? NULL : paint_device (r->op, r->image, r->labels, r->settings, document);
  r->whole = there != NULL;
  r->device = there ? there : job->painter->device;
  if (there)
    job->lags = FALSE; /* the results are there as soon */
  if (job->preview_only && !job->lags)
    job_free (job);
  else
    push (job, there ? document_worker (document) : job->painter->worker);
}

/* Of what the view shows. */
static void
ask (Painter *painter, const View *view, const PaintArea *area, gboolean preview_only)
{
  Job *job = job_new (painter, paint_request_shown (view, area));
  job->preview = paint_preview_new (view);
  job->lags = document_lags (view_document (view));
  job->preview_only = preview_only;
  start (job, view);
}

void
painter_ask (Painter *painter, const View *view, const PaintArea *area)
{
  ask (painter, view, area, FALSE);
}

void
painter_ask_preview (Painter *painter, const View *view, const PaintArea *area)
{
  ask (painter, view, area, painter->wholes == 0); /* it replaces the pending request */
}

void
painter_ask_before (Painter *painter, const View *view, const PaintArea *area)
{
  if (view_before (view))
    start (job_new (painter, paint_request_before (view, area)), view);
}

gboolean
painter_previews (const Painter *painter)
{
  return painter->previews > 0;
}

gboolean
painter_idle (const Painter *painter)
{
  return painter->pending == 0;
}

static gboolean
let_go_in_worker (gpointer data, Progress *progress, GError **error)
{
  Painter *p = data;
  (void) progress, (void) error;
  paint_sources_free (p->sources);
  preview_cache_free (p->cache);
  p->sources = paint_sources_new ();
  p->cache = preview_cache_new ();
  return TRUE;
}

static void
has_let_go (gpointer painter, const GError *error)
{
  (void) error;
  g_object_unref (painter);
}

void
painter_rest (Painter *painter, gboolean resting)
{
  painter->resting = resting;
  if (resting)
    worker_push (painter->worker, &(WorkerJob){let_go_in_worker, has_let_go, g_object_ref (painter), NULL});
}

void
painter_stop (Painter *painter)
{
  painter->ready = NULL;
}

static void
painter_finalize (GObject *object)
{
  Painter *painter = FOVEA_PAINTER (object);
  worker_free (painter->worker);
  paint_sources_free (painter->sources);
  preview_cache_free (painter->cache);
  G_OBJECT_CLASS (painter_parent_class)->finalize (object);
}

static void
painter_class_init (PainterClass *class)
{
  G_OBJECT_CLASS (class)->finalize = painter_finalize;
}

static void
painter_init (Painter *painter)
{
  painter->sources = paint_sources_new ();
  painter->cache = preview_cache_new ();
}

Painter *
painter_new (Modules *modules, PainterReady ready, gpointer data)
{
  Painter *painter = g_object_new (PAINTER_TYPE, NULL);
  painter->worker = worker_new_modest (WORKER_SOON);
  painter->op = modules_op (modules, "display", NULL);
  painter->device = modules_device (modules, "cpu", NULL);
  painter->ready = ready;
  painter->data = data;
  return painter;
}
