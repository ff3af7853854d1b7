/* SPDX-License-Identifier: MIT
 */
#include "ui/shell/opening.h"

#include "core/base/file_source.h"
#include "core/files/files.h"
#include "core/files/raw.h"
#include "core/view/look_limits.h"
#include "core/view/plane_sample.h"
#include "core/view/tiles.h"
#include "ui/shell/native_dialog.h"
#include "ui/shell/recent.h"

#include <glib/gi18n.h>

enum { MAX_TOLD = 10 };

/* Files that were requested together: their documents come in that order, and their errors are in one note. */
typedef struct {
  GQueue tasks; /* that are not shown yet: a task is shown when it and all before it are ready */
  GString *faults;
  guint failed;
} Group;

static const char group_key[] = "fovea-opening-group"; /* of the shell: the group that still grows */

typedef struct {
  char *path, *steps, *rest; /* path: or a URL; rest: that the image is not all of the file, or NULL */
  gboolean is_plate;         /* with several images */
  OpeningDone done;
  GObject *listener;
  Group *group;
  gboolean ready;
} Opening;

static void
group_clear (gpointer group)
{
  g_queue_clear_full (&((Group *) group)->tasks, g_object_unref);
  g_string_free (((Group *) group)->faults, TRUE);
}

static void
group_release (gpointer group)
{
  g_rc_box_release_full (group, group_clear);
}

static gboolean
close_group (gpointer shell)
{
  g_object_set_data (shell, group_key, NULL);
  return G_SOURCE_REMOVE;
}

/* All files opened in one iteration of the main loop form a group. */
static Group *
group_of (Shell *shell)
{
  Group *group = g_object_get_data (G_OBJECT (shell), group_key);
  if (!group) {
    group = g_rc_box_new0 (Group);
    group->faults = g_string_new (NULL);
    g_object_set_data_full (G_OBJECT (shell), group_key, group, group_release);
    g_idle_add_full (G_PRIORITY_HIGH, close_group, g_object_ref (shell), g_object_unref);
  }
  return g_rc_box_acquire (group);
}

