/* SPDX-License-Identifier: MIT
 */
#include "ui/widgets/image_chooser.h"

#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"

#include <glib/gi18n.h>

typedef struct {
  GtkWidget *widget;
  ImageChosen chosen;
} Asking;

static void
on_response (GtkFileChooserNative *chooser, int response, Asking *asking)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = response == GTK_RESPONSE_ACCEPT && file ? g_file_get_path (file) : NULL;
  if (path && gtk_widget_get_root (asking->widget))
    asking->chosen (asking->widget, path);
  g_object_unref (asking->widget);
  g_object_unref (chooser);
  g_free (asking);
}

void
image_chooser_ask (GtkWidget *widget, const char *start, ImageChosen chosen)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (_ ("Choose an Image"), GTK_WINDOW (gtk_widget_get_root (widget)),
                                 GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Choose"), _ ("_Cancel"));
  file_filters_add_images (GTK_FILE_CHOOSER (chooser), _ ("Images"), NULL);
  file_dialog_start_at (GTK_FILE_CHOOSER (chooser), start);
  Asking *asking = g_new (Asking, 1);
  *asking = (Asking){g_object_ref (widget), chosen};
  g_signal_connect (chooser, "response", G_CALLBACK (on_response), asking);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
