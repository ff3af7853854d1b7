/* SPDX-License-Identifier: MIT
 *
 * A GPU has lanes, devices with streams of their own: while the steps of one image run there the next one is on its way, and kernels of two fill what
 * small ones leave idle. A large image goes through the first lane of its GPU, which has the others' memory when they are empty.
 */
#include "core/batch/devices.h"

#include "core/data/device_lost.h"
#include "core/run/choice.h"

#include <string.h>

enum { LANES = 2, PARTS = 64 }; /* a lane for images of so small a part of a GPU's memory */

struct BatchDevices {
  Modules *modules;
  char *key;
  guint64 runs;
  gint next; /* whose turn it is, of several GPUs; atomic */
  GMutex lock;
  GPtrArray *all; /* Device; NULL: not chosen yet */
  gsize small;    /* bytes of an image that may go through any lane */
  guint gpus;     /* how many of the first ones are the modules'; others are further lanes of these, in their order */
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
  for (guint i = devices->gpus; devices->all && i < devices->all->len; i++)
    device_free (devices->all->pdata[i]);
  g_clear_pointer (&devices->all, g_ptr_array_unref);
  g_free (devices->key);
  g_mutex_clear (&devices->lock);
  g_free (devices);
}

gboolean
batch_devices_check (const BatchDevices *devices, GError **error)
{
  return !strcmp (devices->key, "auto") || modules_device (devices->modules, devices->key, error);
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

/* Adds further lanes of the GPUs, as many as can be made. */
static void
add_lanes (GPtrArray *devices)
{
  guint gpus = devices->len;
  for (guint i = 0; i < (LANES - 1) * gpus; i++) {
    const Device *gpu = devices->pdata[i % gpus];
    Device *lane;
    if (!gpu->discrete)
      return;
    lane = device_new (gpu->fv);
    if (!device_ready (lane, gpu->fv->key, NULL)) {
      device_free (lane);
      return;
    }
    device_set_limit (lane, gpu->limit);
    g_ptr_array_add (devices, lane);
  }
}

static gboolean
choose (BatchDevices *devices, const Run *run, GError **error)
{
  g_autofree char *reason = NULL;
  g_mutex_lock (&devices->lock);
  if (!devices->all) {
    Device *first = choice_device_for_many (run, devices->runs, devices->modules, devices->key, &reason, error);
    if (first) {
      devices->all = all_like (devices, first);
      devices->gpus = devices->all->len;
      devices->small = device_room (first) / PARTS;
      add_lanes (devices->all);
    }
  }
  g_mutex_unlock (&devices->lock);
  return devices->all != NULL;
}

gboolean
batch_devices_are_lost (BatchDevices *devices)
{
  gboolean lost = FALSE;
  g_mutex_lock (&devices->lock);
  for (guint i = 0; i < devices->gpus && !lost; i++)
    lost = device_is_lost (((const Device *) devices->all->pdata[i])->fv, NULL);
  g_mutex_unlock (&devices->lock);
  return lost;
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
  guint n = (guint) g_atomic_int_add (&devices->next, 1) % devices->all->len;
  Device *device = devices->all->pdata[n];
  return image_bytes (run_source (run)) <= devices->small ? device : devices->all->pdata[n % devices->gpus];
}
