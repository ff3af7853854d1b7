/* SPDX-License-Identifier: MIT
 *
 * A step that is skipped stands for the image that it would take.
 */
#include "core/run/pipeline_inputs.h"

#include "core/base/error.h"
#include "core/selection/selection.h"

#include <string.h>

void
step_shape_set (StepShape *shape, const char *text, Image *mask)
{
  g_free (shape->text);
  image_unref (shape->mask);
  *shape = (StepShape){g_strdup (text), mask};
}

gboolean
step_input_is_shape (const char *input)
{
  return input && strchr (input, '(');
}

/* ---- Images that steps make ---- */

static Image *
previous_image (guint n, Image *const *made, Image *source)
{
  while (n--)
    if (made[n])
      return made[n];
  return source;
}

/* The step before the first n that has a name, or NULL. */
static const Step *
named_step (const Pipeline *pipeline, guint n, const char *name, guint *place)
{
  while (n--) {
    const Step *step = pipeline_step (pipeline, n);
    *place = n;
    if (step->name && !strcmp (step->name, name))
      return step;
  }
  return NULL;
}

/* The image that step i makes or passes on, or NULL. */
static Image *
image_of (const Pipeline *pipeline, guint i, Image *const *made, Image *source)
{
  const Step *step = pipeline_step (pipeline, i);
  while (step && step->skipped) {
    if (!step->op->n_inputs || !step->inputs[0])
      return previous_image (i, made, source);
    step = named_step (pipeline, i, step->inputs[0], &i);
  }
  return step ? made[i] : source;
}

/* The image that a name means for step n; NULL with *error when that step makes none. */
static Image *
named_image (const Pipeline *pipeline, guint n, const char *name, Image *const *made, Image *source, GError **error)
{
  Image *image = source;
  if (strcmp (name, PIPELINE_SOURCE) && named_step (pipeline, n, name, &n))
    image = image_of (pipeline, n, made, source);
  if (!image)
    step_error_set (error, FV_BAD_INPUT, NULL, "'%s' is a table, not an image.", name);
  return image;
}

/* ---- Selections ---- */

/* The mask of input i, which is a selection in an image like `image`; the step's. */
static Image *
shape_mask (const Step *step, guint i, Image *image, GError **error)
{
  const ImageInfo *info = image_info (image), *had;
  StepShape *shape = &step->shapes[i];
  g_autoptr (Selection) selection = NULL;
  Image *mask;
  if (shape->mask && !strcmp (shape->text, step->inputs[i])) {
    had = image_info (shape->mask);
    if (had->rows == info->rows && had->columns == info->columns)
      return shape->mask;
  }
  if (!(selection = selection_parse (step->inputs[i], error)))
    return NULL;
  if ((mask = selection_mask (selection, info->columns, info->rows)))
    step_shape_set (shape, step->inputs[i], mask);
  else
    step_error_set (error, FV_NO_MEMORY, NULL, "There is not memory enough for the mask of '%s'.", step->inputs[i]);
  return mask;
}

/* ---- Inputs ---- */

gboolean
pipeline_inputs (const Pipeline *pipeline, guint n, Image *source, Image *const *made, Image **inputs, GError **error)
{
  const Step *step = pipeline_step (pipeline, n);
  for (guint i = 0; i < step->op->n_inputs; i++) {
    if (step_input_is_shape (step->inputs[i]))
      inputs[i] = shape_mask (step, i, inputs[0], error);
    else if (step->inputs[i])
      inputs[i] = named_image (pipeline, n, step->inputs[i], made, source, error);
    else
      inputs[i] = i ? NULL : previous_image (n, made, source);
    if (!inputs[i] && step->inputs[i]) {
      g_prefix_error (error, "%s: ", step->op->fv.key);
      return FALSE;
    }
  }
  return TRUE;
}
