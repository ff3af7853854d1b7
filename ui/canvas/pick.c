/* SPDX-License-Identifier: MIT
 *
 * The latest click wins.
 */
#include "ui/canvas/pick.h"

#include "core/measure/object_labels.h"

typedef struct {
  View *view;
  Image *objects;
  gint64 plane, x, y;
  gint32 label;
  gboolean more;
} Pick;

static gboolean
read_label_in_worker (gpointer data, Progress *progress, GError **error)
{
  Pick *pick = data;
  const ImageRegion pixel = {pick->y, pick->x, 1, 1};
  (void) progress;
  return object_labels_read (pick->objects, pick->plane, &pixel, &pick->label, error);
}

static void
label_read (gpointer data, const GError *error)
{
  Pick *pick = data;
  const gboolean there = !error && view_objects (pick->view) == pick->objects;
  if (there && !pick->more)
    view_set_object (pick->view, pick->label);
  else if (there && pick->label)
    view_toggle_object (pick->view, pick->label);
  image_unref (pick->objects);
  g_object_unref (pick->view);
  g_free (pick);
}

void
pick_object (View *view, Worker *worker, gint64 x, gint64 y, gboolean more)
{
  Image *objects = view_objects (view);
  const ImageInfo *info = objects ? image_info (objects) : NULL;
  if (!objects)
    return;
  Pick *pick = g_new (Pick, 1);
  *pick = (Pick){.view = g_object_ref (view),
                 .objects = image_ref (objects),
                 .plane = view_frame (view) * info->depth + view_slice (view),
                 .x = x,
                 .y = y,
                 .more = more};
  worker_push (worker, &(WorkerJob){read_label_in_worker, label_read, pick, view});
}
