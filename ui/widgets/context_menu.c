/* SPDX-License-Identifier: MIT
 *
 * A widget keeps one popover for its menus: to make another while one is just going would close both.
 */
#include "ui/widgets/context_menu.h"

#include <math.h>

enum {
  MOVED = 4, /* pixels from which a click is a drag */
  INTO = 6   /* so far the pointer is in the menu, where nothing below shows its tooltip */
};

typedef struct {
  GtkWidget *widget;
  ContextMenu menu;
  gpointer object;
  GtkWidget *popover; /* made when it is first wanted */
  double x, y;        /* where the button was pressed */
  GtkWidget *focus;   /* what had it before the menu, or NULL */
} Source;

static void
source_free (gpointer data)
{
  Source *s = data;
  g_clear_weak_pointer (&s->focus);
  g_free (s);
}

/* The focus goes back, from where GTK has put it: the first title of the menus. */
static void
on_closed (Source *s)
{
  GtkRoot *root = gtk_widget_get_root (s->widget);
  if (root && s->focus && gtk_widget_get_root (s->focus) == root)
    gtk_root_set_focus (root, s->focus);
  g_clear_weak_pointer (&s->focus);
}

/* What has the focus; the middle of the widget when that is the widget itself, such as an image. */
static GdkRectangle
focus_box (GtkWidget *widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  graphene_rect_t box = GRAPHENE_RECT_INIT_ZERO;
  if (focus && gtk_widget_compute_bounds (focus, widget, &box) && focus == widget)
    box = GRAPHENE_RECT_INIT (box.size.width / 2, box.size.height / 2, 1, 1);
  return (GdkRectangle){(int) box.origin.x, (int) box.origin.y, (int) box.size.width, (int) box.size.height};
}

static void
make_popover (Source *s)
{
  s->popover = gtk_popover_menu_new_from_model (NULL);
  gtk_widget_set_parent (s->popover, s->widget);
  gtk_popover_set_has_arrow (GTK_POPOVER (s->popover), FALSE);
  g_signal_connect_swapped (s->popover, "closed", G_CALLBACK (on_closed), s);
  g_signal_connect_object (s->widget, "destroy", G_CALLBACK (gtk_widget_unparent), s->popover, G_CONNECT_SWAPPED);
}

static gboolean
show (Source *s, gboolean pointed, GdkRectangle area)
{
  g_autoptr (GMenuModel) model = s->menu (s->object, pointed, &area);
  if (!model)
    return FALSE;
  if (!s->popover)
    make_popover (s);
  area.x -= pointed ? INTO : 0;
  area.y -= pointed ? INTO : 0;
  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (s->popover), model);
  gtk_popover_set_pointing_to (GTK_POPOVER (s->popover), &area);
  gtk_popover_set_position (GTK_POPOVER (s->popover), pointed ? GTK_POS_RIGHT : GTK_POS_BOTTOM);
  gtk_widget_set_halign (s->popover, pointed ? GTK_ALIGN_FILL : GTK_ALIGN_START);
  gtk_widget_set_valign (s->popover, pointed ? GTK_ALIGN_START : GTK_ALIGN_FILL);
  g_set_weak_pointer (&s->focus, gtk_root_get_focus (gtk_widget_get_root (s->widget)));
  gtk_popover_popup (GTK_POPOVER (s->popover));
  return TRUE;
}

static void
on_pressed (Source *s, int presses, double x, double y)
{
  (void) presses;
  s->x = x;
  s->y = y;
}

static void
on_released (Source *s, int presses, double x, double y, GtkGesture *click)
{
  (void) presses;
  if (hypot (x - s->x, y - s->y) < MOVED && show (s, TRUE, (GdkRectangle){(int) x, (int) y, 1, 1}))
    gtk_gesture_set_state (click, GTK_EVENT_SEQUENCE_CLAIMED);
}

static gboolean
on_keys (GtkWidget *widget, GVariant *arguments, gpointer source)
{
  (void) widget, (void) arguments;
  return show (source, FALSE, focus_box (((const Source *) source)->widget));
}

void
context_menu_add (GtkWidget *widget, ContextMenu menu, gpointer object)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();
  Source *s = g_new (Source, 1);
  *s = (Source){.widget = widget, .menu = menu, .object = object};
  g_object_set_data_full (G_OBJECT (click), "source", s, source_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click),
                                              GTK_PHASE_CAPTURE); /* before a header's own */
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), s);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), s);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                                                          gtk_callback_action_new (on_keys, s, NULL)));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, keys);
}
