/* SPDX-License-Identifier: MIT
 *
 * Heights grow with the logarithm of the counts, so that small classes are seen beside the background. A handle is dragged, or
 * moved by the arrow keys: the lower one alone, the upper one with Shift.
 */
#include "ui/look/histogram.h"

#include <math.h>

enum { CURVE = 128 /* its lines */ };

struct _Histogram {
  GtkWidget parent;
  Counts counts;
  double low, high, gamma, a;
  Stretch stretch;
  double from;                                 /* the limit when a drag began, as a fraction of the range */
  gboolean upper;                              /* it is the upper one */
  gboolean thresholded, movable, of_threshold; /* what is dragged is an end of the threshold */
  double threshold[2];
};

G_DEFINE_FINAL_TYPE (Histogram, histogram, GTK_TYPE_WIDGET)

static guint limits_signal, threshold_signal;

/* ---- Drawing ---- */

/* Where a value stands across the widget. */
static double
place_of (const Histogram *h, double value, double width)
{
  return range_fraction (h->counts.range, value) * width;
}

static void
draw_bars (const Histogram *h, cairo_t *cr, double width, double height)
{
  guint64 most = 1;
  for (int i = 0; i < COUNTS_BINS; i++)
    most = MAX (most, h->counts.bins[i]);
  for (int i = 0; i < COUNTS_BINS; i++) {
    double bar = log1p ((double) h->counts.bins[i]) / log1p ((double) most) * height;
    cairo_rectangle (cr, i * width / COUNTS_BINS, height - bar, width / COUNTS_BINS + 0.5, bar);
  }
  cairo_fill (cr);
}

/* How bright each value is shown. */
static void
draw_curve (const Histogram *h, cairo_t *cr, double width, double height)
{
  double a = place_of (h, h->low, width), b = place_of (h, h->high, width);
  cairo_move_to (cr, a, height);
  for (int i = 1; i <= CURVE; i++)
    cairo_line_to (cr, a + (b - a) * i / CURVE,
                   height * (1 - stretch_at (h->stretch, h->a, h->gamma, (double) i / CURVE)));
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

static void
draw_handle (cairo_t *cr, double x, double height)
{
  cairo_set_line_width (cr, 2);
  cairo_move_to (cr, x, 0);
  cairo_line_to (cr, x, height);
  cairo_stroke (cr);
  cairo_move_to (cr, x - 6, height + 10);
  cairo_line_to (cr, x + 6, height + 10);
  cairo_line_to (cr, x, height);
  cairo_close_path (cr);
  cairo_fill (cr);
}

/* The range that the threshold takes; its ends can be taken at the top. */
static void
draw_threshold (const Histogram *h, cairo_t *cr, double width, double height)
{
  double ends[2] = {place_of (h, h->threshold[0], width), place_of (h, h->threshold[1], width)};
  cairo_set_source_rgba (cr, 0.88, 0.11, 0.14, 0.35);
  cairo_rectangle (cr, ends[0], 0, MAX (ends[1] - ends[0], 1), height);
  cairo_fill (cr);
  cairo_set_source_rgb (cr, 0.88, 0.11, 0.14);
  for (int i = 0; i < 2; i++) {
    cairo_rectangle (cr, ends[i] - 1, 0, 2, height);
    if (h->movable)
      cairo_rectangle (cr, ends[i] - 5, 0, 10, 12);
    cairo_fill (cr);
  }
}

static void
histogram_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const Histogram *h = FOVEA_HISTOGRAM (widget);
  double width = gtk_widget_get_width (widget) - 12, height = gtk_widget_get_height (widget) - 12;
  GdkRGBA color, accent = {0.21F, 0.52F, 0.89F, 1};
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                                                          (float) gtk_widget_get_height (widget)));
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  cairo_translate (cr, 6, 0);
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.55);
  draw_bars (h, cr, width, height);
  if (h->thresholded)
    draw_threshold (h, cr, width, height);
  gdk_cairo_set_source_rgba (cr, &accent);
  draw_curve (h, cr, width, height);
  draw_handle (cr, place_of (h, h->low, width), height);
  draw_handle (cr, place_of (h, h->high, width), height);
  cairo_destroy (cr);
}

/* ---- Handles ---- */

