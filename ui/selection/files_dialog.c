/* SPDX-License-Identifier: MIT
 *
 * Files are read and written on a thread.
 */
#include "ui/selection/files_dialog.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  Selections *selections;
  GtkFileChooserNative *chooser;
  SelectionFilesFailed failed;
  char *path;
  GPtrArray *saved; /* what to write; NULL: reads */
  char *left_out;   /* what was not read, or NULL */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  g_object_unref (job->selections);
  g_object_unref (job->chooser);
  g_clear_pointer (&job->saved, g_ptr_array_unref);
  g_free (job->path);
  g_free (job->left_out);
  g_free (job);
}

static void
transfer_in_thread (GTask *task, gpointer widget, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  GPtrArray *read = NULL;
  (void) widget, (void) cancellable;
  if (job->saved)
    selections_write (job->saved, job->path, &error);
  else
    read = selections_read (job->path, &job->left_out, &error);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, read, (GDestroyNotify) g_ptr_array_unref);
}

static void
transferred (GObject *widget, GAsyncResult *result, gpointer data)
{
  const Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) read = g_task_propagate_pointer (G_TASK (result), &error);
  (void) data;
  if (error)
    job->failed (widget, error->message);
  else if (read)
    selections_extend (job->selections, read, job->path);
  else if (job->saved && job->path)
    selections_did (job->selections, "save", job->path);
  if (job->left_out)
    job->failed (widget, job->left_out);
}

static void
on_response (GtkWidget *widget, int response, GtkNativeDialog *chooser)
{
  Job *job = g_object_steal_data (G_OBJECT (chooser), "job");
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GTask) task = g_task_new (widget, NULL, transferred, NULL);
  g_task_set_task_data (task, job, job_free);
  job->path = file && response == GTK_RESPONSE_ACCEPT ? g_file_get_path (file) : NULL;
  if (job->path)
    g_task_run_in_thread (task, transfer_in_thread);
  else
    g_task_return_pointer (task, NULL, NULL);
}

/* saved: what to save, or NULL; takes it. */
static void
ask_for_file (GtkWidget *widget, Selections *selections, SelectionFilesFailed failed, GPtrArray *saved)
{
  Job *job = g_new0 (Job, 1);
  GtkFileFilter *filter = gtk_file_filter_new ();
  *job = (Job){g_object_ref (selections), NULL, failed, NULL, saved, NULL};
  job->chooser = gtk_file_chooser_native_new (saved ? _ ("Save Selections") : _ ("Open Selections"),
                                              GTK_WINDOW (gtk_widget_get_root (widget)),
                                              saved ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN,
                                              saved ? _ ("_Save") : _ ("_Open"), _ ("_Cancel"));
  gtk_file_filter_set_name (filter, _ ("Selections (.roi, .zip, .geojson)"));
  gtk_file_filter_add_suffix (filter, "roi");
  gtk_file_filter_add_suffix (filter, "zip");
  gtk_file_filter_add_suffix (filter, "geojson");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (job->chooser), filter);
  g_object_unref (filter);
  if (saved)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (job->chooser),
                                       saved->len == 1 ? "selection.roi" : "selections.zip");
  g_object_set_data (G_OBJECT (job->chooser), "job", job);
  g_signal_connect_object (job->chooser, "response", G_CALLBACK (on_response), widget, G_CONNECT_SWAPPED);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (job->chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (job->chooser));
}

void
selection_files_open (GtkWidget *widget, Selections *selections, SelectionFilesFailed failed)
{
  ask_for_file (widget, selections, failed, NULL);
}

void
selection_files_save (GtkWidget *widget, Selections *selections, SelectionFilesFailed failed)
{
  GPtrArray *saved = selections_copy_kept (selections);
  if (!saved->len && selections_current (selections))
    g_ptr_array_add (saved, selection_copy (selections_current (selections)));
  if (saved->len) {
    ask_for_file (widget, selections, failed, saved);
    return;
  }
  g_ptr_array_unref (saved);
  failed (widget, _ ("No selection to save: draw one first."));
}
