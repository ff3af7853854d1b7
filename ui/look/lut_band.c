/* SPDX-License-Identifier: MIT
 *
 * Stops keep their order: one that is dragged ends beside its neighbors. Keys: left and right move, up and down choose, Insert adds, Delete
 * removes.
 */
#include "ui/look/lut_band.h"

#include <glib/gi18n.h>
#include <math.h>

enum { LAST = 255, EDGE = 8, HANDLE = 14 };

struct _LutBand {
  GtkWidget parent;
  Lut lut;
  GArray *stops; /* LutStop */
  guint chosen;
  int from; /* where the chosen one was when a drag began */
};

G_DEFINE_FINAL_TYPE (LutBand, lut_band, GTK_TYPE_WIDGET)

enum { CHANGED, CHOSEN, SIGNALS };
static guint signals[SIGNALS];

static LutStop *
stop_of (const LutBand *band, guint i)
{
  return &g_array_index (band->stops, LutStop, i);
}

/* ---- Drawing ---- */

static double
width_of (const LutBand *band)
{
  return MAX (gtk_widget_get_width (GTK_WIDGET (band)) - 2 * EDGE, 1);
}

static double
x_of (const LutBand *band, int at)
{
  return EDGE + (at + 0.5) * width_of (band) / (LAST + 1);
}

static void
draw_stop (const LutBand *band, cairo_t *cr, guint i, double y, const GdkRGBA *text)
{
  const LutStop *stop = stop_of (band, i);
  const gboolean chosen = i == band->chosen;
  const double x = x_of (band, stop->at), half = chosen ? 6 : 4;
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x + half, y + HANDLE - 2);
  cairo_line_to (cr, x - half, y + HANDLE - 2);
  cairo_close_path (cr);
  cairo_set_source_rgb (cr, stop->rgb[0] / 255.0, stop->rgb[1] / 255.0, stop->rgb[2] / 255.0);
  cairo_fill_preserve (cr);
  gdk_cairo_set_source_rgba (cr, text);
  cairo_set_line_width (cr, chosen ? 2.5 : 1);
  cairo_stroke (cr);
}

static void
lut_band_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const LutBand *band = FOVEA_LUT_BAND (widget);
  const double width = width_of (band), height = gtk_widget_get_height (widget) - HANDLE;
  GdkRGBA text;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                                                          (float) gtk_widget_get_height (widget)));
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  for (int i = 0; i <= LAST; i++) {
    const guint8 *rgb = band->lut.rgb[i];
    const double left = floor (EDGE + i * width / (LAST + 1)), right = floor (EDGE + (i + 1) * width / (LAST + 1));
    cairo_set_source_rgb (cr, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0);
    cairo_rectangle (cr, left, 0, right - left, height);
    cairo_fill (cr);
  }
  for (guint i = 0; i < band->stops->len; i++)
    if (i != band->chosen)
      draw_stop (band, cr, i, height, &text);
  if (band->stops->len)
    draw_stop (band, cr, band->chosen, height, &text);
  cairo_destroy (cr);
}

/* ---- Changes ---- */

static void
changed (LutBand *band)
{
  gtk_widget_queue_draw (GTK_WIDGET (band));
  g_signal_emit (band, signals[CHANGED], 0);
}

void
lut_band_choose (LutBand *band, guint stop)
{
  if (stop >= band->stops->len || stop == band->chosen)
    return;
  band->chosen = stop;
  gtk_widget_queue_draw (GTK_WIDGET (band));
  g_signal_emit (band, signals[CHOSEN], 0);
}

void
lut_band_move (LutBand *band, int at)
{
  const guint i = band->chosen;
  const int min = i > 0 ? stop_of (band, i - 1)->at + 1 : 0,
            max = i + 1 < band->stops->len ? stop_of (band, i + 1)->at - 1 : LAST;
  at = CLAMP (at, min, max);
  if (at == stop_of (band, i)->at)
    return;
  stop_of (band, i)->at = at;
  changed (band);
}

void
lut_band_add (LutBand *band, int at)
{
  LutStop stop = {.at = CLAMP (at, 0, LAST)};
  guint i = 0;
  while (i < band->stops->len && stop_of (band, i)->at < stop.at)
    i++;
  if (i < band->stops->len && stop_of (band, i)->at == stop.at) {
    lut_band_choose (band, i);
    return;
  }
  for (int c = 0; c < 3; c++)
    stop.rgb[c] = band->lut.rgb[stop.at][c];
  g_array_insert_val (band->stops, i, stop);
  band->chosen = i;
  changed (band);
}

void
lut_band_add_beside (LutBand *band)
{
  const guint last = band->stops->len - 1, i = band->chosen;
  const int at = stop_of (band, i)->at, next = i < last ? stop_of (band, i + 1)->at : LAST,
            before = i > 0 ? stop_of (band, i - 1)->at : 0;
  lut_band_add (band, next - at > 1 || next == LAST ? (at + next + 1) / 2 : (at + before) / 2);
}

