/* SPDX-License-Identifier: MIT
 *
 * A sum: it tells tens of milliseconds from seconds, no more.
 */
#include "core/run/cost.h"

double
cost_of_step (const PlanStep *step, const Speed *speed)
{
  return speed->step_ms
         + 1e-6
             * (step->arithmetic * (double) step->pixels * speed->arithmetic_ns
                + (double) (step->read + step->made) * speed->byte_ns);
}

double
cost_of_steps (const Plan *plan, const Speed *speed)
{
  double ms = 0;
  for (guint i = 0; i < plan->steps->len; i++) {
    const PlanStep *step = &g_array_index (plan->steps, PlanStep, i);
    ms += step->elsewhere ? 0 : cost_of_step (step, speed);
  }
  return ms;
}

double
cost_of_moving (const Plan *plan, Device *gpu, const Speed *speed)
{
  double bytes = plan->steps->len ? (double) plan->last : 0;
  for (guint i = 0; i < plan->needed->len; i++)
    if (!gpu || !image_is_on (plan->needed->pdata[i], gpu))
      bytes += (double) image_bytes (plan->needed->pdata[i]);
  return bytes * speed->bus_ns * 1e-6;
}

double
cost_of_waking (Device *gpu, const Speed *speed)
{
  return !gpu ? speed->driver_ms + speed->context_ms : device_is_awake (gpu) ? 0 : speed->context_ms;
}
