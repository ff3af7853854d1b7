/* SPDX-License-Identifier: MIT
 *
 * Files are read on a thread; then the window shows them.
 */
#include "core/files/files.h"
#include "ui/app/recent.h"
#include "ui/app/window.h"

typedef struct {
  char *path, *steps;
  WindowOpened opened;
  GObject *hearer;
} Opening;

static void
opening_free (gpointer data)
{
  Opening *opening = data;
  g_free (opening->path);
  g_free (opening->steps);
  g_clear_object (&opening->hearer);
  g_free (opening);
}

/* What is seen first is needed at once anyway; a file of which it cannot be read is not opened. */
static gboolean
read_first (Image *image, GError **error)
{
  const ImageInfo *info = image_info (image);
  for (gint64 c = 0; c < info->channels; c++)
    if (!image_plane (image, c * info->depth, error))
      return FALSE;
  return TRUE;
}

static void
open_thread (GTask *task, gpointer window, gpointer opening, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (Image) image = files_open (((Opening *) opening)->path, 0, &error);
  (void) window, (void) cancellable;
  if (image && read_first (image, &error))
    g_task_return_pointer (task, g_steal_pointer (&image), (GDestroyNotify) image_unref);
  else
    g_task_return_error (task, error);
}

static void
opened (GObject *window, GAsyncResult *result, gpointer data)
{
  const Opening *opening = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = g_task_propagate_pointer (G_TASK (result), &error);
  (void) data;
  if (image) {
    Document *document = window_add (FOVEA_WINDOW (window), image, opening->path);
    recent_add (opening->path);
    if (opening->steps)
      document_set_steps (document, opening->steps, NULL, &error);
  }
  if (opening->opened)
    opening->opened (opening->hearer, error ? error->message : NULL);
  else if (error)
    window_say (FOVEA_WINDOW (window), GTK_MESSAGE_ERROR, error->message);
}

void
window_open_with (Window *window, const char *path, const char *steps, WindowOpened heard, GObject *hearer)
{
  g_autoptr (GTask) task = g_task_new (window, NULL, opened, NULL);
  Opening *opening = g_new (Opening, 1);
  *opening = (Opening){g_strdup (path), g_strdup (steps), heard, hearer ? g_object_ref (hearer) : NULL};
  g_task_set_task_data (task, opening, opening_free);
  g_task_run_in_thread (task, open_thread);
}

void
window_open (Window *window, const char *path)
{
  window_open_with (window, path, NULL, NULL, NULL);
}
