/* SPDX-License-Identifier: MIT
 *
 * The list of steps has the height of its rows, from a quarter to half of the panel, until the line below it is dragged. That does
 * not depend on the form, so that nothing moves when another step is chosen.
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
  GtkPaned *paned; /* steps and form */
  guint steps;     /* how many there were */
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
  placed_line_again (self->paned);
}

static int
place_line (gpointer data, int size)
{
  SidePanel *self = data;
  if (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->paned)) == GTK_ORIENTATION_HORIZONTAL)
    return MAX (SIDE_WIDTH, size / 2);
  int natural, width = gtk_widget_get_width (GTK_WIDGET (self)); /* texts wrap */
  gtk_widget_measure (self->panes[SIDE_STEPS], GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return CLAMP (natural, size / 4, size / 2);
}

void
side_panel_set_low (SidePanel *self, gboolean low)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned),
                                  low ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_size_request (GTK_WIDGET (self), SIDE_WIDTH, low ? LOW_HEIGHT : -1);
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
  self->paned = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_VERTICAL));
  gtk_paned_set_start_child (self->paned, self->panes[SIDE_STEPS]);
  gtk_paned_set_end_child (self->paned, make_scrolled (self->panes[SIDE_FORM]));
  gtk_paned_set_resize_start_child (self->paned, FALSE);
  gtk_paned_set_shrink_start_child (self->paned, FALSE);
  placed_line_watch (self->paned, place_line, self);
  return GTK_WIDGET (self->paned);
}

static void
side_panel_class_init (SidePanelClass *class)
{
  (void) class;
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
  self->panes[SIDE_FORM] = op_form_new (view);
  self->panes[SIDE_DISPLAY] = display_panel_new (view);
  self->panes[SIDE_SELECTIONS] = selection_panel_new (view, selections);
  gtk_stack_add_titled (self->tabs, make_steps (self), "steps", _ ("Steps"));
  gtk_stack_add_titled (self->tabs, make_scrolled (self->panes[SIDE_DISPLAY]), "display", _ ("Display"));
  gtk_stack_add_titled (self->tabs, make_scrolled (self->panes[SIDE_SELECTIONS]), "selections", _ ("Selections"));
  for (int i = SIDE_STEPS; i < SIDE_PANES; i++)
    if (i != SIDE_DISPLAY)
      g_signal_connect_object (self->panes[i], "failed", G_CALLBACK (fail), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (placed_line_again), self->paned, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
