/* SPDX-License-Identifier: MIT
 */
#include "ui/steps/method_values.h"

#include "core/base/worker.h"
#include "core/ops/args.h"
#include "core/call/op.h"
#include "core/run/shown.h"
#include "core/view/plane_sample.h"
#include "ui/steps/adjustment.h"
#include "ui/widgets/narrow_choice.h"

#include <math.h>
#include <string.h>

#define METHOD_VALUES_TYPE (method_values_get_type ())
G_DECLARE_FINAL_TYPE (MethodValues, method_values, FOVEA, METHOD_VALUES, GObject)

struct _MethodValues {
  GObject parent;
  View *view;
  GtkWidget *choice; /* whose it is */
  const fv_param *param;
  Worker *worker;
};

G_DEFINE_FINAL_TYPE (MethodValues, method_values, G_TYPE_OBJECT)

typedef struct {
  GtkWidget *choice;
  const fv_param *param;
  Step *step;
  Image *image;
  PlanePosition position;
  gboolean stack; /* all slices have one threshold */
  Device *cpu;
  GPtrArray *notes; /* of each choice, and NULL */
} Search;

static void
search_free (Search *s)
{
  g_object_unref (s->choice);
  step_unref (s->step);
  image_unref (s->image);
  g_ptr_array_unref (s->notes);
  g_free (s);
}

/* What one threshold is found of, as an image of its own; NULL when it is too large to be read for this, or cannot be. */
static Image *
part_of (const Search *s, GError **error)
{
  ImageInfo info = *image_info (s->image);
  const gint64 depth = s->stack ? info.depth : 1;
  info.channels = info.frames = 1;
  info.depth = depth;
  g_autoptr (Image) part = image_new (&info, error);
  for (gint64 z = 0; part && z < depth; z++) {
    const PlanePosition position = {s->position.channel, s->stack ? z : s->position.slice, s->position.frame};
    const gsize bytes = image_info_plane_bytes (&info);
    g_auto (PlaneSample) sample = {0};
    if (!plane_sample_take (&sample, s->image, plane_number (image_info (s->image), position), error) || !sample.exact)
      return NULL;
    memcpy ((guint8 *) image_pixels (part) + (gsize) z * bytes, sample.pixels, bytes);
  }
  return g_steal_pointer (&part);
}

/* "82", or "none". */
static char *
value_of (const Search *s, Image *part, const char *method, Progress *progress, GError **error)
{
  const Op *op = s->step->op;
  g_autofree gpointer args = args_copy (op, s->step->args);
  CallResult result;
  if (!args_set (op, args, s->param->key, method, error)
      || !call_op (op, args, (Image *[]){part}, s->cpu, progress, &result, error))
    return NULL;
  const double value = result.scalars[0];
  call_result_clear (&result);
  return isfinite (value) ? g_strdup_printf ("%.6g", value) : g_strdup ("–");
}

static gboolean
search_work (gpointer data, Progress *progress, GError **error)
{
  Search *s = data;
  g_autoptr (Image) part = part_of (s, error);
  for (const fv_choice *c = s->param->choices; part && c->key && !*error; c++)
    g_ptr_array_add (s->notes, strcmp (c->key, "manual") ? value_of (s, part, c->key, progress, error) : g_strdup (""));
  return part && !*error;
}

static void
search_ended (gpointer data, const GError *error)
{
  Search *s = data;
  g_ptr_array_add (s->notes, NULL);
  if (!error && s->notes->len > 1)
    narrow_choice_set_notes (s->choice, (const char *const *) s->notes->pdata);
  search_free (s);
}

static void
find_values (MethodValues *values)
{
  const Step *step = adjustment_step (values->view);
  const fv_param *volume = step ? args_param (step->op, "volume") : NULL;
  if (!volume || args_param (step->op, values->param->key) != values->param)
    return;
  Search *s = g_new (Search, 1);
  g_autofree char *stack = args_get (step->args, volume);
  *s = (Search){.choice = g_object_ref (values->choice),
                .param = values->param,
                .step = step_ref ((Step *) step),
                .image = image_ref (adjustment_taken (values->view)),
                .stack = *stack == 'y',
                .cpu = modules_device ((Modules *) step->op->modules, "cpu", NULL),
                .notes = g_ptr_array_new_with_free_func (g_free)};
  s->position = plane_within (image_info (s->image), view_plane (values->view));
  worker_push (values->worker, &(WorkerJob){search_work, search_ended, s, values});
}

static void
on_button (MethodValues *values, GParamSpec *property, GtkToggleButton *button)
{
  (void) property;
  if (gtk_toggle_button_get_active (button))
    find_values (values);
}

static void
method_values_finalize (GObject *object)
{
  MethodValues *values = FOVEA_METHOD_VALUES (object);
  worker_free (values->worker);
  g_object_unref (values->view);
  G_OBJECT_CLASS (method_values_parent_class)->finalize (object);
}

static void
method_values_class_init (MethodValuesClass *class)
{
  G_OBJECT_CLASS (class)->finalize = method_values_finalize;
}

static void
method_values_init (MethodValues *values)
{
  values->worker = worker_new_modest (WORKER_SOON);
}

void
method_values_offer (View *view, GtkWidget *choice, const fv_param *param)
{
  MethodValues *values = g_object_new (METHOD_VALUES_TYPE, NULL);
  values->view = g_object_ref (view);
  values->choice = choice;
  values->param = param;
  g_signal_connect_object (narrow_choice_button (choice), "notify::active", G_CALLBACK (on_button), values,
                           G_CONNECT_SWAPPED);
  g_object_set_data_full (G_OBJECT (choice), "method-values", values, g_object_unref);
}
