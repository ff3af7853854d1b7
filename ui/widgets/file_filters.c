/* SPDX-License-Identifier: MIT
 *
 * Endings count in capital letters, too.
 */
#include "ui/widgets/file_filters.h"

#include "core/files/formats.h"

#include <glib/gi18n.h>

void
file_filters_add (GtkFileChooser *chooser, const char *name, const char *const *endings)
{
  g_autoptr (GtkFileFilter) some = gtk_file_filter_new (), all = gtk_file_filter_new ();
  gtk_file_filter_set_name (some, name);
  for (; *endings; endings++)
    gtk_file_filter_add_suffix (some, *endings);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, some);
  gtk_file_chooser_add_filter (chooser, all);
}

void
file_filters_add_images (GtkFileChooser *chooser, const char *name, const char *const *more)
{
  g_autofree const char **endings = formats_endings (FALSE, more);
  file_filters_add (chooser, name, endings);
}
