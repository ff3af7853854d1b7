/* SPDX-License-Identifier: MIT
 *
 * The CPU posing as a GPU: memory of its own, filled with poison when it is allocated and freed, and checked copies. Each copy has its device side
 * inside one block and its host side in none. It works immediately on the stream on which memory is allocated. Copies on others happen as late as the
 * rules allow, when they are waited for, and downloaded data is valid only then. A forgotten copy or wait reads poison; a violation of the rules ends
 * the program. A copy of the device with another number in `dl` is another GPU: what one holds is not for the other.
 */
#ifndef TESTS_POSING_DEVICE_H
#define TESTS_POSING_DEVICE_H

#include "fovea-plugin.h"

/* A kind without a device. */
#define POSING ((fv_device_kind) (FV_DEVICE_KINDS - 1))

extern const fv_device posing_device;

/* What an operation can run there: its version for the CPU, on arrays that must lie in the memory of the call's device. */
fv_status posing_run (const fv_call *call, fv_error *error);

#endif
