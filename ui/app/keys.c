/* SPDX-License-Identifier: MIT
 *
 * The window hears a key last, when nothing that has the focus wants it.
 */
#include "ui/app/keys.h"

static const struct {
  guint key;
  const char *action, *target;
  GdkModifierType with;
} keys[] = {
  {GDK_KEY_plus, "win.zoom-in", NULL, 0},
  {GDK_KEY_KP_Add, "win.zoom-in", NULL, 0},
  {GDK_KEY_equal, "win.zoom-in", NULL, 0},
  {GDK_KEY_minus, "win.zoom-out", NULL, 0},
  {GDK_KEY_KP_Subtract, "win.zoom-out", NULL, 0},
  {GDK_KEY_0, "win.zoom-fit", NULL, 0},
  {GDK_KEY_1, "win.zoom-100", NULL, 0},
  {GDK_KEY_l, "win.find-command", NULL, 0},
  {GDK_KEY_e, "win.add-step", "edit", 0},
  {GDK_KEY_b, "win.compare", NULL, 0},
  {GDK_KEY_m, "win.measure", NULL, 0},
  {GDK_KEY_t, "win.keep-selection", NULL, 0},
  {GDK_KEY_comma, "win.move-position", "-", 0},
  {GDK_KEY_period, "win.move-position", "+", 0},
  {GDK_KEY_less, "win.move-position", "z-", 0},
  {GDK_KEY_greater, "win.move-position", "z+", 0},
  {GDK_KEY_a, "win.select-all", NULL, GDK_CONTROL_MASK},
  {GDK_KEY_A, "win.select-none", NULL, GDK_CONTROL_MASK},
  {GDK_KEY_c, "win.copy-figure", NULL, GDK_CONTROL_MASK},
};

static gboolean
is_typed (GtkWidget *window)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));
  return focus && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus));
}

static gboolean
on_key (GtkWidget *window, guint key, guint code, GdkModifierType state)
{
  (void) code;
  for (guint i = 0; i < G_N_ELEMENTS (keys) && !is_typed (window); i++)
    if (key == keys[i].key && (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == keys[i].with)
      return gtk_widget_activate_action (window, keys[i].action, keys[i].target ? "s" : NULL, keys[i].target);
  return FALSE;
}

void
window_keys_add (GtkWidget *window)
{
  GtkEventController *controller = gtk_event_controller_key_new ();
  g_signal_connect_swapped (controller, "key-pressed", G_CALLBACK (on_key), window);
  gtk_widget_add_controller (window, controller);
}

static gboolean
leave_closed (GtkWindow *window, gboolean toggle)
{
  (void) window, (void) toggle;
  return FALSE;
}

void
window_keys_take_inspectors (void)
{
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WINDOW)); /* has the signal */
  g_signal_override_class_handler ("enable-debugging", GTK_TYPE_WINDOW, G_CALLBACK (leave_closed));
}
