/* SPDX-License-Identifier: MIT
 */
#include "core/batch/devices.h"

#include "core/run/choice.h"

#include <string.h>

struct BatchDevices {
  Modules *modules;
  char *key;
  guint64 runs;
  gint next; /* whose turn it is, of several cards; atomic */
  GMutex lock;
  GPtrArray *all; /* Device; NULL: not chosen yet */
};

BatchDevices *
batch_devices_new (Modules *modules, const char *key, guint64 runs)
{
  BatchDevices *devices = g_new0 (BatchDevices, 1);
  *devices = (BatchDevices){.modules = modules, .key = g_strdup (key), .runs = runs};
  g_mutex_init (&devices->lock);
  return devices;
}

void
batch_devices_free (BatchDevices *devices)
{
  g_free (devices->key);
  g_clear_pointer (&devices->all, g_ptr_array_unref);
  g_mutex_clear (&devices->lock);
  g_free (devices);
}

/* All that are like the device, when no single one was asked for. */
static GPtrArray *
all_like (const BatchDevices *devices, Device *device)
{
  GPtrArray *alike = g_ptr_array_new ();
  const GPtrArray *all = modules_devices (devices->modules);
  gboolean one = device->fv->kind == FV_CPU || strchr (devices->key, ':');
  for (guint i = 0; i < all->len && !one; i++) {
    Device *other = all->pdata[i];
    if (other->fv->kind == device->fv->kind && !other->fv->fault && device_ready (other, other->fv->key, NULL))
      g_ptr_array_add (alike, other);
  }
  if (!alike->len)
    g_ptr_array_add (alike, device);
  return alike;
}

static gboolean
choose (BatchDevices *devices, const Run *run, GError **error)
{
  g_autofree char *reason = NULL;
  g_mutex_lock (&devices->lock);
  if (!devices->all) {
    Device *first = choice_device_for_many (run, devices->runs, devices->modules, devices->key, &reason, error);
    devices->all = first ? all_like (devices, first) : NULL;
  }
  g_mutex_unlock (&devices->lock);
  return devices->all != NULL;
}

Device *
batch_devices_any (BatchDevices *devices, const Run *run, GError **error)
{
  return choose (devices, run, error) ? devices->all->pdata[0] : NULL;
}

Device *
batch_devices_next (BatchDevices *devices, const Run *run, GError **error)
{
  if (!choose (devices, run, error))
    return NULL;
  return devices->all->pdata[(guint) g_atomic_int_add (&devices->next, 1) % devices->all->len];
}
