/* SPDX-License-Identifier: MIT
 *
 * Where a plan's images are to be: in memory, where they fit, else on disk, so that an image is only too large for both together.
 */
#ifndef CORE_RUN_PLAN_MEMORY_H
#define CORE_RUN_PLAN_MEMORY_H

#include "core/run/plan.h"

/* Says where each step's images go, and those of the source. When something does not fit, what can be done strip by strip is, and the
 * largest images go to the disk, of equal ones those that are needed longest. FALSE with *error, which names the step at the peak,
 * says how much is needed and what there is, and what would fit. */
gboolean plan_memory_arrange (Plan *plan, const Device *device, GError **error);
/* Whether plan_memory_arrange() would not refuse. */
gboolean plan_memory_fits (Plan *plan, const Device *device);
/* The maximum number of bytes that a GPU needs at once for a step that fits within `room` neither whole nor strip by strip; 0 if all steps fit. */
gsize plan_memory_lacked (const Plan *plan, gsize room);
/* How many more bytes of host memory it takes at its peak, where all of it is in memory. */
gsize plan_memory_needed (Plan *plan, const Device *device);

#endif
