/* SPDX-License-Identifier: MIT
 *
 * The tolerance is a part of the range of the plane's values; in labels and masks it begins with none. The plane's values are
 * kept between a press and the last pull.
 */
#include "ui/selection/wand.h"

#include <math.h>

struct _Wand {
  GObject parent;
  View *view;
  Selections *selections;
  Worker *worker;
  gint64 x, y;
  double tolerance, from; /* parts of the range; from: when it was pressed */
  guint serial;           /* of the newest request */
  struct Plane *plane;    /* of the last press, used by the worker alone once it is made */
};

G_DEFINE_FINAL_TYPE (Wand, wand, G_TYPE_OBJECT)

/* ---- A plane and its values ---- */

typedef struct Plane {
  Image *image;
  PlanePlace place;
  double *values, low, high; /* made by the first job */
} Plane;

static void
plane_clear (gpointer data)
{
  Plane *plane = data;
  image_unref (plane->image);
  g_free (plane->values);
}

static gboolean
plane_fill (Plane *plane, GError **error)
{
  const ImageInfo *info = image_info (plane->image);
  if (plane->values)
    return TRUE;
  if (!(plane->values =
          plane_values (plane->image, &plane->place, &(PlanePart){0, 0, info->columns, info->rows}, error)))
    return FALSE;
  plane->low = INFINITY;
  plane->high = -INFINITY;
  for (gint64 i = 0; i < info->columns * info->rows; i++)
    if (isfinite (plane->values[i])) {
      plane->low = MIN (plane->low, plane->values[i]);
      plane->high = MAX (plane->high, plane->values[i]);
    }
  return TRUE;
}

/* ---- Tracing ---- */

typedef struct {
  Wand *wand;
  Plane *plane;
  gint64 x, y;
  double tolerance;
  guint serial;
  Selection *found;
} Request;

static gboolean
trace_in_worker (gpointer data, Progress *progress, GError **error)
{
  Request *r = data;
  const ImageInfo *info = image_info (r->plane->image);
  (void) progress;
  if (!plane_fill (r->plane, error))
    return FALSE;
  double value = r->plane->values[r->y * info->columns + r->x];
  double around = r->tolerance > 0 ? r->tolerance * (r->plane->high - r->plane->low) : 0;
  r->found = selection_trace (r->plane->values, info->columns, info->rows, r->x, r->y, value - around, value + around);
  return TRUE;
}

static void
traced (gpointer data, const GError *error)
{
  Request *r = data;
  (void) error;
  if (r->found && r->serial == r->wand->serial)
    selections_set_current (r->wand->selections, g_steal_pointer (&r->found));
  g_clear_pointer (&r->found, selection_free);
  g_atomic_rc_box_release_full (r->plane, plane_clear);
  g_object_unref (r->wand);
  g_free (r);
}

static void
trace (Wand *wand)
{
  Request *r = g_new (Request, 1);
  *r = (Request){g_object_ref (wand),
                 g_atomic_rc_box_acquire (wand->plane),
                 wand->x,
                 wand->y,
                 wand->tolerance,
                 ++wand->serial,
                 NULL};
  worker_push (wand->worker, &(WorkerJob){trace_in_worker, traced, r, wand});
}

static void
forget_plane (Wand *wand)
{
  if (wand->plane)
    g_atomic_rc_box_release_full (wand->plane, plane_clear);
  wand->plane = NULL;
}

void
wand_press (Wand *wand, gint64 x, gint64 y)
{
  Image *image = view_image (wand->view);
  const ImageInfo *info = image_info (image);
  if (x < 0 || y < 0 || x >= info->columns || y >= info->rows)
    return;
  forget_plane (wand);
  wand->plane = g_atomic_rc_box_new0 (Plane);
  wand->plane->image = image_ref (image);
  wand->plane->place = plane_place (wand->view);
  wand->x = x;
  wand->y = y;
  wand->from = wand->tolerance = info->role == FV_LABELS || info->role == FV_MASK ? 0 : 0.1;
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
  forget_plane (wand);
}

/* ---- The object ---- */

static void
wand_finalize (GObject *object)
{
  Wand *wand = FOVEA_WAND (object);
  forget_plane (wand);
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
