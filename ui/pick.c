/* SPDX-License-Identifier: MIT
 *
 * The latest click wins.
 */
#include "pick.h"

typedef struct {
  View *view;
  Image *labels;
  gint64 plane, at;
  gint32 label;
} Pick;

static gboolean
work (gpointer data, Progress *progress, GError **error)
{
  Pick *pick = data;
  const gint32 *pixels = image_plane (pick->labels, pick->plane, error);
  (void) progress;
  if (pixels)
    pick->label = pixels[pick->at];
  return pixels != NULL;
}

static void
finished (gpointer data, const GError *error)
{
  Pick *pick = data;
  if (!error && view_objects (pick->view) == pick->labels)
    view_set_object (pick->view, pick->label);
  image_unref (pick->labels);
  g_object_unref (pick->view);
  g_free (pick);
}

void
pick_object (View *view, Worker *worker, gint64 x, gint64 y)
{
  Image *labels = view_objects (view);
  const ImageInfo *info = labels ? image_info (labels) : NULL;
  if (!labels || info->type != FV_I32)
    return;
  Pick *pick = g_new (Pick, 1);
  *pick = (Pick){g_object_ref (view), image_ref (labels), view_frame (view) * info->depth + view_slice (view),
                 y * info->columns + x, 0};
  worker_push (worker, &(WorkerJob){work, finished, pick, view});
}
