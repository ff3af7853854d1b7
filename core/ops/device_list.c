/* SPDX-License-Identifier: MIT
 *
 * A published array is immutable: a longer one replaces it, so that readers need no lock.
 */
#include "core/ops/device_list.h"

#include "core/base/error.h"
#include "core/base/fork.h"
#include "core/ops/module_check.h"
#include "core/ops/module_check_text.h"

#include <string.h>

typedef const fv_device *const *(*Finder) (void);

enum { MAXIMUM = 64 }; /* devices of one plugin */

struct DeviceList {
  GPtrArray *known;  /* Device *; replaced, atomically */
  gint pending;      /* finders that have not been called */
  GMutex lock;       /* guards what follows, and replacing */
  GPtrArray *owned;  /* all devices */
  GPtrArray *second; /* those of device_list_second() */
  GPtrArray *before; /* arrays that `known` was */
  GArray *finders;   /* Finder */
};

DeviceList *
device_list_new (void)
{
  DeviceList *list = g_new0 (DeviceList, 1);
  g_mutex_init (&list->lock);
  fork_guard (&list->lock, NULL, NULL);
  list->known = g_ptr_array_new ();
  list->second = g_ptr_array_new_with_free_func ((GDestroyNotify) device_free);
  list->owned = g_ptr_array_new_with_free_func ((GDestroyNotify) device_free);
  list->before = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  list->finders = g_array_new (FALSE, FALSE, sizeof (Finder));
  return list;
}

void
device_list_free (DeviceList *list)
{
  g_ptr_array_unref (list->known);
  g_ptr_array_unref (list->before);
  g_ptr_array_unref (list->second);
  g_ptr_array_unref (list->owned);
  g_array_unref (list->finders);
  fork_unguard (&list->lock);
  g_mutex_clear (&list->lock);
  g_free (list);
}

gboolean
device_list_check (DeviceList *list, const fv_device *const *devices, GError **error)
{
  const GPtrArray *known = device_list_known (list);
  guint n = 0;
  for (const fv_device *const *d = devices; d && *d; d++) {
    if (n++ == MAXIMUM)
      return module_fault (error, "it has more than %d devices, or their list has no end", MAXIMUM);
    if (!module_check_device (*d, error))
      return FALSE;
    for (guint i = 0; i < known->len; i++)
      if (!strcmp (((const Device *) known->pdata[i])->fv->key, (*d)->key))
        return module_fault (error, "device '%s' already exists", (*d)->key);
    for (const fv_device *const *before = devices; before != d; before++)
      if (!strcmp ((*before)->key, (*d)->key))
        return module_fault (error, "it has two devices '%s'", (*d)->key);
  }
  return TRUE;
}

/* The lock is held. */
static void
extend (DeviceList *list, const fv_device *const *devices)
{
  GPtrArray *longer = g_ptr_array_copy (list->known, NULL, NULL);
  for (; devices && *devices; devices++) {
    Device *device = device_new (*devices);
    g_ptr_array_add (list->owned, device);
    g_ptr_array_add (longer, device);
  }
  g_ptr_array_add (list->before, list->known);
  g_atomic_pointer_set (&list->known, longer);
}

void
device_list_add (DeviceList *list, const fv_device *const *devices, Finder find)
{
  g_mutex_lock (&list->lock);
  extend (list, devices);
  if (find) {
    g_array_append_val (list->finders, find);
    g_atomic_int_inc (&list->pending);
  }
  g_mutex_unlock (&list->lock);
}

const GPtrArray *
device_list_known (DeviceList *list)
{
  return g_atomic_pointer_get (&list->known);
}

gboolean
device_list_pending (DeviceList *list)
{
  return g_atomic_int_get (&list->pending) > 0;
}

const GPtrArray *
device_list_find (DeviceList *list)
{
  g_mutex_lock (&list->lock);
  for (guint i = 0; i < list->finders->len; i++) {
    const fv_device *const *found = g_array_index (list->finders, Finder, i) ();
    g_autoptr (GError) error = NULL;
    if (device_list_check (list, found, &error))
      extend (list, found);
    else
      g_message ("Devices of a plugin are not used: %s.", error->message);
  }
  g_array_set_size (list->finders, 0);
  g_atomic_int_set (&list->pending, 0);
  g_mutex_unlock (&list->lock);
  return device_list_known (list);
}

/* ---- One of them ---- */

static gboolean
is_numbered (const char *key, const char *of)
{
  gsize length = strlen (of);
  return !strncmp (key, of, length) && key[length] == ':';
}

/* "cuda" is a name of "cuda:0", "cuda:1" ...; a device "cuda" represents all of them when none can be used. */
static gboolean
device_is (const Device *device, const char *key)
{
  const char *name = device->fv->key;
  return !strcmp (name, key) || is_numbered (name, key) || (device->fv->fault && is_numbered (key, name));
}

/* The first of that key that works, else the first; NULL: there is none. */
static Device *
look_up (const GPtrArray *devices, const char *key)
{
  Device *faulty = NULL;
  for (guint i = 0; i < devices->len; i++) {
    Device *device = devices->pdata[i];
    if (device_is (device, key) && !device->fv->fault)
      return device;
    if (device_is (device, key) && !faulty)
      faulty = device;
  }
  return faulty;
}

Device *
device_list_get (DeviceList *list, const char *key, GError **error)
{
  Device *device = look_up (device_list_known (list), key);
  if (!device)
    device = look_up (device_list_find (list), key);
  if (device)
    return device_ready (device, key, error) ? device : NULL;
  const GPtrArray *all = device_list_known (list);
  g_autoptr (GString) keys = g_string_new (NULL);
  for (guint i = 0; i < all->len; i++)
    g_string_append_printf (keys, "%s%s", i ? ", " : "", ((const Device *) all->pdata[i])->fv->key);
  step_error_set (error, FV_DEVICE_FAULT, "device", "Device '%s' does not exist: this machine has %s.", key, keys->str);
  return NULL;
}

/* The lock is held. */
static Device *
second_of (DeviceList *list, const Device *device)
{
  Device *second;
  for (guint i = 0; i < list->second->len; i++)
    if ((second = list->second->pdata[i])->fv == device->fv)
      return second;
  second = device_new (device->fv);
  device_set_limit (second, device->limit);
  g_ptr_array_add (list->second, second);
  return second;
}

Device *
device_list_second (DeviceList *list, const Device *device, GError **error)
{
  g_mutex_lock (&list->lock);
  Device *second = second_of (list, device);
  g_mutex_unlock (&list->lock);
  return device_ready (second, device->fv->key, error) ? second : NULL;
}
