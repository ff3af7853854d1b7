/* SPDX-License-Identifier: MIT
 */
#include "ui/results/export_dialog.h"

#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"

#include <glib/gi18n.h>
#include <string.h>

static const char separator[] = "separator", image_column[] = "image";

static void
propose_file (GtkFileChooser *chooser, const char *path)
{
  g_autofree char *base = path ? g_filename_display_basename (path) : g_strdup ("results");
  g_autofree char *name = NULL;
  if (strrchr (base, '.') > base)
    *strrchr (base, '.') = '\0';
  name = g_strdup_printf ("%s.csv", base);
  gtk_file_chooser_set_current_name (chooser, name);
  file_dialog_start_at (chooser, path);
}

GtkFileChooserNative *
export_dialog_new (GtkWindow *parent, const Document *document, const char *name)
{
  static const char *separators[] = {"comma", "semicolon", NULL};
  const char *labels[] = {_ ("Comma (,)"), _ ("Semicolon (;), with decimal commas"), NULL};
  g_autofree char *action = g_strdup_printf (_ ("Export %s"), name);
  g_autofree char *title = file_dialog_title (action, image_info (document_source (document))->name);
  GtkFileChooserNative *native =
    gtk_file_chooser_native_new (title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), _ ("_Cancel"));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (native);
  propose_file (chooser, document_path (document));
  file_filters_add (chooser, _ ("Tables"), (const char *const[]){"csv", NULL});
  gtk_file_chooser_add_choice (chooser, separator, _ ("Between columns"), separators, labels);
  gtk_file_chooser_set_choice (chooser, separator, "comma");
  gtk_file_chooser_add_choice (chooser, image_column, _ ("Column with the name of the image"), NULL, NULL);
  gtk_file_chooser_set_choice (chooser, image_column, "false");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  return native;
}

char
export_dialog_separator (GtkFileChooser *chooser)
{
  return g_strcmp0 (gtk_file_chooser_get_choice (chooser, separator), "semicolon") ? ',' : ';';
}

gboolean
export_dialog_has_image (GtkFileChooser *chooser)
{
  return g_strcmp0 (gtk_file_chooser_get_choice (chooser, image_column), "false") != 0;
}

char *
export_dialog_image (GtkFileChooser *chooser, const Document *document)
{
  const char *path = document_path (document);
  return export_dialog_has_image (chooser) && path ? g_filename_display_basename (path) : NULL;
}
