/* SPDX-License-Identifier: MIT
 *
 * How long the steps of a plan would take on the CPU and on a card: a first estimate, from pixels and bytes alone.
 */
#ifndef CORE_RUN_COST_H
#define CORE_RUN_COST_H

#include "core/run/plan.h"

/* Milliseconds on `cores` cores. */
double cost_on_cpu (const Plan *plan, guint cores);
/* Milliseconds on a card that is awake, with the way there and back. card may be NULL: one that is not known yet. */
double cost_on_card (const Plan *plan, Device *card);
/* Milliseconds until the card can work. NULL: its driver sleeps, too. */
double cost_of_waking (Device *card);

#endif