static void
opening_free (gpointer data)
{
  Opening *opening = data;
  g_free (opening->path);
  g_free (opening->steps);
  g_free (opening->rest);
  g_clear_object (&opening->listener);
  group_release (opening->group);
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

/* What of the file is not in its first image. Free with g_free(). */
static char *
rest_of (const FilesImages *images, const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  const guint count = files_images_count (images);
  const char *left_out = files_images_left_out (images);
  if (count > 1)
    return g_strdup_printf (_ ("“%s” has %u images; the first is shown%s%s."), name, count,
                            left_out ? _ ("; left out: ") : "", left_out ? left_out : "");
  return left_out ? g_strdup_printf (_ ("Omitted from “%s”: %s."), name, left_out) : NULL;
}

static Image *
read_file (Opening *opening, GError **error)
{
  g_autoptr (FilesImages) images = files_images_fetch (opening->path, NULL, error);
  g_autoptr (Image) image = images ? files_images_open (images, 0, error) : NULL;
  if (!image || !read_first (image, error) || !look_examine (image, error))
    return NULL;
  FilePosition position;
  opening->is_plate = files_images_count (images) > 1 && files_images_position (images, 0, &position);
  opening->rest = rest_of (images, opening->path);
  return g_steal_pointer (&image);
}

static void
open_thread (GTask *task, gpointer shell, gpointer data, GCancellable *cancellable)
{
  Opening *opening = data;
  GError *error = NULL;
  Image *image = opening->path ? read_file (opening, &error) : image_ref (run_nothing ());
  (void) shell, (void) cancellable;
  if (image)
    g_task_return_pointer (task, image, (GDestroyNotify) image_unref);
  else
    g_task_return_error (task, error);
}

/* From an earlier session, so not typed in this one. */
static void
set_steps (Document *document, const char *steps, GError **error)
{
  if (document_set_steps (document, steps, NULL, error))
    native_dialog_note (document_modules (document), document_recipe (document), _ ("an earlier session"));
}

/* Says what is wrong with all files of the group so far. */
static void
say_fault (Shell *shell, Group *group, const char *fault)
{
  group->failed++;
  if (group->failed <= MAX_TOLD)
    g_string_append_printf (group->faults, "%s%s", group->faults->len ? "\n" : "", fault);
  g_autofree char *more = group->failed > MAX_TOLD ? g_strdup_printf (_ ("%s\n%u more files cannot be opened."),
                                                                      group->faults->str, group->failed - MAX_TOLD)
                                                   : NULL;
  shell_say (shell, GTK_MESSAGE_ERROR, more ? more : group->faults->str);
}

/* Such an image has no file: nothing else says where it is from. */
static void
say_fetched (Shell *shell, Document *document, const char *url)
{
  g_autofree char *text = g_strdup_printf (_ ("Fetched from “%s”. Save it to keep it."), url);
  shell_say_about (shell, document, GTK_MESSAGE_INFO, text);
}

/* Whether it has no header: the user is asked what its pixels are. */
static gboolean
ask_raw (Shell *shell, const Opening *opening, const GError *error)
{
  if (opening->done || !opening->path || file_source_is_url (opening->path)
      || !g_error_matches (error, FILE_ERROR, FILE_ERROR_FORMAT) || files_raw_explain (opening->path, NULL))
    return FALSE;
  g_action_group_activate_action (G_ACTION_GROUP (shell), "import-raw-file", g_variant_new_bytestring (opening->path));
  return TRUE;
}

/* What has been read, or what hindered it. */
static void
show (Shell *shell, GTask *task)
{
  const Opening *opening = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = g_task_propagate_pointer (task, &error);
  Document *document = NULL;
  if (image) {
    const gboolean fetched = opening->path && file_source_is_url (opening->path);
    document = shell_add (shell, image, fetched ? NULL : opening->path);
    if (opening->path && !fetched)
      recent_add (RECENT_IMAGES, opening->path);
    if (fetched)
      say_fetched (shell, document, opening->path);
    if (opening->steps)
      set_steps (document, opening->steps, &error);
    if (opening->is_plate && !opening->done)
      g_action_group_activate_action (G_ACTION_GROUP (shell), "show-plate", g_variant_new_bytestring (opening->path));
    if (opening->rest)
      shell_say_about (shell, document, GTK_MESSAGE_WARNING, opening->rest);
  }
  if (opening->done)
    opening->done (opening->listener, document, error ? error->message : NULL);
  else if (error && !ask_raw (shell, opening, error))
    say_fault (shell, opening->group, error->message);
}

static void
opened (GObject *shell, GAsyncResult *result, gpointer data)
{
  Opening *opening = g_task_get_task_data (G_TASK (result));
  GTask *first;
  (void) data;
  opening->ready = TRUE;
  while ((first = g_queue_peek_head (&opening->group->tasks))
         && ((const Opening *) g_task_get_task_data (first))->ready) {
    g_autoptr (GTask) task = g_queue_pop_head (&opening->group->tasks);
    if (gtk_window_get_application (GTK_WINDOW (shell))) /* else it was closed meanwhile */
      show (FOVEA_SHELL (shell), task);
  }
}

void
opening_open_with (Shell *shell, const char *path, const char *steps, OpeningDone done, GObject *listener)
{
  g_autoptr (GTask) task = g_task_new (shell, NULL, opened, NULL);
  Opening *opening = g_new (Opening, 1);
  *opening = (Opening){.path = g_strdup (path),
                       .steps = g_strdup (steps),
                       .done = done,
                       .listener = listener ? g_object_ref (listener) : NULL,
                       .group = group_of (shell)};
  g_task_set_task_data (task, opening, opening_free);
  g_queue_push_tail (&opening->group->tasks, g_object_ref (task));
  g_task_run_in_thread (task, open_thread);
}

void
opening_open (Shell *shell, const char *path)
{
  if (g_str_has_suffix (path, ".lua"))
    g_action_group_activate_action (G_ACTION_GROUP (shell), "open-macro-file", g_variant_new_bytestring (path));
  else if (g_str_has_suffix (path, ".lut"))
    g_action_group_activate_action (G_ACTION_GROUP (shell), "open-lut-file", g_variant_new_bytestring (path));
  else if (g_file_test (path, G_FILE_TEST_IS_DIR) && !formats_opens_folder (path))
    g_action_group_activate_action (G_ACTION_GROUP (shell), "open-folder-path", g_variant_new_bytestring (path));
  else
    opening_open_with (shell, path, NULL, NULL, NULL);
}

void
opening_open_file (Shell *shell, GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *uri = path ? NULL : g_file_get_uri (file);
  opening_open (shell, path ? path : uri);
}

/* What was dragged from here is open. */
static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, Shell *shell)
{
  GdkDrop *drop = gtk_drop_target_get_current_drop (target);
  (void) x, (void) y;
  if (drop && gdk_drop_get_drag (drop))
    return FALSE;
  for (const GSList *files = g_value_get_boxed (value); files; files = files->next)
    opening_open_file (shell, files->data);
  return TRUE;
}

void
opening_take_drops (Shell *shell)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect_object (drop, "drop", G_CALLBACK (on_drop), shell, 0);
  gtk_widget_add_controller (GTK_WIDGET (shell), GTK_EVENT_CONTROLLER (drop));
}
