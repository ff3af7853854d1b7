/* SPDX-License-Identifier: MIT
 *
 * It is the figure itself at a resolution that fits, drawn on a worker; the newest choices win.
 */
#include "ui/figure/preview.h"

#include "core/base/error.h"
#include "core/base/worker.h"
#include "core/figure/page.h"

#include <glib/gi18n.h>

struct _FigurePreview {
  GtkWidget parent;
  Worker *worker;
  cairo_surface_t *picture; /* or NULL */
  FigureInputs inputs;
  FigureChoices *choices;
};

G_DEFINE_FINAL_TYPE (FigurePreview, figure_preview, GTK_TYPE_WIDGET)

static guint drawn_signal;

typedef struct {
  FigurePreview *preview;
  FigureInputs inputs;
  FigureChoices choices;
  cairo_surface_t *picture;
} Job;

static gboolean
draw (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  return (job->picture = figure_picture (&job->inputs, &job->choices, progress, error)) != NULL;
}

static void
drawn (gpointer data, const GError *error)
{
  Job *job = data;
  FigurePreview *self = job->preview;
  if (self->worker && !step_error_is_cancelled (error)) {
    if (job->picture) {
      g_clear_pointer (&self->picture, cairo_surface_destroy);
      self->picture = g_steal_pointer (&job->picture);
    }
    gtk_widget_queue_draw (GTK_WIDGET (self));
    g_signal_emit (self, drawn_signal, 0, error ? error->message : "");
  }
  g_clear_pointer (&job->picture, cairo_surface_destroy);
  figure_inputs_clear (&job->inputs);
  g_object_unref (self);
  g_free (job);
}

/* As many dots as the widget has pixels of the screen, or as the figure has when these are fewer. */
static void
begin (FigurePreview *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const double scale = gtk_widget_get_scale_factor (widget);
  const double across = gtk_widget_get_width (widget) * scale, down = gtk_widget_get_height (widget) * scale;
  double width, height, panel, rows;
  g_autoptr (GError) error = NULL;
  if (!self->choices || across < 1 || down < 1)
    return;
  if (!figure_page_size (self->inputs.image, self->choices, &width, &height, &error)
      || !figure_scene_size (self->inputs.image, self->choices, &panel, &rows, &error)) {
    g_signal_emit (self, drawn_signal, 0, error->message);
    return;
  }
  /* Estimates the width of the panel beside the image, in characters. */
  const double beside = self->choices->color_bar ? 6.0 * self->choices->size * self->choices->dpi / 72 : 0;
  const double smaller = MIN (1, MIN (across / (width + beside), down / height));
  Job *job = g_new0 (Job, 1);
  job->preview = g_object_ref (self);
  job->inputs = (FigureInputs){self->inputs.modules, image_ref (self->inputs.image),
                               self->inputs.labels ? image_ref (self->inputs.labels) : NULL};
  job->choices = *self->choices;
  job->choices.width = MAX (1, panel * smaller);
  job->choices.unit = FIGURE_DOTS;
  job->choices.dpi *= smaller;
  worker_push (self->worker, &(WorkerJob){draw, drawn, job, self});
}

void
figure_preview_show (FigurePreview *self, const FigureInputs *inputs, const FigureChoices *choices)
{
  const FigureInputs before = self->inputs;
  self->inputs =
    (FigureInputs){inputs->modules, image_ref (inputs->image), inputs->labels ? image_ref (inputs->labels) : NULL};
  image_unref (before.image);
  image_unref (before.labels);
  g_free (self->choices);
  self->choices = g_memdup2 (choices, sizeof *choices);
  begin (self);
}

/* ---- The widget ---- */

static void
figure_preview_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const FigurePreview *self = FOVEA_FIGURE_PREVIEW (widget);
  const double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  if (!self->picture)
    return;
  const double scale = gtk_widget_get_scale_factor (widget),
               columns = cairo_image_surface_get_width (self->picture) / scale,
               rows = cairo_image_surface_get_height (self->picture) / scale,
               fit = MIN (1, MIN (width / columns, height / rows));
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_translate (cr, floor ((width - columns * fit) / 2), floor ((height - rows * fit) / 2));
  cairo_scale (cr, fit / scale, fit / scale);
  cairo_set_source_surface (cr, self->picture, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
}

static void
figure_preview_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  (void) width, (void) height, (void) baseline;
  begin (FOVEA_FIGURE_PREVIEW (widget));
}

static void
figure_preview_dispose (GObject *object)
{
  FigurePreview *self = FOVEA_FIGURE_PREVIEW (object);
  g_clear_pointer (&self->worker, worker_free);
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  g_clear_pointer (&self->inputs.image, image_unref);
  g_clear_pointer (&self->inputs.labels, image_unref);
  g_clear_pointer (&self->choices, g_free);
  G_OBJECT_CLASS (figure_preview_parent_class)->dispose (object);
}

static void
figure_preview_class_init (FigurePreviewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  G_OBJECT_CLASS (class)->dispose = figure_preview_dispose;
  widget_class->snapshot = figure_preview_snapshot;
  widget_class->size_allocate = figure_preview_size_allocate;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  drawn_signal =
    g_signal_new ("drawn", FIGURE_PREVIEW_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
figure_preview_init (FigurePreview *self)
{
  self->worker = worker_new_modest (WORKER_SOON);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self), 240, 240);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Preview of the figure"),
                                  -1);
}

GtkWidget *
figure_preview_new (void)
{
  return g_object_new (FIGURE_PREVIEW_TYPE, NULL);
}
