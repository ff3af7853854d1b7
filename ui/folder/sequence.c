/* SPDX-License-Identifier: MIT
 *
 * What the choices make of the folder is found out on a worker after each change, and the newest one is shown.
 */
#include "ui/folder/sequence.h"

#include "core/base/error.h"
#include "core/base/worker.h"
#include "core/files/files.h"
#include "core/files/list_images.h"
#include "core/files/plate/sequence.h"
#include "ui/form/args_form.h"
#include "ui/shell/opening.h"
#include "ui/widgets/button.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

enum { LABEL = 22 /* letters of a label */, WIDTH = 460, WORDS = 3 /* that a label has */ };

#define SEQUENCE_FORM_TYPE (sequence_form_get_type ())
G_DECLARE_FINAL_TYPE (SequenceForm, sequence_form, FOVEA, SEQUENCE_FORM, GtkBox)

struct _SequenceForm {
  GtkBox parent;
  Shell *shell; /* owns it; NULL: the form is going */
  Worker *worker;
  char *folder;
  GPtrArray *list;   /* of its images */
  GPtrArray *left;   /* those of them that the filter leaves */
  PlateNames *names; /* what these have in common */
  char *filter;      /* of these */
  PlateSequence sequence;
  ArgsForm form;
  char *path; /* that opens them; NULL: none does */
  GtkLabel *says, *shown_path;
  GtkWidget *open;
};

G_DEFINE_FINAL_TYPE (SequenceForm, sequence_form, GTK_TYPE_BOX)

/* ---- What comes of the choices ---- */

typedef struct {
  SequenceForm *form;
  char *folder;
  GPtrArray *list;
  PlateSequence sequence;
  gboolean filtered; /* the filter is another one */
  GPtrArray *left;   /* made */
  PlateNames *names; /* made */
  char *path, *says; /* made */
} Preview;

static char *
describe (const Preview *p, const FilesImages *images, GError **error)
{
  ImageInfo info;
  const char *depends, *left_out = files_images_left_out (images);
  if (!files_images_describe (images, 0, &info, &depends, error))
    return NULL;
  g_autoptr (GPtrArray) files = files_paths_of_pattern (p->path, NULL);
  g_autofree char *size = image_info_text (&info),
                  *count = words_count (files_images_count (images), "image", "images"),
                  *used = g_strdup_printf ("%u", files ? files->len : 0), *all = g_strdup_printf ("%u", p->list->len),
                  *of = g_strdup_printf (_ ("%s of %s files"), used, all);
  image_info_clear (&info);
  return g_strdup_printf ("%s: %s\n%s%s%s", count, size, of, left_out ? _ ("; left out: ") : "",
                          left_out ? left_out : "");
}

static gboolean
preview_work (gpointer data, Progress *progress, GError **error)
{
  Preview *p = data;
  p->left = plate_sequence_filter (&p->sequence, p->list);
  p->names = plate_sequence_names (p->left);
  if (p->filtered)
    plate_sequence_set_parts (&p->sequence, p->names);
  if (p->sequence.as == PLATE_AS_IMAGES) {
    g_autofree char *count = words_count (p->list->len, "image", "images");
    p->says = g_strdup_printf (_ ("%s in a window, for a look at each and for a batch"), count);
    return TRUE;
  }
  if (!(p->path = plate_sequence_path (&p->sequence, p->folder, p->left, p->names, error)))
    return FALSE;
  progress_enter (progress);
  g_autoptr (FilesImages) images = files_images_new (p->path, error);
  p->says = images ? describe (p, images, error) : NULL;
  progress_enter (NULL);
  return p->says != NULL;
}

/* "t 001 … 120", or the words. Free with g_free(). */
static char *
label_of (const PlateNamesPart *part)
{
  const guint n = part->texts->len;
  g_autoptr (GString) label = g_string_new (part->before);
  for (guint i = 0; i < n && n <= WORDS; i++)
    g_string_append_printf (label, "%s%s", i ? ", " : label->len ? " " : "", (char *) part->texts->pdata[i]);
  if (n > WORDS)
    g_string_append_printf (label, "%s%s … %s", label->len ? " " : "", (char *) part->texts->pdata[0],
                            (char *) part->texts->pdata[n - 1]);
  return g_string_free (g_steal_pointer (&label), FALSE);
}

static void
name_parts (SequenceForm *self)
{
  const Op *op = plate_sequence_op ();
  for (guint i = 0; i < op->n_params; i++) {
    const int part = plate_sequence_part (&op->fv.params[i]);
    if (part < 0 || (guint) part >= self->names->differ->len)
      continue;
    g_autofree char *label = label_of (self->names->differ->pdata[part]), *shown = g_filename_display_name (label);
    param_form_rename (self->form.form, &op->fv.params[i], shown);
  }
}

