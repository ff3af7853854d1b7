/* SPDX-License-Identifier: MIT
 *
 * The workflow on a small image, or what the device supports of it, from the start of the process to its last image in host memory. A second run
 * shows what the first spent on loading kernels.
 */
#include "tests/bench/startup.h"

#include "tests/bench/lines.h"
#include "core/run/execute.h"
#include "tests/support/support.h"

#include <string.h>

static const char input[] = "nuclei-640-u16.npy";
static const char *const candidates[] = {LINES_WORKFLOW, "otsu | label2rgb", "otsu"};

/* The first steps that can run on the device; NULL with *error. */
static const char *
steps_for (Modules *modules, const Device *device, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (candidates); i++) {
    g_autoptr (Recipe) recipe = recipe_parse (modules, candidates[i], error);
    guint able = 0;
    if (!recipe)
      return NULL;
    for (guint step = 0; step < recipe_length (recipe); step++)
      able += recipe_step (recipe, step)->op->fv.run[device->fv->kind] != NULL;
    if (able == recipe_length (recipe))
      return candidates[i];
  }
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "%s can do no step of the workflow.", device->fv->key);
  return NULL;
}

static gboolean
run_steps (Modules *modules, const char *steps, Image *source, Device *device, GError **error)
{
  g_autoptr (Recipe) recipe = recipe_parse (modules, steps, error);
  g_autoptr (Run) run = recipe ? run_new (recipe, source, RUN_KEEP_NAMED) : NULL;
  return run && run_execute (run, device, NULL, error) && image_plane (run_last_image (run), 0, error);
}

/* Milliseconds since *since, which becomes now. */
static void
add_lap (JsonBuilder *b, const char *name, gint64 *since)
{
  gint64 now = g_get_monotonic_time ();
  json_builder_add_double_value (json_builder_set_member_name (b, name), (double) (now - *since) / 1e3);
  *since = now;
}

gboolean
startup_measure (JsonBuilder *b, const char *plugin, const char *device_key, const char *data, gint64 started,
                 gint64 entered, GError **error)
{
  static Modules *modules; /* never freed: threads of the plugin may outlive the measurement */
  g_autofree char *path = g_build_filename (data, input, NULL);
  g_autoptr (Image) source = NULL;
  Device *device;
  const char *steps;
  gint64 lap = entered;
  Npy npy;

  json_builder_begin_object (b);
  json_builder_add_double_value (json_builder_set_member_name (b, "process_ms"), (double) (entered - started) / 1e3);
  modules = modules_new_empty ();
  if (!modules_load (modules, plugin, error))
    return FALSE;
  if (strcmp (device_key, "cpu"))
    modules_find_devices (modules);
  add_lap (b, "driver_ms", &lap);
  if (!(device = modules_device (modules, device_key, error)))
    return FALSE;
  add_lap (b, "context_ms", &lap);
  npy_load (&npy, path);
  source = image_from_npy (&npy, FV_IMAGE);
  npy_clear (&npy);
  add_lap (b, "read_ms", &lap);
  if (!image_on_device (source, device, NULL, error))
    return FALSE;
  image_off_device (source, device);
  add_lap (b, "upload_ms", &lap);
  if (!(steps = steps_for (modules, device, error)) || !run_steps (modules, steps, source, device, error))
    return FALSE;
  add_lap (b, "first_run_ms", &lap);
  json_builder_add_double_value (json_builder_set_member_name (b, "total_ms"), (double) (lap - started) / 1e3);
  if (!run_steps (modules, steps, source, device, error))
    return FALSE;
  add_lap (b, "second_run_ms", &lap);
  json_builder_add_string_value (json_builder_set_member_name (b, "steps"), steps);
  json_builder_end_object (b);
  return TRUE;
}
