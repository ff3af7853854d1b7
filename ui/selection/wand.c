/* SPDX-License-Identifier: MIT
 *
 * The plane is kept between a press and the last pull.
 */
#include "ui/selection/wand.h"

#include "core/base/error.h"
#include "core/selection/wand_plane.h"

struct _Wand {
  GObject parent;
  View *view;
  Selections *selections;
  Worker *worker;
  gint64 x, y;
  double tolerance, from; /* from: when it was pressed */
  guint serial;           /* of the newest request */
  WandPlane *plane;       /* of the last press, traced by the worker alone; or NULL */
};

G_DEFINE_FINAL_TYPE (Wand, wand, G_TYPE_OBJECT)

/* ---- Tracing ---- */

typedef struct {
  Wand *wand;
  WandPlane *plane;
  gint64 x, y;
  double tolerance;
  guint serial;
  Selection *found;
} Request;

static gboolean
trace_in_worker (gpointer data, Progress *progress, GError **error)
{
  Request *r = data;
  (void) progress;
  r->found = wand_plane_trace (r->plane, r->x, r->y, r->tolerance, error);
  return !*error;
}

static void
traced (gpointer data, const GError *error)
{
  Request *r = data;
  if (error && !step_error_is_cancelled (error) && r->serial == r->wand->serial)
    selections_fail (r->wand->selections, error->message);
  if (r->found && r->serial == r->wand->serial)
    selections_set_current (r->wand->selections, g_steal_pointer (&r->found));
  g_clear_pointer (&r->found, selection_free);
  wand_plane_unref (r->plane);
  g_object_unref (r->wand);
  g_free (r);
}

static void
trace (Wand *wand)
{
  Request *r = g_new (Request, 1);
  *r = (Request){
    g_object_ref (wand), wand_plane_ref (wand->plane), wand->x, wand->y, wand->tolerance, ++wand->serial, NULL};
  worker_push (wand->worker, &(WorkerJob){trace_in_worker, traced, r, wand});
}

void
wand_press (Wand *wand, gint64 x, gint64 y)
{
  Image *image = view_image (wand->view);
  const ImageInfo *info = image_info (image);
  if (x < 0 || y < 0 || x >= info->columns || y >= info->rows)
    return;
  g_clear_pointer (&wand->plane, wand_plane_unref);
  wand->plane = wand_plane_new (image, view_plane (wand->view));
  wand->x = x;
  wand->y = y;
  wand->from = wand->tolerance = wand_plane_tolerance (wand->plane);
  trace (wand);
}

void
wand_pull (Wand *wand, double distance)
{
  double tolerance = CLAMP (wand->from + distance / 500, 0, 1);
  if (!wand->plane || tolerance == wand->tolerance)
    return;
  wand->tolerance = tolerance;
  trace (wand);
}

void
wand_forget (Wand *wand)
{
  wand->serial++;
  g_clear_pointer (&wand->plane, wand_plane_unref);
}

/* ---- The object ---- */

static void
wand_finalize (GObject *object)
{
  Wand *wand = FOVEA_WAND (object);
  g_clear_pointer (&wand->plane, wand_plane_unref);
  g_object_unref (wand->view);
  g_object_unref (wand->selections);
  G_OBJECT_CLASS (wand_parent_class)->finalize (object);
}

static void
wand_class_init (WandClass *class)
{
  G_OBJECT_CLASS (class)->finalize = wand_finalize;
}

static void
wand_init (Wand *wand)
{
  (void) wand;
}

Wand *
wand_new (View *view, Selections *selections, Worker *worker)
{
  Wand *wand = g_object_new (WAND_TYPE, NULL);
  wand->view = g_object_ref (view);
  wand->selections = g_object_ref (selections);
  wand->worker = worker;
  return wand;
}
