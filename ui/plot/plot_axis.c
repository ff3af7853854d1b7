/* SPDX-License-Identifier: MIT
 */
#include "ui/plot/plot_axis.h"

#include <math.h>

enum { TICK = 4 };

double
plot_axis_position (const PlotAxis *axis, double value)
{
  return axis->from + range_fraction (axis->values, value) * (axis->to - axis->from);
}

void
plot_text (GtkWidget *plot, cairo_t *cr, const char *text, double x, double y, double at, double at_y)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (plot, text);
  int width, height;
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, floor (x - at * width), floor (y - at_y * height));
  pango_cairo_show_layout (cr, layout);
}

void
plot_axis_draw (GtkWidget *plot, cairo_t *cr, const PlotAxis *axis, double beside, gboolean upright)
{
  double length = fabs (axis->to - axis->from), first, step;
  int n = range_ticks (axis->values, length / (upright ? 40 : 110), &first, &step);
  for (int k = 0; k < n; k++) {
    double value = first + k == 0 ? 0 : (first + k) * step, at = floor (plot_axis_position (axis, value)) + 0.5;
    g_autofree char *text = g_strdup_printf ("%.6g", value);
    cairo_move_to (cr, upright ? beside : at, upright ? at : beside);
    cairo_line_to (cr, upright ? beside - TICK : at, upright ? at : beside + TICK);
    cairo_set_line_width (cr, 1);
    cairo_stroke (cr);
    if (upright)
      plot_text (plot, cr, text, beside - TICK - 4, at, 1, 0.5);
    else
      plot_text (plot, cr, text, at, beside + TICK + 1, 0.5, 0);
  }
}
