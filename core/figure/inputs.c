/* SPDX-License-Identifier: MIT
 */
#include "core/figure/inputs.h"

#include "core/base/error.h"
#include "core/run/shown.h"

static gboolean
check_step (const char *key, int step, const Run *run, GError **error)
{
  if (step <= (int) run_length (run))
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, key, "Step %d does not exist; there are %u.", step, run_length (run));
  return FALSE;
}

/* The labels or the mask that a step makes; NULL with *error. */
static Image *
labels_of (const Run *run, int step, GError **error)
{
  Image *labels = run_image (run, (guint) step - 1, 0);
  if (labels && (image_info (labels)->role == FV_LABELS || image_info (labels)->role == FV_MASK))
    return labels;
  step_error_set (error, FV_BAD_ARGUMENT, "labels", "Step %d makes neither labels nor a mask.", step);
  return NULL;
}

gboolean
figure_inputs_find (FigureInputs *inputs, Modules *modules, const Run *run, const FigureChoices *c, GError **error)
{
  const int index = c->step < 0 ? (int) run_length (run) - 1 : c->step - 1;
  Image *labels = NULL;
  if (!check_step ("step", c->step, run, error) || !check_step ("labels", c->labels, run, error))
    return FALSE;
  const gboolean drawn = c->objects != FIGURE_NO_OBJECTS;
  Image *thresholded = drawn && !c->labels ? shown_thresholded (run, index) : NULL;
  Image *image = thresholded ? thresholded : run_image_at (run, index);
  if (thresholded)
    labels = run_image (run, (guint) index, 0);
  else if (drawn && c->labels)
    labels = labels_of (run, c->labels, error);
  else if (drawn && !shown_is_objects (run, index, image))
    labels = shown_labels (run, index, image);
  if (drawn && c->labels && !labels)
    return FALSE;
  *inputs = (FigureInputs){modules, image_ref (image), labels ? image_ref (labels) : NULL};
  return TRUE;
}

void
figure_inputs_clear (FigureInputs *inputs)
{
  image_unref (inputs->image);
  image_unref (inputs->labels);
}
