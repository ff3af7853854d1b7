/* SPDX-License-Identifier: MIT
 *
 * What operations keep on a device between calls, such as plans and weights. Each is owned either by this list or by
 * the call that has taken it. Any thread may call.
 */
#ifndef CORE_DATA_DEVICE_STATES_H
#define CORE_DATA_DEVICE_STATES_H

#include "fovea-plugin.h"

#include <glib.h>

typedef struct DeviceStates {
  GMutex lock;
  GQueue left;
} DeviceStates;

typedef void (*DeviceStateRelease) (const fv_device *, void *state);

void device_states_init (DeviceStates *states);
/* What was left last under the key by this owner, whose address is what counts; the caller's from now on. NULL: nothing. */
void *device_states_take (DeviceStates *states, gconstpointer owner, const char *key);
/* Stores it; release (or NULL) is called with it when it is dropped. */
void device_states_leave (DeviceStates *states, gconstpointer owner, const char *key, void *state,
                          DeviceStateRelease release);
/* Releases all that is left, after the work on the stream; FALSE when there is nothing. */
gboolean device_states_release (DeviceStates *states, const fv_device *device, void *stream);
/* After everything has been released. */
void device_states_clear (DeviceStates *states);

#endif
