/* SPDX-License-Identifier: MIT
 *
 * Heights grow with the logarithm of the counts, so that small classes are seen beside the background. A handle is dragged, or
 * moved by the arrow keys: the lower one alone, the upper one with Shift.
 */
#include "histogram.h"

#include <math.h>

struct _Histogram {
  GtkWidget parent;
  Counts counts;
  double low, high, gamma;
  double from;    /* the limit when a drag began */
  gboolean upper; /* it is the upper one */
};

G_DEFINE_FINAL_TYPE (Histogram, histogram, GTK_TYPE_WIDGET)

static guint limits_signal;

/* ---- Counting ---- */

/* Which pixels are counted: all, or a part of them spread over the plane. */
typedef struct {
  gint64 n, step;
} Sample;

static Sample
sample_of (const ImageInfo *info)
{
  const gint64 most = 1 << 22;
  Sample s = {info->rows * info->columns, 1};
  s.step = MAX (1, s.n / most);
  s.step += s.step > 1 && info->columns % s.step == 0; /* not always the same columns */
  return s;
}

static double
scale_of (const Counts *counts)
{
  return counts->high > counts->low ? HISTOGRAM_BINS / (counts->high - counts->low) : 0;
}

/* Few values: each is counted, and the counts are put together. */
#define DEFINE_COUNT_FEW(T, VALUES)                                                                                    \
  static void count_##T (Counts *counts, const void *pixels, Sample s)                                                 \
  {                                                                                                                    \
    const T *p = pixels;                                                                                               \
    g_autofree guint32 *each = g_new0 (guint32, VALUES);                                                               \
    gint low = VALUES - 1, high = 0;                                                                                   \
    for (gint64 i = 0; i < s.n; i += s.step)                                                                           \
      each[p[i]]++;                                                                                                    \
    for (gint v = 0; v < VALUES; v++)                                                                                  \
      if (each[v]) {                                                                                                   \
        low = MIN (low, v);                                                                                            \
        high = v;                                                                                                      \
      }                                                                                                                \
    counts->low = low;                                                                                                 \
    counts->high = high;                                                                                               \
    double scale = scale_of (counts);                                                                                  \
    for (gint v = low; v <= high; v++)                                                                                 \
      counts->bins[MIN (HISTOGRAM_BINS - 1, (int) ((v - low) * scale))] += each[v];                                    \
  }
DEFINE_COUNT_FEW (guint8, 256)
DEFINE_COUNT_FEW (guint16, 65536)

#define DEFINE_COUNT(T)                                                                                                \
  static void count_##T (Counts *counts, const void *pixels, Sample s)                                                 \
  {                                                                                                                    \
    const T *p = pixels;                                                                                               \
    double low = INFINITY, high = -INFINITY;                                                                           \
    for (gint64 i = 0; i < s.n; i += s.step)                                                                           \
      if (isfinite ((double) p[i])) {                                                                                  \
        low = (double) p[i] < low ? (double) p[i] : low;                                                               \
        high = (double) p[i] > high ? (double) p[i] : high;                                                            \
      }                                                                                                                \
    if (high < low)                                                                                                    \
      return;                                                                                                          \
    counts->low = low;                                                                                                 \
    counts->high = high;                                                                                               \
    double scale = scale_of (counts);                                                                                  \
    for (gint64 i = 0; i < s.n; i += s.step)                                                                           \
      if (isfinite ((double) p[i]))                                                                                    \
        counts->bins[MIN (HISTOGRAM_BINS - 1, (int) (((double) p[i] - low) * scale))]++;                               \
  }
DEFINE_COUNT (gint32)
DEFINE_COUNT (float)
DEFINE_COUNT (double)

void
counts_of_plane (Counts *counts, const ImageInfo *info, const void *pixels)
{
  Sample s = sample_of (info);
  *counts = (Counts){0};
  switch (info->type) {
  case FV_U8: count_guint8 (counts, pixels, s); break;
  case FV_U16: count_guint16 (counts, pixels, s); break;
  case FV_I32: count_gint32 (counts, pixels, s); break;
  case FV_F32: count_float (counts, pixels, s); break;
  default: count_double (counts, pixels, s);
  }
}

