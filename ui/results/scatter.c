/* SPDX-License-Identifier: MIT
 *
 * The pixels are counted on a worker; the newest results win.
 */
#include "ui/results/scatter.h"

#include "core/view/lut_stops.h"
#include "ui/results/scatter_job.h"
#include "ui/widgets/button.h"
#include "ui/plot/plot_axis.h"
#include "ui/plot/plot_file.h"
#include "ui/plot/plot_parts.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <math.h>

enum { LEFT = 72, RIGHT = 14, TOP = 8, BOTTOM = 36 };
static const double widest = 1.8; /* for its height */

/* From few pixels to many, as matplotlib's viridis. */
static const LutStop stops[] = {
  {0, {68, 1, 84}}, {64, {59, 82, 139}}, {128, {33, 145, 140}}, {192, {94, 201, 98}}, {255, {253, 231, 37}}};

struct _Scatter {
  GtkBox parent;
  View *view;
  Worker *worker;
  GtkWidget *plot, *save, *foot;
  GtkLabel *note;
  ScatterJob *shown;      /* or NULL */
  cairo_surface_t *cells; /* a pixel of each; NULL where nothing is shown */
  gboolean paper;         /* it is being drawn for a file */
};

G_DEFINE_FINAL_TYPE (Scatter, scatter, GTK_TYPE_BOX)

/* ---- Counting, on the worker's thread ---- */

static gboolean
count_in_worker (gpointer data, Progress *progress, GError **error)
{
  ScatterJob *job = data;
  job->made = channel_scatter_new (&job->of, progress, error);
  return job->made != NULL;
}

/* ---- In the main context ---- */

/* The greatest values are in the last column of the first row. */
static cairo_surface_t *
cells_of (const ChannelScatter *s)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, s->cells[0], s->cells[1]);
  guchar *pixels = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  Lut lut;
  lut_of_stops (stops, G_N_ELEMENTS (stops), 256, &lut);
  for (int i = 0; i < s->cells[0] * s->cells[1]; i++) {
    const double share = s->max > 1 ? log (s->counts[i]) / log (s->max) : 1;
    const guint8 *rgb = lut.rgb[(int) (255 * CLAMP (share, 0, 1))];
    guint32 *pixel = (guint32 *) (gpointer) (pixels + (s->cells[1] - 1 - i / s->cells[0]) * stride) + i % s->cells[0];
    *pixel = s->counts[i] ? 0xff000000u | (guint32) rgb[0] << 16 | (guint32) rgb[1] << 8 | rgb[2] : 0;
  }
  cairo_surface_mark_dirty (surface);
  return surface;
}

/* Takes the job, or NULL. */
static void
show (Scatter *self, ScatterJob *job)
{
  g_autofree char *pixels = job ? words_count (job->made->pixels, "pixel", "pixels") : NULL,
                  *note = job ? g_strdup_printf (_ ("Pearson %.4g, %s"), job->pearson, pixels) : NULL;
  g_clear_pointer (&self->cells, cairo_surface_destroy);
  scatter_job_free (self->shown);
  self->shown = job;
  self->cells = job ? cells_of (job->made) : NULL;
  gtk_label_set_text (self->note, job ? note : "");
  gtk_widget_set_sensitive (self->save, job != NULL);
  gtk_widget_queue_draw (self->plot);
}

static void
counted (gpointer data, const GError *error)
{
  ScatterJob *job = data;
  g_autoptr (Scatter) self = job->owner;
  if (!error && self->view)
    show (self, job);
  else
    scatter_job_free (job);
}

