/* SPDX-License-Identifier: MIT
 *
 * The devices of all plugins: those that are there at once, and those that have to be looked for, which wakes a driver and is
 * done when they are first wanted.
 */
#ifndef CORE_OPS_DEVICE_LIST_H
#define CORE_OPS_DEVICE_LIST_H

#include "core/data/device.h"

typedef struct DeviceList DeviceList;

DeviceList *device_list_new (void);
void device_list_free (DeviceList *list);
/* Whether a plugin's devices, which may be NULL, keep the rules of the ABI and are not there yet; FALSE with *error. */
gboolean device_list_check (DeviceList *list, const fv_device *const *devices, GError **error);
/* What a plugin brings, and how it finds more; both may be NULL. */
void device_list_add (DeviceList *list, const fv_device *const *devices, const fv_device *const *(*find) (void) );
/* Array of Device *, those with a fault too: what is known by now. It stays as it is, and valid as long as the list. */
const GPtrArray *device_list_known (DeviceList *list);
/* Whether some have not been looked for yet. Never waits. */
gboolean device_list_pending (DeviceList *list);
/* All of them: looks for those that are pending, once. Any thread; others that ask meanwhile wait. */
const GPtrArray *device_list_find (DeviceList *list);
/* "cpu", "cuda" (the first) or "cuda:1", ready for work; looks for devices only when none of that key is known. NULL with
 * *error. */
Device *device_list_get (DeviceList *list, const char *key, GError **error);

/* A second Device of the same hardware, for work beside that of the first one. The list owns it, and it is the same for all. NULL with *error. */
Device *device_list_second (DeviceList *list, const Device *device, GError **error);

#endif
