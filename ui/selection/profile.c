/* SPDX-License-Identifier: MIT
 *
 * The values are read on a thread; the newest line wins.
 */
#include "ui/selection/profile.h"

#include "core/base/text.h"
#include "core/selection/line_profile.h"
#include "ui/widgets/button.h"
#include "ui/plot/plot_axis.h"
#include "ui/plot/plot_file.h"
#include "ui/plot/plot_parts.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <math.h>

enum { LEFT = 64, RIGHT = 14, TOP = 8, BOTTOM = 36 };

typedef struct {
  Profile *owner;
  Image *image;
  PlanePosition position;
  Selection *line;
  LineProfile *made;
} Job;

struct _Profile {
  GtkBox parent;
  View *view;
  Selections *selections;
  Worker *worker;
  GtkWidget *plot, *copy, *save, *foot;
  GtkLabel *note;
  LineProfile *shown; /* or NULL */
  double pointer;     /* where it is over the plot; -1: not there */
  gboolean paper;     /* it is being drawn for a file */
};

G_DEFINE_FINAL_TYPE (Profile, profile, GTK_TYPE_BOX)

static guint close_signal;

/* ---- Values, on the worker's thread ---- */

static gboolean
sample_in_worker (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  (void) progress;
  job->made = line_profile_new (job->image, job->position, job->line, error);
  return job->made != NULL;
}

/* ---- In the main context ---- */

/* Takes the profile, or NULL. */
static void
show_profile (Profile *self, LineProfile *profile, const char *note)
{
  line_profile_free (self->shown);
  self->shown = profile;
  gtk_label_set_text (self->note, note);
  gtk_widget_set_sensitive (self->copy, profile != NULL);
  gtk_widget_set_sensitive (self->save, profile != NULL);
  gtk_widget_queue_draw (self->plot);
}

static char *
note_of (const LineProfile *profile)
{
  g_autofree char *values = words_count (profile->n, "value", "values");
  g_autofree char *unit = *profile->value_unit ? g_strdup_printf (" (%s)", profile->value_unit) : g_strdup ("");
  return g_strdup_printf ("%.5g %s, %s%s", profile->length, profile->unit, values, unit);
}

static void
sampled (gpointer data, const GError *error)
{
  Job *job = data;
  Profile *self = job->owner;
  const Selection *now = self->selections ? selections_current (self->selections) : NULL;
  if (!error && now && selection_is_line (now)) {
    g_autofree char *note = note_of (job->made);
    show_profile (self, g_steal_pointer (&job->made), note);
  }
  line_profile_free (job->made);
  image_unref (job->image);
  selection_free (job->line);
  g_object_unref (self);
  g_free (job);
}

static void
update (Profile *self)
{
  const Selection *line;
  if (!self->selections || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  line = selections_current (self->selections);
  if (!line || !selection_is_line (line)) {
    show_profile (self, NULL, _ ("Draw a line with the line tool to plot the values along it."));
    return;
  }
  Job *job = g_new (Job, 1);
  *job = (Job){g_object_ref (self), image_ref (view_image (self->view)), view_plane (self->view), selection_copy (line),
               NULL};
  worker_push (self->worker, &(WorkerJob){sample_in_worker, sampled, job, self});
}

/* ---- Drawing ---- */

static void
fit_axes (const Profile *self, PlotAxis *x, PlotAxis *y)
{
  const LineProfile *profile = self->shown;
  Range y_values = {INFINITY, -INFINITY};
  *x = (PlotAxis){range_widened ((Range){0, profile->length}), LEFT, gtk_widget_get_width (self->plot) - RIGHT};
  for (guint i = 0; i < profile->n; i++)
    if (isfinite (profile->values[i])) {
      y_values.low = MIN (y_values.low, profile->values[i]);
      y_values.high = MAX (y_values.high, profile->values[i]);
    }
  if (y_values.low > y_values.high)
    y_values = (Range){0, 0};
  *y = (PlotAxis){range_widened (y_values), gtk_widget_get_height (self->plot) - BOTTOM, TOP};
}

static void
draw_curve (const LineProfile *profile, cairo_t *cr, const PlotAxis *x, const PlotAxis *y)
{
  gboolean on = FALSE;
  for (guint i = 0; i < profile->n; i++) {
    double at = plot_axis_position (x, line_profile_distance (profile, i));
    if (!isfinite (profile->values[i]))
      on = FALSE;
    else if (on)
      cairo_line_to (cr, at, plot_axis_position (y, profile->values[i]));
    else
      cairo_move_to (cr, at, plot_axis_position (y, profile->values[i]));
    on = isfinite (profile->values[i]);
  }
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

/* The value nearest to the pointer, and what it is. */
static void
draw_reading (Profile *self, cairo_t *cr, const PlotAxis *x, const PlotAxis *y)
{
  const LineProfile *profile = self->shown;
  double along = (self->pointer - x->from) / (x->to - x->from);
  guint i = (guint) round (CLAMP (along, 0, 1) * (profile->n - 1));
  double at = floor (plot_axis_position (x, line_profile_distance (profile, i))) + 0.5;
  if (self->pointer < 0 || self->paper || !isfinite (profile->values[i]))
    return;
  g_autofree char *text =
    g_strdup_printf (_ ("%.5g at %.5g %s"), profile->values[i], line_profile_distance (profile, i), profile->unit);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, at, y->from);
  cairo_line_to (cr, at, y->to);
  cairo_stroke (cr);
  cairo_arc (cr, at, plot_axis_position (y, profile->values[i]), 3, 0, 2 * G_PI);
  cairo_fill (cr);
  plot_text (self->plot, cr, text, at > (x->from + x->to) / 2 ? at - 6 : at + 6, y->to,
             at > (x->from + x->to) / 2 ? 1 : 0, 0);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  Profile *self = data;
  GdkRGBA color, accent = {0.21F, 0.52F, 0.89F, 1};
  PlotAxis x, y;
  if (!self->shown || !self->shown->n || width <= LEFT + RIGHT || height <= TOP + BOTTOM)
    return;
  fit_axes (self, &x, &y);
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &color);
  if (self->paper)
    color = (GdkRGBA){0, 0, 0, 1};
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, x.from - 0.5, y.to - 0.5, x.to - x.from + 1, y.from - y.to + 1);
  cairo_stroke (cr);
  plot_axis_draw (self->plot, cr, &x, y.from + 0.5, FALSE);
  plot_axis_draw (self->plot, cr, &y, x.from - 0.5, TRUE);
  g_autofree char *title = g_strdup_printf (self->paper ? "Distance (%s)" : _ ("Distance (%s)"), self->shown->unit);
  plot_text (self->plot, cr, title, (x.from + x.to) / 2, height, 0.5, 1);
  gdk_cairo_set_source_rgba (cr, &accent);
  draw_curve (self->shown, cr, &x, &y);
  gdk_cairo_set_source_rgba (cr, &color);
  draw_reading (self, cr, &x, &y);
}

