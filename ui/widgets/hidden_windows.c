/* SPDX-License-Identifier: MIT
 *
 * GTK's list is a GListStore, as far as its versions go; a list of another kind stays as it is.
 */
#include "ui/widgets/hidden_windows.h"

#include <gtk/gtk.h>

#define NUMBER "window-number" /* in the order of making, from 1 */

static guint
number_of (gconstpointer window)
{
  return GPOINTER_TO_UINT (g_object_get_data ((GObject *) window, NUMBER));
}

static int
compare (gconstpointer a, gconstpointer b, gpointer unused)
{
  gboolean a_shown = gtk_widget_get_visible ((GtkWidget *) a), b_shown = gtk_widget_get_visible ((GtkWidget *) b);
  (void) unused;
  if (a_shown != b_shown)
    return a_shown - b_shown;
  return number_of (a) < number_of (b) ? -1 : number_of (a) > number_of (b);
}

static void
sort (void)
{
  g_list_store_sort (G_LIST_STORE (gtk_window_get_toplevels ()), compare, NULL);
}

/* Sorting changes the list again, with no window that has no number. */
static void
on_changed (GListModel *windows)
{
  static guint made;
  gboolean new = FALSE;
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GObject) window = g_list_model_get_item (windows, i);
    if (number_of (window))
      continue;
    g_object_set_data (window, NUMBER, GUINT_TO_POINTER (++made));
    g_signal_connect (window, "notify::visible", G_CALLBACK (sort), NULL);
    new = TRUE;
  }
  if (new)
    sort ();
}

void
hidden_windows_first (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  if (G_IS_LIST_STORE (windows))
    g_signal_connect_after (windows, "items-changed", G_CALLBACK (on_changed),
                            NULL); /* others know of the window first */
}
