/* SPDX-License-Identifier: MIT
 *
 * How TIFF is written is asked with the name, and as it was the last time. A plane for which a pyramid is worth while gets one unless
 * something else was chosen before.
 */
#include "ui/app/saving.h"

#include "core/base/settings.h"
#include "core/files/files.h"
#include "core/files/options.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"

#include <glib/gi18n.h>
#include <string.h>

#define LARGE_PLANE ((gsize) 256 << 20)

/* The option compression; and how pixels lie in the file. */
static const char *const compressions[] = {"none", "deflate", "zstd", NULL};
static const char *const compression_labels[] = {N_ ("not compressed"), N_ ("Deflate: smaller"),
                                                 N_ ("Zstandard: smaller and faster"), NULL};
enum { ROWS, PYRAMID = 2 };
static const char *const layouts[] = {"rows", "tiles", "pyramid", NULL};
static const char *const layout_options[] = {"", " tile=256", " tile=256 pyramid=yes"};
static const char *const layout_labels[] = {N_ ("in rows"), N_ ("in tiles"), N_ ("in tiles, with smaller levels"),
                                            NULL};
static const char group[] = "Saving", compression_key[] = "compression", layout_key[] = "layout";

typedef struct {
  Shell *shell;
  Image *image;
  GtkFileChooserNative *chooser;
  char *path;
  char *options; /* of the format, see files_save_as(); NULL: none */
  Document *document;
  char *steps;      /* that made the image */
  const char *verb; /* for document_saved() */
  int step;         /* of what was made earlier, from 1; 0: the opened image */
} Saving;

/* ---- Choices ---- */

/* What was chosen the last time, or `usual`. */
static guint
remembered (const char *key, const char *const *ids, guint usual)
{
  g_autofree char *kept = settings_get (settings_of_user (), group, key);
  for (guint i = 0; kept && ids[i]; i++)
    if (!strcmp (kept, ids[i]))
      return i;
  return usual;
}

static guint
usual_layout (const ImageInfo *info)
{
  return image_info_plane_bytes (info) > LARGE_PLANE ? PYRAMID : ROWS;
}

/* What is not as it was proposed is for the next time, too; what cannot be kept is used all the same. */
static guint
take_choice (GtkFileChooser *chooser, const char *key, const char *const *ids, guint usual)
{
  const char *chosen = gtk_file_chooser_get_choice (chooser, key);
  g_autoptr (GError) error = NULL;
  guint i = 0;
  while (ids[i] && g_strcmp0 (ids[i], chosen))
    i++;
  if (!ids[i])
    return 0;
  if (i != remembered (key, ids, usual) && !settings_set (settings_of_user (), group, key, ids[i], &error))
    g_info ("The settings for saving files cannot be saved: %s", error->message);
  return i;
}

/* The last format first: GTK 4.8 selects the first one regardless of what is set. */
static void
add_choice (GtkFileChooser *chooser, const char *key, const char *label, const char *const *ids,
            const char *const *labels, guint usual)
{
  const char *sorted[2][4] = {{0}};
  guint first = remembered (key, ids, usual), n = 0;
  for (guint i = 0; ids[i]; i++) {
    guint from = i == 0 ? first : i <= first ? i - 1 : i;
    sorted[0][n] = ids[from];
    sorted[1][n++] = _ (labels[from]);
  }
  gtk_file_chooser_add_choice (chooser, key, label, sorted[0], sorted[1]);
}

static void
add_choices (GtkFileChooser *chooser, const ImageInfo *info)
{
  add_choice (chooser, compression_key, _ ("TIFF"), compressions, compression_labels, 0);
  add_choice (chooser, layout_key, _ ("laid out"), layouts, layout_labels, usual_layout (info));
}

/* As options of TIFF. Free with g_free(). */
static char *
take_choices (GtkFileChooser *chooser, const ImageInfo *info)
{
  guint compression = take_choice (chooser, compression_key, compressions, 0);
  guint layout = take_choice (chooser, layout_key, layouts, usual_layout (info));
  return g_strconcat (compression ? "compression=" : "", compression ? compressions[compression] : "",
                      layout_options[layout], NULL);
}

/* ---- Saving ---- */

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
  g_object_unref (s->chooser);
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
chosen (GtkFileChooserNative *native, int response, gpointer data)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (native);
  Saving *s = data;
  g_autoptr (GError) error = NULL;
  s->path = response == GTK_RESPONSE_ACCEPT ? file_dialog_path (chooser, ".tif", &error) : NULL;
  if (!s->path) {
    if (error)
      shell_say (s->shell, GTK_MESSAGE_ERROR, error->message);
    saving_free (s);
    return;
  }
  if (files_can_save (s->path, "tile=256", NULL)) /* it is TIFF */
    s->options = take_choices (chooser, image_info (s->image));
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
  *s = (Saving){.shell = g_object_ref (shell),
                .image = image_ref (view_result (view)),
                .chooser = gtk_file_chooser_native_new (title, GTK_WINDOW (shell), GTK_FILE_CHOOSER_ACTION_SAVE,
                                                        _ ("_Save"), _ ("_Cancel")),
                .document = g_object_ref (document),
                .steps = recipe_format (run_recipe (document_run (document))),
                .verb = view_result (view) == document_image (document, G_MAXINT) ? "save" : "save-earlier",
                .step = view_index (view) + 1};
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (s->chooser);
  gtk_file_chooser_set_current_name (chooser, name);
  file_dialog_start_at (chooser, document_path (document));
  g_autofree const char **endings = formats_endings (TRUE, NULL);
  file_filters_add (chooser, _ ("Images"), endings);
  add_choices (chooser, image_info (s->image));
  g_signal_connect (s->chooser, "response", G_CALLBACK (chosen), s);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (s->chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (s->chooser));
}
