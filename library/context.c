/* SPDX-License-Identifier: MIT
 *
 * The plugins and their devices.
 */
#include "library/private.h"

#include "core/base/error.h"

const char *
fovea_version (void)
{
  return FOVEA_VERSION;
}

/* Without an operation there is nothing to do: the shipped plugin was refused. */
static gboolean
check_shipped (Modules *modules, GError **error)
{
  const char *const *refused = modules_refused (modules);
  if (modules_ops (modules)->len && modules_device (modules, "cpu", NULL))
    return TRUE;
  step_error_set (error, FV_UNSUPPORTED, NULL, "The plugin that Fovea comes with cannot be used: %s",
                  *refused ? *refused : "it has no operations.");
  return FALSE;
}

fovea_context *
fovea_context_new (fovea_flags flags, fovea_error **error)
{
  g_autoptr (Modules) modules = NULL;
  fovea_context *context;
  GError *fault = NULL;
  if (flags != FOVEA_DEFAULT && flags != FOVEA_NO_PLUGINS) {
    library_fail_argument (error, "flags", "There is no flag %d.", (int) flags);
    return NULL;
  }
  modules = flags & FOVEA_NO_PLUGINS ? modules_new_shipped () : modules_new ();
  if (!check_shipped (modules, &fault)) {
    library_fail (error, fault);
    return NULL;
  }
  context = g_new (fovea_context, 1);
  g_atomic_ref_count_init (&context->references);
  context->modules = g_steal_pointer (&modules);
  return context;
}

fovea_context *
library_context_ref (fovea_context *context)
{
  g_atomic_ref_count_inc (&context->references);
  return context;
}

void
fovea_context_free (fovea_context *context)
{
  if (!context || !g_atomic_ref_count_dec (&context->references))
    return;
  modules_free (context->modules);
  g_free (context);
}

const char *const *
fovea_context_refused (const fovea_context *context)
{
  return modules_refused (context->modules);
}

/* ---- Devices ---- */

/* NULL: there is no such device. */
static const fv_device *
device_at (const fovea_context *context, size_t i)
{
  const GPtrArray *devices = modules_find_devices (context->modules);
  return i < devices->len ? ((const Device *) devices->pdata[i])->fv : NULL;
}

size_t
fovea_device_count (const fovea_context *context)
{
  return modules_find_devices (context->modules)->len;
}

const char *
fovea_device_key (const fovea_context *context, size_t i)
{
  const fv_device *device = device_at (context, i);
  return device ? device->key : NULL;
}

const char *
fovea_device_name (const fovea_context *context, size_t i)
{
  const fv_device *device = device_at (context, i);
  return device ? device->name : NULL;
}

const char *
fovea_device_fault (const fovea_context *context, size_t i)
{
  const fv_device *device = device_at (context, i);
  return device ? device->fault : NULL;
}

void
library_device_enter (Device *device)
{
  if (device && device->discrete)
    g_mutex_lock (&device->turn);
}

void
library_device_leave (Device *device)
{
  if (device && device->discrete)
    g_mutex_unlock (&device->turn);
}
