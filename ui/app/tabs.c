/* SPDX-License-Identifier: MIT
 */
#include "ui/app/tabs.h"

#include "ui/widgets/button.h"

#include <glib/gi18n.h>

#define AWAKE 4 /* images that keep all that they show: the one in front and those that were seen last */

/* ---- Without an image ---- */

static GtkWidget *
start_of (GtkNotebook *tabs)
{
  return g_object_get_data (G_OBJECT (tabs), "start");
}

static void
show_start (GtkNotebook *tabs)
{
  gtk_notebook_append_page (tabs, start_of (tabs), gtk_label_new (_ ("Start")));
}

static void
hide_start (GtkNotebook *tabs)
{
  int i = gtk_notebook_page_num (tabs, start_of (tabs));
  if (i >= 0)
    gtk_notebook_remove_page (tabs, i);
}

/* ---- The tabs ---- */

GtkNotebook *
tabs_new (GtkWidget *menus, GtkWidget *start)
{
  GtkNotebook *tabs = GTK_NOTEBOOK (gtk_notebook_new ());
  gtk_notebook_set_scrollable (tabs, TRUE);
  gtk_notebook_set_show_border (tabs, FALSE);
  gtk_notebook_set_action_widget (tabs, menus, GTK_PACK_START);
  g_object_set_data_full (G_OBJECT (tabs), "start", g_object_ref_sink (start), g_object_unref);
  show_start (tabs);
  return tabs;
}

Page *
tabs_page (GtkNotebook *tabs, int i)
{
  GtkWidget *page = gtk_notebook_get_nth_page (tabs, i);
  return page && page != start_of (tabs) ? FOVEA_PAGE (page) : NULL;
}

Page *
tabs_front (GtkNotebook *tabs)
{
  int i = gtk_notebook_get_current_page (tabs);
  return i >= 0 ? tabs_page (tabs, i) : NULL;
}

Page *
tabs_page_of (GtkNotebook *tabs, const Document *document)
{
  Page *page;
  for (int i = 0; (page = tabs_page (tabs, i)); i++)
    if (view_document (page_view (page)) == document)
      return page;
  return NULL;
}

GPtrArray *
tabs_documents (GtkNotebook *tabs)
{
  GPtrArray *documents = g_ptr_array_new_with_free_func (g_object_unref);
  Page *page;
  for (int i = 0; (page = tabs_page (tabs, i)); i++)
    g_ptr_array_add (documents, g_object_ref (view_document (page_view (page))));
  return documents;
}

void
tabs_bring (GtkNotebook *tabs, Page *page)
{
  gtk_notebook_set_current_page (tabs, gtk_notebook_page_num (tabs, GTK_WIDGET (page)));
}

/* When a page was in front last, counted up. */
static gsize
seen_at (Page *page)
{
  return GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (page), "seen-at"));
}

static int
count_seen_since (GtkNotebook *tabs, gsize at)
{
  int n = 0;
  Page *page;
  for (int i = 0; (page = tabs_page (tabs, i)); i++)
    n += seen_at (page) > at;
  return n;
}

void
tabs_turned (GtkNotebook *tabs)
{
  static gsize now;
  Page *front = tabs_front (tabs), *page;
  if (!front || gtk_widget_in_destruction (GTK_WIDGET (tabs)))
    return;
  g_object_set_data (G_OBJECT (front), "seen-at", GSIZE_TO_POINTER (++now));
  page_rest (front, FALSE);
  for (int i = 0; (page = tabs_page (tabs, i)); i++)
    if (count_seen_since (tabs, seen_at (page)) >= AWAKE)
      page_rest (page, TRUE);
}

void
tabs_remove (GtkNotebook *tabs, Page *page)
{
  if (gtk_notebook_get_n_pages (tabs) == 1)
    show_start (tabs);
  gtk_notebook_remove_page (tabs, gtk_notebook_page_num (tabs, GTK_WIDGET (page)));
}

static GtkWidget *
make_tab (Page *page, void (*close_page) (Page *page))
{
  const char *name = image_info (document_source (view_document (page_view (page))))->name;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *label = gtk_label_new (name);
  g_autofree char *hint = g_strdup_printf (_ ("Close %s"), name);
  GtkWidget *close = button_with_icon ("window-close-symbolic", hint);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 28);
  gtk_label_set_width_chars (GTK_LABEL (label), (int) MIN (g_utf8_strlen (name, -1), 28));
  gtk_widget_set_tooltip_text (label, name);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), close);
  g_signal_connect_object (close, "clicked", G_CALLBACK (close_page), page, G_CONNECT_SWAPPED);
  return box;
}

void
tabs_add (GtkNotebook *tabs, Page *page, void (*close) (Page *page))
{
  gtk_notebook_append_page (tabs, GTK_WIDGET (page), make_tab (page, close));
  gtk_notebook_set_tab_reorderable (tabs, GTK_WIDGET (page), TRUE);
  hide_start (tabs);
}