static void
update (Scatter *self)
{
  if (!self->view || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  ScatterJob *job = scatter_job_new (self->view);
  if (!job) {
    show (self, NULL);
    return;
  }
  job->owner = g_object_ref (self);
  worker_push (self->worker, &(WorkerJob){count_in_worker, counted, job, self});
}

/* Another frame. */
static void
on_look (Scatter *self)
{
  if (self->shown && self->shown->of.frame != view_frame (self->view))
    update (self);
}

/* ---- Drawing ---- */

static void
draw_cells (const Scatter *self, cairo_t *cr, const PlotAxis *x, const PlotAxis *y)
{
  const ChannelScatter *s = self->shown->made;
  cairo_save (cr);
  cairo_rectangle (cr, x->from, y->to, x->to - x->from, y->from - y->to);
  cairo_clip (cr);
  cairo_translate (cr, x->from, y->to);
  cairo_scale (cr, (x->to - x->from) / s->cells[0], (y->from - y->to) / s->cells[1]);
  cairo_set_source_surface (cr, self->cells, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

/* Where the regression line is within the plot. */
static void
draw_line (const ScatterJob *job, cairo_t *cr, const PlotAxis *x, const PlotAxis *y)
{
  const double across = (x->to - x->from) / (x->values.high - x->values.low),
               up = (y->from - y->to) / (y->values.high - y->values.low);
  const double ends[2] = {x->values.low, x->values.high};
  if (!isfinite (job->slope) || !isfinite (job->intercept))
    return;
  cairo_save (cr);
  cairo_rectangle (cr, x->from, y->to, x->to - x->from, y->from - y->to);
  cairo_clip (cr);
  for (int i = 0; i < 2; i++)
    cairo_line_to (cr, x->from + (ends[i] - x->values.low) * across,
                   y->from - (job->slope * ends[i] + job->intercept - y->values.low) * up);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static gboolean
is_within (Range r, double value)
{
  return value >= r.low && value <= r.high;
}

static void
draw_thresholds (const ScatterJob *job, cairo_t *cr, const PlotAxis *x, const PlotAxis *y)
{
  const double dashes[] = {4, 3}, a = floor (plot_axis_position (x, job->thresholds[0])) + 0.5,
               b = floor (plot_axis_position (y, job->thresholds[1])) + 0.5;
  cairo_save (cr);
  cairo_set_dash (cr, dashes, 2, 0);
  cairo_set_line_width (cr, 1);
  if (is_within (x->values, job->thresholds[0])) {
    cairo_move_to (cr, a, y->from);
    cairo_line_to (cr, a, y->to);
  }
  if (is_within (y->values, job->thresholds[1])) {
    cairo_move_to (cr, x->from, b);
    cairo_line_to (cr, x->to, b);
  }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
draw_frame (Scatter *self, cairo_t *cr, const PlotAxis *x, const PlotAxis *y)
{
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, x->from - 0.5, y->to - 0.5, x->to - x->from + 1, y->from - y->to + 1);
  cairo_stroke (cr);
  plot_axis_draw (self->plot, cr, x, y->from + 0.5, FALSE);
  plot_axis_draw (self->plot, cr, y, x->from - 0.5, TRUE);
  plot_text (self->plot, cr, self->shown->names[0], (x->from + x->to) / 2, y->from + BOTTOM, 0.5, 1);
  cairo_save (cr);
  cairo_rotate (cr, -G_PI / 2);
  plot_text (self->plot, cr, self->shown->names[1], -(y->from + y->to) / 2, 0, 0.5, 0);
  cairo_restore (cr);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  Scatter *self = data;
  GdkRGBA color;
  if (!self->cells || width <= LEFT + RIGHT || height <= TOP + BOTTOM)
    return;
  const ChannelScatter *s = self->shown->made;
  const double across = MIN (width - LEFT - RIGHT, widest * (height - TOP - BOTTOM));
  const PlotAxis x = {s->ranges[0], LEFT, LEFT + across}, y = {s->ranges[1], height - BOTTOM, TOP};
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &color);
  if (self->paper)
    color = (GdkRGBA){0, 0, 0, 1};
  draw_cells (self, cr, &x, &y);
  cairo_set_source_rgb (cr, 0.88, 0.11, 0.14);
  draw_line (self->shown, cr, &x, &y);
  gdk_cairo_set_source_rgba (cr, &color);
  draw_thresholds (self->shown, cr, &x, &y);
  draw_frame (self, cr, &x, &y);
}

/* ---- Saving ---- */

static void
draw_on_paper (cairo_t *cr, int width, int height, gpointer data)
{
  Scatter *self = data;
  self->paper = TRUE;
  draw (GTK_DRAWING_AREA (self->plot), cr, width, height, self);
  self->paper = FALSE;
}

static void
on_saved (gpointer self, const char *text, gboolean good)
{
  (void) good;
  gtk_label_set_text (((Scatter *) self)->note, text);
}

static void
on_save (Scatter *self)
{
  const char *const names[2] = {self->shown->names[0], self->shown->names[1]};
  plot_file_ask (self->plot, "scatter", draw_on_paper, on_saved, self, channel_scatter_csv (self->shown->made, names));
}

/* ---- The widget ---- */

static void
scatter_dispose (GObject *object)
{
  Scatter *self = FOVEA_SCATTER (object);
  g_clear_object (&self->view);
  g_clear_object (&self->foot);
  g_clear_pointer (&self->cells, cairo_surface_destroy);
  g_clear_pointer (&self->shown, scatter_job_free);
  G_OBJECT_CLASS (scatter_parent_class)->dispose (object);
}

static void
scatter_class_init (ScatterClass *class)
{
  G_OBJECT_CLASS (class)->dispose = scatter_dispose;
}

static void
scatter_init (Scatter *self)
{
  self->plot = plot_area_new (_ ("Scatter plot"), 120, draw, self);
  self->foot = g_object_ref_sink (plot_foot_new (_ ("Scatter Plot"), &self->note));
  self->save = button_with_text (_ ("_Save…"), _ ("Saves the plot as SVG, or the pixel counts of the values as CSV"),
                                 G_CALLBACK (on_save), self);
  plot_foot_add (self->foot, self->save);
  gtk_box_append (GTK_BOX (self), self->plot);
}

GtkWidget *
scatter_foot (Scatter *self)
{
  return self->foot;
}

gboolean
scatter_pays (const Scatter *self)
{
  return scatter_job_pays (self->view);
}

GtkWidget *
scatter_new (View *view, Worker *worker)
{
  Scatter *self = g_object_new (SCATTER_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  self->view = g_object_ref (view);
  self->worker = worker;
  g_signal_connect_object (view_document (view), "results", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (on_look), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (update), NULL);
  return GTK_WIDGET (self);
}
