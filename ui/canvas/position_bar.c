/* SPDX-License-Identifier: MIT
 *
 * Playing goes through slices or frames at the speed of the recording, or ten a second, and starts again at the end.
 */
#include "ui/canvas/position_bar.h"

#include "ui/widgets/steady_text.h"

#include <glib/gi18n.h>

enum { CHANNEL, SLICE, FRAME, AXES };

struct _PositionBar {
  GtkBox parent;
  View *view;
  GtkWidget *lines[AXES], *play[AXES]; /* play[CHANNEL]: NULL */
  GtkRange *sliders[AXES];
  GtkInscription *numbers[AXES];
  gboolean filling;
  guint timer;
};

G_DEFINE_FINAL_TYPE (PositionBar, position_bar, GTK_TYPE_BOX)

static gint64
count_of (const ImageInfo *info, int axis)
{
  return axis == CHANNEL ? info->channels : axis == SLICE ? info->depth : info->frames;
}

static gint64
position_of (const View *view, int axis)
{
  return axis == CHANNEL ? view_channel (view) : axis == SLICE ? view_slice (view) : view_frame (view);
}

static void
set_position (PositionBar *bar, int axis, gint64 position)
{
  gint64 at[AXES];
  for (int i = 0; i < AXES; i++)
    at[i] = i == axis ? position : position_of (bar->view, i);
  view_set_position (bar->view, at[CHANNEL], at[SLICE], at[FRAME]);
}

/* "2/3", and the channel's name where it has one. */
static char *
number_of (const View *view, int axis)
{
  const ImageInfo *info = image_info (view_image (view));
  gint64 position = position_of (view, axis);
  static const char *const rgb[] = {N_ ("Red"), N_ ("Green"), N_ ("Blue")};
  const char *name = axis != CHANNEL        ? ""
                     : info->role == FV_RGB ? _ (rgb[position % 3])
                     : info->channel_names  ? info->channel_names[position]
                                            : "";
  return g_strdup_printf ("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "%s%s", position + 1, count_of (info, axis),
                          *name ? " " : "", name);
}

static void
fill_bar (PositionBar *bar)
{
  const ImageInfo *info = image_info (view_image (bar->view));
  bar->filling = TRUE;
  for (int axis = 0; axis < AXES; axis++) {
    g_autofree char *number = number_of (bar->view, axis);
    gint64 n = count_of (info, axis);
    gtk_widget_set_visible (bar->lines[axis], n > 1);
    gtk_range_set_range (bar->sliders[axis], 0, (double) MAX (n - 1, 1));
    gtk_range_set_value (bar->sliders[axis], (double) position_of (bar->view, axis));
    steady_text_set (bar->numbers[axis], number);
  }
  bar->filling = FALSE;
}

static void
on_slider (GtkRange *slider, PositionBar *bar)
{
  for (int axis = 0; axis < AXES && !bar->filling; axis++)
    if (bar->sliders[axis] == slider)
      set_position (bar, axis, (gint64) (gtk_range_get_value (slider) + 0.5));
}

/* ---- Playing ---- */

static gboolean
on_timer (gpointer data)
{
  PositionBar *bar = data;
  const ImageInfo *info = image_info (view_image (bar->view));
  for (int axis = SLICE; axis < AXES; axis++)
    if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (bar->play[axis])))
      set_position (bar, axis, (position_of (bar->view, axis) + 1) % count_of (info, axis));
  return G_SOURCE_CONTINUE;
}

static void
on_play (PositionBar *bar)
{
  const ImageInfo *info = image_info (view_image (bar->view));
  gboolean slices = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (bar->play[SLICE]));
  gboolean frames = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (bar->play[FRAME]));
  double interval = frames && info->frame_interval >= 0.01 && info->frame_interval < 2 ? info->frame_interval : 0.1;
  g_clear_handle_id (&bar->timer, g_source_remove);
  if (slices || frames)
    bar->timer = g_timeout_add ((guint) (interval * 1000), on_timer, bar);
}

/* ---- The widget ---- */

static GtkWidget *
make_play (PositionBar *bar, const char *help)
{
  GtkWidget *play = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (play), "media-playback-start-symbolic");
  gtk_button_set_has_frame (GTK_BUTTON (play), FALSE);
  gtk_widget_set_tooltip_text (play, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (play), GTK_ACCESSIBLE_PROPERTY_LABEL, help, -1);
  g_signal_connect_object (play, "toggled", G_CALLBACK (on_play), bar, G_CONNECT_SWAPPED);
  return play;
}

/* Channels are few. */
static void
add_line (PositionBar *bar, int axis, const char *letter, const char *name, const char *play)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *label = gtk_label_new (letter);
  GtkWidget *slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 1);
  bar->lines[axis] = line;
  bar->sliders[axis] = GTK_RANGE (slider);
  bar->numbers[axis] = steady_text_new (TRUE);
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_range_set_round_digits (GTK_RANGE (slider), 0);
  gtk_widget_set_size_request (slider, axis == CHANNEL ? 80 : 144, -1);
  gtk_widget_set_tooltip_text (slider, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (slider), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (bar->numbers[axis]), "numeric");
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), slider);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (bar->numbers[axis]));
  if (play)
    gtk_box_append (GTK_BOX (line), bar->play[axis] = make_play (bar, play));
  gtk_widget_set_visible (line, FALSE);
  gtk_box_append (GTK_BOX (bar), line);
  g_signal_connect_object (slider, "value-changed", G_CALLBACK (on_slider), bar, 0);
}

/* An image of few slices needs no room for the numbers of one of many. */
static void
forget_view (PositionBar *bar)
{
  for (int axis = 0; axis < AXES; axis++) {
    gtk_widget_set_visible (bar->lines[axis], FALSE);
    gtk_inscription_set_text (bar->numbers[axis], NULL);
    gtk_inscription_set_min_chars (bar->numbers[axis], 1);
    gtk_inscription_set_nat_chars (bar->numbers[axis], 1);
    if (bar->play[axis])
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (bar->play[axis]), FALSE);
  }
  if (bar->view)
    g_signal_handlers_disconnect_by_data (bar->view, bar);
  g_clear_object (&bar->view);
}

void
position_bar_set_view (PositionBar *bar, View *view)
{
  if (view == bar->view)
    return;
  forget_view (bar);
  if (!view)
    return;
  bar->view = g_object_ref (view);
  g_signal_connect_object (view, "look", G_CALLBACK (fill_bar), bar, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "image", G_CALLBACK (fill_bar), bar, G_CONNECT_SWAPPED);
  fill_bar (bar);
}

static void
position_bar_dispose (GObject *object)
{
  PositionBar *bar = FOVEA_POSITION_BAR (object);
  g_clear_handle_id (&bar->timer, g_source_remove);
  g_clear_object (&bar->view);
  G_OBJECT_CLASS (position_bar_parent_class)->dispose (object);
}

static void
position_bar_class_init (PositionBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = position_bar_dispose;
}

static void
position_bar_init (PositionBar *bar)
{
  add_line (bar, CHANNEL, "C", _ ("Channel"), NULL);
  add_line (bar, SLICE, "Z", _ ("Slice"), _ ("Play the slices"));
  add_line (bar, FRAME, "T", _ ("Frame"), _ ("Play the frames"));
}

GtkWidget *
position_bar_new (void)
{
  return g_object_new (POSITION_BAR_TYPE, "spacing", 16, NULL);
}
