/* SPDX-License-Identifier: MIT
 */
#include "core/figure/figure.h"

#include "library/private.h"

/* Sets them as the words say, and looks at the name of the file. */
static fovea_code
take (const char *const *words, const char *path, FigureChoices *choices, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (words, "choices", error) || !library_has (path, "path", error))
    return FOVEA_BAD_ARGUMENT;
  return figure_choices_set (choices, words, &fault) && figure_can_save (path, &fault) ? FOVEA_OK
                                                                                       : library_fail (error, fault);
}

fovea_code
fovea_figure_check (const char *const *words, const char *path, fovea_error **error)
{
  g_autofree FigureChoices *choices = figure_choices_new ();
  return take (words, path, choices, error);
}

/* What a device made is brought in its turn. */
static gboolean
fetch (fovea_context *context, Image *image, GError **error)
{
  const fovea_image wrapped = {.context = context, .image = image};
  return !image || !image_device (image) || library_image_pixels (&wrapped, error);
}

fovea_code
fovea_figure_save (const fovea_run *run, const char *const *words, const char *path, fovea_error **error)
{
  GError *fault = NULL;
  g_autofree FigureChoices *choices = figure_choices_new ();
  g_auto (FigureInputs) inputs = {0};
  fovea_code code = library_has (run, "run", error) ? take (words, path, choices, error) : FOVEA_BAD_ARGUMENT;
  if (code)
    return code;
  if (figure_inputs_find (&inputs, run->context->modules, run->run, choices, &fault)
      && fetch (run->context, inputs.image, &fault) && fetch (run->context, inputs.labels, &fault)
      && figure_save (&inputs, choices, path, progress_current (), &fault))
    return FOVEA_OK;
  return library_fail (error, fault);
}