/* ---- The pointer and the buttons ---- */

static void
on_motion (Profile *self, double x)
{
  self->pointer = x;
  gtk_widget_queue_draw (self->plot);
}

static void
on_leave (Profile *self)
{
  self->pointer = -1;
  gtk_widget_queue_draw (self->plot);
}

static void
on_copy (Profile *self)
{
  const LineProfile *profile = self->shown;
  g_autofree char *text = line_profile_text (profile, '\t');
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  g_autofree char *values = words_count (profile->n, "value", "values"),
                  *note = g_strdup_printf (_ ("Copied %s"), values);
  gtk_label_set_text (self->note, note);
}

static void
draw_on_paper (cairo_t *cr, int width, int height, gpointer data)
{
  Profile *self = data;
  self->paper = TRUE;
  draw (GTK_DRAWING_AREA (self->plot), cr, width, height, self);
  self->paper = FALSE;
}

static void
on_saved (gpointer data, const char *text, gboolean good)
{
  (void) good;
  gtk_label_set_text (((Profile *) data)->note, text);
}

static void
on_save (Profile *self)
{
  plot_file_ask (self->plot, "profile", draw_on_paper, on_saved, self, line_profile_text (self->shown, ','));
}

static void
on_close (Profile *self)
{
  g_signal_emit (self, close_signal, 0);
}

/* ---- The widget ---- */

static void
add_buttons (Profile *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");
  self->copy = button_with_text (_ ("_Copy"), _ ("Copy distances and values as text"), G_CALLBACK (on_copy), self);
  self->save = button_with_text (_ ("_Save…"), _ ("Saves the plot as SVG, or distances and values as CSV"),
                                 G_CALLBACK (on_save), self);
  gtk_widget_set_tooltip_text (close, _ ("Close (Ctrl+K)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Close the line profile"),
                                  -1);
  g_signal_connect_object (close, "clicked", G_CALLBACK (on_close), self, G_CONNECT_SWAPPED);
  plot_foot_add (self->foot, self->copy);
  plot_foot_add (self->foot, self->save);
  plot_foot_add (self->foot, close);
}

static void
profile_dispose (GObject *object)
{
  Profile *self = FOVEA_PROFILE (object);
  g_clear_object (&self->view);
  g_clear_object (&self->selections);
  g_clear_object (&self->foot);
  g_clear_pointer (&self->shown, line_profile_free);
  G_OBJECT_CLASS (profile_parent_class)->dispose (object);
}

static void
profile_class_init (ProfileClass *class)
{
  G_OBJECT_CLASS (class)->dispose = profile_dispose;
  close_signal = g_signal_new ("close", PROFILE_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
profile_init (Profile *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  self->pointer = -1;
  self->plot = plot_area_new (_ ("Line profile"), 48, draw, self);
  g_signal_connect_object (motion, "motion", G_CALLBACK (on_motion), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (on_leave), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (self->plot, motion);
  gtk_box_append (GTK_BOX (self), self->plot);
  self->foot = g_object_ref_sink (plot_foot_new (_ ("Line Profile"), &self->note));
  add_buttons (self);
}

GtkWidget *
profile_foot (Profile *self)
{
  return self->foot;
}

GtkWidget *
profile_new (View *view, Selections *selections, Worker *worker)
{
  Profile *self = g_object_new (PROFILE_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  self->view = g_object_ref (view);
  self->selections = g_object_ref (selections);
  self->worker = worker;
  g_signal_connect_object (selections, "current", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "image", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::visible", G_CALLBACK (update), NULL);
  return GTK_WIDGET (self);
}
