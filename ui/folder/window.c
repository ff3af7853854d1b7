/* SPDX-License-Identifier: MIT
 *
 * Folders are looked through on a worker, and those below them, as a batch does, and again when files come or go there. Of several the
 * newest is shown.
 */
#include "ui/folder/window.h"

#include "core/base/error.h"
#include "core/base/settings.h"
#include "core/batch/inputs.h"
#include "ui/folder/grid.h"
#include "ui/shell/opening.h"
#include "ui/shell/viewer.h"
#include "ui/widgets/button.h"
#include "ui/widgets/folder_files.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "folder"
enum { PAUSE = 500 /* ms */, MAX_WATCHED = 1000 /* folders */ };

#define FOLDER_FORM_TYPE (folder_form_get_type ())
G_DECLARE_FINAL_TYPE (FolderForm, folder_form, FOVEA, FOLDER_FORM, GtkBox)

struct _FolderForm {
  GtkBox parent;
  Shell *shell;
  Worker *worker; /* looks through folders */
  Viewer *viewer;
  char *folder;
  FolderGrid *grid;
  GtkLabel *says;
  GtkWidget *batch;
  guint waiting; /* to look again */
};

G_DEFINE_FINAL_TYPE (FolderForm, folder_form, GTK_TYPE_BOX)

static const char group[] = "Folder", last_key[] = "last";

/* ---- Which images there are ---- */

typedef struct {
  FolderForm *form;
  char *folder;
  GPtrArray *images;  /* FolderImage, found */
  GPtrArray *folders; /* looked through */
} Search;

static gboolean
search_work (gpointer data, Progress *progress, GError **error)
{
  Search *search = data;
  const char *const names[] = {search->folder, NULL};
  search->folders = folder_files_below (search->folder, MAX_WATCHED);
  progress_enter (progress);
  g_autoptr (BatchInputs) inputs = batch_inputs_new (names, "", error);
  progress_enter (NULL);
  for (guint i = 0; inputs && i < inputs->files->len; i++)
    g_ptr_array_add (search->images, folder_image_new (batch_input (inputs, i)->path, batch_input_name (inputs, i)));
  return inputs != NULL;
}

/* The image in front is marked when it is one of the folder. */
static void
on_front (FolderForm *self)
{
  Document *front = self->shell ? shell_document (self->shell) : NULL;
  folder_grid_mark (self->grid, front ? document_path (front) : NULL);
}

static void look_through (FolderForm *self);

static gboolean
on_waited (gpointer data)
{
  FolderForm *self = data;
  self->waiting = 0;
  look_through (self);
  return G_SOURCE_REMOVE;
}

/* Files have come or gone, as while a microscope writes them: many in a row are one change. */
static void
on_changed (FolderForm *self)
{
  if (!self->waiting && self->worker)
    self->waiting = g_timeout_add (PAUSE, on_waited, self);
}

/* What has come to a new folder before it was watched is looked for once more. */
static void
watch (FolderForm *self, const GPtrArray *folders)
{
  if (folder_files_watch ((const char *const *) folders->pdata, folders->len, G_CALLBACK (on_changed), self))
    on_changed (self);
}

static void
search_finished (gpointer data, const GError *error)
{
  Search *search = data;
  FolderForm *self = search->form;
  if (!step_error_is_cancelled (error) && self->shell) {
    g_autofree char *images = words_count (search->images->len, "image", "images");
    gtk_label_set_text (self->says, error ? error->message : images);
    folder_grid_set (self->grid, search->images);
    gtk_widget_set_sensitive (self->batch, search->images->len > 0);
    on_front (self);
    watch (self, search->folders);
  }
  g_object_unref (self);
  g_free (search->folder);
  g_ptr_array_unref (search->images);
  g_clear_pointer (&search->folders, g_ptr_array_unref);
  g_free (search);
}

static void
look_through (FolderForm *self)
{
  Search *search = g_new (Search, 1);
  *search = (Search){.form = g_object_ref (self),
                     .folder = g_strdup (self->folder),
                     .images = g_ptr_array_new_with_free_func (g_object_unref)};
  worker_push (self->worker, &(WorkerJob){search_work, search_finished, search, self});
}

static void
remember (const char *folder)
{
  g_autoptr (GError) error = NULL;
  if (!settings_set (settings_of_user (), group, last_key, folder, &error))
    g_info ("The last folder cannot be saved: %s", error->message);
}

static void
set_folder (FolderForm *self, const char *folder)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autofree char *name = g_filename_display_basename (folder), *title = g_strdup_printf (_ ("Folder %s"), name);
  g_free (self->folder);
  self->folder = g_strdup (folder);
  gtk_window_set_title (side_window_of (self), title);
  gtk_label_set_text (self->says, _ ("Looking for images…"));
  gtk_widget_set_sensitive (self->batch, FALSE);
  folder_grid_set (self->grid, none);
  remember (folder);
  folder_files_watch (&folder, 1, G_CALLBACK (on_changed), self);
  look_through (self);
}

/* ---- What is done with them ---- */

static gboolean
as_opened (View *view)
{
  Image *source = document_source (view_document (view));
  for (gint64 c = 0; c < image_info (source)->channels; c++) {
    const ViewChannel look = look_of_image (source, c);
    if (!look_equal (&look, view_look (view, c)))
      return FALSE;
  }
  return TRUE;
}

