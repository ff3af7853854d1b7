/* SPDX-License-Identifier: MIT
 *
 * The CPU posing as a card: memory of its own, filled with poison when it is given out and when it is taken back, and copies that
 * are checked: each has its device side inside one block and its host side in none. It works at once on the
 * stream on which memory is taken; copies on others happen as late as the rules let them, when somebody waits for them, and what goes to the host is
 * there only then. Whoever forgets a copy or a wait sees poison; a breach of the rules ends the program. A copy of the device with
 * another number in `dl` is another card: what one holds is not for the other.
 */
#ifndef TESTS_POSING_DEVICE_H
#define TESTS_POSING_DEVICE_H

#include "fovea-plugin.h"

/* A kind that is nobody's. */
#define POSING ((fv_device_kind) (FV_DEVICE_KINDS - 1))

extern const fv_device posing_device;

/* What an operation can run there: its version for the CPU, on arrays that must lie in the memory of the call's device. */
fv_status posing_run (const fv_call *call, fv_error *error);

#endif
