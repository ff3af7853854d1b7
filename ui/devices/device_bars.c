/* SPDX-License-Identifier: MIT
 *
 * A bar begins where all do, and is as long as its time beside the longest one.
 */
#include "ui/devices/device_bars.h"

#include "core/base/text.h"

#include <glib/gi18n.h>
#include <math.h>

enum { MARGIN = 12, LINE = 32, BAR = 18, SQUARE = 10, GAP = 8 };

/* What a bar is put together of. */
static const struct {
  const char *name;
  GdkRGBA color;
} parts[] = {{N_ ("the way there"), {0.90f, 0.38f, 0, 1}},
             {N_ ("steps"), {0.21f, 0.52f, 0.89f, 1}},
             {N_ ("the way back"), {0.15f, 0.64f, 0.41f, 1}}};

static double
part_ms (const ComparisonDevice *device, guint part)
{
  const double ms[] = {device->ms.up, device->ms.all, device->ms.down};
  return ms[part];
}

static double
sum_ms (const ComparisonDevice *device)
{
  return device->ms.up + device->ms.all + device->ms.down;
}

/* Those that took part: array of ComparisonDevice, which are the comparison's. */
static GPtrArray *
shown (const Comparison *comparison)
{
  GPtrArray *devices = g_ptr_array_new ();
  for (guint i = 0; comparison && i < comparison->devices->len; i++)
    if (!((const ComparisonDevice *) comparison->devices->pdata[i])->fault)
      g_ptr_array_add (devices, comparison->devices->pdata[i]);
  return devices;
}

/* The numbers of a bar: "0.71 ms; 0.52 ms by the clock on the wall". Free with g_free(). */
static char *
numbers_of (const ComparisonDevice *device)
{
  g_autofree char *sum = text_from_ms (sum_ms (device)), *wall = text_from_ms (device->ms.wall);
  return g_strdup_printf (_ ("%s; %s of wall-clock time"), sum, wall);
}

/* ---- Drawing ---- */

/* Its middle is at y; how wide it is. */
static int
draw_text (GtkWidget *bars, cairo_t *cr, const char *text, double x, double y)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (bars, text);
  GdkRGBA color;
  int width, height;
  gtk_style_context_get_color (gtk_widget_get_style_context (bars), &color);
  gdk_cairo_set_source_rgba (cr, &color);
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, floor (x), floor (y - height / 2.0));
  pango_cairo_show_layout (cr, layout);
  return width;
}

static void
draw_legend (GtkWidget *bars, cairo_t *cr)
{
  double x = MARGIN, y = LINE / 2.0;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    gdk_cairo_set_source_rgba (cr, &parts[i].color);
    cairo_rectangle (cr, floor (x), floor (y - SQUARE / 2.0), SQUARE, SQUARE);
    cairo_fill (cr);
    x += SQUARE + GAP;
    x += draw_text (bars, cr, _ (parts[i].name), x, y) + 2 * GAP;
  }
}

/* The whole width is that of `longest` milliseconds. */
static void
draw_bar (cairo_t *cr, const ComparisonDevice *device, double y, double width, double longest)
{
  double x = MARGIN;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    double length = longest > 0 ? width * part_ms (device, i) / longest : 0;
    gdk_cairo_set_source_rgba (cr, &parts[i].color);
    cairo_rectangle (cr, x, y, length, BAR);
    cairo_fill (cr);
    x += length;
  }
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer unused)
{
  GtkWidget *bars = GTK_WIDGET (area);
  g_autoptr (GPtrArray) devices = shown (g_object_get_data (G_OBJECT (bars), "comparison"));
  double longest = 0;
  (void) height, (void) unused;
  if (!devices->len)
    return;
  for (guint i = 0; i < devices->len; i++)
    longest = fmax (longest, sum_ms (devices->pdata[i]));
  draw_legend (bars, cr);
  for (guint i = 0; i < devices->len; i++) {
    const ComparisonDevice *device = devices->pdata[i];
    g_autofree char *numbers = numbers_of (device),
                    *text = g_strdup_printf ("%s  %s", device->device->fv->key, numbers);
    double y = LINE + (double) i * 2 * LINE;
    draw_text (bars, cr, text, MARGIN, y + LINE / 2.0);
    draw_bar (cr, device, y + LINE, width - 2 * MARGIN, longest);
  }
}

/* ---- The widget ---- */

GtkWidget *
device_bars_new (void)
{
  GtkWidget *bars = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (bars), draw, NULL, NULL);
  device_bars_set (bars, NULL);
  return bars;
}

void
device_bars_set (GtkWidget *bars, const Comparison *comparison)
{
  g_autoptr (GPtrArray) devices = shown (comparison);
  g_autoptr (GString) said = g_string_new (_ ("Times of devices"));
  for (guint i = 0; i < devices->len; i++) {
    g_autofree char *numbers = numbers_of (devices->pdata[i]);
    g_string_append_printf (said, "%s %s: %s", i ? "," : ":",
                            ((const ComparisonDevice *) devices->pdata[i])->device->fv->key, numbers);
  }
  g_object_set_data (G_OBJECT (bars), "comparison", (gpointer) comparison);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (bars),
                                       devices->len ? LINE + 2 * LINE * (int) devices->len : 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bars), GTK_ACCESSIBLE_PROPERTY_LABEL, said->str, -1);
  gtk_widget_queue_draw (bars);
}
