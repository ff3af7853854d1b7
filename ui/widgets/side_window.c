/* SPDX-License-Identifier: MIT
 *
 * The parent keeps its windows as data under their keys, for as long as they live.
 */
#include "ui/widgets/side_window.h"

static gboolean
close_window (GtkWidget *window, GVariant *arguments, gpointer data)
{
  (void) arguments, (void) data;
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

static void
add_keys (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  const char *const closing[] = {"Escape", "<Control>w"};
  for (guint i = 0; i < G_N_ELEMENTS (closing); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                          gtk_shortcut_new (gtk_shortcut_trigger_parse_string (closing[i]),
                                                            gtk_callback_action_new (close_window, NULL, NULL)));
  gtk_widget_add_controller (window, keys);
}

static void
forget_window (GObject *parent, GtkWidget *window)
{
  const char *key = g_object_get_data (G_OBJECT (window), "key");
  if (g_object_get_data (parent, key) == window)
    g_object_set_data (parent, key, NULL);
}

/* A window must not be larger than its parent's screen. */
static void
set_size (GtkWindow *window, GtkWindow *parent, int width, int height)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (parent));
  GdkMonitor *monitor =
    surface ? gdk_display_get_monitor_at_surface (gdk_surface_get_display (surface), surface) : NULL;
  GdkRectangle screen = {.width = width, .height = height + 60};
  if (monitor)
    gdk_monitor_get_geometry (monitor, &screen);
  gtk_window_set_default_size (window, MIN (width, screen.width), height ? MIN (height, screen.height - 60) : -1);
}

static GtkWidget *
make_window (GtkWindow *parent, const char *key, int width, int height)
{
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_window_set_child (GTK_WINDOW (window), box);
  set_size (GTK_WINDOW (window), parent, width, height);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  add_keys (window);
  g_object_set_data (G_OBJECT (parent), key, window);
  g_object_set_data (G_OBJECT (window), "key", (gpointer) g_intern_string (key));
  g_signal_connect_object (window, "destroy", G_CALLBACK (forget_window), parent, G_CONNECT_SWAPPED);
  return window;
}

GtkBox *
side_window_show (GtkWindow *parent, const char *key, const char *title, int width, int height)
{
  GtkWidget *window = g_object_get_data (G_OBJECT (parent), key), *child;
  if (!window)
    window = make_window (parent, key, width, height);
  GtkBox *box = GTK_BOX (gtk_window_get_child (GTK_WINDOW (window)));
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))))
    gtk_box_remove (box, child);
  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_window_present (GTK_WINDOW (window));
  return box;
}

GtkWindow *
side_window_find (GtkWindow *parent, const char *key)
{
  return g_object_get_data (G_OBJECT (parent), key);
}

GtkWindow *
side_window_of (gpointer widget)
{
  return GTK_WINDOW (gtk_widget_get_root (widget));
}

GtkWidget *
side_window_text (const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  g_autoptr (PangoAttrList) whole = pango_attr_list_new ();
  pango_attr_list_insert (whole, pango_attr_insert_hyphens_new (FALSE)); /* none in a checksum or a path */
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_attributes (GTK_LABEL (label), whole);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  return label;
}

void
side_window_line (GtkGrid *grid, int y, const char *name, GtkWidget *value)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (name);
  gboolean across =
    GTK_IS_BOX (value) && gtk_orientable_get_orientation (GTK_ORIENTABLE (value)) == GTK_ORIENTATION_HORIZONTAL;
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_valign (label, across || GTK_IS_EDITABLE (value) || GTK_IS_DROP_DOWN (value) ? GTK_ALIGN_CENTER
                                                                                              : GTK_ALIGN_START);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), value);
  gtk_grid_attach (grid, label, 0, y, 1, 1);
  gtk_grid_attach (grid, value, 1, y, 1, 1);
}

GtkWidget *
side_window_buttons (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 12);
  return box;
}
