/* SPDX-License-Identifier: MIT
 */
#include "core/data/device_lost.h"

#include "core/base/error.h"
#include "core/base/fork.h"

static GMutex lock;
static GHashTable *lost; /* const fv_device * -> what failed first; never freed: it is true until the process ends */

FORK_GUARD_STATIC (lock)

/* What failed first on the device; NULL: nothing. It stays. */
static const char *
first_fault (const fv_device *device)
{
  g_mutex_lock (&lock);
  const char *fault = lost ? g_hash_table_lookup (lost, device) : NULL;
  g_mutex_unlock (&lock);
  return fault;
}

static void
note (const fv_device *device, const char *fault)
{
  g_mutex_lock (&lock);
  if (!lost)
    lost = g_hash_table_new (NULL, NULL);
  if (!g_hash_table_contains (lost, device))
    g_hash_table_insert (lost, (gpointer) device, g_strdup (fault));
  g_mutex_unlock (&lock);
}

gboolean
device_is_lost (const fv_device *device, GError **error)
{
  const char *fault = first_fault (device);
  if (!fault)
    return FALSE;
  step_error_set (error, FV_DEVICE_FAULT, "device",
                  "%s failed before and cannot be used until this program is started again; the CPU can (device cpu). "
                  "The first fault was: %s",
                  device->key, fault);
  return TRUE;
}

static gboolean
answers (const fv_device *device, void *stream)
{
  fv_error fault = FV_ERROR_INIT;
  return !stream || device->synchronize (device, stream, &fault) != FV_DEVICE_FAULT;
}

void
device_note_fault (const fv_device *device, void *stream, GError **error)
{
  if (!error || !g_error_matches (*error, STEP_ERROR, FV_DEVICE_FAULT) || first_fault (device)
      || answers (device, stream))
    return;
  note (device, (*error)->message);
  g_autofree char *field = g_strdup (step_error_field (*error));
  g_autofree char *text = g_strdup_printf ("%s The fault is of this step or of one shortly before it. %s cannot be "
                                           "used until this program is started again; the CPU can (device cpu).",
                                           (*error)->message, device->key);
  g_clear_error (error);
  step_error_set (error, FV_DEVICE_FAULT, field, "%s", text);
}
