/* SPDX-License-Identifier: MIT
 *
 * How long the steps of a plan would take on a device: what they declare, at the speed of the machine.
 */
#ifndef CORE_RUN_COST_H
#define CORE_RUN_COST_H

#include "core/run/plan.h"
#include "core/run/speed.h"

/* Milliseconds of a step of the plan. */
double cost_of_step (const PlanStep *step, const Speed *speed);
/* Of all steps. */
double cost_of_steps (const Plan *plan, const Speed *speed);
/* Milliseconds of the way to a GPU, which may be NULL: one that is not known yet, and back. */
double cost_of_moving (const Plan *plan, Device *gpu, const Speed *speed);
/* Milliseconds until the GPU can work. NULL: its driver sleeps, too. */
double cost_of_waking (Device *gpu, const Speed *speed);

#endif
