/* SPDX-License-Identifier: MIT
 *
 * Devices that this process can no longer use. After an illegal access of a kernel, a GPU refuses all calls of the
 * process until it ends; other processes continue.
 */
#ifndef CORE_DATA_DEVICE_LOST_H
#define CORE_DATA_DEVICE_LOST_H

#include "fovea-plugin.h"

#include <glib.h>

/* Whether the device is lost, with *error: what failed first, and what to do. Any thread. */
gboolean device_is_lost (const fv_device *device, GError **error);
/* After *error of work on the device, which has that stream: when that is a fault, and the device answers no more, it is lost from now on, with all its lanes, and
 * *error says so. Any thread. */
void device_note_fault (const fv_device *device, void *stream, GError **error);

#endif
