/* SPDX-License-Identifier: MIT
 *
 * What this build and this machine have. Nothing here fails, calls a driver or takes long.
 */
#include "library/private.h"

#include "core/base/system/libraries.h"
#include "core/base/system/machine.h"
#include "core/files/formats.h"

static void
append_plugins (GString *s, const fovea_context *context)
{
  g_auto (GStrv) loaded = modules_loaded (context->modules);
  guint n = 0, on_gpus = 0;
  for (const fovea_operation *const *op = fovea_context_operations (context); *op; op++, n++)
    on_gpus += (*op)->runs_on_gpus != 0;
  for (char **plugin = loaded; *plugin; plugin++)
    g_string_append_printf (s, "Plugin: %s\n", *plugin);
  g_string_append_printf (s, "Operations: %u; on GPUs: %u\n", n, on_gpus);
}

static void
append_cpu (GString *s, const Modules *modules)
{
  const GPtrArray *devices = modules_devices (modules);
  g_autofree char *vectors = machine_vectors ();
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *fv = ((const Device *) devices->pdata[i])->fv;
    if (fv->kind == FV_CPU)
      g_string_append_printf (s, "CPU: %s, %s%s%s\n", fv->name, fv->detail, *vectors ? ", " : "", vectors);
  }
}

char *
fovea_context_about (const fovea_context *context)
{
  GString *s = g_string_new (NULL);
  g_autofree char *opens = formats_labels (), *saves = formats_outputs ();
  g_auto (GStrv) gpus = machine_gpus ("/proc/driver/nvidia");
  g_string_append_printf (s, "Opens: %s\nSaves: %s\nBuilt with: %s\n", opens, saves, libraries_text);
  if (context) {
    append_plugins (s, context);
    append_cpu (s, context->modules);
  }
  for (char **gpu = gpus; *gpu; gpu++)
    g_string_append_printf (s, "GPU: %s\n", *gpu);
  if (!*gpus)
    g_string_append (s, "GPU: none is listed by NVIDIA's driver\n");
  return g_string_free (s, FALSE);
}
