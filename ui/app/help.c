/* SPDX-License-Identifier: MIT
 *
 * A list of all operations is beside the page for browsing.
 */
#include "ui/app/help.h"

#include "core/ops/reference.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
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

/* Row 0; the operations follow. */
static const char notes[] =
  "<big><b>How to read the numbers</b></big>\n\n"
  "<b>Channels, slices and frames count from 1</b> in the window, as in ImageJ: at the sliders C, Z and T, in the list "
  "of "
  "steps, in forms and in tables. Files of steps, the recorder's lines and the command line count from 0: "
  "<tt>channel index=1</tt> there is Channel 2 here. Pixels count from 0 everywhere.\n\n"
  "<big><b>Pixel types</b></big>\n\n"
  "<b>8-bit</b>   integers from 0 to 255\n"
  "<b>16-bit</b>   integers from 0 to 65535, as most cameras give them\n"
  "<b>32-bit integer</b>   integers up to 2147483647 with their sign, such as labels of objects\n"
  "<b>32-bit float</b>   decimal numbers of seven digits, what most filters make\n"
  "<b>64-bit float</b>   decimal numbers of fifteen digits\n\n"
  "A <b>mask</b> is 0 outside and 255 inside; in <b>labels</b> the background is 0 and each object has its number.";

static void
on_selected (HelpPage *self, GtkListBoxRow *row)
{
  if (!row)
    return;
  int i = gtk_list_box_row_get_index (row);
  g_autofree char *markup = i ? reference_markup (modules_ops (self->modules)->pdata[i - 1]) : g_strdup (notes);
  gtk_label_set_markup (self->page, markup);
  gtk_label_select_region (self->page, 0, 0);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
}

static void
select_key (HelpPage *self, const char *key)
{
  const GPtrArray *ops = modules_ops (self->modules);
  int index = 0;
  for (guint i = 0; key && i < ops->len; i++)
    if (!strcmp (((const Op *) ops->pdata[i])->fv.key, key))
      index = (int) i + 1;
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, index);
  gtk_list_box_select_row (self->list, row);
  gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
append_row (HelpPage *self, const char *text, const char *help)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_tooltip_text (label, help);
  gtk_list_box_append (self->list, label);
}

static void
fill_list (HelpPage *self)
{
  const GPtrArray *ops = modules_ops (self->modules);
  append_row (self, _ ("Numbers and types"), _ ("How channels are counted, and which pixel values are possible"));
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    append_row (self, op->fv.key, words_shown (op->fv.help));
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
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Operations"), -1);
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
  GtkBox *box = side_window_show (window, "help-page", _ ("Help"), 760, 560);
  HelpPage *self = g_object_new (HELP_PAGE_TYPE, NULL);
  self->modules = modules;
  fill_list (self);
  gtk_box_append (box, GTK_WIDGET (self));
  select_key (self, key);
}
