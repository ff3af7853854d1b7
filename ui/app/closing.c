/* SPDX-License-Identifier: MIT
 *
 * A dialog over the window, with the images by name.
 */
#include "ui/app/closing.h"

#include "ui/app/save_all.h"
#include "ui/app/steps_file.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

#define NAMED 8 /* images that are named */

enum { SAVE = 1, DISCARD };

typedef struct {
  Shell *shell;
  GPtrArray *unsaved;
  gboolean steps_alone; /* nothing else is unsaved */
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
  const gboolean steps_alone = c->steps_alone;
  gtk_window_destroy (dialog);
  if (response == SAVE && steps_alone)
    steps_file_save (shell, unsaved, NULL, agreed, subject);
  else if (response == SAVE)
    save_all_ask (shell, unsaved, agreed, subject);
  else if (response == DISCARD)
    agreed (subject);
}

static const char *
name_of (const Document *document)
{
  return image_info (document_source (document))->name;
}

/* "steps, 3 selections, 1 measurement" */
static char *
work_of (const PageUnsaved *unsaved)
{
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  g_autofree char *selections = words_count (unsaved->selections, "selection", "selections"),
                  *measurements = words_count (unsaved->measurements, "measurement", "measurements");
  if (unsaved->steps)
    g_strv_builder_add (parts, _ ("steps"));
  if (unsaved->selections)
    g_strv_builder_add (parts, selections);
  if (unsaved->measurements)
    g_strv_builder_add (parts, measurements);
  g_auto (GStrv) list = g_strv_builder_end (parts);
  return g_strjoinv (", ", list);
}

/* What would be lost, a line for each image where there are several. */
static char *
all_work (Shell *shell, const GPtrArray *documents)
{
  GString *s = g_string_new (NULL);
  for (guint i = 0; i < documents->len && i < NAMED; i++) {
    PageUnsaved unsaved;
    page_unsaved (shell_page_of (shell, documents->pdata[i]), &unsaved);
    g_autofree char *work = work_of (&unsaved);
    if (documents->len > 1)
      g_string_append_printf (s, "%s: ", name_of (documents->pdata[i]));
    g_string_append_printf (s, "%s%s", work, documents->len > 1 ? "\n" : "");
  }
  if (documents->len > NAMED)
    g_string_append_printf (s, _ ("and %u more"), documents->len - NAMED);
  g_strchomp (s->str);
  return g_string_free (s, FALSE);
}

static GtkWidget *
make_dialog (Shell *shell, const GPtrArray *unsaved, gboolean steps_alone)
{
  g_autofree char *work = all_work (shell, unsaved);
  GtkWidget *dialog, *discard;
  g_autofree char *title =
    unsaved->len == 1 ? g_strdup (name_of (unsaved->pdata[0])) : words_count (unsaved->len, "image", "images");
  dialog = gtk_message_dialog_new (GTK_WINDOW (shell), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                   GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, _ ("Close %s without saving?"), title);
  if (unsaved->len == 1)
    gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), _ ("Not saved or exported: %s."), work);
  else
    gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), _ ("Not saved or exported:\n%s"), work);
  discard = gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Discard"), DISCARD);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (dialog), steps_alone ? _ ("_Save Steps…") : _ ("_Save…"), SAVE);
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
  gboolean steps_alone = TRUE;
  for (guint i = 0; i < documents->len; i++) {
    PageUnsaved work;
    if (!page_unsaved (shell_page_of (shell, documents->pdata[i]), &work))
      continue;
    steps_alone &= !work.selections && !work.measurements;
    g_ptr_array_add (unsaved, g_object_ref (documents->pdata[i]));
  }
  if (!unsaved->len) {
    agreed (subject);
    return;
  }
  if (dialog) { /* it has been asked already */
    gtk_window_present (GTK_WINDOW (dialog));
    return;
  }
  Closing *c = g_new (Closing, 1);
  dialog = make_dialog (shell, unsaved, steps_alone);
  *c = (Closing){shell, g_steal_pointer (&unsaved), steps_alone, agreed, g_object_ref (subject)};
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), c, closing_free, 0);
  g_object_set_data (G_OBJECT (shell), "closing", dialog);
  g_signal_connect_object (dialog, "destroy", G_CALLBACK (forget_dialog), shell, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}