static void
show_preview (SequenceForm *self, Preview *p, const GError *error)
{
  const gboolean as_images = self->sequence.as == PLATE_AS_IMAGES;
  g_free (self->path);
  self->path = error ? NULL : g_steal_pointer (&p->path);
  g_autofree char *shown = self->path ? g_filename_display_name (self->path) : g_strdup ("");
  gtk_label_set_text (self->says, error ? error->message : p->says);
  gtk_label_set_text (self->shown_path, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->shown_path), self->path != NULL);
  gtk_widget_set_sensitive (self->open, self->path || as_images);
}

static void
preview_finished (gpointer data, const GError *error)
{
  Preview *p = data;
  SequenceForm *self = p->form;
  if (self->shell && p->names && !step_error_is_cancelled (error)) {
    plate_names_free (self->names);
    g_ptr_array_unref (self->left);
    self->left = g_steal_pointer (&p->left);
    self->names = g_steal_pointer (&p->names);
    if (p->filtered)
      plate_sequence_set_parts (&self->sequence, self->names);
    g_free (self->filter);
    self->filter = g_strdup (p->sequence.names);
    name_parts (self);
    param_form_refresh (self->form.form);
    show_preview (self, p, error);
  }
  g_clear_pointer (&p->names, plate_names_free);
  g_clear_pointer (&p->left, g_ptr_array_unref);
  g_ptr_array_unref (p->list);
  g_free (p->folder);
  g_free (p->path);
  g_free (p->says);
  g_free (p);
  g_object_unref (self);
}

/* A pattern that is to be typed begins as that of the parts. */
static void
begin_pattern (SequenceForm *self)
{
  PlateSequence parts = self->sequence;
  parts.as = PLATE_AS_PARTS;
  g_autofree char *path = plate_sequence_path (&parts, "", self->left, self->names, NULL);
  if (!path || *self->sequence.pattern)
    return;
  g_strlcpy (self->sequence.pattern, path, sizeof self->sequence.pattern);
  param_form_refresh (self->form.form);
}

static void
show (SequenceForm *self)
{
  Preview *p = g_new (Preview, 1);
  *p = (Preview){.form = g_object_ref (self),
                 .folder = g_strdup (self->folder),
                 .list = g_ptr_array_ref (self->list),
                 .sequence = self->sequence,
                 .filtered = strcmp (self->sequence.names, self->filter) != 0};
  worker_push (self->worker, &(WorkerJob){preview_work, preview_finished, p, self});
}

static void
on_changed (SequenceForm *self)
{
  if (self->sequence.as == PLATE_AS_PATTERN)
    begin_pattern (self);
  gtk_widget_set_sensitive (self->open, FALSE);
  show (self);
}

static void
open_sequence (SequenceForm *self)
{
  if (!param_form_check (self->form.form))
    return;
  if (self->sequence.as == PLATE_AS_IMAGES)
    g_action_group_activate_action (G_ACTION_GROUP (self->shell), "show-folder",
                                    g_variant_new_bytestring (self->folder));
  else
    opening_open (self->shell, self->path);
  gtk_window_close (side_window_of (self));
}

static void
close_window (SequenceForm *self)
{
  gtk_window_close (side_window_of (self));
}

/* ---- The widget ---- */

static gboolean
is_left_out (gpointer data, const fv_param *param)
{
  const SequenceForm *self = data;
  return plate_sequence_lacks (&self->sequence, self->names, param);
}

static void
sequence_form_dispose (GObject *object)
{
  SequenceForm *self = FOVEA_SEQUENCE_FORM (object);
  self->shell = NULL;
  g_clear_pointer (&self->worker, worker_free);
  G_OBJECT_CLASS (sequence_form_parent_class)->dispose (object);
}

static void
sequence_form_finalize (GObject *object)
{
  SequenceForm *self = FOVEA_SEQUENCE_FORM (object);
  g_clear_pointer (&self->names, plate_names_free);
  g_clear_pointer (&self->left, g_ptr_array_unref);
  g_clear_pointer (&self->list, g_ptr_array_unref);
  g_free (self->folder);
  g_free (self->filter);
  g_free (self->path);
  G_OBJECT_CLASS (sequence_form_parent_class)->finalize (object);
}

static void
sequence_form_class_init (SequenceFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = sequence_form_dispose;
  G_OBJECT_CLASS (class)->finalize = sequence_form_finalize;
}

static void
sequence_form_init (SequenceForm *self)
{
  self->worker = worker_new_modest (WORKER_SOON);
  self->filter = g_strdup ("");
}

static GtkLabel *
make_text (SequenceForm *self, const char *help)
{
  GtkWidget *text = side_window_text (NULL);
  gtk_label_set_max_width_chars (GTK_LABEL (text), 1); /* as wide as the window, and wrapped there */
  gtk_label_set_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_tooltip_text (text, help);
  gtk_box_append (GTK_BOX (self), text);
  return GTK_LABEL (text);
}

static void
add_buttons (SequenceForm *self)
{
  GtkWidget *buttons = side_window_buttons ();
  self->open = button_with_text (_ ("_Open"), _ ("Opens the files so"), G_CALLBACK (open_sequence), self);
  gtk_widget_add_css_class (self->open, "suggested-action");
  gtk_widget_set_sensitive (self->open, FALSE);
  gtk_box_append (GTK_BOX (buttons), button_with_text (_ ("_Cancel"), NULL, G_CALLBACK (close_window), self));
  gtk_box_append (GTK_BOX (buttons), self->open);
  gtk_box_append (GTK_BOX (self), buttons);
}

