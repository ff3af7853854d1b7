/* SPDX-License-Identifier: MIT
 *
 * The code is what the step has at the moment of asking: what is allowed is what was read.
 */
#include "ui/app/native_dialog.h"

#include "core/ops/native.h"
#include "ui/widgets/naming.h"

#define ASKED "native-dialog"

typedef struct {
  Document *document;
  char *code;
} Asking;

static void
asking_free (gpointer data, GClosure *closure)
{
  Asking *a = data;
  (void) closure;
  g_object_unref (a->document);
  g_free (a->code);
  g_free (a);
}

static void
on_response (GtkWindow *dialog, int response, gpointer data)
{
  const Asking *a = data;
  g_object_set_data (G_OBJECT (a->document), ASKED, NULL);
  if (response == GTK_RESPONSE_ACCEPT) {
    native_allow (document_modules (a->document), a->code);
    document_run_again (a->document);
  }
  gtk_window_destroy (dialog);
}

static GtkWidget *
code_view (const char *code)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *view = gtk_text_view_new ();
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), code, -1);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  naming_set (view, "Code");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_size_request (scrolled, 560, 280);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

void
native_dialog_ask (Shell *shell, Document *document, guint place)
{
  const Step *step = recipe_step (document_recipe (document), place);
  if (g_object_get_data (G_OBJECT (document), ASKED))
    return;
  g_autofree char *title = op_title (step->op);
  GtkWidget *dialog =
    gtk_message_dialog_new (GTK_WINDOW (shell), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_WARNING,
                            GTK_BUTTONS_NONE, "Run the code of step %u, %s?", place + 1, title);
  gtk_message_dialog_format_secondary_text (
    GTK_MESSAGE_DIALOG (dialog),
    "It was not typed here: the steps of %s came with it, from a file, a session, a macro or another program. It can "
    "do whatever "
    "you can, such as read and delete files. Allow it when you know what it does.",
    image_info (document_source (document))->name);
  Asking *a = g_new (Asking, 1);
  *a = (Asking){g_object_ref (document), native_code (step->op, step->args)};
  gtk_box_append (GTK_BOX (gtk_message_dialog_get_message_area (GTK_MESSAGE_DIALOG (dialog))), code_view (a->code));
  gtk_dialog_add_button (GTK_DIALOG (dialog), "_Cancel", GTK_RESPONSE_CANCEL);
  gtk_widget_add_css_class (gtk_dialog_add_button (GTK_DIALOG (dialog), "_Allow", GTK_RESPONSE_ACCEPT),
                            "destructive-action");
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  g_object_set_data (G_OBJECT (document), ASKED, dialog);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), a, asking_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