/* The limit that is held goes to a fraction of the range, and stays on its side of the other. */
static void
move_to (Histogram *h, double fraction)
{
  const double least = 1 / 1024.0;
  if (h->of_threshold) {
    double other = range_fraction (h->counts.range, h->threshold[!h->upper]);
    double value = range_value (h->counts.range, h->upper ? MAX (fraction, other) : MIN (fraction, other));
    g_signal_emit (h, threshold_signal, 0, h->upper, value);
    return;
  }
  if (h->upper)
    h->high = range_value (h->counts.range, MAX (fraction, range_fraction (h->counts.range, h->low) + least));
  else
    h->low = range_value (h->counts.range, MIN (fraction, range_fraction (h->counts.range, h->high) - least));
  gtk_widget_queue_draw (GTK_WIDGET (h));
  g_signal_emit (h, limits_signal, 0);
}

static void
on_drag_begin (Histogram *h, double x, double y)
{
  double width = gtk_widget_get_width (GTK_WIDGET (h)) - 12;
  h->of_threshold = h->thresholded && h->movable && y < gtk_widget_get_height (GTK_WIDGET (h)) / 2.0;
  const double ends[2] = {h->of_threshold ? h->threshold[0] : h->low, h->of_threshold ? h->threshold[1] : h->high};
  double low = place_of (h, ends[0], width) + 6, high = place_of (h, ends[1], width) + 6;
  h->upper = fabs (x - high) < fabs (x - low) || (low == high && x > high);
  h->from = range_fraction (h->counts.range, ends[h->upper]);
  gtk_widget_grab_focus (GTK_WIDGET (h));
}

static void
on_drag (Histogram *h, double dx)
{
  double width = gtk_widget_get_width (GTK_WIDGET (h)) - 12;
  move_to (h, h->from + dx / MAX (width, 1));
}

static gboolean
on_key (Histogram *h, guint key, guint code, GdkModifierType state)
{
  const double step = 1.0 / COUNTS_BINS;
  (void) code;
  if (key != GDK_KEY_Left && key != GDK_KEY_Right)
    return FALSE;
  h->upper = (state & GDK_SHIFT_MASK) != 0;
  h->of_threshold = FALSE;
  move_to (h, range_fraction (h->counts.range, h->upper ? h->high : h->low) + (key == GDK_KEY_Left ? -step : step));
  return TRUE;
}

/* ---- The widget ---- */

void
histogram_set_counts (Histogram *h, const Counts *counts)
{
  h->counts = *counts;
  gtk_widget_queue_draw (GTK_WIDGET (h));
}

void
histogram_set_limits (Histogram *h, double low, double high)
{
  h->low = low;
  h->high = high;
  gtk_widget_queue_draw (GTK_WIDGET (h));
}

void
histogram_set_curve (Histogram *h, Stretch stretch, double a, double gamma)
{
  h->stretch = stretch;
  h->a = a;
  h->gamma = gamma;
  gtk_widget_queue_draw (GTK_WIDGET (h));
}

void
histogram_set_threshold (Histogram *h, double low, double high, gboolean movable)
{
  h->thresholded = TRUE;
  h->movable = movable;
  h->threshold[0] = low;
  h->threshold[1] = high;
  gtk_widget_queue_draw (GTK_WIDGET (h));
}

void
histogram_no_threshold (Histogram *h)
{
  h->thresholded = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (h));
}

void
histogram_limits (const Histogram *h, double *low, double *high)
{
  *low = h->low;
  *high = h->high;
}

static void
histogram_measure (GtkWidget *widget, GtkOrientation orientation, int size, int *least, int *natural, int *baseline,
                   int *natural_baseline)
{
  (void) widget, (void) size;
  *least = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 84;
  *baseline = *natural_baseline = -1;
}

static void
histogram_class_init (HistogramClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  widget_class->snapshot = histogram_snapshot;
  widget_class->measure = histogram_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  limits_signal = g_signal_new ("limits", HISTOGRAM_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  threshold_signal = g_signal_new ("threshold", HISTOGRAM_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                   G_TYPE_BOOLEAN, G_TYPE_DOUBLE);
}

static void
histogram_init (Histogram *h)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  h->gamma = 1;
  gtk_widget_set_focusable (GTK_WIDGET (h), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (h), TRUE);
  gtk_widget_set_tooltip_text (GTK_WIDGET (h), "Drag the handles, or use the arrow keys (with Shift: the upper one)");
  gtk_accessible_update_property (GTK_ACCESSIBLE (h), GTK_ACCESSIBLE_PROPERTY_LABEL, "Histogram and contrast", -1);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), h);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag), h);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), h);
  gtk_widget_add_controller (GTK_WIDGET (h), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (h), key);
}

GtkWidget *
histogram_new (void)
{
  return g_object_new (HISTOGRAM_TYPE, NULL);
}
