/* SPDX-License-Identifier: MIT
 *
 * A GPU in a forked process: its driver works for the parent alone.
 */
#ifndef CORE_DATA_DEVICE_FORK_H
#define CORE_DATA_DEVICE_FORK_H

#include "fovea-plugin.h"

/* The device with a fault that says so, whose functions ask the driver for nothing. For good. */
const fv_device *device_forked (const fv_device *device);

#endif