/* What an empty text means, except in a pattern. */
static void
show_all (SequenceForm *self, const Op *op)
{
  for (guint i = 0; i < op->n_params; i++)
    if (op->fv.params[i].type == FV_TEXT && op->fv.params[i].capacity < PLATE_SEQUENCE_PATTERN)
      gtk_entry_set_placeholder_text (GTK_ENTRY (param_form_control (self->form.form, &op->fv.params[i])), _ ("all"));
}

static void
fill (SequenceForm *self)
{
  const Op *op = plate_sequence_op ();
  self->form = (ArgsForm){.op = op,
                          .args = &self->sequence,
                          .is_left_out = is_left_out,
                          .changed = (void (*) (gpointer)) on_changed,
                          .self = self,
                          .automatic = _ ("all")};
  gtk_box_append (GTK_BOX (self), args_form_new (&self->form, LABEL));
  param_form_add (self->form.form, op->fv.params, op->n_params);
  show_all (self, op);
  self->says = make_text (self, NULL);
  self->shown_path = make_text (self, _ ("What opens the same in the command and in macros"));
  gtk_widget_add_css_class (GTK_WIDGET (self->shown_path), "monospace");
  add_buttons (self);
  name_parts (self);
  param_form_refresh (self->form.form);
}

/* ---- Looking at a folder ---- */

typedef struct {
  char *folder;
  gboolean always; /* also for other names */
  GPtrArray *list; /* made */
  PlateNames *names;
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;
  g_clear_pointer (&look->names, plate_names_free);
  g_clear_pointer (&look->list, g_ptr_array_unref);
  g_free (look->folder);
  g_free (look);
}

static void
look_thread (GTask *task, gpointer shell, gpointer data, GCancellable *cancellable)
{
  Look *look = data;
  GError *error = NULL;
  (void) shell, (void) cancellable;
  if ((look->list = files_list_images (look->folder, &error)))
    look->names = plate_sequence_names (look->list);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, plate_names_are_sequence (look->names, look->list));
}

/* Takes what was found in the folder. */
static void
show_form (Shell *shell, Look *look)
{
  g_autofree char *name = g_filename_display_basename (look->folder),
                  *title = file_dialog_title (_ ("Image Sequence"), name);
  GtkBox *box = side_window_show (GTK_WINDOW (shell), "sequence", title, WIDTH, 0);
  SequenceForm *self = g_object_new (SEQUENCE_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 8,
                                     "margin-start", 14, "margin-end", 14, "margin-top", 12, NULL);
  self->shell = shell;
  self->folder = g_steal_pointer (&look->folder);
  self->list = g_steal_pointer (&look->list);
  self->left = g_ptr_array_ref (self->list);
  self->names = g_steal_pointer (&look->names);
  self->sequence = plate_sequence_guess (self->names);
  fill (self);
  gtk_box_append (box, GTK_WIDGET (self));
  gtk_window_set_default_widget (side_window_of (self), self->open);
  show (self);
}

static void
looked (GObject *object, GAsyncResult *result, gpointer data)
{
  Shell *shell = FOVEA_SHELL (object);
  Look *look = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean is_sequence = g_task_propagate_boolean (G_TASK (result), &error);
  (void) data;
  if (!gtk_window_get_application (GTK_WINDOW (shell))) /* it was closed meanwhile */
    return;
  if (error && look->always)
    shell_say (shell, GTK_MESSAGE_ERROR, error->message);
  else if (!error && (look->always || is_sequence))
    show_form (shell, look);
  else
    g_action_group_activate_action (G_ACTION_GROUP (shell), "show-folder", g_variant_new_bytestring (look->folder));
}

static void
look_at (Shell *shell, const char *folder, gboolean always)
{
  g_autoptr (GTask) task = g_task_new (shell, NULL, looked, NULL);
  Look *look = g_new0 (Look, 1);
  look->folder = g_strdup (folder);
  look->always = always;
  g_task_set_task_data (task, look, look_free);
  g_task_run_in_thread (task, look_thread);
}

void
sequence_offer (Shell *shell, const char *folder)
{
  look_at (shell, folder, FALSE);
}

void
sequence_show (Shell *shell, const char *folder)
{
  look_at (shell, folder, TRUE);
}

/* ---- Which folder ---- */

static void
on_response (GtkNativeDialog *dialog, int response, Shell *shell)
{
  g_autoptr (GFile) file =
    response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;
  g_autofree char *path = file ? g_file_get_path (file) : NULL;
  if (path)
    sequence_show (shell, path);
  g_object_unref (dialog);
}

void
sequence_ask (Shell *shell)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Import Image Sequence"), GTK_WINDOW (shell), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Open"), _ ("_Cancel"));
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_response), shell, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
