/* SPDX-License-Identifier: MIT
 *
 * Heights grow with the logarithm of the counts, so that small classes are seen beside the background, unless it is switched off. A
 * handle is dragged, or moved by the arrow keys. Those of the contrast are drawn: the lower one is moved alone, the upper one with
 * Shift. Those of a threshold are widgets.
 */
#include "ui/plot/histogram.h"

#include "ui/plot/histogram_handle.h"

#include <glib/gi18n.h>
#include <math.h>

enum { CURVE = 128, /* its lines */ MARGIN = 6 };

struct _Histogram {
  GtkWidget parent;
  Counts counts;
  double low, high, gamma, a;
  Stretch stretch;
  double from;    /* the limit when a drag began, as a fraction of the range */
  gboolean upper; /* it is the upper one */
  gboolean linear;
  double threshold[2];
  GtkWidget *handles[2]; /* of the threshold; NULL: it is the contrast that is seen and set */
};

G_DEFINE_FINAL_TYPE (Histogram, histogram, GTK_TYPE_WIDGET)

static guint limits_signal, threshold_signal;

/* ---- Drawing ---- */

/* Where a value stands across the widget. */
static double
x_of (const Histogram *h, double value, double width)
{
  return range_fraction (h->counts.range, value) * width;
}

/* Of the bar of a bin with so many pixels; a linear one may be higher than there is room for. */
static double
height_of (const Histogram *h, guint64 count)
{
  return h->linear ? (double) count : log1p ((double) count);
}

/* The count of the highest bar. On a linear scale it is the second highest one, since a background is often a single
 * value. */
static double
highest (const Histogram *h)
{
  guint64 max = 1, second = 1;
  for (int i = 0; i < COUNTS_BINS; i++) {
    second = MAX (second, MIN (max, h->counts.bins[i]));
    max = MAX (max, h->counts.bins[i]);
  }
  return height_of (h, h->linear && max > 2 * second ? second * 3 / 2 : max);
}

static void
draw_bars (const Histogram *h, cairo_t *cr, double width, double height)
{
  const double whole = highest (h);
  for (int i = 0; i < COUNTS_BINS; i++) {
    double bar = MIN (height_of (h, h->counts.bins[i]) / whole, 1) * height;
    cairo_rectangle (cr, i * width / COUNTS_BINS, height - bar, width / COUNTS_BINS + 0.5, bar);
  }
  cairo_fill (cr);
}

/* How bright each value is shown. */
static void
draw_curve (const Histogram *h, cairo_t *cr, double width, double height)
{
  double a = x_of (h, h->low, width), b = x_of (h, h->high, width);
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

/* What the threshold takes. */
static void
draw_band (const Histogram *h, cairo_t *cr, double width, double height)
{
  double low = x_of (h, h->threshold[0], width), high = x_of (h, h->threshold[1], width);
  cairo_set_source_rgba (cr, 0.88, 0.11, 0.14, 0.35);
  cairo_rectangle (cr, low, 0, MAX (high - low, 1), height);
  cairo_fill (cr);
}

static void
draw_contrast (const Histogram *h, cairo_t *cr, double width, double height)
{
  cairo_set_source_rgb (cr, 0.21, 0.52, 0.89);
  draw_curve (h, cr, width, height);
  draw_handle (cr, x_of (h, h->low, width), height);
  draw_handle (cr, x_of (h, h->high, width), height);
}

static void
histogram_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const Histogram *h = FOVEA_HISTOGRAM (widget);
  double width = gtk_widget_get_width (widget) - 2 * MARGIN, height = gtk_widget_get_height (widget) - 2 * MARGIN;
  GdkRGBA color;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                                                          (float) gtk_widget_get_height (widget)));
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  cairo_translate (cr, MARGIN, 0);
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.55);
  draw_bars (h, cr, width, height);
  (h->handles[0] ? draw_band : draw_contrast) (h, cr, width, height);
  cairo_destroy (cr);
  for (int i = 0; i < 2 && h->handles[i]; i++)
    gtk_widget_snapshot_child (widget, h->handles[i], snapshot);
}

/* ---- Handles ---- */

static double
width_of (Histogram *h)
{
  return MAX (gtk_widget_get_width (GTK_WIDGET (h)) - 2 * MARGIN, 1);
}

/* Moves the dragged end of the threshold to a fraction of the range, up to the other end. At an end of the range it
 * is unlimited. */
static void
move_threshold (Histogram *h, double fraction)
{
  double other = range_fraction (h->counts.range, h->threshold[!h->upper]);
  fraction = h->upper ? MAX (fraction, other) : MIN (fraction, other);
  double value = h->upper && fraction >= 1    ? INFINITY
                 : !h->upper && fraction <= 0 ? -INFINITY
                                              : range_value (h->counts.range, fraction);
  g_signal_emit (h, threshold_signal, 0, h->upper, value);
}

/* The limit that is held goes to a fraction of the range, and stays on its side of the other. */
static void
move_to (Histogram *h, double fraction)
{
  const double min = 1 / 1024.0;
  if (h->handles[0]) {
    move_threshold (h, fraction);
    return;
  }
  if (h->upper)
    h->high = range_value (h->counts.range, MAX (fraction, range_fraction (h->counts.range, h->low) + min));
  else
    h->low = range_value (h->counts.range, MIN (fraction, range_fraction (h->counts.range, h->high) - min));
  gtk_widget_queue_draw (GTK_WIDGET (h));
  g_signal_emit (h, limits_signal, 0);
}

