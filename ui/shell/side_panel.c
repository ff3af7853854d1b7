/* SPDX-License-Identifier: MIT
 *
 * Where the panel is high the form opens under the row of its step; where it is low, beside the list.
 */
#include "ui/shell/side_panel.h"

#include "ui/look/display_panel.h"
#include "ui/selection/panel.h"
#include "ui/steps/op_form.h"
#include "ui/widgets/placed_line.h"
#include "ui/steps/steps_panel.h"

#include <glib/gi18n.h>

enum { SIDE_WIDTH = 336, LOW_HEIGHT = 224 };

struct _SidePanel {
  GtkBox parent;
  GtkStack *tabs;
  GtkPaned *paned;           /* steps, and beside them, where the panel is low, the form */
  GtkScrolledWindow *beside; /* which scrolls there */
  guint steps;               /* how many there were */
  GtkWidget *panes[SIDE_PANES];
};

G_DEFINE_FINAL_TYPE (SidePanel, side_panel, GTK_TYPE_BOX)

static guint failed_signal;

GtkWidget *
side_panel_pane (SidePanel *self, int pane)
{
  return self->panes[pane];
}

void
side_panel_bring (SidePanel *self, int pane)
{
  GtkWidget *tab = self->panes[pane];
  while (gtk_widget_get_parent (tab) != GTK_WIDGET (self->tabs))
    tab = gtk_widget_get_parent (tab);
  gtk_stack_set_visible_child (self->tabs, tab);
}

/* Who adds a step wants its form. */
static void
on_steps (SidePanel *self, Document *document)
{
  guint steps = recipe_length (document_recipe (document));
  if (steps > self->steps)
    side_panel_bring (self, SIDE_STEPS);
  self->steps = steps;
}

static int
line_position (gpointer data, int size)
{
  (void) data;
  return MAX (SIDE_WIDTH, size / 2);
}

void
side_panel_set_low (SidePanel *self, gboolean low)
{
  StepsPanel *steps = FOVEA_STEPS_PANEL (self->panes[SIDE_STEPS]);
  gtk_widget_set_size_request (GTK_WIDGET (self), SIDE_WIDTH, low ? LOW_HEIGHT : -1);
  gtk_scrolled_window_set_child (self->beside, NULL);
  steps_panel_set_form (steps, low ? NULL : self->panes[SIDE_FORM]);
  if (low)
    gtk_scrolled_window_set_child (self->beside, self->panes[SIDE_FORM]);
  gtk_widget_set_visible (GTK_WIDGET (self->beside), low);
  placed_line_keep (self->paned, NULL);
}

static void
fail (SidePanel *self, const char *text)
{
  g_signal_emit (self, failed_signal, 0, text);
}

/* ---- The widget ---- */

static GtkWidget *
make_scrolled (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  return scroller;
}

static GtkWidget *
make_steps (SidePanel *self)
{
  self->beside = GTK_SCROLLED_WINDOW (make_scrolled (NULL));
  self->paned = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_paned_set_start_child (self->paned, self->panes[SIDE_STEPS]);
  gtk_paned_set_end_child (self->paned, GTK_WIDGET (self->beside));
  gtk_paned_set_resize_start_child (self->paned, FALSE);
  gtk_paned_set_shrink_start_child (self->paned, FALSE);
  placed_line_watch (self->paned, line_position, NULL);
  side_panel_set_low (self, FALSE);
  return GTK_WIDGET (self->paned);
}

static void
side_panel_dispose (GObject *object)
{
  g_clear_object (&FOVEA_SIDE_PANEL (object)->panes[SIDE_FORM]);
  G_OBJECT_CLASS (side_panel_parent_class)->dispose (object);
}

static void
side_panel_class_init (SidePanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = side_panel_dispose;
  failed_signal =
    g_signal_new ("failed", SIDE_PANEL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
side_panel_init (SidePanel *self)
{
  self->tabs = GTK_STACK (gtk_stack_new ());
  self->panes[SIDE_TABS] = gtk_stack_switcher_new ();
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (self->panes[SIDE_TABS]), self->tabs);
  gtk_widget_add_css_class (self->panes[SIDE_TABS], "tabs");
  gtk_widget_set_vexpand (GTK_WIDGET (self->tabs), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->tabs), TRUE);
  gtk_box_append (GTK_BOX (self), self->panes[SIDE_TABS]);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->tabs));
}

GtkWidget *
side_panel_new (View *view, Selections *selections)
{
  SidePanel *self = g_object_new (SIDE_PANEL_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  Document *document = view_document (view);
  self->panes[SIDE_STEPS] = steps_panel_new (view);
  self->panes[SIDE_FORM] = g_object_ref_sink (op_form_new (view));
  self->panes[SIDE_DISPLAY] = display_panel_new (view);
  self->panes[SIDE_SELECTIONS] = selection_panel_new (view, selections);
  gtk_stack_add_titled (self->tabs, make_steps (self), "steps", _ ("Steps"));
  gtk_stack_add_titled (self->tabs, make_scrolled (self->panes[SIDE_DISPLAY]), "display", _ ("Display"));
  gtk_stack_add_titled (self->tabs, make_scrolled (self->panes[SIDE_SELECTIONS]), "selections", _ ("Selections"));
  for (int i = SIDE_STEPS; i < SIDE_PANES; i++)
    if (i != SIDE_DISPLAY)
      g_signal_connect_object (self->panes[i], "failed", G_CALLBACK (fail), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
