/* SPDX-License-Identifier: MIT
 *
 * How fast this machine is: measured once with two operations and kept in the user's cache, fovea/speed.ini, until the processor, the
 * GPU or the version is another one. What has not been measured has the figures of a machine of the middle class.
 */
#ifndef CORE_RUN_SPEED_H
#define CORE_RUN_SPEED_H

#include "core/base/progress.h"
#include "core/ops/module.h"

/* Of one device, all of its cores together. */
typedef struct Speed {
  gboolean measured;
  double arithmetic_ns;         /* a product or sum */
  double byte_ns;               /* of the images that a step reads and makes */
  double step_ms;               /* what each step costs however small it is */
  double bus_ns;                /* a byte on its way to a GPU or back */
  double driver_ms, context_ms; /* to wake a GPU: to find it, and to make it ready */
} Speed;

/* What is known, without waiting. NULL: the GPU that was here last. */
Speed speed_of_cpu (const Device *cpu);
Speed speed_of_gpu (const Device *gpu);
/* Measures a device that is ready, which takes some ten milliseconds, and keeps that, unless it is known. TRUE: something is known now that was not.
 * Not for the main loop. */
gboolean speed_measure (const Modules *modules, Device *device, Progress *progress);
/* Keeps figures of a device; those that are not positive are not known. */
void speed_keep (const Device *device, const Speed *speed);

#endif