/* With the steps of the front image and, if the user has set them, its display settings. */
static void
open_image (FolderForm *self, FolderImage *image)
{
  Page *page = shell_page (self->shell);
  Document *front = page ? view_document (page_view (page)) : NULL;
  const gboolean of_file = front && document_path (front);
  g_autofree char *steps = g_strdup (of_file ? document_text (front) : ""),
                  *settings =
                    of_file && !as_opened (page_view (page)) ? view_display_settings (page_view (page)) : NULL;
  const PlanePosition position = of_file ? view_wish (page_view (page)) : (PlanePosition){0};
  viewer_show (self->viewer, &(ViewerWish){.path = folder_image_path (image),
                                           .steps = steps,
                                           .settings = settings,
                                           .channel = of_file ? position.channel : -1,
                                           .slice = of_file ? position.slice : -1,
                                           .frame = of_file ? position.frame : -1,
                                           .unsaved = of_file && document_unsaved (front)});
}

static void
on_failed (FolderForm *self, const char *path, const char *why)
{
  (void) path;
  shell_say (self->shell, GTK_MESSAGE_ERROR, why);
}

static void
run_on_all (FolderForm *self)
{
  g_action_group_activate_action (G_ACTION_GROUP (self->shell), "batch-folder",
                                  g_variant_new_bytestring (self->folder));
}

/* ---- The window ---- */

static GtkWidget *
make_buttons (FolderForm *self)
{
  GtkWidget *row = side_window_buttons ();
  self->says = GTK_LABEL (side_window_text (NULL));
  gtk_label_set_selectable (self->says, FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->says), "dim-label");
  self->batch = button_with_text (_ ("_Run on All…"), _ ("The steps of the front image, for all images of the folder"),
                                  G_CALLBACK (run_on_all), self);
  gtk_widget_set_halign (row, GTK_ALIGN_FILL);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->says));
  gtk_box_append (GTK_BOX (row), self->batch);
  return row;
}

static void
folder_form_dispose (GObject *object)
{
  FolderForm *self = FOVEA_FOLDER_FORM (object);
  self->shell = NULL;
  g_clear_handle_id (&self->waiting, g_source_remove);
  if (self->viewer)
    viewer_leave (self->viewer);
  g_clear_object (&self->viewer);
  g_clear_pointer (&self->worker, worker_free);
  G_OBJECT_CLASS (folder_form_parent_class)->dispose (object);
}

static void
folder_form_finalize (GObject *object)
{
  g_free (FOVEA_FOLDER_FORM (object)->folder);
  G_OBJECT_CLASS (folder_form_parent_class)->finalize (object);
}

static void
folder_form_class_init (FolderFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = folder_form_dispose;
  G_OBJECT_CLASS (class)->finalize = folder_form_finalize;
}

static void
folder_form_init (FolderForm *self)
{
  self->worker = worker_new_modest (WORKER_LATER);
}

static FolderForm *
form_new (Shell *shell)
{
  FolderForm *self = g_object_new (FOLDER_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  self->shell = shell;
  self->viewer = viewer_new (shell);
  self->grid = FOVEA_FOLDER_GRID (folder_grid_new (shell_modules (shell)));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->grid));
  gtk_box_append (GTK_BOX (self), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (self), make_buttons (self));
  g_signal_connect_object (self->grid, "chosen", G_CALLBACK (open_image), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->viewer, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (shell, "front", G_CALLBACK (on_front), self, G_CONNECT_SWAPPED);
  return self;
}

static FolderForm *
form_of (Shell *shell)
{
  GtkWindow *window = side_window_find (GTK_WINDOW (shell), KEY);
  return window ? FOVEA_FOLDER_FORM (gtk_widget_get_first_child (gtk_window_get_child (window))) : NULL;
}

gboolean
folder_window_is_there (Shell *shell)
{
  return form_of (shell) != NULL;
}

void
folder_window_show (Shell *shell, const char *folder)
{
  FolderForm *form = form_of (shell);
  if (!form) {
    GtkBox *box = side_window_show (GTK_WINDOW (shell), KEY, _ ("Folder"), 300, 640);
    form = form_new (shell);
    gtk_box_append (box, GTK_WIDGET (form));
    gtk_window_set_hide_on_close (side_window_of (box), TRUE);
  }
  set_folder (form, folder);
  gtk_window_present (side_window_of (form));
}

void
folder_window_move (Shell *shell, int by)
{
  FolderForm *form = form_of (shell);
  if (form && !folder_grid_move (form->grid, by))
    shell_say (shell, GTK_MESSAGE_INFO,
               by > 0 ? _ ("This is the last image of the folder.") : _ ("This is the first image of the folder."));
}

/* ---- Asking for a folder ---- */

static void
on_response (GtkFileChooserNative *chooser, int response, gpointer shell)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = response == GTK_RESPONSE_ACCEPT && file ? g_file_get_path (file) : NULL;
  if (path)
    opening_open (shell, path);
  g_object_unref (chooser);
}

void
folder_window_ask (Shell *shell)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Open Folder"), GTK_WINDOW (shell), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Open"), _ ("_Cancel"));
  g_autofree char *last = settings_get (settings_of_user (), group, last_key);
  if (last) {
    g_autoptr (GFile) folder = g_file_new_for_path (last);
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
  }
  g_signal_connect (chooser, "response", G_CALLBACK (on_response), shell);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
