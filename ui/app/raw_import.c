/* SPDX-License-Identifier: MIT
 */
#include "ui/app/raw_import.h"

#include "core/files/raw.h"
#include "ui/form/args_form.h"
#include "ui/shell/opening.h"
#include "ui/widgets/button.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"
#include "ui/widgets/side_window.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

enum { LABEL = 20 /* letters of a label */, WIDTH = 440 };

#define RAW_FORM_TYPE (raw_form_get_type ())
G_DECLARE_FINAL_TYPE (RawForm, raw_form, FOVEA, RAW_FORM, GtkBox)

struct _RawForm {
  GtkBox parent;
  Shell *shell; /* owns it */
  char *path;
  guint64 size; /* of the file */
  FilesRaw raw;
  ArgsForm form;
  GtkLabel *says;
  GtkWidget *import;
};

G_DEFINE_FINAL_TYPE (RawForm, raw_form, GTK_TYPE_BOX)

/* Whether the pixels fit the file, after each change. */
static void
show (RawForm *self)
{
  const guint64 end = files_raw_end (&self->raw);
  const gboolean fits = end && end <= self->size;
  g_autofree char *needed = g_strdup_printf ("%" G_GUINT64_FORMAT, end),
                  *there = g_strdup_printf ("%" G_GUINT64_FORMAT, self->size),
                  *rest = g_strdup_printf ("%" G_GUINT64_FORMAT, fits ? self->size - end : 0);
  g_autofree char *text = !end    ? g_strdup (_ ("No image has such sizes."))
                          : !fits ? g_strdup_printf (_ ("It would need %s bytes, and the file has %s."), needed, there)
                          : end < self->size
                            ? g_strdup_printf (_ ("It has %s bytes, and the file has %s more."), needed, rest)
                            : g_strdup_printf (_ ("It fills the file: %s bytes."), there);
  gtk_label_set_text (self->says, text);
  gtk_widget_set_sensitive (self->import, fits);
}

static void
import (RawForm *self)
{
  g_autofree char *text = files_raw_format (&self->raw);
  g_autoptr (GError) error = NULL;
  if (!param_form_check (self->form.form))
    return;
  if (!files_raw_set (self->path, text, &error)) {
    gtk_label_set_text (self->says, error->message);
    return;
  }
  opening_open (self->shell, self->path);
  gtk_window_close (side_window_of (self));
}

static void
close_window (RawForm *self)
{
  gtk_window_close (side_window_of (self));
}

/* ---- The widget ---- */

static void
raw_form_finalize (GObject *object)
{
  g_free (FOVEA_RAW_FORM (object)->path);
  G_OBJECT_CLASS (raw_form_parent_class)->finalize (object);
}

static void
raw_form_class_init (RawFormClass *class)
{
  G_OBJECT_CLASS (class)->finalize = raw_form_finalize;
}

static void
raw_form_init (RawForm *self)
{
  const Op *op = files_raw_op ();
  GtkWidget *says = side_window_text (NULL);
  self->says = GTK_LABEL (says);
  gtk_label_set_selectable (self->says, FALSE);
  self->form = (ArgsForm){.op = op, .args = &self->raw, .changed = (void (*) (gpointer)) show, .self = self};
  gtk_box_append (GTK_BOX (self), args_form_new (&self->form, LABEL));
  param_form_add (self->form.form, op->fv.params, op->n_params);
  gtk_box_append (GTK_BOX (self), says);
}

static void
add_buttons (RawForm *self)
{
  GtkWidget *buttons = side_window_buttons ();
  self->import = button_with_text (_ ("_Import"), _ ("Opens the file as this image"), G_CALLBACK (import), self);
  gtk_widget_add_css_class (self->import, "suggested-action");
  gtk_box_append (GTK_BOX (buttons), button_with_text (_ ("_Cancel"), NULL, G_CALLBACK (close_window), self));
  gtk_box_append (GTK_BOX (buttons), self->import);
  gtk_box_append (GTK_BOX (self), buttons);
}

void
raw_import_show (Shell *shell, const char *path)
{
  g_autofree char *name = g_filename_display_basename (path), *title = file_dialog_title (_ ("Import Raw"), name),
                  *before = files_raw_of (path);
  GtkBox *box = side_window_show (GTK_WINDOW (shell), "import-raw", title, WIDTH, 0);
  RawForm *self = g_object_new (RAW_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 8, "margin-start",
                                14, "margin-end", 14, "margin-top", 12, NULL);
  GStatBuf about;
  self->shell = shell;
  self->path = g_strdup (path);
  self->size = g_stat (path, &about) ? 0 : (guint64) about.st_size;
  if (!before || !files_raw_parse (before, &self->raw, NULL))
    self->raw = files_raw_guess (path, self->size);
  add_buttons (self);
  param_form_refresh (self->form.form);
  show (self);
  gtk_box_append (box, GTK_WIDGET (self));
  gtk_window_set_default_widget (side_window_of (self), self->import);
}

/* ---- Which file ---- */

static void
on_response (GtkNativeDialog *dialog, int response, Shell *shell)
{
  g_autoptr (GFile) file =
    response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;
  g_autofree char *path = file ? g_file_get_path (file) : NULL;
  if (path)
    raw_import_show (shell, path);
  g_object_unref (dialog);
}

void
raw_import_ask (Shell *shell)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Import Raw"), GTK_WINDOW (shell), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  file_filters_add (GTK_FILE_CHOOSER (chooser), _ ("Raw pixels"), (const char *const[]){"raw", NULL});
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_response), shell, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
