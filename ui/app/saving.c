/* SPDX-License-Identifier: MIT
 *
 * The dialog is not the system's own, which has no room for a form.
 */
#include "ui/app/saving.h"

#include "core/files/files.h"
#include "core/files/options.h"
#include "ui/app/save_options.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_HEIGHT 180 /* of the options, in pixels */

typedef struct {
  Shell *shell;
  Image *image;
  GtkWindow *dialog; /* NULL: it has ended */
  SaveOptions *how;
  char *path;
  char *options; /* of the format, see files_save_as(); NULL: none */
  Document *document;
  char *steps;      /* that made the image */
  const char *verb; /* for document_saved() */
  int step;         /* of what was made earlier, from 1; 0: the opened image */
} Saving;

static void
save_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Saving *s = data;
  GError *error = NULL;
  (void) source, (void) cancellable;
  if (files_save_as (s->image, s->path, s->options, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
saving_free (gpointer data)
{
  Saving *s = data;
  image_unref (s->image);
  g_clear_pointer (&s->dialog, gtk_window_destroy);
  g_object_unref (s->shell);
  g_object_unref (s->document);
  g_free (s->steps);
  g_free (s->options);
  g_free (s->path);
  g_free (s);
}

static void
saved (GObject *shell, GAsyncResult *result, gpointer data)
{
  const Saving *s = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  (void) data;
  if (g_task_propagate_boolean (G_TASK (result), &error)) {
    g_autofree char *written = options_for_command (s->options);
    g_autofree char *options =
      strcmp (s->verb, "save") ? g_strdup_printf (" --step %d%s", s->step, written) : g_strdup (written);
    document_saved (s->document, s->steps, s->verb, s->path, options);
    shell_say_about (FOVEA_SHELL (shell), s->document, GTK_MESSAGE_OTHER, _ ("Saved."));
  } else
    shell_say_about (FOVEA_SHELL (shell), s->document, GTK_MESSAGE_ERROR, error->message);
}

static void
chosen (GtkFileChooser *chooser, int response, gpointer data)
{
  Saving *s = data;
  g_autoptr (GError) error = NULL;
  s->path = response == GTK_RESPONSE_ACCEPT ? file_dialog_path (chooser, ".tif", &error) : NULL;
  if (s->path && !save_options_check (s->how, s->path)) {
    g_clear_pointer (&s->path, g_free);
    return;
  }
  if (!s->path) {
    if (error)
      shell_say (s->shell, GTK_MESSAGE_ERROR, error->message);
    saving_free (s);
    return;
  }
  s->options = save_options_take (s->how, s->path);
  g_clear_pointer (&s->dialog, gtk_window_destroy);
  g_autoptr (GTask) task = g_task_new (s->shell, NULL, saved, NULL);
  g_task_set_task_data (task, s, saving_free);
  g_task_run_in_thread (task, save_thread);
}

/* "nuclei-fovea.tif", or FITS for what has a header of that, which TIFF would lose. Free with g_free(). */
static char *
first_name (const char *name, const ImageInfo *info)
{
  g_autofree char *stem = g_strdup (name);
  char *dot = strrchr (stem, '.');
  if (dot)
    *dot = 0;
  return g_strconcat (*stem ? stem : "image", info->fits_header ? "-fovea.fits" : "-fovea.tif", NULL);
}

void
saving_ask (Shell *shell, const View *view)
{
  Document *document = view_document (view);
  Saving *s = g_new (Saving, 1);
  g_autofree char *name = first_name (image_info (document_source (document))->name, image_info (view_result (view)));
  g_autofree char *title = file_dialog_title (_ ("Save Image"), image_info (document_source (document))->name);
  GtkWidget *dialog =
    gtk_file_chooser_dialog_new (title, GTK_WINDOW (shell), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Cancel"),
                                 GTK_RESPONSE_CANCEL, _ ("_Save"), GTK_RESPONSE_ACCEPT, NULL);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  *s = (Saving){.shell = g_object_ref (shell),
                .image = image_ref (view_result (view)),
                .dialog = GTK_WINDOW (dialog),
                .how = FOVEA_SAVE_OPTIONS (save_options_new (image_info (view_result (view)))),
                .document = g_object_ref (document),
                .steps = recipe_format (run_recipe (document_run (document))),
                .verb = view_result (view) == document_image (document, G_MAXINT) ? "save" : "save-earlier",
                .step = view_index (view) + 1};
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  gtk_file_chooser_set_current_name (chooser, name);
  file_dialog_start_at (chooser, document_path (document));
  g_autofree const char **endings = formats_endings (TRUE, NULL);
  file_filters_add (chooser, _ ("Images"), endings);
  /* All formats' options are taller than a small screen. */
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (s->how));
  g_object_set (scroller, "hscrollbar-policy", GTK_POLICY_NEVER, "propagate-natural-height", TRUE, "max-content-height",
                MAX_HEIGHT, NULL);
  gtk_box_append (GTK_BOX (gtk_dialog_get_content_area (GTK_DIALOG (dialog))), scroller);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  gtk_widget_add_css_class (gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT),
                            "suggested-action");
  g_signal_connect (dialog, "response", G_CALLBACK (chosen), s);
  gtk_window_set_modal (s->dialog, TRUE);
  gtk_window_present (s->dialog);
}
