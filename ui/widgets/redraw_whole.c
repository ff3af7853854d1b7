/* SPDX-License-Identifier: MIT */
#include "ui/widgets/redraw_whole.h"

/* What Cairo draws, be it nothing, GTK takes for something else each time. */
void
redraw_whole (GtkWidget *widget, GtkSnapshot *snapshot)
{
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);
  cairo_destroy (gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height)));
}
