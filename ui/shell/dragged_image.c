/* SPDX-License-Identifier: MIT
 *
 * Dragged files are written to a folder of the cache, since the end of the other program's access is unknown. Those
 * of earlier days are deleted with the next drag.
 */
#include "ui/shell/dragged_image.h"

#include "core/files/files.h"

#include <glib/gstdio.h>
#include <string.h>
#include <time.h>

#define DRAGGED_IMAGE_TYPE (dragged_image_get_type ())
G_DECLARE_FINAL_TYPE (DraggedImage, dragged_image, FOVEA, DRAGGED_IMAGE, GdkContentProvider)

struct _DraggedImage {
  GdkContentProvider parent;
  Image *image; /* NULL: the file is there */
  char *path;
  char *uris; /* as they are sent */
};

G_DEFINE_FINAL_TYPE (DraggedImage, dragged_image, GDK_TYPE_CONTENT_PROVIDER)

enum { KEPT = 24 * 60 * 60 }; /* seconds */

/* ---- Where it lies ---- */

static char *
folder_of_files (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fovea", "dragged", NULL);
}

static void
remove_old (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    GStatBuf file;
    if (!g_stat (path, &file) && file.st_mtime + KEPT < time (NULL))
      g_remove (path);
  }
  g_clear_pointer (&dir, g_dir_close);
}

/* "nuclei-fovea.tif" there. Free with g_free(). */
static char *
path_of (const View *view)
{
  g_autofree char *folder = folder_of_files (),
                  *stem = g_strdup (image_info (document_source (view_document (view)))->name);
  char *dot = strrchr (stem, '.');
  if (dot)
    *dot = 0;
  g_autofree char *name =
    g_strconcat (stem, image_info (view_result (view))->fits_header ? "-fovea.fits" : "-fovea.tif", NULL);
  return g_build_filename (folder, g_strdelimit (name, "/", '_'), NULL);
}

/* ---- When it is dropped ---- */

static void
save_in_thread (GTask *task, gpointer self, gpointer data, GCancellable *cancellable)
{
  const DraggedImage *dragged = self;
  g_autofree char *folder = g_path_get_dirname (dragged->path);
  GError *error = NULL;
  (void) data, (void) cancellable;
  g_mkdir_with_parents (folder, 0700);
  remove_old (folder);
  if (files_save (dragged->image, dragged->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
sent (GObject *stream, GAsyncResult *result, gpointer task)
{
  GError *error = NULL;
  if (g_output_stream_write_all_finish (G_OUTPUT_STREAM (stream), result, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
  g_object_unref (task);
}

/* Takes the task. */
static void
send_name (DraggedImage *self, GTask *task)
{
  g_output_stream_write_all_async (g_task_get_task_data (task), self->uris, strlen (self->uris), G_PRIORITY_DEFAULT,
                                   g_task_get_cancellable (task), sent, task);
}

static void
saved (GObject *self, GAsyncResult *result, gpointer task)
{
  GError *error = NULL;
  if (g_task_propagate_boolean (G_TASK (result), &error))
    send_name (FOVEA_DRAGGED_IMAGE (self), task);
  else {
    g_task_return_error (task, error);
    g_object_unref (task);
  }
}

static void
dragged_image_write (GdkContentProvider *provider, const char *type, GOutputStream *stream, int priority,
                     GCancellable *cancellable, GAsyncReadyCallback done, gpointer data)
{
  DraggedImage *self = FOVEA_DRAGGED_IMAGE (provider);
  GTask *task = g_task_new (self, cancellable, done, data);
  (void) type, (void) priority;
  g_task_set_task_data (task, g_object_ref (stream), g_object_unref);
  if (!self->image) {
    send_name (self, task);
    return;
  }
  g_autoptr (GTask) saving = g_task_new (self, NULL, saved, task);
  g_task_run_in_thread (saving, save_in_thread);
}

static gboolean
dragged_image_written (GdkContentProvider *provider, GAsyncResult *result, GError **error)
{
  (void) provider;
  return g_task_propagate_boolean (G_TASK (result), error);
}

static GdkContentFormats *
dragged_image_formats (GdkContentProvider *provider)
{
  (void) provider;
  return gdk_content_formats_new ((const char *[]){"text/uri-list"}, 1);
}

/* ---- The object ---- */

static void
dragged_image_finalize (GObject *object)
{
  DraggedImage *self = FOVEA_DRAGGED_IMAGE (object);
  image_unref (self->image);
  g_free (self->path);
  g_free (self->uris);
  G_OBJECT_CLASS (dragged_image_parent_class)->finalize (object);
}

static void
dragged_image_class_init (DraggedImageClass *class)
{
  GdkContentProviderClass *provider = GDK_CONTENT_PROVIDER_CLASS (class);
  G_OBJECT_CLASS (class)->finalize = dragged_image_finalize;
  provider->ref_formats = dragged_image_formats;
  provider->write_mime_type_async = dragged_image_write;
  provider->write_mime_type_finish = dragged_image_written;
}

static void
dragged_image_init (DraggedImage *self)
{
  (void) self;
}

static GdkContentProvider *
on_prepare (GtkDragSource *source, double x, double y, View *view)
{
  DraggedImage *self = g_object_new (DRAGGED_IMAGE_TYPE, NULL);
  const char *path = document_path (view_document (view));
  (void) source, (void) x, (void) y;
  if (path && view_result (view) == document_source (view_document (view)))
    self->path = g_canonicalize_filename (path, NULL);
  else {
    self->image = image_ref (view_result (view));
    self->path = path_of (view);
  }
  g_autofree char *uri = g_filename_to_uri (self->path, NULL, NULL);
  self->uris = g_strconcat (uri ? uri : "", "\r\n", NULL);
  return GDK_CONTENT_PROVIDER (self);
}

void
dragged_image_from (GtkWidget *widget, View *view)
{
  GtkDragSource *source = gtk_drag_source_new ();
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (source), GTK_PHASE_CAPTURE); /* before a button */
  g_signal_connect_object (source, "prepare", G_CALLBACK (on_prepare), view, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (source));
}
