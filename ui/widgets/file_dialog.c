/* SPDX-License-Identifier: MIT
 *
 * The dialog asks before it gives the name of a file that is there; a name that gets its ending later was not asked for.
 */
#include "ui/widgets/file_dialog.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

char *
file_dialog_title (const char *action, const char *name)
{
  return name && *name ? g_strdup_printf (_ ("%s of %s"), action, name) : g_strdup (action);
}

void
file_dialog_start_at (GtkFileChooser *chooser, const char *path)
{
  g_autofree char *folder = path ? g_path_get_dirname (path) : NULL;
  g_autoptr (GFile) file = folder && !access (folder, W_OK) ? g_file_new_for_path (folder) : NULL;
  if (file)
    gtk_file_chooser_set_current_folder (chooser, file, NULL);
}

/* Some letters or digits after the last dot, and not only digits: "a.b" has one, ".b" and "version 1.2" have none. */
static gboolean
has_ending (const char *name)
{
  const char *dot = strrchr (name, '.'), *end = dot && dot > name ? dot + 1 : "";
  gsize letters = 0, all = strlen (end);
  for (gsize i = 0; i < all; i++) {
    if (!g_ascii_isalnum (end[i]))
      return FALSE;
    letters += g_ascii_isalpha (end[i]);
  }
  return letters && all <= 8;
}

char *
file_dialog_path (GtkFileChooser *chooser, const char *ending, GError **error)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
  g_autofree char *path = g_file_get_path (file), *name = path ? g_path_get_basename (path) : NULL;
  if (!path) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("Choose a file of this computer."));
    return NULL;
  }
  if (has_ending (name))
    return g_steal_pointer (&path);
  g_autofree char *whole = g_strconcat (path, ending, NULL), *shown = g_filename_display_name (whole);
  if (!g_file_test (whole, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&whole);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_EXIST, _ ("%s already exists. To replace it, use its name with %s."),
               shown, ending);
  return NULL;
}