void
counts_limits (const Counts *counts, double saturated, double *low, double *high)
{
  guint64 all = 0, seen = 0;
  int first = 0, last = HISTOGRAM_BINS - 1;
  double width = (counts->high - counts->low) / HISTOGRAM_BINS;
  for (int i = 0; i < HISTOGRAM_BINS; i++)
    all += counts->bins[i];
  for (; first < last && (double) (seen += counts->bins[first]) <= saturated / 2 * (double) all; first++)
    ;
  for (seen = 0; last > first && (double) (seen += counts->bins[last]) <= saturated / 2 * (double) all; last--)
    ;
  *low = counts->low + first * width;
  *high = counts->low + (last + 1) * width;
}

/* ---- Drawing ---- */

/* Where a value stands across the widget. */
static double
place_of (const Histogram *h, double value, double width)
{
  double range = h->counts.high - h->counts.low;
  return range > 0 ? CLAMP ((value - h->counts.low) / range, 0, 1) * width : 0;
}

static void
draw_bars (const Histogram *h, cairo_t *cr, double width, double height)
{
  guint64 most = 1;
  for (int i = 0; i < HISTOGRAM_BINS; i++)
    most = MAX (most, h->counts.bins[i]);
  for (int i = 0; i < HISTOGRAM_BINS; i++) {
    double bar = log1p ((double) h->counts.bins[i]) / log1p ((double) most) * height;
    cairo_rectangle (cr, i * width / HISTOGRAM_BINS, height - bar, width / HISTOGRAM_BINS + 0.5, bar);
  }
  cairo_fill (cr);
}

/* How bright each value is shown. */
static void
draw_curve (const Histogram *h, cairo_t *cr, double width, double height)
{
  double a = place_of (h, h->low, width), b = place_of (h, h->high, width);
  cairo_move_to (cr, a, height);
  for (int i = 1; i <= 32; i++)
    cairo_line_to (cr, a + (b - a) * i / 32, height * (1 - pow (i / 32.0, h->gamma)));
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
  gdk_cairo_set_source_rgba (cr, &accent);
  draw_curve (h, cr, width, height);
  draw_handle (cr, place_of (h, h->low, width), height);
  draw_handle (cr, place_of (h, h->high, width), height);
  cairo_destroy (cr);
}

/* ---- Handles ---- */

static void
move_to (Histogram *h, double value)
{
  double least = (h->counts.high - h->counts.low) / 1024;
  value = CLAMP (value, h->counts.low, h->counts.high);
  if (h->upper)
    h->high = MAX (value, h->low + least);
  else
    h->low = MIN (value, h->high - least);
  gtk_widget_queue_draw (GTK_WIDGET (h));
  g_signal_emit (h, limits_signal, 0);
}

static void
on_drag_begin (Histogram *h, double x)
{
  double width = gtk_widget_get_width (GTK_WIDGET (h)) - 12;
  double low = place_of (h, h->low, width) + 6, high = place_of (h, h->high, width) + 6;
  h->upper = fabs (x - high) < fabs (x - low) || (low == high && x > high);
  h->from = h->upper ? h->high : h->low;
  gtk_widget_grab_focus (GTK_WIDGET (h));
}

static void
on_drag (Histogram *h, double dx)
{
  double width = gtk_widget_get_width (GTK_WIDGET (h)) - 12;
  move_to (h, h->from + dx / MAX (width, 1) * (h->counts.high - h->counts.low));
}

static gboolean
on_key (Histogram *h, guint key, guint code, GdkModifierType state)
{
  double step = (h->counts.high - h->counts.low) / HISTOGRAM_BINS;
  (void) code;
  if (key != GDK_KEY_Left && key != GDK_KEY_Right)
    return FALSE;
  h->upper = (state & GDK_SHIFT_MASK) != 0;
  move_to (h, (h->upper ? h->high : h->low) + (key == GDK_KEY_Left ? -step : step));
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
histogram_set_limits (Histogram *h, double low, double high, double gamma)
{
  h->low = low;
  h->high = high;
  h->gamma = gamma;
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
  limits_signal = g_signal_new ("limits", HISTOGRAM_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