static void
on_drag_begin (Histogram *h, double x)
{
  const gboolean of_threshold = h->handles[0] != NULL;
  const double ends[2] = {of_threshold ? h->threshold[0] : h->low, of_threshold ? h->threshold[1] : h->high};
  double low = x_of (h, ends[0], width_of (h)) + MARGIN, high = x_of (h, ends[1], width_of (h)) + MARGIN;
  h->upper = fabs (x - high) < fabs (x - low) || (low == high && x > high);
  h->from = range_fraction (h->counts.range, ends[h->upper]);
  gtk_widget_grab_focus (of_threshold ? h->handles[h->upper] : GTK_WIDGET (h));
}

static void
on_drag (Histogram *h, double dx)
{
  move_to (h, h->from + dx / width_of (h));
}

static gboolean
on_key (Histogram *h, guint key, guint code, GdkModifierType state)
{
  const double step = 1.0 / COUNTS_BINS;
  (void) code;
  if (key != GDK_KEY_Left && key != GDK_KEY_Right)
    return FALSE;
  h->upper = (state & GDK_SHIFT_MASK) != 0;
  move_to (h, range_fraction (h->counts.range, h->upper ? h->high : h->low) + (key == GDK_KEY_Left ? -step : step));
  return TRUE;
}

/* A key at a handle: so many bins. Of 8 bits a bin is a value, and there are 255 steps from the first to the last. */
static void
on_handle (Histogram *h, int bins, GtkWidget *handle)
{
  h->upper = handle == h->handles[1];
  double at = range_fraction (h->counts.range, h->threshold[h->upper]);
  move_to (h, at + (double) bins / (h->counts.exact ? COUNTS_BINS - 1 : COUNTS_BINS));
}

/* ---- The widget ---- */

/* Their positions change with the values and the counts. */
static void
move_handles (Histogram *h)
{
  for (int i = 0; i < 2 && h->handles[i]; i++)
    histogram_handle_set (HISTOGRAM_HANDLE (h->handles[i]), h->threshold[i], h->counts.range);
  gtk_widget_queue_allocate (GTK_WIDGET (h));
  gtk_widget_queue_draw (GTK_WIDGET (h));
}

void
histogram_set_counts (Histogram *h, const Counts *counts)
{
  h->counts = *counts;
  move_handles (h);
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
histogram_set_threshold (Histogram *h, double low, double high)
{
  h->threshold[0] = low;
  h->threshold[1] = high;
  move_handles (h);
}

void
histogram_set_linear (Histogram *h, gboolean linear)
{
  h->linear = linear;
  gtk_widget_queue_draw (GTK_WIDGET (h));
}

void
histogram_limits (const Histogram *h, double *low, double *high)
{
  *low = h->low;
  *high = h->high;
}

static void
histogram_measure (GtkWidget *widget, GtkOrientation orientation, int size, int *min, int *natural, int *baseline,
                   int *natural_baseline)
{
  (void) widget, (void) size;
  *min = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 84;
  *baseline = *natural_baseline = -1;
}

static void
histogram_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  const Histogram *h = FOVEA_HISTOGRAM (widget);
  (void) width;
  for (int i = 0; i < 2 && h->handles[i]; i++) {
    int min = 2 * MARGIN, x = (int) round (x_of (h, h->threshold[i], gtk_widget_get_width (widget) - min));
    gtk_widget_size_allocate (h->handles[i], &(GtkAllocation){x, 0, min, height}, baseline);
  }
}

static void
histogram_dispose (GObject *object)
{
  Histogram *h = FOVEA_HISTOGRAM (object);
  for (int i = 0; i < 2; i++)
    g_clear_pointer (&h->handles[i], gtk_widget_unparent);
  G_OBJECT_CLASS (histogram_parent_class)->dispose (object);
}

static void
histogram_class_init (HistogramClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  widget_class->snapshot = histogram_snapshot;
  widget_class->measure = histogram_measure;
  widget_class->size_allocate = histogram_size_allocate;
  G_OBJECT_CLASS (class)->dispose = histogram_dispose;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  limits_signal = g_signal_new ("limits", HISTOGRAM_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  threshold_signal = g_signal_new ("threshold", HISTOGRAM_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                   G_TYPE_BOOLEAN, G_TYPE_DOUBLE);
}

static void
histogram_init (Histogram *h)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  h->gamma = 1;
  gtk_widget_set_hexpand (GTK_WIDGET (h), TRUE);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), h);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag), h);
  gtk_widget_add_controller (GTK_WIDGET (h), GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
histogram_new (void)
{
  GtkWidget *h = g_object_new (HISTOGRAM_TYPE, NULL);
  GtkEventController *key = gtk_event_controller_key_new ();
  gtk_widget_set_focusable (h, TRUE);
  gtk_widget_set_tooltip_text (h, _ ("Drag the handles, or use the arrow keys (with Shift: the upper one)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (h), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Histogram and contrast"), -1);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), h);
  gtk_widget_add_controller (h, key);
  return h;
}

GtkWidget *
histogram_new_of_threshold (void)
{
  static const char *const names[] = {N_ ("Lower limit"), N_ ("Upper limit")};
  Histogram *h = g_object_new (HISTOGRAM_TYPE, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
  for (int i = 0; i < 2; i++) {
    h->handles[i] = histogram_handle_new (_ (names[i]));
    gtk_widget_set_parent (h->handles[i], GTK_WIDGET (h));
    g_signal_connect_object (h->handles[i], "moved", G_CALLBACK (on_handle), h, G_CONNECT_SWAPPED);
  }
  gtk_accessible_update_property (GTK_ACCESSIBLE (h), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Histogram and threshold"), -1);
  return GTK_WIDGET (h);
}
