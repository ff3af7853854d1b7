/* SPDX-License-Identifier: MIT
 *
 * The text is that of the moment when the dialog was opened: nothing else can change it, for the dialog is modal.
 */
#include "ui/app/steps_file.h"

#include "ui/app/new_files.h"
#include "ui/app/volume_question.h"
#include "ui/shell/native_dialog.h"
#include "ui/steps/new_step.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"
#include "core/recipe/steps_text.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *const endings[] = {"steps", "txt", NULL};

typedef struct {
  Shell *shell;
  GPtrArray *documents, *steps, *lines, *paths;
  StepsFileSaved saved;
  GObject *listener;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *s = data;
  g_object_unref (s->shell);
  g_ptr_array_unref (s->documents);
  g_ptr_array_unref (s->steps);
  g_ptr_array_unref (s->lines);
  g_ptr_array_unref (s->paths);
  g_clear_object (&s->listener);
  g_free (s);
}

/* ---- Saving ---- */

static void
save_thread (GTask *task, gpointer shell, gpointer data, GCancellable *cancellable)
{
  const Saving *s = data;
  GError *error = NULL;
  (void) shell, (void) cancellable;
  for (guint i = 0; i < s->lines->len; i++) {
    if (s->documents->len > 1) { /* paths->pdata[0] is a folder */
      g_autofree char *stem = new_files_stem (s->documents->pdata[i]);
      g_ptr_array_add (s->paths, new_files_path (s->paths->pdata[0], stem, ".steps", s->paths));
    }
    if (!steps_text_save (s->paths->pdata[s->paths->len - 1], s->lines->pdata[i], &error)) {
      g_task_return_error (task, error);
      return;
    }
  }
  g_task_return_boolean (task, TRUE);
}

static void
saved (GObject *shell, GAsyncResult *result, gpointer data)
{
  const Saving *s = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  (void) data;
  if (!g_task_propagate_boolean (G_TASK (result), &error)) {
    shell_say (FOVEA_SHELL (shell), GTK_MESSAGE_ERROR, error->message);
    return;
  }
  guint first = s->paths->len - s->documents->len;
  for (guint i = 0; i < s->documents->len; i++)
    document_saved (s->documents->pdata[i], s->steps->pdata[i], "save-steps", s->paths->pdata[first + i], "");
  shell_say (FOVEA_SHELL (shell), GTK_MESSAGE_OTHER, _ ("Steps saved."));
  if (s->saved)
    s->saved (s->listener);
}

/* The file, or the folder for several. */
static char *
path_of (const Saving *s, GtkFileChooser *chooser, GError **error)
{
  if (s->documents->len == 1)
    return file_dialog_path (chooser, ".steps", error);
  g_autoptr (GFile) folder = gtk_file_chooser_get_file (chooser);
  return g_file_get_path (folder);
}

static void
chosen (GtkFileChooserNative *chooser, int response, gpointer data)
{
  Saving *s = data;
  g_autoptr (GError) error = NULL;
  char *path = response == GTK_RESPONSE_ACCEPT ? path_of (s, GTK_FILE_CHOOSER (chooser), &error) : NULL;
  if (error)
    shell_say (s->shell, GTK_MESSAGE_ERROR, error->message);
  if (path) {
    g_autoptr (GTask) task = g_task_new (s->shell, NULL, saved, NULL);
    g_ptr_array_add (s->paths, path);
    g_task_set_task_data (task, s, saving_free);
    g_task_run_in_thread (task, save_thread);
  } else
    saving_free (s);
  g_object_unref (chooser);
}

static Saving *
saving_new (Shell *shell, const GPtrArray *documents, StepsFileSaved heard, GObject *listener)
{
  Saving *s = g_new (Saving, 1);
  *s = (Saving){g_object_ref (shell),
                g_ptr_array_new_with_free_func (g_object_unref),
                g_ptr_array_new_with_free_func (g_free),
                g_ptr_array_new_with_free_func (g_free),
                g_ptr_array_new_with_free_func (g_free),
                heard,
                listener ? g_object_ref (listener) : NULL};
  for (guint i = 0; i < documents->len; i++) {
    Document *document = documents->pdata[i];
    g_ptr_array_add (s->documents, g_object_ref (document));
    g_ptr_array_add (s->steps, g_strdup (document_text (document)));
    g_ptr_array_add (s->lines, steps_text_lines (document_recipe (document)));
  }
  return s;
}

