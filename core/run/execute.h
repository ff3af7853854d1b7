/* SPDX-License-Identifier: MIT
 *
 * Computes what is not current in a run.
 */
#ifndef CORE_RUN_EXECUTE_H
#define CORE_RUN_EXECUTE_H

#include "core/run/run.h"

/* Makes all results current on the device. On FALSE, *error names the step at fault, which is run_index(); results that are current
 * stay. Not for the main loop. */
gboolean run_execute (Run *run, Device *device, Progress *progress, GError **error);

#endif
