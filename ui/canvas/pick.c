/* SPDX-License-Identifier: MIT
 *
 * The latest click wins.
 */
#include "ui/canvas/pick.h"

#include "ui/view/objects.h"

typedef struct {
  View *view;
  const Modules *modules;
  Device *device;
  Image *objects;
  gint64 plane, at;
  gint32 label;
} Pick;

static gboolean
read_label_in_worker (gpointer data, Progress *progress, GError **error)
{
  Pick *pick = data;
  g_autoptr (Image) labels = objects_labels (pick->objects, pick->modules, pick->device, progress, error);
  const gint32 *pixels = labels ? image_plane (labels, pick->plane, error) : NULL;
  if (pixels)
    pick->label = pixels[pick->at];
  return pixels != NULL;
}

static void
label_read (gpointer data, const GError *error)
{
  Pick *pick = data;
  if (!error && view_objects (pick->view) == pick->objects)
    view_set_object (pick->view, pick->label);
  image_unref (pick->objects);
  g_object_unref (pick->view);
  g_free (pick);
}

void
pick_object (View *view, Modules *modules, Worker *worker, gint64 x, gint64 y)
{
  Image *objects = view_objects (view);
  const ImageInfo *info = objects ? image_info (objects) : NULL;
  if (!objects)
    return;
  Pick *pick = g_new (Pick, 1);
  *pick = (Pick){g_object_ref (view),
                 modules,
                 modules_device (modules, "cpu", NULL),
                 image_ref (objects),
                 view_frame (view) * info->depth + view_slice (view),
                 y * info->columns + x,
                 0};
  worker_push (worker, &(WorkerJob){read_label_in_worker, label_read, pick, view});
}
