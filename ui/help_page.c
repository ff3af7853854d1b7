/* SPDX-License-Identifier: MIT
 *
 * A list of all operations stands beside the page, so that one can look around.
 */
#include "help_page.h"

#include "reference.h"
#include "side_window.h"

#include <string.h>

#define HELP_PAGE_TYPE (help_page_get_type ())
G_DECLARE_FINAL_TYPE (HelpPage, help_page, FOVEA, HELP_PAGE, GtkBox)

struct _HelpPage {
  GtkBox parent;
  const Modules *modules;
  GtkListBox *list;
  GtkLabel *page;
  GtkScrolledWindow *scroller;
};

G_DEFINE_FINAL_TYPE (HelpPage, help_page, GTK_TYPE_BOX)

static void
on_selected (HelpPage *self, GtkListBoxRow *row)
{
  if (!row)
    return;
  g_autofree char *markup = reference_markup (modules_ops (self->modules)->pdata[gtk_list_box_row_get_index (row)]);
  gtk_label_set_markup (self->page, markup);
  gtk_label_select_region (self->page, 0, 0);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
}

static void
select_key (HelpPage *self, const char *key)
{
  const GPtrArray *ops = modules_ops (self->modules);
  for (guint i = 0; i < ops->len; i++)
    if (!strcmp (((const Op *) ops->pdata[i])->fv.key, key)) {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, (int) i);
      gtk_list_box_select_row (self->list, row);
      gtk_widget_grab_focus (GTK_WIDGET (row));
    }
}

static void
fill_list (HelpPage *self)
{
  const GPtrArray *ops = modules_ops (self->modules);
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    GtkWidget *label = gtk_label_new (op->fv.key);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_widget_set_tooltip_text (label, op->fv.help);
    gtk_list_box_append (self->list, label);
  }
}

static GtkWidget *
make_scroller (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  return scroller;
}

static void
help_page_class_init (HelpPageClass *class)
{
  (void) class;
}

static void
help_page_init (HelpPage *self)
{
  GtkWidget *list = gtk_list_box_new (), *page = side_window_text (NULL), *scroller = make_scroller (page);
  self->list = GTK_LIST_BOX (list);
  self->page = GTK_LABEL (page);
  self->scroller = GTK_SCROLLED_WINDOW (scroller);
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_widget_add_css_class (list, "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, "Operations", -1);
  gtk_label_set_yalign (self->page, 0);
  gtk_widget_set_valign (page, GTK_ALIGN_START);
  gtk_widget_set_margin_start (page, 16);
  gtk_widget_set_margin_end (page, 16);
  gtk_widget_set_margin_top (page, 12);
  gtk_widget_set_margin_bottom (page, 16);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (self), make_scroller (list));
  gtk_box_append (GTK_BOX (self), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (self), scroller);
  g_signal_connect_object (list, "row-selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}

void
help_page_show (GtkWindow *window, const Modules *modules, const char *key)
{
  GtkBox *box = side_window_show (window, "help-page", "Help", 760, 560);
  HelpPage *self = g_object_new (HELP_PAGE_TYPE, NULL);
  self->modules = modules;
  fill_list (self);
  gtk_box_append (box, GTK_WIDGET (self));
  select_key (self, key ? key : ((const Op *) modules_ops (modules)->pdata[0])->fv.key);
}
