/* SPDX-License-Identifier: MIT
 */
#include "core/run/selection_input.h"

#include "core/selection/drawn.h"

/* (element-type Selection) A reference. NULL with *error. */
static GPtrArray *
selections_of (const Step *step, guint input, GError **error)
{
  if (step->files[input]) {
    const char *left_out;
    const GPtrArray *all = file_input_selections (step->files[input], &left_out, error);
    return all ? g_ptr_array_ref ((GPtrArray *) all) : NULL;
  }
  Selection *selection = selection_parse (step->inputs[input], error);
  GPtrArray *one = selection ? g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free) : NULL;
  if (one)
    g_ptr_array_add (one, selection);
  return one;
}

/* A selection that is text is a mask for every input. */
static gboolean
is_labels (const Step *step, guint input)
{
  return step->files[input] && (step->op->fv.inputs[input].types & FV_WANTS_LABELS);
}

ImageInfo
selection_input_info (const Step *step, guint input, Image *like)
{
  g_autoptr (GPtrArray) selections = selections_of (step, input, NULL);
  if (!selections)
    selections = g_ptr_array_new ();
  return selections_drawn_info (selections, image_info (like), is_labels (step, input));
}

Image *
selection_input_draw (const Step *step, guint input, Image *like, GError **error)
{
  g_autoptr (GPtrArray) selections = selections_of (step, input, error);
  return selections ? selections_drawn (selections, image_info (like), is_labels (step, input), error) : NULL;
}
