/* SPDX-License-Identifier: MIT
 *
 * Devices that this process can use no more. After a wild access of a kernel a GPU refuses whatever the process asks of it, until the process ends;
 * other processes go on.
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
