/* SPDX-License-Identifier: MIT
 *
 * The constants were measured with the shipped operations in fresh processes, on two cores of an AMD EPYC and on a machine with
 * 16 cores and an NVIDIA H200, and are rounded: they tell tens of milliseconds from seconds, no more.
 */
#include "core/run/cost.h"

/* One core and one pixel of an operation, by how it touches pixels. */
static const double cpu_ns[] = {[FV_POINT] = 1, [FV_LOCAL] = 2, [FV_GLOBAL] = 2, [FV_TABLE] = 2};
/* One core and one byte of a new image: the system has to find and clear its pages. */
static const double fresh_ns = 0.3;
/* Operations on large images wait for memory: more cores than this make them hardly faster. */
static const guint most_cores = 4;

/* To initialise the driver, and then to make a context and load the kernels. */
static const double driver_ms = 280, context_ms = 130;
/* Images that were read from files lie in memory that the bus reaches at this rate. */
static const double bus_bytes_per_ms = 9e6;
/* To launch the kernels of a step, and the rate at which a card of the middle class goes through its memory. */
static const double launch_ms = 0.05, card_bytes_per_ms = 3e8;

static const PlanStep *
step_of (const Plan *plan, guint i)
{
  return &g_array_index (plan->steps, PlanStep, i);
}

double
cost_on_cpu (const Plan *plan, guint cores)
{
  double ns = 0;
  for (guint i = 0; i < plan->steps->len; i++)
    ns += (double) step_of (plan, i)->pixels * cpu_ns[step_of (plan, i)->op->fv.kind]
          + (double) step_of (plan, i)->made * fresh_ns;
  return ns * 1e-6 / CLAMP (cores, 1, most_cores);
}

double
cost_on_card (const Plan *plan, Device *card)
{
  double ms = 0, moved = plan->steps->len ? (double) plan->last : 0;
  for (guint i = 0; i < plan->needed->len; i++)
    if (!card || !image_is_on (plan->needed->pdata[i], card))
      moved += (double) image_bytes (plan->needed->pdata[i]);
  for (guint i = 0; i < plan->steps->len; i++)
    ms += launch_ms + (double) (step_of (plan, i)->pixels * 8 + (gint64) step_of (plan, i)->made) / card_bytes_per_ms;
  return ms + moved / bus_bytes_per_ms;
}

double
cost_of_waking (Device *card)
{
  return !card ? driver_ms + context_ms : device_is_awake (card) ? 0 : context_ms;
}
