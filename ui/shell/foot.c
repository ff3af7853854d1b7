/* SPDX-License-Identifier: MIT
 */
#include "ui/shell/foot.h"

#include "ui/shell/panel_sides.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/placed_line.h"

#include <glib/gi18n.h>

struct _Foot {
  GtkBox parent;
  GtkPaned *paned;
  GtkWidget *main;
  GtkStack *bodies, *bars; /* by the same names */
  GtkWidget *bar, *switcher;
  GtkToggleButton *fold;
  gboolean away;
};

G_DEFINE_FINAL_TYPE (Foot, foot, GTK_TYPE_BOX)

/* The body would like some room more than it needs, and gets at most two fifths. */
static int
line_by_body (gpointer data, int size)
{
  Foot *foot = data;
  int natural;
  gtk_widget_measure (GTK_WIDGET (foot->bodies), gtk_orientable_get_orientation (GTK_ORIENTABLE (foot->paned)), -1,
                      NULL, &natural, NULL, NULL);
  const int own = MIN (natural + 60, size * 2 / 5);
  return panel_sides_of_tables () == PANEL_START ? own : size - own;
}

static void
move_bodies (Foot *foot)
{
  static const char *const keys[] = {
    [PANEL_BELOW] = "tables-below", [PANEL_START] = "tables-beside", [PANEL_END] = "tables-beside"};
  const PanelSide side = panel_sides_of_tables ();
  gtk_widget_set_size_request (GTK_WIDGET (foot->bodies), side == PANEL_BELOW ? -1 : 240, 72);
  panel_sides_put (foot->paned, foot->main, GTK_WIDGET (foot->bodies), side);
  placed_line_keep (foot->paned, keys[side]);
}

static void
show_parts (Foot *foot)
{
  gboolean folded = gtk_toggle_button_get_active (foot->fold);
  guint there = 0;
  for (GtkWidget *body = gtk_widget_get_first_child (GTK_WIDGET (foot->bodies)); body;
       body = gtk_widget_get_next_sibling (body))
    there += gtk_widget_get_visible (body);
  gtk_widget_set_visible (foot->bar, there && !foot->away);
  gtk_widget_set_visible (GTK_WIDGET (foot->bodies), there && !foot->away && !folded);
  gtk_widget_set_visible (foot->switcher, there > 1);
  placed_line_update (foot->paned);
  gtk_button_set_icon_name (GTK_BUTTON (foot->fold), folded ? "pan-up-symbolic" : "pan-down-symbolic");
}

static void
on_front (Foot *foot)
{
  const char *name = gtk_stack_get_visible_child_name (foot->bodies);
  if (name)
    gtk_stack_set_visible_child_name (foot->bars, name);
}

void
foot_add (Foot *foot, const char *title, GtkWidget *body, GtkWidget *bar)
{
  gtk_stack_add_named (foot->bars, bar, title);
  gtk_stack_add_titled (foot->bodies, body, title, title);
  foot_set_there (foot, body, FALSE);
}

void
foot_set_there (Foot *foot, GtkWidget *body, gboolean there)
{
  GtkStackPage *page = gtk_stack_get_page (foot->bodies, body);
  if (gtk_widget_get_visible (body) == there) /* no layout while a slider is dragged */
    return;
  gtk_widget_set_visible (gtk_stack_get_child_by_name (foot->bars, gtk_stack_page_get_name (page)), there);
  gtk_widget_set_visible (body, there);
  gtk_stack_page_set_visible (page, there);
  show_parts (foot);
}

void
foot_bring (Foot *foot, GtkWidget *body, gboolean unfold)
{
  gtk_stack_set_visible_child (foot->bodies, body);
  if (unfold)
    gtk_toggle_button_set_active (foot->fold, FALSE);
}

void
foot_set_away (Foot *foot, gboolean away)
{
  foot->away = away;
  show_parts (foot);
}

GtkWidget *
foot_body (Foot *foot)
{
  return GTK_WIDGET (foot->bodies);
}

GtkWidget *
foot_bar (Foot *foot)
{
  return foot->bar;
}

/* ---- The widget ---- */

static GtkWidget *
make_bar (Foot *foot)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *fold = gtk_toggle_button_new ();
  foot->fold = GTK_TOGGLE_BUTTON (fold);
  foot->bars = GTK_STACK (gtk_stack_new ());
  foot->switcher = gtk_stack_switcher_new ();
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (foot->switcher), foot->bodies);
  gtk_widget_set_valign (foot->switcher, GTK_ALIGN_END);
  gtk_widget_set_valign (fold, GTK_ALIGN_END);
  gtk_widget_set_valign (GTK_WIDGET (foot->bars), GTK_ALIGN_END);
  gtk_widget_set_hexpand (GTK_WIDGET (foot->bars), TRUE);
  gtk_button_set_has_frame (GTK_BUTTON (fold), FALSE);
  gtk_widget_set_tooltip_text (fold, _ ("Fold tables and plots, except for this line"));
  naming_set (fold, _ ("Fold"));
  g_signal_connect_object (fold, "toggled", G_CALLBACK (show_parts), foot, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (box, "foot");
  gtk_box_append (GTK_BOX (box), foot->switcher);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (foot->bars));
  gtk_box_append (GTK_BOX (box), fold);
  return box;
}

static void
foot_class_init (FootClass *class)
{
  (void) class;
}

static void
foot_init (Foot *foot)
{
  foot->paned = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_VERTICAL));
  foot->bodies = GTK_STACK (gtk_stack_new ());
  foot->bar = make_bar (foot);
  gtk_widget_set_vexpand (GTK_WIDGET (foot->paned), TRUE);
  gtk_paned_set_wide_handle (foot->paned, TRUE); /* a narrow handle would cover the titles of columns */
  placed_line_watch (foot->paned, line_by_body, foot);
  g_signal_connect_object (foot->bodies, "notify::visible-child", G_CALLBACK (on_front), foot, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (foot->paned));
  gtk_box_append (GTK_BOX (foot), foot->bar);
  show_parts (foot);
}

GtkWidget *
foot_new (GtkWidget *main)
{
  Foot *foot = g_object_new (FOOT_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  foot->main = main;
  move_bodies (foot);
  panel_sides_connect (G_CALLBACK (move_bodies), foot);
  return GTK_WIDGET (foot);
}
