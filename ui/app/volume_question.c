/* SPDX-License-Identifier: MIT
 */
#include "ui/app/volume_question.h"

#include <glib/gi18n.h>
#include <inttypes.h>

enum { VOLUME = 1, SLICES };

typedef struct {
  Shell *shell;
  Document *document;
  Recipe *recipe;
  VolumeAnswered answered;
} Question;

static void
question_free (gpointer data, GClosure *closure)
{
  Question *q = data;
  (void) closure;
  g_object_unref (q->document);
  recipe_unref (q->recipe);
  g_free (q);
}

static void
on_response (GtkWindow *dialog, int response, gpointer data)
{
  const Question *q = data;
  if (response == VOLUME || response == SLICES) {
    g_autoptr (Recipe) chosen = recipe_with_volume (q->recipe, response == VOLUME ? RECIPE_OBJECTS : RECIPE_PLANES);
    q->answered (q->shell, q->document, chosen);
  }
  gtk_window_destroy (dialog);
}

static void
ask (const Question *question)
{
  Question *q = g_memdup2 (question, sizeof *question);
  GtkWidget *dialog = gtk_message_dialog_new (
    GTK_WINDOW (q->shell), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
    _ ("Are the %" PRId64 " slices one volume?"), image_info (document_source (q->document))->depth);
  gtk_message_dialog_format_secondary_text (
    GTK_MESSAGE_DIALOG (dialog), _ ("In a volume, an object can extend through several slices. The image has no slice "
                                    "spacing. You can change this later under Slices, above the steps."));
  g_object_ref (q->document);
  recipe_ref (q->recipe);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Each Slice"), SLICES);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("One _Volume"), VOLUME);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), SLICES);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), q, question_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
volume_question (Shell *shell, Document *document, const Recipe *recipe, VolumeAnswered answered)
{
  g_autofree char *said = NULL;
  g_autoptr (Recipe) chosen = recipe_for_image (recipe, image_info (document_source (document)), &said);
  if (said && recipe_volume (chosen) == recipe_volume (recipe))
    ask (&(Question){shell, document, (Recipe *) recipe, answered});
  else
    answered (shell, document, chosen);
}
