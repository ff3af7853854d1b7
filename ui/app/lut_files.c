/* SPDX-License-Identifier: MIT
 */
#include "ui/app/lut_files.h"

#include "core/figure/lut_colors.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *const endings[] = {"lut", NULL};

/* ---- Opening ---- */

/* A name that no other table has. */
static char *
own_name (const char *path, const Lut *lut)
{
  g_autofree char *name = luts_name (path);
  Lut other;
  for (int n = 2; luts_find (name, &other) && memcmp (&other, lut, sizeof other); n++) {
    g_autofree char *numbered = g_strdup_printf ("%.40s_%d", name, n);
    g_free (name);
    name = luts_name (numbered);
  }
  return g_steal_pointer (&name);
}

static void
open_thread (GTask *task, gpointer shell, gpointer path, GCancellable *cancellable)
{
  GError *error = NULL;
  Lut lut;
  (void) shell, (void) cancellable;
  g_autofree char *name = lut_read (path, &lut, &error) ? own_name (path, &lut) : NULL;
  if (name && luts_keep (name, &lut, &error))
    g_task_return_pointer (task, g_steal_pointer (&name), g_free);
  else
    g_task_return_error (task, error);
}

static void
opened (GObject *shell, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_task_propagate_pointer (G_TASK (result), &error);
  Page *page = shell_page (FOVEA_SHELL (shell));
  (void) data;
  if (error)
    shell_say (FOVEA_SHELL (shell), GTK_MESSAGE_ERROR, error->message);
  else if (page) {
    View *view = page_view (page);
    ViewChannel look = *view_look (view, view_channel (view));
    g_strlcpy (look.lut, name, sizeof look.lut);
    view_set_look (view, view_channel (view), &look);
  } else
    shell_say (FOVEA_SHELL (shell), GTK_MESSAGE_OTHER, _ ("Added to the look-up tables."));
}

void
lut_files_open_path (Shell *shell, const char *path)
{
  g_autoptr (GTask) task = g_task_new (shell, NULL, opened, NULL);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, open_thread);
}

static void
show (GtkFileChooserNative *chooser, GCallback chosen, gpointer data)
{
  file_filters_add (GTK_FILE_CHOOSER (chooser), _ ("Look-up tables"), endings);
  g_signal_connect (chooser, "response", chosen, data);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
open_chosen (GtkFileChooserNative *chooser, int response, gpointer shell)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = response == GTK_RESPONSE_ACCEPT && file ? g_file_get_path (file) : NULL;
  if (path)
    lut_files_open_path (shell, path);
  g_object_unref (chooser);
}

void
lut_files_open (Shell *shell)
{
  show (gtk_file_chooser_native_new (_ ("Open Look-up Table"), GTK_WINDOW (shell), GTK_FILE_CHOOSER_ACTION_OPEN,
                                     _ ("_Open"), _ ("_Cancel")),
        G_CALLBACK (open_chosen), shell);
}

/* ---- Saving ---- */

typedef struct {
  Shell *shell;
  Lut lut;
} Saving;

static void
save_chosen (GtkFileChooserNative *chooser, int response, gpointer data)
{
  Saving *s = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path =
    response == GTK_RESPONSE_ACCEPT ? file_dialog_path (GTK_FILE_CHOOSER (chooser), ".lut", &error) : NULL;
  if (path && lut_write (path, &s->lut, &error))
    shell_say (s->shell, GTK_MESSAGE_OTHER, _ ("Look-up table saved."));
  if (error)
    shell_say (s->shell, GTK_MESSAGE_ERROR, error->message);
  g_object_unref (chooser);
  g_object_unref (s->shell);
  g_free (s);
}

void
lut_files_save (Shell *shell)
{
  const View *view = page_view (shell_page (shell));
  const char *name = view_lut (view, view_channel (view));
  g_autofree char *file = g_strconcat (name, ".lut", NULL);
  g_autoptr (GError) error = NULL;
  Saving *s = g_new (Saving, 1);
  s->shell = g_object_ref (shell);
  if (!lut_colors (shell_modules (shell), name, &s->lut, &error)) {
    shell_say (shell, GTK_MESSAGE_ERROR, error->message);
    g_object_unref (s->shell);
    g_free (s);
    return;
  }
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Save Look-up Table"), GTK_WINDOW (shell), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), file);
  file_dialog_start_at (GTK_FILE_CHOOSER (chooser), document_path (view_document (view)));
  show (chooser, G_CALLBACK (save_chosen), s);
}