void
lut_band_remove (LutBand *band)
{
  if (band->stops->len == 1)
    return;
  g_array_remove_index (band->stops, band->chosen);
  band->chosen = MIN (band->chosen, band->stops->len - 1);
  changed (band);
}

void
lut_band_take_stops (LutBand *band, GArray *stops)
{
  g_array_unref (band->stops);
  band->stops = stops;
  band->chosen = 0;
  changed (band);
}

/* ---- Pointer and keys ---- */

static int
at_pointer (const LutBand *band, double x)
{
  return CLAMP ((int) floor ((x - EDGE) * (LAST + 1) / width_of (band)), 0, LAST);
}

static guint
nearest (const LutBand *band, double x)
{
  guint best = band->chosen;
  for (guint i = 0; i < band->stops->len; i++)
    if (fabs (x_of (band, stop_of (band, i)->at) - x) < fabs (x_of (band, stop_of (band, best)->at) - x))
      best = i;
  return best;
}

static void
on_drag_begin (LutBand *band, double x)
{
  gtk_widget_grab_focus (GTK_WIDGET (band));
  lut_band_choose (band, nearest (band, x));
  band->from = stop_of (band, band->chosen)->at;
}

static void
on_drag (LutBand *band, double dx)
{
  lut_band_move (band, band->from + (int) round (dx * (LAST + 1) / width_of (band)));
}

static void
on_press (LutBand *band, int times, double x)
{
  if (times == 2)
    lut_band_add (band, at_pointer (band, x));
}

static gboolean
on_key (LutBand *band, guint key, guint code, GdkModifierType state)
{
  const int far = state & GDK_SHIFT_MASK ? 10 : 1, at = stop_of (band, band->chosen)->at;
  (void) code;
  switch (key) {
  case GDK_KEY_Left: lut_band_move (band, at - far); return TRUE;
  case GDK_KEY_Right: lut_band_move (band, at + far); return TRUE;
  case GDK_KEY_Down: lut_band_choose (band, band->chosen - 1); return TRUE;
  case GDK_KEY_Up: lut_band_choose (band, band->chosen + 1); return TRUE;
  case GDK_KEY_Insert: lut_band_add_beside (band); return TRUE;
  case GDK_KEY_Delete: lut_band_remove (band); return TRUE;
  default: return FALSE;
  }
}

/* ---- The widget ---- */

void
lut_band_set_colors (LutBand *band, const Lut *lut)
{
  band->lut = *lut;
  gtk_widget_queue_draw (GTK_WIDGET (band));
}

GArray *
lut_band_stops (LutBand *band)
{
  return band->stops;
}

guint
lut_band_chosen (const LutBand *band)
{
  return band->chosen;
}

static void
lut_band_measure (GtkWidget *widget, GtkOrientation orientation, int size, int *min, int *natural, int *baseline,
                  int *natural_baseline)
{
  (void) widget, (void) size;
  *min = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 256 + 2 * EDGE : 48 + HANDLE;
  *baseline = *natural_baseline = -1;
}

static void
lut_band_finalize (GObject *object)
{
  g_array_unref (FOVEA_LUT_BAND (object)->stops);
  G_OBJECT_CLASS (lut_band_parent_class)->finalize (object);
}

static void
lut_band_class_init (LutBandClass *class)
{
  static const char *const names[] = {"changed", "chosen"};
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  G_OBJECT_CLASS (class)->finalize = lut_band_finalize;
  widget_class->snapshot = lut_band_snapshot;
  widget_class->measure = lut_band_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  for (int i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new (names[i], LUT_BAND_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lut_band_init (LutBand *band)
{
  GtkGesture *drag = gtk_gesture_drag_new (), *press = gtk_gesture_click_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  const LutStop black = {0};
  band->stops = g_array_new (FALSE, FALSE, sizeof (LutStop));
  g_array_append_val (band->stops, black);
  gtk_widget_set_focusable (GTK_WIDGET (band), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (band), TRUE);
  gtk_widget_set_tooltip_text (GTK_WIDGET (band),
                               _ ("Drag a stop; double-click adds one. Keys: ← → move it, ↑ ↓ choose "
                                  "another one, Insert adds, Delete removes"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (band), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Colors and their stops"),
                                  -1);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), band);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag), band);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (on_press), band);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), band);
  gtk_widget_add_controller (GTK_WIDGET (band), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (band), GTK_EVENT_CONTROLLER (press));
  gtk_widget_add_controller (GTK_WIDGET (band), key);
}

GtkWidget *
lut_band_new (void)
{
  return g_object_new (LUT_BAND_TYPE, NULL);
}
