/* SPDX-License-Identifier: MIT
 *
 * The switches are rebuilt when the number or the names of channels change. The last one that is on stays on, since
 * an image without any is black and looks broken.
 */
#include "ui/look/channel_switches.h"

#include <glib/gi18n.h>
#include <string.h>

#define CHANNEL_SWITCHES_TYPE (channel_switches_get_type ())
G_DECLARE_FINAL_TYPE (ChannelSwitches, channel_switches, FOVEA, CHANNEL_SWITCHES, GtkBox)

struct _ChannelSwitches {
  GtkBox parent;
  View *view;
  GtkFlowBox *flow;
  GPtrArray *switches; /* GtkCheckButton */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (ChannelSwitches, channel_switches, GTK_TYPE_BOX)

static char *
label_of (const ImageInfo *info, guint channel)
{
  static const char *const rgb[] = {N_ ("Red"), N_ ("Green"), N_ ("Blue")};
  const char *name = info->channel_names ? info->channel_names[channel] : "";
  if (info->role == FV_RGB)
    return g_strdup (_ (rgb[channel % 3]));
  return *name ? g_strdup_printf ("%u %s", channel + 1, name) : g_strdup_printf ("%u", channel + 1);
}

static gboolean
is_last_shown (const ChannelSwitches *self, guint channel)
{
  for (guint c = 0; c < self->switches->len; c++)
    if (c != channel && !view_look (self->view, c)->hidden)
      return FALSE;
  return TRUE;
}

static void fill_switches (ChannelSwitches *self);

static void
on_toggled (ChannelSwitches *self, GtkCheckButton *button)
{
  guint channel;
  if (self->filling || !g_ptr_array_find (self->switches, button, &channel))
    return;
  ViewChannel look = *view_look (self->view, channel);
  look.hidden = !gtk_check_button_get_active (button) && !is_last_shown (self, channel);
  view_set_look (self->view, channel, &look);
  fill_switches (self);
}

static void
add_switch (ChannelSwitches *self, const char *label)
{
  GtkWidget *button = gtk_check_button_new_with_label (label);
  gtk_widget_set_tooltip_text (button, _ ("Show this channel"));
  gtk_flow_box_append (self->flow, button);
  gtk_widget_set_focusable (gtk_widget_get_parent (button), FALSE); /* the switch has the focus, not its row */
  g_ptr_array_add (self->switches, button);
  g_signal_connect_object (button, "toggled", G_CALLBACK (on_toggled), self, G_CONNECT_SWAPPED);
}

static void
make_switches (ChannelSwitches *self, const ImageInfo *info)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->flow))))
    gtk_flow_box_remove (self->flow, child);
  g_ptr_array_set_size (self->switches, 0);
  for (guint c = 0; c < (guint) info->channels; c++) {
    g_autofree char *label = label_of (info, c);
    add_switch (self, label);
  }
}

static gboolean
are_for (const ChannelSwitches *self, const ImageInfo *info)
{
  gboolean same = self->switches->len == (guint) info->channels;
  for (guint c = 0; same && c < self->switches->len; c++) {
    g_autofree char *label = label_of (info, c);
    same = !strcmp (label, gtk_check_button_get_label (self->switches->pdata[c]));
  }
  return same;
}

static void
fill_switches (ChannelSwitches *self)
{
  const ImageInfo *info = image_info (view_image (self->view));
  gboolean useful =
    info->channels > 1 && info->role != FV_LABELS && (info->role == FV_RGB || view_composite (self->view));
  gtk_widget_set_visible (GTK_WIDGET (self), useful);
  if (!useful)
    return;
  self->filling = TRUE;
  if (!are_for (self, info))
    make_switches (self, info);
  for (guint c = 0; c < self->switches->len; c++)
    gtk_check_button_set_active (self->switches->pdata[c], !view_look (self->view, c)->hidden);
  self->filling = FALSE;
}

static void
channel_switches_dispose (GObject *object)
{
  ChannelSwitches *self = FOVEA_CHANNEL_SWITCHES (object);
  g_clear_object (&self->view);
  g_clear_pointer (&self->switches, g_ptr_array_unref);
  G_OBJECT_CLASS (channel_switches_parent_class)->dispose (object);
}

static void
channel_switches_class_init (ChannelSwitchesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = channel_switches_dispose;
}

static void
channel_switches_init (ChannelSwitches *self)
{
  GtkWidget *flow = gtk_flow_box_new ();
  self->flow = GTK_FLOW_BOX (flow);
  self->switches = g_ptr_array_new ();
  gtk_flow_box_set_selection_mode (self->flow, GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (self->flow, 8);
  gtk_widget_set_hexpand (flow, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (flow), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Channels"), -1);
  gtk_box_append (GTK_BOX (self), flow);
}

GtkWidget *
channel_switches_new (View *view)
{
  ChannelSwitches *self = g_object_new (CHANNEL_SWITCHES_TYPE, NULL);
  self->view = g_object_ref (view);
  g_signal_connect_object (view, "image", G_CALLBACK (fill_switches), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (fill_switches), self, G_CONNECT_SWAPPED);
  fill_switches (self);
  return GTK_WIDGET (self);
}
