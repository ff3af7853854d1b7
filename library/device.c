/* SPDX-License-Identifier: MIT
 *
 * Devices as other programs see them, each described when it is first asked for: to list all wakes drivers.
 */
#include "library/private.h"

#include "core/base/error.h"

typedef struct {
  fovea_device shown; /* first: its address is that of the whole */
  Device *device;
} Described;

/* The lock is held. */
static const fovea_device *
describe (fovea_context *context, const Device *device)
{
  Described *described = g_hash_table_lookup (context->devices, device);
  if (described)
    return &described->shown;
  described = g_new (Described, 1);
  *described = (Described){
    .shown = {sizeof (fovea_device), device->fv->key, device->fv->name, device->fv->detail, device->fv->fault,
              device->fv->dl},
    .device = (Device *) device,
  };
  g_hash_table_insert (context->devices, (gpointer) device, described);
  return &described->shown;
}

const fovea_device *
library_device (fovea_context *context, const Device *device)
{
  g_mutex_lock (&context->lock);
  const fovea_device *described = describe (context, device);
  g_mutex_unlock (&context->lock);
  return described;
}

Device *
library_device_of (const fovea_device *device)
{
  return ((const Described *) device)->device;
}

const fovea_device *const *
fovea_context_devices (const fovea_context *constant)
{
  fovea_context *context = (fovea_context *) constant; /* it shows no change */
  if (!context)
    return NULL;
  const GPtrArray *found = modules_find_devices (context->modules);
  g_mutex_lock (&context->lock);
  if (!context->device_list) {
    context->device_list = g_new0 (const fovea_device *, found->len + 1);
    for (guint i = 0; i < found->len; i++)
      context->device_list[i] = describe (context, found->pdata[i]);
  }
  g_mutex_unlock (&context->lock);
  return context->device_list;
}

fovea_code
fovea_device_get_memory (const fovea_device *device, int64_t *unused, int64_t *all, fovea_error **error)
{
  fv_error fault = FV_ERROR_INIT;
  GError *failed = NULL;
  if (!library_has (device, "device", error) || !library_has (unused, "unused", error)
      || !library_has (all, "all", error))
    return FOVEA_BAD_ARGUMENT;
  const fv_device *fv = library_device_of (device)->fv;
  if (fv->fault)
    step_error_set (&failed, FV_DEVICE_FAULT, NULL, "%s", fv->fault);
  else if (fv->memory (fv, unused, all, &fault)) {
    g_autofree char *text = error_plugin_text (&fault);
    step_error_set (&failed, FV_DEVICE_FAULT, NULL, "%s", text);
  }
  return failed ? library_fail (error, failed) : FOVEA_OK;
}

void
fovea_device_set_limit (const fovea_device *device, int64_t bytes)
{
  if (device && library_device_of (device)->discrete)
    device_set_limit (library_device_of (device), (gsize) MAX (0, bytes));
}

fovea_code
fovea_device_get_stream (const fovea_device *device, void **stream, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (device, "device", error) || !library_has (stream, "stream", error))
    return FOVEA_BAD_ARGUMENT;
  Device *inner = library_device_of (device);
  if (!device_ready (inner, inner->fv->key, &fault))
    return library_fail (error, fault);
  *stream = inner->discrete ? inner->stream : NULL;
  return FOVEA_OK;
}

fovea_code
fovea_device_get_moved (const fovea_device *device, uint64_t *uploaded, uint64_t *downloaded, fovea_error **error)
{
  if (!library_has (device, "device", error) || !library_has (uploaded, "uploaded", error)
      || !library_has (downloaded, "downloaded", error))
    return FOVEA_BAD_ARGUMENT;
  Device *inner = library_device_of (device);
  library_device_enter (inner);
  *uploaded = inner->uploaded;
  *downloaded = inner->downloaded;
  library_device_leave (inner);
  return FOVEA_OK;
}

/* ---- One thread at a time works on a GPU ---- */

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