void
steps_file_save (Shell *shell, const GPtrArray *documents, const char *folder, StepsFileSaved heard, GObject *listener)
{
  gboolean one = documents->len == 1;
  const ImageInfo *info = image_info (document_source (documents->pdata[0]));
  g_autofree char *title = file_dialog_title (_ ("Save Steps"), info->name);
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    one ? title : _ ("Save Steps in a Folder"), GTK_WINDOW (shell),
    one ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Save"), _ ("_Cancel"));
  if (one) {
    g_autofree char *stem = new_files_stem (documents->pdata[0]), *name = g_strconcat (stem, ".steps", NULL);
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
    file_filters_add (GTK_FILE_CHOOSER (chooser), _ ("Steps"), endings);
  }
  g_autofree char *first = folder ? g_build_filename (folder, "first.steps", NULL) : NULL;
  file_dialog_start_at (GTK_FILE_CHOOSER (chooser), first ? first : document_path (documents->pdata[0]));
  g_signal_connect (chooser, "response", G_CALLBACK (chosen), saving_new (shell, documents, heard, listener));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* ---- Opening ---- */

typedef struct {
  Document *document;
  char *path;
  gboolean recipe; /* which is made to suit the image */
} Loading;

static void
loading_free (gpointer data)
{
  Loading *loading = data;
  g_object_unref (loading->document);
  g_free (loading->path);
  g_free (loading);
}

static void
load_thread (GTask *task, gpointer shell, gpointer loading, GCancellable *cancellable)
{
  GError *error = NULL;
  char *steps = steps_text_load (((Loading *) loading)->path, &error);
  (void) shell, (void) cancellable;
  if (steps)
    g_task_return_pointer (task, steps, g_free);
  else
    g_task_return_error (task, error);
}

/* The document has a page, unless it was closed meanwhile. */
static void
begin (Shell *shell, Document *document, const Recipe *recipe)
{
  Page *page = shell_page_of (shell, document);
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  if (page && new_steps_begin (page_view (page), shell_modules (shell), recipe, &note, &error) && note)
    shell_say_about (shell, document, GTK_MESSAGE_INFO, note);
  if (error)
    shell_say_about (shell, document, GTK_MESSAGE_ERROR, error->message);
}

static void
loaded (GObject *shell, GAsyncResult *result, gpointer data)
{
  const Loading *loading = g_task_get_task_data (G_TASK (result));
  const Modules *modules = document_modules (loading->document);
  g_autoptr (GError) error = NULL;
  g_autofree char *steps = g_task_propagate_pointer (G_TASK (result), &error),
                  *folder = g_path_get_dirname (loading->path);
  g_autoptr (Recipe) recipe = steps ? recipe_parse (modules, steps, &error) : NULL,
                     whole = recipe ? recipe_in_folder (recipe, folder) : NULL;
  (void) data;
  if (whole) {
    g_autofree char *path = g_filename_display_name (loading->path),
                    *from = g_strdup_printf (_ ("the file '%s'"), path);
    native_dialog_note (modules, whole, from);
    if (loading->recipe)
      volume_question (FOVEA_SHELL (shell), loading->document, whole, begin);
    else
      document_set_recipe (loading->document, whole);
  }
  if (error)
    shell_say_about (FOVEA_SHELL (shell), loading->document, GTK_MESSAGE_ERROR, error->message);
}

/* Takes the path. */
static void
load (Shell *shell, Document *document, char *path, gboolean recipe)
{
  g_autoptr (GTask) task = g_task_new (shell, NULL, loaded, NULL);
  Loading *loading = g_new (Loading, 1);
  *loading = (Loading){g_object_ref (document), path, recipe};
  g_task_set_task_data (task, loading, loading_free);
  g_task_run_in_thread (task, load_thread);
}

static void
file_chosen (GtkFileChooserNative *chooser, int response, gpointer document)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  GtkWindow *window = gtk_native_dialog_get_transient_for (GTK_NATIVE_DIALOG (chooser));
  if (response == GTK_RESPONSE_ACCEPT && file)
    load (FOVEA_SHELL (window), document, g_file_get_path (file), FALSE);
  g_object_unref (document);
  g_object_unref (chooser);
}

void
steps_file_open (Shell *shell, Document *document)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Open Steps"), GTK_WINDOW (shell), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  file_filters_add (GTK_FILE_CHOOSER (chooser), _ ("Steps"), endings);
  file_dialog_start_at (GTK_FILE_CHOOSER (chooser), document_path (document));
  g_signal_connect (chooser, "response", G_CALLBACK (file_chosen), g_object_ref (document));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

void
steps_file_begin (Shell *shell, Document *document, const char *path)
{
  load (shell, document, g_strdup (path), TRUE);
}
