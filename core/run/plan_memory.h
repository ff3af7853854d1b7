/* SPDX-License-Identifier: MIT
 *
 * Whether the host has the memory that a plan needs at its peak.
 */
#ifndef CORE_RUN_PLAN_MEMORY_H
#define CORE_RUN_PLAN_MEMORY_H

#include "core/run/plan.h"

/* FALSE with *error, which names the step at the peak, says how much is needed and what there is, and what would fit. */
gboolean plan_memory_check (const Plan *plan, const Device *device, GError **error);

#endif
