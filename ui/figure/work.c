/* SPDX-License-Identifier: MIT
 */
#include "ui/figure/work.h"

#include "core/ops/args.h"

#include <glib/gi18n.h>

typedef struct {
  Shell *shell;
  Document *document;
  FigureInputs inputs;
  FigureChoices choices;
  char *steps; /* that made the images */
  char *path;  /* NULL: it is copied */
  cairo_surface_t *picture;
} Work;

static void
work_free (gpointer data)
{
  Work *w = data;
  g_object_unref (w->shell);
  g_object_unref (w->document);
  figure_inputs_clear (&w->inputs);
  g_clear_pointer (&w->picture, cairo_surface_destroy);
  g_free (w->steps);
  g_free (w->path);
  g_free (w);
}

static void
work_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *w = data;
  GError *error = NULL;
  gboolean done = FALSE;
  (void) source, (void) cancellable;
  if (w->path)
    done = figure_save (&w->inputs, &w->choices, w->path, NULL, &error);
  else
    done = (w->picture = figure_picture (&w->inputs, &w->choices, NULL, &error)) != NULL;
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
copy (const Work *w)
{
  const int columns = cairo_image_surface_get_width (w->picture), rows = cairo_image_surface_get_height (w->picture);
  const gsize stride = (gsize) cairo_image_surface_get_stride (w->picture);
  g_autoptr (GBytes) bytes = g_bytes_new (cairo_image_surface_get_data (w->picture), stride * (gsize) rows);
  g_autoptr (GdkTexture) texture = gdk_memory_texture_new (columns, rows, GDK_MEMORY_DEFAULT, bytes, stride);
  g_autofree char *said = g_strdup_printf (_ ("Copied as an image of %d × %d dots."), columns, rows);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (w->shell)), texture);
  shell_say_about (w->shell, w->document, GTK_MESSAGE_OTHER, said);
}

static void
finished (GObject *shell, GAsyncResult *result, gpointer data)
{
  const Work *w = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  (void) data;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    shell_say_about (FOVEA_SHELL (shell), w->document, GTK_MESSAGE_ERROR, error->message);
  else if (w->path) {
    g_autofree char *options = args_format (figure_op (), &w->choices, NULL);
    document_saved (w->document, w->steps, "figure", w->path, options);
    shell_say_about (FOVEA_SHELL (shell), w->document, GTK_MESSAGE_OTHER, _ ("Saved."));
  } else
    copy (w);
}

static void
begin (Shell *shell, Document *document, const FigureChoices *choices, const char *path)
{
  const Run *run = document_run (document);
  FigureInputs inputs;
  g_autoptr (GError) error = NULL;
  if (!figure_inputs_find (&inputs, shell_modules (shell), run, choices, &error)) {
    shell_say_about (shell, document, GTK_MESSAGE_ERROR, error->message);
    return;
  }
  Work *w = g_new (Work, 1);
  *w = (Work){.shell = g_object_ref (shell),
              .document = g_object_ref (document),
              .inputs = inputs,
              .choices = *choices,
              .steps = recipe_format (run_recipe (run)),
              .path = g_strdup (path)};
  g_autoptr (GTask) task = g_task_new (shell, NULL, finished, NULL);
  g_task_set_task_data (task, w, work_free);
  g_task_run_in_thread (task, work_thread);
}

void
figure_work_save (Shell *shell, Document *document, const FigureChoices *choices, const char *path)
{
  begin (shell, document, choices, path);
}

void
figure_work_copy (Shell *shell, Document *document, const FigureChoices *choices)
{
  begin (shell, document, choices, NULL);
}
