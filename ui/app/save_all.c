/* SPDX-License-Identifier: MIT
 *
 * What is written is as it was when the dialog was opened: the dialog is modal.
 */
#include "ui/app/save_all.h"

#include "core/recipe/steps_text.h"
#include "ui/app/new_files.h"
#include "ui/widgets/file_dialog.h"

#include <glib/gi18n.h>

/* What one image has; NULL: nothing of that kind that is unsaved. */
typedef struct {
  Document *document;
  char *stem, *steps, *lines;
  GPtrArray *selections;
  Table *measured;
  char *steps_path, *selections_path, *measured_path; /* where it was written */
} Work;

typedef struct {
  Shell *shell;
  GPtrArray *works;
  char *folder;
  SaveAllSaved saved;
  GObject *listener;
} Saving;

static void
work_free (gpointer data)
{
  Work *w = data;
  char *const texts[] = {w->stem, w->steps, w->lines, w->steps_path, w->selections_path, w->measured_path};
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_clear_pointer (&w->selections, g_ptr_array_unref);
  g_clear_pointer (&w->measured, table_unref);
  g_object_unref (w->document);
  g_free (w);
}

static void
saving_free (gpointer data)
{
  Saving *s = data;
  g_ptr_array_unref (s->works);
  g_object_unref (s->listener);
  g_object_unref (s->shell);
  g_free (s->folder);
  g_free (s);
}

/* The list of selections, or the current one where it is not in the list; as files_dialog.h saves them. */
static GPtrArray *
selections_of (Selections *selections)
{
  if (selections_length (selections))
    return selections_share_kept (selections);
  GPtrArray *one = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  g_ptr_array_add (one, selection_copy (selections_current (selections)));
  return one;
}

static Work *
work_of (Document *document, const Page *page)
{
  PageUnsaved unsaved;
  Work *w = g_new0 (Work, 1);
  page_unsaved (page, &unsaved);
  w->document = g_object_ref (document);
  w->stem = new_files_stem (document);
  if (unsaved.steps) {
    w->steps = g_strdup (document_text (document));
    w->lines = steps_text_lines (document_recipe (document));
  }
  if (unsaved.selections)
    w->selections = selections_of (page_selections (page));
  if (unsaved.measurements)
    w->measured = table_ref (measurements_table (page_measurements (page)));
  return w;
}

/* ---- On a thread ---- */

/* A path that none of the others has; in paths from now on, which owns it. */
static const char *
next_path (GPtrArray *paths, const Saving *s, const Work *w, const char *ending, char **path)
{
  *path = new_files_path (s->folder, w->stem, ending, paths);
  g_ptr_array_add (paths, *path);
  return *path;
}

static gboolean
write_work (GPtrArray *paths, const Saving *s, Work *w, GError **error)
{
  return (!w->lines || steps_text_save (next_path (paths, s, w, ".steps", &w->steps_path), w->lines, error))
         && (!w->selections
             || selections_write (w->selections, next_path (paths, s, w, ".zip", &w->selections_path), error))
         && (!w->measured
             || table_save_csv (w->measured, next_path (paths, s, w, "-measurements.csv", &w->measured_path),
                                (CsvFormat){',', FALSE, FALSE}, NULL, error));
}

static void
save_thread (GTask *task, gpointer shell, gpointer data, GCancellable *cancellable)
{
  Saving *s = data;
  GError *error = NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  (void) shell, (void) cancellable;
  for (guint i = 0; i < s->works->len && !error; i++)
    write_work (paths, s, s->works->pdata[i], &error);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/* ---- In the window ---- */

static void
tell (Shell *shell, const Work *w)
{
  Page *page = shell_page_of (shell, w->document);
  if (w->steps)
    document_saved (w->document, w->steps, "save-steps", w->steps_path, "");
  if (w->measured)
    document_saved (w->document, NULL, "export-measured", w->measured_path, "");
  if (w->selections && page)
    selections_did (page_selections (page), "save", w->selections_path);
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
  for (guint i = 0; i < s->works->len; i++)
    tell (FOVEA_SHELL (shell), s->works->pdata[i]);
  shell_say (FOVEA_SHELL (shell), GTK_MESSAGE_OTHER, _ ("All saved."));
  s->saved (s->listener);
}

static void
chosen (GtkFileChooserNative *chooser, int response, gpointer data)
{
  Saving *s = data;
  g_autoptr (GFile) folder = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  s->folder = folder && response == GTK_RESPONSE_ACCEPT ? g_file_get_path (folder) : NULL;
  if (s->folder) {
    g_autoptr (GTask) task = g_task_new (s->shell, NULL, saved, NULL);
    g_task_set_task_data (task, s, saving_free);
    g_task_run_in_thread (task, save_thread);
  } else
    saving_free (s);
  g_object_unref (chooser);
}

void
save_all_ask (Shell *shell, const GPtrArray *documents, SaveAllSaved heard, GObject *listener)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Save in a Folder"), GTK_WINDOW (shell), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Save"), _ ("_Cancel"));
  Saving *s = g_new (Saving, 1);
  *s = (Saving){g_object_ref (shell), g_ptr_array_new_with_free_func (work_free), NULL, heard, g_object_ref (listener)};
  for (guint i = 0; i < documents->len; i++) {
    const Page *page = shell_page_of (shell, documents->pdata[i]);
    if (page)
      g_ptr_array_add (s->works, work_of (documents->pdata[i], page));
  }
  file_dialog_start_at (GTK_FILE_CHOOSER (chooser), document_path (documents->pdata[0]));
  g_signal_connect (chooser, "response", G_CALLBACK (chosen), s);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
