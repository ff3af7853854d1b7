/* SPDX-License-Identifier: MIT
 */
#include "ui/shell/opening.h"

#include "core/files/files.h"
#include "core/view/look_limits.h"
#include "core/view/plane_sample.h"
#include "core/view/tiles.h"
#include "ui/shell/native_dialog.h"
#include "ui/shell/recent.h"

#include <glib/gi18n.h>

typedef struct {
  char *path, *steps;
  OpeningDone done;
  GObject *listener;
} Opening;

static void
opening_free (gpointer data)
{
  Opening *opening = data;
  g_free (opening->path);
  g_free (opening->steps);
  g_clear_object (&opening->listener);
  g_free (opening);
}

/* What is seen first is needed at once anyway; a file of which it cannot be read is not opened. Of a large one it is a sample, and of
 * many channels the first ones say enough. */
static gboolean
read_first (Image *image, GError **error)
{
  const ImageInfo *info = image_info (image);
  for (gint64 c = 0; c < (tiles_suit (image, 0) ? MIN (info->channels, 4) : info->channels); c++) {
    g_auto (PlaneSample) sample = {0};
    if (!plane_sample_take (&sample, image, c * info->depth, error))
      return FALSE;
  }
  return TRUE;
}

Image *
opening_read (const char *path, guint n, GError **error)
{
  g_autoptr (Image) image = files_open (path, n, error);
  return image && read_first (image, error) && look_examine (image, error) ? g_steal_pointer (&image) : NULL;
}

static void
open_thread (GTask *task, gpointer shell, gpointer opening, GCancellable *cancellable)
{
  GError *error = NULL;
  const char *path = ((Opening *) opening)->path;
  Image *image = path ? opening_read (path, 0, &error) : image_ref (run_nothing ());
  (void) shell, (void) cancellable;
  if (image)
    g_task_return_pointer (task, image, (GDestroyNotify) image_unref);
  else
    g_task_return_error (task, error);
}

/* Of an earlier session: nobody has typed them in this one. */
static void
set_steps (Document *document, const char *steps, GError **error)
{
  if (document_set_steps (document, steps, NULL, error))
    native_dialog_note (document_modules (document), document_recipe (document), _ ("an earlier session"));
}

static void
opened (GObject *shell, GAsyncResult *result, gpointer data)
{
  const Opening *opening = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = g_task_propagate_pointer (G_TASK (result), &error);
  Document *document = NULL;
  (void) data;
  if (!gtk_window_get_application (GTK_WINDOW (shell))) /* it was closed meanwhile */
    return;
  if (image) {
    document = shell_add (FOVEA_SHELL (shell), image, opening->path);
    if (opening->path)
      recent_add (RECENT_IMAGES, opening->path);
    if (opening->steps)
      set_steps (document, opening->steps, &error);
  }
  if (opening->done)
    opening->done (opening->listener, document, error ? error->message : NULL);
  else if (error)
    shell_say (FOVEA_SHELL (shell), GTK_MESSAGE_ERROR, error->message);
}

void
opening_open_with (Shell *shell, const char *path, const char *steps, OpeningDone done, GObject *listener)
{
  g_autoptr (GTask) task = g_task_new (shell, NULL, opened, NULL);
  Opening *opening = g_new (Opening, 1);
  *opening = (Opening){g_strdup (path), g_strdup (steps), done, listener ? g_object_ref (listener) : NULL};
  g_task_set_task_data (task, opening, opening_free);
  g_task_run_in_thread (task, open_thread);
}

void
opening_open (Shell *shell, const char *path)
{
  if (g_str_has_suffix (path, ".lua"))
    g_action_group_activate_action (G_ACTION_GROUP (shell), "open-macro-file", g_variant_new_bytestring (path));
  else if (g_str_has_suffix (path, ".lut"))
    g_action_group_activate_action (G_ACTION_GROUP (shell), "open-lut-file", g_variant_new_bytestring (path));
  else if (g_file_test (path, G_FILE_TEST_IS_DIR))
    g_action_group_activate_action (G_ACTION_GROUP (shell), "show-folder", g_variant_new_bytestring (path));
  else
    opening_open_with (shell, path, NULL, NULL, NULL);
}

/* What was dragged from here is open. */
static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, Shell *shell)
{
  GdkDrop *drop = gtk_drop_target_get_current_drop (target);
  (void) x, (void) y;
  if (drop && gdk_drop_get_drag (drop))
    return FALSE;
  for (const GSList *files = g_value_get_boxed (value); files; files = files->next) {
    g_autofree char *path = g_file_get_path (files->data);
    if (path)
      opening_open (shell, path);
  }
  return TRUE;
}

void
opening_take_drops (Shell *shell)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect_object (drop, "drop", G_CALLBACK (on_drop), shell, 0);
  gtk_widget_add_controller (GTK_WIDGET (shell), GTK_EVENT_CONTROLLER (drop));
}
