/* SPDX-License-Identifier: MIT
 */
#include "ui/form/param_slider.h"

#include "core/base/text.h"

#include <float.h>
#include <math.h>

struct _ParamSlider {
  GtkScale parent;
  const fv_param *param;
  gboolean integer; /* its values */
  gboolean showing; /* the change is ours */
  guint moved;      /* the source of the next "moved" */
};

G_DEFINE_FINAL_TYPE (ParamSlider, param_slider, GTK_TYPE_SCALE)

static guint moved_signal;

static double
to_position (const fv_param *p, double value)
{
  return p->scale == FV_LOG ? log (MAX (value, 1e-300)) : value;
}

static double
from_position (const fv_param *p, double position)
{
  double value = p->scale == FV_LOG ? exp (position) : position;
  if (p->type == FV_INT)
    return round (value);
  /* three digits are as fine as a hand is */
  double unit = value != 0 ? pow (10, floor (log10 (fabs (value))) - 2) : 1;
  return p->scale == FV_LOG ? round (value / unit) * unit : value;
}

/* With as few digits as a hand can set. */
static double
value_of (const ParamSlider *self)
{
  GtkAdjustment *range = gtk_range_get_adjustment (GTK_RANGE (self));
  const double position = gtk_adjustment_get_value (range), value = from_position (self->param, position);
  if (self->param->def == INFINITY && position >= gtk_adjustment_get_upper (range))
    return INFINITY;
  return self->integer ? round (value) : self->param->type == FV_INT ? value : text_round (value, 6);
}

static gboolean
say_moved (gpointer data)
{
  ParamSlider *self = data;
  self->moved = 0;
  g_signal_emit (self, moved_signal, 0, value_of (self));
  return G_SOURCE_REMOVE;
}

/* The mouse moves it just before a frame is drawn; what that means is done after the frame. */
static void
on_value (ParamSlider *self)
{
  if (!self->showing && !self->moved)
    self->moved = g_idle_add_full (G_PRIORITY_DEFAULT, say_moved, self, NULL);
}

void
param_slider_show (ParamSlider *self, double number)
{
  const double shown = value_of (self);
  if (shown == number || fabs (shown - number) <= 5e-6 * fmin (fabs (number), DBL_MAX)) /* its text has six digits */
    return;
  self->showing = TRUE;
  gtk_range_set_value (GTK_RANGE (self),
                       to_position (self->param, CLAMP (number, -DBL_MAX, DBL_MAX))); /* no limit: its end */
  self->showing = FALSE;
}

static void
declared_range (const fv_param *p, double *low, double *high)
{
  const gboolean soft = p->soft_min != 0 || p->soft_max != 0;
  *low = soft ? p->soft_min : p->min;
  *high = soft ? p->soft_max : p->max;
  if (p->scale == FV_LOG && *low <= 0)
    *low = *high / 1000;
}

static void
param_slider_dispose (GObject *object)
{
  g_clear_handle_id (&FOVEA_PARAM_SLIDER (object)->moved, g_source_remove);
  G_OBJECT_CLASS (param_slider_parent_class)->dispose (object);
}

static void
param_slider_class_init (ParamSliderClass *class)
{
  G_OBJECT_CLASS (class)->dispose = param_slider_dispose;
  moved_signal =
    g_signal_new ("moved", PARAM_SLIDER_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
}

static void
param_slider_init (ParamSlider *self)
{
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
param_slider_new (const ParamSource *source, const fv_param *param)
{
  double low, high;
  gboolean integer = FALSE;
  if (!source->range || !source->range (source->self, param, &low, &high, &integer))
    declared_range (param, &low, &high);
  if (!(high > low) || !isfinite (high - low))
    return NULL;
  low = to_position (param, low);
  high = to_position (param, high);
  const double step = param->type == FV_INT && param->scale != FV_LOG ? 1 : (high - low) / 200;
  ParamSlider *self = g_object_new (PARAM_SLIDER_TYPE, "orientation", GTK_ORIENTATION_HORIZONTAL, "adjustment",
                                    gtk_adjustment_new (low, low, high, step, 10 * step, 0), NULL);
  self->param = param;
  self->integer = integer;
  g_signal_connect (self, "value-changed", G_CALLBACK (on_value), NULL); /* not the first value */
  return GTK_WIDGET (self);
}
