/* SPDX-License-Identifier: MIT
 *
 * A dialog over the window, with the images by name.
 */
#include "ui/app/closing.h"

#include "ui/app/steps_file.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

enum { SAVE = 1, DISCARD };

typedef struct {
  Shell *shell;
  GPtrArray *unsaved;
  ClosingAgreed agreed;
  GObject *subject;
} Closing;

static void
closing_free (gpointer data, GClosure *closure)
{
  Closing *c = data;
  (void) closure;
  g_ptr_array_unref (c->unsaved);
  g_object_unref (c->subject);
  g_free (c);
}

static void
on_response (GtkWindow *dialog, int response, gpointer data)
{
  const Closing *c = data;
  Shell *shell = c->shell;
  g_autoptr (GPtrArray) unsaved = g_ptr_array_ref (c->unsaved);
  g_autoptr (GObject) subject = g_object_ref (c->subject);
  ClosingAgreed agreed = c->agreed;
  gtk_window_destroy (dialog);
  if (response == SAVE)
    steps_file_save (shell, unsaved, NULL, agreed, subject);
  else if (response == DISCARD)
    agreed (subject);
}

static char *
names_of (const GPtrArray *documents)
{
  GString *s = g_string_new (NULL);
  for (guint i = 0; i < documents->len && i < 8; i++)
    g_string_append_printf (s, "%s%s", i ? ", " : "", image_info (document_source (documents->pdata[i]))->name);
  if (documents->len > 8)
    g_string_append_printf (s, _ (" and %u more"), documents->len - 8);
  return g_string_free (s, FALSE);
}

static GtkWidget *
make_dialog (Shell *shell, const GPtrArray *unsaved)
{
  g_autofree char *names = names_of (unsaved);
  GtkWidget *dialog, *discard;
  g_autofree char *title = unsaved->len == 1 ? g_strdup (names) : words_count (unsaved->len, "image", "images");
  dialog = gtk_message_dialog_new (GTK_WINDOW (shell), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                   GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, _ ("Close %s without saving?"), title);
  gtk_message_dialog_format_secondary_text (
    GTK_MESSAGE_DIALOG (dialog),
    _ ("Since the last change of steps, neither they nor their results were saved or exported%s%s."),
    unsaved->len == 1 ? "" : ": ", unsaved->len == 1 ? "" : names);
  discard = gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Discard"), DISCARD);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Save Steps…"), SAVE);
  gtk_widget_add_css_class (discard, "destructive-action");
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), SAVE);
  return dialog;
}

static void
forget_dialog (GObject *shell)
{
  g_object_set_data (shell, "closing", NULL);
}

void
closing_ask (Shell *shell, const GPtrArray *documents, ClosingAgreed agreed, GObject *subject)
{
  g_autoptr (GPtrArray) unsaved = g_ptr_array_new_with_free_func (g_object_unref);
  GtkWidget *dialog = g_object_get_data (G_OBJECT (shell), "closing");
  for (guint i = 0; i < documents->len; i++)
    if (document_unsaved (documents->pdata[i]))
      g_ptr_array_add (unsaved, g_object_ref (documents->pdata[i]));
  if (!unsaved->len) {
    agreed (subject);
    return;
  }
  if (dialog) { /* it has been asked already */
    gtk_window_present (GTK_WINDOW (dialog));
    return;
  }
  Closing *c = g_new (Closing, 1);
  dialog = make_dialog (shell, unsaved);
  *c = (Closing){shell, g_steal_pointer (&unsaved), agreed, g_object_ref (subject)};
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), c, closing_free, 0);
  g_object_set_data (G_OBJECT (shell), "closing", dialog);
  g_signal_connect_object (dialog, "destroy", G_CALLBACK (forget_dialog), shell, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}
