/* SPDX-License-Identifier: MIT
 */
#include "core/run/comparison.h"

#include "library/private.h"

struct fovea_comparison {
  fovea_context *context;
  Comparison *comparison;
};

fovea_comparison *
fovea_comparison_new (const fovea_recipe *recipe, const fovea_image *image, unsigned repeat, fovea_error **error)
{
  GError *fault = NULL;
  Comparison *made = NULL;
  fovea_comparison *comparison = NULL;
  fovea_run *run;
  if (repeat < 1 || repeat > 1000) {
    library_fail_argument (error, "repeat", "repeat must be from 1 to 1000, not %u.", repeat);
    return NULL;
  }
  if (!(run =
          fovea_run_new (recipe, image, FOVEA_KEEP_NAMED, error))) /* which knows the image of steps that take none */
    return NULL;
  if ((made = comparison_make (recipe->context->modules, recipe->recipe, run_source (run->run), repeat,
                               progress_current (), &fault))) {
    comparison = g_new (fovea_comparison, 1);
    *comparison = (fovea_comparison){library_context_ref (recipe->context), made};
  } else
    library_fail (error, fault);
  fovea_run_free (run);
  return comparison;
}

unsigned
fovea_comparison_devices (const fovea_comparison *comparison)
{
  return comparison ? comparison->comparison->devices->len : 0;
}

/* NULL with *error: device n does not exist. */
static const ComparisonDevice *
device_at (const fovea_comparison *comparison, unsigned n, fovea_error **error)
{
  if (!library_has (comparison, "comparison", error))
    return NULL;
  const GPtrArray *devices = comparison->comparison->devices;
  if (n < devices->len)
    return devices->pdata[n];
  library_fail_argument (error, "n", "Device %u does not exist: there are %u, counted from 0.", n, devices->len);
  return NULL;
}

fovea_code
fovea_comparison_get_device (const fovea_comparison *comparison, unsigned n, fovea_compared_device *to,
                             fovea_error **error)
{
  const ComparisonDevice *device = device_at (comparison, n, error);
  if (!device)
    return FOVEA_BAD_ARGUMENT;
  const fovea_compared_device all = {.device = library_device (comparison->context, device->device),
                                     .fault = device->fault,
                                     .step_ms = device->ms.steps,
                                     .ms = device->ms.all,
                                     .up_ms = device->ms.up,
                                     .down_ms = device->ms.down,
                                     .wall_ms = device->ms.wall,
                                     .uploaded = device->uploaded,
                                     .downloaded = device->downloaded};
  return library_give (&all, sizeof all, to, "device", error) ? FOVEA_OK : FOVEA_BAD_ARGUMENT;
}

fovea_code
fovea_comparison_get_result (const fovea_comparison *comparison, unsigned n, unsigned i, fovea_compared_result *to,
                             fovea_error **error)
{
  const ComparisonDevice *device = device_at (comparison, n, error);
  guint results = device && device->agreements ? device->agreements->len : 0;
  if (!device)
    return FOVEA_BAD_ARGUMENT;
  if (i >= results) {
    library_fail_argument (error, "i", "Result %u of device %u does not exist; it has %u.", i, n, results);
    return FOVEA_BAD_ARGUMENT;
  }
  const Agreement *a = &g_array_index (device->agreements, Agreement, i);
  const fovea_compared_result all = {.result = a->result,
                                     .column = a->column,
                                     .values = a->values,
                                     .differing = a->differing,
                                     .difference = a->difference,
                                     .largest = a->largest,
                                     .exact = a->exact,
                                     .agrees = a->agrees};
  return library_give (&all, sizeof all, to, "result", error) ? FOVEA_OK : FOVEA_BAD_ARGUMENT;
}

char *
fovea_comparison_text (const fovea_comparison *comparison)
{
  return comparison ? comparison_text (comparison->comparison) : g_strdup ("");
}

void
fovea_comparison_free (fovea_comparison *comparison)
{
  if (!comparison)
    return;
  comparison_free (comparison->comparison);
  fovea_context_free (comparison->context);
  g_free (comparison);
}
