/* SPDX-License-Identifier: MIT
 */
#include "ui/plot/histogram_handle.h"

#include "core/view/counts.h"

#include <glib/gi18n.h>

enum { PAGE = 16 /* bins */ };

struct _HistogramHandle {
  GtkWidget parent;
};

G_DEFINE_FINAL_TYPE (HistogramHandle, histogram_handle, GTK_TYPE_WIDGET)

static guint moved_signal;

static void
histogram_handle_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);
  const GdkRGBA red = {0.88F, 0.11F, 0.14F, 1};
  GdkRGBA text;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  gtk_snapshot_append_color (snapshot, &red, &GRAPHENE_RECT_INIT (width / 2 - 1, 0, 2, height - 12));
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_append_color (snapshot, &text, &GRAPHENE_RECT_INIT (0, height - 14, width, 14));
  gtk_snapshot_append_color (snapshot, &red, &GRAPHENE_RECT_INIT (2, height - 12, width - 4, 10));
}

static gboolean
on_key (HistogramHandle *handle, guint key)
{
  int bins;
  switch (key) {
  case GDK_KEY_Left:
  case GDK_KEY_Down: bins = -1; break;
  case GDK_KEY_Right:
  case GDK_KEY_Up: bins = 1; break;
  case GDK_KEY_Page_Down: bins = -PAGE; break;
  case GDK_KEY_Page_Up: bins = PAGE; break;
  case GDK_KEY_Home: bins = -COUNTS_BINS; break;
  case GDK_KEY_End: bins = COUNTS_BINS; break;
  default: return FALSE;
  }
  g_signal_emit (handle, moved_signal, 0, bins);
  return TRUE;
}

void
histogram_handle_set (HistogramHandle *handle, double value, Range range)
{
  g_autofree char *text = isinf (value) ? g_strdup (_ ("no limit")) : g_strdup_printf ("%.6g", value);
  gtk_accessible_update_property (GTK_ACCESSIBLE (handle), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, range.low,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, range.high, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
                                  CLAMP (value, range.low, range.high), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
histogram_handle_class_init (HistogramHandleClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  widget_class->snapshot = histogram_handle_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
  moved_signal =
    g_signal_new ("moved", HISTOGRAM_HANDLE_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
histogram_handle_init (HistogramHandle *handle)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  gtk_widget_set_focusable (GTK_WIDGET (handle), TRUE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (handle), "ew-resize");
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), handle);
  gtk_widget_add_controller (GTK_WIDGET (handle), key);
}

GtkWidget *
histogram_handle_new (const char *name)
{
  GtkWidget *handle = g_object_new (HISTOGRAM_HANDLE_TYPE, NULL);
  g_autofree char *help = g_strdup_printf (_ ("%s: drag it, or use the arrow keys"), name);
  gtk_widget_set_tooltip_text (handle, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (handle), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return handle;
}
